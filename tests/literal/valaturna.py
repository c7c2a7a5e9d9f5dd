"""Valaturna, word for word."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tests.literal import ENEMY, Cell, Ending, Literal, Stones, first_difference


class Valaturna(Literal):
    def turns(self) -> dict[str, Stones]:
        turns = {"pass": self.stones}
        for cell in self.empty():
            words = [self.read(ray) for ray in self.rays[cell]]
            if any(word.strip(".").startswith("f") for word in words):
                after = {**self.stones, cell: (self.mover, 1)}
                for ray, word in zip(self.rays[cell], words, strict=True):
                    for other in ray[: self.flank(word)]:
                        if other in self.stones:
                            after[other] = self.mover, self.stones[other][1] + 1
                turns[self.cells[cell]] = after
        return turns

    def flank(self, word: str) -> int:
        """Return how many cells of a ray, from the placed cell on, are between the two ends of a flank."""
        # N empty cells, then once or more a run and as many empty cells, then a friendly stack.
        flank = re.match(r"(\.*)(?:e+\1)+f", word)
        return flank.end() - 1 if flank else 0

    def read(self, ray: list[Cell]) -> str:
        """Return a ray as the mover sees it, a letter a cell: empty (a full stop), friendly or enemy."""
        return "".join({None: ".", self.mover: "f"}.get(self.stones.get(cell, (None, 0))[0], "e") for cell in ray)

    def judge(self) -> Ending | None:
        heights = {color: self.heights(color) for color in ENEMY}
        if self.two_passes():
            return first_difference(*heights.values()) or "draw", {**heights}
        if self.history[-1] != "pass":
            for cell in self.secure():
                color, height = self.stones[cell]
                # Its own color may have stacks "as high", which is read as: none higher. A reference game says so too:
                # it goes on beyond a secure stack that is higher than the enemy's but not than its own color's.
                if height == max(heights[color]) and all(height > other for other in heights[ENEMY[color]]):
                    return color, {**heights}
        return None

    def heights(self, color: str) -> list[int]:
        return sorted((height for owner, height in self.stones.values() if owner == color), reverse=True)

    # Secure stacks (ruling V-3).

    def secure(self) -> set[Cell]:
        proved: set[Cell] = set()
        while more := {cell for cell in set(self.stones) - proved if self.is_secure(cell, proved)}:
            proved |= more
        return proved

    def is_secure(self, cell: Cell, proved: set[Cell]) -> bool:
        return not any(self.could_flank(cell, direction, proved) for direction in range(3))

    def can_hold(self, cell: Cell, color: str, proved: set[Cell]) -> bool:
        return cell not in self.stones or self.stones[cell][0] == color or cell not in proved

    def could_flank(self, cell: Cell, direction: int, proved: set[Cell]) -> bool:
        """Return whether the enemy could ever flank the stack on a cell along the line in a direction."""
        color = self.stones[cell][0]
        ahead, behind = self.rays[cell][direction], self.rays[cell][direction + 3][::-1]
        for i, a in enumerate(behind):
            for j, b in enumerate(ahead):
                ends = self.can_hold(a, ENEMY[color], proved) and self.can_hold(b, ENEMY[color], proved)
                if ends and (a not in self.stones or b not in self.stones):
                    before, after = (self.possible(part, color, proved) for part in (behind[i + 1 :], ahead[:j]))
                    if any(re.fullmatch(reading, f"{before}S{after}") for reading in self.readings()):
                        return True
        return False

    def possible(self, cells: list[Cell], color: str, proved: set[Cell]) -> str:
        """Return what each cell could be read as: E empty or part of a run, R part of a run only, X neither."""
        return "".join(
            "E" if cell not in self.stones else "R" if self.can_hold(cell, color, proved) else "X" for cell in cells
        )

    def readings(self) -> Iterator[str]:
        """Yield, for each N, what must stand strictly between the two ends, S being the stack that is flanked."""
        yield "[ER]*S[ER]*"
        for n in range(1, self.size * 2):
            gap = "E" * n
            yield f"{gap}(?:[ER]+{gap})*[ER]*S[ER]*{gap}(?:[ER]+{gap})*"


class ValaturnaFirst(Valaturna):
    """The first edition."""

    def turns(self) -> dict[str, Stones]:
        # Ruling V1-1: pass is legal exactly when no placement is.
        placements = {turn: after for turn, after in super().turns().items() if turn != "pass"}
        return placements or {"pass": self.stones}

    def flank(self, word: str) -> int:
        # Ruling V1-2: up to the first friendly stack, at least one enemy stack, and the same from both ends.
        between, friend, _ = word.partition("f")
        return len(between) if friend and "e" in between and between == between[::-1] else 0

    def secure(self) -> set[Cell]:
        # Ruling V1-3: there is no end by a secure stack.
        return set()
