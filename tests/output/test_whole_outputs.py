"""What every reporter writes of the same records, byte for byte.

`python -m tests.output.test_whole_outputs` writes it down, in `fixtures/reports`.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import pytest

from hexrec.output import report_formats
from hexrec.output.report_text import write_text
from hexrec.record.validation import read_record
from hexrec.rules.terms import Outcome
from hexrec.util.diagnostics import Diagnostic, Excerpt
from hexrec.util.version import __version__
from hexrec.validation.report import Report, Summary
from tests.output.conftest import NASTY, OCCUPIED, report, written

FOLDER = Path(__file__).parent.parent.parent / "fixtures/reports"
SHOWN = OCCUPIED.at(source_line=Excerpt('\t"a1", "a2", "\u4e2d\u0301", "a1"]', 100, True))


def reports() -> Iterator[Report]:
    won = Outcome("white", {"black": 0, "white": 1.5})
    yield Report((), plies=4, file="games/0.jsonl", index=0, id="G6", game="sundraval", result=won)
    yield report(OCCUPIED, SHOWN, SHOWN.at(end_line=4, end_column=2), index=1, id="G7")
    yield report(OCCUPIED.at(severity="warning", id=None), index=2, file="games/1 of 2.jsonl")
    wide = Excerpt('"\u4e2d\uff21\u0301\u20dd", "a1"]  ', 2, False)
    yield report(
        OCCUPIED.at(source_line=wide, line=12, end_line=12, column=10, end_column=14, turn=""),
        *(SHOWN.at(**{name: None}) for name in ("line", "column", "end_column")),
        index=3,
    )
    yield report(Diagnostic("schema/range", NASTY, record=3, file="a\x1bb.json"), index=3, file="a\x1bb.json")
    for file in ("/elsewhere/\u00e9.json", "s3://bucket/a b.json?x=1", "-"):
        yield report(OCCUPIED.at(file=file, ply=None, turn=" "), index=0, file=file)
    lost = Diagnostic("syntax/unreadable", "cannot be read: no such file\n\u2028", file="no\\n.json", turn="t" * 99)
    yield Report((lost,), file="no\\n.json", index=0)
    suppressed = OCCUPIED.at(by="games/hexrec.toml", file="games/2.jsonl")
    downgraded = suppressed.at(by="options", downgraded=True, pointer="/moves/9")
    yield report(suppressed, downgraded, index=0, file="games/2.jsonl")
    yield report(suppressed, OCCUPIED.at(file="games/2.jsonl", record=1), index=1, file="games/2.jsonl")
    yield Report((Diagnostic("lint/size", "a large board, as in line 7, column 2", "warning"),), plies=1)


def shown(name: str) -> str:
    return written(name, *reports()).replace(f'"{__version__}"', '"VERSION"')


@pytest.mark.parametrize("name", report_formats.names())
def test_all_that_a_reporter_writes(name: str) -> None:
    kept = (FOLDER / f"{name}.txt").read_bytes().decode()
    assert shown(name) == kept, "if that is as it should be: python -m tests.output.test_whole_outputs"


def boards() -> str:
    """Return what is shown of positions with diagnostics of turns, and of a variation."""
    data = {"hexrec": "1", "game": "sunspot", "size": 4, "moves": ["d4", "d5", "d6"]}
    found = tuple(
        OCCUPIED.at(ply=ply, code=code) for ply, code in ((2, "x/own"), (9, "x/own"), (1, "variation/illegal"))
    )
    out = io.StringIO()
    opening = {"game": "sundraval", "size": 4, "opening": {"black": "d4", "white": "d4"}}
    records = (read_record(data), None, read_record({**data, **opening}))
    for _ in write_text((Report(found, record=record) for record in records), Summary(), out, board=True):
        pass
    return out.getvalue().removesuffix(Summary().line() + "\n")


def test_positions() -> None:
    assert boards() == (FOLDER / "text-board.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("size", [1, 1 << 20])
def test_what_is_held_back_comes_as_it_was(monkeypatch: pytest.MonkeyPatch, size: int) -> None:
    """In memory or in a file."""
    monkeypatch.setattr(report_formats, "_IN_MEMORY", size)
    held, out = report_formats.new_spool(), io.StringIO(newline="")
    held.write("\u00e9\r\n\n\r" * 9)
    report_formats.copy_spooled(held, out)
    held.close()
    assert out.getvalue() == "\u00e9\r\n\n\r" * 9


def test_a_reporter_that_is_not_there() -> None:
    with pytest.raises(LookupError) as unknown:
        report_formats.get("html")
    assert unknown.value.args == (f"unknown report 'html'; known: {', '.join(report_formats.names())}",)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in report_formats.names():
        (FOLDER / f"{each}.txt").write_bytes(shown(each).encode())
    (FOLDER / "text-board.txt").write_text(boards(), encoding="utf-8")
