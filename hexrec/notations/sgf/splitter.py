"""Cuts a stream of SGF into games, without holding more than one.

A game's bytes run from one parenthesis to the one that closes it; brackets hide what is in values. That is seen in
the bytes, before they are decoded: where the encoding has bytes of brackets within characters, these are blotted out
first. A game that is not closed ends where, outside of values or at the end of one, the next begins.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from hexrec.diagnostics import Diagnostic, Excerpt, shorten
from hexrec.limits import MAX_RECORD_BYTES, in_words
from hexrec.notations.base import BYTE_ORDER_MARK
from hexrec.notations.sgf.encodings import HEAD, VALUE, blotted, declared_in, decoded, lookalikes
from hexrec.notations.sgf.grammar import GameText, RawDiagnostic

_CHUNK = 1 << 16
_START = re.compile(rb"\(\s*(?:;|[A-Z]{1,2}\[)")
#: A start of a game that is no start of a variation.
_ROOT = re.compile(rb"\(\s*;\s*(?:FF|GM|CA|AP|SZ|HX|HV)\s*\[")
_ROOT_ON_ITS_LINE = re.compile(rb"[\n\r][ \t]*(" + _ROOT.pattern + rb")")
_LONGEST_START = 256
_UP_TO_PARENTHESIS = re.compile(rb"(?:[^\[()]++|" + VALUE + rb")*+", re.DOTALL)
_A_VALUE = re.compile(VALUE, re.DOTALL)
#: On a line of its own, how a game begins. Where nothing is escaped from there to the end of a value, it has swallowed
#: the game.
_SWALLOWED = re.compile(rb"[\n\r][ \t]*(\(\s*;\s*[A-Z]{1,2}\s*\[)")
_SPLICED = "this value has no closing bracket before the next game begins"
_PERHAPS_SPLICED = re.compile(rb"[\n\r][ \t]*\(\s*;")
#: How a node begins; it is one if a bracket closes its value.
_NODE = re.compile(rb";\s*[A-Z]{1,2}\s*\[")


class _Cut(NamedTuple):
    """Where a game ends, and why if not at its closing parenthesis; `at` is the offset of what is not closed."""

    end: int
    problem: str = ""
    at: int = 0


class Splitter:
    """Cuts one stream; `games` is to be called once."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._data = b""
        #: Where in the data what has not been passed yet begins.
        self._at = 0
        self._ended = False
        self._line = 1
        self._column = 1
        #: Where, counted from the data's beginning, one value has swallowed the games that begin there, in order.
        self._swallowed: deque[int] = deque()

    def head(self) -> bytes:
        """Return the first bytes of the stream."""
        return self._window(_CHUNK)

    def games(self) -> Iterator[GameText]:
        """Yield every game of the stream, each when it is known what stands between it and the next."""
        around: list[Diagnostic] = []
        if self.head().startswith(BYTE_ORDER_MARK):
            self._at += len(BYTE_ORDER_MARK)
            message = "there is a byte-order mark before the first game"
            around.append(_warning("syntax/sgf-mark", message, 1, 1, 1))
        last: GameText | None = None
        while True:
            found = self._pass_text()
            if isinstance(found, GameText):
                if last:
                    yield last
                last = found
                continue
            if self._left:
                if last:
                    yield last
                around += found
                last = self._game(tuple(around))
                around = []
                continue
            if last:
                last.around += tuple(found)
                yield last
            elif found:
                yield GameText(
                    "", 1, 1, problem=RawDiagnostic("syntax/sgf", "not SGF: there is no game tree here", 0, 1)
                )
            return

    @property
    def _left(self) -> int:
        """How many bytes have been read and not been passed."""
        return len(self._data) - self._at

    def _more(self) -> bool:
        """Read on, twice as far each time; return whether there was anything."""
        chunk = b"" if self._ended else self._stream.read(max(_CHUNK, self._left))
        self._ended = not chunk
        if chunk:
            self._swallowed = deque(at - self._at for at in self._swallowed)
            self._data = self._data[self._at :] + chunk
            self._at = 0
        return bool(chunk)

    def _window(self, count: int) -> bytes:
        """Return the next bytes, so many if there are."""
        while self._left < count and self._more():
            pass
        return self._data[self._at : self._at + count]

    def _take(self, count: int, encoding: str = "utf-8") -> str:
        """Return the text of the next bytes and go past them."""
        text = self._data[self._at : self._at + count].decode(encoding, errors="replace")
        self._at += count
        self._advance(text)
        return text

    def _advance(self, text: str) -> None:
        ends = text.count("\n")
        self._line += ends
        self._column = len(text) - text.rfind("\n") if ends else self._column + len(text)

    def _pass_text(self) -> list[Diagnostic] | GameText:
        """Go to the start of the next game or to the end. Return a warning of the text passed if it is not blank.

        If that text has nodes, it is a game that lacks its start, and returned as one.
        """
        first = ""
        place = self._line, self._column
        opened = nodes = False
        while True:
            start = _START.search(self._data, self._at)
            if start:
                passed = start.start() - self._at
            elif self._left < _CHUNK and self._more():
                continue
            else:
                # All of it has been looked through, but a game may begin at its end and go on in what follows.
                passed = self._left if self._ended else self._left - _LONGEST_START
            looked_at, end = self._at, self._at + passed
            if not opened and (node := _NODE.search(self._data, looked_at, end + _LONGEST_START)):
                # It may go on in what follows, but one that begins there is not in this text.
                opened = node.start() < end
                looked_at = node.end()
            nodes = nodes or (opened and self._data.find(b"]", looked_at, end) >= 0)
            here = self._line, self._column
            text = self._take(passed)
            if not first and text.strip():
                place = here
                blanks = text[: len(text) - len(text.lstrip())]
                first = text[len(blanks) :].rstrip()
                ends = blanks.count("\n")
                column = len(blanks) - blanks.rfind("\n") if ends else place[1] + len(blanks)
                place = place[0] + ends, column
            if start or self._ended:
                break
        if not first:
            return []
        if nodes:
            message = "not SGF: nodes belong in a tree, which begins with a parenthesis"
            return GameText(first, *place, problem=RawDiagnostic("syntax/sgf", message, 0, 1))
        shown = shorten(first.partition("\n")[0].rstrip(), 100)
        warning = _warning(
            "syntax/sgf-text", f"text outside the games is skipped: {shorten(shown, 40)}", *place, len(shown)
        )
        return [warning.at(source_line=Excerpt(shown, place[1], False))]

    def _game(self, around: tuple[Diagnostic, ...]) -> GameText:
        declared = declared_in(self._window(HEAD))
        cut = self._find_end(lookalikes(declared) if declared else None)
        line, column = self._line, self._column
        if cut is None:
            self._skip(MAX_RECORD_BYTES)
            message = f"the game that starts here is larger than {in_words(MAX_RECORD_BYTES)}: not read"
            return GameText("", line, column, RawDiagnostic("syntax/too-large", message, 0, 1), around=around)
        raw = self._window(cut.end)
        # What was seen before the end was known may be the next game's, or less than this one says.
        game = decoded(raw, declared_in(raw))
        self._take(cut.end, game.encoding)
        problem = game.problem
        if cut.problem:
            at = len(raw[: cut.at].decode(game.encoding, errors="replace"))
            problem = RawDiagnostic("syntax/truncated", cut.problem, at, at + 1)
        return GameText(game.text, line, column, problem, filter(None, [game.warning]), around)

    def _find_end(self, characters: re.Pattern[bytes] | None) -> _Cut | None:
        """Return where the game that the data begin with ends; None if it is too large."""
        swallowed = self._next_swallowed() if characters is None else None
        if swallowed is not None:
            return swallowed
        depth = at = 0
        size = HEAD
        data = blotted(self._window(size), characters)
        opened: list[int] = []
        while True:
            found = _UP_TO_PARENTHESIS.match(data, at)
            at = found.end() if found else at
            # What stands at the end of the window may go on behind it.
            cut_off = (
                at == len(data) or data[at] == ord("[") or (data[at] == ord("(") and at + _LONGEST_START > len(data))
            )
            if cut_off and size <= MAX_RECORD_BYTES and (self._left > len(data) or self._more()):
                size *= 2
                data = blotted(self._window(size), characters)
                continue
            if at == len(data) or data[at] == ord("["):
                what = "tree has no closing parenthesis" if at == len(data) else "value has no closing bracket"
                cut = _Cut(len(data), f"this {what}", opened[-1] if at == len(data) else at)
                break
            if data[at] == ord(")"):
                depth -= 1
                opened.pop()
                if depth == 0:
                    cut = _Cut(at + 1)
                    break
            else:
                if depth and _ROOT.match(data, at):
                    problem = "this tree has no closing parenthesis before the next game begins"
                    cut = _Cut(at, problem, opened[-1])
                    break
                depth += 1
                opened.append(at)
            at += 1
        splice = _find_splice(data[: cut.end])
        if splice:
            value, starts = splice
            if starts[0] > MAX_RECORD_BYTES:
                return None
            self._swallowed = deque(self._at + start for start in starts)
            return _Cut(starts[0], _SPLICED, value)
        return None if cut.end > MAX_RECORD_BYTES else cut

    def _next_swallowed(self) -> _Cut | None:
        """Return where a game ends that a value has swallowed with another after it; None for any other game."""
        while self._swallowed and self._swallowed[0] < self._at:
            self._swallowed.popleft()
        if len(self._swallowed) < 2 or self._swallowed[0] != self._at:
            return None
        self._swallowed.popleft()
        size = self._swallowed[0] - self._at
        # One that is too large is found so when it is looked through.
        return None if size > MAX_RECORD_BYTES else _Cut(size, _SPLICED, self._data.index(b"[", self._at) - self._at)

    def _skip(self, known: int) -> None:
        """Go past bytes that are known and to the next line on which a game begins, or to the end."""
        self._take(min(known, self._left))
        while True:
            found = _ROOT_ON_ITS_LINE.search(self._data, self._at)
            if found:
                self._take(found.start(1) - self._at)
                return
            self._take(max(0, self._left - _LONGEST_START))
            if not self._more():
                self._take(self._left)
                return


def begins_game(text: str) -> bool:
    """Return whether a tree, or one within it, begins as a game does: put into another game, it would end that."""
    return _ROOT.search(text.encode()) is not None


def _warning(code: str, message: str, line: int, column: int, length: int) -> Diagnostic:
    return Diagnostic(code, message, "warning", line=line, column=column, end_line=line, end_column=column + length)


def _find_splice(data: bytes) -> tuple[int, list[int]] | None:
    """Return where a value is that has no closing bracket of its own, and where games begin in it."""
    if not _PERHAPS_SPLICED.search(data, 1):
        return None
    start = data.find(b"[")
    while start >= 0 and (value := _A_VALUE.match(data, start)):
        after_escapes = data.rfind(b"\\", start, value.end()) + 1 or start
        starts = [found.start(1) for found in _SWALLOWED.finditer(data, after_escapes, value.end())]
        if starts:
            return start, starts
        start = data.find(b"[", value.end())
    # Where one value has no closing bracket, none after it has.
    return None
