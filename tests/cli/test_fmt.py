from __future__ import annotations

import json
import os
import re
import shutil
import stat
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hexrec.io.stamps import stamp
from hexrec.tools.edit import files as edit
from hexrec.tools.edit.files import Edit
from hexrec.util.limits import MAX_RECORD_BYTES
from tests.cli.conftest import Run
from tests.properties import sample

FIXTURES = Path(__file__).parent.parent.parent / "fixtures/suite"
OLD = "hexrec: '1'\ngame: sunspot\nsize: 5.0  # kept\nmoves: [E5]\n"
NEW = "hexrec: '1'\ngame: sunspot\nsize: 5  # kept\nmoves: [e5]\n"
#: A game without its result, not in its canonical form.
UNFINISHED = """\
hexrec: "1"
game: sundraval
size: 3.0
opening: {black: C3, white: b2}
moves: [A1, a2, pass, pass]
"""
LINE = '{"hexrec":"1","game":"sunspot","size":5,"moves":["e5"]}\n'


def put(path: Path, text: str = OLD) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    return path


def texts(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_files_in_place(hexrec: Run, tmp_path: Path, game: dict[str, Any]) -> None:
    yaml, text = put(tmp_path / "a.yaml"), put(tmp_path / "sub/b.json", json.dumps({**game, "size": 3.0}))
    lines, right = put(tmp_path / "c.jsonl", f"\n{LINE.replace(':5', ': 5.0')}{LINE}"), put(tmp_path / "d.yml", NEW)
    before = stamp(right)
    ran = hexrec("fmt", tmp_path)
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.splitlines() == [
        *(f"hexrec: changed: {path}" for path in (yaml, lines, text)),
        "5 records in 4 files: 3 formatted, 2 unchanged, 0 skipped; 3 files written",
    ]
    assert yaml.read_text() == NEW
    assert lines.read_text() == f"\n{LINE * 2}"
    assert text.read_text() == json.dumps(game, indent=2) + "\n"
    assert (right.read_text(), stamp(right)) == (NEW, before)
    assert hexrec("fmt", tmp_path).err == (
        "5 records in 4 files: 0 formatted, 5 unchanged, 0 skipped; 0 files written\n"
    )


@pytest.mark.slow
def test_every_fixture_is_canonical_afterwards(hexrec: Run, tmp_path: Path) -> None:
    """What can be read is the same game as before, and formatting it again changes nothing."""
    # The lines of the conformance kit are no records, and thousands.
    paths = (path for path in sorted(FIXTURES.rglob("*.*")) if path.is_file() and path.parent != FIXTURES)
    files = [path for path in paths if "engine" not in path.parts]
    others = [path for path in files if path.parent.name != "valid"]
    for path in (*sample(others, 6), *(path for path in files if path.parent.name == "valid")):
        copy = tmp_path / "fixtures/suite" / path.relative_to(FIXTURES)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, copy)
    folders = list((tmp_path / "fixtures/suite").glob("*/valid"))
    assert folders
    assert hexrec("fmt", *folders).code == 0
    assert hexrec("validate", *folders).code == 0
    once = texts(tmp_path)
    before = texts(FIXTURES)
    assert any(text != before[os.path.relpath(name, "fixtures/suite")] for name, text in once.items())
    again = hexrec("fmt", tmp_path / "fixtures/suite")
    assert "report it" not in again.err
    for folder in folders:
        for name, text in texts(folder).items():
            assert once[str((folder / name).relative_to(tmp_path))] == text


def test_check(hexrec: Run, tmp_path: Path) -> None:
    old, new = put(tmp_path / "a.yaml"), put(tmp_path / "b.yaml", NEW)
    ran = hexrec("fmt", "--check", old, new)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == (
        f"hexrec: would change: {old}\n"
        "2 records in 2 files: 1 to be formatted, 1 unchanged, 0 skipped; nothing written\n"
    )
    assert (old.read_text(), hexrec("fmt", "--check", new).code) == (OLD, 0)
    assert hexrec("fmt", "--check", "--diff", new).code == 0


def test_the_format_of_files_may_be_given(hexrec: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "a.yaml", LINE.replace("e5", "E5"))
    assert hexrec("fmt", "--from", "json", path).code == 0
    assert path.read_text() == json.dumps(json.loads(LINE), indent=2) + "\n"


@pytest.mark.parametrize(("options", "code"), [(["--diff"], 0), (["--diff", "--check"], 1)])
def test_diff(hexrec: Run, tmp_path: Path, options: list[str], code: int) -> None:
    path = put(tmp_path / "a.yaml")
    ran = hexrec("fmt", *options, tmp_path)
    assert ran.code == code
    assert ran.out == (
        f"--- {path}\n+++ {path}\n@@ -1,4 +1,4 @@\n hexrec: '1'\n game: sunspot\n"
        "-size: 5.0  # kept\n-moves: [E5]\n+size: 5  # kept\n+moves: [e5]\n"
    )
    assert path.read_text() == OLD


@pytest.mark.skipif(shutil.which("git") is None, reason="git applies the patch")
def test_diffs_are_patches(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What --diff prints does what the command does."""
    files = {
        "a.yaml": "---\n".join(["# a\n" * 9 + OLD, NEW, NEW, OLD.rstrip()]),
        "b.jsonl": "\n" + LINE * 8 + LINE.replace(":5", ":5.0") + "\n\n" + LINE * 3 + LINE.rstrip(),
        "c.json": json.dumps(json.loads(LINE)),
        "d.yaml": OLD.replace("\n", "\r\n"),
    }
    for folder in ("one", "other"):
        for name, text in files.items():
            put(tmp_path / folder / name, text)
    monkeypatch.chdir(tmp_path / "one")
    diff = hexrec("fmt", "--diff", ".").out
    assert hexrec("fmt", ".").code == 0
    program = ["git", "apply", "-p0", "--whitespace=nowarn", "-"]
    subprocess.run(program, cwd=tmp_path / "other", input=diff.encode(), check=True)
    assert texts(tmp_path / "other") == texts(tmp_path / "one") != {n: t.encode() for n, t in files.items()}


def test_filter(hexrec: Run) -> None:
    ran = hexrec("fmt", "-", stdin=OLD.encode())
    assert (ran.code, ran.out) == (0, NEW)
    counts = "1 record in 1 file: 1 formatted, 0 unchanged, 0 skipped; 1 file written"
    assert ran.err == f"hexrec: changed: -\n{counts}\n"
    ran = hexrec("fmt", "-", stdin=NEW.encode())
    counts = "1 record in 1 file: 0 formatted, 1 unchanged, 0 skipped; 0 files written"
    assert (ran.code, ran.out, ran.err) == (0, NEW, f"{counts}\n")
    ran = hexrec("fmt", "-", "--diff", stdin=OLD.encode())
    assert ran.out.startswith("--- -\n+++ -\n@@ -1,4 +1,4 @@\n")
    forced = hexrec("fmt", "-", "--from", "json", stdin=LINE.encode())
    assert forced.out == json.dumps(json.loads(LINE), indent=2) + "\n"
    checked = hexrec("fmt", "-", "--check", stdin=OLD.encode())
    assert (checked.code, checked.out) == (1, "")
    broken = hexrec("fmt", "-", "--from", "jsonl", stdin=b'{"a\n' + LINE.encode())
    assert (broken.code, broken.out) == (1, '{"a\n' + LINE)
    binary = hexrec("fmt", "-", "--from", "jsonl", stdin=b"a\0\nb")
    assert (binary.code, binary.out) == (1, "a\0\nb")


@pytest.mark.parametrize("format", ["hgn", "json", "jsonl", "sgf", "yaml"])
def test_binary_input_is_passed_on_to_its_end(hexrec: Run, format: str) -> None:
    data = b"\0" * 100 + b'\n[Game "sunspot"]\n\n1. e5\n\n---\n' * 20_000
    ran = hexrec("fmt", "-", "--from", format, stdin=data)
    assert (ran.code, ran.out.encode()) == (1, data)


@pytest.mark.parametrize(("between", "end"), [("", ""), ("\n", "\n\n"), ("\r\n", "\r\n")])
def test_one_blank_line_follows_a_rewritten_game_in_hgn(hexrec: Run, tmp_path: Path, between: str, end: str) -> None:
    path = put(tmp_path / "a.jsonl", LINE * 3)
    assert hexrec("convert", path, "-o", tmp_path / "a.hgn").code == 0
    canonical = (tmp_path / "a.hgn").read_bytes()
    games = canonical.decode().replace("e5", "E5").split("\n\n[Game")
    path = put(tmp_path / "b.hgn", f"\n{between}[Game".join(games) + end)
    assert hexrec("fmt", path).code == 0
    assert path.read_bytes() == canonical


@pytest.mark.parametrize("format", ["hgn", "sgf"])
def test_newlines_of_windows_stay(hexrec: Run, tmp_path: Path, format: str) -> None:
    text = hexrec("convert", put(tmp_path / "a.jsonl", LINE * 3), "--to", format).out.replace("\n", "\r\n")
    file = tmp_path / f"a.{format}"
    file.write_bytes(text.replace("e5", "E5", 1).encode())
    assert hexrec("fmt", file).code == 0
    assert file.read_bytes() == text.encode()


def test_what_cannot_be_read_stays_and_the_rest_is_formatted(hexrec: Run, tmp_path: Path) -> None:
    bad = LINE.replace(":5", ':"5"')
    path = put(tmp_path / "a.jsonl", f"{LINE}{bad}no record\n{LINE.replace('e5', 'E5')}")
    ran = hexrec("fmt", path)
    assert ran.code == 1
    assert path.read_text() == f"{LINE}{bad}no record\n{LINE}"
    lines = ran.err.splitlines()
    assert lines[0].startswith(f"{path}:2:39: error schema/type: record 1: size should be")
    assert lines[2].strip(" |") == "^" * 3
    assert lines[3].startswith(f"{path}:3:1: error syntax/json: record 2")


@pytest.mark.parametrize(
    ("old", "large"), [("[{0}, {0}]", False), ("[\n{0}{1},\n{0}\n]\n", False), ("[{0}{1}, {0}]", True)]
)
def test_an_array_is_formatted_record_by_record(hexrec: Run, tmp_path: Path, old: str, large: bool) -> None:
    """Also one of which only records differ from the canonical form, and beside a record that is too large."""
    skipped = f', {{"hexrec": "1", "x-a": "{"b" * MAX_RECORD_BYTES}" }} ' if large else ""
    path = put(tmp_path / "a.json", old.format(LINE.strip().replace("e5", "E5"), skipped))
    assert hexrec("fmt", path).code == int(large)
    first = f"[\n{LINE.strip()},\n"
    assert path.read_text().startswith(first)
    assert path.read_text().endswith(f"{LINE.strip()}\n]\n")
    assert skipped.strip(" ,") in path.read_text()
    assert hexrec("fmt", "--check", path).code == int(large)


def test_an_illegal_turn_does_not_matter(hexrec: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "a.yaml", NEW.replace("[e5]", "[E5, E5, ' B2', no turn]"))
    assert hexrec("fmt", path).code == 0
    assert path.read_text() == NEW.replace("[e5]", "[e5, e5, 'b2', no turn]")


def test_one_bad_file_does_not_stop_the_others(hexrec: Run, tmp_path: Path) -> None:
    paths = [tmp_path / "missing.yaml", put(tmp_path / "a.yaml")]
    ran = hexrec("fmt", *paths)
    assert ran.code == 2
    assert f"{paths[0]}: error syntax/unreadable" in ran.err
    totals = "1 record in 1 file: 1 formatted, 0 unchanged, 0 skipped; 1 file written"
    assert ran.err.endswith(f"{totals}; 1 input could not be read\n")
    assert paths[1].read_text() == NEW


@pytest.mark.parametrize("command", ["fmt", "fix"])
def test_a_file_with_another_name_stays(hexrec: Run, tmp_path: Path, command: str) -> None:
    path, copy = put(tmp_path / "games/a.yaml", UNFINISHED), tmp_path / "games/copy"
    name, link = tmp_path / "other.yaml", tmp_path / "games/link.yaml"
    os.link(path, name)
    link.symlink_to(path)
    for given in (path, tmp_path / "games", link):
        ran = hexrec(command, given)
        assert ran.code == 2
        said = "it has other names (2 hard links), which would keep the old content: replace it by a copy first"
        assert f"skipped: {said}" in ran.err
        assert str(given) in ran.err
        assert path.read_text() == UNFINISHED
        assert path.samefile(name)
    assert {each.name for each in path.parent.iterdir()} == {"a.yaml", "link.yaml"}
    # A diff shows the change, and the remedy helps.
    ran = hexrec(command, path, "--diff")
    assert (ran.code, "\n+" in ran.out) == (0, True)
    shutil.copy(path, copy)
    copy.replace(path)
    assert hexrec(command, path).code == 0
    assert path.read_text() != UNFINISHED
    assert name.read_text() == UNFINISHED
    # A file that does not change may have any number of names.
    os.link(path, copy)
    assert hexrec(command, path).code == 0


@pytest.mark.parametrize("mode", [0o600, 0o444, 0o755])
def test_the_mode_stays(hexrec: Run, tmp_path: Path, mode: int) -> None:
    path = put(tmp_path / "a.yaml")
    path.chmod(mode)
    assert hexrec("fmt", path).code == 0
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == (NEW, mode)


def test_compressed_files_stay_compressed(hexrec: Run, tmp_path: Path) -> None:
    import gzip

    path = tmp_path / "a.yaml.gz"
    path.write_bytes(gzip.compress(OLD.encode()))
    assert hexrec("fmt", path).code == 0
    assert gzip.decompress(path.read_bytes()) == NEW.encode()
    path = tmp_path / "b.yaml"
    path.write_bytes(gzip.compress(OLD.encode()))
    before = path.read_bytes()
    ran = hexrec("fmt", path)
    assert (ran.code, path.read_bytes()) == (2, before)
    assert "compressed" in ran.err


def test_what_says_that_it_is_a_record_of_hexrec_is_one(hexrec: Run, tmp_path: Path) -> None:
    """Though it has what makes records of Abstract Play."""
    path = tmp_path / "a.jsonl"
    least = {"hexrec": "1", "game": "sunspot", "size": 5, "moves": ["e5"]}
    path.write_text("".join(json.dumps(each) + "\n" for each in (least, {**least, "header": {}})))
    ran = hexrec("fmt", path)
    assert ran.code == 1
    assert re.findall(r"^\S+ error (\S+):", ran.err, re.MULTILINE) == ["schema/unknown-field"]


@pytest.mark.parametrize("count", [1, 2, 3])
def test_archives_are_passed_over(hexrec: Run, tmp_path: Path, count: int) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        for name in "abc"[:count]:
            archive.writestr(f"{name}.yaml", OLD)
    before = texts(tmp_path)
    ran = hexrec("fmt", tmp_path)
    assert (ran.code, ran.err.count(f"skipped {tmp_path}")) == (0, 1)
    assert (hexrec("fmt", tmp_path / "a.zip").code, texts(tmp_path)) == (2, before)


def test_links_within_the_folder_are_followed(hexrec: Run, tmp_path: Path) -> None:
    real = put(tmp_path / "games/real/a.yaml")
    link = tmp_path / "games/folder/link.yaml"
    link.parent.mkdir()
    link.symlink_to("../real/a.yaml")
    ran = hexrec("fmt", tmp_path / "games")
    assert (ran.code, real.read_text()) == (0, NEW)
    assert link.is_symlink()
    counts = "1 record in 1 file: 1 formatted, 0 unchanged, 0 skipped; 1 file written\n"
    assert ran.err == f"hexrec: changed: {link}\n{counts}"


@pytest.mark.parametrize("target", ["../out/a.yaml", "back/../../out/a.yaml"])
def test_links_out_of_the_folder_are_not_followed(hexrec: Run, tmp_path: Path, target: str) -> None:
    outside, inside = put(tmp_path / "out/a.yaml"), put(tmp_path / "games/b.yaml")
    (tmp_path / "games/back").mkdir()
    link = tmp_path / "games/link.yaml"
    link.symlink_to(target)
    ran = hexrec("fmt", tmp_path / "games")
    assert (ran.code, outside.read_text(), inside.read_text()) == (0, OLD, NEW)
    assert f"skipped 1 link out of the given directories ({link})" in ran.err
    named = hexrec("fmt", link)
    assert f"skipped {link}: a symbolic link that leads out of its directory" in named.err
    assert (named.code, outside.read_text(), link.is_symlink()) == (2, OLD, True)


def test_a_folder_that_is_a_link_is_the_folder_that_was_named(hexrec: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "games/a.yaml")
    (tmp_path / "link").symlink_to("games")
    assert hexrec("fmt", tmp_path / "link").code == 0
    assert path.read_text() == NEW
    path.write_text(OLD)
    assert hexrec("fmt", tmp_path / "link/a.yaml").code == 0
    assert path.read_text() == NEW


def test_a_folder_that_cannot_be_written_to(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [put(tmp_path / "a.yaml"), put(tmp_path / "b.yaml", NEW)]

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("hexrec.io.outputs.os.replace", refuse)
    ran = hexrec("fmt", *paths)
    assert ran.code == 2
    assert ran.err == (
        f"hexrec: {paths[0]}: cannot be changed: permission denied\n"
        "2 records in 2 files: 0 formatted, 1 unchanged, 1 skipped; 0 files written\n"
    )
    assert sorted(os.listdir(tmp_path)) == ["a.yaml", "b.yaml"]
    assert paths[0].read_text() == OLD


@pytest.mark.parametrize("how", ["written to", "replaced"])
def test_a_file_that_somebody_else_changes_is_left(
    hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    path = put(tmp_path / "a.yaml")
    theirs = "somebody else's"
    get = edit.get

    def meanwhile(name: str, *, canonical: bool) -> Edit:
        if how == "replaced":
            path.unlink()
        path.write_text(theirs)
        return get(name, canonical=canonical)

    monkeypatch.setattr(edit, "get", meanwhile)
    ran = hexrec("fmt", path)
    assert (ran.code, path.read_text()) == (2, theirs)
    assert f"hexrec: {path}: skipped: something else has changed it in the meantime\n" in ran.err
    assert os.listdir(tmp_path) == ["a.yaml"]


def test_an_edit_that_goes_wrong_changes_nothing(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [put(tmp_path / "a.yaml"), put(tmp_path / "b.jsonl", LINE.replace("e5", "E5"))]
    monkeypatch.setattr("hexrec.tools.edit.patch.Patch.text", NEW.replace("size: 5", "size: 6"))
    ran = hexrec("fmt", *paths)
    assert (ran.code, paths[0].read_text(), paths[1].read_text()) == (2, OLD, LINE)
    assert f"{paths[0]}: skipped" in ran.err
    assert "please report it" in ran.err


def test_a_folder_without_records(hexrec: Run, tmp_path: Path) -> None:
    ran = hexrec("fmt", tmp_path)
    assert ran.code == 2
    assert "syntax/unreadable" in ran.err
    assert ran.err.endswith("0 unchanged, 0 skipped; 0 files written; 1 input could not be read\n")
