"""Shapes of the records of each game: the common fields, with the rulesets, sizes, openings and scores of the game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from hexrec.record.kinds import (
    STRING,
    Choice,
    FieldProblem,
    Integer,
    Kind,
    ListOf,
    Number,
    Text,
    is_newer,
    name_of,
    say,
)
from hexrec.record.record import turns_in
from hexrec.record.schema import CELL, SCORE_RULE, About, Illegal, Move, Player, RecordData, Result, with_whitespace
from hexrec.record.shapes import Field, Shape, misspelled, shape_of
from hexrec.rules.board import SYSTEMS
from hexrec.rules.game import Game
from hexrec.util.diagnostics import Path, shorten


@dataclass(eq=False, repr=False)
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
