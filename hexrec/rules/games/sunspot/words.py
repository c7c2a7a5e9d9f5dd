"""Sunspot: messages, explanations and highlights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hexrec.rules.games.sunspot.rules import Sunspot
from hexrec.rules.grid import CELL, CELL_BITS, EMPTY, NOBODY, NONE
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, PLAYERS, Annotation, Explanation, Reason, Row, Table
from hexrec.rules.view import TurnParts


class SunspotPosition(Position):
    """Position of Sunspot with its words."""

    __slots__ = ()

    grid: Sunspot

    def _setup_wording(self, code: str, cell: int) -> str:  # noqa: ARG002
        if cell == NONE:
            return "in this position the game is over: the board is full, and there is no stone to flip (reading P-2b)"
        player = PLAYERS[self.grid.at[cell]]
        return f"in this position the game is over: {player} has a loop through {self.names.names[cell]}"

    def _wording(self, code: str, move: int) -> str:
        place, flip, _ = _split(move)
        names = self.names.names
        if code in ("move/game-over", "move/occupied"):
            return super()._wording(code, move)
        if code == "move/board-full":
            return (
                f"the board is full, so no stone can be placed on {names[place]}: the turn is a flip alone, written "
                "with an x before the stone, or pass if there is no stone to flip"
            )
        if code in ("move/pass-before-full", "move/placement-missing"):
            empty = names[self._cells_of(EMPTY)[0]]
            does = "passes" if flip == NONE else "places no stone"
            return f"the turn {does}: placing is mandatory while there is an empty cell (such as {empty})"
        if code == "move/pass-with-flip":
            targets = self.grid.targets[: self.grid.find_targets(1 - self.grid.side)]
            return (
                "the turn passes: on a full board flipping is mandatory while there is a stone to flip (such as "
                f"{names[min(targets)]})"
            )
        if "flip-back" in code:
            return self._back_wording(code, move)
        name = names[flip]
        if code == "move/flip-own":
            reason = f"{name} is {'the stone just placed' if flip == place else 'your own stone'}"
        elif code == "move/flip-empty":
            reason = f"{name} is empty"
        elif code == "move/flip-edge":
            ray = self._find_view(flip, self._after_placement(place))
            seen = f"sees the edge at {names[ray[-1]]} through empty cells only" if ray else "is on the edge"
            reason = f"{name} is an edge stone, as it {seen}"
        else:
            reason = f"{name} belongs to a group of interior stones only"
        return f"{reason}: only an interior stone of a combined enemy group can be flipped"

    def _back_wording(self, code: str, move: int) -> str:
        place, flip, back = _split(move)
        names = self.names.names
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
        after = self._after_placement(place)
        own = [flip, *(cell for cell in self.board.cells if after.at[cell] == after.side)]
        group = next(group for group in self.board.parts(own) if flip in group)
        parts = self.board.parts(cell for cell in group if after.sight[cell])
        subgroups = " or ".join(f"that of {names[part[0]]}" for part in parts)
        return (
            f"{reason}: with {names[flip]} you must flip back an edge subgroup of the combined group that "
            f"{names[flip]} now belongs to ({subgroups})"
        )

    def _parts(self, move: int) -> TurnParts:
        return tuple(effect.cells for effect in self._turn_effects(move))

    def _turn_effects(self, move: int) -> Iterable[Annotation]:
        place, flip, back = _split(move)
        if place != NONE:
            yield Annotation("placed", "placed", (place,))
        if flip != NONE:
            yield Annotation("changed", "flipped", (flip,))
        if back != NONE:
            count = self.grid.find_subgroup_after(place, back)
            yield Annotation("returned", "flipped back", tuple(sorted(self.grid.subgroup[:count])))

    def _highlights(self) -> Iterable[Annotation]:
        winner = self.grid.winner
        if winner == NOBODY:
            return
        for loop, enclosed in self._loops(winner):
            yield Annotation("area", f"enclosed by {PLAYERS[winner]}", enclosed, winner)
            yield Annotation("chain", f"{COLORS[winner]} loop", loop, winner)

    def _overlays(self) -> Iterable[tuple[str, Iterable[Annotation]]]:
        yield "edge and interior stones", self._mark_kinds()

    def _mark_kinds(self) -> Iterator[Annotation]:
        """Yield the edge stones with their shortest lines to the edge, the interior stones, and the combined groups."""
        grid = self.grid
        stones = sorted(self._cells_of(0) + self._cells_of(1))
        edge = tuple(cell for cell in stones if grid.sight[cell])
        interior = tuple(cell for cell in stones if not grid.sight[cell])
        yield Annotation("edge", "edge stone", edge)
        yield Annotation("interior", "interior stone", interior)
        for color in (0, 1):
            for group in self.board.parts(self._cells_of(color)):
                if 0 < sum(grid.sight[cell] == 0 for cell in group) < len(group):
                    yield Annotation("group", "combined group", group)
        for cell in edge:
            if cell not in self.board.edge:
                yield Annotation("ray", "line of sight to the edge", (cell, *self._find_view(cell, grid)))

    def _explanation(self) -> Explanation:
        rows = []
        for color in (0, 1):
            for loop, inside in self._loops(color):
                reason = Reason("encloses", f"it cuts off {self._list(inside)} from the edge", inside)
                rows.append(Row(loop, color, (len(loop), len(inside)), (reason,)))
        looped = {row.color for row in rows}
        side = self.grid.side
        moved, to_move = PLAYERS[1 - side], PLAYERS[side]
        if not looped:
            conclusion = Reason("no-loop", "no color has a loop: the game goes on")
        elif len(looped) == 2:
            conclusion = Reason("both-loops", f"both colors have a loop, and that of {moved}, who moved last, wins")
        elif 1 - side in looped:
            conclusion = Reason("loop", f"{moved}, who moved last, has a loop")
        else:
            conclusion = Reason(
                "loop-for-enemy", f"the turn of {moved} left {to_move} with a loop, and {moved} with none"
            )
        return Explanation((conclusion,), (Table("loops", ("stones", "enclosed cells"), tuple(rows)),))

    # Cells and stones.

    def _after_placement(self, place: int) -> Sunspot:
        """Return a copy of the grid after the placement of a turn, which must be legal."""
        after = self.copy().grid
        if place != NONE:
            after.put(place, after.side, 1)
        return after

    def _find_view(self, cell: int, grid: Sunspot) -> tuple[int, ...]:
        """Return the shortest line of empty cells from an edge stone to the edge of the board."""
        rays = self.board.rays[cell]
        return min((ray for ray in rays if all(grid.at[other] == EMPTY for other in ray)), key=len)

    def _loops(self, color: int) -> Iterator[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Yield the loops of a color, each with the cells that it cuts off from the edge."""
        neighbors = self.board.neighbors
        for enclosed in self.board.parts(self.grid.enclosed(color)):
            loop = {other for cell in enclosed for other in neighbors[cell]}.difference(enclosed)
            for cell in sorted(loop):  # remove stones that are not needed for the loop
                parts = self.board.parts({*self.board.cells} - loop | {cell})
                if any(enclosed[0] in part and {*part}.isdisjoint(self.board.edge) for part in parts):
                    loop.remove(cell)
            yield tuple(sorted(loop)), enclosed


def _split(move: int) -> tuple[int, int, int]:
    """Return placement, flip and flip back of a turn."""
    return move & CELL, move >> CELL_BITS & CELL, move >> 2 * CELL_BITS
