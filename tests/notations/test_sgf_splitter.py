"""Where games of SGF begin and end, and that one that is broken or too large hides none of the others."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest

from hexrec import notations
from hexrec.notations.sgf import splitter
from tests.notations.helpers import read

_VALUE_OPEN = "this value has no closing bracket"
_VALUE_SPLICED = f"{_VALUE_OPEN} before the next game begins"
_TREE_OPEN = "this tree has no closing parenthesis"
_TREE_SPLICED = f"{_TREE_OPEN} before the next game begins"
_TEXT = "text outside the games is skipped: "
_LOOSE = "not SGF: nodes belong in a tree, which begins with a parenthesis"
_LARGE = "the game that starts here is larger than 2 KiB: not read"
_GAME = "(;FF[4]GM[5001]SZ[5]HX[sunspot];B[e5])"
_OPEN = "(;FF[4]GM[5001]SZ[5]HX[sunspot]"
_SHIFT_JIS = "(;FF[4]CA[Shift_JIS]GM[5001]SZ[5]HX[sunspot]GC[\u8868\u30bd];B[e5]"

#: Streams, and of each of their games where it begins and what is said of it. A number in angle brackets is that many
#: letters, as a part of what follows may have been read or not when the rest is looked at.
STREAMS: dict[str, list[tuple[int, int, list[str]]]] = {
    f"{_GAME}{_GAME}\n\n {_GAME}": [(1, 1, []), (1, 39, []), (3, 2, [])],
    # Trees that are not closed.
    f"{_OPEN}(;B[a1]{_GAME}": [(1, 1, [_TREE_SPLICED]), (1, 39, [])],
    f"{_OPEN}(;B[a1](;W[a2])\n( ; FF[4]GM[5001]SZ[5])": [
        (1, 1, [_TREE_SPLICED]),
        (2, 1, []),
    ],
    f"{_GAME}\n{_OPEN}(;B[a1](;W[a2])": [(1, 1, []), (2, 1, [_TREE_OPEN])],
    f"{_OPEN}\n{_OPEN}\n{_GAME}": [(1, 1, [_TREE_SPLICED]), (2, 1, [_TREE_SPLICED]), (3, 1, [])],
    # Values that are not closed.
    f"{_OPEN}GC[open\n{_GAME}\n{_GAME}": [(1, 1, [_VALUE_SPLICED]), (2, 1, []), (3, 1, [])],
    f"{_OPEN}GC[open\r (;SZ[5]C[a\n{_GAME}": [
        (1, 1, [_VALUE_SPLICED]),
        (1, 41, [_VALUE_SPLICED]),
        (2, 1, []),
    ],
    f"{_OPEN}GC[a\\]\n(;FF[4\\]\n{_GAME}": [(1, 1, [_VALUE_SPLICED]), (3, 1, [])],
    f"{_GAME}{_OPEN}GC[a\\": [(1, 1, []), (1, 39, [_VALUE_OPEN])],
    f"{_GAME}{_OPEN}GC[a (;FF[4]GM[5001]SZ[5]": [(1, 1, []), (1, 39, [_TREE_OPEN])],
    # Values that are closed.
    f"{_OPEN}GC[()(;GM[\\]\n(;FF[4\\](;B[a\\\\] ;B[e5])\n{_GAME}": [(1, 1, []), (3, 1, [])],
    f"{_OPEN}GC[\n(;][(;C[x];B[e5])\n{_GAME}": [(1, 1, ["GC should have one value"]), (3, 1, [])],
    # Between games.
    f"one\n{_GAME} two {_GAME} three": [(2, 1, [f"{_TEXT}one"]), (2, 44, [f"{_TEXT}two", f"{_TEXT}three"])],
    f"\ufeff {_GAME}": [(1, 2, ["there is a byte-order mark"])],
    f"<70000>{_GAME}\n{'[' * 70_000}": [(1, 70_001, [f"{_TEXT}xxx", f"{_TEXT}[[["])],
    f";B[e5];W[e6])\n{_GAME}": [(1, 1, [_LOOSE]), (2, 1, [])],
    f"{_GAME}\n{'[' * 70_000};B [e5];W[e6]{_GAME}": [(1, 1, []), (2, 1, [_LOOSE]), (2, 70_014, [])],
    "\n;B[ab": [(1, 1, ["not SGF: there is no game tree here"])],
    ";A[" * 30_000: [(1, 1, ["not SGF: there is no game tree here"])],
    # Games that are too large.
    f"{_OPEN}GC[<2100>];B[e5])\n{_GAME}": [(1, 1, [_LARGE]), (2, 1, [])],
    f"{_OPEN}GC[<9000>];B[e5])\r\t{_GAME}\n{_GAME}": [(1, 1, [_LARGE]), (1, 9045, []), (2, 1, [])],
    f"{_OPEN}GC[<9000>\n{_GAME}\n{_GAME}": [(1, 1, [_LARGE]), (2, 1, []), (3, 1, [])],
    f"{_OPEN}GC[<2000>\n{_GAME}": [(1, 1, [_VALUE_SPLICED]), (2, 1, [])],
    f"{_GAME}\n{_OPEN}{';B[e5]' * 20_000}": [(1, 1, []), (2, 1, [_LARGE])],
    # Brackets within characters.
    f"{_SHIFT_JIS}){_SHIFT_JIS}){_GAME}": [(1, 1, []), (1, 58, []), (1, 115, [])],
    f"{_SHIFT_JIS}GC[\u8868\n{_GAME}": [(1, 1, [_VALUE_SPLICED]), (2, 1, [])],
    f"{_SHIFT_JIS}(;W[\u30bd]\n{_GAME}": [(1, 1, [_TREE_SPLICED]), (2, 1, [])],
}


class Dribble(io.BytesIO):
    """A stream that gives a few bytes at once, as pipes may."""

    def read(self, size: int | None = -1) -> bytes:
        return super().read(min(977, size) if size and size > 0 else 977)


@pytest.mark.parametrize("stream", [io.BytesIO, Dribble])
@pytest.mark.parametrize("text", STREAMS, ids=range(len(STREAMS)))
def test_games_are_found_around_others(text: str, stream: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitter, "MAX_RECORD_BYTES", 2048)
    raw = re.sub("<([0-9]+)>", lambda found: "x" * int(found[1]), text).encode(
        "shift_jis" if "JIS" in text else "utf-8"
    )
    games = list(splitter.Splitter(stream(raw)).games())
    documents = list(notations.get("sgf").read(stream(raw)))
    expected = STREAMS[text]
    assert [(game.first_line, game.first_column) for game in games] == [(line, column) for line, column, _ in expected]
    for document, (_, _, messages) in zip(documents, expected, strict=True):
        found = [each.message for each in (*document.warnings, document.error) if each]
        assert len(found) == len(messages)
        assert all(each.startswith(begin) for each, begin in zip(found, messages, strict=True)), found


@pytest.mark.parametrize("size", [4_000, 4_090, 4_096, 8_190, 65_530, 65_536])
@pytest.mark.parametrize("between", ["", "\n", "\n" * 300, " " * 70_000])
def test_games_are_found_wherever_the_bytes_at_hand_end(size: int, between: str) -> None:
    for length in range(size - 30, size):
        begun = f"{_OPEN}GC[{'x' * (length - len(_OPEN) - 4)}]"
        read_games = read("sgf", f"{begun}){between}{begun};B[e5]{between}{begun}(;B[e5]))")
        assert [document.error and document.error.message for document in read_games] == [None, _TREE_SPLICED, None]


class Counted(io.BytesIO):
    """A stream that counts how much was asked of it once it was at its end."""

    ends = 0

    def read(self, *size: Any) -> bytes:
        data = super().read(*size)
        self.ends += not data
        return data


@pytest.mark.parametrize("raw", [b"(;GM[5])\n(;GM[6])\n", b"(;GM[5](;B[a1]", b"(;GM[5]C[a", b"nothing"])
def test_the_end_of_a_stream_is_met_once(raw: bytes) -> None:
    """At a terminal, somebody says each time that it is the end."""
    stream = Counted(raw)
    assert list(notations.get("sgf").read(stream))
    assert stream.ends == 1


def test_for_the_end_of_a_small_game_no_more_is_read_than_at_first() -> None:
    first = b"(;GM[5]" + b"(;B[a1])" * 12 + b")"
    stream = io.BytesIO(first + b" " * 100 + b"(;GM[6])" + b"(;GM[7])" * 100_000)
    next(notations.get("sgf").read(stream))
    assert stream.tell() == 1 << 16
