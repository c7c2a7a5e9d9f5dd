"""Shapes of the records of each game: the common fields, with the rulesets, sizes and scores of the game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from hexrec.record.kinds import (
    About,
    Choice,
    Field,
    FieldProblem,
    Integer,
    Kind,
    ListOf,
    Number,
    Shape,
    name_of,
    say,
    shape_of,
)
from hexrec.record.schema import CELL, SCORE_RULE, Move, Player, RecordData, Result, with_whitespace
from hexrec.rules.board import SYSTEMS
from hexrec.rules.game import Game
from hexrec.rules.terms import descriptions
from hexrec.util.diagnostics import Path, shorten


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

    def problems_together(
        self, part: Mapping[str, Any], path: Path = (), *, sound: bool = True
    ) -> Iterator[FieldProblem]:
        """Yield the problems of combinations of fields."""
        game = self.game
        if game is None:
            return
        if game.opening:
            if "setup" not in part:
                if "opening" not in part:
                    yield FieldProblem("schema/missing-field", 'the record lacks the required field "opening"', ())
            elif "opening" in part:
                message = "opening should be left out: the setup takes its place"
                yield FieldProblem("schema/opening-and-setup", message, ("opening",))
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
    expression = _one_turn(game)
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


def turn_pattern(game: Game) -> str:
    """Return the regular expression of the turn notation of a game, in all coordinate systems."""
    return with_whitespace("|".join(dict.fromkeys(game.turn_pattern(system) for system in SYSTEMS)))


@cache
def _one_turn(game: Game) -> re.Pattern[str]:
    return re.compile(turn_pattern(game))


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
    rulesets = [*descriptions(map(game.ruleset, game.rulesets), game.sizes)]
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
    specify("size", Integer(smallest, largest, f"{smallest} to {largest} for {game.title}"), examples=game.recommended)
    specify("result", _result_shape(game))
    if game.variants:
        specify("variant", Choice(game.variants))
    else:
        del fields["variant"]
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
        color: Field(CELL, About(f"The cell of {color}'s opening stone.", ("e5",)), True) for color in game.opening
    }
    description = "The stones set before the game, by color."
    return Shape(own_name(game, "Opening"), description, stones, title=f"{game.title} opening")


def _result_shape(game: Game) -> Shape:
    shape = shape_of(Result)
    fields = dict(shape.fields)
    name = own_name(game, "Result")
    if game.score is None:
        del fields["score"]
        return Shape(name, shape.description, fields, title=f"{game.title} result")
    entry: Kind = Number(0) if game.score == "number" else ListOf(Integer(1))
    colors: dict[str, Field] = {
        color: Field(entry, About(f"{color.capitalize()}'s score."), True) for color in ("black", "white")
    }
    score = Shape(own_name(game, "Score"), "The final score, by color.", colors, title=f"{game.title} score")
    fields["score"] = fields["score"]._replace(kind=score)
    return Shape(name, shape.description, fields, SCORE_RULE, title=f"{game.title} result")
