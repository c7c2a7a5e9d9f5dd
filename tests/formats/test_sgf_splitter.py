"""A game of SGF that is too large does not hide the others. `golden/sgf.jsonl` has broken games and text around."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest

from hexrec import formats
from hexrec.formats import base
from tests.formats.helpers import Dribble

_TEXT = "text outside the games is skipped: "
_LARGE = "the record that starts here is larger than 2 KiB: not read"
_GAME = "(;FF[4]GM[5001]SZ[5]HX[sunspot];B[e5])"
_OPEN = "(;FF[4]GM[5001]SZ[5]HX[sunspot]"

#: Streams in which no record may have more than 2 KiB, each with the line and column of its games and the beginnings of
#: messages. A number in angle brackets is that many letters.
STREAMS: dict[str, list[tuple[int, int, list[str]]]] = {
    f"{_OPEN}GC[<2100>];B[e5])\n{_GAME}": [(1, 1, [_LARGE]), (2, 1, [])],
    f"{_GAME}{_OPEN}GC[<9000>\n{_GAME}\n{_GAME}": [(1, 1, []), (1, 39, [_LARGE]), (2, 1, []), (3, 1, [])],
    f"{_GAME}\n{_OPEN}{';B[e5]' * 20_000}": [(1, 1, []), (2, 1, [_LARGE])],
    # Nothing before, between and after games is too large.
    f"<1000>{_GAME}\n{'[' * 1_000}": [(1, 1, [f"{_TEXT}xxx", f"{_TEXT}[[["])],
    ";A[" * 600: [(1, 1, ["not SGF: there is no game tree here"])],
}


@pytest.mark.parametrize("stream", [io.BytesIO, Dribble])
@pytest.mark.parametrize("text", STREAMS, ids=range(len(STREAMS)))
def test_games_are_found_around_others(text: str, stream: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(base, "MAX_RECORD_BYTES", 2048)
    raw = re.sub("<([0-9]+)>", lambda found: "x" * int(found[1]), text).encode()
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
