"""What is not edited, and what is said of it."""

from __future__ import annotations

import gzip
import io
import os
import re
import zipfile
from pathlib import Path

import pytest

from hexrec.tools.edit.files import EditError
from hexrec.util.version import __version__
from tests.cli.conftest import Run, hexrec
from tests.tools.test_editing import edited

__all__ = ["hexrec"]  # a fixture

YAML = "hexrec: '1'\ngame: sunspot\nsize: 5.0\nmoves: [E5]\n"
HGN = '[Game "Sunspot"]\n[Size "5"]\n\n1. E5 *\n'
SGF = b"(;FF[4]GM[5001]SZ[5]HX[sunspot];B[E5])\n"


def zipped() -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr("x.yaml", YAML)
        archive.writestr("y.yaml", YAML)
        archive.writestr("z.yaml", YAML)
    return made.getvalue()


LEFT = "1 record in 1 file: 0 formatted, 0 unchanged, 1 skipped; 0 files written\n"
NONE = "0 records in 0 files: 0 formatted, 0 unchanged, 0 skipped; 0 files written\n"
UNREAD = f"{NONE.rstrip()}; 1 input could not be read\n"
LOST = "skipped: content outside its records would be lost: "
REFUSED: dict[str, tuple[str, bytes, int, str]] = {
    "an archive": (
        "a.zip",
        zipped(),
        2,
        f"hexrec: skipped a.zip: in an archive: files in archives are not changed\n{NONE}",
    ),
    "compressed, and not called so": (
        "a.yaml",
        gzip.compress(YAML.encode()),
        2,
        f"hexrec: a.yaml: skipped: its name and its content do not agree on whether it is compressed\n{LEFT}",
    ),
    "called compressed, and not so": (
        "a.yaml.gz",
        YAML.encode(),
        2,
        f"hexrec: a.yaml.gz: skipped: its name and its content do not agree on whether it is compressed\n{LEFT}",
    ),
    "a damaged compressed file": (
        "a.yaml.gz",
        gzip.compress(YAML.encode())[:-8],
        2,
        f"a.yaml.gz: error syntax/unreadable: cannot be read: damaged or encrypted: it is truncated\n{UNREAD}",
    ),
    "a line of HGN that is skipped": (
        "a.hgn",
        HGN.replace("1.", "% for my program, so long that not all of it is shown here at all\n1.").encode(),
        1,
        f"hexrec: a.hgn: {LOST}a line that begins with % is skipped (% for my program, so long that not "
        f"all of it is shown here \u2026): make it a comment, or take it out\n{LEFT}",
    ),
    "a skipped line of HGN after a brace in a tag": (
        "a.hgn",
        HGN.replace("\n\n1.", '\n[Event "a {"]\n% b\n\n{c}  1.').encode(),
        1,
        f"hexrec: a.hgn: {LOST}a line that begins with % is skipped (% b): ",
    ),
    "a skipped line of HGN after a brace in a comment to the end of a line": (
        "a.hgn",
        HGN.replace("1.", "; a {\n% b\n{c}  1.").encode(),
        1,
        f"hexrec: a.hgn: {LOST}a line that begins with % is skipped (% b): ",
    ),
    "numbers of turns in HGN": ("a.hgn", HGN.replace("1.", "7.").encode(), 1, f"hexrec: a.hgn: {LOST}the "),
    "the end of a game of HGN is missing": (
        "a.hgn",
        HGN.replace(" *", "").encode(),
        1,
        "hexrec: a.hgn: skipped: an end that was cut off would look whole: the game ends without its result ",
    ),
    "notes in SGF": ("a.sgf", SGF + b"notes\n", 1, f"hexrec: a.sgf: {LOST}text outside"),
    "data that is no record": ("a.json", b'{"a": 1}\n', 1, "a.json:1:1: error schema/missing-field: record 0: "),
    "a record with what another format has": (
        "a.json",
        b'{"hexrec": "1", "game": "sunspot", "size": 5, "header": {}, "moves": ["e5"]}\n',
        1,
        'a.json:1:47: error schema/unknown-field: record 0: a record of Sunspot has no field "header" here',
    ),
    "a game of another format": ("a.json", b'{"header": {}, "moves": []}\n', 1, "a.json:1:12: error syntax/abstract"),
}


@pytest.mark.parametrize(("name", "content", "code", "said"), REFUSED.values(), ids=REFUSED)
def test_a_file_that_is_left(
    hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes, code: int, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path(name).write_bytes(content)
    ran = hexrec("fmt", name)
    assert (ran.code, ran.out, ran.err[: len(said)]) == (code, "", said)
    assert ran.err.endswith((LEFT, NONE, UNREAD))
    assert Path(name).read_bytes() == content


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes here")
def test_what_is_no_file_is_left(hexrec: Run, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.yaml"
    os.mkfifo(pipe)
    ran = hexrec("fmt", pipe)
    said = f"hexrec: {pipe}: skipped: not a file that can be changed in place\n"
    assert (ran.code, ran.out, ran.err) == (2, "", said + LEFT)


def test_addresses_are_out_of_reach(hexrec: Run, tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(YAML)
    address = f"file://{tmp_path}/a.yaml"
    ran = hexrec("fmt", address)
    assert (ran.code, ran.err) == (2, f"hexrec: skipped {address}: at an address: only local files are changed\n{NONE}")
    assert (tmp_path / "a.yaml").read_text() == YAML


def test_records_of_a_format_that_is_not_edited_are_counted(hexrec: Run, tmp_path: Path) -> None:
    made = hexrec("random", "sundraval", "--size", "3", "--to", "abstractplay").out
    paths = [tmp_path / name for name in ("a.json", "b.json", "c.json")]
    for path in paths:
        path.write_text(made)
    for count, which in ((1, f"1 record is left %s ({paths[0]}: record 0)"), (3, "3 records are left %s (X, \u2026)")):
        ran = hexrec("fmt", *paths[:count])
        where = "in the format of Abstract Play, which is not edited"
        said = f"hexrec: {which % where}: see hexrec convert\n".replace("X", f"{paths[0]}: record 0")
        counts = f"{count} record{'s' * (count > 1)} in {count} file{'s' * (count > 1)}: "
        assert (ran.code, ran.err) == (0, f"{said}{counts}0 formatted, 0 unchanged, {count} skipped; 0 files written\n")
    assert [path.read_text() for path in paths] == [made] * 3


@pytest.mark.parametrize(("name", "text"), [("yaml", YAML), ("hgn", HGN)])
def test_how_large_a_record_may_be(monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> None:
    monkeypatch.setattr("hexrec.tools.edit.files.MAX_RECORD_BYTES", len(text))
    assert edited(name, text, lambda _: None) == text
    with pytest.raises(EditError, match=r"^a record is too large to be read$"):
        edited(name, text.replace("sunspot", "sundraval").replace("Sunspot", "Sundraval"), lambda _: None)
    binary = "\0" * 2 * len(text)
    assert edited(name, binary, lambda _: None) == binary


JSON = '{"hexrec":"1","game":"sunspot","size":5,"moves":["%s"]}\n'


@pytest.mark.parametrize(
    ("name", "content", "counts"),
    [
        (
            "a.hgn",
            (HGN + "\n" + HGN.replace("E5", "e5").replace("\n\n1", '\n[Result "*"]\n\n1') + "\n").encode()
            + HGN.replace("1.", "% mine\n1.").encode(),
            "3 records in 1 file: 0 formatted, 1 unchanged, 2 skipped; 0 files written\n",
        ),
        (
            "a.jsonl.gz",
            gzip.compress((JSON % "e5" + "\n" * 200_000).encode())[:-8],
            "1 record in 1 file: 0 formatted, 1 unchanged, 0 skipped; 0 files written; 1 input could not be read\n",
        ),
        (
            "a.jsonl.gz",
            gzip.compress((JSON % "e5" + "{}\n" + JSON % "E5" + "\n" * 200_000).encode())[:-8],
            "3 records in 1 file: 0 formatted, 1 unchanged, 2 skipped; 0 files written; 1 input could not be read\n",
        ),
    ],
    ids=["refused", "damaged", "damaged, and with errors"],
)
def test_all_records_of_a_file_that_is_left_are_counted(
    hexrec: Run, tmp_path: Path, name: str, content: bytes, counts: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    ran = hexrec("fmt", path)
    assert (ran.err.splitlines(keepends=True)[-1], path.read_bytes()) == (counts, content)


@pytest.mark.parametrize(
    ("where", "said", "counts"),
    [
        (
            "hexrec.tools.edit.fixes.canonical_form",
            "a.jsonl:2:1: error internal/error: record 1: an error in hexrec {}, RuntimeError: so it is in "
            "format_record (hexrec/tools/edit/fixes.py, line N): please report it, with the command and this record\n"
            f"  2 | {JSON % 'e6'}    | {'^' * 55}\nhexrec: changed: a.jsonl\n",
            "2 formatted, 0 unchanged, 1 skipped; 2 files written",
        ),
        (
            "hexrec.tools.edit.in_place._add",
            "a.jsonl: error internal/error: an error in hexrec {}, RuntimeError: so it is in edit_stream "
            "(hexrec/tools/edit/in_place.py, line N): please report it, with the command and this file\n",
            "1 formatted, 0 unchanged, 2 skipped; 1 file written",
        ),
    ],
    ids=["record", "file"],
)
def test_an_error_in_hexrec_touches_one_record_or_one_file(
    hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str, said: str, counts: str
) -> None:
    """What comes after it is edited."""

    def failing(*arguments: object) -> dict[str, object]:
        given = [getattr(each, "data", each) for each in arguments]
        if re.search(r"[\"']e6[\"']", str(given)):  # and not in the address of an object
            raise RuntimeError("so it is")
        return {"hexrec": "1", "game": "sunspot", "size": 5, "moves": ["e5"]}

    monkeypatch.setattr(where, failing)
    monkeypatch.chdir(tmp_path)
    Path("a.jsonl").write_text(JSON % "E5" + JSON % "e6")
    Path("b.jsonl").write_text(JSON % "E5")
    ran = hexrec("fmt", ".")
    all_said = f"{said.replace('{}', __version__)}hexrec: changed: b.jsonl\n3 records in 2 files: {counts}\n"
    assert (ran.code, re.sub(r"line \d+\)", "line N)", ran.err)) == (2, all_said)
