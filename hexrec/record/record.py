"""`Record`: the data of a valid record, with its fields as attributes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, cast

from hexrec.record.game_shapes import any_shape, record_shape
from hexrec.record.schema import Move, Players, RecordData, Result
from hexrec.record.shapes import Shape, is_extension, shape_of
from hexrec.rules import games
from hexrec.rules.board import System
from hexrec.rules.game import Game
from hexrec.rules.position import Position


class Record:
    """One game. Made by `hexrec.load`, `hexrec.records` and `read_record`, which validate the data.

    The fields of the format are attributes; `record["x-tool"]` and `record.get("event")` give any field by its name.

    Attributes:
        data: the record as JSON has it, in the order of the format; not to be changed.
        rules: the game.
        document: the part of a file that the record was read from; None for one that came from no file.
        file, index: the file, and the number of the record in it, counted from 0.
        canonical_turns: the turns in canonical spelling, where a replay has found that; else None.
    """

    __slots__ = ("_annotated", "canonical_turns", "data", "document", "file", "index", "rules")

    def __init__(self, data: RecordData, rules: Game) -> None:
        self.data = data
        self.rules = rules
        self.document: Any = None
        self.file: str | None = None
        self.index: int | None = None
        self.canonical_turns: list[str] | None = None
        self._annotated: bool | None = None

    def __getitem__(self, name: str) -> Any:
        return self.data[name]  # type: ignore[literal-required]

    def __contains__(self, name: object) -> bool:
        return name in self.data

    def get(self, name: str, default: Any = None) -> Any:
        """Return the value of a field, `default` if the record does not have it."""
        return self.data.get(name, default)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self.data == other.data

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        name = f" {self.id!r}" if self.id else ""
        return f"<Record{name}: {self.rules.title}, size {self.size}, {len(self.moves)} turns>"

    def __reduce__(self) -> Any:
        return _restore, (self.data, self.game)

    @property
    def game(self) -> str:
        """The name of the game."""
        return self.rules.name

    @property
    def ruleset(self) -> str:
        """The ruleset, the game's first unless the record names another one."""
        return self.data.get("ruleset", self.rules.rulesets[0])

    @property
    def variant(self) -> str | None:
        """The variant; None for the normal game."""
        return self.data.get("variant")

    @property
    def size(self) -> int:
        """The number of cells along one side of the board."""
        return self.data["size"]

    @property
    def coordinates(self) -> System:
        """The coordinate system of all cells in the record."""
        return self.data.get("coordinates", "row")

    @property
    def id(self) -> str | None:
        """The record's own identity."""
        return self.data.get("id")

    @property
    def players(self) -> Players:
        """The players by color, as far as they are known."""
        return self.data.get("players", {})

    @property
    def site(self) -> str | None:
        """Where the game was played."""
        return self.data.get("site")

    @property
    def date(self) -> str | None:
        """When the game was played."""
        return self.data.get("date")

    @property
    def setup(self) -> str | None:
        """The position text from which the game goes on; None for a game from its start."""
        return self.data.get("setup")

    @property
    def opening(self) -> dict[str, str]:
        """The cells of the opening stones, Black's first; empty in the games without, and with a setup."""
        stones: dict[str, str] = self.data.get("opening", {})
        return {color: stones[color] for color in self.rules.opening if color in stones}

    @property
    def moves(self) -> list[str | Move]:
        """The turns as the record has them: strings, or objects where there is more to say."""
        return self.data["moves"]

    @property
    def turns(self) -> list[str]:
        """The turns as strings."""
        moves = self.data["moves"]
        return [turn_of(move) for move in moves] if self.is_annotated else cast(list[str], moves)

    @property
    def is_annotated(self) -> bool:
        """Whether some turn is an object."""
        if self._annotated is None:
            self._annotated = dict in {*map(type, self.data["moves"])}
        return self._annotated

    def keep_canonical_turns(self, turns: list[str], *, annotated: bool) -> None:
        """Keep what a replay of all turns has found out: their canonical spelling, and whether one is an object."""
        self.canonical_turns, self._annotated = turns, annotated

    @property
    def result(self) -> Result | None:
        """The claimed result; None for a game that is unfinished."""
        return self.data.get("result")

    def start(self) -> Position[Any]:
        """Return the position before the first turn. Raises `hexrec.IllegalOpening` or `hexrec.IllegalSetup`."""
        return self.rules.start(
            self.size, self.opening, self.variant, self.coordinates, position=self.setup, ruleset=self.ruleset
        )

    def positions(self) -> Iterator[Position[Any]]:
        """Yield the position before the first turn and the one after each turn, all independent of each other.

        Raises `hexrec.IllegalOpening` or `hexrec.IllegalSetup`, and `hexrec.IllegalTurn` at the first illegal turn.
        """
        position = self.start()
        yield position.copy()
        for turn in self.turns:
            position.play(turn)
            yield position.copy()

    def hash(self, *, symmetric: bool = False) -> str:
        """Return the game hash, or the symmetric hash, as 32 hexadecimal digits; see `hexrec.game_hash`."""
        from hexrec.record.identity import game_hash  # which plays the game by its kernel, if it has one

        return game_hash(self, symmetric=symmetric)

    def _repr_html_(self) -> str | None:
        """Return what notebooks show: the board, and a slider to any legal turn."""
        # As in `Position`: drawing is far above, and imported by name.
        page: str | None = import_module("hexrec.render").notebook_slider(self)
        return page

    def _repr_svg_(self) -> str | None:
        """Return what notebooks show that run no handlers: the board after the last legal turn."""
        picture: str | None = import_module("hexrec.render").notebook_picture(self)
        return picture


def _restore(data: RecordData, game: str) -> Record:
    return Record(data, games.get(game))


def turn_of(move: Any) -> Any:
    """Return the string of a turn that is a string or an object."""
    return move["turn"] if isinstance(move, dict) else move


def has_side_lines(move: Any) -> bool:
    """Return whether a move has other turns: variations, turns taken back, the line of a program."""
    return isinstance(move, dict) and bool(
        move.get("variations") or move.get("taken_back") or move.get("eval", {}).get("line")
    )


def display_id(value: object) -> str | None:
    """Return the identity that a value of ``id`` has in reports: a string, or an integer that should be one."""
    return str(value) if isinstance(value, str | int) and not isinstance(value, bool) else None


def ordered(data: Mapping[str, Any], shape: Shape, fields: Iterable[str] | None = None) -> dict[str, Any]:
    """Return an object with its fields in the order of the format, those of its parts as well.

    The order is that of `fields`, by default of those of the shape. Extension fields follow the others, sorted by name;
    their values stay as they are.
    """
    known = [name for name in fields or shape.fields if name in data]
    others = [name for name in data if name not in known and not is_extension(name)]
    own = sorted(name for name in data if is_extension(name))
    return {name: _ordered_value(name, data[name], shape) for name in (*known, *others, *own)}


def _ordered_value(name: str, value: Any, shape: Shape) -> Any:
    part = shape.parts.get(name)
    if part is None or name in ("moves", "variations"):
        return value
    if isinstance(value, dict):
        return ordered(value, part)
    if isinstance(value, list):
        return [ordered(each, part) if isinstance(each, dict) else each for each in value]
    return value


def ordered_record(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a record with its fields in the order of the format; moves stay as they are."""
    name = data.get("game")
    shape = record_shape(games.get(name)) if games.is_known(name) else any_shape()
    return ordered(data, shape, any_shape().fields)  # also of fields that this game does not have


def ordered_move(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a turn that is an object with its fields in the order of the format; variations stay as they are."""
    return ordered(data, shape_of(Move))
