"""Sunspot: description, messages, explanations and highlights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hexrec.rules.board import BIT, cells_of
from hexrec.rules.description import Brief
from hexrec.rules.engines.sunspot import NONE, Move, SunspotRules, first
from hexrec.rules.game import Game
from hexrec.rules.position import TurnParts
from hexrec.rules.terms import COLORS, PLAYERS, Annotation, Explanation, Reason, Row, Table


class SunspotPosition(SunspotRules):
    """The rules with messages, explanations and highlights."""

    __slots__ = ()

    def _wording(self, code: str, move: Move) -> str:
        place, flip, _ = move
        names, occupied = self.names.names, self._stones[0] | self._stones[1]
        if code == "move/board-full":
            return (
                f"the board is full, so no stone can be placed on {names[place]}: the turn is a flip alone, written "
                "with an x before the stone, or pass if there is no stone to flip"
            )
        if code in ("move/pass-before-full", "move/placement-missing"):
            empty = names[first(self.board.mask & ~occupied)]
            does = "passes" if flip == NONE else "places no stone"
            return f"the turn {does}: placing is mandatory while there is an empty cell (such as {empty})"
        if code == "move/pass-with-flip":
            return (
                "the turn passes: on a full board flipping is mandatory while there is a stone to flip (such as "
                f"{names[first(self._targets_now())]})"
            )
        if "flip-back" in code:
            return self._back_wording(code, move)
        name = names[flip]
        if code == "move/flip-own":
            reason = f"{name} is {'the stone just placed' if flip == place else 'your own stone'}"
        elif code == "move/flip-empty":
            reason = f"{name} is empty"
        elif code == "move/flip-edge":
            ray = self._find_view(flip, occupied | self._after_placement(place)[0])
            seen = f"sees the edge at {names[ray[-1]]} through empty cells only" if ray else "is on the edge"
            reason = f"{name} is an edge stone, as it {seen}"
        else:
            reason = f"{name} belongs to a group of interior stones only"
        return f"{reason}: only an interior stone of a combined enemy group can be flipped"

    def _back_wording(self, code: str, move: Move) -> str:
        place, flip, back = move
        own, edge = self._after_placement(place)
        group, names = self.board.flood(BIT[flip], own | BIT[flip]), self.names.names
        if code == "move/flip-back-not-due":
            return (
                f"the turn must end without x{names[back]}: {names[flip]} becomes part of a group of interior stones "
                "only, so nothing is flipped back"
            )
        wrong = {
            "move/flip-back-interior": "is an interior stone",
            "move/flip-back-elsewhere": f"is not connected to {names[flip]}",
            "move/flip-back-enemy": "is an enemy stone",
            "move/flip-back-empty": "is empty",
        }
        reason = "the turn is not complete" if back == NONE else f"{names[back]} {wrong[code]}"
        subgroups = " or ".join(f"that of {names[first(part)]}" for part in self.board.components(edge & group))
        return (
            f"{reason}: with {names[flip]} you must flip back an edge subgroup of the combined group that "
            f"{names[flip]} now belongs to ({subgroups})"
        )

    def _find_view(self, cell: int, occupied: int) -> tuple[int, ...]:
        """Return the shortest line of empty cells from an edge stone to the edge of the board."""
        return min((ray for ray in self.board.rays[cell] if not self.board.bits(ray) & occupied), key=len)

    def _parts(self, move: Move) -> TurnParts:
        return tuple(effect.cells for effect in self._turn_effects(move))

    def _turn_effects(self, move: Move) -> Iterable[Annotation]:
        place, flip, back = move
        if place != NONE:
            yield Annotation("placed", "placed", (place,))
        if flip != NONE:
            yield Annotation("changed", "flipped", (flip,))
        if back != NONE:
            own, edge = self._after_placement(place)
            subgroup = self.board.flood(BIT[back], (own | BIT[flip]) & edge)
            yield Annotation("returned", "flipped back", tuple(cells_of(subgroup)))

    def _highlights(self) -> Iterable[Annotation]:
        if self._outcome is None:
            return
        winner = COLORS.index(self._outcome.winner)
        for loop, enclosed in self._loops(winner):
            yield Annotation("area", f"enclosed by {PLAYERS[winner]}", tuple(cells_of(enclosed)), winner)
            yield Annotation("chain", f"{COLORS[winner]} loop", tuple(cells_of(loop)), winner)

    def _overlays(self) -> Iterable[tuple[str, Iterable[Annotation]]]:
        yield "edge and interior stones", self._mark_kinds()

    def _mark_kinds(self) -> Iterator[Annotation]:
        """Yield the edge stones with their shortest lines to the edge, the interior stones, and the combined groups."""
        occupied = self._stones[0] | self._stones[1]
        edge = self._edge(self._sight)
        yield Annotation("edge", "edge stone", tuple(cells_of(occupied & edge)))
        yield Annotation("interior", "interior stone", tuple(cells_of(occupied & ~edge)))
        for stones in self._stones:
            for group in self.board.components(stones):
                if group & edge and group & ~edge:
                    yield Annotation("group", "combined group", tuple(cells_of(group)))
        for cell in cells_of(occupied & edge & ~self.board.edge_mask):
            yield Annotation("ray", "line of sight to the edge", (cell, *self._find_view(cell, occupied)))

    def _loops(self, color: int) -> Iterator[tuple[int, int]]:
        """Yield the loops of a color, each with the cells that it cuts off from the edge, as bitboards."""
        board = self.board
        for enclosed in board.components(self._enclosed_cells(color)):
            loop = board.adjacent(enclosed) & ~enclosed
            for cell in cells_of(loop):  # remove stones that are not needed for the loop
                fewer = loop ^ BIT[cell]
                if not board.flood(enclosed, board.mask & ~fewer) & board.edge_mask:
                    loop = fewer
            yield loop, enclosed

    def _explanation(self) -> Explanation:
        rows = []
        for color in (0, 1):
            for loop, enclosed in self._loops(color):
                inside = tuple(cells_of(enclosed))
                reason = Reason("encloses", f"it cuts off {self._list(inside)} from the edge", inside)
                rows.append(Row(tuple(cells_of(loop)), color, (loop.bit_count(), len(inside)), (reason,)))
        looped = {row.color for row in rows}
        moved, to_move = PLAYERS[1 - self._side], PLAYERS[self._side]
        if not looped:
            conclusion = Reason("no-loop", "no color has a loop: the game goes on")
        elif len(looped) == 2:
            conclusion = Reason("both-loops", f"both colors have a loop, and that of {moved}, who moved last, wins")
        elif 1 - self._side in looped:
            conclusion = Reason("loop", f"{moved}, who moved last, has a loop")
        else:
            conclusion = Reason(
                "loop-for-enemy", f"the turn of {moved} left {to_move} with a loop, and {moved} with none"
            )
        return Explanation((conclusion,), (Table("loops", ("stones", "enclosed cells"), tuple(rows)),))


SUNSPOT = Game(
    name="sunspot",
    title="Sunspot",
    designers=("Hoembla",),
    year=2024,
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
    position=SunspotPosition,
    synonyms=True,
    sgf_number=5001,
    brief=Brief(
        goal=(
            "Close a loop: stones of your color that cut off an empty cell or an enemy stone from the edge of "
            "the board."
        ),
        turn=(
            "Place a stone on any empty cell. Then you may flip an interior enemy stone of a group that also "
            "has edge stones. Edge stones are on the edge of the board or see it across empty cells; all "
            "others are interior. If the flipped stone now belongs to such a group of your color, choose a "
            "connected set of edge stones of that group and flip it to the enemy's color."
        ),
        end=(
            "A turn after which there is a loop ends the game. The owner of the loop wins; if both have one, "
            "the player who had the turn wins. On a full board, a turn is a flip alone."
        ),
    ),
)
