"""`hexrec import`: records to a file or stdout, the work list to stderr or in report formats."""

from __future__ import annotations

import io
import json
import os
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

import hexrec as library
from hexrec.output import report_formats
from tests.cli.conftest import Run, hexrec
from tests.fixtures import FIXTURES

__all__ = ["hexrec"]  # a fixture

POST = """Game 1: Sunspot, size 4
1. d4 a1 2. b1 White resigns

Game 2: Sunspot, size 4
1. d4 a1 2. a1
"""
FIRST = {"game": "sunspot", "size": 4, "source": "post.txt, lines 1 to 2", "moves": ["d4", "a1", "b1"]}


@pytest.fixture
def post(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "post.txt"
    path.write_text(POST, encoding="utf-8")
    return path


@pytest.mark.usefixtures("post")
def test_records_and_work_list(hexrec: Run, tmp_path: Path) -> None:
    ran = hexrec("import", "post.txt", "-o", "out.yaml", "-w", "-", "-w", "json=left.json")
    assert ran.code == 1
    assert ran.out.startswith("post.txt:5:13: error import/turn: record 1, ply 3, turn a1: a1 is occupied")
    assert ran.err == "2 records in 1 file: 1 imported, 1 left; 1 file written\n"
    (record,) = library.records("out.yaml")
    assert record.data == {"hexrec": "1", **FIRST, "result": {"winner": "black", "termination": "resignation"}}
    left = json.loads((tmp_path / "left.json").read_text(encoding="utf-8"))
    assert [entry["valid"] for entry in left["records"]] == [True, False]
    (error,) = left["records"][1]["diagnostics"]
    assert (error["ply"], error["turn"], error["line"], error["column"]) == (3, "a1", 5, 13)
    assert all(edit["line"] == 5 for found in error["suggestions"] for edit in found["edits"] if "line" in edit)
    again = hexrec("import", "post.txt", "-o", "out.yaml")
    assert (again.code, again.err) == (2, "hexrec: out.yaml: already exists: --force overwrites it\n")


@pytest.mark.usefixtures("post")
@pytest.mark.parametrize("report", report_formats.names())
def test_work_lists_in_all_report_formats(hexrec: Run, tmp_path: Path, report: str) -> None:
    assert hexrec("import", "post.txt", "-o", "out.jsonl", "-w", f"{report}=left").code == 1
    assert "import/turn" in (tmp_path / "left").read_text(encoding="utf-8")


@pytest.mark.usefixtures("post")
def test_records_on_stdout(hexrec: Run) -> None:
    ran = hexrec("import", "-", "--game", "sunspot", "--size", "4", stdin=b"d4 a1 b1, White resigns")
    assert (ran.code, json.loads(ran.out)["source"]) == (0, "line 1")
    assert hexrec("import", "post.txt", "-w", "-").code == 2


def test_directories_and_archives(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "club" / "sunspot"
    folder.mkdir(parents=True)
    (folder / "size4.txt").write_text("1. d4 a1 2. b1 White resigns", encoding="utf-8")
    (folder / "games.jsonl").write_text("{}", encoding="utf-8")
    (folder / "sheet.CSV").write_bytes("Größe;Spiel;Züge;Ergebnis\n4;Sunspot;d4 a1 b1;Weiß gibt auf".encode("cp1252"))
    (folder / "page.wiki").write_text("Size: 4\n{|\n! Black !! White\n|-\n| d4 || a1\n|}\nBlack resigns", "utf-8")
    with ZipFile(tmp_path / "club" / "more.zip", "w") as packed:
        packed.writestr("notes.md", "# Sunspot, size 4\n\n1. d4\n2. a1\n\nBlack resigns\n")
    ran = hexrec("import", "club", "-o", "out.jsonl")
    assert ran.err == (
        "4 records in 4 files: 4 imported, 0 left; 1 file written\n"
        f"hexrec: skipped 1 file without a known suffix ({os.path.join('club', 'sunspot', 'games.jsonl')})\n"
    )
    assert {record.size for record in library.records("out.jsonl")} == {4}


def test_spreadsheets(hexrec: Run, tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active.title = "Sunspot 4"
    for row in (["#", "Black", "White"], [1, "d4", "a1"], [2, "b1", "resigns"]):
        book.active.append(row)
    for row in (["Game", "Size", "Moves"], ["Sunspot", 4, "d4 a1"], ["Sunspot", 4, "d4 d4"]):
        book.create_sheet("All") if row[0] == "Game" else None
        book["All"].append(row)
    for row in (["Sheet", "Game", "Size", "Black"], ["R1", "Sunspot", 4, "Ada"], ["R2", "Sunspot", 5, "Ben"]):
        book.create_sheet("Index") if row[0] == "Sheet" else None
        book["Index"].append(row)
    for row in (["#", "Black", "White"], [1, "d4", "a1"]):
        book.create_sheet("R2") if row[0] == "#" else None
        book["R2"].append(row)
    book.save(tmp_path / "club.xlsx")
    ran = hexrec("import", tmp_path / "club.xlsx", "-o", tmp_path / "out.jsonl")
    assert ran.code == 1
    assert f"{tmp_path}/club.xlsx:3:3: error import/turn: record 2, ply 2, turn d4" in ran.err
    records = [record.data for record in library.records(tmp_path / "out.jsonl")]
    sources = [record["source"] for record in records]
    assert sources == [f"club.xlsx, sheet {rows}" for rows in ("Sunspot 4, rows 2 to 3", "All, row 2", "R2, row 2")]
    assert (records[2]["size"], records[2]["players"]) == (5, {"black": {"name": "Ben"}})


def test_spreadsheet_without_its_extra(hexrec: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "openpyxl", None)
    (tmp_path / "club.xlsx").write_bytes(b"PK\x03\x04")
    (tmp_path / "more.txt").write_text("# Sunspot, size 4\n\n1. d4\n2. a1\n\nBlack resigns\n", "utf-8")
    ran = hexrec("import", tmp_path, "-o", tmp_path / "out.jsonl")
    assert ran.code == 2
    assert (
        "club.xlsx: error syntax/unreadable: cannot be read: to import spreadsheets, install hexrec-games[xlsx]"
        in ran.err
    )
    assert len([*library.records(tmp_path / "out.jsonl")]) == 1


def hostile_sheet() -> bytes:
    """Return a workbook whose only cell is in the last row and column."""
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    book.active["XFD1048576"] = "e5"
    out = io.BytesIO()
    book.save(out)
    return out.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "code", "said"),
    [
        ("empty.txt", b"", 1, "import/no-game: no turns were found"),
        ("binary.txt", b"1. d4 c4 \0" * 99, 1, "syntax/binary: this is not text"),
        ("utf16.txt", "Sunspot 4: d4 a1".encode("utf-16"), 0, "1 imported"),
        ("broken.docx", b"PK\x03\x04 and no more", 2, "this is no workbook of the format .xlsx: save it as .xlsx"),
        ("huge.txt", b"a1 " * 3_000_000, 1, "import/limit: the file has more than 8 MiB"),
        ("long.txt", b"Sunspot 4: " + b"pass " * 9_000, 1, "more than 4,000 turns and cells"),
        ("repeated.txt", b"1. a1-b1 b2 " * 900, 1, "the search ended after "),
        ("many.txt", b"1. a1 2. b1\n" * 900, 1, "the file has too many games"),
        ("lines.txt", b"a1\n" * 200_000, 1, "more than 100,000 lines"),
        ("braces.txt", b"{" * 40_000 + b"(" * 40_000, 1, "import/no-game"),
        ("semicolons.csv", b";|,\t" * 20_000, 1, "import/no-game"),
        ("game.sgf", b"(;GM[5001])", 1, "import/records: this is a file of records"),
    ],
)
def test_hostile_texts(
    hexrec: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, data: bytes, code: int, said: str
) -> None:
    monkeypatch.setattr("hexrec.tools.importing._MAX_WORK", 5_000)  # to reach the limits takes seconds
    monkeypatch.setattr("hexrec.tools.importing._WORK_OF_CHARACTER", 0)
    monkeypatch.setattr("hexrec.tools.importing.solver.MAX_WORK", 50_000)
    (tmp_path / name).write_bytes(data)
    ran = hexrec("import", tmp_path / name, "--suggest", "0")
    assert ran.code == code
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_a_workbook_of_empty_cells(hexrec: Run, tmp_path: Path) -> None:
    (tmp_path / "far.xlsx").write_bytes(hostile_sheet())
    assert "too many cells" in hexrec("import", tmp_path / "far.xlsx").err


def test_wrong_options(hexrec: Run, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("d4", encoding="utf-8")
    for arguments, said in (
        (["--opening", "black:e3"], "is no opening: name cells by color, as in black=e3,white=a4"),
        (["--game", "chess"], "'chess' is not one of"),
        (["-o", "out.xml"], "cannot tell the format of out.xml"),
    ):
        ran = hexrec("import", tmp_path / "a.txt", *arguments)
        assert (ran.code, said in ran.err) == (2, True), ran.err


def test_shared_files_of_others(hexrec: Run, tmp_path: Path) -> None:
    """Records are no texts to import."""
    files = sorted((FIXTURES / "formats").rglob("*.hgn"))[:3]
    ran = hexrec("import", *files, "-o", tmp_path / "out.jsonl")
    assert (ran.code, ran.err.count("import/records")) == (1, 3)
