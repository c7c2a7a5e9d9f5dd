"""What the service answers is what the command line writes, for files of every folder of fixtures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from hexrec import formats
from hexrec.io.discovery import format_of
from hexrec.server import negotiation
from tests.cli.conftest import Run
from tests.properties import sample
from tests.server.conftest import GAME

FIXTURES = Path(__file__).parent.parent.parent / "fixtures/suite"
#: Those with records, and with questions on games, which are no records.
FOLDERS = sorted({path.parent for path in FIXTURES.rglob("*") if path.is_file()} - {FIXTURES})


def bodies(step: int, *folders: str, suffix: str = "") -> Iterator[tuple[Path, bytes, list[str], dict[str, str]]]:
    """Yield files of all folders, or of those with a name, each with the options and parameters for its format.

    Each folder has at least one of its files there, the first.
    """
    for folder in FOLDERS:
        paths = sorted(path for path in folder.glob(f"*{suffix}") if path.is_file())
        for path in sample(paths, step) if folder.name in folders or not folders else ():
            notation = format_of(path.name)
            yield path, path.read_bytes(), *((["--from", notation], {"from": notation}) if notation else ([], {}))


@pytest.mark.slow
def test_verdicts_are_the_same(client: httpx.Client, hexrec: Run) -> None:
    for path, body, options, params in bodies(30):
        lint = path.parent.name == "lint"
        arguments = ("--no-config", "--format", "json", "--suggest", "20", *options, *["--lint"] * lint)
        said = hexrec("validate", "-", *arguments, stdin=body)
        answer = client.post("/v1/validate", content=body, params={**params, "lint": lint})
        assert (answer.status_code, answer.text) == (200, said.out), path
        verdicts = {record["valid"] for record in answer.json()["records"]}
        assert (False in verdicts) == (said.code == 1)


@pytest.mark.slow
def test_scores_are_the_same(client: httpx.Client, hexrec: Run) -> None:
    for path, body, options, params in bodies(30, "valid", "reference", "lenient"):
        said = hexrec("score", "-", "--no-config", "--jobs", "1", "--format", "csv", *options, stdin=body)
        headers = {"Accept": "text/csv"}
        if params:
            headers["Content-Type"] = negotiation.find_media_types(params["from"])[0]
        answer = client.post("/v1/score", content=body, headers=headers)
        assert (answer.status_code, answer.text) == (200, said.out), path


@pytest.mark.slow
@pytest.mark.parametrize("to", ["jsonl", "sgf"])
def test_conversions_are_the_same(client: httpx.Client, hexrec: Run, to: str) -> None:
    for path, body, options, params in bodies(30, "valid"):
        said = hexrec("convert", "-", "--to", to, *options, "--coordinates", "skew", stdin=body)
        answer = client.post("/v1/convert", content=body, params={**params, "to": to, "coordinates": "skew"})
        if said.code == 0:
            assert (answer.status_code, answer.text) == (200, said.out), path
            assert answer.headers["content-type"].partition(";")[0] == negotiation.find_media_types(to)[0]
        else:
            assert answer.status_code == 422
            assert answer.json()["type"] == "urn:hexrec:problem:bad-record"


@pytest.mark.slow
def test_json_lines_are_answered_alike_as_they_come(client: httpx.Client, hexrec: Run) -> None:
    """Here in pieces of some bytes, which begin and end anywhere."""
    headers = {"Content-Type": negotiation.LINES, "Accept": negotiation.LINES}
    for path, body, options, _ in bodies(9, "valid", "invalid", "lint", suffix=".jsonl"):
        arguments = ("--no-config", "--format", "jsonl", "--suggest", "0", *options)
        said = hexrec("validate", "-", *arguments, stdin=body)
        size = max(7, len(body) // 5)
        parts = (body[start : start + size] for start in range(0, len(body), size))
        answer = client.post("/v1/validate", content=parts, headers=headers)
        assert (answer.status_code, answer.text) == (200, said.out), path


@pytest.mark.parametrize(
    "body",
    [b"", b"\n\n \n", b"\0\n{}\n", b"\n\0\n", b"\xff\xfe{\n", b'\xef\xbb\xbf{"game": 1}\n\n{"a"\r\n\r\n', b"[\n" * 3],
)
def test_odd_lines_are_answered_alike(client: httpx.Client, hexrec: Run, body: bytes) -> None:
    said = hexrec("validate", "-", "--no-config", "--format", "jsonl", "--from", "jsonl", stdin=body)
    headers = {"Content-Type": negotiation.LINES, "Accept": negotiation.LINES}
    for parts in ([body], [body[index : index + 1] for index in range(len(body))]):
        assert client.post("/v1/validate", content=iter(parts), headers=headers).text == said.out


def test_records_can_be_converted_each_by_itself(client: httpx.Client) -> None:
    broken: dict[str, Any] = {**GAME, "moves": ["a1", "a1"]}
    body = "".join(json.dumps(game) + "\n" for game in (GAME, broken, GAME))
    params = {"to": "sgf", "report": "true"}
    headers = {"Content-Type": negotiation.LINES}
    whole = client.post("/v1/convert", content=body, params=params, headers=headers).json()
    lines = client.post(
        "/v1/convert", content=body, params=params, headers={**headers, "Accept": negotiation.LINES}
    ).text
    assert whole["records"] == [json.loads(line) for line in lines.splitlines()]
    first, second, third = whole["records"]
    assert first["text"] == third["text"] == "".join(formats.get("sgf").write([GAME]))
    assert second["text"] is None
    assert [diagnostic["code"] for diagnostic in second["diagnostics"]] == ["move/occupied"]
    marked = client.post("/v1/convert", content=body, params={"to": "jsonl", "invalid": "true"}, headers=headers)
    assert ["x-invalid" in json.loads(line) for line in marked.text.splitlines()] == [False, True, False]


def test_losses_are_counted(client: httpx.Client) -> None:
    game = {"hexrec": "1", "game": "sunspot", "size": 4, "moves": [{"turn": "d4", "nag": [1]}]}
    answer = client.post("/v1/convert", json=game, params={"to": "abstractplay"})
    assert int(answer.headers["hexrec-warnings"]) > 0
    assert client.post("/v1/convert", json=game, params={"to": "sgf"}).headers["hexrec-warnings"] == "0"
    assert client.post("/v1/convert", json=game, params={"to": "abstractplay", "strict": "true"}).status_code == 422
