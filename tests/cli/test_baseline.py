from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

#: Invalid records, and the baseline that `--write-baseline known.json` wrote of them. No entry is ever changed.
COMMITTED = Path(__file__).parent.parent.parent / "fixtures/baselines"


@pytest.fixture
def records(game: dict[str, Any]) -> list[dict[str, Any]]:
    """An illegal turn, the same with an identity of its own, a wrong winner, a record that cannot be read."""
    illegal = {**game, "moves": ["a1", "c3"]}
    return [illegal, {**illegal, "id": "G7"}, {**game, "result": {"winner": "black"}}, {**game, "size": "3"}]


def write(path: Path, records: list[dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(record) + "\n" for record in records))


@pytest.fixture
def archive(hexrec: Run, tmp_path: Path, records: list[dict[str, Any]]) -> Path:
    """A folder whose faults are listed in its baseline."""
    write(tmp_path / "games/a.jsonl", records)
    ran = hexrec("validate", tmp_path / "games", "--write-baseline", tmp_path / "known.json")
    assert ran.code == 0
    assert ran.out.startswith("4 records in 1 file: 0 valid, 4 invalid")
    assert f"4 invalid records accepted by {tmp_path / 'known.json'}\n" in ran.out
    assert f"{tmp_path / 'known.json'}: 4" in ran.err
    return tmp_path


def codes(hexrec: Run, archive: Path, *options: str) -> list[tuple[int, str]]:
    report = hexrec(
        "validate", archive / "games", "--baseline", archive / "known.json", "-o", "json=-", *options
    ).report
    return [
        (record["index"], found["code"])
        for record in report["records"]
        for found in record["diagnostics"]
        if not found.get("ignored")
    ]


def test_what_is_listed(archive: Path) -> None:
    listed = json.loads((archive / "known.json").read_text())
    found = [(each["file"], each["record"][:7], each["code"], each["place"]) for each in listed["diagnostics"]]
    assert listed["hexrec-baseline"] == 1
    assert found[:2] == [("games/a.jsonl", "", "schema/type", "/size"), ("games/a.jsonl", "G7", "move/occupied", "2")]
    assert sorted(found[2:]) == [
        ("games/a.jsonl", "sha256:", "move/occupied", "2"),
        ("games/a.jsonl", "sha256:", "result/winner-mismatch", "/result/winner"),
    ]


def test_committed_baselines_stay_valid(hexrec: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """If it fails, correct the code, not the baseline: the known errors of all users would be reported again."""
    monkeypatch.chdir(COMMITTED)
    files = ("games.jsonl", "game.yaml")
    ran = hexrec("validate", *files, "--baseline", "known.json", "--no-config")
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.endswith("14 invalid records accepted by known.json\n")
    # Neither the format nor the case of cells, the order of keys and the spelling of numbers matters.
    known = json.loads(Path("known.json").read_text(encoding="utf-8"))["diagnostics"]
    same = [entry["record"] for entry in known if entry["code"] == "move/occupied"]
    assert same == ["sha256:7f96d2188ecd5df056e5"] * 2


def test_what_is_listed_more_than_once_may_come_so_often(hexrec: Run, archive: Path, records: list[Any]) -> None:
    write(archive / "games/a.jsonl", records[:1] * 3)
    assert hexrec("validate", archive / "games", "--write-baseline", archive / "known.json").code == 0
    assert codes(hexrec, archive) == []
    write(archive / "games/a.jsonl", records[:1] * 5)
    assert codes(hexrec, archive) == [(3, "move/occupied"), (4, "move/occupied")]


def test_errors_that_are_only_counted_are_not_listed(hexrec: Run, tmp_path: Path, game: dict[str, Any]) -> None:
    path, known = tmp_path / "a.json", tmp_path / "known.json"
    path.write_text(json.dumps({**game, "moves": [1] * 3_000}))
    hexrec("validate", path, "--write-baseline", known)
    assert {each["code"] for each in json.loads(known.read_text())["diagnostics"]} == {"schema/type"}
    path = tmp_path / "a.hgn"
    path.write_text('[Game "Sunspot"]\n[Size "5"]\n\n' + "7. e5 e6\n" * 300 + "*\n")
    hexrec("validate", path, "--write-baseline", known)
    assert "syntax/more" in {each["code"] for each in json.loads(known.read_text())["diagnostics"]}


def test_listed_diagnostics_are_not_reported(hexrec: Run, archive: Path) -> None:
    ran = hexrec("validate", archive / "games", "--baseline", archive / "known.json")
    assert (ran.code, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0].startswith("4 records in 1 file: 0 valid, 4 invalid")
    assert lines[1:] == [f"4 invalid records accepted by {archive / 'known.json'}"]


def test_records_may_come_and_move(hexrec: Run, archive: Path, game: dict[str, Any], records: list[Any]) -> None:
    worse = {**game, "moves": ["a1", "a2", "b2"]}
    write(archive / "games/a.jsonl", [game, worse, *reversed(records)])
    assert codes(hexrec, archive) == [(1, "move/occupied")]


def test_another_ply_or_code_or_file_is_reported(hexrec: Run, archive: Path, records: list[Any]) -> None:
    records[1]["moves"] = ["a1", "a2", "c3"]
    write(archive / "games/a.jsonl", records)
    write(archive / "games/b.jsonl", records[2:3])
    assert codes(hexrec, archive) == [(1, "move/occupied"), (0, "result/winner-mismatch")]


def test_what_is_no_longer_found_is_said(hexrec: Run, archive: Path, records: list[Any]) -> None:
    write(archive / "games/a.jsonl", [records[0], *records[2:]])
    ran = hexrec("validate", archive / "games", "--baseline", archive / "known.json")
    assert ran.code == 0
    assert ran.err == f"hexrec: {archive / 'known.json'}: no longer found: games/a.jsonl: G7 move/occupied 2\n"


def test_files_outside_the_run_are_not_missed(hexrec: Run, archive: Path, game: dict[str, Any]) -> None:
    write(archive / "other.jsonl", [game])
    arguments = ("validate", archive / "other.jsonl", "--baseline", archive / "known.json")
    assert hexrec(*arguments).err == ""
    (archive / "games/a.jsonl").unlink()
    assert hexrec(*arguments).err.count("no longer found: games/a.jsonl") == 4


def test_the_current_folder_does_not_matter(hexrec: Run, archive: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(archive / "games")
    assert hexrec("validate", "a.jsonl", "--baseline", "../known.json").code == 0


def test_standard_input(hexrec: Run, tmp_path: Path, records: list[Any]) -> None:
    data = json.dumps(records[0]).encode()
    known = tmp_path / "known.json"
    assert hexrec("validate", "-", "--write-baseline", known, stdin=data).code == 0
    assert json.loads(known.read_text())["diagnostics"][0]["file"] == "-"
    assert hexrec("validate", "-", "--baseline", known, stdin=data).code == 0
    assert hexrec("validate", "-", stdin=data).code == 1
    write(tmp_path / "other.jsonl", [])
    assert hexrec("validate", tmp_path / "other.jsonl", "--baseline", known).err == ""


def test_only_selected_diagnostics_are_listed(hexrec: Run, archive: Path) -> None:
    hexrec("validate", archive / "games", "--write-baseline", archive / "known.json", "--select", "result")
    assert [each["code"] for each in json.loads((archive / "known.json").read_text())["diagnostics"]] == [
        "result/winner-mismatch"
    ]
    assert codes(hexrec, archive, "--ignore", "schema") == [(0, "move/occupied"), (1, "move/occupied")]


def test_what_cannot_be_read_is_not_listed(hexrec: Run, tmp_path: Path) -> None:
    ran = hexrec("validate", tmp_path / "missing.json", "--write-baseline", tmp_path / "known.json")
    assert ran.code == 2
    assert "syntax/unreadable" in ran.out
    assert json.loads((tmp_path / "known.json").read_text())["diagnostics"] == []


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "[" * 100_000,
        '{"hexrec-baseline": 1}',
        '{"hexrec-baseline": 1, "diagnostics": 1}',
        '{"hexrec-baseline": 2, "diagnostics": []}',
        '{"hexrec-baseline": 1, "diagnostics": [{"file": "a"}]}',
        '{"hexrec-baseline": 1, "diagnostics": [{"file": "a", "record": "", "code": "x", "place": 2}]}',
    ],
)
def test_a_file_that_is_no_baseline(hexrec: Run, archive: Path, text: str) -> None:
    (archive / "known.json").write_text(text)
    ran = hexrec("validate", archive / "games", "--baseline", archive / "known.json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err == f"hexrec: {archive / 'known.json'}: this is not a baseline written by hexrec\n"


def test_an_illegal_variation_is_known_by_its_pointer(hexrec: Run, tmp_path: Path, game: dict[str, Any]) -> None:
    moves = ["a1", {"turn": "a2", "variations": [["c3"]]}, "pass", "pass"]
    path, known = tmp_path / "a.json", tmp_path / "known.json"
    path.write_text(json.dumps({**game, "id": "G7", "moves": moves}))
    assert hexrec("validate", path, "--write-baseline", known).code == 0
    assert "/moves/1/variations/0/0" in known.read_text()
    assert hexrec("validate", path, "--baseline", known).code == 0
    moves[1] = {"turn": "a2", "taken_back": ["c3"]}
    path.write_text(json.dumps({**game, "id": "G7", "moves": moves}))
    assert hexrec("validate", path, "--baseline", known).code == 1


def test_a_baseline_in_the_settings(hexrec: Run, archive: Path, records: list[Any]) -> None:
    """It is for the files with these settings; an option goes before it."""
    (archive / "games/hexrec.toml").write_text('baseline = "../known.json"')
    assert hexrec("validate", archive / "games").code == 0
    write(archive / "others/b.jsonl", records[:1])
    ran = hexrec("validate", archive / "games", archive / "others")
    assert (ran.code, ran.err.count("no longer found")) == (1, 0)
    write(archive / "games/a.jsonl", records[:3])
    assert (
        f"{archive / 'games' / '..' / 'known.json'}: no longer found: games/a.jsonl"
        in hexrec("validate", archive / "games").err
    )
    assert hexrec("validate", archive / "games", "--write-baseline", archive / "other.json").code == 0
    assert len(json.loads((archive / "other.json").read_text())["diagnostics"]) == 3
    (archive / "empty.json").write_text('{"hexrec-baseline": 1, "diagnostics": []}')
    assert hexrec("validate", archive / "games", "--baseline", archive / "empty.json").code == 1
    assert hexrec("validate", archive / "games", "--no-config").code == 1


def test_a_baseline_in_the_settings_reports_what_is_gone(hexrec: Run, archive: Path, game: dict[str, Any]) -> None:
    """Even if all records are valid."""
    (archive / "games/hexrec.toml").write_text('baseline = "../known.json"')
    write(archive / "games/a.jsonl", [game])
    ran = hexrec("validate", archive / "games/a.jsonl")
    assert (ran.code, ran.err.count("no longer found")) == (0, 4)


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ("baseline = 1", "baseline: should be the path of a file"),
        ('baseline = "none.json"', "none.json: cannot be read: no such file"),
        ('baseline = "hexrec.toml"', "hexrec.toml: "),
    ],
)
def test_wrong_baselines_in_the_settings(hexrec: Run, archive: Path, settings: str, reason: str) -> None:
    (archive / "games/hexrec.toml").write_text(settings)
    ran = hexrec("validate", archive / "games")
    assert (ran.code, reason in ran.err) == (2, True), ran.err


def test_a_baseline_among_the_records_is_no_record(hexrec: Run, tmp_path: Path, records: list[dict[str, Any]]) -> None:
    games, known = tmp_path / "games", tmp_path / "games/known.json"
    write(games / "a.jsonl", records)
    for _ in range(2):
        listed = hexrec("validate", games, "--write-baseline", known)
        assert (listed.code, listed.out.startswith("4 records in 1 file: 0 valid, 4 invalid")) == (0, True)
    assert hexrec("validate", games, "--baseline", known).code == 0
    other = hexrec("validate", games)
    assert other.code == 1
    assert f"{known}:1:1: error schema/missing-field: record 0: this is a baseline, not a record: name it " in other.out
    (games / "hexrec.toml").write_text('baseline = "known.json"')
    for command in ("validate", "score"):
        ran = hexrec(command, games, "--jobs", "1")
        assert "4 records in 1 file: " in ran.out + ran.err, command
    assert (cached := hexrec("validate", games, "--cache", "--cache-dir", tmp_path / "cache")).code == 0
    assert "4 records in 1 file: " in cached.out
