"""Sunspot: place a stone, then perhaps flip an interior enemy stone and pay for it; close a loop to win.

Rulings P-1 and P-2 of the rules page are decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from hexrec.rules.board import BIT, Board, cells_of
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, IllegalTurn, Outcome, SetupFault, Stack

#: The cell placed on, the cell flipped, and a cell of the edge subgroup flipped back; NONE for each part left out.
Move = tuple[int, int, int]
NONE = -1


class SunspotRules(Position[Move]):
    """The state is what each cell sees.

    `_sight` packs six bitboards into one integer, so that a placement changes all of them in one step: bit
    ``direction * span + cell`` is set while no stone is on the ray of `cell` in that direction.

    In this class `edge` is always the bitboard of the cells on which a stone is an edge stone. It follows from the
    occupied cells alone, so a flip leaves it as it is.
    """

    __slots__ = ("_keep", "_sight")

    def _set_up(self, stones: Mapping[int, Stack]) -> None:
        self._sight, self._keep = sights(self.board)
        for cell in stones:
            self._sight &= self._keep[cell]

    def _setup_fault(self) -> SetupFault | None:
        for color, stones in enumerate(self._stones):
            if enclosed := self._enclosed(color):
                on_loop = first(self.board.adjacent(enclosed) & stones)
                where = f"{COLORS[color]} has a loop through {self.names.names[on_loop]}"
                message = f"in this position the game is over: {where}"
                return SetupFault("setup/over", message, on_loop)
        return None

    def _parse(self, turn: str) -> Move:
        text, cells = self._cells(turn)
        place, flip, back, *_ = [NONE, *cells, NONE, NONE] if text.startswith("x") else [*cells, NONE, NONE, NONE]
        return place, flip, back

    def _canonical_move(self, move: Move) -> Move:
        """Name an edge subgroup by its first stone."""
        place, flip, back = move
        if back != NONE:
            own, edge = self._placed(place)
            back = first(self.board.flood(BIT[back], own & edge))
        return place, flip, back

    def _refusal(self, move: Move) -> IllegalTurn | None:
        place, flip, _ = move
        occupied = self._stones[0] | self._stones[1]
        if place != NONE and not occupied & BIT[place]:
            code = None if flip == NONE else self._flip_code(move)
        elif occupied != self.board.mask:
            if place != NONE:
                return self._occupied(place)
            code = "move/pass-before-full" if flip == NONE else "move/placement-missing"
        elif place != NONE:
            code = "move/board-full"
        elif flip != NONE:
            code = self._flip_code(move)
        else:
            code = "move/pass-with-flip" if self._targets_now() else None
        return None if code is None else self._illegal(code, move)

    def _targets_now(self) -> int:
        """Return the enemy stones that can be flipped on a full board."""
        return self._targets(self._placed(NONE)[1], self.board.components(self._stones[1 - self._mover]))

    def _flip_code(self, move: Move) -> str | None:
        """Return the code of the rule that the flip action of a move breaks whose placement, if any, is legal."""
        place, flip, back = move
        own, edge = self._placed(place)
        enemy = self._stones[1 - self._mover]
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
        mover, enemy, stones = self._mover, 1 - self._mover, self._stones
        self._passed = place == flip == NONE  # ends nothing, but belongs to the position's text
        own, edge = self._placed(place)
        if place != NONE:
            self._sight &= self._keep[place]
        if flip != NONE:
            subgroup = self.board.flood(BIT[back], own & edge) if back != NONE else 0
            own = own & ~subgroup | BIT[flip]
            stones[enemy] = stones[enemy] & ~BIT[flip] | subgroup
        stones[mover] = own
        # A loop of the mover's wins for the mover, also where both have one (ruling P-1).
        for color in (mover, enemy):
            if self._enclosed(color):
                return Outcome(COLORS[color])
        return None

    def _enclosed(self, color: int) -> int:
        """Return the cells that the loops of a color cut off from the rim, 0 if it has no loop."""
        others = self.board.mask & ~self._stones[color]
        return others & ~self.board.flood(self.board.rim_mask, others)

    def _moves(self) -> Iterable[Move]:
        own, enemy = self._stones[self._mover], self._stones[1 - self._mover]
        own_groups, enemy_groups = self.board.components(own), self.board.components(enemy)
        # Most placements leave most groups as they are: the edge subgroups of each are found once.
        found: dict[int, list[int]] = {}
        empty = cells_of(self.board.mask & ~own & ~enemy)
        for place in empty:
            yield place, NONE, NONE
            own_after, edge = self._placed(place)
            if enemy & ~edge and (targets := self._targets(edge, enemy_groups)):
                merged = union(own_groups, self.board.neighbor_masks[place]) | BIT[place]
                groups = [merged, *(group for group in own_groups if not group & merged)]
                yield from self._flips(place, targets, own_after & edge, groups, found)
        if not empty:
            edge = self._placed(NONE)[1]
            flips = list(self._flips(NONE, self._targets(edge, enemy_groups), own & edge, own_groups, found))
            yield from flips or [(NONE, NONE, NONE)]

    def _flips(
        self, place: int, targets: int, edge_stones: int, own_groups: list[int], found: dict[int, list[int]]
    ) -> Iterable[Move]:
        """Yield the moves with a flip and the given placement, after which there are the given stones and groups.

        `found` has, by the edge stones of a group, the first stone of each subgroup, and is added to.
        """
        for flip in cells_of(targets):
            in_group = union(own_groups, self.board.neighbor_masks[flip]) & edge_stones
            backs = found.get(in_group)
            if backs is None:
                backs = found[in_group] = [first(subgroup) for subgroup in self.board.components(in_group)] or [NONE]
            for back in backs:
                yield place, flip, back

    def _text(self, move: Move) -> str:
        place, flip, back = move
        names = self.names.names
        if flip == NONE:
            return "pass" if place == NONE else names[place]
        text = f"x{names[flip]}" if back == NONE else f"x{names[flip]}x{names[back]}"
        return text if place == NONE else names[place] + text

    def _placed(self, place: int) -> tuple[int, int]:
        """Return the mover's stones and `edge` as they are after a placement (NONE: as they are now)."""
        own, sight = self._stones[self._mover], self._sight
        if place == NONE:
            return own, self._edge(sight)
        return own | BIT[place], self._edge(sight & self._keep[place])

    def _edge(self, sight: int) -> int:
        """Return the cells that see the rim in any direction."""
        span = self.board.span
        sight |= sight >> 3 * span
        return (sight | sight >> span | sight >> 2 * span) & self.board.mask

    @staticmethod
    def _targets(edge: int, enemy_groups: list[int]) -> int:
        """Return the enemy stones that can be flipped: the interior stones of the combined groups."""
        targets = 0
        for group in enemy_groups:
            if group & edge:
                targets |= group & ~edge
        return targets


@cache
def sights(board: Board) -> tuple[int, tuple[int, ...]]:
    """Return what `SunspotRules._sight` is on the empty board, and by cell the part that stays when a stone is there.

    Some ray of a rim cell has no cells at all, so that a rim cell always counts as seeing the rim.
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


def union(groups: list[int], touching: int) -> int:
    """Return all stones of those groups that hold a cell of `touching`."""
    total = 0
    for group in groups:
        if group & touching:
            total |= group
    return total
