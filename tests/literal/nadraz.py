"""Nadraz, word for word."""

from __future__ import annotations

from collections import Counter

from tests.literal import ENEMY, Cell, Ending, Literal, Stones, first_difference

Snake = frozenset[Cell]


class Nadraz(Literal):
    def turns(self) -> dict[str, Stones]:
        turns = {}
        origins, enemies = self.parts(self.of(self.mover)), self.parts(self.of(ENEMY[self.mover]))
        enemy_ends = {cell for snake in enemies for cell in self.ends(snake)}
        for c1 in set(self.cells) - self.of(self.mover):
            for direction, ray in enumerate(self.rays[c1]):
                before = self.rays[c1][direction - 3][:1]
                for k in range(1, len(ray) + 2):
                    line = [c1, *ray][:k]
                    if line[-1] in self.of(self.mover):
                        break
                    if line[-1] not in self.stones and any(
                        self.is_legal(line, before, origin, origins, enemy_ends) for origin in origins
                    ):
                        after = {**self.stones, **dict.fromkeys(line, (self.mover, 1))}
                        if self.is_well_formed(after):
                            names = [self.cells[end] for end in (line[0], line[-1])]
                            turns["-".join(dict.fromkeys(names))] = after
        return turns or {"pass": self.stones}

    def is_legal(
        self, line: list[Cell], before: list[Cell], origin: Snake, friendly: list[Snake], enemy_ends: set[Cell]
    ) -> bool:
        """Return whether a line meets all conditions but the last, given the cell before it, if there is one.

        The line holds no friendly stone and ends on an empty cell.
        """
        flipped = [cell for cell in line if cell in self.stones]
        others = [snake for snake in friendly if snake != origin]
        # 1. Start.
        if line[0] not in self.stones and self.touching(line[0], origin) not in (1, 2):
            return False
        # 2. Cuts.
        if flipped and (not self.ends(origin).intersection(before) or enemy_ends.intersection(flipped)):
            return False
        # 3. Merging.
        for place, cell in enumerate(line):
            if any(self.touching(cell, snake) for snake in others):
                end = next(later for later in range(place, len(line)) if line[later] not in self.stones)
                if end != len(line) - 1:
                    return False
        if any(self.touching(line[-1], snake) > 2 for snake in others):
            return False
        # 4. Rim.
        return bool(flipped) or not any(map(self.on_rim, line))

    def touching(self, cell: Cell, snake: Snake) -> int:
        """Return how many stones of a snake a cell is adjacent to."""
        return len(snake.intersection(self.neighbors[cell]))

    def ends(self, snake: Snake) -> set[Cell]:
        """Return the heads of a snake, or the egg."""
        return {cell for cell in snake if len(snake) == 1 or self.touching(cell, snake) == 1}

    def is_well_formed(self, stones: Stones) -> bool:
        snakes = [
            snake for color in ENEMY for snake in self.parts([cell for cell in stones if stones[cell][0] == color])
        ]
        return all(len(snake) == 1 or len(self.ends(snake)) == 2 for snake in snakes)

    def judge(self) -> Ending | None:
        if not self.two_passes():
            return None
        lengths = {color: sorted((len(snake) for snake in self.parts(self.of(color))), reverse=True) for color in ENEMY}
        if self.variant == "reverse":
            winner = self.fewer_short_ones(*(Counter(counts) for counts in lengths.values()))
        else:
            winner = first_difference(*lengths.values())
        return winner or self.placed_last() or "draw", {**lengths}

    def fewer_short_ones(self, black: Counter[int], white: Counter[int]) -> str | None:
        for length in sorted(black | white):
            if black[length] != white[length]:
                return "black" if black[length] < white[length] else "white"
        return None

    def placed_last(self) -> str | None:
        placed = [mover for mover, turn in zip(self.movers, self.history, strict=True) if turn != "pass"]
        return placed[-1] if placed else None
