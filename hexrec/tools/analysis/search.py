"""Search on the public calls of positions: proofs near the end of a game, estimates by random games elsewhere.

Values are those of the record format: 1 if Black wins, 0 for a draw, -1 if White wins. Nothing depends on the clock.
"""

from __future__ import annotations

from math import log, sqrt
from random import Random
from typing import NamedTuple

from hexrec.rules.position import Position

#: By winner, the value of a finished game.
VALUES = {"black": 1, "draw": 0, "white": -1}
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

    Attributes:
        searched: the number of positions that the latest proof searched.
    """

    def __init__(self, positions: int) -> None:
        """Allow each proof to search `positions` positions, not counting those whose value is known."""
        self._positions = positions
        self.searched = 0
        # By hash of a position, its value and a best turn.
        self._known: dict[int, tuple[int, str]] = {}

    def solve(self, position: Position) -> Proof | None:
        """Return the proved value of a position, or None if the proof takes too many positions."""
        value = self._prove(position)
        return None if value is None else Proof(value, self._line(position))

    def winning_turns(self, position: Position, most: int) -> list[str] | None:
        """Return up to `most` turns with which the side to move wins; None if a turn is not decided before that."""
        found = []
        wanted = _sign(position)
        for turn in position.legal_turns():
            position.play(turn)
            value = self._prove(position)
            position.undo()
            if value is None:
                return None
            if value == wanted:
                found.append(turn)
                if len(found) == most:
                    break
        return found

    def _prove(self, position: Position) -> int | None:
        self.searched = 0
        try:
            return self._value(position, _DEPTH)
        except _LimitReached:
            return None

    def _value(self, position: Position, depth: int) -> int:
        """Return the value of a position. Raises _LimitReached."""
        if position.is_over:
            return value_of_end(position)
        key = position.hash()
        if key in self._known:
            return self._known[key][0]
        if self.searched == self._positions or not depth:
            raise _LimitReached
        self.searched += 1
        self._known[key] = best = self._best_turn(position, depth)
        return best[0]

    def _best_turn(self, position: Position, depth: int) -> tuple[int, str]:
        """Return the value of a game in progress, and a turn that leads to it."""
        sign = _sign(position)
        best = (-2, "")
        others = []
        for turn in position.legal_turns():
            position.play(turn)
            if position.is_over:
                best = max(best, (sign * value_of_end(position), turn))
            else:
                others.append((position.legal_count(), turn))
            position.undo()
            if best[0] == 1:
                break
        # Turns that leave the enemy few replies come first: these proofs are small, and often they win.
        for _, turn in sorted(others):
            if best[0] == 1:
                break
            position.play(turn)
            try:
                best = max(best, (sign * self._value(position, depth - 1), turn))
            finally:
                position.undo()
        return sign * best[0], best[1]

    def _line(self, position: Position) -> list[str]:
        """Return the best turns from a position on, as far as they are known."""
        here, turns = position.copy(), list[str]()
        while not here.is_over and here.hash() in self._known:
            turns.append(self._known[here.hash()][1])
            here.play(turns[-1])
        return turns


class _Node:
    """A position in the tree of `estimate`.

    Attributes:
        turn: the turn that led here; empty at the root.
        sign: 1 if Black played it, -1 if White did.
        untried: the legal turns without a node, in random order.
        children: the nodes after the others.
        visits: in how many random games the position occurred.
        total: the sum of their values.
    """

    __slots__ = ("children", "sign", "total", "turn", "untried", "visits")

    def __init__(self, turn: str, position: Position, rng: Random) -> None:
        self.turn = turn
        self.sign = -_sign(position)
        self.untried = position.legal_turns()
        rng.shuffle(self.untried)
        self.children: list[_Node] = []
        self.visits = 0
        self.total = 0

    def promising(self) -> _Node:
        """Return the child with the largest upper bound of its average (UCT)."""
        explored = 2 * log(self.visits)
        return max(
            self.children,
            key=lambda child: child.sign * child.total / child.visits / 2 + sqrt(explored / child.visits),
        )


def estimate(position: Position, rng: Random, playouts: int) -> Estimate:
    """Return the value of a game in progress, estimated by UCT with a number of random games from 1."""
    root = _Node("", position, rng)
    for _ in range(playouts):
        here, path = position.copy(), [root]
        while not path[-1].untried and path[-1].children:
            path.append(path[-1].promising())
            here.play(path[-1].turn)
        if path[-1].untried:
            turn = path[-1].untried.pop()
            here.play(turn)
            path.append(_Node(turn, here, rng))
            path[-2].children.append(path[-1])
        here.playout(rng)
        value = value_of_end(here)
        for node in path:
            node.visits += 1
            node.total += value
    best = max(root.children, key=lambda child: child.visits)
    return Estimate(root.total / root.visits, [best.turn])


def choose(position: Position, rng: Random, *, playouts: int) -> str:
    """Return a turn for the side to move, after `playouts` random games; with 0, a random turn."""
    return estimate(position, rng, playouts).line[0] if playouts else position.random_turn(rng)


def value_of_end(position: Position) -> int:
    """Return the value of a finished game."""
    outcome = position.result()
    assert outcome is not None
    assert outcome.winner is not None
    return VALUES[outcome.winner]


def _sign(position: Position) -> int:
    """Return the value of a win for the side to move."""
    return 1 if position.turn == "black" else -1
