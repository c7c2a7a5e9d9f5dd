"""Reader for HGN: converts the text of one game to the data of a record, with the places of its parts and errors."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from hexrec.formats.base import BYTE_ORDER_MARK, Document
from hexrec.formats.field_table import depth, merge, set_path
from hexrec.formats.hgn import grammar, tags
from hexrec.formats.json import parse
from hexrec.formats.located_text import TOO_MANY, FormatError, LocatedText, decode
from hexrec.formats.places import Places
from hexrec.record.record import turn_of
from hexrec.rules.position_text import first_to_play
from hexrec.util.diagnostics import pointer_to, shorten
from hexrec.util.limits import MAX_DEPTH, MAX_VALUES

#: Levels of data that enclose the turns of a game, and levels that a variation adds.
_LEVELS, _VARIATION_LEVELS = 2, 3
#: The offsets of the start and the end of a part of the text.
_Offsets = tuple[int, int]


def documents(raw: bytes, line: int, _: int) -> Iterator[Document]:
    """Yield the document of one game, given its bytes and the line at which they begin. Raises FormatError."""
    located = decode(raw.removeprefix(BYTE_ORDER_MARK), line)
    reader = _GameReader(located)
    try:
        game_document = Document(reader.read(), text=located, syntax="hgn")
    except FormatError as bad:
        game_document = Document(error=bad.error, text=bad.text)
    warnings = tuple(reader.warnings.diagnostics("syntax/more"))
    yield replace(game_document, places=partial(_places, located), warnings=warnings)


def _places(located: LocatedText, pointers: Iterable[str] | None = None) -> Places:
    places = Places(pointers)
    with suppress(FormatError):
        _GameReader(located, places).read()
    return places


class _GameReader(grammar.GameText):
    """Reads one game. A second reading stores places, if these are requested."""

    def __init__(self, located: LocatedText, places: Places | None = None) -> None:
        super().__init__(located, places)
        #: The tags by name.
        self._tags: dict[str, re.Match[str]] = {}
        #: The number of tags, tokens and commands read.
        self._values = 0
        #: The data of comments and commands before the first turn.
        self._head: dict[str, Any] = {}
        self._token: str | None = None
        self._token_at: _Offsets
        #: The current line: its turns, the number of turns before the next one, and its JSON Pointer.
        self._line: list[Any] = []
        self._ply: int
        self._pointer = "/moves"
        #: The same for the enclosing lines, each with the offset at which the variation in it begins.
        self._outer: list[tuple[list[Any], int, str, int]] = []
        #: The comments at the start of a variation, which belong to its first turn.
        self._waiting: list[tuple[str, _Offsets]] = []
        #: The names of commands already read, each with the identity of its turn or record.
        self._commands: set[tuple[int, str]] = set()
        #: The parts of the record with annotations: the head, and turns.
        self._annotated = [self._head]

    def read(self) -> dict[str, Any]:
        """Return the data of the game. Raises FormatError."""
        start = len(self.text) - len(self.text.lstrip(grammar.WHITESPACE))
        at = self._read_tags(start)
        data: dict[str, Any] = {"hexrec": "1"}
        self._fill(data)
        self._ply = first_to_play(data.get("setup"))
        self.place("", next((tag.start() for tag in self._tags.values()), start), self.end)
        self.place("/moves", at, self.end)
        moves = self._line
        self._read_moves(at)
        if not self._tags and not moves and self._token is None:
            raise self.error("syntax/empty", "there are only comments here, and no game", start)
        self._check_end(data, at)
        self._finish_annotations()
        data |= self._head
        data["moves"] = moves
        if tags.EXTRA in self._tags:
            match = self._tags[tags.EXTRA]
            leftovers = self._json(
                self._value(match), tags.EXTRA, match.span("value"), MAX_DEPTH, tags.FIELDS_WITHOUT_TAGS
            )
            self._check_foreign(tags.EXTRA, leftovers, data, match.span("value"))
            data = merge(data, leftovers)
            self._place_all("", leftovers, match.span("value"))
        return data

    def _read_tags(self, at: int) -> int:
        """Match the tags from an offset on; return the offset of their end."""
        text = self.text
        while at < self.end:
            if text[at] in grammar.WHITESPACE:
                at += 1
            elif text[at] in ";%":
                match = grammar.TOKEN.match(text, at)
                if match is None:  # a per cent sign within a line
                    break
                self._comment(match["line"], match.span("line"))
                at = match.end()
            elif text[at] == "[":
                match = grammar.TAG.match(text, at)
                if match is None:
                    raise self.unclosed(at, 'a tag is written [Name "value"] on one line')
                self._count(at)
                name = match["name"]
                known = tags.KNOWN.get(name.lower(), name)
                if known != name:
                    self.warn("syntax/hgn-case", f"the tag is named {known}, not {shorten(name)}", *match.span("name"))
                if known in self._tags:
                    message = f"the tag {shorten(known)} appears twice in this game: keep one"
                    raise self.error("syntax/duplicate-key", message, *match.span("name"))
                self._tags[known] = match
                at = match.end()
            else:
                break
        return at

    def _value(self, match: re.Match[str]) -> str:
        return self.unescape(match["value"], match.start("value"))

    def _fill(self, data: dict[str, Any]) -> None:
        """Add the values of the tags to the record."""
        # The game comes first, since the type of a score depends on it.
        for name in sorted(self._tags, key=lambda name: name != "Game"):
            match = self._tags[name]
            text = self._value(match)
            if name == tags.RESULT:
                if text not in tags.RESULTS:
                    message = f'Result should be {tags.RESULT_FORMS}, not "{shorten(text)}"{tags.result_hint(text)}'
                    raise self.error("syntax/hgn-value", message, *match.span("value"))
                _claim(data, text)
            elif name != tags.EXTRA:
                try:
                    value = tags.decode(name, text, data.get("game"))
                except tags.UnreadableError as error:
                    message = f"{name} {error}" if str(error).startswith(("should", "is ")) else f"{name}: {error}"
                    raise self.error(error.code, message, *match.span("value")) from None
                set_path(data, tags.path_of(name), value)
                if isinstance(value, list):
                    self._place_all(pointer_to(tags.path_of(name)), value, match.span("value"))
            if self.places is not None and name != tags.EXTRA:
                self._place_tag(name, match)

    def _place_tag(self, name: str, match: re.Match[str]) -> None:
        assert self.places is not None
        pointer = pointer_to(tags.path_of(name))
        value, key = self.span(match.start("value") - 1, match.end("value") + 1), self.span(*match.span("name"))
        self.places.fill(pointer, value, key)
        parts = {"Opening": tags.match_stones, tags.SCORE: tags.match_scores}.get(name)
        if parts is not None and "\\" not in match["value"]:
            for color, part in parts(match["value"]).items():
                offset = match.start("value")
                self.place(f"{pointer}/{color}", offset + part.start("value"), offset + part.end("value"))

    def _json(self, text: str, name: str, place: _Offsets, levels: int, elsewhere: Container[str]) -> dict[str, Any]:
        """Parse a JSON object. Raises FormatError for more than `levels` levels, or for a field in `elsewhere`."""
        try:
            data = parse(LocatedText(text))
        except FormatError as bad:
            raise self.error(bad.error.code, f"{name}: {bad}", *place) from None
        if not isinstance(data, dict):
            raise self.error("syntax/hgn-value", f"{name} should be an object, written as JSON", *place)
        if depth(data) > levels:
            raise self._too_deep(*place)
        if twice := next((field for field in data if field in elsewhere), None):
            message = f"{name} should not have {twice}, which the game gives elsewhere"
            raise self.error("syntax/hgn-value", message, *place)
        return data

    def _place_all(self, pointer: str, value: Any, place: _Offsets) -> None:
        """Store one place for all parts of a value."""
        around = self.places.at(pointer) if self.places is not None else None
        if around is not None:
            around.cover(value, self.span(*place), again=True)

    def _read_moves(self, at: int) -> None:
        self._located.check_count(grammar.TOKEN, at, MAX_VALUES - self._values)
        text, match_token = self.text, grammar.TOKEN.match
        readers = {
            "word": self._word,
            "number": self._number,
            "comment": self._comment,
            "line": self._comment,
            "glyph": self._glyph,
            "open": self._open,
            "close": self._close,
            "text": self._quoted_turn,
        }
        while at < self.end:
            match = match_token(text, at)
            if match is None:
                raise self.stray(at)
            self._count(at)
            at = match.end()
            kind = match.lastgroup
            assert kind is not None
            if self._token is not None and kind not in ("comment", "line"):
                message = "the game has ended here: the next one begins with a tag on a new line"
                raise self.error("syntax/hgn", message, *match.span(kind))
            readers[kind](match[kind], match.span(kind))

    def _word(self, word: str, place: _Offsets) -> None:
        if word in tags.RESULTS:
            if self._outer:
                raise self.error("syntax/hgn", "a variation has no result", *place)
            self._token, self._token_at = word, place
            return
        suffixed = grammar.SUFFIXED.fullmatch(word) if word[-1] in "!?" else None
        self._turn(suffixed[1] if suffixed else word, place)
        if suffixed:
            self._annotate(grammar.SUFFIXES[suffixed[2]], place)

    def _quoted_turn(self, text: str, place: _Offsets) -> None:
        self._turn(self.unescape(text[1:-1], place[0] + 1), place)

    def _turn(self, turn: str, place: _Offsets) -> None:
        self._line.append(turn)
        self._ply += 1
        if self.places is not None:
            self.place(self._here, *place)
            self.place(f"{self._here}/turn", *place)
        waiting, self._waiting = self._waiting, []
        for comment in waiting:
            self._comment(*comment)

    @property
    def _here(self) -> str:
        """The JSON Pointer of the last turn."""
        return f"{self._pointer}/{len(self._line) - 1}"

    def _number(self, number: str, place: _Offsets) -> None:
        right = f"{self._ply // 2 + 1}{'...' if self._ply % 2 else '.'}"
        if number != right:
            self.warn("syntax/hgn-number", f"the number here should be {right}, not {shorten(number, 20)}", *place)

    def _glyph(self, glyph: str, place: _Offsets) -> None:
        try:
            self._annotate(tags.read_number(glyph[1:].lstrip("0") or "0"), place)
        except tags.UnreadableError as error:
            raise self.error(error.code, str(error), *place) from None

    def _annotate(self, number: int, place: _Offsets) -> None:
        self._check_follows("a glyph", place)
        glyphs = self._move().setdefault("nag", [])
        glyphs.append(number)
        if self.places is not None:
            self.places.fill(f"{self._here}/nag", self.span(*place))
            self.place(f"{self._here}/nag/{len(glyphs) - 1}", *place)

    def _check_follows(self, name: str, place: _Offsets) -> None:
        """Raise FormatError if an element does not follow a turn."""
        if not self._line:
            raise self.error("syntax/hgn", f"{name} belongs after a turn", *place)

    def _move(self) -> dict[str, Any]:
        """Return the last turn as an object."""
        move = self._line[-1]
        if isinstance(move, str):
            self._line[-1] = move = {"turn": move}
            self._annotated.append(move)
        last_move: dict[str, Any] = move
        return last_move

    def _open(self, _: str, place: _Offsets) -> None:
        self._check_follows("a variation", place)
        move = self._move()
        if _LEVELS + _VARIATION_LEVELS * (len(self._outer) + 1) > MAX_DEPTH:
            raise self._too_deep(*place)
        lines = move.setdefault("variations", [])
        self.place(f"{self._here}/variations", *place)
        pointer = f"{self._here}/variations/{len(lines)}"
        self.place(pointer, *place)
        self._outer.append((self._line, self._ply, self._pointer, place[0]))
        self._line, self._ply, self._pointer = [], self._ply - 1, pointer
        lines.append(self._line)

    def _close(self, _: str, place: _Offsets) -> None:
        if not self._outer:
            raise self.error("syntax/hgn", "no variation is open that this bracket could close", *place)
        if self._waiting:
            raise self.error("syntax/hgn", "this variation has a comment, but no turn", *place)
        self._line, self._ply, self._pointer, _start = self._outer.pop()

    def _comment(self, text: str, place: _Offsets) -> None:
        """Add a comment and its commands to the last turn, or to the record before the first turn."""
        if text.startswith("%"):
            message = f"a line that begins with % is skipped ({shorten(text)}): make it a comment, or take it out"
            self.warn("syntax/hgn-skipped", message, *place)
            return
        if self._outer and not self._line:
            self._waiting.append((text, place))
            return
        part, pointer = (self._move(), self._here) if self._line else (self._head, "")
        comment, commands = self.split_comment(text, place[0], None if self._line else tags.HEAD_COMMANDS)
        if comment is not None:
            part.setdefault("comment", []).append(comment)
            self.place(f"{pointer}/comment", *place)
        for command in commands:
            self._command(command, part, pointer)

    def _command(self, command: grammar.Command, part: dict[str, Any], pointer: str) -> None:
        """Add the data of a command to a part of the record at a pointer."""
        name, place = command.name, command.place
        self._count(place[0])
        if (id(part), name) in self._commands:
            where = "at this turn" if part is not self._head else "before the first turn"
            raise self.error("syntax/duplicate-key", f"[%{shorten(name)}] appears twice {where}: keep one", *place)
        self._commands.add((id(part), name))
        if name == tags.COMMAND_EXTRA:
            # It stays in the turn under this name, which is no field, until the turn is complete.
            levels = MAX_DEPTH - _LEVELS - _VARIATION_LEVELS * len(self._outer)
            part[name] = self._json(command.value, f"[%{name}]", place, levels, tags.FIELDS_WITHOUT_COMMANDS)
            self._place_all(pointer, part[name], place)
        elif field := tags.COMMANDS.get(name):
            try:
                value = field.decode(command.value)
            except tags.UnreadableError as error:
                raise self.error(error.code, f"[%{name}]: {error}", *place) from None
            set_path(part, field.path, value)
            here = pointer + pointer_to(field.path)
            self.place(here, *place)
            self._place_all(here, value, place)
        else:
            part.setdefault(tags.FOREIGN, {})[name] = command.value
            self.place(f"{pointer}/{tags.FOREIGN}/{name}", *place)
        self._check_foreign(f"[%{tags.COMMAND_EXTRA}]", part.get(tags.COMMAND_EXTRA, {}), part, place)

    def _check_foreign(self, name: str, leftovers: dict[str, Any], data: dict[str, Any], place: _Offsets) -> None:
        """Raise FormatError if leftovers would replace preserved tags or commands of other programs."""
        if tags.FOREIGN in data and not isinstance(leftovers.get(tags.FOREIGN, {}), dict):
            held = next(iter(data[tags.FOREIGN]))
            message = f"in {name}, {tags.FOREIGN} should be an object, so that it can take {shorten(held)}, too"
            raise self.error("syntax/hgn-value", message, *place)

    def _check_end(self, data: dict[str, Any], moves_at: int) -> None:
        if self._outer:
            start = self._outer[-1][3]
            message = "this variation is not closed: the rest of the game is missing"
            raise self.error("syntax/truncated", message, start)
        claimed = self._value(self._tags[tags.RESULT]) if tags.RESULT in self._tags else None
        if self._token is None:
            self._end_without_token(claimed, moves_at)
        elif claimed is not None:
            if claimed != self._token:
                message = f"the game ends with {self._token}, but its tag Result is {claimed}"
                raise self.error("syntax/hgn-result", message, *self._token_at)
        else:
            _claim(data, self._token)
            self.place("/result", *self._token_at)
            self.place("/result/winner", *self._token_at)
        if (self._token or claimed or tags.UNFINISHED) == tags.UNFINISHED:
            for name in ("Termination", "Illegal", "DecidedBy", "Reason", tags.SCORE):
                if name in self._tags:
                    message = f"an unfinished game ({tags.UNFINISHED}) has no {name}"
                    if self._token is None:
                        message = f"a game with {name} has ended, but it has no result at its end"
                    raise self.error("syntax/hgn-result", message, *self._tags[name].span("value"))

    def _end_without_token(self, claimed: str | None, moves_at: int) -> None:
        """Read a game without a result at its end: unfinished, or with the result in its tag. Raises FormatError."""
        last = (self.end - 1, self.end)
        if not self._line:
            message = "the game ends without turns and without a result (* while it is unfinished): the rest is missing"
            raise self.error("syntax/truncated", message, *last)
        turn = turn_of(self._line[-1])
        if hint := tags.result_hint(turn):
            words = [match for match in grammar.TOKEN.finditer(self.text, moves_at) if match["word"] == turn]
            if words:  # without quotes, so it may be no turn
                message = f'the game should end with {tags.RESULT_FORMS}, not with "{shorten(turn)}"{hint}'
                raise self.error("syntax/hgn", message, *words[-1].span("word"))
        read = "as unfinished" if claimed is None else f"with that of its tag Result, {claimed}"
        message = f"the game ends without its result (* while it is unfinished): read {read}; its end may be missing"
        self.warn("syntax/hgn-no-result", message, *last)

    def _finish_annotations(self) -> None:
        for part in self._annotated:
            if "comment" in part:
                part["comment"] = "\n".join(part["comment"])
            leftovers = part.pop(tags.COMMAND_EXTRA, {})
            part.update(merge(part, leftovers))

    def _count(self, at: int) -> None:
        """Count a tag, a token or a command. Raises FormatError if there are too many."""
        self._values += 1
        if self._values > MAX_VALUES:
            raise self.error("syntax/too-large", TOO_MANY, at)

    def _too_deep(self, start: int, end: int) -> FormatError:
        message = f"more than {MAX_DEPTH} levels of arrays and objects"
        return self.error("syntax/too-deep", message, start, end)


def _claim(data: dict[str, Any], token: str) -> None:
    """Add the result for the token at the end of a game to the record."""
    claim = tags.RESULTS[token]
    if claim is not None:
        data["result"] = claim | data.get("result", {})
