"""Reader for the tags of a game in HGN: converts them to fields of a record, with the place of every part."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Container
from typing import Any

from hexrec.formats.base import LocatedText
from hexrec.formats.field_table import depth, set_path
from hexrec.formats.hgn import grammar, tags, values
from hexrec.formats.json import parse
from hexrec.formats.places import Places, Span
from hexrec.util.diagnostics import pointer_to, shorten


class HeaderReader(grammar.Located):
    """Reads the tags at the beginning of a game."""

    @abstractmethod
    def _line_comment(self, found: Any) -> None:
        """Read a comment that extends to the end of its line, or a skipped line."""

    def _read_tags(self, at: int) -> tuple[dict[str, Any], int]:
        """Return the matches of the tags by name, and the offset of their end."""
        text = self.text
        found: dict[str, Any] = {}
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
                self._take_tag(found, match)
                at = match.end()
            else:
                break
        return found, at

    def _take_tag(self, found: dict[str, Any], match: Any) -> None:
        name = match["name"]
        known = tags.KNOWN.get(name.lower(), name)
        if known != name:
            message = f"the tag is named {known}, not {shorten(name)}"
            self.warn("syntax/hgn-case", message, *match.span("name"))
        if known in found:
            message = f"the tag {shorten(known)} appears twice in this game: keep one"
            raise self.error("syntax/duplicate-key", message, *match.span("name"))
        found[known] = match

    def _value(self, match: Any) -> str:
        return grammar.unescape(match["value"], match.start("value"))

    def _fill(self, data: dict[str, Any], found: dict[str, Any]) -> None:
        """Add the values of the tags to the record."""
        # The game comes first, since the type of a score depends on it.
        names = sorted(found, key=lambda name: name != "Game")
        for name in names:
            match = found[name]
            text = self._value(match)
            if name == tags.RESULT:
                if text not in tags.RESULTS and text != tags.UNFINISHED:
                    message = f'Result should be {tags.RESULT_FORMS}, not "{shorten(text)}"{tags.result_hint(text)}'
                    raise self.error("syntax/hgn-value", message, *match.span("value"))
                claim(data, text)
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
        pointer = ""
        value, key = self.span(match.start("value") - 1, match.end("value") + 1), self.span(*match.span("name"))
        for step in tags.path_of(name):
            pointer += f"/{step}"
            around = self.places.at(pointer)
            if around is not None:
                around.value = around.value or value
                around.key = around.key or key
        parts = {"Opening": values.match_stones, tags.SCORE: values.match_scores}.get(name)
        if parts is not None and "\\" not in match["value"]:
            for color, part in parts(match["value"]).items():
                offset = match.start("value")
                self.place(f"{pointer}/{color}", offset + part.start("value"), offset + part.end("value"))

    def _json(
        self, text: str, name: str, place: tuple[int, int], levels: int, elsewhere: Container[str]
    ) -> dict[str, Any]:
        """Parse a JSON object. Raises FormatError for more than `levels` levels, or for a field in `elsewhere`."""
        document = parse(LocatedText(text))
        if document.error is not None:
            raise self.error(document.error.code, f"{name}: {document.error.message}", *place)
        if not isinstance(document.data, dict):
            raise self.error("syntax/hgn-value", f"{name} should be an object, written as JSON", *place)
        if depth(document.data) > levels:
            raise self.too_deep(*place)
        if twice := next((field for field in document.data if field in elsewhere), None):
            message = f"{name} should not have {twice}, which the game gives elsewhere"
            raise self.error("syntax/hgn-value", message, *place)
        return document.data

    def _place_all(self, pointer: str, value: Any, place: tuple[int, int]) -> None:
        """Store one place for all parts of a value."""
        if self.places is not None:
            _place_parts(self.places.at(pointer), value, self.span(*place))


def _place_parts(places: Places | None, value: Any, span: Span) -> None:
    """Store one place for all parts of an object or array."""
    if places is None or not places.has_room or not isinstance(value, dict | list):
        return
    for name, each in value.items() if isinstance(value, dict) else enumerate(value):
        part = places.part(str(name))
        if part is not None:
            part.value = part.key = span
            _place_parts(part, each, span)


def claim(data: dict[str, Any], token: str) -> None:
    """Add the result for the token at the end of a game to the record."""
    claim = tags.winner(token)
    if claim is not None:
        data["result"] = {**claim, **data.get("result", {})}
