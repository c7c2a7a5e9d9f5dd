from __future__ import annotations

from dataclasses import replace

import pytest
from markdown_it import MarkdownIt

from hexrec.output import report_github
from tests.output.conftest import NASTY, OCCUPIED, report, written


def cells(text: str) -> list[list[str]]:
    """Read the rows of the table with a Markdown parser; what is text comes back, markup is not text."""
    rows: list[list[str]] = []
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text):
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline" and rows:
            kinds = {child.type: child.content for child in token.children or ()}
            assert kinds.keys() <= {"text", "html_inline", "text_special"}
            assert kinds.get("html_inline", "</code>") == "</code>"
            rows[-1].append("".join(child.content for child in token.children or () if child.type != "html_inline"))
    return rows


def test_no_diagnostics_no_table() -> None:
    sums = "1 record in 1 file: 1 valid, 0 invalid; 2 plies replayed"
    assert written("markdown", report()) == f"## hexrec: valid\n\n{sums}\n"


def test_escaping() -> None:
    diagnostic = replace(OCCUPIED, file="a|`b`<i>.json", message=f"{NASTY}\nnext line", id=None)
    head, row = cells(written("markdown", report(diagnostic)))
    assert head == ["place", "severity", "code", "diagnostic"]
    assert row == ["a|`b`<i>.json:3:114", "error", "move/occupied", f"record 1, ply 3, turn a1: {NASTY} next line"]


@pytest.mark.parametrize(("rows", "left_out"), [(3, "1 more diagnostic"), (2, "2 more diagnostics")])
def test_a_table_has_its_limit(monkeypatch: pytest.MonkeyPatch, rows: int, left_out: str) -> None:
    one = written("markdown", report(OCCUPIED)).splitlines()[-1] + "\n"
    monkeypatch.setattr(report_github, "_MAX_BYTES", len(one) * rows)
    text = written("markdown", report(*[OCCUPIED] * 4))
    assert text.count(one) == rows
    assert text.endswith(f"|\n\nNot shown: {left_out}.\n")
