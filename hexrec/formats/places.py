"""Places of the parts of a document, by JSON Pointer.

Locating a value is expensive, so only requested places are stored. A document with many values, or with long keys
around many values, takes one pass through its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple, Protocol

from hexrec.util.diagnostics import pointer_to, steps_of


class Span(NamedTuple):
    """A place in a file: lines and columns from 1, in characters; the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


class Places:
    """A tree of the places of values and of their keys: each node has the places of one value and its parts.

    Created for some JSON Pointers, the tree stores the places of these values and of all values that enclose them.
    Created for None, it stores all places.

    Attributes:
        value: the place of the value, if known.
        key: the place of its key, if known.
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
        """Whether the place of any part is to be stored."""
        return self._grows or bool(self._parts)

    def part(self, step: str) -> Places | None:
        """Return the places of a part, given its key or index, or None if they are not to be stored."""
        places = self._parts.get(step)
        if places is None and self._grows:
            places = self._parts[step] = Places()
        return places

    def at(self, pointer: str) -> Places | None:
        """Return the places of the part at a pointer, or None if they are not to be stored."""
        places: Places | None = self
        for step in steps_of(pointer):
            if places is None:
                return None
            places = places.part(step)
        return places

    def put(self, pointer: str, span: Span) -> None:
        """Store the place of a value."""
        places = self.at(pointer)
        if places is not None:
            places.value = span

    def fill(self, pointer: str, span: Span, key: Span | None = None) -> None:
        """Store places of a value and its key, for it and for each enclosing value without a place except the root."""
        around = self
        for step in steps_of(pointer):
            part = around.part(step)
            if part is None:
                return
            part.value = part.value or span
            part.key = part.key or key
            around = part

    def cover(self, value: Any, span: Span, *, again: bool = False) -> None:
        """Store one place for all parts of a value without a place; `again` also replaces places, and those of keys."""
        if not self.has_room or not isinstance(value, dict | list):
            return
        for name, child in value.items() if isinstance(value, dict) else enumerate(value):
            part = self.part(str(name))
            if part is not None:
                part.value = span if again else part.value or span
                part.key = span if again else part.key
                part.cover(child, span, again=again)

    def find(self, pointer: str, *, key: bool = False) -> Span | None:
        """Return the place of the value (or the key) at a pointer, or else of the nearest enclosing value."""
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
        """The known places of keys by the pointers of their values."""
        return {pointer: part.key for pointer, part in self._all("") if part.key}

    def _all(self, pointer: str) -> Iterator[tuple[str, Places]]:
        yield pointer, self
        for name, part in self._parts.items():
            yield from part._all(pointer + pointer_to([name]))


class ParseEvent(NamedTuple):
    """A bracket of an object or array, or a scalar.

    Attributes:
        bracket: the bracket in JSON; empty for a scalar.
        start, end: its offsets.
        name: the value of a scalar that is a key.
        style: the first character of a quoted scalar or block scalar (`"`, `'`, `|`, `>`), else empty.
        block: whether it begins an object or array in block style.
    """

    bracket: str
    start: int
    end: int
    name: str = ""
    style: str = ""
    block: bool = False


def find_places(
    events: Iterator[ParseEvent], span: Callable[[int, int], Span], pointers: Iterable[str] | None = None
) -> Places:
    """Return the places of the parts at some pointers, or of all parts, of the value that events describe."""
    root_places = Places(pointers)

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

    for first in events:  # a text without a value has no events
        value(first, root_places)
    return root_places


class FindPlaces(Protocol):
    """Finds the places of the parts of a document."""

    def __call__(self, pointers: Iterable[str] | None = None, /) -> Places:
        """Return the places of the parts at some JSON Pointers, or of all parts."""
