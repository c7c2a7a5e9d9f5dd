"""Frasvel: messages, explanations and highlights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hexrec.rules.games.frasvel.rules import Frasvel
from hexrec.rules.grid import CELL, CELL_BITS, EMPTY, LEGAL, NONE, pack
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, PLAYERS, Annotation, Explanation, Reason, Row, Table, pluralize


class FrasvelPosition(Position):
    """Position of Frasvel with its words."""

    __slots__ = ()

    grid: Frasvel

    def _setup_wording(self, code: str, cell: int) -> str:  # noqa: ARG002
        player = PLAYERS[self.grid.side]
        return f"in this position the game is over: {player} can neither place nor move, and so has won"

    def _wording(self, code: str, move: int) -> str:
        start, landing, _ = _parts(move)
        if code in ("move/must-place", "move/occupied", "move/too-many-friends"):
            return self._placement_wording(code, move)
        if code == "move/game-over":
            return super()._wording(code, move)
        grid = self.grid
        path = self._path(start, landing)
        height = grid.heights[start]
        at, text = self.names.names[start], grid.write(pack(start, landing, NONE))
        if code == "move/no-stack":
            return f"{text} starts from an empty cell: move a stack of your own, or only place"
        if code == "move/not-your-stack":
            return f"{text} moves an enemy stack: {at} is {COLORS[1 - grid.side]}"
        if code == "move/not-in-line":
            return f"{text} is not a straight line: a stack moves in one of the six directions"
        if code == "move/wrong-distance":
            return (
                f"{text} is {pluralize(len(path), 'cell')} long, but the stack on {at} has height {height}: "
                f"it moves exactly {pluralize(height, 'cell')}"
            )
        if code == "move/landing-occupied":
            whose = "a friendly" if grid.at[landing] == grid.side else "an enemy"
            return (
                f"{text} lands on {whose} stack on {self.names.names[landing]}: the landing cell must be empty "
                "before the turn"
            )
        if code == "move/path-blocked":
            blocking = [cell for cell in path if grid.at[cell] == 1 - grid.side]
            return (
                f"{text} jumps over {_enemies(len(blocking))} on {self._list(blocking)}: "
                "the path may hold only empty cells and friendly stacks before the turn"
            )
        if code == "move/touches-higher":
            higher = [cell for cell in self._touched_enemies(path) if grid.heights[cell] > height]
            return (
                f"{text} touches {_enemies(len(higher))} on {self._list(higher)}, higher than the moving stack "
                f"(height {height}): a move may touch no enemy group of greater height"
            )
        empty = [cell for cell in path if grid.at[cell] == EMPTY]
        return (
            f"{text} absorbs nothing: no enemy stack is adjacent to the empty part of its path, "
            f"{self._list(empty)}, and a move must touch an enemy group"
        )

    def _placement_wording(self, code: str, move: int) -> str:
        start, landing, placed = _parts(move)
        moved = "" if start == NONE else self.grid.write(pack(start, landing, NONE))
        after = self._after_move(start, landing)
        fitting = self._placements(after, after.side)
        if code == "move/must-place":
            example = after.write(pack(start, landing, fitting[0]))
            return (
                f"{moved} leaves a cell to place on, so the turn must name a placement, such as {example}: a move "
                "alone is a turn only if no placement exists after it"
            )
        name, when = self.names.names[placed], " after the move" if moved else ""
        if code == "move/occupied":
            whose = "your own" if after.at[placed] == after.side else "an enemy"
            message = f"{name} is occupied by {whose} stack{when}: place on an empty cell"
        else:
            friends, others = (self._neighbors(after, placed, color) for color in (after.side, 1 - after.side))
            message = (
                f"{name} has {pluralize(len(friends), 'adjacent friendly stack')} ({self._list(friends)}) and "
                f"{pluralize(len(others), 'adjacent enemy stack')}{when}: place where there are at least as many "
                "enemy stacks as friendly ones"
            )
        if fitting:
            return message
        if moved:
            return f"{message}. No placement exists after the move, so {moved} alone is the turn and wins"
        return f"{message}. No placement exists, so you must move"

    def _turn_effects(self, move: int) -> Iterable[Annotation]:
        start, landing, placed = _parts(move)
        if start != NONE:
            before, after = self.grid, self._after_move(start, landing)
            stacks = [cell for cell in self.board.cells if before.at[cell] != EMPTY]
            enemies = [cell for cell in stacks if before.at[cell] != before.side]
            left = [cell for cell in stacks if after.at[cell] != EMPTY]
            changed = [cell for cell in left if after.heights[cell] != before.heights[cell]]
            yield Annotation("path", "moved", (start, *self._path(start, landing)))
            yield Annotation("removed", "start of the move", (start,))
            yield Annotation("placed", "landing", (landing,))
            yield Annotation("removed", "absorbed", tuple(cell for cell in enemies if after.at[cell] == EMPTY))
            yield Annotation("changed", "lowered", tuple(cell for cell in changed if cell in enemies))
            yield Annotation("changed", "raised", tuple(cell for cell in changed if cell not in enemies))
        if placed != NONE:
            yield Annotation("placed", "placed", (placed,))

    def _highlights(self) -> Iterable[Annotation]:
        if self.is_over:
            # The player who cannot place has won.
            winner = self.grid.winner
            yield Annotation("forbidden", f"closed to {PLAYERS[winner]}", tuple(self._cells_of(EMPTY)), winner)

    def _overlays(self) -> Iterable[tuple[str, Iterable[Annotation]]]:
        yield "closed cells", (self._mark_closed(color) for color in (0, 1))

    def _mark_closed(self, color: int) -> Annotation:
        """Return the empty cells where a color may not place before it moves."""
        name = f"closed to {PLAYERS[color]}: more {COLORS[color]} neighbors"
        return Annotation("closed", name, tuple(self._closed(color)), color)

    def _explanation(self) -> Explanation:
        """Explain the cells closed to the winner, or to the side to move while the game is in progress."""
        grid = self.grid
        player = grid.winner if self.is_over else grid.side
        name, color, enemy_color = PLAYERS[player], COLORS[player], COLORS[1 - player]
        empty = len(self._cells_of(EMPTY))
        closed = []
        for cell in self._closed(player):
            friends, enemies = (self._neighbors(grid, cell, owner) for owner in (player, 1 - player))
            text = f"{pluralize(len(friends), f'adjacent {color} stack')} on {self._list(friends)}, against "
            text += f"{len(enemies)} {enemy_color} on {self._list(enemies)}" if enemies else f"no {enemy_color} one"
            crowded = Reason("crowded", text, tuple(friends))
            closed.append(Row((cell,), player, (len(friends), len(enemies)), (crowded,)))
        tables = [Table("closed cells", ("friends", "enemies"), tuple(closed))]
        count = empty - len(closed)
        if count:
            open_cells = f"{name} can place on {count} of {pluralize(empty, 'empty cell')}"
            return Explanation((Reason("open", f"{open_cells}: the game goes on"),), tuple(tables))
        if empty:
            every = "on every empty cell the adjacent friendly stacks are more than the adjacent enemy ones"
        else:
            every = "no cell is empty"
        conclusions = [Reason("closed", f"{name} can place nowhere: {every}")]
        if not self.is_over:
            conclusions.append(Reason("must-move", f"{name} can move, and must: the game goes on"))
        elif player == grid.side:
            conclusions.append(Reason("immobile", f"{name}, whose turn it is, cannot move either, and so has won"))
            if empty:  # else no stack has a cell to land on
                tables.append(Table("stacks that cannot move", ("height",), tuple(self._immobile())))
        else:
            conclusions.append(Reason("moved", f"so {name} has won by moving without placing"))
        return Explanation(tuple(conclusions), tuple(tables))

    def _immobile(self) -> Iterator[Row]:
        """Yield the stacks of the side to move, none of which can move, with the reasons."""
        grid = self.grid
        for start in self._cells_of(grid.side):
            height = grid.heights[start]
            closed: dict[str, list[int]] = {}
            for step in self.board.steps:
                code = self._code(grid.path_code(start, step))
                if code != "move/not-in-line":
                    closed.setdefault(code, []).append(start + height * step)
            reasons = [
                Reason(code.removeprefix("move/"), f"to {self._list(landings)}: {_IMMOBILE[code]}", tuple(landings))
                for code, landings in closed.items()
            ]
            if off_board := 6 - sum(map(len, closed.values())):
                text = f"in {pluralize(off_board, 'direction')} it would leave the board"
                reasons.append(Reason("off-board", text))
            yield Row((start,), grid.side, (height,), tuple(reasons))

    # Cells and stacks.

    def _path(self, start: int, landing: int) -> tuple[int, ...]:
        """Return the cells that a move enters, without start, with landing; empty if they are not in line."""
        rays = self.board.rays[start]
        return next((ray[: ray.index(landing) + 1] for ray in rays if landing in ray), ())

    def _after_move(self, start: int, landing: int) -> Frasvel:
        """Return a copy of the grid after the move of a turn, before its placement."""
        after = self.copy().grid
        if start != NONE and after.move_code(start, landing) == LEGAL:
            after.carry_out(start, landing)
        return after

    def _placements(self, grid: Frasvel, color: int) -> list[int]:
        """Return the cells on which a color can place, those without an adjacent friendly stack first."""
        cells = [cell for cell in self.board.cells if grid.fits(cell, color)]
        return sorted(cells, key=lambda cell: (bool(self._neighbors(grid, cell, color)), cell))

    def _closed(self, color: int) -> list[int]:
        """Return the empty cells on which a color may not place."""
        return [cell for cell in self._cells_of(EMPTY) if not self.grid.fits(cell, color)]

    def _neighbors(self, grid: Frasvel, cell: int, color: int) -> list[int]:
        """Return the adjacent stacks of a color, in board order."""
        return sorted(other for other in self.board.neighbors[cell] if grid.at[other] == color)

    def _touched_enemies(self, path: tuple[int, ...]) -> set[int]:
        """Return the enemy stacks next to an empty cell of a path."""
        grid = self.grid
        empty = [cell for cell in path if grid.at[cell] == EMPTY]
        return {other for cell in empty for other in self._neighbors(grid, cell, 1 - grid.side)}


#: The reason why a stack cannot move to a cell, by the code of the broken rule.
_IMMOBILE = {
    "move/landing-occupied": "occupied",
    "move/path-blocked": "an enemy stack is in the way",
    "move/absorbs-nothing": "no enemy stack would be touched",
    "move/touches-higher": "an enemy stack that is higher would be touched",
}


def _parts(move: int) -> tuple[int, int, int]:
    """Return start, landing and placement of a turn."""
    return move & CELL, move >> CELL_BITS & CELL, move >> 2 * CELL_BITS


def _enemies(number: int) -> str:
    return "the enemy stack" if number == 1 else "the enemy stacks"
