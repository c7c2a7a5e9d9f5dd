"""Rules of Sunspot: place a stone, optionally flip an interior enemy stone and flip back; close a loop to win.

The module implements rulings P-1 and P-2 of the rules page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from hexrec.rules.board import BIT, Board, cells_of
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, PLAYERS, IllegalTurn, Outcome, SetupFault, Stack

#: The cells of the placement, the flip, and a stone of the edge subgroup to flip back; NONE for a missing part.
Move = tuple[int, int, int]
NONE = -1


class SunspotRules(Position[Move]):
    """The state has, by cell and direction, whether the edge of the board is visible.

    `_sight` packs six bitboards into one integer, so that a placement updates all of them at once. Bit
    ``direction * span + cell`` is set while the ray of `cell` in that direction has no stone.

    In this class, `edge` is the bitboard of the cells on which a stone is an edge stone. It depends only on the
    occupied cells, so a flip does not change it.
    """

    __slots__ = ("_keep", "_sight")

    def _set_up(self, stones: Mapping[int, Stack]) -> None:
        self._sight, self._keep = sights(self.board)
        for cell in stones:
            self._sight &= self._keep[cell]

    def _setup_fault(self) -> SetupFault | None:
        for color, stones in enumerate(self._stones):
            if enclosed := self._enclosed_cells(color):
                on_loop = first(self.board.adjacent(enclosed) & stones)
                where = f"{PLAYERS[color]} has a loop through {self.names.names[on_loop]}"
                message = f"in this position the game is over: {where}"
                return SetupFault("setup/over", message, on_loop)
        return None

    def _parse(self, turn: str) -> Move:
        text, cells = self._cells(turn)
        place, flip, back, *_ = [NONE, *cells, NONE, NONE] if text.startswith("x") else [*cells, NONE, NONE, NONE]
        return place, flip, back

    def _canonical_move(self, move: Move) -> Move:
        """Return the move with the first stone of its edge subgroup."""
        place, flip, back = move
        if back != NONE:
            own, edge = self._after_placement(place)
            back = first(self.board.flood(BIT[back], own & edge))
        return place, flip, back

    def _refusal(self, move: Move) -> IllegalTurn | None:
        place, flip, _ = move
        occupied = self._stones[0] | self._stones[1]
        if place != NONE and not occupied & BIT[place]:
            code = None if flip == NONE else self._flip_code(move)
        elif occupied != self.board.mask:
            if place != NONE:
                return self._occupied_error(place)
            code = "move/pass-before-full" if flip == NONE else "move/placement-missing"
        elif place != NONE:
            code = "move/board-full"
        elif flip != NONE:
            code = self._flip_code(move)
        else:
            code = "move/pass-with-flip" if self._targets_now() else None
        return None if code is None else self._illegal(code, move)

    def _targets_now(self) -> int:
        """Return the bitboard of enemy stones that can be flipped on a full board."""
        return self._targets(self._after_placement(NONE)[1], self.board.components(self._stones[1 - self._side]))

    def _flip_code(self, move: Move) -> str | None:
        """Return the code of the rule that the flip of a move breaks, or None; its placement, if any, is legal."""
        place, flip, back = move
        own, edge = self._after_placement(place)
        enemy = self._stones[1 - self._side]
        stone = BIT[flip]
        if own & stone:
            return "move/flip-own"
        if not enemy & stone:
            return "move/flip-empty"
        if edge & stone:
            return "move/flip-edge"
        if not self.board.flood(stone, enemy) & edge:
            return "move/flip-not-combined"
        group = self.board.flood(stone, own | stone)
        if not group & edge:
            return None if back == NONE else "move/flip-back-not-due"
        if back == NONE:
            return "move/flip-back-missing"
        if group & BIT[back]:
            return None if edge & BIT[back] else "move/flip-back-interior"
        if own & BIT[back]:
            return "move/flip-back-elsewhere"
        return "move/flip-back-enemy" if enemy & BIT[back] else "move/flip-back-empty"

    def _execute(self, move: Move) -> Outcome | None:
        place, flip, back = move
        side, enemy, stones = self._side, 1 - self._side, self._stones
        self._passed = place == flip == NONE  # passes do not end the game, but are part of the position text
        own, edge = self._after_placement(place)
        if place != NONE:
            self._sight &= self._keep[place]
        if flip != NONE:
            subgroup = self.board.flood(BIT[back], own & edge) if back != NONE else 0
            own = own & ~subgroup | BIT[flip]
            stones[enemy] = stones[enemy] & ~BIT[flip] | subgroup
        stones[side] = own
        # If both have a loop, that of the side to move wins (ruling P-1).
        for color in (side, enemy):
            if self._enclosed_cells(color):
                return Outcome(COLORS[color])
        return None

    def _enclosed_cells(self, color: int) -> int:
        """Return the bitboard of the cells that the loops of a color cut off from the edge."""
        others = self.board.mask & ~self._stones[color]
        return others & ~self.board.flood(self.board.edge_mask, others)

    def _moves(self) -> Iterable[Move]:
        own, enemy = self._stones[self._side], self._stones[1 - self._side]
        enemy_groups = self.board.components(enemy)
        for place in cells_of(self.board.mask & ~own & ~enemy) or [NONE]:
            after, edge = self._after_placement(place)
            targets = self._targets(edge, enemy_groups)
            if place != NONE or not targets:
                yield place, NONE, NONE
            for flip in cells_of(targets):
                group = self.board.flood(BIT[flip], after | BIT[flip])
                for back in [first(subgroup) for subgroup in self.board.components(group & edge)] or [NONE]:
                    yield place, flip, back

    def _text(self, move: Move) -> str:
        place, flip, back = move
        names = self.names.names
        if flip == NONE:
            return "pass" if place == NONE else names[place]
        text = f"x{names[flip]}" if back == NONE else f"x{names[flip]}x{names[back]}"
        return text if place == NONE else names[place] + text

    def _after_placement(self, place: int) -> tuple[int, int]:
        """Return the own stones and `edge` after a placement, or now if `place` is NONE."""
        own, sight = self._stones[self._side], self._sight
        if place == NONE:
            return own, self._edge(sight)
        return own | BIT[place], self._edge(sight & self._keep[place])

    def _edge(self, sight: int) -> int:
        """Return the bitboard of the cells that see the edge of the board in any direction."""
        span = self.board.span
        sight |= sight >> 3 * span
        return (sight | sight >> span | sight >> 2 * span) & self.board.mask

    @staticmethod
    def _targets(edge: int, enemy_groups: list[int]) -> int:
        """Return the bitboard of enemy stones that can be flipped: interior stones of combined groups."""
        targets = 0
        for group in enemy_groups:
            if group & edge:
                targets |= group & ~edge
        return targets


@cache
def sights(board: Board) -> tuple[int, tuple[int, ...]]:
    """Return `SunspotRules._sight` of the empty board, and by cell the mask to apply when a stone is placed there.

    An edge cell has an empty ray, so it always sees the edge.
    """
    sight = sum(board.mask << direction * board.span for direction in range(6))
    keep = [sight] * board.span
    for cell in board.cells:
        for direction in range(6):
            # A cell sees this one in a direction if it lies on the ray the opposite way.
            keep[cell] &= ~(board.bits(board.rays[cell][(direction + 3) % 6]) << direction * board.span)
    return sight, tuple(keep)


def first(bits: int) -> int:
    """Return the first cell of a bitboard in board order."""
    return (bits & -bits).bit_length() - 1
