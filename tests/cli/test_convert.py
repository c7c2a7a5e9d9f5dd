"""`hexrec convert`: joining, splitting, coordinates, what is left out and said."""

from __future__ import annotations

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from hexrec import formats
from tests.cli.conftest import Run
from tests.fixtures import FIXTURES
from tests.properties import sample


@pytest.fixture
def files(tmp_path: Path, game: dict[str, Any]) -> Path:
    """A folder with three files: two valid records, one that is illegal, one that cannot be read."""
    folder = tmp_path / "in"
    folder.mkdir()
    players = {"black": {"name": "Ada"}, "white": {"name": "Ben/../x"}}
    first = {**game, "date": "2026-01-02T03:04:05Z", "players": players}
    (folder / "a.jsonl").write_text(json.dumps(first) + "\n" + json.dumps({**game, "moves": ["A1", "c3", "b1"]}))
    (folder / "b.json").write_text(json.dumps({**game, "moves": [{"turn": "a1", "comment": "!"}]}))
    (folder / "c.yaml").write_text("game: [")
    return folder


def lines(text: str) -> list[Any]:
    return [json.loads(line) for line in text.splitlines()]


def test_many_files_become_one(hexrec: Run, files: Path, tmp_path: Path) -> None:
    out = tmp_path / "all.jsonl"
    ran = hexrec("convert", files, "-o", out)
    assert ran.code == 1
    assert ran.out == ""
    assert [record["moves"] for record in lines(out.read_text())] == [
        ["a1", "a2", "pass", "pass"],
        [{"turn": "a1", "comment": "!"}],
    ]
    assert f"{files}/a.jsonl:2:" in ran.err
    assert "move/occupied" in ran.err
    assert f"{files}/c.yaml:1:" in ran.err
    assert ran.err.endswith("4 records in 3 files: 2 converted, 2 left out; 1 file written\n")


def test_illegal_records_are_converted_on_demand_and_marked(hexrec: Run, files: Path) -> None:
    ran = hexrec("convert", files, "--to", "jsonl", "--no-validate")
    assert ran.code == 1
    marks = [record.get("x-invalid") for record in lines(ran.out)]
    assert marks[0] is marks[2] is None
    assert (marks[1]["code"], marks[1]["ply"]) == ("move/occupied", 2)
    assert "convert/invalid" in ran.err
    assert ran.err.endswith("4 records in 3 files: 3 converted, 1 left out; 1 file written\n")


#: Invalid records by name. Some formats cannot represent the part with the error, or preserve it in an extension field.
WRONG = {
    "margin": ("sgf", (FIXTURES / "formats/sgf/invalid/result.score-mismatch~margin-of-nothing.sgf").read_bytes()),
    "winner": ("yaml", (FIXTURES / "sundraval/invalid/result.winner-mismatch~drawless.yaml").read_bytes()),
    "score": ("yaml", (FIXTURES / "sundraval/invalid/result.score-mismatch~no-half-point.yaml").read_bytes()),
    "termination": ("yaml", (FIXTURES / "sundraval/invalid/result.already-over~agreement.yaml").read_bytes()),
    "variation": ("yaml", (FIXTURES / "record/invalid/variation.illegal~taken-back.yaml").read_bytes()),
    "turns after the end": ("yaml", (FIXTURES / "sunspot/invalid/move.game-over~after-a-loop.yaml").read_bytes()),
}


@pytest.mark.parametrize("number", range(len(WRONG)), ids=list(WRONG))
def test_no_conversion_makes_an_invalid_record_valid(hexrec: Run, number: int) -> None:
    """To all formats, and on; all pairs of formats are among those of the records."""
    source, raw = [*WRONG.values()][number]
    assert hexrec("validate", "-", "--from", source, stdin=raw).code == 1
    for place, first in enumerate(formats.names()):
        there = hexrec("convert", "-", "--from", source, "--to", first, "--no-validate", stdin=raw)
        assert there.code == 1
        if not there.out:
            assert "error convert/error-lost: record 0" in there.err
            continue
        for second in sample(formats.names()[(number + place) % 3 :], 3):
            on = hexrec("convert", "-", "--from", first, "--to", second, "--no-validate", stdin=there.out.encode())
            assert on.code == 1
            assert not on.out or hexrec("validate", "-", "--from", second, stdin=on.out.encode()).code == 1
            assert on.out or "error convert/error-lost: record 0" in on.err


def test_a_wrong_margin_is_an_error_in_every_format_that_preserves_it(hexrec: Run) -> None:
    source, raw = WRONG["margin"]
    for name in ("json", "jsonl", "yaml", "hgn", "sgf"):
        made = hexrec("convert", "-", "--from", source, "--to", name, "--no-validate", stdin=raw).out
        ran = hexrec("validate", "-", "--from", name, "--format", "json", stdin=made.encode())
        (error,) = [each for each in ran.report["records"][0]["diagnostics"] if each["severity"] == "error"]
        assert (error["code"], error["pointer"]) == ("result/score-mismatch", "/x-sgf/RE")
        assert "RE[B+0], a margin of 0, but by the rules it is 0.5" in error["message"]


@pytest.mark.parametrize("format", ["jsonl", "yaml", "sgf", "hgn"])
def test_a_mark_that_remains_is_a_warning(hexrec: Run, files: Path, format: str) -> None:
    marked = hexrec("convert", files, "--to", format, "--no-validate").out
    ran = hexrec("validate", "-", "--from", format, stdin=marked.encode())
    assert ran.out.count("warning convert/mark: record 1:") == ran.out.count("convert/mark") == 1


def test_the_format_follows_from_the_name_of_the_output(hexrec: Run, files: Path, tmp_path: Path) -> None:
    for name in ("x.yaml", "x.yaml.gz", "x.json"):
        ran = hexrec("convert", files / "b.json", "-o", tmp_path / name)
        assert (ran.code, ran.err) == (0, "1 record in 1 file: 1 converted, 0 left out; 1 file written\n")
    data = yaml.safe_load((tmp_path / "x.yaml").read_text())
    assert data == json.loads((tmp_path / "x.json").read_text())
    assert gzip.decompress((tmp_path / "x.yaml.gz").read_bytes()) == (tmp_path / "x.yaml").read_bytes()
    assert hexrec("convert", files / "b.json").code == 2
    assert hexrec("convert", files / "b.json", "-o", tmp_path / "x.txt").code == 2


def test_coordinates(hexrec: Run, files: Path) -> None:
    ran = hexrec("convert", files / "b.json", "--to", "json", "--coordinates", "axial")
    record = json.loads(ran.out)
    assert record["coordinates"] == "axial"
    assert record["opening"] == {"black": "0,0", "white": "0,-1"}
    assert record["moves"] == [{"turn": "(0,-2)", "comment": "!"}]
    back = hexrec("convert", "-", "--to", "json", "--coordinates", "row", stdin=ran.out.encode())
    assert back.out == hexrec("convert", files / "b.json", "--to", "json").out


def test_a_mark_off_the_board_has_no_other_coordinates(hexrec: Run, game: dict[str, Any]) -> None:
    record = json.dumps({**game, "moves": [{"turn": "a1", "marks": [{"kind": "circle", "cells": ["z9"]}]}]}).encode()
    ran = hexrec("convert", "-", "--to", "json", "--coordinates", "skew", stdin=record)
    assert (ran.code, ran.out) == (1, "")
    assert "-:1:" in ran.err
    assert "error convert/cell: record 0: z9 is not a cell of the board" in ran.err
    assert hexrec("convert", "-", "--to", "json", stdin=record).code == 0


def test_cells_that_a_format_keeps_for_itself_are_not_renamed_in_silence(hexrec: Run, game: dict[str, Any]) -> None:
    kept = {"x-sgf": {"KM": ["6.5"], "VW": ["b2", "a1"]}, "x-hgn": {"cal": "Ga1b2"}, "x-club": ["b2"]}
    variation = [{"turn": "a1", "x-sgf-nodes": [";C[first]", ";LB[b3:x]"]}]
    move = {"turn": "a1", "x-sgf": {"CP": ["Version12"], "DD": []}, "variations": [variation]}
    record = json.dumps({**game, **kept, "moves": [move]}).encode()
    ran = hexrec("convert", "-", "--to", "json", "--coordinates", "skew", stdin=record)
    assert ran.code == 0
    found = re.findall(r"convert/kept-cell: .*?: (\S+) names (\S+),", ran.err)
    assert set(found) == {("x-sgf", "b2"), ("x-hgn", "a1"), ("x-sgf-nodes", "b3")}
    assert hexrec("convert", "-", "--to", "json", "--coordinates", "skew", "--strict", stdin=record).code == 1
    assert "kept-cell" not in hexrec("convert", "-", "--to", "sgf", "--coordinates", "row", stdin=record).err


def test_nothing_is_overwritten_unless_that_is_asked_for(hexrec: Run, files: Path, tmp_path: Path) -> None:
    out = tmp_path / "all.jsonl"
    out.write_text("mine")
    ran = hexrec("convert", files, "-o", out)
    assert (ran.code, out.read_text()) == (2, "mine")
    assert "--force" in ran.err
    assert hexrec("convert", files, "-o", out, "--force").code == 1
    assert len(lines(out.read_text())) == 2


def test_several_records_are_no_json_file(hexrec: Run, files: Path, tmp_path: Path) -> None:
    ran = hexrec("convert", files, "-o", tmp_path / "x.json")
    assert ran.code == 2
    assert "--split" in ran.err
    assert not (tmp_path / "x.json").exists()


def test_a_directory_becomes_another(hexrec: Run, files: Path, tmp_path: Path, game: dict[str, Any]) -> None:
    """A file without a valid record becomes none, and several records of a file an array in JSON."""
    (files / "2026").mkdir()
    (files / "2026" / "d.jsonl.gz").write_bytes(gzip.compress(f"{json.dumps(game)}\n".encode() * 3))
    out = tmp_path / "out"
    arguments = ("convert", files, "--to", "json", "-o", f"{out}/")
    assert hexrec(*arguments).code == 1
    written = {path.relative_to(out).as_posix() for path in out.rglob("*.*")}
    assert written == {"a.json", "b.json", "2026/d.json"}
    assert len(json.loads((out / "2026/d.json").read_text())) == 3
    assert hexrec("fmt", "--check", out).code == 0
    assert hexrec("validate", out).code == 0
    again = hexrec(*arguments)
    assert (again.code, "already exists: --force overwrites it" in again.err) == (2, True)
    assert hexrec(*arguments, "--force").code == 1
    assert hexrec("convert", f"{files}/**/*.jsonl.gz", "--to", "yaml", "-o", tmp_path / "out").code == 0
    assert (out / "2026" / "d.yaml").exists()


def test_two_files_do_not_become_one(hexrec: Run, files: Path, tmp_path: Path) -> None:
    (files / "B.yaml").write_text((files / "b.json").read_text())
    ran = hexrec("convert", files, "--to", "hgn", "-o", f"{tmp_path / 'out'}/")
    assert ran.code == 2
    assert f"{files / 'B.yaml'} and {files / 'b.json'} would both be written to" in ran.err
    assert not (tmp_path / "out").exists()


def test_stdin_becomes_no_file_of_a_directory(hexrec: Run, tmp_path: Path) -> None:
    ran = hexrec("convert", "-", "--to", "hgn", "-o", f"{tmp_path / 'out'}/")
    assert (ran.code, "stdin has no name" in ran.err) == (2, True)


def test_splitting(hexrec: Run, files: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    template = "{game}/{date}-{black}-{white}.yaml"
    (files / "c.json").write_bytes((files / "b.json").read_bytes())
    ran = hexrec("convert", files / "a.jsonl", files / "b.json", files / "c.json", "--split", template, "-o", out)
    assert ran.code == 1
    written = {path.relative_to(out).as_posix() for path in out.rglob("*.*")}
    assert written == {
        "sundraval/2026-01-02T03_04_05Z-Ada-Ben_x.yaml",
        "sundraval/unknown-unknown-unknown.yaml",
        "sundraval/unknown-unknown-unknown-2.yaml",
    }
    assert hexrec("validate", out).code == 0
    again = hexrec("convert", files / "b.json", "--split", template, "-o", out)
    assert again.code == 1
    assert "exists" in again.err
    assert again.err.endswith("1 record in 1 file: 0 converted, 1 left out; 0 files written\n")
    assert hexrec("convert", files / "b.json", "--split", template, "-o", out, "--force").code == 0


def test_an_input_that_is_not_there(hexrec: Run, files: Path) -> None:
    ran = hexrec("convert", files / "b.json", files / "none.json", "--to", "jsonl")
    assert ran.code == 2
    assert len(lines(ran.out)) == 1
    assert "syntax/unreadable" in ran.err


def test_an_unfinished_game_becomes_no_draw_unannounced(hexrec: Run, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"hexrec": "1", "game": "sunspot", "size": 5, "date": "2026-11-20", "moves": ["e5"]}')
    ran = hexrec("convert", "--strict", path, "--to", "abstractplay")
    assert (ran.code, ran.out) == (1, "")
    assert "error convert/abstractplay-draw: record 0: the game is unfinished" in ran.err
    ran = hexrec("convert", path, "--to", "abstractplay")
    assert (ran.code, ran.out.count("\n")) == (0, 1)
    assert "warning convert/abstractplay-draw: record 0: the game is unfinished" in ran.err


def test_files_that_are_there_are_passed_over(
    hexrec: Run, files: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Links that lead nowhere, too; the other records are written, here if no folder is named."""
    monkeypatch.chdir(tmp_path)
    Path("0.json").symlink_to("none")
    Path("2.json").write_text("mine")
    record = (files / "b.json").read_text()
    Path("three.jsonl").write_text(f"{record}\n{{\n{record}\n{record}\n")
    ran = hexrec("convert", "three.jsonl", "--split", "{index}.json")
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.splitlines()[0] == "hexrec: 0.json: already exists: --force overwrites it"
    assert ran.err.splitlines()[-2:] == [
        "hexrec: 2.json: already exists: --force overwrites it",
        "4 records in 1 file: 1 converted, 3 left out; 1 file written",
    ]
    assert (Path("2.json").read_text(), Path("none").exists()) == ("mine", False)
    assert json.loads(Path("3.json").read_text())["game"] == "sundraval"
    ran = hexrec("convert", "three.jsonl", "--split", "{index}.json", "--force")
    assert ran.err.splitlines()[-1] == "4 records in 1 file: 3 converted, 1 left out; 3 files written"
    assert Path("2.json").read_text() == Path("3.json").read_text()


def test_links_out_of_the_folder(hexrec: Run, files: Path, tmp_path: Path) -> None:
    """Neither a file nor a folder with the name that a record gives leads elsewhere, with --force either."""
    folder, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine").write_text("mine")
    (folder / "in").mkdir(parents=True)
    (folder / "sundraval").symlink_to(elsewhere)
    (folder / "in" / "0.json").symlink_to(elsewhere / "mine")
    for template, name in (("{game}/{index}.json", "sundraval/0.json"), ("in/{index}.json", "in/0.json")):
        ran = hexrec("convert", files / "b.json", "--split", template, "-o", folder, "--force")
        said = f"hexrec: {folder / name}: a symbolic link leads out of {folder}: remove the link\n"
        assert (ran.code, ran.err.startswith(said)) == (1, True), ran.err
    assert [(path.name, path.read_text()) for path in elsewhere.iterdir()] == [("mine", "mine")]
    (tmp_path / "named").symlink_to(folder)
    assert hexrec("convert", files / "b.json", "--split", "{index}.json", "-o", tmp_path / "named").code == 0


def test_folders_that_cannot_be_made(hexrec: Run, files: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = hexrec("convert", files / "b.json", "--split", "file/new/{index}.json", "-o", tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"hexrec: {tmp_path}/file/new: cannot be created: not a directory\n"


def test_what_is_taken_is_said_before_anything_is_read(hexrec: Run, tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text("mine")
    for command in ("convert", "dedupe"):
        ran = hexrec(command, tmp_path / "none", "-o", tmp_path / "mine.json")
        assert (ran.code, ran.out) == (2, "")
        assert ran.err == f"hexrec: {tmp_path / 'mine.json'}: already exists: --force overwrites it\n"
