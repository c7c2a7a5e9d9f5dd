"""Reader for HGN: converts the text of one game to the data of a record, with the places of its parts and errors."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any

from hexrec.formats.base import TOO_MANY, Document, FormatError, LocatedText, find_excess
from hexrec.formats.field_table import TextField, depth, merge, set_path
from hexrec.formats.hgn import grammar, tags, values
from hexrec.formats.json import parse
from hexrec.formats.places import Places
from hexrec.record.record import turn_of
from hexrec.rules.position_text import first_to_play
from hexrec.util.diagnostics import Diagnostic, FirstFew, pointer_to, shorten
from hexrec.util.limits import MAX_DEPTH, MAX_VALUES

#: Levels of data that enclose the turns of a game, and levels that a variation adds.
_LEVELS, _VARIATION_LEVELS = 2, 3


def document(located: LocatedText) -> Document:
    """Return the document of one game."""
    reader = _GameReader(located)
    try:
        game_document = Document(reader.read(), text=located)
    except FormatError as bad:
        game_document = bad.document
    warnings = tuple(reader.warnings.diagnostics("syntax/more"))
    return replace(game_document, places=partial(_places, located), warnings=warnings)


def _places(located: LocatedText, pointers: Iterable[str] | None = None) -> Places:
    places = Places(pointers)
    with suppress(FormatError):
        _GameReader(located, places).read()
    return places


class _GameReader:
    """Reads one game. A second reading stores places, if these are requested.

    Attributes:
        text: the text of the game.
        end: the offset just past the last character that is not whitespace.
        places: the places of its parts, if requested.
        warnings: the warnings about input that was read although the grammar does not allow it.
    """

    def __init__(self, located: LocatedText, places: Places | None = None) -> None:
        self.text = located.text
        self.end = len(self.text.rstrip(grammar.WHITESPACE))
        self.places = places
        self.warnings = FirstFew[Diagnostic]()
        self.span, self.error = located.span, located.error
        self._located = located
        #: The number of tags, tokens and commands read.
        self._values = 0
        self._comments: list[str] = []
        #: The data of commands before the first turn.
        self._head: dict[str, Any] = {}
        self._token: str | None = None
        self._token_at: tuple[int, int]
        #: The current line: its turns, the number of turns before the next one, and its JSON Pointer.
        self._line: list[Any] = []
        self._ply: int
        self._pointer = "/moves"
        #: The same for the enclosing lines, each with the offset at which the variation in it begins.
        self._outer: list[tuple[list[Any], int, str, int]] = []
        #: Functions that add the comments at the start of a variation to its first turn.
        self._waiting: list[Callable[[], None]] = []
        #: The names of commands already read, each with the identity of its turn or record.
        self._commands: set[tuple[int, str]] = set()
        #: The lines and indices of turns with annotations.
        self._annotated: list[tuple[list[Any], int]] = []

    def read(self) -> dict[str, Any]:
        """Return the data of the game. Raises FormatError."""
        try:
            return self._read()
        except grammar.EscapeError as error:
            message = "this backslash begins no escape: for a backslash, write two"
            raise self.error("syntax/hgn-escape", message, *error.args) from None

    def _read(self) -> dict[str, Any]:
        start = len(self.text) - len(self.text.lstrip(grammar.WHITESPACE))
        tag_matches, at = self._read_tags(start)
        data: dict[str, Any] = {"hexrec": "1"}
        self._fill(data, tag_matches)
        self._ply = first_to_play(data.get("setup"))
        self.place("", next((tag.start() for tag in tag_matches.values()), start), self.end)
        self.place("/moves", at, self.end)
        moves = self._line
        self._read_moves(at)
        if not tag_matches and not moves and self._token is None:
            raise self.error("syntax/empty", "there are only comments here, and no game", start)
        self._check_end(data, tag_matches, at)
        if self._comments:
            data["comment"] = "\n".join(self._comments)
        data |= self._head
        data["moves"] = moves
        if tags.EXTRA in tag_matches:
            match = tag_matches[tags.EXTRA]
            leftovers = self._json(
                self._value(match), tags.EXTRA, match.span("value"), MAX_DEPTH, tags.FIELDS_WITHOUT_TAGS
            )
            self._check_foreign(tags.EXTRA, leftovers, data, match.span("value"))
            data = merge(data, leftovers)
            self._place_all("", leftovers, match.span("value"))
        self._finish_moves()
        return data

    # Tags.

    def _read_tags(self, at: int) -> tuple[dict[str, Any], int]:
        """Return the matches of the tags by name, and the offset of their end."""
        text = self.text
        tag_matches: dict[str, Any] = {}
        while at < self.end:
            if text[at] in grammar.WHITESPACE:
                at += 1
            elif text[at] in ";%":
                match = grammar.TOKEN.match(text, at)
                if match is None:  # a per cent sign within a line
                    break
                self._line_comment(match)
                at = match.end()
            elif text[at] == "[":
                match = grammar.TAG.match(text, at)
                if match is None:
                    raise self.unclosed(at, 'a tag is written [Name "value"] on one line')
                self.count(at)
                self._take_tag(tag_matches, match)
                at = match.end()
            else:
                break
        return tag_matches, at

    def _take_tag(self, tag_matches: dict[str, Any], match: Any) -> None:
        name = match["name"]
        known = tags.KNOWN.get(name.lower(), name)
        if known != name:
            message = f"the tag is named {known}, not {shorten(name)}"
            self.warn("syntax/hgn-case", message, *match.span("name"))
        if known in tag_matches:
            message = f"the tag {shorten(known)} appears twice in this game: keep one"
            raise self.error("syntax/duplicate-key", message, *match.span("name"))
        tag_matches[known] = match

    def _value(self, match: Any) -> str:
        return grammar.unescape(match["value"], match.start("value"))

    def _fill(self, data: dict[str, Any], tag_matches: dict[str, Any]) -> None:
        """Add the values of the tags to the record."""
        # The game comes first, since the type of a score depends on it.
        names = sorted(tag_matches, key=lambda name: name != "Game")
        for name in names:
            match = tag_matches[name]
            text = self._value(match)
            if name == tags.RESULT:
                if text not in tags.RESULTS and text != tags.UNFINISHED:
                    message = f'Result should be {tags.RESULT_FORMS}, not "{shorten(text)}"{tags.result_hint(text)}'
                    raise self.error("syntax/hgn-value", message, *match.span("value"))
                _claim(data, text)
            elif name != tags.EXTRA:
                try:
                    value = tags.decode(name, text, data.get("game"))
                except values.UnreadableError as error:
                    message = f"{name} {error}" if str(error).startswith(("should", "is ")) else f"{name}: {error}"
                    raise self.error(error.code, message, *match.span("value")) from None
                set_path(data, tags.path_of(name), value)
                if isinstance(value, list):
                    self._place_all(pointer_to(tags.path_of(name)), value, match.span("value"))
            if self.places is not None and name != tags.EXTRA:
                self._place_tag(name, match)

    def _place_tag(self, name: str, match: Any) -> None:
        assert self.places is not None
        pointer = pointer_to(tags.path_of(name))
        value, key = self.span(match.start("value") - 1, match.end("value") + 1), self.span(*match.span("name"))
        self.places.fill(pointer, value, key)
        parts = {"Opening": values.match_stones, tags.SCORE: values.match_scores}.get(name)
        if parts is not None and "\\" not in match["value"]:
            for color, part in parts(match["value"]).items():
                offset = match.start("value")
                self.place(f"{pointer}/{color}", offset + part.start("value"), offset + part.end("value"))

    def _json(
        self, text: str, name: str, place: tuple[int, int], levels: int, elsewhere: Container[str]
    ) -> dict[str, Any]:
        """Parse a JSON object. Raises FormatError for more than `levels` levels, or for a field in `elsewhere`."""
        try:
            data = parse(LocatedText(text))
        except FormatError as bad:
            raise self.error(bad.code, f"{name}: {bad}", *place) from None
        if not isinstance(data, dict):
            raise self.error("syntax/hgn-value", f"{name} should be an object, written as JSON", *place)
        if depth(data) > levels:
            raise self.too_deep(*place)
        if twice := next((field for field in data if field in elsewhere), None):
            message = f"{name} should not have {twice}, which the game gives elsewhere"
            raise self.error("syntax/hgn-value", message, *place)
        return data

    def _place_all(self, pointer: str, value: Any, place: tuple[int, int]) -> None:
        """Store one place for all parts of a value."""
        around = self.places.at(pointer) if self.places is not None else None
        if around is not None:
            around.cover(value, self.span(*place), again=True)

    # Turns.

    def _read_moves(self, at: int) -> None:
        self.check_moves(at)
        text, match_token = self.text, grammar.TOKEN.match
        readers = {
            "number": self._number,
            "comment": self._comment,
            "line": self._line_comment,
            "glyph": self._glyph,
            "open": self._open,
            "close": self._close,
            "text": self._quoted_turn,
        }
        while at < self.end:
            match = match_token(text, at)
            if match is None:
                raise self.stray(at)
            self.count(at)
            at = match.end()
            kind = match.lastgroup
            assert kind is not None
            if self._token is not None and kind not in ("comment", "line"):
                message = "the game has ended here: the next one begins with a tag on a new line"
                raise self.error("syntax/hgn", message, *match.span(kind))
            if kind != "word":
                readers[kind](match)
                continue
            word = match[kind]
            if word in tags.RESULTS or word == tags.UNFINISHED:
                self._take_token(word, match.span(kind))
                continue
            sign = None
            if word[-1] in "!?":
                word, sign = grammar.split_suffix(word)
            self._turn(word, match.span(kind))
            if sign is not None:
                self._annotate(sign, match.span(kind))

    def _turn(self, turn: str, place: tuple[int, int]) -> None:
        self._line.append(turn)
        self._ply += 1
        if self.places is not None:
            self.place(self._here, *place)
            self.place(f"{self._here}/turn", *place)
        waiting, self._waiting = self._waiting, []
        for comment in waiting:
            comment()

    @property
    def _here(self) -> str:
        """The JSON Pointer of the last turn."""
        return f"{self._pointer}/{len(self._line) - 1}"

    def _quoted_turn(self, match: Any) -> None:
        start, end = match.span("text")
        self._turn(grammar.unescape(self.text[start + 1 : end - 1], start + 1), (start, end))

    def _take_token(self, word: str, place: tuple[int, int]) -> None:
        if self._outer:
            raise self.error("syntax/hgn", "a variation has no result", *place)
        self._token, self._token_at = word, place

    def _number(self, match: Any) -> None:
        right = f"{self._ply // 2 + 1}{'...' if self._ply % 2 else '.'}"
        if match["number"] != right:
            message = f"the number here should be {right}, not {shorten(match['number'], 20)}"
            self.warn("syntax/hgn-number", message, *match.span("number"))

    def _glyph(self, match: Any) -> None:
        place = match.span("glyph")
        try:
            self._annotate(values.read_number(match["glyph"][1:].lstrip("0") or "0"), place)
        except values.UnreadableError as error:
            raise self.error(error.code, str(error), *place) from None

    def _annotate(self, number: int, place: tuple[int, int]) -> None:
        self._check_follows("a glyph", place)
        glyphs = self._move().setdefault("nag", [])
        glyphs.append(number)
        if self.places is not None:
            self.places.fill(f"{self._here}/nag", self.span(*place))
            self.place(f"{self._here}/nag/{len(glyphs) - 1}", *place)

    def _check_follows(self, name: str, place: tuple[int, int]) -> None:
        """Raise FormatError if an element does not follow a turn."""
        if not self._line:
            raise self.error("syntax/hgn", f"{name} belongs after a turn", *place)

    def _move(self) -> dict[str, Any]:
        """Return the last turn as an object."""
        move = self._line[-1]
        if isinstance(move, str):
            self._line[-1] = move = {"turn": move}
            self._annotated.append((self._line, len(self._line) - 1))
        last_move: dict[str, Any] = move
        return last_move

    def _open(self, match: Any) -> None:
        place = match.span("open")
        self._check_follows("a variation", place)
        move = self._move()
        if _LEVELS + _VARIATION_LEVELS * (len(self._outer) + 1) > MAX_DEPTH:
            raise self.too_deep(*place)
        lines = move.setdefault("variations", [])
        self.place(f"{self._here}/variations", *place)
        pointer = f"{self._here}/variations/{len(lines)}"
        self.place(pointer, *place)
        self._outer.append((self._line, self._ply, self._pointer, place[0]))
        self._line, self._ply, self._pointer = [], self._ply - 1, pointer
        lines.append(self._line)

    def _close(self, match: Any) -> None:
        place = match.span("close")
        if not self._outer:
            raise self.error("syntax/hgn", "no variation is open that this bracket could close", *place)
        if self._waiting:
            raise self.error("syntax/hgn", "this variation has a comment, but no turn", *place)
        self._line, self._ply, self._pointer, _ = self._outer.pop()

    # Comments.

    def _line_comment(self, match: Any) -> None:
        start, end = match.span("line")
        if self.text[start] == "%":
            line = shorten(self.text[start:end])
            message = f"a line that begins with % is skipped ({line}): make it a comment, or take it out"
            self.warn("syntax/hgn-skipped", message, start, end)
            return
        comment = self.text[start + 1 : end].strip(grammar.WHITESPACE)
        if self._line:
            self._add_comment(comment, (start, end))
        elif not self._outer:
            self._comments.append(comment)
            self.place("/comment", start, end)
        else:
            self._waiting.append(partial(self._add_comment, comment, (start, end)))

    def _comment(self, match: Any) -> None:
        start, end = match.span("comment")
        body = self.text[start + 1 : end - 1]
        if self._line:
            self._take_comment(body, start + 1)
        elif self._outer:
            self._waiting.append(partial(self._take_comment, body, start + 1))
        else:
            comment, commands = grammar.comment_parts(body, start + 1, tags.HEAD_COMMANDS)
            if comment is not None:
                self._comments.append(comment)
                self.place("/comment", start, end)
            for command in commands:
                self._command(command, tags.HEAD_COMMANDS, self._head, "")

    def _take_comment(self, body: str, start: int) -> None:
        """Add a comment, given without its braces, and its commands to the last turn."""
        comment, commands = grammar.comment_parts(body, start)
        if comment is not None:
            self._add_comment(comment, (start - 1, start + len(body) + 1))
        for command in commands:
            self._command(command, tags.COMMANDS, self._move(), self._here)

    def _add_comment(self, comment: str, place: tuple[int, int]) -> None:
        self._move().setdefault("comment", []).append(comment)
        self.place(f"{self._here}/comment", *place)

    def _command(
        self, command: grammar.Command, table: Mapping[str, TextField], part: dict[str, Any], pointer: str
    ) -> None:
        """Add the data of a command to a part of the record at a pointer; `table` has the commands of that part."""
        name, place = command.name, (command.start, command.end)
        self.count(command.start)
        if (id(part), name) in self._commands:
            where = "at this turn" if part is not self._head else "before the first turn"
            raise self.error("syntax/duplicate-key", f"[%{shorten(name)}] appears twice {where}: keep one", *place)
        self._commands.add((id(part), name))
        if name == tags.COMMAND_EXTRA:
            # It stays in the turn under this name, which is no field, until the turn is complete.
            levels = MAX_DEPTH - _LEVELS - _VARIATION_LEVELS * len(self._outer)
            part[name] = self._json(command.value, f"[%{name}]", place, levels, tags.FIELDS_WITHOUT_COMMANDS)
            self._place_all(pointer, part[name], place)
        elif not self._take_known(command, table, part, pointer):
            part.setdefault(tags.FOREIGN, {})[name] = command.value
            self.place(f"{pointer}/{tags.FOREIGN}/{name}", *place)
        self._check_foreign(f"[%{tags.COMMAND_EXTRA}]", part.get(tags.COMMAND_EXTRA, {}), part, place)

    def _take_known(
        self, command: grammar.Command, table: Mapping[str, TextField], part: dict[str, Any], pointer: str
    ) -> bool:
        """Store the value of a command in its field; return whether it has a field and a value."""
        place = (command.start, command.end)
        known = table.get(command.name)
        try:
            value = known.decode(command.value) if known else None
        except values.UnreadableError as error:
            raise self.error(error.code, f"[%{command.name}]: {error}", *place) from None
        if known is None or value is None:
            return False
        set_path(part, known.path, value)
        here = pointer + pointer_to(known.path)
        self.place(here, *place)
        self._place_all(here, value, place)
        return True

    def _check_foreign(
        self, name: str, leftovers: dict[str, Any], data: dict[str, Any], place: tuple[int, int]
    ) -> None:
        """Raise FormatError if leftovers would replace preserved tags or commands of other programs."""
        if tags.FOREIGN in data and not isinstance(leftovers.get(tags.FOREIGN, {}), dict):
            held = next(iter(data[tags.FOREIGN]))
            message = f"in {name}, {tags.FOREIGN} should be an object, so that it can take {shorten(held)}, too"
            raise self.error("syntax/hgn-value", message, *place)

    # The end.

    def _check_end(self, data: dict[str, Any], tag_matches: dict[str, Any], moves_at: int) -> None:
        if self._outer:
            start = self._outer[-1][3]
            message = "this variation is not closed: the rest of the game is missing"
            raise self.error("syntax/truncated", message, start)
        claimed = self._value(tag_matches[tags.RESULT]) if tags.RESULT in tag_matches else None
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
            for name in ("Termination", "DecidedBy", "Reason", tags.SCORE):
                if name in tag_matches:
                    message = f"an unfinished game ({tags.UNFINISHED}) has no {name}"
                    if self._token is None:
                        message = f"a game with {name} has ended, but it has no result at its end"
                    raise self.error("syntax/hgn-result", message, *tag_matches[name].span("value"))

    def _end_without_token(self, claimed: str | None, moves_at: int) -> None:
        """Read a game without a result at its end as unfinished, or with the result in its tag.

        Raises FormatError if it has no turns either, or ends with the result of another format.
        """
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

    def _finish_moves(self) -> None:
        for line, index in self._annotated:
            move = line[index]
            if "comment" in move:
                move["comment"] = "\n".join(move["comment"])
            leftovers = move.pop(tags.COMMAND_EXTRA, {})
            line[index] = merge(move, leftovers)

    # Places, warnings, limits and errors.

    def place(self, pointer: str, start: int, end: int) -> None:
        """Store the place of a value, if places are requested."""
        if self.places is not None:
            self.places.put(pointer, self.span(start, end))

    def warn(self, code: str, message: str, start: int, end: int) -> None:
        """Add a warning about malformed input that was read; warnings come from the first reading, without places."""
        if self.places is None:
            self.warnings.add(self._located.warning(code, message, start, end))

    def count(self, at: int) -> None:
        """Count a tag, a token or a command. Raises FormatError if there are too many."""
        self._values += 1
        if self._values > MAX_VALUES:
            raise self.error("syntax/too-large", TOO_MANY, at)

    def check_moves(self, at: int) -> None:
        """Raise FormatError if too many tokens follow an offset. Counting tokens is faster than reading them."""
        left = MAX_VALUES - self._values
        if len(self.text) - at > left:
            excess = find_excess(grammar.TOKEN, self.text, at, left)
            if excess is not None:
                raise self.error("syntax/too-large", TOO_MANY, excess)

    def too_deep(self, start: int, end: int) -> FormatError:
        """Return the error for a part that makes the record too deep."""
        message = f"more than {MAX_DEPTH} levels of arrays and objects"
        return self.error("syntax/too-deep", message, start, end)

    def unclosed(self, at: int, message: str) -> FormatError:
        """Return the error for an unclosed tag or quoted turn, which may be truncated on the last line."""
        text = self.text[at : self.end]
        cut = "\n" not in text and grammar.TAG_END.search(text) is None
        return self.error("syntax/truncated" if cut else "syntax/hgn", message, at)

    def stray(self, at: int) -> FormatError:
        """Return the error for the first character, after whitespace, that begins no token."""
        at += len(self.text) - at - len(self.text[at:].lstrip(grammar.WHITESPACE))
        char = self.text[at]
        if char == "{":
            message = "this comment is not closed: the rest of the game is missing"
            return self.error("syntax/truncated", message, at)
        if char == '"':
            return self.unclosed(at, "this string has no closing quote on its line")
        if char == "[":
            return self.error("syntax/hgn", "a tag is not allowed among the turns of a game", at)
        if at == self.end - 1:
            return self.error("syntax/truncated", "the game ends here: the rest of it is missing", at)
        hint = " (inside a comment, write \\} for a closing brace)" if char in "]}" else ""
        return self.error("syntax/hgn", f'not HGN: "{shorten(char)}" has no meaning here{hint}', at)


def _claim(data: dict[str, Any], token: str) -> None:
    """Add the result for the token at the end of a game to the record."""
    claim = tags.winner(token)
    if claim is not None:
        data["result"] = {**claim, **data.get("result", {})}
