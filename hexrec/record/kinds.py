"""Types of values in records, each with its pydantic-core schema, JSON Schema and diagnostics.

JSON bytes are validated by pydantic-core alone, as pydantic takes longer to import than to validate a thousand records.
Other data is validated by `Kind.problems`. Both follow from the same description.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import isfinite
from typing import Any, NamedTuple

from hexrec.rules.terms import join_words
from hexrec.util.diagnostics import Path, shorten
from hexrec.util.version import FORMAT_VERSION

Schema = dict[str, Any]
#: The keyword for the message about a string that does not match its pattern, which only editors know.
ERROR = "patternErrorMessage"
#: Patterns of the versions of the record format that can be read, and of those with fields that hexrec may not know.
#: In Python, `$` alone also matches before a final newline.
VERSION_PATTERN = rf"^{FORMAT_VERSION}(?:\.(?:0|[1-9][0-9]*))?$(?!\n)"
NEWER_PATTERN = rf"^{FORMAT_VERSION}\.[1-9][0-9]*$(?!\n)"


class FieldProblem(NamedTuple):
    """Problem of a value: the code and message of the diagnostic, and the path of the value.

    A message that is slow to build is a function of `RecordShape.owner`: for a hostile record, most are only counted.
    """

    code: str
    message: str | Callable[[str], str]
    path: Path


class Kind:
    """Base class of the types of values.

    Attributes:
        noun: the type in messages, with its article.
        types: the exact Python types.
    """

    noun = ""
    types: tuple[type[Any], ...] = ()

    def core(self, core: Any) -> Any:
        """Return the pydantic-core schema of the values; `core` is the module `pydantic_core.core_schema`."""
        raise NotImplementedError

    def json_schema(self) -> Schema:
        """Return the JSON Schema of the values, with references to `$defs` for objects."""
        raise NotImplementedError

    def accepts(self, value: Any) -> bool:
        """Return whether a value has the type; its contents are not checked."""
        return type(value) in self.types

    def accepts_all(self, values: list[Any]) -> bool:
        """Return whether values are valid and normal, if that is quick to tell; False for any others."""
        return False

    def problems(self, value: Any, path: Path, form: str = "") -> Iterator[FieldProblem]:
        """Yield the problems of the value at a path; `form` is that of its field, see `About`."""
        if self.accepts(value):
            yield from self.problems_within(value, path)
        else:
            yield FieldProblem("schema/type", partial(self._say_type, value, path, form), path)

    def _say_type(self, value: Any, path: Path, form: str, _: str) -> str:
        hint = quote_hint(value) if self.noun.startswith(("a string", "a turn")) else ""
        return f"{name_of(path)} should be {self.noun}{form}, not {say(value)}{hint}"

    def problems_within(self, value: Any, path: Path) -> Iterator[FieldProblem]:
        """Yield the problems of a value of the right type."""
        return iter(())

    def normalize(self, value: Any) -> Any:
        """Return a valid value with fields in order and whole numbers as integers."""
        return value


@dataclass(eq=False, repr=False)
class Text(Kind):
    """Strings without lone surrogates, which JSON escapes can produce.

    Attributes:
        pattern: the regular expression that they match; None for any string.
        code, wanted: code and predicate of the diagnostic for other strings: "should be a date such as 2026".
    """

    noun = "a string"

    pattern: str | None = None
    code: str = ""
    wanted: str = ""

    def core(self, core: Any) -> Any:
        # Rust's regular expressions are faster, but have no lookahead.
        looks_ahead = self.pattern is not None and "(?!" in self.pattern
        return core.str_schema(strict=True, pattern=self.pattern, regex_engine="python-re" if looks_ahead else None)

    def json_schema(self) -> Schema:
        if not self.pattern:
            return {"type": "string"}
        return {"type": "string", "pattern": self.pattern, **({ERROR: self.wanted} if self.wanted else {})}

    def accepts(self, value: Any) -> bool:
        if type(value) is not str:
            return False
        try:
            value.encode()
        except UnicodeEncodeError:
            return False
        return True

    def problems_within(self, value: Any, path: Path) -> Iterator[FieldProblem]:
        if self.pattern and re.search(self.pattern, value) is None:
            yield FieldProblem(self.code, f"{name_of(path)} {self.wanted}, not {say(value)}", path)


#: Any string.
STRING = Text()


class Flag(Kind):
    """True or false."""

    noun = "true or false"
    types = (bool,)

    def core(self, core: Any) -> Any:
        return core.bool_schema(strict=True)

    def json_schema(self) -> Schema:
        return {"type": "boolean"}


@dataclass(eq=False, repr=False)
class Number(Kind):
    """Finite numbers. Whole ones become integers: 1200.0 is 1200.

    Attributes:
        minimum, maximum: the bounds, if there are any.
        reach: the bounds in messages, in place of the one that a number exceeds.
    """

    noun = "a number"
    json_type = "number"

    minimum: int | None = None
    maximum: int | None = None
    reach: str = ""

    def core(self, core: Any) -> Any:
        bounds = {"strict": True, "ge": self.minimum, "le": self.maximum}
        fraction = core.float_schema(allow_inf_nan=False, **bounds)
        whole = core.int_schema(**bounds)
        either = [whole, core.no_info_after_validator_function(_to_integer, fraction)]
        return core.union_schema(either, mode="left_to_right")

    def json_schema(self) -> Schema:
        bounds = {"minimum": self.minimum, "maximum": self.maximum}
        return {"type": self.json_type} | {name: bound for name, bound in bounds.items() if bound is not None}

    def accepts(self, value: Any) -> bool:
        return type(value) is int or (type(value) is float and isfinite(value))

    def normalize(self, value: Any) -> Any:
        return _to_integer(value)

    def problems_within(self, value: Any, path: Path) -> Iterator[FieldProblem]:
        too_low = self.minimum is not None and value < self.minimum
        if too_low or (self.maximum is not None and value > self.maximum):
            reach = self.reach or (f"at least {self.minimum}" if too_low else f"at most {self.maximum}")
            yield FieldProblem("schema/range", f"{name_of(path)} should be {reach}, not {say(value)}", path)


def _to_integer(value: Any) -> Any:
    return int(value) if type(value) is float and value.is_integer() else value


class Integer(Number):
    """Whole numbers, 5.0 included, as in JSON Schema."""

    noun = "a whole number"
    json_type = "integer"

    def core(self, core: Any) -> Any:
        whole = core.int_schema(strict=True, ge=self.minimum, le=self.maximum)
        either = [whole, core.no_info_before_validator_function(_to_integer, whole)]
        return core.union_schema(either, mode="left_to_right")

    def accepts(self, value: Any) -> bool:
        return type(value) is int or (type(value) is float and value.is_integer())


@dataclass(eq=False, repr=False)
class Choice(Kind):
    """One of several strings.

    Attributes:
        values: the strings.
        code: the code of the diagnostic for any other string.
        explain: returns the message for another string, in place of one that lists the values.
    """

    values: tuple[str, ...]
    code: str = "schema/value"
    explain: Callable[[str], str] | None = None

    def core(self, core: Any) -> Any:
        return core.literal_schema([*self.values])

    def json_schema(self) -> Schema:
        if len(self.values) == 1:
            return {"type": "string", "const": self.values[0]}
        return {"type": "string", "enum": [*self.values]}

    def problems(self, value: Any, path: Path, form: str = "") -> Iterator[FieldProblem]:
        if type(value) is str and value in self.values:
            return
        if type(value) is str and self.explain is not None:
            yield FieldProblem(self.code, self.explain(value), path)
            return
        code = self.code if type(value) is str or self.code == "schema/version" else "schema/type"
        choices = join_words([f'"{choice}"' for choice in self.values], "or")
        yield FieldProblem(code, f"{name_of(path)} should be {choices}, not {say(value)}{quote_hint(value)}", path)


class Version(Kind):
    """A version of the record format: 1, also written 1.0, or a newer minor version."""

    def core(self, core: Any) -> Any:
        # The fast path is for records of this version alone.
        return core.literal_schema([FORMAT_VERSION])

    def json_schema(self) -> Schema:
        return {"type": "string", "pattern": VERSION_PATTERN}

    def problems(self, value: Any, path: Path, form: str = "") -> Iterator[FieldProblem]:
        if type(value) is not str or re.search(VERSION_PATTERN, value) is None:
            message = f'{name_of(path)} should be "{FORMAT_VERSION}", not {say(value)}{quote_hint(value)}'
            yield FieldProblem("schema/version", message, path)

    def normalize(self, value: Any) -> Any:
        return FORMAT_VERSION if value == f"{FORMAT_VERSION}.0" else value


def is_newer(version: object) -> bool:
    """Return whether a version of the record format is a newer minor version, whose unknown fields are not checked."""
    return type(version) is str and re.search(NEWER_PATTERN, version) is not None


class Anything(Kind):
    """Any value, for fields whose type depends on the game if the game is unknown."""

    def core(self, core: Any) -> Any:
        return core.any_schema()

    def json_schema(self) -> Schema:
        return {}

    def accepts(self, value: Any) -> bool:
        return True


@dataclass(eq=False, repr=False)
class ListOf(Kind):
    """Arrays with a minimum number of items."""

    noun = "an array"
    types = (list,)

    items: Kind
    at_least: int = 0

    def core(self, core: Any) -> Any:
        # Fail fast: there may be hundreds of thousands of errors, and none is reported from here.
        return core.list_schema(self.items.core(core), strict=True, min_length=self.at_least, fail_fast=True)

    def json_schema(self) -> Schema:
        schema: Schema = {"type": "array", "items": self.items.json_schema()}
        return schema | {"minItems": self.at_least} if self.at_least else schema

    def problems_within(self, value: Any, path: Path) -> Iterator[FieldProblem]:
        if len(value) < self.at_least:
            yield FieldProblem("schema/mark", f"{name_of(path)} should name at least one cell", path)
        if not self.items.accepts_all(value):
            for index, item in enumerate(value):
                yield from self.items.problems(item, (*path, index))

    def normalize(self, value: Any) -> Any:
        return [*value] if self.items.accepts_all(value) else [*map(self.items.normalize, value)]


def name_of(path: Path) -> str:
    """Return a path in dotted notation: ``moves[3].clock``, ``players.black.name``."""
    text = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return text.removeprefix(".") or "the record"


def say(value: object) -> str:
    """Return the description of a value in a message."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return f"the value {str(value).lower()}"
    if isinstance(value, int | float):
        return f"the number {shorten(repr(value)) if abs(value) < 10**60 else 'given'}"
    if isinstance(value, str):
        return f'the string "{shorten(value)}"' if value else "an empty string"
    return "an array" if isinstance(value, list) else "an object"


def quote_hint(value: object) -> str:
    """Return the hint for a number or Boolean in place of a string, else an empty string."""
    return " (write it in quotes)" if isinstance(value, bool | int | float) else ""
