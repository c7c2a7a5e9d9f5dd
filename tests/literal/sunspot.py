"""Sunspot, word for word."""

from __future__ import annotations

from tests.literal import ENEMY, Cell, Ending, Literal, Stones


class Sunspot(Literal):
    def turns(self) -> dict[str, Stones]:
        turns: dict[str, Stones] = {}
        before = self.stones
        for cell in self.empty():
            placed = {**before, cell: (self.mover, 1)}
            turns[self.cells[cell]] = placed
            self.stones = placed
            turns |= {self.cells[cell] + flip: after for flip, after in self.flips().items()}
            self.stones = before
        if not turns:
            turns = self.flips() or {"pass": before}
        return turns

    def judge(self) -> Ending | None:
        for color in (ENEMY[self.mover], self.mover):  # the color that has just moved comes first
            if self.has_loop(color):
                return color, None
        return None

    def is_edge(self, cell: Cell) -> bool:
        return self.on_rim(cell) or any(not any(other in self.stones for other in ray) for ray in self.rays[cell])

    def group(self, cell: Cell) -> frozenset[Cell]:
        return self.connected(cell, self.of(self.stones[cell][0]).__contains__)

    def is_combined(self, group: frozenset[Cell]) -> bool:
        return len({self.is_edge(cell) for cell in group}) == 2

    def flips(self) -> dict[str, Stones]:
        """Return the flip actions in the position as it stands, with the stones after each."""
        enemy, before = ENEMY[self.mover], self.stones
        flips = {}
        for cell in self.of(enemy):
            if self.is_edge(cell) or not self.is_combined(self.group(cell)):
                continue
            text = "x" + self.cells[cell]
            flipped = {**before, cell: (self.mover, 1)}
            self.stones = flipped
            group = self.group(cell)
            if self.is_combined(group):
                for subgroup in self.parts([other for other in group if self.is_edge(other)]):
                    name = next(name for name, other in self.names.items() if other in subgroup)
                    flips[f"{text}x{name}"] = {**flipped, **dict.fromkeys(subgroup, (enemy, 1))}
            else:
                flips[text] = flipped
            self.stones = before
        return flips

    def has_loop(self, color: str) -> bool:
        others = set(self.cells) - self.of(color)
        return any(not any(map(self.on_rim, part)) for part in self.parts(others))
