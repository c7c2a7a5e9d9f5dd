"""The record as pydantic models: `Record`, and for each game the model built from the game's description.

Models are strict (no conversions between types), refuse unknown fields except those that begin with ``x-``, and
are immutable. They check fields and types, including the spelling of turns, but not the rules of a game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, ClassVar, Literal, Self

from pydantic import BaseModel, Field, ValidationInfo, create_model, field_validator
from pydantic import model_validator as pydantic_model_validator
from pydantic_core import PydanticCustomError

from hexrec import games
from hexrec._version import FORMAT_VERSION
from hexrec.board import SYSTEMS, System
from hexrec.diagnostics import shorten
from hexrec.display import picture, slider
from hexrec.games import Game
from hexrec.games.ruleset import descriptions
from hexrec.plain.record import PlainRecord
from hexrec.record import fields
from hexrec.record.parts import Eval, Mark, Pie, Player, Players, RecordObject, TimeStage

Termination = Literal["rules", "resignation", "time", "forfeit", "agreement", "adjudication", "abandoned"]

#: The fields whose values are numbers, wherever in a record they stand.
NUMBER_FIELDS = frozenset({"size", "rating", "seconds", "clock"})
#: Give this as pydantic's validation context to leave the spelling of the turns played to the game's engine.
TURNS_UNCHECKED: Mapping[str, bool] = {"turns_unchecked": True}
_SETUP = (
    "In place of an opening, the text of a position from which the game goes on: the rows from the top, the side to "
    "move, and how many passes have just been made."
)


class Move(RecordObject):
    """A turn with something to say about it."""

    turn: fields.Text = Field(description="The turn's text, in the notation of the game.")
    comment: fields.Maybe[fields.Text] = Field(None, description="A comment on this turn.")
    seconds: fields.Maybe[fields.NonNegative] = Field(
        None, description="Time spent on this turn, in seconds.", examples=[41.5]
    )
    clock: fields.Maybe[fields.NonNegative] = Field(
        None, description="Time left after this turn, in seconds.", examples=[1200]
    )
    at: fields.Maybe[fields.DateTime] = Field(
        None, description="When the turn was played: date and time with zone.", examples=["2026-11-20T18:03:11Z"]
    )
    nag: list[fields.NaturalNumber] = fields.empty_list(
        "Numeric annotation glyphs, as in PGN: 1 for a good move (!), 2 for a mistake (?).",
        examples=[[1]],
    )
    eval: fields.Maybe[Eval] = Field(None, description="What a program says of the position.")
    marks: list[Mark] = fields.empty_list("Marks on the board, on the position after this turn.")
    taken_back: list[fields.Text] = fields.empty_list("Turns that the player played here and took back, in order.")
    variations: list[list[fields.Text | Move]] = fields.empty_list(
        "Other turns that could have been played instead of this one, each with what follows."
    )

    @property
    def has_others(self) -> bool:
        """Whether turns stand beside this one: variations, turns taken back, the line of a program."""
        return bool(self.variations or self.taken_back or (self.eval and self.eval.line))


def turn_of(move: Any) -> Any:
    """Return the text of a turn: a text itself, a `Move`, or the plain data of one."""
    return move.turn if isinstance(move, Move) else move["turn"] if isinstance(move, dict) else move


class Result(RecordObject):
    """How the game ended, in the games that have no score."""

    winner: fields.Maybe[Literal["black", "white", "draw"]] = Field(
        None, description="Who won, or `draw`. Left out where no winner is named, as of an abandoned game."
    )
    termination: Termination = Field(
        "rules",
        description="What ended the game. With `rules`, it must be over by them, and the winner and the score are "
        "checked by replay; with anything else, it must not be over by them yet.",
    )
    score: Any = Field(None)
    by: fields.Maybe[fields.Text] = Field(None, description="Who decided.", examples=["the arbiter"])
    reason: fields.Maybe[fields.Text] = Field(None, description="Why the game ended like this.")


class Record(RecordObject):
    """One game. `record_model` gives the model for the records of one game; this class is what they share."""

    GAME: ClassVar[Game]

    hexrec: Literal["1"] = Field(description="The version of the record format, a string.", examples=[FORMAT_VERSION])
    id: fields.Maybe[fields.Text] = Field(
        None, description="The record's own identity, unique within a collection.", examples=["ap-f47ac10b"]
    )
    game: str = Field(description="The game's name.")
    ruleset: str = Field("", description="The published revision of the game's rules.")
    variant: fields.Maybe[str] = Field(None, description="The variant; left out for the normal game.")
    size: fields.Integer = Field(description="Cells along one side of the board.")
    coordinates: System = Field(
        "row",
        description="The coordinate system of every cell in this record. In `row`, a letter is a row, from the bottom, "
        "and a number a cell of it; in `skew`, both are straight lines of cells; in `axial`, a cell is q,r, and the "
        "centre 0,0.",
    )
    players: fields.Maybe[Players] = Field(None, description="Who played.")
    event: fields.Maybe[fields.Text] = Field(None, description="The tournament or match.", examples=["City Open"])
    site: fields.Maybe[fields.Text] = Field(None, description="Where the game was played: a place or a web site.")
    round: fields.Maybe[fields.Text] = Field(None, description="The round of the event.", examples=["3"])
    stage: fields.Maybe[fields.Text] = Field(None, description="The stage of the event.", examples=["final"])
    board: fields.Maybe[fields.Text] = Field(
        None, description="The board of the event on which it was played.", examples=["1"]
    )
    annotator: fields.Maybe[fields.Text] = Field(None, description="Who wrote the comments.")
    source: fields.Maybe[fields.Text] = Field(None, description="Where this record comes from.")
    comment: fields.Maybe[fields.Text] = Field(None, description="A comment on the game as a whole.")
    date: fields.Maybe[fields.Date] = Field(
        None,
        description="When the game was played: a date, a date and time with zone, a month or a year.",
        examples=["2026-11-20", "2026-11"],
    )
    date_end: fields.Maybe[fields.Date] = Field(
        None, description="When the game ended, if that is not its date.", examples=["2026-12-01"]
    )
    rated: fields.Maybe[fields.Flag] = Field(None, description="Whether the game counts for ratings.")
    language: fields.Maybe[fields.Language] = Field(
        None, description="The language of the comments, a tag of BCP 47.", examples=["en", "pt-BR"]
    )
    time_control: list[TimeStage] = fields.empty_list(
        "How long the players have: stages in order, of which the last holds for the rest of the game.",
        examples=[[{"turns": 40, "seconds": 5400, "increment": 30}, {"per_turn": 259200}]],
    )
    tags: list[fields.Text] = fields.empty_list("What the game is filed under.", examples=[["puzzle"]])
    opening: Any = Field(None, description="The stones set before the game, by colour.")
    setup: Any = Field(None, description=_SETUP)
    pie: fields.Maybe[Pie] = Field(None, description="How the pie rule was used.")
    marks: list[Mark] = fields.empty_list("Marks on the board, on the position before the first turn.")
    moves: list[fields.Text | Move] = Field(
        description="The turns, strictly alternating, Black first unless a setup says otherwise: each the text of a "
        "turn, or an object where there is more to say of it."
    )
    result: fields.Maybe[Result] = Field(None, description="How the game ended; left out while it is unfinished.")

    @property
    def turns(self) -> list[str]:
        """The texts of the turns played, as they were read."""
        return [turn_of(move) for move in self.moves] if self.is_annotated else list(self.moves)  # type: ignore[arg-type]

    @property
    def stones(self) -> dict[str, str]:
        """The cells of the opening stones by colour; empty in the games that have none, and with a setup."""
        return {colour: getattr(self.opening, colour) for colour in self.GAME.opening} if self.opening else {}

    def start(self) -> games.Position[Any]:
        """Return the position before the first turn. Raises `hexrec.games.IllegalOpening` or `IllegalSetup`."""
        return self.GAME.start(
            self.size, self.stones, self.variant, self.coordinates, position=self.setup, ruleset=self.ruleset
        )

    def _repr_html_(self) -> str | None:
        """Return what notebooks show: the board, and a slider to any legal turn."""
        return slider(self)

    def _repr_svg_(self) -> str | None:
        """Return what notebooks show that run no handlers: the board after the last legal turn."""
        return picture(self)

    @pydantic_model_validator(mode="after")
    def _spelling(self, info: ValidationInfo) -> Self:
        trusted = bool(info.context and info.context.get("turns_unchecked")) or self._all_spelled_right()
        if trusted and not self.is_annotated:
            return self
        for path, text in _texts(["moves"], self.moves, with_turns=not trusted):
            if _one_turn(self.GAME).search(text) is None:
                raise PydanticCustomError(
                    "schema/turn",
                    "{text} is not a turn of {game}: a turn is {help}",
                    {
                        "path": path,
                        "text": f'"{shorten(text)}"',
                        "game": self.GAME.title,
                        "help": self.GAME.turn_help,
                    },
                )
        return self

    @property
    def is_annotated(self) -> bool:
        """Whether there is more than a text for some turn."""
        return Move in {*map(type, self.moves)}  # a set, for comparing each type with the class takes twice the time

    def _all_spelled_right(self) -> bool:
        turns = self.turns
        texts = "\0".join([*turns, ""])
        return texts.count("\0") == len(turns) and _all_turns(self.GAME).fullmatch(texts) is not None


#: A record as its verdict needs it: by its model, or plain. The names that both have mean the same.
GameRecord = Record | PlainRecord


class AnyRecord(Record):
    """What can be checked of a record whose game is not named: the fields that mean the same in every game."""

    @pydantic_model_validator(mode="after")
    def _spelling(self, info: ValidationInfo) -> Self:
        del info
        return self


#: The parts of a record that are objects, by the fields that hold them.
PARTS: Mapping[str, type[BaseModel]] = {
    "players": Players,
    "black": Player,
    "white": Player,
    "opening": Players,
    "pie": Pie,
    "result": Result,
    "score": Players,
    "eval": Eval,
    "time_control": TimeStage,
    "marks": Mark,
}


def ordered(part: Mapping[str, Any], kind: type[BaseModel] = Record) -> dict[str, Any]:
    """Return an object with its fields in the order of the record format, and extension fields last by their names.

    The objects in its fields, and in lists there, are put in order as well; extension fields and turns are not.
    """
    own = sorted(name for name in part if name.startswith("x-"))
    known = [name for name in kind.model_fields if name in part]
    others = [name for name in part if not name.startswith("x-") and name not in kind.model_fields]
    return {name: _ordered_value(name, part[name]) for name in (*known, *others)} | {name: part[name] for name in own}


def _ordered_value(name: str, value: Any) -> Any:
    kind = PARTS.get(name)
    if kind is None or not isinstance(value, dict | list):
        return value
    if isinstance(value, dict):
        return ordered(value, kind)
    return [ordered(each, kind) if isinstance(each, dict) else each for each in value]


def own_id(value: object) -> str | None:
    """Return the identity that a value of ``id`` shows in reports: a text, or a whole number that should be one."""
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else None


def turn_pattern(game: Game) -> str:
    """Return the pattern of all texts that are spelled like a turn of the game, in any coordinate system."""
    return fields.blank_around("|".join(dict.fromkeys(game.turn_pattern(system) for system in SYSTEMS)))


@cache
def _one_turn(game: Game) -> re.Pattern[str]:
    return re.compile(turn_pattern(game))


@cache
def _all_turns(game: Game) -> re.Pattern[str]:
    """One expression for all turns of a record: checking them one by one would cost a third of reading it."""
    one = turn_pattern(game).removeprefix("^").removesuffix("$")
    return re.compile(f"(?:{one}\0)*")


def _texts(
    path: list[int | str], moves: list[str | Move], *, with_turns: bool = True
) -> Iterator[tuple[list[int | str], str]]:
    """Yield the path and the text of every turn beside those of `moves` and, if asked, of `moves`."""
    for index, move in enumerate(moves):
        if isinstance(move, Move):
            if with_turns:
                yield [*path, index, "turn"], move.turn
            beside = {("eval", "line"): move.eval.line if move.eval else (), ("taken_back",): move.taken_back}
            for place, turns in beside.items():
                for number, turn in enumerate(turns):
                    yield [*path, index, *place, number], turn
            for number, line in enumerate(move.variations):
                yield from _texts([*path, index, "variations", number], line)
        elif with_turns:
            yield [*path, index], move


def _score_after_rules(cls: type[Result], value: Any, info: ValidationInfo) -> Any:
    del cls
    if info.data.get("termination", "rules") != "rules":
        raise PydanticCustomError(
            "schema/score", "should be left out: there is a score only when the rules ended the game"
        )
    return value


def _result_model(game: Game) -> type[Result]:
    title = f"{game.title}Result"
    if game.score is None:
        return create_model(title, __base__=Result, __doc__=Result.__doc__, score=(fields.Absent, None))
    entry: Any = fields.NonNegative if game.score == "number" else fields.PositiveIntegers
    score = create_model(
        f"{game.title}Score",
        __base__=RecordObject,
        __doc__="The final score, by colour.",
        black=(entry, Field(description="Black's score.")),
        white=(entry, Field(description="White's score.")),
    )
    return create_model(
        title,
        __base__=Result,
        __doc__="How the game ended.",
        __validators__={"_score_after_rules": field_validator("score")(_score_after_rules)},
        score=(fields.optional(score), Field(None, description="The score that the rules give the final position.")),
    )


def _opening_type(game: Game, setup: bool) -> tuple[Any, Any]:
    if setup and game.opening:
        return fields.TakenBySetup, None
    if not game.opening:
        return fields.Absent, None
    stones: dict[str, Any] = {
        colour: (fields.Cell, Field(description=f"The cell of {colour}'s opening stone.", examples=["e5"]))
        for colour in game.opening
    }
    opening = create_model(
        f"{game.title}Opening", __base__=RecordObject, __doc__="The stones set before the game, by colour.", **stones
    )
    return opening, Field(description="The stones set before the game, by colour.")


def _size_of_ruleset(cls: type[Record], size: int, info: ValidationInfo) -> int:
    """Refuse a size that the game has, but not under the record's ruleset."""
    ruleset = info.data.get("ruleset")
    sizes = cls.GAME.ruleset(ruleset).sizes if ruleset else cls.GAME.sizes
    if size not in sizes:
        allowed = f"{sizes[0]}" if len(sizes) == 1 else f"{sizes[0]} to {sizes[-1]}"
        raise PydanticCustomError(
            "schema/range",
            "should be {allowed} for {game} under ruleset {ruleset}",
            {"allowed": allowed, "game": cls.GAME.title, "ruleset": ruleset},
        )
    return size


@cache
def record_model(name: str, *, setup: bool = False) -> type[Record]:
    """Return the model for the records of a game, or for those with a setup. Raises KeyError for an unknown game."""
    game = games.get(name)
    rulesets = descriptions(map(game.ruleset, game.rulesets), game.sizes)
    narrower = any(game.ruleset(ruleset).sizes != game.sizes for ruleset in game.rulesets)
    variant: Any = (
        (
            fields.optional(Literal[game.variants]),
            Field(None, description="The variant; left out for the normal game."),
        )
        if game.variants
        else (fields.Absent, None)
    )
    own: dict[str, Any] = {
        "game": (Literal[game.name], Field(description="The game's name.")),
        "ruleset": (
            Literal[game.rulesets],
            Field(
                game.rulesets[0], description=f"The published revision of the game's rules: {' or '.join(rulesets)}."
            ),
        ),
        "variant": variant,
        "size": (
            fields.integer_in(game.sizes),
            Field(description="Cells along one side of the board.", examples=list(game.recommended)),
        ),
        "opening": _opening_type(game, setup),
        "setup": ((fields.Text, Field(description=_SETUP)) if setup else (fields.Absent, None)),
        "result": (
            fields.optional(_result_model(game)),
            Field(None, description="How the game ended; left out while it is unfinished."),
        ),
    }
    model = create_model(
        f"{game.title}Record",
        __base__=Record,
        __doc__=f"One game of {game.title}.",
        __validators__={"_size_of_ruleset": field_validator("size")(_size_of_ruleset)} if narrower else None,
        **own,
    )
    model.GAME = game
    return model
