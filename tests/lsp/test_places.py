"""Places of the validator are places of the editor, which counts units of UTF-16 and ends lines at carriage returns."""

from __future__ import annotations

import pytest
from lsprotocol.types import Position

from hexrec.lsp.text import EditorText


@pytest.mark.parametrize(
    ("text", "offset", "place", "position"),
    [
        ("ab\ncd", 4, (2, 2), (1, 1)),
        ("😀a", 1, (1, 2), (0, 2)),
        ("a\r\nb", 3, (2, 1), (1, 0)),
        ("a\rb", 2, (1, 3), (1, 0)),
        ("a\u2028b", 2, (1, 3), (0, 2)),
        ("\ufeffab", 2, (1, 2), (0, 2)),
        ("", 0, (1, 1), (0, 0)),
        ("a\n", 2, (2, 1), (1, 0)),
    ],
)
def test_places(text: str, offset: int, place: tuple[int, int], position: tuple[int, int]) -> None:
    located = EditorText(text)
    assert located.place(offset) == place
    assert located.offset(*place) == offset
    assert located.position(offset) == Position(*position)
    assert located.offset_at(Position(*position)) == offset


@pytest.mark.parametrize(("line", "character", "offset"), [(0, 9, 2), (0, 1, 0), (7, 0, 5)])
def test_positions_that_the_text_does_not_have(line: int, character: int, offset: int) -> None:
    """Beyond the end of a line, within a pair of surrogates, beyond the last line."""
    assert EditorText("😀b\r\nc").offset_at(Position(line, character)) == offset
