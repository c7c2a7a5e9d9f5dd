"""Where the parts of a document are, by JSON Pointer.

To find a place is dear, and only places that are asked for are kept: a document of many values, or one with long
names around many values, costs no more than one pass over its text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Protocol

from hexrec.util.diagnostics import pointer_to, steps_of


class Span(NamedTuple):
    """A place in a file, 1-based, in characters; the end is just past it."""

    line: int
    column: int
    end_line: int
    end_column: int


class Places:
    """The places of some values and of the keys that lead to them, as a tree: itself, and those of its parts by name.

    Made for some JSON Pointers, it has room for these and for what is around them, and all else is forgotten. Made for
    None, it has room for everything.

    Attributes:
        value: where the value is; None if that is not known.
        key: where the key that leads to it is.
    """

    __slots__ = ("_grows", "_parts", "key", "value")

    def __init__(self, pointers: Iterable[str] | None = None) -> None:
        self.value: Span | None = None
        self.key: Span | None = None
        self._grows = pointers is None
        self._parts: dict[str, Places] = {}
        for pointer in pointers or ():
            around = self
            for step in steps_of(pointer):
                if step not in around._parts:
                    around._parts[step] = Places(())
                around = around._parts[step]

    @property
    def has_room(self) -> bool:
        """Whether the place of any part is wanted."""
        return self._grows or bool(self._parts)

    def part(self, step: str) -> Places | None:
        """Return the places of a part, given its name or index; None if they are not wanted."""
        found = self._parts.get(step)
        if found is None and self._grows:
            found = self._parts[step] = Places()
        return found

    def at(self, pointer: str) -> Places | None:
        """Return the places of the part at a pointer; None if they are not wanted."""
        found: Places | None = self
        for step in steps_of(pointer):
            if found is None:
                return None
            found = found.part(step)
        return found

    def put(self, pointer: str, span: Span) -> None:
        """Note where a value is."""
        found = self.at(pointer)
        if found is not None:
            found.value = span

    def fill(self, pointer: str, span: Span) -> None:
        """Note where a value is and what is around it, the whole aside, as far as that is not known yet."""
        around = self
        for step in steps_of(pointer):
            part = around.part(step)
            if part is None:
                return
            part.value = part.value or span
            around = part

    def find(self, pointer: str, *, key: bool = False) -> Span | None:
        """Return the place of the value (or the key) at a pointer, or else of what is nearest around it."""
        around = self
        nearest = self.value
        for step in steps_of(pointer):
            part = around._parts.get(step)
            if part is None:
                return nearest
            nearest = part.value or nearest
            around = part
        return (around.key if key else None) or nearest

    @property
    def values(self) -> dict[str, Span]:
        """The known places of values by their pointers."""
        return {pointer: part.value for pointer, part in self._all("") if part.value}

    @property
    def keys(self) -> dict[str, Span]:
        """The known places of keys by the pointers of what they lead to."""
        return {pointer: part.key for pointer, part in self._all("") if part.key}

    def _all(self, pointer: str) -> Iterator[tuple[str, Places]]:
        yield pointer, self
        for name, part in self._parts.items():
            yield from part._all(pointer + pointer_to([name]))


#: What a written text begins with: a quote, or the line before a block of YAML.
_LEAD = re.compile(r"[\"']|[|>][^\n]*\n[ \t]*|")
#: No text in which a character is looked for has so many.
_LONG = 10_000


def offset_in(written: str, value: str, index: int) -> int | None:
    """Return where in what is written for a text one of its characters begins; None if the text is not seen there.

    What is written is an object in which the text stands once, or the text alone; then lines may end at its blanks, and
    slashes may be escaped.
    """
    if len(value) > _LONG:
        return None
    quoted = f'"{value}"'
    at = written.find(quoted)
    if at >= 0 and at == written.rfind(quoted):
        return at + 1 + index
    lead = _LEAD.match(written)
    start = lead.end() if lead else 0
    if not re.compile(_pattern(value)).match(written, start):
        return None
    before = re.compile(_pattern(value[:index])).match(written, start)
    return before and before.end()


def _pattern(text: str) -> str:
    return r"\s+".join(map(re.escape, text.split(" "))).replace("/", r"\\?/")


class ParseEvent(NamedTuple):
    """A bracket of an object or a list, or what is between brackets, in a text with a tree of values.

    Attributes:
        bracket: the bracket as JSON has it; empty for a scalar.
        start, end: its place, as offsets.
        name: the text of a scalar, for one that is the name of a field.
    """

    bracket: str
    start: int
    end: int
    name: str = ""


def find_places(
    events: Iterator[ParseEvent], span: Callable[[int, int], Span], pointers: Iterable[str] | None = None
) -> Places:
    """Return where the parts at some pointers are, or all parts, in the value that events describe."""
    found = Places(pointers)

    def value(event: ParseEvent, places: Places | None) -> None:
        last = event
        wanted = places if places is not None and places.has_room else None
        if event.bracket == "{":
            for last in events:
                if last.bracket:
                    break
                part = wanted.part(last.name) if wanted is not None else None
                if part is not None:
                    part.key = span(last.start, last.end)
                value(next(events), part)
        elif event.bracket == "[":
            for index, last in enumerate(events):
                if last.bracket == "]":
                    break
                value(last, wanted.part(str(index)) if wanted is not None else None)
        if places is not None:
            places.value = span(event.start, last.end)

    for first in events:  # none of a text that holds no value
        value(first, found)
    return found


class FindPlaces(Protocol):
    """Finds the places of the parts of a document."""

    def __call__(self, pointers: Iterable[str] | None = None, /) -> Places:
        """Return where the parts at some JSON Pointers are, or all parts."""
