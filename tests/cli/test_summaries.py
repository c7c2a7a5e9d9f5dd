"""The line at the end of a run: what became of the records, in numbers that add up."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

LINE = re.compile(
    r"(?P<records>[\d,]+) records? in (?P<files>[\d,]+) files?: (?P<parts>[^;]+); "
    r"(?:(?P<written>[\d,]+) files? written|nothing written|[\d,]+ (?:ply|plies) replayed)"
    r"(?:; 1 input could not be read)?\n"
)


def counts(text: str) -> tuple[int, int, dict[str, int], int | None]:
    """Return the numbers of the last line: records, files, what became of the records, files written."""
    found = LINE.fullmatch(text.splitlines(keepends=True)[-1])
    assert found, text
    parts = {name: int(number) for number, _, name in (part.partition(" ") for part in found["parts"].split(", "))}
    assert sum(parts.values()) == int(found["records"])
    return int(found["records"]), int(found["files"]), parts, int(found["written"]) if found["written"] else None


@pytest.fixture
def folder(tmp_path: Path, game: dict[str, Any]) -> Path:
    """Games of all kinds, in most of the formats."""
    right = {**game, "result": {"winner": "white", "score": {"black": 0, "white": 1.5}}}
    illegal = {**game, "moves": ["a1", "a1"]}
    odd = {**game, "moves": ["A1", "A2", "pass", "pass"]}
    texts = {
        "a.jsonl": "".join(json.dumps(each) + "\n" for each in (right, game, illegal, odd)) + "no record\n",
        "b.json": json.dumps(right, indent=2) + "\n",
        "c.yaml": "\n---\n".join([json.dumps(odd), json.dumps(illegal), "size: 3", json.dumps(right)]),
        "d.hgn": '[Game "Sunspot"]\n[Size "5"]\n\n1. E5 *\n\n[Game "Sunspot"]\n[Size "99"]\n\n1. e5 *\n',
        "e.sgf": "(;FF[4]GM[5001]SZ[5]HX[sunspot];B[E5])\n",
        "f.json": '{"header": {}, "moves": []}',
        "g.json": "",
    }
    for name, text in texts.items():
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / name).write_text(text)
    (tmp_path / "in/h.yaml").symlink_to("missing.yaml")
    (tmp_path / "in/i.txt").write_text("notes")
    return tmp_path / "in"


@pytest.mark.parametrize("options", [[], ["--check"], ["--diff"]])
def test_fmt(hexrec: Run, folder: Path, options: list[str]) -> None:
    before = {path: path.read_bytes() for path in folder.iterdir() if path.exists()}
    ran = hexrec("fmt", folder, *options)
    records, files, parts, written = counts(ran.err)
    changed = [path for path, text in before.items() if path.read_bytes() != text]
    # JSON Lines: all four change, as their blanks do. YAML: one. HGN and SGF: one each.
    first = "to be formatted" if options else "formatted"
    assert (records, files) == (15, 7)
    assert parts == {first: 7, "unchanged": 3, "skipped": 5}
    assert ran.err.endswith("; 1 input could not be read\n")
    assert (written, len(changed)) == ((None, 0) if options else (4, 4))
    assert ran.code == 2
    if not options:
        assert counts(hexrec("fmt", folder).err)[2:] == ({"formatted": 0, "unchanged": 10, "skipped": 5}, 0)


@pytest.mark.parametrize("options", [[], ["--diff"]])
def test_fix(hexrec: Run, folder: Path, options: list[str]) -> None:
    invalid = counts(hexrec("validate", folder).out)[2]["invalid"]
    ran = hexrec("fix", folder, *options)
    records, files, parts, written = counts(ran.err)
    assert (records, files) == (15, 7)
    assert parts == {"to be fixed" if options else "fixed": 3, "unchanged": 5, "left invalid": invalid}
    assert (written, ran.code) == (None if options else 2, 2)
    if not options:
        assert counts(hexrec("validate", folder).out)[2] == {"valid": 15 - invalid, "invalid": invalid}
        assert counts(hexrec("fix", folder).err)[2] == {"fixed": 0, "unchanged": 8, "left invalid": invalid}


def test_validate_and_convert(hexrec: Run, folder: Path, tmp_path: Path) -> None:
    records, files, parts, _ = counts(hexrec("validate", folder).out)
    assert (records, files, parts) == (15, 7, {"valid": 8, "invalid": 7})
    converted = {"converted": 8, "left out": 7}
    joined = hexrec("convert", folder, "-o", tmp_path / "all.yaml")
    assert counts(joined.err.removesuffix(joined.err[joined.err.rindex("hexrec: skipped") :])) == (15, 7, converted, 1)
    apart = hexrec("convert", folder, "--to", "json", "--split", "{file}-{index}.json", "-o", tmp_path / "apart")
    assert counts(apart.err.removesuffix(apart.err[apart.err.rindex("hexrec: skipped") :])) == (15, 7, converted, 8)
    assert len(list((tmp_path / "apart").rglob("*.json"))) == 8
    assert counts(hexrec("convert", folder / "g.json", "--to", "json").err) == (
        1,
        1,
        {"converted": 0, "left out": 1},
        0,
    )
    again = hexrec("convert", folder / "b.json", "--to", "json", "--split", "{file}-0.json", "-o", tmp_path / "apart")
    assert (again.code, counts(again.err)) == (1, (1, 1, {"converted": 0, "left out": 1}, 0))


def test_many_records_of_abstract_play(hexrec: Run, tmp_path: Path) -> None:
    """Those that are invalid count as such; that they are not edited is said once."""
    for number in range(12):
        path = tmp_path / f"{number:02}.json"
        hexrec("random", "sunspot", "--size", "4", "--seed", str(number), "--to", "abstractplay", "-o", path)
        if number % 3 == 0:
            record = json.loads(path.read_text())
            for player in record["header"]["players"]:
                player["result"] = 1 - player["result"]
            path.write_text(json.dumps(record))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    ran = hexrec("fix", tmp_path)
    assert counts(ran.err) == (12, 12, {"fixed": 0, "unchanged": 8, "left invalid": 4}, 0)
    assert (ran.code, ran.err.count("error result/winner-mismatch")) == (1, 4)
    assert len(ran.err.splitlines()) <= 4 * 3 + 1
    ran = hexrec("fmt", tmp_path)
    assert counts(ran.err) == (12, 12, {"formatted": 0, "unchanged": 0, "skipped": 12}, 0)
    assert (ran.code, len(ran.err.splitlines())) == (0, 2)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before
