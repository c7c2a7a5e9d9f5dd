from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from hexrec import __version__
from tests.cli.conftest import Run


def write(folder: Path, files: dict[str, Any]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())


@pytest.fixture
def archive(tmp_path: Path, game: dict[str, Any]) -> Path:
    """A folder of mixed files in which every kind of thing is wrong that can happen to an archive."""
    good = json.dumps(game)
    occupied = json.dumps({**game, "moves": ["a1", "a2", "a1"]})
    won = json.dumps({**game, "result": {"winner": "black"}})
    yaml = 'hexrec: "1"\ngame: sundraval\nsize: 3\nopening: {black: c3, white: b2}\nmoves:\n  - a1\n  - turn: c3\n'
    legal = yaml.replace("turn: c3", "turn: a2")
    write(
        tmp_path,
        {
            "2024/good.json": game,
            "2024/mixed.jsonl": f"{good}\n\n{occupied}\n{good[:60]}\n{won}\n".encode(),
            "2025/several.yaml": f"{yaml}---\n- no record\n---\n{legal}".encode(),
            "2025/bad.yaml": b'hexrec: "1"\n game: x\n',
            "cut.json": good[:-30].encode(),
            "empty.json": b"",
            "garbage.json": bytes(range(256)),
            "long.jsonl": b'{"hexrec": "1", "comment": "' + b"a" * 10_000_000 + b'"}\n' + good.encode() + b"\n",
            "README.txt": b"not a record",
            ".hidden/bad.json": b"{",
        },
    )
    return tmp_path


def test_mixed_folder_names_file_line_column_ply_and_reason(hexrec: Run, archive: Path) -> None:
    ran = hexrec("validate", archive)
    lines = ran.out.replace(str(archive) + os.sep, "").splitlines()
    assert ran.code == 1
    assert "skipped 1 file" in ran.err
    assert [found[0] for line in lines if (found := re.match(r"\S+: error [a-z/-]+", line))] == [
        "2024/mixed.jsonl:3:114: error move/occupied",
        "2024/mixed.jsonl:4:61: error syntax/truncated",
        "2024/mixed.jsonl:5:152: error result/winner-mismatch",
        "2025/bad.yaml:2:2: error syntax/yaml",
        "2025/several.yaml:7:11: error move/occupied",
        "2025/several.yaml:9:1: error schema/type",
        "cut.json:1:100: error syntax/truncated",
        "empty.json:1:1: error syntax/empty",
        "garbage.json:1:1: error syntax/binary",
        "long.jsonl:1:1: error syntax/too-large",
    ]
    assert "record 1, ply 3, turn a1: a1 is occupied by your own stone" in lines[0]
    assert lines[-1] == "14 records in 8 files: 4 valid, 10 invalid; 21 plies replayed"


def test_empty_documents_are_counted_up_to_a_limit(hexrec: Run, tmp_path: Path, game: dict[str, Any]) -> None:
    """After them the file is not read, whatever is ignored, and the rest of it never changes."""
    path = tmp_path / "a.yaml"
    record = f"--- {json.dumps(game)}\n"
    path.write_text(record + "---\n" * 100 + record)
    ran = hexrec("validate", path)
    assert (ran.code, ran.out.count("syntax/empty")) == (1, 100)
    assert "102 records in 1 file: 2 valid, 100 invalid" in ran.out
    text = record + "---\n" * 50 + "---\n...\n" * 25 + "--- # nothing\n" * 60_000 + record
    path.write_text(text)
    for options in ((), ("--ignore", "syntax")):
        ran = hexrec("validate", path, "--format", "json", *options)
        codes = [diagnostic["code"] for record in ran.report["records"] for diagnostic in record["diagnostics"]]
        assert (ran.code, codes) == (2, ["syntax/empty"] * 100 + ["syntax/unreadable"])
    last = ran.report["records"][-1]["diagnostics"][0]
    assert (last["line"], last["message"]) == (
        127,
        "the rest of the file is not read (more than 100 empty documents): remove these first",
    )
    summary = {"records": 101, "valid": 1, "invalid": 100, "unreadable": 1}
    assert summary.items() <= ran.report["summary"].items()
    for command in ("fmt", "fix"):
        assert hexrec(command, path).code == 2
        assert path.read_text().endswith(text.removeprefix(record))


def test_json_report(hexrec: Run, tmp_path: Path, game: dict[str, Any]) -> None:
    game["id"] = "G7"
    ended = {**game, "result": {"winner": "white", "score": {"black": 0, "white": 1.5}}}
    illegal = {**game, "moves": ["a1", {"turn": "C3", "comment": "!"}]}
    (tmp_path / "a.jsonl").write_text(f"{json.dumps(game)}\n{json.dumps(illegal)}\n{json.dumps(ended)}\n")
    ran = hexrec("validate", tmp_path / "a.jsonl", "--format", "json")
    assert ran.code == 1
    report = ran.report
    assert report["hexrec"] == __version__
    totals = {"records": 3, "valid": 2, "invalid": 1, "accepted": 0, "files": 1, "plies": 9, "unreadable": 0}
    assert report["summary"] == totals
    first, second, third = report["records"]
    assert first == {
        "file": str(tmp_path / "a.jsonl"),
        "index": 0,
        "id": "G7",
        "game": "sundraval",
        "valid": True,
        "accepted": True,
        "plies": 4,
        "result": {"winner": "white", "termination": "rules", "score": {"black": 0.0, "white": 1.5}},
        "diagnostics": [],
    }
    assert (second["valid"], second["plies"], second["result"], second["index"]) == (False, 1, None, 1)
    assert third["index"] == 2
    (diagnostic,) = second["diagnostics"]
    column = json.dumps(illegal).index('"C3"') + 1
    assert {name: diagnostic[name] for name in diagnostic if name not in ("message", "suggestions")} == {
        "code": "move/occupied",
        "severity": "error",
        "line": 2,
        "column": column,
        "end_line": 2,
        "end_column": column + 4,
        "pointer": "/moves/1/turn",
        "ply": 2,
        "turn": "C3",
    }


def test_claimed_endings(hexrec: Run, tmp_path: Path, game: dict[str, Any]) -> None:
    unfinished = {**game, "moves": ["a1"]}
    records = [
        {**unfinished, "result": {"winner": "black", "termination": "resignation"}},
        {**unfinished, "result": {"termination": "abandoned"}},
        unfinished,
        {**unfinished, "result": {}},
        {**game, "result": {"winner": "black", "termination": "time"}},
    ]
    (tmp_path / "a.jsonl").write_text("".join(json.dumps(record) + "\n" for record in records))
    report = hexrec("validate", tmp_path / "a.jsonl", "--format", "json").report
    codes = [[diagnostic["code"] for diagnostic in record["diagnostics"]] for record in report["records"]]
    assert codes == [[], [], [], ["result/not-over"], ["result/already-over"]]
    assert [record["result"] for record in report["records"][:4]] == [
        {"winner": "black", "termination": "resignation"},
        {"winner": None, "termination": "abandoned"},
        None,
        None,
    ]
    finished = hexrec("validate", tmp_path / "a.jsonl", "--format", "json", "--finished").report
    assert [diagnostic["code"] for diagnostic in finished["records"][2]["diagnostics"]] == ["result/missing"]


def test_exit_codes(hexrec: Run, tmp_path: Path, game: dict[str, Any]) -> None:
    write(tmp_path, {"good.json": game, "bad.json": {**game, "moves": ["c3"]}})
    assert hexrec("validate", tmp_path / "good.json").code == 0
    assert hexrec("validate", tmp_path / "bad.json").code == 1
    missing = hexrec("validate", tmp_path / "good.json", tmp_path / "missing.json")
    assert missing.code == 2
    assert "missing.json: error syntax/unreadable: cannot be read: no such file" in missing.out
    totals = "1 record in 1 file: 1 valid, 0 invalid; 4 plies replayed; 1 input could not be read\n"
    assert missing.out.endswith(totals)
    for usage in (
        ["validate"],
        ["validate", ""],
        ["validate", "x", "--format", "pdf"],
        ["validate", "x", "--from", "pgn"],
        ["nonsense"],
    ):
        assert hexrec(*usage).code == 2


def test_standard_input(hexrec: Run, game: dict[str, Any]) -> None:
    line = json.dumps(game).encode()
    assert hexrec("validate", "-", "--from", "jsonl", stdin=line + b"\n" + line).out.startswith("2 records in 1 file")
    assert hexrec("validate", "-", stdin=line).out.startswith("1 record in 1 file")
    assert hexrec("validate", "-", stdin=json.dumps(game, indent=1).encode()).code == 0
    yaml = b'hexrec: "1"\ngame: sundraval\nsize: 3\nopening: {black: c3, white: b2}\nmoves: []\n'
    assert hexrec("validate", "-", stdin=yaml).code == 0


def test_forced_format(hexrec: Run, tmp_path: Path, game: dict[str, Any]) -> None:
    (tmp_path / "log.txt").write_text(json.dumps(game) + "\n" + json.dumps(game) + "\n")
    assert hexrec("validate", tmp_path / "log.txt", "--from", "jsonl").out.startswith("2 records")
    assert hexrec("validate", tmp_path / "log.txt", "--from", "json").code == 1
    assert hexrec("validate", tmp_path / "log.txt").out.startswith("2 records")


def test_folder_without_records(hexrec: Run, tmp_path: Path) -> None:
    ran = hexrec("validate", tmp_path)
    assert ran.code == 2
    assert "syntax/unreadable: the directory contains no files of records" in ran.out
    assert "0 records in 0 files" in ran.out


@contextmanager
def without_privileges() -> Iterator[None]:
    """Root may read everything: be somebody else for a while."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.mark.skipif(os.name != "posix", reason="permissions of another system")
def test_folder_without_permission(hexrec: Run, game: dict[str, Any]) -> None:
    with TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, {"a/good.json": game, "b/locked.json": game, "c/good.json": game, "c/locked.json": game})
        folder.chmod(0o755)
        (folder / "b").chmod(0)
        (folder / "c/locked.json").chmod(0)
        hexrec("validate", folder / "a")  # import all that is needed while that is allowed
        try:
            with without_privileges():
                ran = hexrec("validate", folder)
        finally:
            (folder / "b").chmod(0o755)
    assert ran.code == 2
    assert f"{folder / 'b'}: error syntax/unreadable: cannot be read: permission denied" in ran.out
    assert f"{folder / 'c/locked.json'}: error syntax/unreadable: cannot be read: permission denied" in ran.out
    assert "2 records in 2 files: 2 valid, 0 invalid; 8 plies replayed; 2 inputs could not be read" in ran.out
    assert ran.err == ""


def test_long_texts_are_shortened_in_messages(hexrec: Run, tmp_path: Path, game: dict[str, Any]) -> None:
    write(tmp_path, {"bad.json": {**game, "moves": ["q" * 100_000]}})
    ran = hexrec("validate", tmp_path / "bad.json")
    assert ran.code == 1
    assert max(map(len, ran.out.splitlines())) < 400
    assert len(ran.out) < 800


def test_only_a_text_or_a_whole_number_is_an_identity(hexrec: Run, tmp_path: Path, game: dict[str, Any]) -> None:
    values = ["G7", 7, True, ["G7"], None]
    lines = [json.dumps({**game, "id": value, **bad}) for bad in ({}, {"size": 99}) for value in values]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    report = hexrec("validate", tmp_path / "a.jsonl", "--format", "json").report
    assert [record["id"] for record in report["records"]] == ["G7", "7", None, None, None] * 2


def test_all_mistakes_of_a_newcomer_are_reported_at_once(hexrec: Run, tmp_path: Path) -> None:
    """Where the name of the game is nearly right, the rest is checked as if it were."""
    path = tmp_path / "a.yaml"
    path.write_text(
        "hexrec: 1\ngame: Nadraz\nsize: 99\nopening: {black: e5}\nmoves: e6 k10-k13\nresult: black\nevnet: City Open\n"
    )
    (record,) = hexrec("validate", "--format", "json", path).report["records"]
    found = [(each["line"], each["code"], each["message"]) for each in record["diagnostics"]]
    assert [(line, code) for line, code, _ in found] == [
        (1, "schema/version"),
        (2, "schema/unknown-game"),
        (3, "schema/range"),
        (4, "schema/missing-field"),
        (5, "schema/type"),
        (6, "schema/type"),
        (7, "schema/unknown-field"),
    ]
    messages = [message for _, _, message in found]
    assert messages[1] == 'game should be "nadraz", not "Nadraz"'
    assert "such as [e5, d4], not the string" in messages[4]
    assert "such as {winner: black}, not the string" in messages[5]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("size: five\nmoves: e5\n", [1, 1, 1, 2]),
        ("game: 2023\nhexrec: 1\nmoves: []\nevnet: 1\n", [1, 1, 2, 4]),
        ("a: 1\n", [1]),
        ("game: chess\nsize: 8\nmoves: e4\n", [1]),
    ],
    ids=["no game", "no name", "no record", "another game"],
)
def test_what_is_wrong_in_every_game_is_found_without_a_game(
    hexrec: Run, tmp_path: Path, text: str, lines: list[int]
) -> None:
    """What has no field of a record, or is of a game that hexrec does not know, has no other faults."""
    path = tmp_path / "a.yaml"
    path.write_text(text)
    (record,) = hexrec("validate", "--format", "json", path).report["records"]
    assert [each["line"] for each in record["diagnostics"]] == lines
