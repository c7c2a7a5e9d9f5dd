"""The data of documents in YAML, built from the events of a parser."""

from __future__ import annotations

import re
from typing import Any

from yaml.events import (
    AliasEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from hexrec.formats.located_text import FormatError, LocatedText
from hexrec.record.game_shapes import number_fields
from hexrec.util.diagnostics import shorten
from hexrec.util.limits import MAX_DEPTH

#: Tags accepted on strings.
_TEXT_TAGS = (None, "!", "tag:yaml.org,2002:str")
_WORDS: dict[str, object] = {"": None, "~": None, "null": None, "true": True, "false": False}
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][-+]?[0-9]+)?")
_DISPUTED = re.compile(r"-?(?:0|[1-9][0-9]*)[eE][-+]?[0-9]+")


class Builder:
    """Builds the data of one document from parser events."""

    def __init__(self, text: LocatedText) -> None:
        self.root: Any = None
        self._text = text
        #: The containers that enclose the current one.
        self._stack: list[Any] = []
        self._container: Any = None
        #: The key of the next value in the current container.
        self._key: str | None = None

    def add(self, event: Any) -> None:
        """Add the next event. Raises FormatError for YAML that records do not allow."""
        kind = type(event)
        if kind is ScalarEvent:
            if event.tag not in _TEXT_TAGS:
                raise self._tag(event)
            if self._key is None and type(self._container) is dict:
                key = event.value
                if key in self._container:
                    message = f'the field "{shorten(key)}" appears twice in this object: keep one'
                    raise self._error("syntax/duplicate-key", message, event)
                self._key = key
            else:
                self._put(self._read_plain(event) if event.implicit[0] and event.tag is None else event.value)
        elif kind is MappingStartEvent:
            self._open({}, event)
        elif kind is SequenceStartEvent:
            self._open([], event)
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            self._container, self._key = self._stack.pop(), None
        elif kind is AliasEvent:
            message = f"*{shorten(event.anchor)} is an alias: write the value out"
            raise self._error("syntax/yaml-alias", message, event)

    def _open(self, container: Any, event: Any) -> None:
        if self._key is None and type(self._container) is dict:
            raise self._error("syntax/yaml-key", "the name of a field should be a string", event)
        if len(self._stack) >= MAX_DEPTH:
            raise self._error("syntax/too-deep", f"more than {MAX_DEPTH} levels of arrays and objects", event)
        if event.tag is not None:
            raise self._tag(event)
        self._put(container)
        self._stack.append(self._container)
        self._container, self._key = container, None

    def _put(self, value: Any) -> None:
        container = self._container
        if type(container) is dict:
            container[self._key] = value
            self._key = None
        elif container is None:
            self.root = value
        else:
            container.append(value)

    def _read_plain(self, event: ScalarEvent) -> object:
        text: str = event.value
        if text in _WORDS:
            return _WORDS[text]
        if text[0] not in "-0123456789":
            return text
        if _INTEGER.fullmatch(text):
            try:
                return int(text)
            except ValueError:  # more digits than Python turns into an integer
                message = f"{shorten(text, 20)} is too large a number: if it is a string, put it in quotes"
                raise self._error("syntax/number", message, event) from None
        if _DECIMAL.fullmatch(text) or (_DISPUTED.fullmatch(text) and self._key in number_fields()):
            value = float(text)
            if value in (float("inf"), float("-inf")):
                raise self._error("syntax/number", f"{shorten(text, 20)} is too large a number", event)
            return value
        return text

    def _tag(self, event: Any) -> FormatError:
        return self._error("syntax/yaml-tag", f"the tag {shorten(event.tag)} has no meaning here: remove it", event)

    def _error(self, code: str, message: str, event: Event) -> FormatError:
        return self._text.error(code, message, *offsets(event))


def offsets(event: Any, begins: int = 0) -> tuple[int, int]:
    """Return the offsets of an event in a text that was parsed from the offset `begins`."""
    return begins + event.start_mark.index, begins + event.end_mark.index
