"""Sunspot: place a stone, then perhaps flip an interior enemy stone and pay for it; close a loop to win.

Rulings P-1 and P-2 of the rules page are decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from hexrec.board.geometry import board, cells_of
from hexrec.diagnostics import Code
from hexrec.games.base import Position, single_stones
from hexrec.games.description import COLOURS, Game, IllegalTurn, Mark, Outcome, Stone

#: The cell placed on, the cell flipped, and a cell of the edge subgroup flipped back; NONE for each part left out.
Move = tuple[int, int, int]
NONE = -1


class SunspotPosition(Position[Move]):
    """The state is one bitboard per colour, and what each cell sees.

    In this class `edge` is always the bitboard of the cells on which a stone is an edge stone. It follows from the
    occupied cells alone, so a flip leaves it as it is. `_sight` is what it is made of, packed as `Tables.sight` says.
    """

    __slots__ = ("_sight", "_stones", "_tables")

    def _set_up(self, stones: Mapping[int, int]) -> None:
        assert not stones
        self._stones = [0, 0]
        self._tables = tables(self.board.size)
        self._sight = self._tables.sight

    def _parse(self, turn: str) -> Move:
        cells = self.names.cells
        place = cells.get(turn)
        if place is not None:
            return place, NONE, NONE
        try:
            parts = [cells[name] for name in turn.split("x", 2)]
        except KeyError:
            text, parts = self._cells(turn)
            if text == "pass" or text.startswith("x"):
                parts.insert(0, NONE)
        parts += [NONE] * (3 - len(parts))
        return parts[0], parts[1], parts[2]

    def canonical(self, turn: str) -> str:
        """Return the canonical text of a legal turn, which names an edge subgroup by its first stone."""
        place, flip, back = self._legal_move(turn)
        if back != NONE:
            own, edge = self._placed(place)
            back = first(self.board.flood(1 << back, own & edge))
        return self._text((place, flip, back))

    def _refusal(self, move: Move) -> IllegalTurn | None:
        place, flip, _ = move
        own, enemy = self._stones[self._mover], self._stones[1 - self._mover]
        empty = self.board.mask & ~own & ~enemy
        names = self.names.names
        if place != NONE:
            if empty >> place & 1:
                return None if flip == NONE else self._flip_refusal(move)
            if empty:
                return self._occupied(place, self._mover if own >> place & 1 else 1 - self._mover)
            return IllegalTurn(
                "move/board-full",
                f"the board is full, so no stone can be placed on {names[place]}: the turn is a flip alone, written "
                "with an x before the stone, or pass if there is none to flip",
            )
        if empty:
            why = f"placing is mandatory while there is an empty cell (such as {names[first(empty)]})"
            if flip == NONE:
                return IllegalTurn("move/pass-before-full", f"the turn passes: {why}")
            return IllegalTurn("move/placement-missing", f"the turn places no stone: {why}")
        if flip != NONE:
            return self._flip_refusal(move)
        targets = self._targets(self._placed(NONE)[1], self.board.components(enemy))
        if not targets:
            return None
        return IllegalTurn(
            "move/pass-with-flip",
            "the turn passes: on a full board flipping is mandatory while there is a stone to flip (such as "
            f"{names[first(targets)]})",
        )

    def _flip_refusal(self, move: Move) -> IllegalTurn | None:
        """Judge the flip action of a move whose placement, if any, is legal."""
        place, flip, back = move
        own, edge = self._placed(place)
        enemy = self._stones[1 - self._mover]
        stone = 1 << flip
        if enemy & stone and not edge & stone and self.board.reaches(stone, enemy & edge, enemy):
            own |= stone
            if back == NONE:
                legal = not self.board.reaches(stone, own & edge, own)
            else:
                legal = bool(own & edge & 1 << back) and self.board.reaches(1 << back, stone, own)
            return None if legal else self._back_refusal(own, edge, flip, back)
        name = self.names.names[flip]
        if own & stone:
            whose = "the stone just placed" if flip == place else "your own stone"
            code, reason = "move/flip-own", f"{name} is {whose}"
        elif not enemy & stone:
            code, reason = "move/flip-empty", f"{name} is empty"
        elif edge & stone:
            code, reason = "move/flip-edge", f"{name} is an edge stone, as it {self._why_edge(flip, own | enemy)}"
        else:
            code, reason = "move/flip-not-combined", f"{name} belongs to a group of interior stones only"
        return IllegalTurn(code, f"{reason}: only an interior stone of a combined enemy group can be flipped")

    def _back_refusal(self, own: int, edge: int, flip: int, back: int) -> IllegalTurn:
        """Say why `back` does not name what must be flipped back, `own` being the mover's stones after the flip."""
        names = self.names.names
        group = self.board.flood(1 << flip, own)
        subgroups = [first(part) for part in self.board.components(group & edge)]
        if not subgroups:
            return IllegalTurn(
                "move/flip-back-not-due",
                f"the turn must end without x{names[back]}: {names[flip]} becomes part of a group of interior stones "
                "only, so nothing is flipped back",
            )
        choice = " or ".join(f"that of {names[subgroup]}" for subgroup in subgroups)
        rule = (
            f"with {names[flip]} you must flip back an edge subgroup of the combined group that {names[flip]} now "
            f"belongs to ({choice})"
        )
        if back == NONE:
            code, reason = "move/flip-back-missing", "the turn is not complete"
        elif group >> back & 1:
            code, reason = "move/flip-back-interior", f"{names[back]} is an interior stone"
        elif own >> back & 1:
            code, reason = "move/flip-back-elsewhere", f"{names[back]} is not connected with {names[flip]}"
        elif self._stones[1 - self._mover] >> back & 1:
            code, reason = "move/flip-back-enemy", f"{names[back]} is an enemy stone"
        else:
            code, reason = "move/flip-back-empty", f"{names[back]} is empty"
        return IllegalTurn(code, f"{reason}: {rule}")

    def _why_edge(self, cell: int, occupied: int) -> str:
        """Say why a stone on `cell` is an edge stone."""
        ray = min((ray for ray in self.board.rays[cell] if not self.board.bits(ray) & occupied), key=len)
        return f"sees the rim at {self.names.names[ray[-1]]} through empty cells only" if ray else "lies on the rim"

    def _execute(self, move: Move) -> None:
        place, flip, back = move
        mover, enemy = self._mover, 1 - self._mover
        if place != NONE:
            self._stones[mover] |= 1 << place
            self._sight &= self._tables.keep[place]
        loops = [False, False]
        if flip != NONE:
            edge = self._edge(self._sight)
            self._stones[mover] |= 1 << flip
            self._stones[enemy] ^= 1 << flip
            if back != NONE:
                subgroup = self.board.flood(1 << back, self._stones[mover] & edge)
                self._stones[mover] ^= subgroup
                self._stones[enemy] |= subgroup
            loops = [self._has_loop(stones, edge) for stones in self._stones]
        elif place != NONE:
            loops[mover] = self._closes(place, self._stones[mover])
        if any(loops):
            self._outcome = Outcome(COLOURS[mover if loops[mover] else enemy])
        self._mover = enemy
        self.plies += 1

    def _moves(self) -> Iterable[Move]:
        own, enemy = self._stones[self._mover], self._stones[1 - self._mover]
        own_groups, enemy_groups = self.board.components(own), self.board.components(enemy)
        near = self.board.near
        empty = cells_of(self.board.mask & ~own & ~enemy)
        for place in empty:
            yield place, NONE, NONE
            own_after, edge = self._placed(place)
            merged = union(own_groups, near[place]) | 1 << place
            groups = [merged, *(group for group in own_groups if not group & merged)]
            yield from self._flips(place, edge, own_after, groups, enemy_groups)
        if not empty:
            flips = list(self._flips(NONE, self._placed(NONE)[1], own, own_groups, enemy_groups))
            yield from flips or [(NONE, NONE, NONE)]

    def _flips(self, place: int, edge: int, own: int, own_groups: list[int], enemy_groups: list[int]) -> Iterable[Move]:
        """Yield the moves with a flip and the given placement, after which there are the given groups."""
        targets = self._targets(edge, enemy_groups)
        subgroups = self.board.components(own & edge) if targets else []
        for flip in cells_of(targets):
            group = union(own_groups, self.board.near[flip])
            if group & edge:
                for subgroup in subgroups:
                    if subgroup & group:
                        yield place, flip, first(subgroup)
            else:
                yield place, flip, NONE

    def _text(self, move: Move) -> str:
        place, flip, back = move
        names = self.names.names
        if flip == NONE:
            return "pass" if place == NONE else names[place]
        text = f"x{names[flip]}" if back == NONE else f"x{names[flip]}x{names[back]}"
        return text if place == NONE else names[place] + text

    def stones(self) -> dict[int, Stone]:
        """Return what stands on the board, by cell."""
        return single_stones(self._stones)

    def _turn_marks(self, move: Move) -> Iterable[Mark]:
        place, flip, back = move
        if place != NONE:
            yield Mark("placed", "placed", (place,))
        if flip != NONE:
            yield Mark("changed", "flipped", (flip,))
        if back != NONE:
            own, edge = self._placed(place)
            subgroup = self.board.flood(1 << back, (own | 1 << flip) & edge)
            yield Mark("changed", "flipped back", tuple(cells_of(subgroup)))

    def _marks(self) -> Iterable[Mark]:
        if self._outcome is None:
            return
        board = self.board
        winner = 0 if self._outcome.winner == COLOURS[0] else 1
        others = board.mask & ~self._stones[winner]
        for enclosed in board.components(others & ~board.flood(board.rim_mask, others)):
            loop = board.adjacent(enclosed) & ~enclosed
            for cell in cells_of(loop):  # what the loop holds without is no part of it
                fewer = loop ^ 1 << cell
                if not board.flood(enclosed, board.mask & ~fewer) & board.rim_mask:
                    loop = fewer
            yield Mark("chain", f"{COLOURS[winner]} loop", tuple(cells_of(loop)), winner)

    def _placed(self, place: int) -> tuple[int, int]:
        """Return the mover's stones and `edge` as they are after a placement (NONE: as they are now)."""
        own, sight = self._stones[self._mover], self._sight
        if place == NONE:
            return own, self._edge(sight)
        return own | 1 << place, self._edge(sight & self._tables.keep[place])

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

    def _closes(self, cell: int, stones: int) -> bool:
        """Return whether a stone added on `cell` closes a loop of `stones`, which had none without it.

        It does exactly when two separate arcs of the stones around it belong to one group without it.
        """
        low = cell - self.board.width
        arcs = self._tables.arcs[stones >> low & self._tables.ring]
        stones ^= 1 << cell
        return bool(arcs) and any(self.board.reaches(arc << low, others << low, stones) for arc, others in arcs)

    def _has_loop(self, stones: int, edge: int) -> bool:
        """Return whether `stones`, all those of one colour, cut some other cell off from the rim (ruling P-1)."""
        others = self.board.mask & ~stones
        return self.board.flood(edge, others) != others


@dataclass(frozen=True, slots=True)
class Tables:
    """What the engine looks up for boards of one size.

    Attributes:
        sight: six bitboards in one integer, `Board.span` bits apart, one per direction: the cells with no stone on
            their ray in that direction. This is the value for the empty board. Some ray of a rim cell has no cells
            at all, so that a rim cell always counts as seeing the rim.
        keep: by cell, the part of `sight` that stays when a stone is placed there.
        ring: the neighbours of a cell, shifted down by the cell less `Board.width`.
        arcs: by the cells of `ring` that hold stones, a pair for each arc (maximal run round the ring) of them but
            the last: the arc and the union of the arcs after it.
    """

    sight: int
    keep: tuple[int, ...]
    ring: int
    arcs: dict[int, tuple[tuple[int, int], ...]]


@cache
def tables(size: int) -> Tables:
    """Return the tables for boards of `size`, built once and shared."""
    grid = board(size)
    sight = sum(grid.mask << direction * grid.span for direction in range(6))
    keep = [sight] * grid.span
    for cell in grid.cells:
        for direction in range(6):
            # A cell sees this one in a direction if it lies on the ray the opposite way.
            keep[cell] &= ~(grid.bits(grid.rays[cell][(direction + 3) % 6]) << direction * grid.span)
    ring = [1 << step + grid.width for step in grid.steps]
    pairs = {}
    for choice in range(64):
        held = [bool(choice >> place & 1) for place in range(6)] * 2
        starts = [place for place in range(6) if held[place] and not held[place - 1]]
        arcs = [sum(ring[place % 6] for place in range(start, held.index(False, start))) for start in starts]
        key = sum(bit for bit, present in zip(ring, held, strict=False) if present)
        pairs[key] = tuple((arc, sum(arcs[number:])) for number, arc in enumerate(arcs[:-1], 1))
    return Tables(sight, tuple(keep), sum(ring), pairs)


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


#: The beginning of a record whose board is full, up to the turn that follows.
_FULL_BOARD = """\
{hexrec: "1", game: sunspot, size: 4, moves: [
  a4, d2, d4, b2, f5, f4, d7, c2, e2, d5, e4, d6, a1, d3, c6, b5, c3, e3xd4xe3, a2xd4xc3,
  g3xd4xd6, g1xd5xe4, e6xd5xe4, g4xd5xe4, f3, a3xd3xe2, b1xd6xb1, e1xb2xa1, g2, b4xd4, c4,
  c1xc3, d1, e5xd6xc6, c5, b3xc4, f1, f2,
  """
SUNSPOT = Game(
    name="sunspot",
    title="Sunspot",
    rulesets=("2024",),
    sizes=range(4, 12),
    recommended=(7, 5, 6, 8, 9, 10, 11),
    opening=(),
    turn="pass|{cell}(?:x{cell}(?:x{cell})?)?|x{cell}(?:x{cell})?",
    turn_help=(
        "the cell to place a stone on, such as h8; with a flip, x and the stone to flip follow, and x and a stone of "
        "the edge subgroup to flip back where one is due, as in h8xi3xj2; on a full board it is the flip alone, or pass"
    ),
    example="h8xi3xj2",
    score=None,
    codes={
        "move/board-full": Code(
            "A stone is placed although the board is full.",
            "Write the flip alone, such as xi3; or look for an earlier turn that is wrong.",
            rule="On a full board, the turn is a flip alone; with nothing to flip, it is pass (ruling P-2).",
            example=_FULL_BOARD + "d4]}",
        ),
        "move/pass-before-full": Code(
            "A player passes while there is an empty cell.",
            "Give the turn its placement.",
            rule="While there is an empty cell, every turn places a stone (ruling P-2).",
            example='{hexrec: "1", game: sunspot, size: 4, moves: [pass]}',
        ),
        "move/pass-with-flip": Code(
            "A player passes on a full board although a stone can be flipped.",
            "Give the turn its flip, or look for an earlier turn that is wrong.",
            rule="On a full board, a player who can flip must flip (ruling P-2).",
            example=_FULL_BOARD + "pass]}",
        ),
        "move/placement-missing": Code(
            "A turn flips without placing a stone while there is an empty cell.",
            "Write the cell of the placement before the flip, such as h8xi3.",
            rule="While there is an empty cell, every turn places a stone.",
            example='{hexrec: "1", game: sunspot, size: 4, moves: [xd4]}',
        ),
        "move/flip-own": Code(
            "The stone to flip is the mover's own.",
            "Check the cell and the order of the parts: placed, flipped, flipped back.",
            rule="Only an enemy stone can be flipped.",
            example='{hexrec: "1", game: sunspot, size: 4, moves: [c3, d4, d3, e4, c4, d5, e3xe3]}',
        ),
        "move/flip-empty": Code(
            "The cell to flip is empty.",
            "Check the cell; an earlier turn may be missing or wrong.",
            rule="Only an enemy stone can be flipped.",
            example='{hexrec: "1", game: sunspot, size: 4, moves: [c3, d4, d3, e4, c4, d5, e3xa1]}',
        ),
        "move/flip-edge": Code(
            "The stone to flip is an edge stone.",
            "Check the cell, and the placement, which may have been meant to block that ray.",
            rule=(
                "Only an interior stone can be flipped: after the placement it is not on the rim, and no ray from it "
                "reaches the rim through empty cells only."
            ),
            example='{hexrec: "1", game: sunspot, size: 4, moves: [d4, a1, d5xa1]}',
        ),
        "move/flip-not-combined": Code(
            "The stone to flip belongs to a group of interior stones only.",
            "Check the cell, and the placement, which may have blocked the group's last ray to the rim.",
            rule="Only a stone of a combined group can be flipped: one with edge stones too after the placement.",
            example='{hexrec: "1", game: sunspot, size: 4, moves: [b2, d4, b4, f4, d2, c1, d6, c6, f2xd4]}',
        ),
        "move/flip-back-missing": Code(
            "The turn does not say which edge subgroup is flipped back, and one must be.",
            "Add x and a stone of that edge subgroup, such as xj2.",
            rule=(
                "When the flipped stone becomes part of a combined group, one edge subgroup of that group is flipped "
                "back."
            ),
            example='{hexrec: "1", game: sunspot, size: 4, moves: [c3, d4, d3, e4, c4, d5, e3xd4]}',
        ),
        "move/flip-back-not-due": Code(
            "The turn flips back although nothing is to be flipped back.",
            "Delete the last part of the turn, or check which stone was flipped.",
            rule="Nothing is flipped back when the flipped stone becomes part of a group of interior stones only.",
            example='{hexrec: "1", game: sunspot, size: 4, moves: [b2, d4, b4, e4, d2, c1, d6, c6, f2xd4xf2]}',
        ),
        "move/flip-back-interior": Code(
            "The stone to flip back is an interior stone of the right group.",
            "Name an edge stone of the subgroup.",
            rule="An edge subgroup is flipped back, and an edge stone of it names it.",
            example='{hexrec: "1", game: sunspot, size: 4, moves: [c3, d4, d3, e4, c4, d5, e3xd4xd4]}',
        ),
        "move/flip-back-elsewhere": Code(
            "The stone to flip back belongs to another group than the flipped stone.",
            "Name an edge stone of the group that the flipped stone becomes part of.",
            rule="The edge subgroup flipped back is part of the group that the flipped stone joins.",
            example='{hexrec: "1", game: sunspot, size: 4, moves: [c3, d4, d3, e4, c4, d5, a1, g4, e3xd4xa1]}',
        ),
        "move/flip-back-enemy": Code(
            "The stone to flip back is an enemy stone.",
            "Name a stone of the mover's own edge subgroup.",
            rule="The edge subgroup flipped back is the mover's own.",
            example='{hexrec: "1", game: sunspot, size: 4, moves: [c3, d4, d3, e4, c4, d5, e3xd4xe4]}',
        ),
        "move/flip-back-empty": Code(
            "The cell to flip back is empty.",
            "Check the cell; an earlier turn may be missing or wrong.",
            rule="The edge subgroup flipped back is named by one of its stones.",
            example='{hexrec: "1", game: sunspot, size: 4, moves: [c3, d4, d3, e4, c4, d5, e3xd4xa1]}',
        ),
    },
    position=SunspotPosition,
)
