"""The kinds of values in records: how pydantic checks each, how JSON Schema describes it, what a diagnostic says.

The bytes of JSON are checked by pydantic's core (pydantic itself takes longer to import than a thousand records take to
validate), data of other origin by looking for problems: both follow from the same description.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache, cached_property
from math import isfinite
from types import NoneType, UnionType
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

from hexrec.diagnostics import shorten
from hexrec.pointer import Path

Schema = dict[str, Any]


class FieldProblem(NamedTuple):
    """What is wrong with a value: the code of the diagnostic, its message, and the path of the value.

    A message that takes time to word is a function: most of those of a hostile record are only counted.
    """

    code: str
    message: str | Callable[[], str]
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


class Kind:
    """A kind of values."""

    #: The type as messages name it.
    name = ""

    def core(self, core: Any) -> Any:
        """Return the schema by which pydantic's core accepts or refuses a value, given `pydantic_core.core_schema`."""
        raise NotImplementedError

    def json_schema(self) -> Schema:
        """Return the JSON Schema of the values; objects are references to `$defs`."""
        raise NotImplementedError

    def problems(self, value: Any, path: Path, about: About, owner: str) -> Iterator[FieldProblem]:
        """Yield all that is wrong with a value.

        `path` leads to the value in its record, `owner` names the record: "a record of Nadraz".
        """
        raise NotImplementedError

    def normalized(self, value: Any) -> Any:
        """Return a value in which nothing is wrong in its one form: fields in order, whole numbers as integers."""
        return value

    def shapes(self) -> Iterator[Shape]:
        """Yield the shapes of the objects that the value may be or contain directly."""
        return iter(())


def wrong_type(kind: str, value: Any, path: Path, about: About) -> FieldProblem:
    """Return the problem of a value that has another type than its field."""
    hint = quote_hint(value) if kind.startswith(("a string", "a turn")) else ""
    return FieldProblem("schema/type", f"{name_of(path)} should be {kind}{about.form}, not {say(value)}{hint}", path)


class Text(Kind):
    """Strings of characters: halves of surrogate pairs, which JSON can name, are none.

    Attributes:
        pattern: what they match; None for any string.
        code, wanted: of the diagnostic for one that does not: "should be a date such as 2026".
    """

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

    def problems(self, value: Any, path: Path, about: About, owner: str) -> Iterator[FieldProblem]:
        if type(value) is not str or not _is_encodable(value):
            yield wrong_type("a string", value, path, about)
        elif self.pattern and re.search(self.pattern, value) is None:
            yield FieldProblem(self.code, f"{name_of(path)} {self.wanted}, not {say(value)}", path)


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


class Flag(Kind):
    """True or false."""

    def core(self, core: Any) -> Any:
        return core.bool_schema(strict=True)

    def json_schema(self) -> Schema:
        return {"type": "boolean"}

    def problems(self, value: Any, path: Path, about: About, owner: str) -> Iterator[FieldProblem]:
        if type(value) is not bool:
            yield wrong_type("true or false", value, path, about)


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
        """Return whether a value has the type, whatever its size."""
        return type(value) is int or (type(value) is float and isfinite(value))

    def normalized(self, value: Any) -> Any:
        return _whole(value)

    def problems(self, value: Any, path: Path, about: About, owner: str) -> Iterator[FieldProblem]:
        if not self.accepts(value):
            yield wrong_type(self.name, value, path, about)
        elif self.minimum is not None and value < self.minimum:
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

    def problems(self, value: Any, path: Path, about: About, owner: str) -> Iterator[FieldProblem]:
        if value in self.values and type(value) is str:
            return
        problem = self.unknown(value, path)
        is_version = self.code == "schema/version"
        yield problem if type(value) is str or is_version else problem._replace(code="schema/type")

    def unknown(self, value: Any, path: Path) -> FieldProblem:
        """Return the problem of a value that is none of these."""
        *others, last = (f'"{choice}"' for choice in self.values)
        choices = f"{', '.join(others)} or {last}" if others else last
        message = f"{name_of(path)} should be {choices}, not {say(value)}{quote_hint(value)}"
        return FieldProblem(self.code, message, path)


class Anything(Kind):
    """Any value: what a field may be depends on the game, and the game is not known."""

    def core(self, core: Any) -> Any:
        return core.any_schema()

    def json_schema(self) -> Schema:
        return {}

    def problems(self, value: Any, path: Path, about: About, owner: str) -> Iterator[FieldProblem]:
        return iter(())


class ListOf(Kind):
    """Lists; `at_least` is the smallest number of values, for a problem of its own where there are fewer."""

    def __init__(self, items: Kind, at_least: int = 0) -> None:
        self.items = items
        self.at_least = at_least

    def core(self, core: Any) -> Any:
        # Fast, as there may be hundreds of thousands of errors, of which none is asked for.
        return core.list_schema(self.items.core(core), strict=True, min_length=self.at_least, fail_fast=True)

    def json_schema(self) -> Schema:
        schema: Schema = {"type": "array", "items": self.items.json_schema()}
        return schema | {"minItems": self.at_least} if self.at_least else schema

    def problems(self, value: Any, path: Path, about: About, owner: str) -> Iterator[FieldProblem]:
        if type(value) is not list:
            yield wrong_type("a list", value, path, about)
            return
        if len(value) < self.at_least:
            yield FieldProblem("schema/mark", f"{name_of(path)} should name at least one cell", path)
        for index, item in enumerate(value):
            yield from self.items.problems(item, (*path, index), _NOTHING, owner)

    def normalized(self, value: Any) -> Any:
        return [*map(self.items.normalized, value)]

    def shapes(self) -> Iterator[Shape]:
        return self.items.shapes()


class Object(Kind):
    """Objects of one shape."""

    def __init__(self, shape: Shape) -> None:
        self.shape = shape

    def core(self, core: Any) -> Any:
        return self.shape.core(core)

    def json_schema(self) -> Schema:
        return {"$ref": f"#/$defs/{self.shape.name}"}

    def problems(self, value: Any, path: Path, about: About, owner: str) -> Iterator[FieldProblem]:
        if type(value) is dict:
            yield from self.shape.problems(value, path, owner)
        else:
            yield wrong_type("an object", value, path, about)

    def normalized(self, value: Any) -> Any:
        return self.shape.normalized(value)

    def shapes(self) -> Iterator[Shape]:
        yield self.shape


class Turn(Kind):
    """A turn: a string, or an object of the class `move`, which has turns in it."""

    def __init__(self, move: Any) -> None:
        self.move = move

    def core(self, core: Any) -> Any:
        either = [core.str_schema(strict=True), core.definition_reference_schema(self.move.__name__)]
        return core.union_schema(either, mode="left_to_right")

    def json_schema(self) -> Schema:
        return {"anyOf": [{"type": "string"}, {"$ref": f"#/$defs/{self.move.__name__}"}]}

    def problems(self, value: Any, path: Path, about: About, owner: str) -> Iterator[FieldProblem]:
        if type(value) is dict:
            yield from self.shape.problems(value, path, owner)
        elif type(value) is not str or not _is_encodable(value):
            yield wrong_type("a turn, which is a string or an object with the field turn", value, path, about)

    def normalized(self, value: Any) -> Any:
        return self.shape.normalized(value) if type(value) is dict else value

    def shapes(self) -> Iterator[Shape]:
        yield self.shape

    @property
    def shape(self) -> Shape:
        """The shape of a turn that is an object."""
        return shape_of(self.move)


class Field(NamedTuple):
    """A field of an object."""

    kind: Kind
    about: About
    required: bool = False


class Rule(NamedTuple):
    """A rule for the fields of an object together, each of which is right by itself.

    Attributes:
        code: of the diagnostic.
        broken: returns the name of the field at fault, empty for the object, and the message after the name; None if
            the object keeps the rule.
        json_schema: the rule in JSON Schema.
    """

    code: str
    broken: Callable[[Mapping[str, Any]], tuple[str, str] | None]
    json_schema: Schema


class Shape:
    """The shape of an object: its fields in the order in which they are written, and a rule for them together.

    Attributes:
        name: of its JSON Schema, unlike that of any other shape in a record.
        description: for readers of the JSON Schema.
        fields: by name.
        rule: None if any values of the fields go together.
        title: of the JSON Schema.
    """

    def __init__(
        self, name: str, description: str, fields: Mapping[str, Field], rule: Rule | None = None, *, title: str = ""
    ) -> None:
        self.name = name
        self.description = description
        self.fields = fields
        self.rule = rule
        self.title = title

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the fields."""
        return frozenset(self.fields)

    @cached_property
    def parts(self) -> dict[str, Shape]:
        """The shapes of the objects in fields, also of those in lists, by the names of the fields."""
        return {name: shape for name, known in self.fields.items() for shape in known.kind.shapes()}

    def core(self, core: Any, ref: str | None = None) -> Any:
        """Return the schema for pydantic's core, as `Kind.core`. It takes unknown fields: see `unknown`."""
        fields = {
            name: core.typed_dict_field(known.kind.core(core), required=known.required)
            for name, known in self.fields.items()
        }
        schema = core.typed_dict_schema(fields, extra_behavior="allow", strict=True)
        if self.rule is not None:
            schema = core.no_info_after_validator_function(self._refuse, schema)
        return {**schema, "ref": ref} if ref else schema

    def _refuse(self, part: dict[str, Any]) -> dict[str, Any]:
        if self.rule is not None and self.rule.broken(part) is not None:
            raise ValueError("the object breaks a rule")  # which pydantic's core catches
        return part

    def normalized(self, part: Mapping[str, Any]) -> dict[str, Any]:
        """Return an object in which nothing is wrong with its fields in order, in their one form."""
        known = {name: field.kind.normalized(part[name]) for name, field in self.fields.items() if name in part}
        return known | {name: value for name, value in part.items() if name not in known}

    def unknown(self, part: Mapping[str, Any]) -> list[str]:
        """Return the names of the fields of an object that the format does not have; extension fields are known."""
        if part.keys() <= self.names:
            return []
        return [name for name in part if name not in self.names and not is_extension(name)]

    def problems(self, part: dict[str, Any], path: Path, owner: str) -> Iterator[FieldProblem]:
        """Yield all that is wrong with an object, in the order of its fields; see `Kind.problems`."""
        sound = True
        for name, known in self.fields.items():
            if name not in part:
                if known.required:
                    sound = False
                    yield FieldProblem(
                        "schema/missing-field", f'{name_of(path)} lacks the required field "{name}"', path
                    )
                continue
            for problem in self._in_field(known, part[name], (*path, name), owner):
                sound = False
                yield problem
        for name in self.unknown(part):
            sound = False
            yield self._no_field(name, path, owner)
        if sound and self.rule is not None and (broken := self.rule.broken(part)) is not None:
            name, message = broken
            here = (*path, name) if name else path
            yield FieldProblem(self.rule.code, f"{name_of(here)} {message}", here)

    def _in_field(self, known: Field, value: Any, path: Path, owner: str) -> Iterator[FieldProblem]:
        if value is None and not known.required:
            message = f"{name_of(path)} should not be null: leave the field out, or give it a value"
            yield FieldProblem("schema/null", message, path)
        else:
            yield from known.kind.problems(value, path, known.about, owner)

    def _no_field(self, name: Any, path: Path, owner: str) -> FieldProblem:
        def message() -> str:
            close = get_close_matches(str(name), self.fields, 1)
            hint = f"did you mean {close[0]}?" if close else f"known here: {', '.join(self.fields)}"
            return f'{owner} has no field "{shorten(str(name))}" here; {hint} (a field of your own begins with x-)'

        return FieldProblem("schema/unknown-field", message, (*path, name))

    def json_schema(self) -> Schema:
        """Return the JSON Schema of the objects."""
        properties = {name: _described(name, known) for name, known in self.fields.items()}
        required = [name for name, known in self.fields.items() if known.required]
        return {
            "type": "object",
            "title": self.title or self.name,
            "description": self.description,
            "properties": properties,
            **({"required": required} if required else {}),
            "additionalProperties": False,
            "patternProperties": {"^x-": {"description": "An extension field: anything, kept verbatim."}},
            **(self.rule.json_schema if self.rule else {}),
        }


def is_extension(name: Any) -> bool:
    """Return whether a field is an extension: anyone may use such fields, for any value."""
    return type(name) is str and name.startswith("x-")


def _described(name: str, known: Field) -> Schema:
    about = known.about
    schema: Schema = {"title": name.replace("_", " ").capitalize(), "description": about.description}
    if about.default is not ...:
        schema["default"] = about.default
    if about.examples:
        schema["examples"] = [*about.examples]
    return schema | known.kind.json_schema()


_NOTHING = About("")


@cache
def shape_of(kind: Any) -> Shape:
    """Return the shape of the objects that a `TypedDict` describes, in which fields are optional unless `Required`."""
    hints = get_type_hints(kind, include_extras=True)
    fields = {name: _field(hint) for name, hint in hints.items()}
    title = re.sub("(?<=[a-z])[A-Z]", lambda capital: f" {capital[0].lower()}", kind.__name__)
    return Shape(kind.__name__, (kind.__doc__ or "").partition("\n\n")[0], fields, RULES.get(kind), title=title)


#: The rules for objects of several `TypedDict`s, which can have no attributes.
RULES: dict[type[Any], Rule] = {}


def _field(hint: Any) -> Field:
    required = get_origin(hint) is Required
    if required:
        (hint,) = get_args(hint)
    kind, *notes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    about = next((note for note in notes if isinstance(note, About)), _NOTHING)
    rest = [note for note in notes if note is not about]
    return Field(kind_of(Annotated[kind, *rest] if rest else kind), about, required)


def kind_of(hint: Any) -> Kind:
    """Return the kind of values that an annotation describes."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Annotated:
        kinds = [note for note in arguments[1:] if isinstance(note, Kind)]
        return kinds[0] if kinds else kind_of(arguments[0])
    if origin is list:
        return ListOf(kind_of(arguments[0]))
    if origin is Literal:
        return Choice(arguments)
    if origin in (Union, UnionType):
        return Turn(next(kind for kind in arguments if is_typeddict(kind)))
    if is_typeddict(hint):
        return Object(shape_of(hint))
    return {str: Text(), bool: Flag(), int: Integer(), float: Number(), NoneType: Anything()}.get(hint, Anything())


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
