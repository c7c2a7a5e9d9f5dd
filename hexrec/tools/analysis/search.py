"""Search on the grids of positions: proofs near the end of a game, estimates by random games elsewhere.

Values are those of the record format: 1 if Black wins, 0 for a draw, -1 if White wins. Nothing depends on the clock.
"""

from __future__ import annotations

import sys
from array import array
from math import log, sqrt
from operator import itemgetter
from random import Random
from typing import NamedTuple

from hexrec.rules.cells import Draw
from hexrec.rules.grid import BLACK, DRAW, NOBODY, PASS, WHITE, Grid
from hexrec.rules.position import Position
from hexrec.util.hashing import blake2b

#: By winner, the value of a finished game.
VALUES = {"black": 1, "draw": 0, "white": -1}
#: The same by the winner that a grid has.
_ENDS = {BLACK: 1, DRAW: 0, WHITE: -1}
#: The longest line that a proof follows; a deeper one would exceed the stack of Python.
_DEPTH = 200


class Proof(NamedTuple):
    """A proved value: that of best play by both sides.

    Attributes:
        value: 1, 0 or -1.
        line: turns that lead to it, to the end of the game as a rule.
    """

    value: int
    line: list[str]


class Estimate(NamedTuple):
    """A value estimated by random games.

    Attributes:
        value: from -1 to 1, the average of the games.
        line: the turn that was tried most.
    """

    value: float
    line: list[str]


class _LimitReached(Exception):
    """A proof takes more positions than are allowed."""


class Solver:
    """Proves values by searching all turns. It remembers what it has proved, so solve a game from its end.

    All positions must have the same rules and the same board.

    Attributes:
        searched: the number of positions that the latest proof searched.
    """

    def __init__(self, positions: int) -> None:
        """Allow each proof to search `positions` positions, not counting those whose value is known."""
        self._positions = positions
        self.searched = 0
        # By hash of a position, its value and a best move.
        self._known: dict[bytes, tuple[int, int]] = {}

    def solve(self, position: Position) -> Proof | None:
        """Return the proved value of a position, or None if the proof takes too many positions."""
        grid = _copy(position)
        value = self._prove(grid)
        return None if value is None else Proof(value, self._line(grid))

    def winning_turns(self, position: Position, most: int) -> list[str] | None:
        """Return up to `most` turns with which the side to move wins; None if a turn is not decided before that."""
        grid = _copy(position)
        saved, wanted = grid.save(), _sign(grid)
        found: list[str] = []
        for move in [] if position.is_over else grid.moves():
            grid.play(move)
            value = self._prove(grid)
            grid.restore(saved)
            if value is None:
                return None
            if value == wanted:
                found.append(grid.write(move))
                if len(found) == most:
                    break
        return found

    def _prove(self, grid: Grid) -> int | None:
        """Return the proved value of a position, or None. The position does not change."""
        self.searched = 0
        saved = grid.save()
        try:
            return self._value(grid, _DEPTH)
        except _LimitReached:
            grid.restore(saved)
            return None

    def _value(self, grid: Grid, depth: int) -> int:
        """Return the value of a position. Raises _LimitReached, with another position."""
        if grid.winner != NOBODY:
            return _ENDS[grid.winner]
        key = _key(grid)
        if key in self._known:
            return self._known[key][0]
        if self.searched == self._positions or not depth:
            raise _LimitReached
        self.searched += 1
        self._known[key] = best = self._best_move(grid, depth)
        return best[0]

    def _best_move(self, grid: Grid, depth: int) -> tuple[int, int]:
        """Return the value of a game in progress, and a move that leads to it."""
        saved, sign = grid.save(), _sign(grid)
        best, others = (-2, PASS), []
        for move in grid.moves():
            grid.play(move)
            if grid.winner == NOBODY:
                others.append((grid.count_moves(), move))
            elif sign * _ENDS[grid.winner] > best[0]:
                best = sign * _ENDS[grid.winner], move
            grid.restore(saved)
            if best[0] == 1:
                return sign, move
        # Moves that leave the enemy few replies come first: these proofs are small, and often they win.
        others.sort(key=itemgetter(0))
        for _, move in others:
            grid.play(move)
            value = sign * self._value(grid, depth - 1)
            grid.restore(saved)
            if value > best[0]:
                best = value, move
            if value == 1:
                break
        return sign * best[0], best[1]

    def _line(self, grid: Grid) -> list[str]:
        """Play the best moves from a position on, as far as they are known, and return their turns."""
        turns: list[str] = []
        while grid.winner == NOBODY and (known := self._known.get(_key(grid))):
            turns.append(grid.write(known[1]))
            grid.play(known[1])
        return turns


class _Node:
    """A position in the tree of `estimate`.

    Attributes:
        move: the move that led here; PASS at the root.
        sign: 1 if Black played it, -1 if White did.
        untried: the legal moves without a node; None before the second visit, as most nodes have only one.
        children: the nodes after the others.
        visits: in how many random games the position occurred.
        total: the sum of their values.
    """

    __slots__ = ("children", "move", "sign", "total", "untried", "visits")

    def __init__(self, move: int, grid: Grid) -> None:
        self.move = move
        self.sign = -_sign(grid)
        self.untried: list[int] | None = None
        self.children: list[_Node] = []
        self.visits = 0
        self.total = 0

    def take_untried(self, grid: Grid, draw: Draw) -> int | None:
        """Take a random move out of the untried ones of the position; return None after the last one."""
        if self.untried is None:
            self.untried = grid.moves() if grid.winner == NOBODY else []
        if not self.untried:
            return None
        drawn = draw(len(self.untried))
        self.untried[drawn], self.untried[-1] = self.untried[-1], self.untried[drawn]
        return self.untried.pop()

    def promising(self) -> _Node:
        """Return the child with the largest upper bound of its average (UCT)."""
        explored = 2 * log(self.visits)
        return max(
            self.children,
            key=lambda child: child.sign * child.total / child.visits / 2 + sqrt(explored / child.visits),
        )


def estimate(position: Position, rng: Random, playouts: int) -> Estimate:
    """Return the value of a game in progress, estimated by UCT with a number of random games from 1."""
    grid, random = _copy(position), rng.random
    saved = grid.save()
    root = _Node(PASS, grid)

    def draw(below: int) -> int:
        # Twice as fast as `randrange`, and as good for a choice among few.
        return int(random() * below)

    for _ in range(playouts):
        path = [root]
        while (move := path[-1].take_untried(grid, draw)) is None and path[-1].children:
            path.append(path[-1].promising())
            grid.play(path[-1].move)
        if move is not None:
            grid.play(move)
            path.append(_Node(move, grid))
            path[-2].children.append(path[-1])
        grid.play_random(draw, sys.maxsize, [])
        for node in path:
            node.visits += 1
            node.total += _ENDS[grid.winner]
        grid.restore(saved)
    best = max(root.children, key=lambda child: child.visits)
    return Estimate(root.total / root.visits, [grid.write(best.move)])


def choose(position: Position, rng: Random, *, playouts: int) -> str:
    """Return a turn for the side to move, after `playouts` random games; with 0, a random turn."""
    return estimate(position, rng, playouts).line[0] if playouts else position.random_turn(rng)


def value_of_end(position: Position) -> int:
    """Return the value of a finished game."""
    outcome = position.result()
    assert outcome is not None
    assert outcome.winner is not None
    return VALUES[outcome.winner]


def _copy(position: Position) -> Grid:
    """Return the grid of a position, to be changed."""
    grid: Grid = position.copy().grid
    return grid


def _key(grid: Grid) -> bytes:
    """Return a hash that positions with the same rules share if they go on in the same way."""
    numbers = array("I", [grid.side, grid.passed, *grid.fields(), *grid.contents()])
    return blake2b(numbers.tobytes(), digest_size=8).digest()


def _sign(grid: Grid) -> int:
    """Return the value of a win for the side to move."""
    return 1 if grid.side == BLACK else -1
