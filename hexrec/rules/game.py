"""The class `Game`: a description with rules, which creates start positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from hexrec.errors import ArgumentError
from hexrec.rules import compiled, position_text
from hexrec.rules.board import MAX_SIZE, MIN_SIZE, Board, CellNames, System, hexagon
from hexrec.rules.description import Description, system_note
from hexrec.rules.grid import CellGrid, Grid, Tables
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, IllegalOpening, Reading, Ruleset
from hexrec.util.escaping import shorten

if TYPE_CHECKING:
    from random import Random


@dataclass(frozen=True, eq=False, kw_only=True)
class Game(Description):
    """A game: its description, rules and board.

    Attributes:
        rules: the rules of the default ruleset.
        position: the positions, with the game's messages, explanations and pictures.
        board: returns the board of a size.
        readings: the readings by which rulings of the default ruleset can be replaced.
        revisions: the other rulesets with different rules or different sizes.

    Raises ArgumentError for an invalid description.
    """

    rules: type[Grid]
    position: type[Position] = Position
    board: Callable[[int], Board] = hexagon
    readings: tuple[Reading, ...] = ()
    revisions: tuple[Ruleset, ...] = ()

    def _mistakes(self) -> Iterator[str]:
        yield from super()._mistakes()
        for size in (self.sizes[0], self.sizes[-1]):
            if self.board is hexagon and MIN_SIZE <= size <= MAX_SIZE:
                continue  # too slow to build for a short command
            try:
                self.board(size)
            except ValueError as error:
                yield f"sizes are not all possible ({self.sizes}): leave {size} out: {error}"
        for revision in self.revisions:
            if self.rulesets.count(revision.name) != 1:
                yield f"revisions name an unknown ruleset ({revision.name!r}): add it to rulesets, or correct it"
            if not revision.sizes or not {*revision.sizes} <= {*self.sizes}:
                yield f"sizes of ruleset {revision.name} are not in {self.sizes} ({revision.sizes}): give one at least"
        if not issubclass(self.position, Position):
            yield f"position is no position ({self.position.__name__}): subclass hexrec.rules.position.Position"
        for rules in (self.rules, *(revision.rules for revision in self.revisions)):
            if not issubclass(rules, Grid):
                yield f"rules are no grid ({rules.__name__}): subclass hexrec.rules.grid.Grid or CellGrid"
            score = {"number": ["points"], "list": ["ranking"], None: []}[self.score]
            for method in ("take_turn", "moves", *score):
                if getattr(rules, method) is getattr(Grid, method):
                    yield f"rules are not complete ({rules.__name__}): define {method}"
            if rules.moves is CellGrid.moves and getattr(rules, "open_cells", None) is CellGrid.open_cells:
                yield f"rules are not complete ({rules.__name__}): define open_cells"

    def ruleset(self, name: str | None = None) -> Ruleset:
        """Return the ruleset with a name, by default the first. Raises ArgumentError for an unknown ruleset."""
        name = self.rulesets[0] if name is None else name
        if name not in self.rulesets:
            raise ArgumentError(f"{self.title} has no ruleset {name!r}; known: {', '.join(self.rulesets)}")
        for revision in self.revisions:
            if revision.name == name:
                return revision
        return Ruleset(name, self.sizes, self.rules, self.readings)

    def describe_rulesets(self) -> list[str]:
        """Return the rulesets with their differences: ``"2023-first" (of 2023, size 7 only)``."""
        described = []
        for rules in map(self.ruleset, self.rulesets):
            notes = [f"of {rules.year}"]
            if len(self.rulesets) > 1 and rules.name == self.rulesets[0]:
                notes.append("the default")
            if rules.sizes != self.sizes:
                notes.append(rules.words_for_sizes())
            described.append(f'"{rules.name}" ({", ".join(notes)})')
        return described

    def size_refusal(self, rules: Ruleset, size: int) -> str:
        """Return the message for a size that a ruleset does not have."""
        under = "" if rules.sizes == self.sizes else f" under ruleset {rules.name}"
        return f"{self.title} is played on {rules.words_for_sizes()}{under}, not {size!r}"

    def has(self, feature: str) -> bool:
        """Return whether the game has a feature that a code needs (`Code.needs`).

        Features are ``opening``, ``two-stone opening``, ``pass``, ``score`` and ``stones`` (pieces without height).
        Every game has the feature with the empty name.
        """
        features = {
            "": True,
            "opening": bool(self.opening),
            "two-stone opening": len(self.opening) > 1,
            "pass": "pass" in self.turn,
            "score": self.score is not None,
            "stones": not self.has_stacks,
        }
        return features[feature]

    def usual_size(self, ruleset: str | None = None) -> int:
        """Return the default size under a ruleset."""
        sizes = self.ruleset(ruleset).sizes
        return next((size for size in self.recommended if size in sizes), sizes[0])

    def random_opening(self, rng: Random, size: int | None = None, coordinates: System = "row") -> dict[str, str]:
        """Return random distinct cells for the opening stones, as names by color; empty without opening stones."""
        board = self.board(size or self.usual_size())
        names = board.names(coordinates)
        cells = rng.sample(board.cells, len(self.opening))
        return {color: names.single(cell) for color, cell in zip(self.opening, cells, strict=True)}

    def start(
        self,
        size: int | None = None,
        opening: Mapping[str, str] | None = None,
        variant: str | None = None,
        coordinates: System = "row",
        *,
        position: str | None = None,
        ruleset: str | None = None,
        readings: Sequence[str] = (),
    ) -> Position:
        """Return the position before the first turn, or the position that a position text describes.

        `opening` has the cell names of the opening stones by color. `coordinates` is the coordinate system of these
        names and of all turns that the position reads and writes. `ruleset` is by default the first. `readings` replace
        rulings. A position text replaces the opening, and its rows give the default of `size`.

        Raises:
            IllegalOpening: a stone off the board or two stones on one cell.
            IllegalSetup: a malformed position text, or a position that no game can continue from.
            ArgumentError: a size, variant, coordinate system, ruleset, reading or set of opening colors that the game
                does not have, or a size or reading that the ruleset does not have.
        """
        if variant is not None and variant not in self.variants:
            raise ArgumentError(f"{self.title} has no variant {variant!r}")
        if position is None:
            if size is None:
                raise ArgumentError(f"{self.title} needs a board size: give a size or a position text")
            start = self._empty(size, variant, coordinates, ruleset, readings)
            for cell, color in self._opening_stones(opening or {}, start.board, start.names).items():
                start.grid.put(cell, color, 1)
            return start
        if opening:
            raise ArgumentError("a game starts from an opening or from a position text, not from both")
        if size is None:
            size = position_text.find_board(position, self.board, self.ruleset(ruleset).sizes).size
        start = self._empty(size, variant, coordinates, ruleset, readings)
        start.set_up(position_text.read(position, start.board, self))
        return start

    def empty_grid(
        self, size: int, variant: str | None, coordinates: System, ruleset: str | None, readings: Sequence[str] = ()
    ) -> Grid:
        """Return the rules on a board without stones, for `Grid.play_all`. Raises ArgumentError; see `start`."""
        compiled.require()
        rules, _, _, tables = _prepare(self, size, coordinates, ruleset)
        grid = rules.rules(tables, variant or "")
        if readings:
            wrong = rules.find_wrong_reading(readings)
            if wrong is not None:
                raise ArgumentError(f"{self.title}: {wrong[1]}")
            grid.readings = [reading.name for reading in rules.readings if reading.name in readings]
        return grid

    def _empty(
        self, size: int, variant: str | None, coordinates: System, ruleset: str | None, readings: Sequence[str]
    ) -> Position:
        """Return a position without stones. Raises ArgumentError; see `start`."""
        grid = self.empty_grid(size, variant, coordinates, ruleset, readings)
        rules, board, names, _ = _prepare(self, size, coordinates, ruleset)
        return self.position(self, board, names, rules.name, grid)

    def _opening_stones(self, opening: Mapping[str, str], board: Board, names: CellNames) -> dict[int, int]:
        """Return the color of each opening stone by cell, given cell names. Raises ArgumentError and IllegalOpening."""
        if not isinstance(opening, Mapping) or opening.keys() != {*self.opening}:
            wanted = " and one ".join(self.opening)
            raise ArgumentError(
                f"{self.title} starts with one {wanted} {self.piece}" if wanted else f"{self.title} has no opening"
            )
        stones: dict[int, int] = {}
        for color in self.opening:
            cell = names.cells.get(opening[color]) or names.find(opening[color])
            if cell is None:
                raise IllegalOpening(
                    "opening/off-board",
                    f"the {color} opening {self.piece} is set on {shorten(opening[color])}, which is not a cell of a "
                    f"board of size {board.size}{system_note(names.system)}",
                    color,
                )
            if cell in stones:
                raise IllegalOpening(
                    "opening/same-cell",
                    f"both opening {self.piece}s are set on {names.single(cell)}: they must be on two different cells",
                    color,
                )
            stones[cell] = COLORS.index(color)
        return stones


@lru_cache(maxsize=64)
def _prepare(
    game: Game, size: int, coordinates: System, ruleset: str | None
) -> tuple[Ruleset, Board, CellNames, Tables]:
    """Return the parts that all games on boards of a size share. Raises ArgumentError; see `Game.start`."""
    chosen = game.ruleset(ruleset)
    if size not in chosen.sizes:
        raise ArgumentError(game.size_refusal(chosen, size))
    board = game.board(size)
    return chosen, board, board.names(coordinates), board.tables(coordinates)
