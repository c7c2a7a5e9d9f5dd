"""Where games of SGF begin and end, and that one that is broken or too large hides none of the others."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest

from hexrec import formats
from hexrec.formats import base

_VALUE_OPEN = "this value has no closing bracket"
_TREE_OPEN = "this tree has no closing parenthesis"
_TEXT = "text outside the games is skipped: "
_LOOSE = "not SGF: nodes belong in a tree, which begins with a parenthesis"
_NO_TREE = "not SGF: there is no game tree here"
_LARGE = "the record that starts here is larger than 2 KiB: not read"
_GAME = "(;FF[4]GM[5001]SZ[5]HX[sunspot];B[e5])"
_OPEN = "(;FF[4]GM[5001]SZ[5]HX[sunspot]"
_SHIFT_JIS = "(;FF[4]CA[Shift_JIS]GM[5001]SZ[5]HX[sunspot]GC[\u8868\u30bd];B[e5]"

#: Streams, and of each of their games the line and column of its text and what is said of it. A number in angle
#: brackets is that many letters.
STREAMS: dict[str, list[tuple[int, int, list[str]]]] = {
    f"{_GAME}{_GAME}\n\n {_GAME}": [(1, 1, []), (1, 39, []), (3, 2, [])],
    f"(\n;FF[4]GM[5001]SZ[5];B[e5])\n(\n{_GAME[1:]}": [(1, 1, []), (3, 1, [])],
    # Trees that are not closed.
    f"{_OPEN}(;B[a1]{_GAME}": [(1, 1, [_TREE_OPEN]), (1, 39, [])],
    f"{_OPEN}(;B[a1](;W[a2])\n(\n ; FF[4]GM[5001]SZ[5])": [(1, 1, [_TREE_OPEN]), (2, 1, [])],
    f"{_GAME}\n{_OPEN}(;B[a1](;W[a2])": [(1, 1, []), (2, 1, [_TREE_OPEN])],
    f"{_OPEN}\n{_OPEN}\n{_GAME}": [(1, 1, [_TREE_OPEN]), (2, 1, [_TREE_OPEN]), (3, 1, [])],
    # Values that are not closed.
    f"{_OPEN}GC[open\n{_GAME}\n{_GAME}": [(1, 1, [_VALUE_OPEN]), (2, 1, []), (3, 1, [])],
    f"{_OPEN}GC[a\\]\n{_GAME}": [(1, 1, [_VALUE_OPEN]), (2, 1, [])],
    f"{_GAME}{_OPEN}GC[a\\": [(1, 1, []), (1, 39, [_VALUE_OPEN])],
    f"{_GAME}{_OPEN}GC[a (;FF[4]GM[5001]SZ[5]": [(1, 1, []), (1, 39, [_TREE_OPEN])],
    # Values that are closed.
    f"{_OPEN}GC[()(;GM[\\](;B[a\\\\] ;B[e5])\n{_GAME}": [(1, 1, []), (2, 1, [])],
    f"{_OPEN}GC[\n(;][(;C[x];B[e5])\n{_GAME}": [(1, 1, ["GC should have one value"]), (3, 1, [])],
    # Between games.
    f"one\n{_GAME} two {_GAME} three": [(1, 1, [f"{_TEXT}one", f"{_TEXT}two"]), (2, 44, [f"{_TEXT}three"])],
    f"\ufeff {_GAME}": [(1, 1, ["there is a byte-order mark"])],
    f"<1000>{_GAME}\n{'[' * 1_000}": [(1, 1, [f"{_TEXT}xxx", f"{_TEXT}[[["])],
    f";B[e5];W[e6])\n{_GAME}": [(1, 1, [_LOOSE]), (2, 1, [])],
    f"{_GAME};B[e5];W[e6])\n{_GAME}": [(1, 1, [_LOOSE]), (2, 1, [])],
    "\n;B[ab": [(2, 1, [_NO_TREE])],
    ";A[" * 600: [(1, 1, [_NO_TREE])],
    # Games that are too large.
    f"{_OPEN}GC[<2100>];B[e5])\n{_GAME}": [(1, 1, [_LARGE]), (2, 1, [])],
    f"{_GAME}{_OPEN}GC[<9000>\n{_GAME}\n{_GAME}": [(1, 1, []), (1, 39, [_LARGE]), (2, 1, []), (3, 1, [])],
    f"{_GAME}\n{_OPEN}{';B[e5]' * 20_000}": [(1, 1, []), (2, 1, [_LARGE])],
    # Other encodings.
    f"{_SHIFT_JIS})\n{_SHIFT_JIS})\n{_GAME}": [(1, 1, []), (2, 1, []), (3, 1, [])],
}


class Dribble(io.BytesIO):
    """A stream that gives a few bytes at once, as pipes may."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(977, size) if size and size > 0 else 977)


@pytest.mark.parametrize("stream", [io.BytesIO, Dribble])
@pytest.mark.parametrize("text", STREAMS, ids=range(len(STREAMS)))
def test_games_are_found_around_others(text: str, stream: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "MAX_RECORD_BYTES", 2048)
    raw = re.sub("<([0-9]+)>", lambda found: "x" * int(found[1]), text).encode(
        "shift_jis" if "JIS" in text else "utf-8"
    )
    found = []
    for document in formats.get("sgf").read(stream(raw)):
        place = (document.text.first_line, document.text.first_column) if document.text else (0, 0)
        if document.error and not document.text:
            place = (document.error.line or 0, document.error.column or 0)
        found.append((*place, [each.message for each in (*document.warnings, document.error) if each]))
    expected = STREAMS[text]
    assert [place for *place, _ in found] == [place for *place, _ in expected]
    for (*_, messages), (*_, begins) in zip(found, expected, strict=True):
        assert len(messages) == len(begins), messages
        assert all(map(str.startswith, messages, begins)), messages
