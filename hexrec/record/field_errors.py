"""What is wrong with the fields of large data, part by part.

pydantic lists all errors of what it validates at once, each with its whole path, before any of them can be looked at:
a list of wrong turns of a few hundred kilobytes would take gigabytes. Data of many values is therefore cut into parts
that can hold a few errors each.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Annotated, Any, NamedTuple, get_args, get_origin

from pydantic import BaseModel, TypeAdapter, ValidationError

from hexrec.limits import MAX_DIAGNOSTICS
from hexrec.record.fields import Text
from hexrec.record.model import Move, Record

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
    head, left_out = _slim({**data, "moves": []} if isinstance(moves, list) else data, model)
    yield FieldErrors(_errors(model.model_validate, head), more=left_out)
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
                        beside.append(_not_lists(others, around))
                    turn, left_out = _slim(turn, Move)
                    beside.append(FieldErrors([], here, more=left_out))
                turns.append(turn)
            yield FieldErrors(_errors(_turns().validate_python, turns), path, start)
            yield from beside


def _not_lists(others: list[Any], path: _Path) -> FieldErrors:
    wrong = [number for number, other in enumerate(others) if not _is_list(other)]
    few = wrong[: MAX_DIAGNOSTICS + 1]
    return FieldErrors([{"type": "list_type", "loc": (number,)} for number in few], path, more=len(wrong) - len(few))


def _is_list(value: object) -> bool:
    return isinstance(value, list)


@cache
def _turns() -> TypeAdapter[Any]:
    return TypeAdapter(list[Text | Move])


def _errors(validate: Callable[[Any], Any], part: Any) -> list[Error]:
    try:
        validate(part)
    except ValidationError as error:
        return list(error.errors(include_url=False, include_input=False))
    return []


def _fails(validate: Callable[[Any], Any], part: Any) -> bool:
    try:
        validate(part)
    except ValidationError:
        return True
    return False


class _Field(NamedTuple):
    """What belongs in a field.

    Attributes:
        kind: the model of the object there, or of those in the list there.
        validate: what validates the list there; None where no list belongs.
    """

    kind: type[BaseModel] | None
    validate: Callable[[Any], Any] | None


@cache
def _field(model: type[BaseModel], name: str) -> _Field:
    field = model.model_fields[name]
    kinds = [kind for kind in (field.annotation, *get_args(field.annotation)) if _is_model(kind)]
    if get_origin(field.annotation) is not list:
        return _Field(kinds[0] if kinds else None, None)
    whole: Any = Annotated[field.annotation, *field.metadata] if field.metadata else field.annotation
    return _Field(kinds[0] if kinds else None, TypeAdapter(whole).validate_python)


def _is_model(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, BaseModel)


def _slim(part: dict[str, Any], model: type[BaseModel]) -> tuple[dict[str, Any], int]:
    """Return an object without most of what is wrong in it, if that is very much, and how many errors it is without.

    More errors than are named come before those, so that they are only counted.
    """
    kept: dict[str, Any] = {}
    unknown = left_out = 0
    for name, value in part.items():
        if name in model.model_fields:
            kept[name], more = _slim_value(value, _field(model, name))
            left_out += more
        elif str(name).startswith("x-"):
            kept[name] = value
        else:
            unknown += 1
            if unknown <= MAX_DIAGNOSTICS + 1:
                kept[name] = value
            else:
                left_out += 1
    return kept, left_out


def _slim_value(value: Any, field: _Field) -> tuple[Any, int]:
    if field.validate is None:
        return _slim_object(value, field.kind)
    if not isinstance(value, list):
        return value, 0
    kept: list[Any] = []
    wrong = left_out = 0
    for each in value:
        slim, more = _slim_object(each, field.kind)
        fails = _fails(field.validate, [slim])
        wrong += fails
        if wrong <= MAX_DIAGNOSTICS + 1:
            kept.append(slim)
            left_out += more
        else:
            left_out += fails
    return kept, left_out


def _slim_object(value: Any, model: type[BaseModel] | None) -> tuple[Any, int]:
    return (value, 0) if model is None or not isinstance(value, dict) else _slim(value, model)
