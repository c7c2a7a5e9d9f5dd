"""The class `Record`: a valid record with its fields as attributes; the turns and cells in its moves."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, cast

from hexrec.record.schema import Move, Players, RecordData, Result
from hexrec.rules import games
from hexrec.rules.board import System
from hexrec.rules.game import Game
from hexrec.rules.position import Position
from hexrec.util.diagnostics import Path


class Record:
    """One game. `hexrec.load`, `hexrec.records` and `read_record` validate the data and create it.

    Fields of the format are attributes; `record["x-tool"]` and `record.get("event")` return any field by name.

    Attributes:
        data: the record as JSON data, in the order of the format; do not change it.
        rules: the game.
        document: the document in a file that the record was read from; None without a file.
        file, index: the file, and the 0-based index of the record in it.
        canonical_turns: the turns in canonical notation after a full replay, else None.
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
        """Return the value of a field, or `default` if it is missing."""
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
        """The ruleset, by default the first of the game."""
        return self.data.get("ruleset", self.rules.rulesets[0])

    @property
    def variant(self) -> str | None:
        """The variant, or None for the normal game."""
        return self.data.get("variant")

    @property
    def readings(self) -> list[str]:
        """The names of the readings that hold instead of rulings."""
        return self.data.get("readings", [])

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
        """The id of the record, or None."""
        return self.data.get("id")

    @property
    def players(self) -> Players:
        """The known players by color."""
        return self.data.get("players", {})

    @property
    def site(self) -> str | None:
        """The site of the game, or None."""
        return self.data.get("site")

    @property
    def date(self) -> str | None:
        """The date of the game, or None."""
        return self.data.get("date")

    @property
    def setup(self) -> str | None:
        """The position text that the game starts from, or None for the normal start."""
        return self.data.get("setup")

    @property
    def opening(self) -> dict[str, str]:
        """The cells of the opening stones by color, Black first; empty with a setup or without opening stones."""
        stones: dict[str, str] = self.data.get("opening", {})
        return {color: stones[color] for color in self.rules.opening if color in stones}

    @property
    def moves(self) -> list[str | Move]:
        """The turns as in the data: strings, or objects for annotated turns."""
        return self.data["moves"]

    @property
    def turns(self) -> list[str]:
        """The turns of the main line as strings."""
        moves = self.data["moves"]
        return [turn_of(move) for move in moves] if self.is_annotated else cast(list[str], moves)

    @property
    def is_annotated(self) -> bool:
        """Whether any turn is an object."""
        if self._annotated is None:
            self._annotated = dict in {*map(type, self.data["moves"])}
        return self._annotated

    @property
    def result(self) -> Result | None:
        """The claimed result, or None for an unfinished game."""
        return self.data.get("result")

    def start(self) -> Position:
        """Return the position before the first turn. Raises `hexrec.IllegalOpening` or `hexrec.IllegalSetup`."""
        return self.rules.start(
            self.size,
            self.opening,
            self.variant,
            self.coordinates,
            position=self.setup,
            ruleset=self.ruleset,
            readings=self.readings,
        )

    def positions(self) -> Iterator[Position]:
        """Yield independent copies of the position before the first turn and after each turn.

        Raises `hexrec.IllegalOpening` or `hexrec.IllegalSetup`, and `hexrec.IllegalTurn` at the first illegal turn.
        """
        position = self.start()
        yield position.copy()
        for turn in self.turns:
            position.play(turn)
            yield position.copy()

    #: Returns the game hash, the HTML and the SVG for notebooks; `hexrec.api` sets them.
    hasher: ClassVar[Callable[..., str] | None] = None
    slider: ClassVar[Callable[[Any], str | None] | None] = None
    picture: ClassVar[Callable[[Any], str | None] | None] = None

    def hash(self, *, symmetric: bool = False) -> str:
        """Return the game hash, or the symmetric hash, as 32 hexadecimal digits; see `hexrec.game_hash`."""
        compute = type(self).hasher
        assert compute is not None
        return compute(self, symmetric=symmetric)

    def _repr_html_(self) -> str | None:
        """Return the HTML for notebooks: the board with a slider over the legal turns."""
        draw = type(self).slider
        return None if draw is None else draw(self)

    def _repr_svg_(self) -> str | None:
        """Return the SVG for notebooks without HTML: the board after the last legal turn."""
        draw = type(self).picture
        return None if draw is None else draw(self)


def _restore(data: RecordData, game: str) -> Record:
    return Record(data, games.get(game))


def turn_of(move: Any) -> Any:
    """Return the string of a move, which is a string or an object."""
    return move["turn"] if isinstance(move, dict) else move


def has_side_lines(move: Any) -> bool:
    """Return whether a move has variations, takebacks or an engine line."""
    return isinstance(move, dict) and bool(
        move.get("variations") or move.get("taken_back") or move.get("eval", {}).get("line")
    )


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
