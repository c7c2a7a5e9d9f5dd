"""The rules page transcribed word for word: slow, without the tricks of `rules.py`, and without its code.

A transcription knows the stones as a plain dictionary, from axial coordinates to color and height, and works out all
that the rules say of them afresh whenever it is asked. `tests/rules/test_literal.py` compares the rules with it.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from pathlib import Path

from hexrec.rules import games

#: The games whose rules are transcribed, as a second opinion on `rules.py`.
TRANSCRIBED = tuple(name for name in games.BUILT_IN if Path(__file__).with_name(f"{name}.py").is_file())
Cell = tuple[int, int]
Stones = dict[Cell, tuple[str, int]]
#: The winner (or ``draw``), and the score by color in the games that have one.
Ending = tuple[str, dict[str, object] | None]

DIRECTIONS = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
ENEMY = {"black": "white", "white": "black"}
COLOR = {"b": "black", "w": "white"}


class Literal(ABC):
    """A game between two turns.

    Attributes:
        size, variant: as in records.
        names, cells: the cells by name, and the names by cell, in board order.
        rays: by cell, the rays in the six directions; the opposite of each comes three after it.
        neighbors: by cell, its neighbors.
        stones: what stands on the board.
        mover: whose turn it is.
        history, movers: the turns played, and who played each.
        ending: how the game ended, None before.
    """

    def __init__(self, size: int, opening: Mapping[str, str], variant: str | None = None) -> None:
        self.size = size
        self.variant = variant
        self.names: dict[str, Cell] = {}
        for i in range(2 * size - 1):
            r = i - (size - 1)
            leftmost = -(size - 1) if r >= 0 else -(size - 1) - r
            for k in range(2 * size - 1 - abs(i - (size - 1))):
                self.names["abcdefghijklmnopqrstuvwxyz"[i] + str(k + 1)] = (leftmost + k, r)
        self.cells = {cell: name for name, cell in self.names.items()}
        self.rays = {cell: [self.walk(cell, direction) for direction in DIRECTIONS] for cell in self.cells}
        self.neighbors = {cell: [ray[0] for ray in rays if ray] for cell, rays in self.rays.items()}
        self.stones: Stones = {self.names[name]: (color, 1) for color, name in opening.items()}
        self.mover = "black"
        self.history: list[str] = []
        self.movers: list[str] = []
        self.ending: Ending | None = None

    def set_up(self, text: str) -> None:
        """Go on from the text of a position of this size, as the format's page writes it, without heights."""
        rows, mover, *more = text.split()
        self.stones = {}
        for letter, row in zip(sorted({name[0] for name in self.names}, reverse=True), rows.split("/"), strict=True):
            number = 1
            for empty, color in re.findall(r"(\d+)|([bw])", row):
                if color:
                    self.stones[self.names[f"{letter}{number}"]] = COLOR[color], 1
                number += int(empty or 1)
        self.mover = COLOR[mover]
        # Whoever placed the last stone did so in a turn before these passes.
        passes = int(next((field for field in more if field.isdigit()), 0))
        placed = [COLOR[field] for field in more if field in COLOR]
        self.history = ["set up"] * len(placed) + ["pass"] * passes
        self.movers = [*placed, *[ENEMY[self.mover]] * passes]

    @abstractmethod
    def turns(self) -> dict[str, Stones]:
        """Return the legal turns by canonical text, each with the stones after it."""

    @abstractmethod
    def judge(self) -> Ending | None:
        """Return how the last turn has ended the game, None if it has not. `mover` is the next player already."""

    def legal_turns(self) -> list[str]:
        return [] if self.ending else sorted(self.turns())

    def play(self, turn: str) -> None:
        self.go_on(turn, self.turns()[turn])

    def go_on(self, turn: str, stones: Stones) -> None:
        """Play a turn that leads to these stones."""
        self.stones = stones
        self.history.append(turn)
        self.movers.append(self.mover)
        self.mover = ENEMY[self.mover]
        self.ending = self.judge()

    # The words that the rules page explains for all games.

    def walk(self, cell: Cell, direction: Cell) -> list[Cell]:
        """Return the cells in one direction up to the rim."""
        cells = []
        while (cell := (cell[0] + direction[0], cell[1] + direction[1])) in self.cells:
            cells.append(cell)
        return cells

    def on_rim(self, cell: Cell) -> bool:
        q, r = cell
        return max(abs(q), abs(r), abs(q + r)) == self.size - 1

    def connected(self, cell: Cell, belongs: Callable[[Cell], bool]) -> frozenset[Cell]:
        """Return the maximal connected set around a cell of cells that belong."""
        found, seen = {cell}, [cell]
        while seen:
            for other in self.neighbors[seen.pop()]:
                if other not in found and belongs(other):
                    found.add(other)
                    seen.append(other)
        return frozenset(found)

    def parts(self, cells: Collection[Cell]) -> list[frozenset[Cell]]:
        """Return the maximal connected sets among cells, in no particular order."""
        left, parts = set(cells), []
        while left:
            parts.append(self.connected(min(left), left.__contains__))
            left -= parts[-1]
        return parts

    def border(self, cells: Collection[Cell]) -> set[Cell]:
        """Return the cells adjacent to some cell of a set, without the set."""
        return {other for cell in cells for other in self.neighbors[cell]} - set(cells)

    def of(self, color: str) -> set[Cell]:
        return {cell for cell, (owner, _) in self.stones.items() if owner == color}

    def empty(self) -> set[Cell]:
        return set(self.cells) - set(self.stones)

    def two_passes(self) -> bool:
        return self.history[-2:] == ["pass", "pass"]


def first_difference(black: Collection[float], white: Collection[float]) -> str | None:
    """Compare two lists from the largest down: return the color with the larger value or the longer list."""
    ours, theirs = sorted(black, reverse=True), sorted(white, reverse=True)
    for place in range(max(len(ours), len(theirs))):
        if place == len(theirs) or (place < len(ours) and ours[place] > theirs[place]):
            return "black"
        if place == len(ours) or ours[place] < theirs[place]:
            return "white"
    return None


def start(
    name: str, size: int, opening: Mapping[str, str], variant: str | None = None, ruleset: str | None = None
) -> Literal:
    """Return the transcription of a game by a ruleset, the first one unless it is named, before the first turn."""
    edition = (ruleset or "").partition("-")[2].capitalize()
    literal: type[Literal] = getattr(import_module(f"tests.literal.{name}"), name.capitalize() + edition)
    return literal(size, opening, variant)
