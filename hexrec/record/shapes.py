"""Shapes of the objects in records: those that the definition describes, and those of the records of each game.

The records of a game have the common fields, with the rulesets, sizes and scores of the game.
"""

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
    Text,
    is_newer,
    name_of,
    say,
)
from hexrec.record.schema import (
    CELL,
    RULES,
    SCORE_RULE,
    About,
    Illegal,
    Move,
    Player,
    RecordData,
    Result,
    Rule,
    with_whitespace,
)
from hexrec.rules.board import SYSTEMS
from hexrec.rules.game import Game
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


@dataclass(eq=False)
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


def own_fields_name(shape: Shape) -> str:
    """Return the name of the JSON Schema that allows no unknown fields in an object."""
    return f"{shape.name}Fields"


def own_fields(shape: Shape) -> Schema:
    """Return the JSON Schema of an object without unknown fields, in itself and in the objects within."""

    def fields_within(kind: Kind) -> Any:
        if isinstance(kind, ListOf):
            return {"type": "array", "items": fields_within(kind.items)}
        inner = _shape_within(kind)
        schema = {"$ref": f"#/$defs/{own_fields_name(inner)}"} if inner else True
        return {"anyOf": [{"type": "string"}, schema]} if isinstance(kind, Turn) else schema

    return {
        "type": "object",
        "properties": {
            name: fields_within(field.kind) if name in shape.parts else True for name, field in shape.fields.items()
        },
        "patternProperties": {"^x-": True},
        "additionalProperties": False,
    }


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


@dataclass(eq=False)
class RecordShape(Shape):
    """Shape of the records of one game, or of records of an unknown game.

    Attributes:
        game: the game; None if unknown.
    """

    game: Game | None = None

    @cached_property
    def validator(self) -> Any:
        """The shape as a pydantic-core validator, imported here because that takes a third of a short command."""
        from pydantic_core import SchemaValidator, core_schema

        move = {**shape_of(Move).core(core_schema), "ref": Move.__name__}
        return SchemaValidator(core_schema.definitions_schema(self.core(core_schema), [move]))

    @property
    def owner(self) -> str:
        """A noun phrase for a record of this shape, for messages."""
        return "a record" if self.game is None else f"a record of {self.game.title}"

    def problems_within(self, value: Any, path: Path = ()) -> Iterator[FieldProblem]:
        return super().problems_within(self.known_part(value) if is_newer(value.get("hexrec")) else value, path)

    def problems_together(
        self, part: Mapping[str, Any], path: Path = (), *, sound: bool = True
    ) -> Iterator[FieldProblem]:
        """Yield the problems of combinations of fields."""
        game = self.game
        if game is None:
            return
        if game.opening:
            if "setup" not in part:
                if "opening" not in part and not misspelled("opening", self.unknown(part)):
                    cells = ", ".join(f"{color}: CELL" for color in game.opening)
                    message = f"{game.title} begins with stones on the board: add opening: {{{cells}}}"
                    yield FieldProblem("schema/missing-field", message, ())
            elif "opening" in part:
                message = "opening should be left out: the setup takes its place"
                yield FieldProblem("schema/opening-and-setup", message, ("opening",))
        if "readings" in part and sound:
            wrong = game.ruleset(part.get("ruleset")).find_wrong_reading(part["readings"])
            if wrong is not None:
                index, message = wrong
                here = ("readings", index)
                yield FieldProblem("schema/reading", f"{name_of(here)}: {message}", here)
        if game.revisions and sound:
            sizes = game.ruleset(part.get("ruleset")).sizes
            if part["size"] not in sizes:
                allowed = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
                ruleset = part.get("ruleset", game.rulesets[0])
                message = f"size should be {allowed} for {game.title} under ruleset {ruleset}, not {say(part['size'])}"
                yield FieldProblem("schema/range", message, ("size",))


def find_misspelled_turn(game: Game, moves: list[Any], *, main_line: bool) -> FieldProblem | None:
    """Return the problem of the first string that does not match the turn notation of a game, or None.

    Check variations, takebacks and engine lines, and with `main_line` also the turns of the main line.
    """
    if not main_line and dict not in {*map(type, moves)}:
        return None
    expression = re.compile(turn_pattern(game))
    for path, text in turns_in(("moves",), moves, main_line=main_line):
        if expression.search(text) is None:
            message = f'{name_of(path)}: "{shorten(text)}" is not a turn of {game.title}: a turn is {game.turn_help}'
            return FieldProblem("schema/turn", message, path)
    return None


def turns_in(
    path: Path, moves: list[Any], *, main_line: bool = True, marks: bool = False
) -> Iterator[tuple[Path, str]]:
    """Yield path and string of the turns in moves: main line, engine lines, takebacks and variations.

    `main_line=False` skips the main line. With `marks`, yield the cells of marks too.
    """
    for index, move in enumerate(moves):
        if isinstance(move, str):
            if main_line:
                yield (*path, index), move
            continue
        here = (*path, index)
        if main_line:
            yield (*here, "turn"), move["turn"]
        for number, turn in enumerate(move.get("eval", {}).get("line", ())):
            yield (*here, "eval", "line", number), turn
        if marks:
            yield from cells_in((*here, "marks"), move.get("marks", ()))
        for number, turn in enumerate(move.get("taken_back", ())):
            yield (*here, "taken_back", number), turn
        for number, line in enumerate(move.get("variations", ())):
            yield from turns_in((*here, "variations", number), line, marks=marks)


def cells_in(path: Path, marks: Sequence[Any]) -> Iterator[tuple[Path, str]]:
    """Yield path and name of the cells of marks."""
    for number, mark in enumerate(marks):
        yield from (((*path, number, "cells", index), cell) for index, cell in enumerate(mark["cells"]))


@cache
def turn_pattern(game: Game) -> str:
    """Return the regular expression of the turn notation of a game, in all coordinate systems."""
    return with_whitespace("|".join(dict.fromkeys(game.turn_pattern(system) for system in SYSTEMS)))


@cache
def any_shape() -> RecordShape:
    """Return the shape of a record of an unknown game: the fields that all games share."""
    shape = shape_of(RecordData)
    return RecordShape(shape.name, shape.description, shape.fields)


@cache
def number_fields() -> frozenset[str]:
    """Return the names of all numeric fields, at any depth of a record."""
    shapes = [any_shape(), *any_shape().parts.values(), *shape_of(Move).parts.values(), shape_of(Player)]
    return frozenset(name for shape in shapes for name, field in shape.fields.items() if isinstance(field.kind, Number))


@cache
def record_shape(game: Game) -> RecordShape:
    """Return the shape of the records of a game."""
    fields = dict(any_shape().fields)
    rulesets = game.describe_rulesets()
    smallest, largest = game.sizes[0], game.sizes[-1]

    def specify(name: str, kind: Kind, **about: Any) -> None:
        fields[name] = fields[name]._replace(kind=kind, about=fields[name].about._replace(**about))

    def explain(ruleset: str) -> str:
        return f'{game.title} has no ruleset "{shorten(ruleset)}", only {" and ".join(rulesets)}'

    specify("game", Choice((game.name,)))
    specify(
        "ruleset",
        Choice(game.rulesets, "schema/ruleset", explain),
        description=f"The published revision of the game's rules: {' or '.join(rulesets)}.",
        default=game.rulesets[0],
    )
    specify(
        "size", Integer(smallest, largest, f"{smallest} to {largest} for {game.title}"), examples=game.recommended[:2]
    )
    specify("result", _result_shape(game))
    if game.variants:
        specify("variant", Choice(game.variants))
    else:
        del fields["variant"]
    readings = [reading for rules in map(game.ruleset, game.rulesets) for reading in rules.readings]
    if readings:
        meanings = "; ".join(f"{reading.name}: {reading.meaning}" for reading in readings)
        specify(
            "readings",
            ListOf(STRING),
            description=f"The readings by which the game was played instead of rulings: {meanings}.",
            examples=([readings[0].name],),
        )
    else:
        del fields["readings"]
    if game.opening:
        form = " with the cells of the opening stones by color, such as {black: e5}"
        specify("opening", _opening_shape(game), form=form)
    else:
        del fields["opening"]
    return RecordShape(own_name(game, "Record"), f"One game of {game.title}.", fields, game=game)


def own_name(game: Game, part: str) -> str:
    """Return the name of the JSON Schema of a part that differs by game.

    Different schemas have different names, so one schema can contain those of all games.
    """
    return re.sub(r"[^a-zA-Z0-9.\-_]", "_", game.title + part)


def _opening_shape(game: Game) -> Shape:
    stones: dict[str, Field] = {
        color: Field(CELL, About(f"The cell of {color.capitalize()}'s opening stone.", ("e5",)), True)
        for color in game.opening
    }
    description = "The stones set before the game, by color."
    return Shape(own_name(game, "Opening"), description, stones, title=f"{game.title} opening")


def _illegal_shape(game: Game) -> Shape:
    shape = shape_of(Illegal)
    turn = Text(turn_pattern(game), "schema/turn", f"should be a turn of {game.title}, such as {game.example}")
    fields = {**shape.fields, "turn": shape.fields["turn"]._replace(kind=turn)}
    return Shape(own_name(game, "Illegal"), shape.description, fields, title=f"{game.title} illegal turn")


def _result_shape(game: Game) -> Shape:
    shape = shape_of(Result)
    fields = dict(shape.fields)
    name = own_name(game, "Result")
    fields["illegal"] = fields["illegal"]._replace(kind=_illegal_shape(game))
    if game.score is None:
        del fields["score"]
        return Shape(name, shape.description, fields, shape.rules, title=f"{game.title} result")
    entry: Kind = Number(0) if game.score == "number" else ListOf(Integer(1))
    colors: dict[str, Field] = {
        color: Field(entry, About(f"{color.capitalize()}'s score."), True) for color in ("black", "white")
    }
    score = Shape(own_name(game, "Score"), "The final score, by color.", colors, title=f"{game.title} score")
    fields["score"] = fields["score"]._replace(kind=score)
    return Shape(name, shape.description, fields, (SCORE_RULE, *shape.rules), title=f"{game.title} result")
