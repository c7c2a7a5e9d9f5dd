"""Hints for people who write as other programs do; the golden files of SGF and HGN have more of them."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run


def test_an_array_in_another_format_is_pointed_to_json(hexrec: Run) -> None:
    report = hexrec("validate", "--format", "json", "--from", "yaml", "-", stdin=b"[1]").report
    assert (
        "not an array (only a file in JSON can be an array of records)"
        in report["records"][0]["diagnostics"][0]["message"]
    )


@pytest.fixture
def games(hexrec: Run) -> list[Any]:
    """Two records of Abstract Play, of which the second has the wrong winner."""
    made = [
        json.loads(hexrec("random", "sunspot", "--size", "4", "--seed", str(seed), "--to", "abstractplay").out)
        for seed in (7, 8)
    ]
    for player in made[1]["header"]["players"]:
        player["result"] = 1 - player["result"]
    return made


@pytest.mark.parametrize(
    ("indent", "order"), [(2, ["header", "moves"]), (None, ["moves", "header"]), (None, ["id", "header", "moves"])]
)
def test_a_list_of_records_of_abstract_play(
    hexrec: Run, tmp_path: Path, games: list[Any], indent: int | None, order: list[str]
) -> None:
    listed = [{name: {"id": "header", **game}[name] for name in order} for game in games]
    path = tmp_path / "a.json"
    path.write_text("\ufeff\n" + json.dumps(listed, indent=indent))
    text = path.read_bytes()
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(text))
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.json", text)
    files = [[str(tmp_path / name)] for name in ("a.json", "a.json.gz", "a.zip")]
    for source in (*files, ["-"], ["--from", "json", "-"]):
        records = hexrec("validate", *source, "--format", "json", stdin=text).report["records"]
        assert [(record["index"], record["game"], record["valid"]) for record in records] == [
            (0, "sunspot", True),
            (1, "sunspot", False),
        ]
    assert hexrec("convert", path, "--to", "jsonl").out.count("\n") == 1
    assert hexrec("score", path).out.count("\n") == 3
    for command, code in (("fmt", 0), ("fix", 1)):
        assert (hexrec(command, path).code, path.read_bytes()) == (code, text)


def test_an_array_may_have_records_of_both_formats(hexrec: Run, tmp_path: Path, games: list[Any]) -> None:
    """`fmt` writes hexrec's own, one a line, and leaves the others as they are."""
    own = {"hexrec": "1", "game": "sunspot", "size": 5, "moves": ["E5"]}
    theirs = json.dumps({"pad": "." * 10_000, **games[0]}, indent=1)
    path = tmp_path / "a.json"
    path.write_text(f"[{json.dumps(own, indent=1)}, {theirs} , {theirs},\n {json.dumps(own)}]")
    records = hexrec("validate", "--format", "json", path).report["records"]
    assert [(record["index"], record["game"], record["valid"]) for record in records] == [
        (index, "sunspot", True) for index in range(4)
    ]
    written = '{"hexrec":"1","game":"sunspot","size":5,"moves":["e5"]}'
    for _ in range(2):
        assert hexrec("fmt", path).code == 0
        assert path.read_text() == f"[\n{written},\n{theirs} , {theirs},\n{written}\n]\n"
    lines = hexrec("convert", path, "--to", "jsonl").out.splitlines()
    assert [json.loads(line)["hexrec"] for line in lines] == ["1"] * 4
