"""Shapes of the objects in records, as the definition describes them: validation, canonical order and JSON Schema."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
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

from hexrec.record.kinds import (
    STRING,
    Anything,
    Choice,
    FieldProblem,
    Flag,
    Integer,
    Kind,
    ListOf,
    Number,
    Schema,
    name_of,
)
from hexrec.record.schema import RULES, About, Move, Rule
from hexrec.rules.terms import join_words
from hexrec.util.diagnostics import Path, close_matches, shorten

#: The maximum number of fields that a message lists, and of unknown fields that are compared with a missing one.
_MOST_NAMED, _MOST_COMPARED = 8, 100


class Field(NamedTuple):
    """A field of an object."""

    kind: Kind
    about: About
    required: bool = False


class Turn(Kind):
    """Turns: strings or objects, of which each may contain turns itself."""

    noun = "a turn, which is a string or an object with the field turn"
    types = (dict,)

    def core(self, core: Any) -> Any:
        either = [STRING.core(core), core.definition_reference_schema(Move.__name__)]
        return core.union_schema(either, mode="left_to_right")

    def json_schema(self) -> Schema:
        return {"anyOf": [STRING.json_schema(), shape_of(Move).json_schema()]}

    def accepts(self, value: Any) -> bool:
        return super().accepts(value) or STRING.accepts(value)

    def accepts_all(self, values: list[Any]) -> bool:
        return {*map(type, values)} == {str} and STRING.accepts("".join(values))

    def problems_within(self, value: Any, path: Path) -> Iterator[FieldProblem]:
        return shape_of(Move).problems_within(value, path) if type(value) is dict else iter(())

    def normalize(self, value: Any) -> Any:
        return shape_of(Move).normalize(value) if type(value) is dict else value


@dataclass(eq=False, repr=False)
class Shape(Kind):
    """Objects of one shape: its fields in the order of the format, and rules for their combination.

    Attributes:
        name: the name of its JSON Schema, unique in a record.
        description, title: those of the JSON Schema.
        fields: the fields by name.
        rules: the rules; none if all combinations of values are valid.
    """

    noun = "an object"
    types = (dict,)

    name: str
    description: str
    fields: Mapping[str, Field]
    rules: tuple[Rule, ...] = ()
    title: str = ""

    @cached_property
    def parts(self) -> dict[str, Shape]:
        """The shapes of objects in fields, directly or in arrays, by field name."""
        shapes = {name: _shape_within(known.kind) for name, known in self.fields.items()}
        return {name: shape for name, shape in shapes.items() if shape is not None}

    @cached_property
    def defaults(self) -> dict[str, Any]:
        """The default values of the fields, by name; None for a field without one."""
        return {name: known.about.default for name, known in self.fields.items()}

    def core(self, core: Any) -> Any:
        # Unknown fields are accepted: see `unknown`.
        fields = {
            name: core.typed_dict_field(known.kind.core(core), required=known.required)
            for name, known in self.fields.items()
        }
        schema = core.typed_dict_schema(fields, extra_behavior="allow", strict=True)
        for rule in self.rules:
            schema = core.no_info_after_validator_function(rule.enforce, schema)
        return schema

    def normalize(self, value: Any) -> Any:
        known = {name: field.kind.normalize(value[name]) for name, field in self.fields.items() if name in value}
        return known | {name: item for name, item in value.items() if name not in known}

    def unknown(self, part: Mapping[str, Any]) -> list[str]:
        """Return the names of the fields of an object that are neither in the format nor extension fields."""
        return [name for name in part if name not in self.fields and not is_extension(name)]

    def known_part(self, value: Any) -> Any:
        """Return an object, or the objects in an array, without unknown fields at any depth."""
        if type(value) is list:
            return [self.known_part(item) for item in value]
        if type(value) is not dict:
            return value
        unknown = {*self.unknown(value)}
        known = {name: item for name, item in value.items() if name not in unknown}
        return known | {name: shape.known_part(known[name]) for name, shape in self.parts.items() if name in known}

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
        for rule in self.rules if sound else ():
            if (broken := rule.broken(part)) is not None:
                name, message = broken
                here = (*path, name) if name else path
                yield FieldProblem(rule.code, f"{name_of(here)} {message}", here)

    def _problems_of_fields(self, part: dict[str, Any], path: Path) -> Iterator[FieldProblem]:
        unknown = self.unknown(part)
        for name, known in self.fields.items():
            here = (*path, name)
            if name not in part:
                if known.required and not misspelled(name, unknown):
                    yield FieldProblem("schema/missing-field", _say_missing(name, known.about, path), path)
            elif part[name] is None and not known.required:
                message = f"{name_of(here)} should not be null: leave the field out, or give it a value"
                yield FieldProblem("schema/null", message, here)
            else:
                yield from known.kind.problems(part[name], here, known.about.form)
        for name in unknown:
            yield FieldProblem("schema/unknown-field", partial(self._say_unknown, name, part), (*path, name))

    def _say_unknown(self, name: Any, part: Mapping[str, Any], owner: str) -> str:
        close = close_matches(str(name), self.fields, 1)
        problem = f'{owner} has no field "{shorten(str(name))}" here'
        if close and close[0] not in part:
            return f'{problem}: did you mean "{close[0]}"?'
        known = f"the fields are {join_words([*self.fields], 'and')}; " if len(self.fields) <= _MOST_NAMED else ""
        return f"{problem}: {known}a field of your own begins with x-"

    def json_schema(self) -> Schema:
        return {"$ref": f"#/$defs/{self.name}"}

    def definition(self) -> Schema:
        """Return the JSON Schema of the objects, to which `json_schema` refers."""
        properties = {name: _describe_field(name, known) for name, known in self.fields.items()}
        required = [name for name, known in self.fields.items() if known.required]
        rules = [rule.json_schema for rule in self.rules]
        return {
            "type": "object",
            "title": self.title or self.name,
            "description": self.description,
            "properties": properties,
            **({"required": required} if required else {}),
            "patternProperties": {"^x-": {"description": "An extension field: any value, preserved verbatim."}},
            **({"allOf": rules} if len(rules) > 1 else rules[0] if rules else {}),
        }


def misspelled(name: str, unknown: Sequence[Any]) -> Any:
    """Return the unknown field that is probably meant for a missing one, or None: it needs no second diagnostic."""
    keys = {str(key): key for key in unknown[:_MOST_COMPARED]}
    close = close_matches(name, keys, 1) if keys else []
    return keys[close[0]] if close else None


def _say_missing(name: str, about: About, path: Path) -> str:
    thing = re.split("[.,:]", about.description)[0]
    if not thing.startswith(("Black", "White")):
        thing = thing[:1].lower() + thing[1:]
    example = f", such as {json.dumps(about.examples[0])}" if about.examples else ""
    return f'{name_of(path)} lacks the field "{name}": add {thing}{example}'


def _shape_within(kind: Kind) -> Shape | None:
    """Return the shape of the objects that a value is or contains, or None."""
    while isinstance(kind, ListOf):
        kind = kind.items
    return shape_of(Move) if isinstance(kind, Turn) else kind if isinstance(kind, Shape) else None


def is_extension(name: Any) -> bool:
    """Return whether a field is an extension field, free for any use."""
    return type(name) is str and name.startswith("x-")


#: Titles of fields in JSON Schemas that differ from their names.
_TITLES = {
    "at": "Date and time",
    "bot": "Is a program",
    "by": "Decided by",
    "clock": "Time left",
    "date_end": "End date",
    "depth": "Search depth",
    "eval": "Evaluation",
    "hexrec": "Version of the format",
    "illegal": "Illegal turn",
    "line": "Expected turns",
    "moves": "Turns",
    "nag": "Annotation glyphs",
    "per_turn": "Time for each turn",
    "periods": "Byo-yomi periods",
    "pie": "Pie rule",
    "seconds": "Time",
    "taken_back": "Turns taken back",
    "termination": "Cause of the end",
    "url": "Address",
}


def _describe_field(name: str, known: Field) -> Schema:
    about = known.about
    title = _TITLES.get(name, name.replace("_", " ").capitalize())
    schema: Schema = {"title": title, "description": about.description}
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
    rules = (RULES[kind],) if kind in RULES else ()
    return Shape(kind.__name__, kind.__doc__.partition("\n\n")[0], fields, rules, title=title)


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
        return Turn()
    if is_typeddict(hint):
        return shape_of(hint)
    return {str: STRING, bool: Flag(), int: Integer(), float: Number()}.get(hint, Anything())
