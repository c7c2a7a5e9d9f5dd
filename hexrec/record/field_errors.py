"""What is wrong with the fields of large data, part by part.

pydantic lists all errors of what it validates at once, each with its whole path, before any of them can be looked at:
a list of wrong turns of a few hundred kilobytes would take gigabytes. Data of many values is therefore cut into parts
that can hold a few errors each.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from pydantic import ConfigDict, TypeAdapter, ValidationError

from hexrec.limits import MAX_DIAGNOSTICS
from hexrec.record.fields import Text
from hexrec.record.model import FIELDS, PARTS, Move, Record
from hexrec.record.parts import Mark, TimeStage

#: What pydantic says of an error, as far as it is used: `type`, `loc`, `msg` and `ctx`.
Error = Mapping[str, Any]
_Path = tuple[int | str, ...]


class FieldErrors(NamedTuple):
    """Errors in a part of a record.

    Attributes:
        errors: as pydantic lists them, with their places in the part.
        path: where the part is; empty for the record itself.
        start: the index of the first turn if the part is one of a list of turns.
        more: the number of errors of the part beside these.
    """

    errors: list[Error]
    path: _Path = ()
    start: int | None = None
    more: int = 0

    def located(self) -> Iterator[Error]:
        """Yield the errors with their places in the record."""
        for error in self.errors:
            place = error["loc"]  # empty for what is wrong with the record as a whole
            if self.start is not None:
                place = (self.start + place[0], *place[1:])
            yield {**error, "loc": (*self.path, *place)}

    def total(self) -> int:
        """Return the number of errors, of which those in one turn count once: it fails for each type it may have."""
        return self.more + len({error["loc"] if self.start is None else error["loc"][0] for error in self.errors})


#: The most lists, objects and values in them that are validated at once, before it is known that all is well.
_LARGE = 2_000
#: The turns in a part.
_TURNS = 500


def is_large(data: object) -> bool:
    """Return whether data has so many values that it should not be validated at once."""
    left = _LARGE
    parts = [data]
    while parts:
        part = parts.pop()
        values = part.values() if isinstance(part, dict) else part if isinstance(part, list) else ()
        left -= len(values)
        if left < 0:
            return True
        # Of long lists of turns most hold texts only: their types together are quicker to look at than each of them.
        if not {dict, list}.isdisjoint(map(type, values)):
            parts += [value for value in values if isinstance(value, dict | list)]
    return False


def errors_in(model: type[Record], data: dict[str, Any]) -> Iterator[FieldErrors]:
    """Yield the errors in the fields of a record part by part, be there any or not."""
    moves = data.get("moves")
    dropped = _Dropped()
    head = _slim({**data, "moves": []} if isinstance(moves, list) else data, dropped)
    yield FieldErrors(_errors(model.model_validate, head))
    yield dropped.errors()
    lines: deque[tuple[_Path, list[Any]]] = deque([(("moves",), moves)] if isinstance(moves, list) else [])
    while lines:
        path, line = lines.popleft()
        for start in range(0, len(line), _TURNS):
            turns = []
            beside: list[FieldErrors] = []
            for index, turn in enumerate(line[start : start + _TURNS], start):
                if isinstance(turn, dict):
                    here = (*path, index, "Move")
                    others = turn.get("variations")
                    if isinstance(others, list):
                        turn = {**turn, "variations": []}
                        around = (*here, "variations")
                        lines += [((*around, number), other) for number, other in enumerate(others) if _is_list(other)]
                        dropped = _Dropped()
                        for number, other in enumerate(others):
                            if not _is_list(other):
                                dropped.add("list_type", number)
                        beside.append(dropped.errors(around))
                    dropped = _Dropped()
                    turn = _slim(turn, dropped)
                    beside.append(dropped.errors(here))
                turns.append(turn)
            yield FieldErrors(_errors(_turns().validate_python, turns), path, start)
            yield from beside


def _is_number(value: object) -> bool:
    return type(value) is int and value >= 0


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_mark(value: object) -> bool:
    return isinstance(value, dict) and not _errors(Mark.model_validate, _slim(value, _Dropped()))


def _is_stage(value: object) -> bool:
    return isinstance(value, dict) and not _errors(TimeStage.model_validate, _slim(value, _Dropped()))


#: By field, what is said of what should not be in its list, and whether something should.
_ITEMS: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "nag": ("int_type", _is_number),
    "black": ("int_type", _is_number),
    "white": ("int_type", _is_number),
    "tags": ("string_type", _is_text),
    "taken_back": ("string_type", _is_text),
    "line": ("string_type", _is_text),
    "marks": ("model_type", _is_mark),
    "time_control": ("model_type", _is_stage),
}


def _is_list(value: object) -> bool:
    return isinstance(value, list)


class _Dropped:
    """Errors of what is not validated because there is very much of it."""

    def __init__(self) -> None:
        self._errors: list[Error] = []
        self._more = 0

    def add(self, kind: str, *place: int | str) -> None:
        if len(self._errors) <= MAX_DIAGNOSTICS:
            self._errors.append({"type": kind, "loc": place})
        else:
            self._more += 1

    def errors(self, path: _Path = ()) -> FieldErrors:
        return FieldErrors(self._errors, path, None, self._more)


@cache
def _turns() -> TypeAdapter[Any]:
    return TypeAdapter(list[Text | Move], config=ConfigDict(strict=True))


def _errors(validate: Callable[[Any], Any], part: Any) -> list[Error]:
    try:
        validate(part)
    except ValidationError as error:
        return list(error.errors(include_url=False, include_input=False))
    return []


def _slim(part: dict[str, Any], dropped: _Dropped, *path: int | str) -> dict[str, Any]:
    """Return an object without most of the parts that would be errors, if there are very many."""
    kept: dict[str, Any] = {}
    unknown = 0
    for name, value in part.items():
        if name in PARTS and isinstance(value, dict):
            # What is no object for this field is one error, whatever is in it.
            kept[name] = _slim(value, dropped, *path, name) if _is_object(name, path) else {}
        elif name in _ITEMS and isinstance(value, list):
            kind, right = _ITEMS[name]
            few, wrong = _short(value, right)
            kept[name] = [
                _slim(each, dropped, *path, name, index) if kind == "model_type" and isinstance(each, dict) else each
                for index, each in enumerate(few)
            ]
            for index in wrong:
                dropped.add(kind, *path, name, index)
        elif name in FIELDS or str(name).startswith("x-") or unknown <= MAX_DIAGNOSTICS:
            kept[name] = value
            unknown += name not in FIELDS and not str(name).startswith("x-")
        else:
            dropped.add("schema/unknown-field", *path, name)
    return kept


def _is_object(name: str, path: tuple[int | str, ...]) -> bool:
    """Return whether the field of a part that is named so should hold an object."""
    return path[-1:] == ("players",) if name in ("black", "white") else name not in _ITEMS


def _short(value: list[Any], right: Callable[[Any], bool]) -> tuple[list[Any], list[int]]:
    """Return a list up to where very many of its values have been wrong, and the indexes of further ones."""
    wrong = [index for index, each in enumerate(value) if not right(each)]
    if len(wrong) <= MAX_DIAGNOSTICS:
        return value, []
    return value[: wrong[MAX_DIAGNOSTICS]], wrong[MAX_DIAGNOSTICS:]
