"""Where games of SGF begin and end does not depend on how much of the stream is looked at at once."""

from __future__ import annotations

import io
import re
from typing import Any

import pytest

from hexrec.notations.sgf import splitter
from hexrec.notations.sgf.encodings import blotted
from hexrec.notations.sgf.splitter import Splitter

#: What stands in the place of "*" is longer and longer, so that all else comes to every place of what is looked at.
STREAMS = {
    "two games": "(;GM[5]C[*];B[a1])\n(;GM[6])",
    "variations": "(;GM[5]C[*](;B[a1](;W[a2]))(;B[a3]))(;GM[6])",
    "brackets in values": "(;C[*()(;GM[\\]\\\\] ;B[)] (;W[(]))(;GM[6])",
    "a tree that is not closed": "(;GM[5]C[*](;B[a1]\n(;FF[4])",
    "a tree that is not closed, and no space after it": "(;GM[5]C[*](;B[a1]( ; FF [4])",
    "a tree that is not closed at the end": "(;GM[5]C[*](;B[a1])(;B[a2]",
    "a value that is not closed at the end": "(;GM[5]C[*](;B[a1])C[a",
    "an escape at the end": "(;GM[5]C[*]C[a\\",
    "a value that has swallowed a game": "(;GM[5]C[*\n(;FF[4]C[x])(;GM[6])",
    "a value that has swallowed many games": "(;GM[5]C[*\n(;FF[4\n(;FF[4\n (;GM[4]C[x])(;GM[6])",
    "a value that has swallowed games before its last escape": "(;GM[5]C[*\n(;FF[4\n(;FF[\\]4]C[x])(;GM[6])",
    "values that have swallowed games in a second game": "(;GM[5])(;GM[5]C[*\n(;FF[4\n(;FF[4])\n(;C[x\n(;FF[4])",
    "nothing but blanks": " \n * \n",
    "a mark before a game": "\ufeff *(;GM[5])",
    "characters that look like brackets": "(;CA[Shift_JIS]C[*\u30bd\u8868](;B[a1]))(;CA[Shift_JIS]C[\u30bd*])",
}


def found(raw: bytes) -> list[Any]:
    return [
        (game.text, game.first_line, game.first_column, game.problem, game.warnings, game.around)
        for game in Splitter(io.BytesIO(raw)).games()
    ]


def raw_of(what: str, padding: str) -> bytes:
    text = STREAMS[what].replace("*", padding)
    return text.encode("shift_jis" if "Shift_JIS" in text else "utf-8")


@pytest.mark.parametrize("what", STREAMS)
def test_games_are_cut_the_same_way(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    paddings = ["x" * size for size in range(20)] + [" " * 7 + "\n", "(x" * 9, "\u65e5" * 6, "a\nb" * 5]
    raws = [raw_of(what, padding) for padding in paddings if padding[:1] not in "( \u65e5" or "Shift" not in what]
    expected = [found(raw) for raw in raws]
    monkeypatch.setattr(splitter, "HEAD", 16)
    monkeypatch.setattr(splitter, "_LONGEST_START", 14)
    for chunk in (15, 64):
        monkeypatch.setattr(splitter, "_CHUNK", chunk)
        for raw, games in zip(raws, expected, strict=True):
            assert found(raw) == games, raw


@pytest.mark.parametrize(
    ("text", "has_node"),
    [
        ("*;B [ab]*(;GM[6])", True),
        ("(;GM[5])*;BB\n[ab*c]", True),
        ("*;B[*(;GM[6]C[x])", False),
        ("*]*;B[*(;GM[6]C[x])", False),
        ("*;B*[c](;GM[6])", False),
        ("(;GM[5])*;(;GM[6])", False),
    ],
)
def test_nodes_outside_of_trees_are_seen_wherever_the_stream_is_cut(
    text: str, has_node: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(splitter, "_LONGEST_START", 14)
    for chunk in (15, 16, 64):
        monkeypatch.setattr(splitter, "_CHUNK", chunk)
        for size in range(2, 40):
            games = Splitter(io.BytesIO(text.replace("*", "x" * size).encode())).games()
            problems = [game.problem.message for game in games if game.problem]
            assert [problem.partition(":")[2] for problem in problems] == (
                [" nodes belong in a tree, which begins with a parenthesis"] * has_node
            )


#: With games of 64 bytes at most, and as many letters as numbers say: the beginnings of the texts that are found, their
#: places, and what is said of them.
_TOO_LARGE = "the game that starts here is larger than 64 bytes: not read"
LARGE: dict[str, list[tuple[str, int, int, str | None]]] = {
    "(;GM[5]C[<54>])(;GM[6])": [("", 1, 1, _TOO_LARGE)],
    "(;GM[5]C[<53>])(;GM[6])": [
        ("(;GM[5]C[", 1, 1, None),
        ("(;GM[6])", 1, 65, None),
    ],
    "(;GM[5]C[<52>])(;GM[6])": [
        ("(;GM[5]C[", 1, 1, None),
        ("(;GM[6])", 1, 64, None),
    ],
    "(;GM[5]C[<54>])\n(;GM[6])": [
        ("", 1, 1, _TOO_LARGE),
        ("(;GM[6])", 2, 1, None),
    ],
    "(;GM[5]C[<54>\n(;GM[6])\n(;GM[7])": [
        ("(;GM[5]C[", 1, 1, "this value has no closing bracket before the next game begins"),
        ("(;GM[6])", 2, 1, None),
        ("(;GM[7])", 3, 1, None),
    ],
    "(;GM[5]C[<55>\n(;GM[6])\n(;GM[7])": [
        ("", 1, 1, _TOO_LARGE),
        ("(;GM[6])", 2, 1, None),
        ("(;GM[7])", 3, 1, None),
    ],
    "(;GM[5]C[\n(;GM[6<57>\n(;GM[7])": [
        ("(;GM[5]C[", 1, 1, "this value has no closing bracket before the next game begins"),
        ("(;GM[6xxx", 2, 1, "this value has no closing bracket before the next game begins"),
        ("(;GM[7])", 3, 1, None),
    ],
    "(;GM[5]C[\n(;GM[6<58>\n(;GM[7])": [
        ("(;GM[5]C[", 1, 1, "this value has no closing bracket before the next game begins"),
        ("", 2, 1, _TOO_LARGE),
        ("(;GM[7])", 3, 1, None),
    ],
    "(;GM[5]C[\n(;GM[6]C[<80>\n(;GM[7])": [
        ("(;GM[5]C[", 1, 1, "this value has no closing bracket before the next game begins"),
        ("", 2, 1, _TOO_LARGE),
        ("(;GM[7])", 3, 1, None),
    ],
    "(;GM[5]C[<80>\n (;GM[6])\n(;GM[7])": [
        ("", 1, 1, _TOO_LARGE),
        ("(;GM[6])", 2, 2, None),
        ("(;GM[7])", 3, 1, None),
    ],
    "\n (;GM[5](;B[a1]C[<80>]\n(;FF[4]C[y])": [
        ("", 2, 2, _TOO_LARGE),
        ("(;FF[4]C[", 3, 1, None),
    ],
    "(;GM[5]C[<200>])": [("", 1, 1, _TOO_LARGE)],
    "(;GM[5]C[a])\n(;GM[6]C[<200>])\r\t(;HX[x])\n(;GM[7])": [
        ("(;GM[5]C[", 1, 1, None),
        ("", 2, 1, _TOO_LARGE),
        ("(;HX[x])", 2, 214, None),
        ("(;GM[7])", 3, 1, None),
    ],
    "(;GM[5]C[<80>]\n(;B[a1])\n(;SZ[4]))": [
        ("", 1, 1, _TOO_LARGE),
        ("(;SZ[4])", 3, 1, None),
    ],
    "(;GM[5]C[<40>\n(;GM[5]C[y])(;GM[6])": [
        ("(;GM[5]C[", 1, 1, "this value has no closing bracket before the next game begins"),
        ("(;GM[5]C[", 2, 1, None),
        ("(;GM[6])", 2, 13, None),
    ],
    "(;GM[5]C[<56>": [("", 1, 1, _TOO_LARGE)],
    "(;GM[5]C[<55>": [("(;GM[5]C[", 1, 1, "this value has no closing bracket")],
    "(;GM[5]C[<44>](;B[a1]": [("(;GM[5]C[", 1, 1, "this tree has no closing parenthesis")],
    "(;GM[5]C[<54>](;B[a1]": [("", 1, 1, _TOO_LARGE)],
}


def large(text: str) -> list[tuple[str, int, int, str | None]]:
    raw = re.sub("<([0-9]+)>", lambda found: "x" * int(found[1]), text).encode()
    return [
        (game.text[:9], game.first_line, game.first_column, game.problem and game.problem.message)
        for game in Splitter(io.BytesIO(raw)).games()
    ]


@pytest.mark.parametrize("chunk", [15, 64, 1000])
@pytest.mark.parametrize("text", LARGE)
def test_games_that_are_too_large_are_passed_over(text: str, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitter, "HEAD", 16)
    monkeypatch.setattr(splitter, "_LONGEST_START", 14)
    monkeypatch.setattr(splitter, "MAX_RECORD_BYTES", 64)
    monkeypatch.setattr(splitter, "_CHUNK", chunk)
    assert large(text) == LARGE[text]


@pytest.mark.parametrize("size", range(50, 140))
def test_a_game_after_one_that_is_too_large_is_found_wherever_the_bytes_at_hand_end(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(splitter, "HEAD", 16)
    monkeypatch.setattr(splitter, "_LONGEST_START", 14)
    monkeypatch.setattr(splitter, "MAX_RECORD_BYTES", 40)
    monkeypatch.setattr(splitter, "_CHUNK", 15)
    assert large(f"(;GM[5]C[<{size}>])\n(;GM[6])") == [
        ("", 1, 1, "the game that starts here is larger than 40 bytes: not read"),
        ("(;GM[6])", 2, 1, None),
    ]


def test_a_game_is_found_that_begins_where_one_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(splitter, "HEAD", 16)
    monkeypatch.setattr(splitter, "MAX_RECORD_BYTES", 10)
    monkeypatch.setattr(splitter, "_CHUNK", 16)
    assert large("(;C[<5>\\\n (;GM[6])") == [
        ("", 1, 1, "the game that starts here is larger than 10 bytes: not read"),
        ("(;GM[6])", 2, 2, None),
    ]


@pytest.mark.parametrize("count", [2, 3, 20])
@pytest.mark.parametrize("before", [0, 7])
def test_games_that_a_value_has_swallowed_are_not_looked_through_again(
    before: int, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is known where they end, but for the last of them."""
    looked_through = []

    def counted(data: bytes, characters: re.Pattern[bytes] | None) -> bytes:
        looked_through.append(data)
        return blotted(data, characters)

    monkeypatch.setattr(splitter, "blotted", counted)
    monkeypatch.setattr(splitter, "HEAD", 512)
    monkeypatch.setattr(splitter, "_CHUNK", 512)
    swallowed = "\n(;FF[4" * count
    games = found(("(;GM[4])\n" * before + f"(;GM[5]C[open{swallowed}])\n" + "(;GM[6])\n" * 90).encode())
    assert len(games) == before + 1 + count + 90
    assert len(looked_through) == before + 1 + 1 + 90


def test_a_swallowed_game_may_hide_the_next_in_an_encoding_of_its_own() -> None:
    """Between its braces, HZ has Chinese characters, whatever they look like."""
    first, second = found(b"(;CA[UTF-8]C[open\n(;FF[4~{\n(;GM[5~}]CA[HZ])")
    assert (first[0], second[1], second[2]) == ("(;CA[UTF-8]C[open\n", 2, 1)


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
    assert list(Splitter(stream).games())
    assert stream.ends == 1


def test_for_the_end_of_a_small_game_no_more_is_read_than_at_first() -> None:
    first = b"(;GM[5]" + b"(;B[a1])" * 12 + b")"
    stream = io.BytesIO(first + b" " * 100 + b"(;GM[6])" + b"(;GM[7])" * 100_000)
    next(Splitter(stream).games())
    assert stream.tell() == 1 << 16
