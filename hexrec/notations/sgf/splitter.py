"""Cuts a stream of SGF into games, without holding more than one.

A game runs from one parenthesis to the one that closes it; brackets hide what is in values. One that is not closed ends
where the next game begins: within a tree wherever that is, within a value on a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from hexrec.diagnostics import Diagnostic, Excerpt, shorten
from hexrec.limits import MAX_RECORD_BYTES, in_words
from hexrec.notations.base import BYTE_ORDER_MARK
from hexrec.notations.sgf.encodings import bracket_decoder, declared_in, decoded
from hexrec.notations.sgf.grammar import SPLICED, VALUE_TEXT, GameText, RawDiagnostic
from hexrec.notations.window import CHUNK, Window

#: How much of a game is looked at first to find its end; as long as that is not enough, twice as much.
_FIRST_WINDOW = 1 << 12
_START = re.compile(rb"\(\s*(?:;|[A-Z]{1,2}\[)")
_ROOT_START = r"\(\s*;\s*(?:FF|GM|CA|AP|SZ|HX|HV)\s*\["
#: A start of a game that is no start of a variation.
_ROOT = re.compile(_ROOT_START)
_ROOT_ON_ITS_LINE = re.compile(rb"[\n\r][ \t]*(" + _ROOT_START.encode() + rb")")
#: How many bytes a start of a game may have, so that it is found where only a part of the stream is at hand.
_LONGEST_START = 256
_UP_TO_PARENTHESIS = re.compile(rf"(?:[^\[()]++|\[{VALUE_TEXT}\])*+", re.DOTALL)
_VALUE_TEXT = re.compile(VALUE_TEXT, re.DOTALL)
#: A node that is not in a tree.
_NODE = re.compile(rb";\s*[A-Z]{1,2}\s*\[[^\[\]]*+\]")
_BLANKS = re.compile(rb"\s*")


class _Cut(NamedTuple):
    """Where a game ends, and why if not at its closing parenthesis; `at` is the offset of what is not closed."""

    end: int
    problem: str = ""
    at: int = 0


class _Loose(NamedTuple):
    """The text between two games: its beginning with its place, and whether there are nodes in it."""

    text: str
    line: int
    column: int
    has_nodes: bool


class Splitter(Window):
    """Cuts one stream; `games` is to be called once."""

    def games(self) -> Iterator[GameText]:
        """Yield every game of the stream, each when it is known what stands between it and the next."""
        around: tuple[Diagnostic, ...] = ()
        if self.first(CHUNK).startswith(BYTE_ORDER_MARK):
            self.at += len(BYTE_ORDER_MARK)
            message = "there is a byte-order mark before the first game"
            around = (_warning("syntax/sgf-mark", message, 1, 1, 1),)
        last: GameText | None = None
        while True:
            loose = self._pass_text()
            if loose and loose.has_nodes:
                if last:
                    yield last
                last = _not_a_game(loose, "nodes belong in a tree, which begins with a parenthesis")
            elif loose and self.left:
                around += (_skipped(loose),)
            elif loose and last:
                last.around += (_skipped(loose),)
            elif loose:
                last = _not_a_game(_Loose("", 1, 1, False), "there is no game tree here")
            if last:
                yield last
            if not self.left:
                return
            last = self._game(around)
            around = ()

    def _pass_text(self) -> _Loose | None:
        """Go to the start of the next game or to the end. Return the text passed if it is not blank."""
        loose: _Loose | None = None
        while True:
            start = _START.search(self.data, self.at)
            if start:
                stop = seen = start.start()
            elif self.left < CHUNK and self.reach(self.left + 1):
                continue
            else:  # a game may begin, and a node end, behind what is at hand
                seen = len(self.data)
                stop = seen if self.ended else seen - _LONGEST_START
            node = _NODE.search(self.data, self.at, seen)
            has_nodes = node is not None and node.start() < stop
            if not loose:
                blanks = _BLANKS.match(self.data, self.at, stop)
                self.take(blanks.end() - self.at if blanks else 0)
            line, column = self.line, self.column
            text = self.take(stop - self.at).rstrip()
            if loose:
                loose = loose._replace(has_nodes=loose.has_nodes or has_nodes)
            elif text:
                loose = _Loose(text, line, column, has_nodes)
            if start or self.ended:
                return loose

    def _game(self, around: tuple[Diagnostic, ...]) -> GameText:
        line, column = self.line, self.column
        found = self._cut()
        if found is None:
            self._skip(MAX_RECORD_BYTES)
            message = f"the game that starts here is larger than {in_words(MAX_RECORD_BYTES)}: not read"
            return GameText("", line, column, RawDiagnostic("syntax/too-large", message, 0, 1), around=around)
        raw, cut = found
        game = decoded(raw, declared_in(raw))
        self.take(len(raw), game.encoding)
        problem = game.problem
        if cut.problem:
            by_byte = len(game.text) != cut.end
            at = len(raw[: cut.at].decode(game.encoding, errors="replace")) if by_byte else cut.at
            problem = RawDiagnostic("syntax/truncated", cut.problem, at, at + 1)
        return GameText(game.text, line, column, problem, filter(None, [game.warning]), around)

    def _cut(self) -> tuple[bytes, _Cut] | None:
        """Return the bytes of the game that comes next, and the end of its text; None if it is too large."""
        size = _FIRST_WINDOW
        while True:
            data = self.first(size)
            text = bracket_decoder(data).decode(data)
            cut = _find_end(text, complete=len(data) < size)
            if cut:
                raw = data[: cut.end] if len(text) == len(data) else _bytes_of(cut.end, data)
                return (raw, cut) if len(raw) <= MAX_RECORD_BYTES else None
            if size > MAX_RECORD_BYTES:
                return None
            size *= 2

    def _skip(self, known: int) -> None:
        """Go past bytes that are known and to the next line on which a game begins, or to the end."""
        self.take(min(known, self.left))
        while True:
            found = _ROOT_ON_ITS_LINE.search(self.data, self.at)
            if found:
                self.take(found.start(1) - self.at)
                return
            self.take(max(0, self.left - _LONGEST_START))
            if not self.reach(self.left + 1):
                self.take(self.left)
                return


def begins_game(text: str) -> bool:
    """Return whether a tree, or one within it, begins as a game does: put into another game, it would end that."""
    return _ROOT.search(text) is not None


def _find_end(text: str, *, complete: bool) -> _Cut | None:
    """Return where the game that a text begins with ends; None if more of a text is needed that is not complete."""
    at = 0
    opened: list[int] = []
    while True:
        found = _UP_TO_PARENTHESIS.match(text, at)
        at = found.end() if found else at
        if text.startswith(")", at):
            opened.pop()
            at += 1
            if not opened:
                return _Cut(at)
        elif text.startswith("(", at):
            if not complete and at + _LONGEST_START > len(text):
                return None
            if opened and _ROOT.match(text, at):
                return _Cut(at, "this tree has no closing parenthesis before the next game begins", opened[-1])
            opened.append(at)
            at += 1
        elif at < len(text):
            return _end_in_value(text, at, complete=complete)
        else:
            return _Cut(at, "this tree has no closing parenthesis", opened[-1]) if complete else None


def _end_in_value(text: str, at: int, *, complete: bool) -> _Cut | None:
    """Return where a game ends of which a value has no closing bracket."""
    value = _VALUE_TEXT.match(text, at + 1)
    if value and SPLICED.match(text, value.end()):
        end = text.index("(", value.end())
        return _Cut(end, "this value has no closing bracket before the next game begins", at)
    return _Cut(len(text), "this value has no closing bracket", at) if complete else None


def _bytes_of(count: int, data: bytes) -> bytes:
    """Return the bytes of the first characters of a text."""
    decoder = bracket_decoder(data)
    for size, byte in enumerate(data):
        if count <= 0:
            return data[:size]
        count -= len(decoder.decode(bytes([byte])))
    return data


def _not_a_game(loose: _Loose, reason: str) -> GameText:
    problem = RawDiagnostic("syntax/sgf", f"not SGF: {reason}", 0, 1)
    return GameText(loose.text, loose.line, loose.column, problem)


def _skipped(loose: _Loose) -> Diagnostic:
    shown = shorten(loose.text.partition("\n")[0].rstrip(), 100)
    message = f"text outside the games is skipped: {shorten(shown, 40)}"
    warning = _warning("syntax/sgf-text", message, loose.line, loose.column, len(shown))
    return warning.at(source_line=Excerpt(shown, loose.column, False))


def _warning(code: str, message: str, line: int, column: int, length: int) -> Diagnostic:
    return Diagnostic(code, message, "warning", line=line, column=column, end_line=line, end_column=column + length)
