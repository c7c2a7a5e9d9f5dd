"""Frasvel, word for word."""

from __future__ import annotations

from tests.literal import ENEMY, Cell, Ending, Literal, Stones


class Frasvel(Literal):
    def turns(self) -> dict[str, Stones]:
        turns = {self.cells[cell]: after for cell, after in self.placements(self.stones).items()}
        for move, moved in self.moves().items():
            placements = self.placements(moved)
            for cell, after in placements.items():
                turns[f"{move}/{self.cells[cell]}"] = after
            if not placements:
                turns[move] = moved
        return turns

    def judge(self) -> Ending | None:
        placed_nothing = "-" in self.history[-1] and "/" not in self.history[-1]
        if placed_nothing:
            return ENEMY[self.mover], None
        return None if self.turns() else (self.mover, None)

    def placements(self, stones: Stones) -> dict[Cell, Stones]:
        """Return the cells where the mover may place a stack of height 1, with the stacks after it."""
        placements = {}
        for cell in self.cells:
            around = [stones[other][0] for other in self.neighbors[cell] if other in stones]
            if cell not in stones and around.count(self.mover) <= around.count(ENEMY[self.mover]):
                placements[cell] = {**stones, cell: (self.mover, 1)}
        return placements

    def moves(self) -> dict[str, Stones]:
        """Return the mover's moves, with the stacks after each."""
        moves = {}
        for start in self.of(self.mover):
            height = self.stones[start][1]
            for ray in self.rays[start]:
                path = ray[:height]
                if len(path) == height:
                    after = self.move(start, path)
                    if after is not None:
                        moves[f"{self.cells[start]}-{self.cells[path[-1]]}"] = after
        return moves

    def move(self, start: Cell, path: list[Cell]) -> Stones | None:
        """Return the stacks after a move of the stack on `start` along a path, None if it is not legal."""
        height, landing = len(path), path[-1]
        lifted = {cell: stack for cell, stack in self.stones.items() if cell != start}
        if landing in lifted or any(cell in lifted and lifted[cell][0] != self.mover for cell in path):
            return None
        touched = {other for cell in path if cell not in lifted for other in self.neighbors[cell] if other in lifted}
        groups = {
            self.connected(cell, {at for at in lifted if lifted[at] == lifted[cell]}.__contains__) for cell in touched
        }
        enemy_groups = [group for group in groups if lifted[min(group)][0] != self.mover]
        if not enemy_groups or any(lifted[min(group)][1] > height for group in enemy_groups):
            return None
        after = dict(lifted)
        for cell in set().union(*enemy_groups):
            color, pieces = after.pop(cell)
            if pieces > 1:
                after[cell] = color, pieces - 1
        k = sum(map(len, enemy_groups))
        for group in groups:
            if lifted[min(group)] == (self.mover, height):
                after.update(dict.fromkeys(group, (self.mover, height + k)))
        return {**after, landing: (self.mover, height + k)}
