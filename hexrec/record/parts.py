"""The parts of records that are objects and the same in every game, as pydantic models."""

# Annotations are evaluated here: pydantic 2.12 looks up the names in those of `RecordObject` where it is subclassed.
import re
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue, model_validator
from pydantic_core import PydanticCustomError

from hexrec.record import fields

MarkKind = Literal["circle", "square", "triangle", "cross", "label", "arrow", "line", "area"]
#: The marks that lead from cell to cell.
LEADING = ("arrow", "line")


def _small_after_blank(capital: re.Match[str]) -> str:
    return f" {capital[0].lower()}"


class RecordObject(BaseModel):
    """What all parts of a record have in common."""

    model_config = ConfigDict(
        extra="allow",
        strict=True,
        frozen=True,
        hide_input_in_errors=True,
        defer_build=True,
        # What editors show above a description.
        model_title_generator=lambda kind: re.sub("(?<=[a-z])[A-Z]", _small_after_blank, kind.__name__),
        field_title_generator=lambda name, _: name.replace("_", " ").capitalize(),
    )
    __pydantic_extra__: dict[fields.ExtensionName, JsonValue]

    @property
    def extensions(self) -> dict[str, JsonValue]:
        """The ``x-…`` fields, verbatim."""
        return dict(self.__pydantic_extra__ or {})


class Player(RecordObject):
    """A player of the game."""

    name: fields.Maybe[fields.Text] = Field(None, description="The player's name.", examples=["Ada"])
    id: fields.Maybe[fields.Text] = Field(None, description="The player's identity on the site that the game is from.")
    rating: fields.Maybe[fields.Number] = Field(
        None, description="The player's rating before the game.", examples=[1850]
    )
    title: fields.Maybe[fields.Text] = Field(None, description="The player's title or grade.", examples=["2d"])
    team: fields.Maybe[fields.Text] = Field(None, description="The team that the player is in.", examples=["Alpha"])
    country: fields.Maybe[fields.Text] = Field(
        None, description="The country that the player plays for.", examples=["NOR"]
    )
    bot: fields.Flag = Field(False, description="Whether the player is a program.")


class Players(RecordObject):
    """The two players, by the colours that they ended up playing."""

    black: fields.Maybe[Player] = Field(None, description="Who played black.")
    white: fields.Maybe[Player] = Field(None, description="Who played white.")


class Pie(RecordObject):
    """How the pie rule was used."""

    chosen: Literal["black", "white"] = Field(description="The colour that the second player chose.")


def one_of(*fields: str) -> list[dict[str, Any]]:
    """Return what JSON Schema has for `oneOf`, so that there is one of some fields and no other of them."""
    # Validators in a strict mode want to see each field that is required.
    return [{"required": [field], "properties": {field: True}} for field in fields]


#: In JSON Schema, that a stage has its time in one way.
_ONE_TIME: dict[str, Any] = {"oneOf": one_of("seconds", "per_turn")}
#: In JSON Schema, that what leads from cell to cell has two of them.
_TWO_ENDS: dict[str, Any] = {
    "if": {"properties": {"kind": {"enum": list(LEADING)}}},
    "then": {"properties": {"cells": {"type": "array", "minItems": 2}}},
}


class TimeStage(RecordObject):
    """A stage of a time control: `seconds` for its turns together, or `per_turn` for each of them."""

    model_config = ConfigDict(json_schema_extra=_ONE_TIME)

    turns: fields.Maybe[fields.PositiveInteger] = Field(
        None, description="How many turns of each player the stage has; left out, it lasts to the end.", examples=[40]
    )
    seconds: fields.Maybe[fields.NonNegative] = Field(
        None, description="Time that each player has for the stage, in seconds.", examples=[5400]
    )
    increment: fields.Maybe[fields.NonNegative] = Field(
        None, description="Time that is added with each turn, in seconds.", examples=[30]
    )
    delay: fields.Maybe[fields.NonNegative] = Field(
        None, description="Time of each turn for which the clock does not run, in seconds.", examples=[5]
    )
    periods: fields.Maybe[fields.PositiveInteger] = Field(
        None, description="The number of byo-yomi periods of so many `seconds` each.", examples=[3]
    )
    per_turn: fields.Maybe[fields.NonNegative] = Field(
        None, description="Time that a player has for each turn, in seconds.", examples=[259200]
    )

    @model_validator(mode="after")
    def _one_time(self) -> Self:
        if (self.seconds is None) == (self.per_turn is None):
            raise PydanticCustomError("schema/time", "should have seconds for the stage or per_turn for each turn")
        return self


class Mark(RecordObject):
    """A mark on cells of the board."""

    model_config = ConfigDict(json_schema_extra=_TWO_ENDS)

    kind: MarkKind = Field(
        description="What is drawn: a circle, square, triangle, cross or label on each of the cells, an arrow or line "
        "along them, or an area that they make up."
    )
    cells: fields.Cells = Field(
        description="The cells that are marked each; for an arrow or a line those that it leads through, in order.",
        examples=[["e5", "e8"]],
    )
    text: fields.Maybe[fields.Text] = Field(
        None, description="The text of the mark: what a label says.", examples=["A"]
    )
    colour: fields.Maybe[fields.Text] = Field(None, description="The colour of the mark.", examples=["red"])

    @model_validator(mode="after")
    def _two_ends(self) -> Self:
        if self.kind in LEADING and len(self.cells) < 2:
            raise PydanticCustomError("schema/mark", "should have at least two cells: an arrow or a line connects them")
        return self


class Eval(RecordObject):
    """What a program says of the position in which a turn was played."""

    value: fields.Maybe[fields.Evaluation] = Field(
        None, description="Who is ahead: from -1 (White wins) to 1 (Black wins).", examples=[0.35]
    )
    depth: fields.Maybe[fields.NaturalNumber] = Field(
        None, description="How many turns ahead the program has looked.", examples=[12]
    )
    engine: fields.Maybe[fields.Text] = Field(None, description="The program, and its version.")
    line: list[fields.Text] = fields.empty_list(
        "The turns that the program expects, from the position in which the turn was played."
    )
