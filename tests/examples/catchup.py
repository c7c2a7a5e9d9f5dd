"""Catchup: fill the board with up to three stones a turn; the player with the largest group wins.

`tests/test_new_game.py` makes it a built-in game in a copy of the tree, where this is its module.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import combinations

from hexrec.rules.board import cells_of
from hexrec.rules.description import Brief, PositionField
from hexrec.rules.game import Game
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, Annotation, IllegalTurn, Outcome, SetupFault, Stack, compare_lists, pluralize
from hexrec.util.diagnostics import Code

#: The cells of the stones, in board order.
Move = tuple[int, ...]


class CatchupPosition(Position[Move]):
    """The state beyond the stones is whether the last turn has made the largest group larger."""

    __slots__ = ("_has_bonus",)

    def _set_up(self, stones: Mapping[int, Stack]) -> None:  # noqa: ARG002
        self._has_bonus = False

    def field_values(self) -> tuple[str, ...]:
        """Return whether the turn may have three stones."""
        return (str(int(self._has_bonus)),)

    def _take_field_values(self, values: tuple[str, ...]) -> None:
        self._has_bonus = values == ("1",)

    def _setup_fault(self) -> SetupFault | None:
        if not self._empty():
            return SetupFault("setup/over", "in this position the game is over: the board is full")
        own, enemy = (max(self._sizes(color), default=0) for color in (self._side, 1 - self._side))
        if self._has_bonus and enemy <= own:
            message = f"{self.turn} may not place three stones: the enemy has not just made the largest group larger"
            return SetupFault("setup/no-bonus", message)
        return None

    def _parse(self, turn: str) -> Move:
        _, cells = self._cells(turn)
        return tuple(sorted(cells))

    def _text(self, move: Move) -> str:
        return ",".join(self.names.names[cell] for cell in move)

    def _refusal(self, move: Move) -> IllegalTurn | None:
        taken = self.board.mask & ~self._empty()
        for cell in move:
            if taken >> cell & 1:
                return self._occupied_error(cell)
        if len({*move}) < len(move):
            return self._illegal("move/same-cell", move)
        return self._illegal("move/too-many-stones", move) if len(move) > self._limit() else None

    def _wording(self, code: str, move: Move) -> str:
        text = self._text(move)
        if code == "move/same-cell":
            return f"{text} names a cell twice: place each stone on a cell of its own"
        limit = pluralize(self._limit(), "stone")
        return f"{text} has {pluralize(len(move), 'stone')}, but this turn may have no more than {limit}"

    def _execute(self, move: Move) -> Outcome | None:
        before = self._largest()
        first = not self._stones[0] | self._stones[1]
        self._stones[self._side] |= self.board.bits(move)
        self._has_bonus = not first and self._largest() > before
        if self._empty():
            return None
        black, white = (sorted(self._sizes(color), reverse=True) for color in (0, 1))
        # The number of cells is odd, so the two lists differ.
        return Outcome(compare_lists(black, white), {"black": black, "white": white})

    def _moves(self) -> Iterable[Move]:
        cells = cells_of(self._empty())
        for count in range(1, self._limit() + 1):
            yield from combinations(cells, count)

    def _highlights(self) -> Iterable[Annotation]:
        if self.is_over:
            for color in (0, 1):
                groups = self.board.components(self._stones[color])
                largest = max(groups, key=int.bit_count, default=0)
                yield Annotation("chain", f"largest group of {COLORS[color]}", tuple(cells_of(largest)), color)

    def _empty(self) -> int:
        return self.board.mask & ~self._stones[0] & ~self._stones[1]

    def _limit(self) -> int:
        """Return the most stones that the turn may have."""
        if not self._stones[0] | self._stones[1]:
            return 1
        return 3 if self._has_bonus else 2

    def _sizes(self, color: int) -> list[int]:
        return [group.bit_count() for group in self.board.components(self._stones[color])]

    def _largest(self) -> int:
        return max([*self._sizes(0), *self._sizes(1)], default=0)


CATCHUP = Game(
    name="catchup",
    title="Catchup",
    designers=("Nick Bentley",),
    year=2011,
    rulesets=("2011",),
    sizes=range(3, 8),
    recommended=(5,),
    opening=(),
    turn="{cell}(?:,{cell}){0,2}",
    turn_help="the cells to place stones on, such as d4,e5, in any order",
    example="d4,e5",
    score="list",
    synonyms=True,
    sgf_number=5005,
    position=CatchupPosition,
    position_fields=(PositionField("1 if the turn may have three stones, else 0", ("0", "1")),),
    brief=Brief(
        goal="Have the largest group when the board is full.",
        turn=(
            "Place one or two stones on empty cells. If the enemy's last turn made the largest group on the board "
            "larger, you may place three. The first turn of the game is one stone."
        ),
        end="When the board is full, the larger group wins; if they are equal, the second largest groups decide.",
    ),
    refusals={
        "setup/over": Code(
            meaning="In the position that a setup describes, the board is full, and so the game is over.",
            rule="A game goes on from a setup: the player to move has a turn there.",
            fix="Set up an earlier position of the game.",
            example='{hexrec: "1", game: catchup, size: 3, setup: "bbb/wwww/bbbbb/wwww/bbb w 0 0", moves: []}',
        ),
        "setup/no-bonus": Code(
            meaning="A setup allows three stones, but the largest group is not the enemy's.",
            rule="A turn may have three stones if the enemy's last turn made the largest group on the board larger.",
            fix="Write 0 at the end of the setup, or correct the stones or the side to move.",
            example='{hexrec: "1", game: catchup, size: 3, setup: "3/4/5/4/bb1 b 0 1", moves: []}',
        ),
        "move/same-cell": Code(
            meaning="A turn names a cell twice.",
            rule="Each stone of a turn is placed on an empty cell.",
            fix="Name each cell once.",
            example='{hexrec: "1", game: catchup, size: 3, moves: [c3, "a1,a1"]}',
        ),
        "move/too-many-stones": Code(
            meaning="A turn has more stones than the rules allow.",
            rule=(
                "The first turn is one stone. Other turns have one or two, or three if the enemy's last turn made the "
                "largest group on the board larger."
            ),
            fix="Place fewer stones, as the message says.",
            example='{hexrec: "1", game: catchup, size: 3, moves: [c3, "a1,a2,a3"]}',
        ),
    },
)
