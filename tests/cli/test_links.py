"""Links: none is followed out of the folders that were given, unless that is asked for, and each is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run

RECORD = '{"hexrec":"1","game":"sunspot","size":5,"moves":["e5"]}\n'
SECRET = "password: hunter2\n"
WALKING = {
    "validate": [],
    "validate-jobs": ["-j2"],
    "convert": ["--to", "json", "--no-validate"],
    "score": [],
    "dedupe": ["--to", "jsonl"],
    "dedupe-twice": ["--to", "jsonl", "--prefixes", "drop"],
    "stats": [],
    "hash": [],
    "explain-result": ["--record", "0"],
    "fmt": [],
    "fix": [],
}
NAMES = {"validate-jobs": "validate", "dedupe-twice": "dedupe"}


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """A folder with a record, and with a link to a secret outside."""
    games = tmp_path / "games"
    games.mkdir()
    (games / "a.json").write_text(RECORD)
    (tmp_path / "secret").write_text(SECRET)
    (games / "link.yaml").symlink_to(tmp_path / "secret")
    return games


@pytest.mark.parametrize("command", WALKING)
def test_no_command_follows_links_out_of_the_folder(hexrec: Run, games: Path, command: str) -> None:
    ran = hexrec(NAMES.get(command, command), games, *WALKING[command])
    assert ran.code == 0
    said = f"hexrec: skipped 1 link out of the given directories ({games / 'link.yaml'})"
    assert f"{said}: --follow-links follows such links\n" in ran.err
    assert "hunter2" not in ran.out + ran.err


@pytest.mark.parametrize("command", WALKING)
def test_all_commands_follow_links_when_asked(hexrec: Run, games: Path, command: str) -> None:
    ran = hexrec(NAMES.get(command, command), games, *WALKING[command], "--follow-links")
    assert "hexrec: skipped" not in ran.err
    assert (ran.code, (games / "link.yaml").is_symlink()) == (1, True)
    assert "link.yaml" in ran.out + ran.err or command == "stats"


@pytest.mark.parametrize("command", WALKING)
def test_all_commands_read_files_as_they_are_told(hexrec: Run, games: Path, command: str) -> None:
    path = games / "a.json"
    ran = hexrec(NAMES.get(command, command), path, *WALKING[command], "--from", "sgf")
    assert ran.code == 1
    assert "syntax/sgf" in ran.out + ran.err or command == "stats"
    assert path.read_text() == RECORD


def test_changing_a_file_behind_a_link_when_asked(hexrec: Run, games: Path) -> None:
    outside = games.parent / "out.json"
    outside.write_text(RECORD.replace("e5", "E5"))
    (games / "out.json").symlink_to(outside)
    assert "E5" in outside.read_text()
    assert hexrec("fmt", games).code == 0
    assert "E5" in outside.read_text()
    hexrec("fmt", games, "--follow-links")
    assert "E5" not in outside.read_text()
    assert (games / "out.json").is_symlink()


def test_settings_behind_a_link(hexrec: Run, games: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere/other.toml").write_text("finished = true\n")
    (games / "hexrec.toml").symlink_to(tmp_path / "elsewhere/other.toml")
    ran = hexrec("validate", games / "a.json")
    assert (ran.code, ran.out) == (2, "")
    assert f"{games / 'hexrec.toml'}: cannot be read: it should be a regular file (a symbolic link)" in ran.err
    ran = hexrec("validate", games / "a.json", "--config", games / "hexrec.toml")
    assert (ran.code, "result/missing" in ran.out) == (1, True)


@pytest.mark.parametrize(
    ("others", "links", "said"),
    [
        (1, 0, ["skipped 1 file without a known suffix (IN/0.txt)"]),
        (3, 0, ["skipped 3 files without a known suffix (IN/0.txt, …)"]),
        (0, 1, ["skipped 1 link out of the given directories (IN/0.json): --follow-links follows such links"]),
        (
            2,
            2,
            [
                "skipped 2 files without a known suffix (IN/0.txt, …)",
                "skipped 2 links out of the given directories (IN/0.json, …): --follow-links follows such links",
            ],
        ),
        (0, 0, []),
    ],
)
@pytest.mark.parametrize("command", ["validate", "stats"])
def test_what_is_said_of_files_that_are_passed_over(
    hexrec: Run, tmp_path: Path, command: str, others: int, links: int, said: list[str]
) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    (folder / "z.json").write_text(RECORD)
    for number in range(others):
        (folder / f"{number}.txt").write_text("")
    for number in range(links):
        (folder / f"{number}.json").symlink_to(tmp_path / "none")
    ran = hexrec(command, folder)
    assert ran.err == "".join(f"hexrec: {each.replace('IN', str(folder))}\n" for each in said)
