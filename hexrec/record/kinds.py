"""Types of values in records, each with its pydantic-core schema, JSON Schema and diagnostics.

The shapes of objects are built from `TypedDict`s.

JSON bytes are validated by pydantic-core alone, as pydantic takes longer to import than to validate a thousand records.
Other data is validated by `Kind.problems`. Both follow from the same description.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache, cached_property, partial
from math import isfinite
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NamedTuple,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from hexrec.util.diagnostics import Path, shorten

Schema = dict[str, Any]


class FieldProblem(NamedTuple):
    """Problem of a value: the code and message of the diagnostic, and the path of the value.

    A message that is slow to build is a function of `RecordShape.owner`: for a hostile record, most are only counted.
    """

    code: str
    message: str | Callable[[str], str]
    path: Path


class About(NamedTuple):
    """Documentation of a field.

    Attributes:
        description: the description in the JSON Schema.
        examples: valid values.
        default: the value that a missing field means; `...` without a default.
        form: text after the type in a message about a wrong type, such as " of strings".
    """

    description: str
    examples: tuple[Any, ...] = ()
    default: Any = ...
    form: str = ""


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

    def problems(self, value: Any, path: Path, form: str = "") -> Iterator[FieldProblem]:
        """Yield the problems of the value at a path; `form` is that of its field, see `About`."""
        if self.accepts(value):
            yield from self.problems_within(value, path)
        else:
            hint = quote_hint(value) if self.noun.startswith(("a string", "a turn")) else ""
            message = f"{name_of(path)} should be {self.noun}{form}, not {say(value)}{hint}"
            yield FieldProblem("schema/type", message, path)

    def problems_within(self, value: Any, path: Path) -> Iterator[FieldProblem]:
        """Yield the problems of a value of the right type."""
        return iter(())

    def normalize(self, value: Any) -> Any:
        """Return a valid value with fields in order and whole numbers as integers."""
        return value

    def shape_within(self) -> Shape | None:
        """Return the shape of the objects that the value is or contains, or None."""
        return None


@dataclass
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
        return {"type": "string", "pattern": self.pattern} if self.pattern else {"type": "string"}

    def accepts(self, value: Any) -> bool:
        return type(value) is str and is_encodable(value)

    def problems_within(self, value: Any, path: Path) -> Iterator[FieldProblem]:
        if self.pattern and re.search(self.pattern, value) is None:
            yield FieldProblem(self.code, f"{name_of(path)} {self.wanted}, not {say(value)}", path)


def is_encodable(text: str) -> bool:
    """Return whether a string has no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class Flag(Kind):
    """True or false."""

    noun = "true or false"
    types = (bool,)

    def core(self, core: Any) -> Any:
        return core.bool_schema(strict=True)

    def json_schema(self) -> Schema:
        return {"type": "boolean"}


@dataclass
class Number(Kind):
    """Finite numbers. Whole ones become integers: 1200.0 is 1200.

    Attributes:
        minimum, maximum: the bounds, if there are any.
        reach: the bounds in messages, in place of the one that a number exceeds.
    """

    noun = "a number"

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
        return {"type": "number"} | {name: bound for name, bound in bounds.items() if bound is not None}

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

    def core(self, core: Any) -> Any:
        whole = core.int_schema(strict=True, ge=self.minimum, le=self.maximum)
        either = [whole, core.no_info_before_validator_function(_to_integer, whole)]
        return core.union_schema(either, mode="left_to_right")

    def json_schema(self) -> Schema:
        return {**super().json_schema(), "type": "integer"}

    def accepts(self, value: Any) -> bool:
        return type(value) is int or (type(value) is float and value.is_integer())


@dataclass
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
        *others, last = (f'"{choice}"' for choice in self.values)
        choices = f"{', '.join(others)} or {last}" if others else last
        yield FieldProblem(code, f"{name_of(path)} should be {choices}, not {say(value)}{quote_hint(value)}", path)


class Anything(Kind):
    """Any value, for fields whose type depends on the game if the game is unknown."""

    def core(self, core: Any) -> Any:
        return core.any_schema()

    def json_schema(self) -> Schema:
        return {}

    def accepts(self, value: Any) -> bool:
        return True


@dataclass
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
        for index, item in enumerate(value):
            yield from self.items.problems(item, (*path, index))

    def normalize(self, value: Any) -> Any:
        return [*map(self.items.normalize, value)]

    def shape_within(self) -> Shape | None:
        return self.items.shape_within()


@dataclass
class Turn(Kind):
    """Turns: strings or objects.

    Attributes:
        shape: returns the shape of the objects, which contain turns themselves.
    """

    noun = "a turn, which is a string or an object with the field turn"
    types = (str, dict)

    shape: Callable[[], Shape]

    def core(self, core: Any) -> Any:
        either = [core.str_schema(strict=True), core.definition_reference_schema(self.shape().name)]
        return core.union_schema(either, mode="left_to_right")

    def json_schema(self) -> Schema:
        return {"anyOf": [{"type": "string"}, self.shape().json_schema()]}

    def accepts(self, value: Any) -> bool:
        return super().accepts(value) and (type(value) is dict or is_encodable(value))

    def problems_within(self, value: Any, path: Path) -> Iterator[FieldProblem]:
        return self.shape().problems_within(value, path) if type(value) is dict else iter(())

    def normalize(self, value: Any) -> Any:
        return self.shape().normalize(value) if type(value) is dict else value

    def shape_within(self) -> Shape | None:
        return self.shape()


class Field(NamedTuple):
    """A field of an object."""

    kind: Kind
    about: About
    required: bool = False


class Rule(NamedTuple):
    """Constraint on a combination of fields that are valid one by one.

    Attributes:
        code: the code of the diagnostic.
        broken: returns the name of the wrong field, empty for the object, and the message after the name; None if the
            object obeys the rule.
        json_schema: the rule in JSON Schema.
    """

    code: str
    broken: Callable[[Mapping[str, Any]], tuple[str, str] | None]
    json_schema: Schema

    def enforce(self, part: dict[str, Any]) -> dict[str, Any]:
        """Return an object unchanged. Raises ValueError, which pydantic-core catches, if it breaks the rule."""
        if self.broken(part) is not None:
            raise ValueError("the object breaks a rule")
        return part


@dataclass(eq=False)
class Shape(Kind):
    """Objects of one shape: its fields in the order of the format, and a rule for their combination.

    Attributes:
        name: the name of its JSON Schema, unique in a record.
        description, title: those of the JSON Schema.
        fields: the fields by name.
        rule: the rule; None if all combinations of values are valid.
    """

    noun = "an object"
    types = (dict,)

    name: str
    description: str
    fields: Mapping[str, Field]
    rule: Rule | None = None
    title: str = ""

    @cached_property
    def parts(self) -> dict[str, Shape]:
        """The shapes of objects in fields, directly or in arrays, by field name."""
        shapes = {name: known.kind.shape_within() for name, known in self.fields.items()}
        return {name: shape for name, shape in shapes.items() if shape is not None}

    def core(self, core: Any) -> Any:
        # Unknown fields are accepted: see `unknown`.
        fields = {
            name: core.typed_dict_field(known.kind.core(core), required=known.required)
            for name, known in self.fields.items()
        }
        schema = core.typed_dict_schema(fields, extra_behavior="allow", strict=True)
        if self.rule is not None:
            schema = core.no_info_after_validator_function(self.rule.enforce, schema)
        return schema

    def normalize(self, value: Any) -> Any:
        known = {name: field.kind.normalize(value[name]) for name, field in self.fields.items() if name in value}
        return known | {name: item for name, item in value.items() if name not in known}

    def shape_within(self) -> Shape | None:
        return self

    def unknown(self, part: Mapping[str, Any]) -> list[str]:
        """Return the names of the fields of an object that are neither in the format nor extension fields."""
        return [name for name in part if name not in self.fields and not is_extension(name)]

    def problems_within(self, value: Any, path: Path = ()) -> Iterator[FieldProblem]:
        sound = True
        for problem in self._problems_of_fields(value, path):
            sound = False
            yield problem
        yield from self.problems_together(value, path, sound=sound)

    def problems_together(
        self, part: Mapping[str, Any], path: Path = (), *, sound: bool = True
    ) -> Iterator[FieldProblem]:
        """Yield the problems of combinations of fields; `sound` tells whether each field is valid by itself."""
        if sound and self.rule is not None and (broken := self.rule.broken(part)) is not None:
            name, message = broken
            here = (*path, name) if name else path
            yield FieldProblem(self.rule.code, f"{name_of(here)} {message}", here)

    def _problems_of_fields(self, part: dict[str, Any], path: Path) -> Iterator[FieldProblem]:
        for name, known in self.fields.items():
            here = (*path, name)
            if name not in part:
                if known.required:
                    message = f'{name_of(path)} lacks the required field "{name}"'
                    yield FieldProblem("schema/missing-field", message, path)
            elif part[name] is None and not known.required:
                message = f"{name_of(here)} should not be null: leave the field out, or give it a value"
                yield FieldProblem("schema/null", message, here)
            else:
                yield from known.kind.problems(part[name], here, known.about.form)
        for name in self.unknown(part):
            yield FieldProblem("schema/unknown-field", partial(self._say_unknown, name, part), (*path, name))

    def _say_unknown(self, name: Any, part: Mapping[str, Any], owner: str) -> str:
        close = get_close_matches(str(name), self.fields, 1)
        hint = (
            f"did you mean {close[0]}?" if close and close[0] not in part else f"known here: {', '.join(self.fields)}"
        )
        return f'{owner} has no field "{shorten(str(name))}" here; {hint} (a field of your own begins with x-)'

    def json_schema(self) -> Schema:
        return {"$ref": f"#/$defs/{self.name}"}

    def definition(self) -> Schema:
        """Return the JSON Schema of the objects, to which `json_schema` refers."""
        properties = {name: _describe_field(name, known) for name, known in self.fields.items()}
        required = [name for name, known in self.fields.items() if known.required]
        return {
            "type": "object",
            "title": self.title or self.name,
            "description": self.description,
            "properties": properties,
            **({"required": required} if required else {}),
            "additionalProperties": False,
            "patternProperties": {"^x-": {"description": "An extension field: any value, preserved verbatim."}},
            **(self.rule.json_schema if self.rule else {}),
        }


def is_extension(name: Any) -> bool:
    """Return whether a field is an extension field, free for any use."""
    return type(name) is str and name.startswith("x-")


def _describe_field(name: str, known: Field) -> Schema:
    about = known.about
    schema: Schema = {"title": name.replace("_", " ").capitalize(), "description": about.description}
    if about.default is not ...:
        schema["default"] = about.default
    if about.examples:
        schema["examples"] = [*about.examples]
    return schema | known.kind.json_schema()


@cache
def shape_of(kind: Any) -> Shape:
    """Return the shape of the objects that a `TypedDict` describes, in which fields are optional unless `Required`."""
    fields = {name: _field(hint) for name, hint in get_type_hints(kind, include_extras=True).items()}
    title = re.sub("(?<=[a-z])[A-Z]", lambda capital: f" {capital[0].lower()}", kind.__name__)
    return Shape(kind.__name__, kind.__doc__.partition("\n\n")[0], fields, RULES.get(kind), title=title)


#: Rules by `TypedDict`, which can have no attributes.
RULES: dict[type[Any], Rule] = {}


def _field(hint: Any) -> Field:
    required = get_origin(hint) is Required
    if required:
        (hint,) = get_args(hint)
    notes = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    about = next((note for note in notes if isinstance(note, About)), About(""))
    return Field(_kind_of(hint), about, required)


def _kind_of(hint: Any) -> Kind:
    """Return the kind of the values that an annotation describes."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return next((note for note in arguments if isinstance(note, Kind)), None) or _kind_of(arguments[0])
    if origin is list:
        return ListOf(_kind_of(arguments[0]))
    if origin is Literal:
        return Choice(arguments)
    if origin in (Union, UnionType):
        return Turn(partial(shape_of, arguments[-1]))
    if is_typeddict(hint):
        return shape_of(hint)
    return {str: Text(), bool: Flag(), int: Integer(), float: Number()}.get(hint, Anything())


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
