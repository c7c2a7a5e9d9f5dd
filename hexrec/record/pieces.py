"""What is wrong with the fields of large data, piece by piece.

pydantic lists all errors of what it validates at once, each with its whole path, before any of them can be looked at:
a list of wrong turns of a few hundred kilobytes would take gigabytes. Data of many values is therefore cut into pieces
that can hold a few errors each.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from pydantic import ConfigDict, TypeAdapter, ValidationError

from hexrec.limits import MAX_FINDINGS
from hexrec.record.fields import Text
from hexrec.record.model import Move, Player, Players, Record, Result

#: What pydantic says of an error, as far as it is used: `type`, `loc`, `msg` and `ctx`.
Error = Mapping[str, Any]
_Path = tuple[int | str, ...]


class Piece(NamedTuple):
    """Errors in a piece of a record.

    Attributes:
        errors: as pydantic lists them. Each has its place in the piece, of which the first step is the index of a turn.
        line: where the list is that the turns of the piece are in; None if the piece is the record itself.
        start: the index of the first turn of the piece.
    """

    errors: list[Error]
    line: _Path | None = None
    start: int = 0

    def located(self) -> Iterator[Error]:
        """Yield the errors with their places in the record."""
        for error in self.errors:
            if self.line is None:
                yield error
            else:
                index, *rest = error["loc"]
                yield {**error, "loc": (*self.line, self.start + index, *rest)}

    def total(self) -> int:
        """Return the number of errors, of which those in one turn count once: it fails for each type it may have."""
        return len({error["loc"] if self.line is None else error["loc"][0] for error in self.errors})


#: The most lists, objects and values in them that are validated at once, before it is known that all is well.
_LARGE = 2_000
#: The turns in a piece.
_TURNS = 500
#: The fields that any part of a record has in any game.
_FIELDS = {name for part in (Record, Players, Player, Result, Move) for name in part.model_fields} | {"chosen"}


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
        parts += [value for value in values if isinstance(value, dict | list)]
    return False


def errors_in(model: type[Record], data: dict[str, Any]) -> Iterator[Piece]:
    """Yield the errors in the fields of a record piece by piece, be there any or not."""
    moves = data.get("moves")
    head, dropped = _slim({**data, "moves": []} if isinstance(moves, list) else data, ())
    yield Piece(_errors(model.model_validate, head))
    yield Piece(dropped)
    lines: deque[tuple[_Path, list[Any]]] = deque([(("moves",), moves)] if isinstance(moves, list) else [])
    while lines:
        path, line = lines.popleft()
        for start in range(0, len(line), _TURNS):
            turns = []
            left_out: list[Error] = []
            for index, turn in enumerate(line[start : start + _TURNS], start):
                if isinstance(turn, dict):
                    here = (*path, index, "Move")
                    others = turn.get("variations")
                    if isinstance(others, list):
                        turn = {**turn, "variations": []}
                        for number, other in enumerate(others):
                            place = (*here, "variations", number)
                            if isinstance(other, list):
                                lines.append((place, other))
                            else:
                                left_out.append({"type": "list_type", "loc": place, "msg": ""})
                    turn, dropped = _slim(turn, here)
                    left_out += dropped
                turns.append(turn)
            yield Piece(_errors(_turns().validate_python, turns), path, start)
            yield Piece(left_out)


@cache
def _turns() -> TypeAdapter[Any]:
    return TypeAdapter(list[Text | Move], config=ConfigDict(strict=True))


def _errors(validate: Callable[[Any], Any], part: Any) -> list[Error]:
    try:
        validate(part)
    except ValidationError as error:
        return list(error.errors(include_url=False, include_input=False))
    return []


def _slim(part: dict[str, Any], path: _Path) -> tuple[dict[str, Any], list[Error]]:
    """Return an object without most of the parts that would be errors, if there are very many, and these errors."""
    kept: dict[str, Any] = {}
    found: list[Error] = []
    unknown = 0
    for name, value in part.items():
        here = (*path, name)
        if name in _FIELDS and isinstance(value, dict):
            kept[name], more = _slim(value, here)
            found += more
        elif name in _FIELDS and isinstance(value, list):
            kept[name], wrong = _short(value)
            found += [{"type": "int_type", "loc": (*here, index), "msg": ""} for index in wrong]
        elif name in _FIELDS or str(name).startswith("x-") or unknown <= MAX_FINDINGS:
            kept[name] = value
            unknown += name not in _FIELDS and not str(name).startswith("x-")
        else:
            found.append({"type": "schema/unknown-field", "loc": here, "msg": ""})
    return kept, found


def _short(value: list[Any]) -> tuple[list[Any], list[int]]:
    """Return a list of numbers up to where very many of its values have been none, and the indexes of further ones."""
    wrong = [index for index, each in enumerate(value) if type(each) is not int or each < 0]
    if len(wrong) <= MAX_FINDINGS:
        return value, []
    return value[: wrong[MAX_FINDINGS]], wrong[MAX_FINDINGS:]
