"""The kinds of values in records: how pydantic checks each, how JSON Schema describes it, what a diagnostic says.

The bytes of JSON are checked by pydantic's core (pydantic itself takes longer to import than a thousand records take to
validate), data of other origin by looking for problems: both follow from the same description.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any, NamedTuple

from hexrec.util.diagnostics import Path, shorten

Schema = dict[str, Any]


class FieldProblem(NamedTuple):
    """What is wrong with a value: the code of the diagnostic, its message, and the path of the value.

    A message that takes time to word is a function of words for the record: most of those of a hostile record are only
    counted.
    """

    code: str
    message: str | Callable[[str], str]
    path: Path


class About(NamedTuple):
    """What the format says about a field.

    Attributes:
        description: for readers of the JSON Schema and editors.
        examples: values that the field may have.
        default: what the field means when it is left out; `...` if it has no default.
        form: follows the type in a message about a value of another type, such as " of strings".
    """

    description: str
    examples: tuple[Any, ...] = ()
    default: Any = ...
    form: str = ""


#: Of a value that is no field.
NOTHING = About("")


class Kind:
    """A kind of values.

    Attributes:
        name: the type, as messages name it.
        types: the same in Python, without subclasses.
    """

    name = ""
    types: tuple[type[Any], ...] = ()

    def core(self, core: Any) -> Any:
        """Return the schema by which pydantic's core accepts or refuses a value, given `pydantic_core.core_schema`."""
        raise NotImplementedError

    def json_schema(self) -> Schema:
        """Return the JSON Schema of the values; objects are references to `$defs`."""
        raise NotImplementedError

    def accepts(self, value: Any) -> bool:
        """Return whether a value has the type, whatever is in it."""
        return type(value) in self.types

    def problems(self, value: Any, path: Path, about: About) -> Iterator[FieldProblem]:
        """Yield all that is wrong with a value, to which a path leads."""
        if self.accepts(value):
            yield from self.problems_within(value, path)
        else:
            hint = quote_hint(value) if self.name.startswith(("a string", "a turn")) else ""
            message = f"{name_of(path)} should be {self.name}{about.form}, not {say(value)}{hint}"
            yield FieldProblem("schema/type", message, path)

    def problems_within(self, value: Any, path: Path) -> Iterator[FieldProblem]:
        """Yield all that is wrong with a value that has the type."""
        return iter(())

    def normalized(self, value: Any) -> Any:
        """Return a value in which nothing is wrong in its one form: fields in order, whole numbers as integers."""
        return value

    def shapes(self) -> Iterator[Any]:
        """Yield the shapes (`hexrec.record.shapes.Shape`) of the objects that the value may be or contain directly."""
        return iter(())


class Text(Kind):
    """Strings of characters: halves of surrogate pairs, which JSON can name, are none.

    Attributes:
        pattern: what they match; None for any string.
        code, wanted: of the diagnostic for one that does not: "should be a date such as 2026".
    """

    name = "a string"

    def __init__(self, pattern: str | None = None, code: str = "", wanted: str = "") -> None:
        self.pattern = pattern
        self.code = code
        self.wanted = wanted

    def core(self, core: Any) -> Any:
        # Looking ahead is left to Python's expressions; Rust's are faster.
        looks_ahead = self.pattern is not None and "(?!" in self.pattern
        return core.str_schema(strict=True, pattern=self.pattern, regex_engine="python-re" if looks_ahead else None)

    def json_schema(self) -> Schema:
        return {"type": "string", "pattern": self.pattern} if self.pattern else {"type": "string"}

    def accepts(self, value: Any) -> bool:
        return type(value) is str and is_encodable(value)

    def problems_within(self, value: Any, path: Path) -> Iterator[FieldProblem]:
        if self.pattern and re.search(self.pattern, value) is None:
            yield FieldProblem(self.code, f"{name_of(path)} {self.wanted}, not {say(value)}", path)


def is_encodable(text: str) -> bool:
    """Return whether a string has no half of a surrogate pair."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class Flag(Kind):
    """True or false."""

    name = "true or false"
    types = (bool,)

    def core(self, core: Any) -> Any:
        return core.bool_schema(strict=True)

    def json_schema(self) -> Schema:
        return {"type": "boolean"}


class Number(Kind):
    """Finite numbers. One that is whole is an integer however it is written: 1200.0 is 1200."""

    name = "a number"

    def __init__(self, minimum: int | None = None, maximum: int | None = None) -> None:
        self.minimum = minimum
        self.maximum = maximum

    def core(self, core: Any) -> Any:
        bounds = {"strict": True, "ge": self.minimum, "le": self.maximum}
        fraction = core.float_schema(allow_inf_nan=False, **bounds)
        whole = core.int_schema(**bounds)
        either = [whole, core.no_info_after_validator_function(_whole, fraction)]
        return core.union_schema(either, mode="left_to_right")

    def json_schema(self) -> Schema:
        bounds = {"minimum": self.minimum, "maximum": self.maximum}
        return {"type": "number"} | {name: bound for name, bound in bounds.items() if bound is not None}

    def accepts(self, value: Any) -> bool:
        return type(value) is int or (type(value) is float and isfinite(value))

    def normalized(self, value: Any) -> Any:
        return _whole(value)

    def problems_within(self, value: Any, path: Path) -> Iterator[FieldProblem]:
        if self.minimum is not None and value < self.minimum:
            yield self.out_of_range(f"at least {self.minimum}", value, path)
        elif self.maximum is not None and value > self.maximum:
            yield self.out_of_range(f"at most {self.maximum}", value, path)

    def out_of_range(self, bound: str, value: Any, path: Path) -> FieldProblem:
        """Return the problem of a number that is too large or too small."""
        return FieldProblem("schema/range", f"{name_of(path)} should be {bound}, not {say(value)}", path)


def _whole(value: Any) -> Any:
    return int(value) if type(value) is float and value.is_integer() else value


class Integer(Number):
    """Whole numbers, 5.0 included, as in JSON Schema."""

    name = "a whole number"

    def core(self, core: Any) -> Any:
        whole = core.int_schema(strict=True, ge=self.minimum, le=self.maximum)
        either = [whole, core.no_info_before_validator_function(_whole, whole)]
        return core.union_schema(either, mode="left_to_right")

    def json_schema(self) -> Schema:
        return {**super().json_schema(), "type": "integer"}

    def accepts(self, value: Any) -> bool:
        return type(value) is int or (type(value) is float and value.is_integer())


class Choice(Kind):
    """One of some strings. `code` is that of the diagnostic for any other string."""

    def __init__(self, values: tuple[str, ...], code: str = "schema/value") -> None:
        self.values = values
        self.code = code

    def core(self, core: Any) -> Any:
        return core.literal_schema([*self.values])

    def json_schema(self) -> Schema:
        if len(self.values) == 1:
            return {"type": "string", "const": self.values[0]}
        return {"type": "string", "enum": [*self.values]}

    def problems(self, value: Any, path: Path, about: About) -> Iterator[FieldProblem]:
        if type(value) is not str or value not in self.values:
            yield self.unknown(value, path)

    def unknown(self, value: Any, path: Path) -> FieldProblem:
        """Return the problem of a value that is none of these."""
        code = self.code if type(value) is str or self.code == "schema/version" else "schema/type"
        *others, last = (f'"{choice}"' for choice in self.values)
        choices = f"{', '.join(others)} or {last}" if others else last
        message = f"{name_of(path)} should be {choices}, not {say(value)}{quote_hint(value)}"
        return FieldProblem(code, message, path)


class Anything(Kind):
    """Any value: what a field may be depends on the game, and the game is not known."""

    def core(self, core: Any) -> Any:
        return core.any_schema()

    def json_schema(self) -> Schema:
        return {}

    def accepts(self, value: Any) -> bool:
        return True


class ListOf(Kind):
    """Lists; `at_least` is the smallest number of values, for a problem of its own where there are fewer."""

    name = "a list"
    types = (list,)

    def __init__(self, items: Kind, at_least: int = 0) -> None:
        self.items = items
        self.at_least = at_least

    def core(self, core: Any) -> Any:
        # Fast, as there may be hundreds of thousands of errors, of which none is asked for.
        return core.list_schema(self.items.core(core), strict=True, min_length=self.at_least, fail_fast=True)

    def json_schema(self) -> Schema:
        schema: Schema = {"type": "array", "items": self.items.json_schema()}
        return schema | {"minItems": self.at_least} if self.at_least else schema

    def problems_within(self, value: Any, path: Path) -> Iterator[FieldProblem]:
        if len(value) < self.at_least:
            yield FieldProblem("schema/mark", f"{name_of(path)} should name at least one cell", path)
        for index, item in enumerate(value):
            yield from self.items.problems(item, (*path, index), NOTHING)

    def normalized(self, value: Any) -> Any:
        return [*map(self.items.normalized, value)]

    def shapes(self) -> Iterator[Any]:
        return self.items.shapes()


def name_of(path: Path) -> str:
    """Return the name of a value as people write it: ``moves[3].clock``, ``players.black.name``."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".") or "the record"


def say(value: object) -> str:
    """Return words for a value in a message."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"the value {str(value).lower()}"
    if isinstance(value, int | float):
        return f"the number {shorten(repr(value)) if abs(value) < 10**60 else 'given'}"
    if isinstance(value, str):
        return f'the string "{shorten(value)}"' if value else "an empty string"
    return "a list" if isinstance(value, list) else "an object"


def quote_hint(value: object) -> str:
    """Return the hint for a value that was probably meant as a string."""
    return " (write it in quotes)" if isinstance(value, bool | int | float) else ""
