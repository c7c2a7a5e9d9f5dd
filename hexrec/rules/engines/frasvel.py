"""Rules of Frasvel: move a stack to absorb enemy stacks, then place; a player who cannot place wins.

The module implements rulings F-1 to F-3 of the rules page.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Mapping

from hexrec.rules.board import BIT, Board, cells_of
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, PLAYERS, IllegalTurn, Outcome, SetupFault, Stack

#: Cell of a missing move or placement.
NONE = -1

#: The cells that a move enters, without start, with landing. Their number is the height of the moving stack.
Path = tuple[int, ...]


def path_of(board: Board, start: int, landing: int) -> Path:
    """Return the path between two cells, empty if they are not in line."""
    return next((ray[: ray.index(landing) + 1] for ray in board.rays[start] if landing in ray), ())


class FrasvelRules(Position[tuple[int, int, int]]):
    """A move is ``(start, landing, placed)``, with NONE for the cells of a missing part.

    The state is the height of the stack by cell: positive for Black, negative for White, 0 for an empty cell. Adjacent
    stacks with equal entries are in the same group.
    """

    __slots__ = ("_heights",)

    def _set_up(self, stones: Mapping[int, Stack]) -> None:
        # With a single black stack, Black can place on every size: no game is over before its first turn.
        self._heights = [0] * self.board.span
        for cell, stack in stones.items():
            self._heights[cell] = stack.height * (1 - 2 * stack.color)

    def _parse(self, turn: str) -> tuple[int, int, int]:
        _, cells = self._cells(turn)
        if len(cells) == 1:
            return NONE, NONE, cells[0]
        start, landing, placed, *_ = [*cells, NONE]
        return start, landing, placed

    def _setup_fault(self) -> SetupFault | None:
        own, enemy = self._stones[self._side], self._stones[1 - self._side]
        if self._can_place(own, enemy) or any(self._legal_paths(self._side)):
            return None
        return SetupFault(
            "setup/over",
            f"in this position the game is over: {PLAYERS[self._side]} can neither place nor move, and so has won",
        )

    def _fits(self, cell: int, own: int, enemy: int) -> bool:
        """Return whether an empty cell has at most as many neighbors in `own` as in `enemy` (bitboards)."""
        around = self.board.neighbor_masks[cell]
        return (around & own).bit_count() <= (around & enemy).bit_count()

    def _placements(self, own: int, enemy: int) -> Iterator[int]:
        """Yield the legal cells for a placement by the color of `own`, given the stacks of both colors."""
        empty = self.board.mask & ~own & ~enemy
        # Cells without an adjacent friendly stack come first, as callers often need one cell only.
        free = empty & ~self.board.adjacent(own)
        yield from cells_of(free)
        for cell in cells_of(empty ^ free):
            if self._fits(cell, own, enemy):
                yield cell

    def _can_place(self, own: int, enemy: int) -> bool:
        return next(self._placements(own, enemy), None) is not None

    def _touched_cells(self, path: Path) -> int:
        """Return the bitboard of all cells adjacent to an empty cell of the path; it may include the start."""
        heights, neighbor_masks = self._heights, self.board.neighbor_masks
        touched = 0
        for cell in path:
            if not heights[cell]:
                touched |= neighbor_masks[cell]
        return touched

    def _path_code(self, path: Path, enemy: int) -> str | None:
        """Return the code of the rule that a move along the path breaks, or None if it is legal.

        The height of the stack is ``len(path)``; `enemy` is the bitboard of the enemy stacks.
        """
        heights = self._heights
        if heights[path[-1]]:
            return "move/landing-occupied"
        for cell in path:
            if enemy & BIT[cell]:
                return "move/path-blocked"
        absorbed = self._touched_cells(path) & enemy
        if not absorbed:
            return "move/absorbs-nothing"
        for cell in cells_of(absorbed):
            if abs(heights[cell]) > len(path):
                return "move/touches-higher"
        return None

    def _legal_paths(self, color: int) -> Iterator[tuple[int, Path]]:
        """Yield start and path of every legal move of `color`."""
        rays, enemy = self.board.rays, self._stones[1 - color]
        for start in cells_of(self._stones[color]):
            height = abs(self._heights[start])
            for ray in rays[start]:
                if len(ray) >= height:
                    path = ray[:height]
                    if self._path_code(path, enemy) is None:
                        yield start, path

    def _groups(self, stacks: list[int], heights: list[int]) -> list[int]:
        """Return all stacks in the groups of the given stacks, for the given heights by cell."""
        members = list(stacks)
        neighbors = self.board.neighbors
        for cell in members:  # grows during the loop
            height = heights[cell]
            for other in neighbors[cell]:
                if heights[other] == height and other not in members:
                    members.append(other)
        return members

    def _absorb(self, start: int, landing: int) -> tuple[list[int], int, int]:
        """Return heights, own stacks and enemy stacks after a legal move of the side to move (ruling F-2)."""
        sign = 1 - 2 * self._side
        heights = self._heights.copy()
        height = heights[start]
        heights[start] = 0
        own = self._stones[self._side] ^ BIT[start]
        enemy = self._stones[1 - self._side]
        touched = self._touched_cells(path_of(self.board, start, landing))
        absorbed = self._groups(cells_of(touched & enemy), heights)
        equals = [cell for cell in cells_of(touched & own) if heights[cell] == height]
        gain = sign * len(absorbed)
        for cell in self._groups(equals, heights):
            heights[cell] += gain
        for cell in absorbed:
            heights[cell] += sign
            if not heights[cell]:
                enemy ^= BIT[cell]
        heights[landing] = height + gain
        return heights, own | BIT[landing], enemy

    def _refusal(self, move: tuple[int, int, int]) -> IllegalTurn | None:
        start, landing, placed = move
        code = None if start == NONE else self._move_code(start, landing)
        if code is None:
            own, enemy = self._stones_after(start, landing)
            if placed == NONE:
                code = "move/must-place" if self._can_place(own, enemy) else None
            elif (own | enemy) & BIT[placed]:
                code = "move/occupied"
            elif not self._fits(placed, own, enemy):
                code = "move/too-many-friends"
        return None if code is None else self._illegal(code, move)

    def _stones_after(self, start: int, landing: int) -> tuple[int, int]:
        """Return the bitboards of own and enemy stacks before the placement."""
        if start == NONE:
            return self._stones[self._side], self._stones[1 - self._side]
        _, own, enemy = self._absorb(start, landing)
        return own, enemy

    def _move_code(self, start: int, landing: int) -> str | None:
        """Return the code of the rule that a move breaks, without its placement, or None if it is legal."""
        enemy = self._stones[1 - self._side]
        if not self._stones[self._side] & BIT[start]:
            return "move/not-your-stack" if enemy & BIT[start] else "move/no-stack"
        path = path_of(self.board, start, landing)
        if len(path) != abs(self._heights[start]):
            return "move/wrong-distance" if path or start == landing else "move/not-in-line"
        return self._path_code(path, enemy)

    def _execute(self, move: tuple[int, int, int]) -> Outcome | None:
        start, landing, placed = move
        side, other = self._side, 1 - self._side
        if start != NONE:
            self._heights, self._stones[side], self._stones[other] = self._absorb(start, landing)
        if placed == NONE:
            return Outcome(COLORS[side])
        self._heights[placed] = 1 - 2 * side
        self._stones[side] |= BIT[placed]
        if self._can_place(self._stones[other], self._stones[side]) or any(self._legal_paths(other)):
            return None
        return Outcome(COLORS[other])

    def _moves(self) -> Iterable[tuple[int, int, int]]:
        for placed in self._placements(self._stones[self._side], self._stones[1 - self._side]):
            yield NONE, NONE, placed
        for start, path in self._legal_paths(self._side):
            landing = path[-1]
            _, own, enemy = self._absorb(start, landing)
            placed = NONE
            for placed in self._placements(own, enemy):
                yield start, landing, placed
            if placed == NONE:  # no placement exists: the move wins
                yield start, landing, NONE

    def _text(self, move: tuple[int, int, int]) -> str:
        start, landing, placed = move
        name = self.names.names
        if start == NONE:
            return name[placed]
        moved = f"{name[start]}-{name[landing]}"
        return moved if placed == NONE else f"{moved}/{name[placed]}"

    def _height(self, cell: int) -> int:
        return abs(self._heights[cell])

    def _heights_key(self) -> bytes:
        return array("h", self._heights).tobytes()
