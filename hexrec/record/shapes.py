"""Shapes of the objects in records, built from `TypedDict`s."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from difflib import get_close_matches
from functools import cache, cached_property, partial
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

from hexrec.record.kinds import (
    NOTHING,
    About,
    Anything,
    Choice,
    FieldProblem,
    Flag,
    Integer,
    Kind,
    ListOf,
    Number,
    Schema,
    Text,
    is_encodable,
    name_of,
)
from hexrec.util.diagnostics import Path, shorten


class Object(Kind):
    """Objects of one shape, given as a `Shape` or a `TypedDict`."""

    name = "an object"
    types = (dict,)

    def __init__(self, described: Any) -> None:
        self._described = described

    @property
    def shape(self) -> Shape:
        """The shape, built on first use because a `TypedDict` may refer to itself."""
        return self._described if isinstance(self._described, Shape) else shape_of(self._described)

    def core(self, core: Any) -> Any:
        return self.shape.core(core)

    def json_schema(self) -> Schema:
        return {"$ref": f"#/$defs/{self.shape.name}"}

    def problems_within(self, value: Any, path: Path) -> Iterator[FieldProblem]:
        return self.shape.problems(value, path)

    def normalize(self, value: Any) -> Any:
        return self.shape.normalize(value)

    def shapes(self) -> Iterator[Shape]:
        yield self.shape


class Turn(Object):
    """Turns: strings or objects."""

    name = "a turn, which is a string or an object with the field turn"

    def core(self, core: Any) -> Any:
        either = [core.str_schema(strict=True), core.definition_reference_schema(self.shape.name)]
        return core.union_schema(either, mode="left_to_right")

    def json_schema(self) -> Schema:
        return {"anyOf": [{"type": "string"}, super().json_schema()]}

    def accepts(self, value: Any) -> bool:
        return super().accepts(value) or (type(value) is str and is_encodable(value))

    def problems_within(self, value: Any, path: Path) -> Iterator[FieldProblem]:
        return super().problems_within(value, path) if type(value) is dict else iter(())

    def normalize(self, value: Any) -> Any:
        return super().normalize(value) if type(value) is dict else value


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


class Shape:
    """Shape of an object: its fields in the order of the format, and a rule for their combination.

    Attributes:
        name: the name of its JSON Schema, unique in a record.
        description, title: those of the JSON Schema.
        fields: the fields by name.
        rule: the rule; None if all combinations of values are valid.
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
        """The shapes of objects in fields, directly or in arrays, by field name."""
        return {name: shape for name, known in self.fields.items() for shape in known.kind.shapes()}

    def core(self, core: Any, ref: str | None = None) -> Any:
        """Return the pydantic-core schema, like `Kind.core`. It accepts unknown fields: see `unknown`."""
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
            raise ValueError("the object breaks a rule")  # pydantic-core catches it
        return part

    def normalize(self, part: Mapping[str, Any]) -> dict[str, Any]:
        """Return a valid object with fields in order and normalized values."""
        known = {name: field.kind.normalize(part[name]) for name, field in self.fields.items() if name in part}
        return known | {name: value for name, value in part.items() if name not in known}

    def unknown(self, part: Mapping[str, Any]) -> list[str]:
        """Return the names of the fields of an object that are neither in the format nor extension fields."""
        if part.keys() <= self.names:
            return []
        return [name for name in part if name not in self.names and not is_extension(name)]

    def problems(self, part: dict[str, Any], path: Path = ()) -> Iterator[FieldProblem]:
        """Yield the problems of an object in the order of its fields; see `Kind.problems`."""
        sound = True
        for problem in self._problems_of_fields(part, path):
            sound = False
            yield problem
        yield from self.problems_together(part, path, sound=sound)

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
                yield from known.kind.problems(part[name], here, known.about)
        for name in self.unknown(part):
            yield FieldProblem("schema/unknown-field", partial(self._say_unknown, name), (*path, name))

    def _say_unknown(self, name: Any, owner: str) -> str:
        close = get_close_matches(str(name), self.fields, 1)
        hint = f"did you mean {close[0]}?" if close else f"known here: {', '.join(self.fields)}"
        return f'{owner} has no field "{shorten(str(name))}" here; {hint} (a field of your own begins with x-)'

    def json_schema(self) -> Schema:
        """Return the JSON Schema of the objects."""
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
    hints = get_type_hints(kind, include_extras=True)
    fields = {name: _field(hint) for name, hint in hints.items()}
    title = re.sub("(?<=[a-z])[A-Z]", lambda capital: f" {capital[0].lower()}", kind.__name__)
    return Shape(kind.__name__, (kind.__doc__ or "").partition("\n\n")[0], fields, RULES.get(kind), title=title)


#: Rules by `TypedDict`, which can have no attributes.
RULES: dict[type[Any], Rule] = {}


def _field(hint: Any) -> Field:
    required = get_origin(hint) is Required
    if required:
        (hint,) = get_args(hint)
    kind, *notes = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    about = next((note for note in notes if isinstance(note, About)), NOTHING)
    rest = [note for note in notes if note is not about]
    return Field(kind_of(Annotated[kind, *rest] if rest else kind), about, required)


def kind_of(hint: Any) -> Kind:
    """Return the kind of the values that an annotation describes."""
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
        return Object(hint)
    return {str: Text(), bool: Flag(), int: Integer(), float: Number(), NoneType: Anything()}.get(hint, Anything())
