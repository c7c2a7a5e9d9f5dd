"""Hints for people who write as other programs do; the golden files of SGF and HGN have more of them."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run


def test_a_list_in_json_is_pointed_to_json_lines(hexrec: Run) -> None:
    report = hexrec("validate", "--format", "json", "--from", "json", "-", stdin=b"[1]").report
    assert "not an array (a file of several records is JSON Lines" in report["records"][0]["diagnostics"][0]["message"]


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


def test_a_list_that_is_not_recognized_names_the_option(hexrec: Run, tmp_path: Path, games: list[Any]) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"pad": "." * 10_000, **game} for game in games]))
    (record,) = hexrec("validate", "--format", "json", path).report["records"]
    assert "--from abstractplay" in record["diagnostics"][0]["message"]
    assert len(hexrec("validate", "--format", "json", "--from", "abstractplay", path).report["records"]) == 2
