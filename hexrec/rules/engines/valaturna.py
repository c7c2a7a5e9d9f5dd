"""Rules of Valaturna and of its first edition: flank enemy stacks to take them, until a tallest stack is secure.

The module implements rulings V-1 to V-5 of the rules page, and V1-1 to V1-3 of the first edition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hexrec.rules.board import BIT, cells_of
from hexrec.rules.position import PASS, CellPosition
from hexrec.rules.terms import COLORS, Color, IllegalTurn, Outcome, SetupFault, Stack, compare_lists

#: By cell, whether its stack is proved secure. Values of empty cells are ignored.
Proved = Sequence[bool]
#: All stacks counted as secure, an upper bound.
ALL_PROVED: Proved = (True,) * len(BIT)
#: The best possible end of an enemy flank on one side of a stack: none, a stack, an empty cell.
NO_END, STACK_END, EMPTY_END = 0, 1, 2


class ValaturnaRules(CellPosition):
    """A move is a cell, or PASS.

    The state:

    * `_holder`: the color of the stack by cell, None for an empty cell.
    * `_levels`: for each height from 1, the bitboard of the stacks of both colors with at least this height. Stacks
      never lose height, so the last level always has the tallest stacks.
    """

    __slots__ = ("_holder", "_levels")

    def _set_up(self, stones: Mapping[int, Stack]) -> None:
        self._holder: list[int | None] = [None] * self.board.span
        self._levels = [0] * max((stack.height for stack in stones.values()), default=1)
        for cell, stack in stones.items():
            self._holder[cell] = stack.color
            for level in range(stack.height):
                self._levels[level] |= BIT[cell]

    def _setup_fault(self) -> SetupFault | None:
        if self._ending() is None:
            return None
        proved = self._prove()
        secure = next(cell for cell in cells_of(self._levels[-1]) if proved[cell])
        return SetupFault(
            "setup/over",
            "in this position the game is over: all the tallest stacks have one color, and the one on "
            f"{self.names.names[secure]} is secure",
            secure,
        )

    def _refusal(self, move: int) -> IllegalTurn | None:
        if move == PASS:
            return None
        holder, color = self._holder, self._side
        if holder[move] is not None:
            return self._occupied_error(move)
        for ray in self.board.rays[move]:
            for cell in ray:
                if holder[cell] is not None:
                    if holder[cell] == color:
                        return None
                    break
        return self._illegal("move/no-friendly-stack", move)

    def _execute(self, move: int) -> Outcome | None:
        color = self._side
        flanked = self._flanked_stacks(move, color)
        self._holder[move] = color
        self._levels[0] |= BIT[move]
        self._stones[color] |= BIT[move]
        if flanked:
            self._take(flanked, color)
        return self._ending()

    def _passed_out(self) -> Outcome:
        return self._score()

    def _flanked_stacks(self, placed: int, color: int) -> list[int]:
        """Return the enemy stacks that a placement of `color` on `placed` flanks (ruling V-5)."""
        holder = self._holder
        flanked: list[int] = []
        for ray in self.board.rays[placed]:
            enemies: list[int] = []
            apart = gap = 0  # empty cells before the first run, and since the last stack
            for cell in ray:
                held = holder[cell]
                if held is None:
                    gap += 1
                elif held == color:
                    if gap == apart:
                        flanked += enemies
                    break
                elif not enemies:
                    apart, gap = gap, 0
                    enemies.append(cell)
                elif not gap or gap == apart:
                    gap = 0
                    enemies.append(cell)
                else:
                    break
        return flanked

    def _take(self, flanked: list[int], color: int) -> None:
        """Put one piece of `color` on top of each flanked stack."""
        levels = self._levels
        taken = 0
        for cell in flanked:
            self._holder[cell] = color
            taken |= BIT[cell]
        self._stones[color] |= taken
        self._stones[1 - color] ^= taken
        if levels[-1] & taken:
            levels.append(0)
        # From the top down, so that a stack rises only once.
        for level in range(len(levels) - 1, 0, -1):
            levels[level] |= levels[level - 1] & taken

    def _moves(self) -> Iterable[int]:
        yield PASS
        yield from cells_of(self._visible_cells())

    def _visible_cells(self) -> int:
        """Return the bitboard of legal cells for a placement: empty cells that see an own stack."""
        empty = self.board.mask & ~self._levels[0]
        sighted = 0
        for step in self.board.steps:
            seen = self._stones[self._side]
            while seen := (seen << step if step > 0 else seen >> -step) & empty:
                sighted |= seen
        return sighted

    def _height(self, cell: int) -> int:
        return sum(1 for level in self._levels if level & BIT[cell])

    def _heights_key(self) -> bytes:
        return " ".join([f"{level:x}" for level in self._levels]).encode()

    def _score(self, winner: Color | None = None) -> Outcome:
        """Return the outcome of the final position; without `winner`, the stack heights decide (V-1, V-4)."""
        black, white = self._heights(0), self._heights(1)
        score: dict[Color, list[int]] = {"black": black, "white": white}
        return Outcome(winner or compare_lists(black, white) or "draw", score)

    def _heights(self, color: int) -> list[int]:
        """Return the heights of all stacks of `color` in descending order."""
        heights: list[int] = []
        for height in range(len(self._levels), 0, -1):
            count = (self._levels[height - 1] & self._stones[color]).bit_count()
            heights += [height] * (count - len(heights))
        return heights

    def _ending(self) -> Outcome | None:
        """Return the outcome if a tallest stack is secure and no enemy stack has its height (V-2), else None.

        A secure stack below a taller stack of its color does not end the game: other stacks of that color may have the
        same height, but not a greater one.
        """
        tallest = self._levels[-1]
        leader = 0 if tallest & self._stones[0] else 1
        if tallest & self._stones[1 - leader]:
            return None
        for cell in cells_of(tallest):
            # A stack that is not secure under the upper bound is not secure; this avoids most proofs.
            if self._is_secure(cell, ALL_PROVED) and self._prove()[cell]:
                return self._score(COLORS[leader])
        return None

    def _prove(self) -> Proved:
        """Return, by cell, whether its stack is proved secure (ruling V-3)."""
        proved, stacks = [False] * self.board.span, cells_of(self._levels[0])
        while secure := [cell for cell in stacks if not proved[cell] and self._is_secure(cell, proved)]:
            for cell in secure:
                proved[cell] = True
        return proved

    def _is_secure(self, cell: int, proved: Proved) -> bool:
        """Return whether no line allows the enemy to flank the stack on `cell`, given the stacks `proved` secure.

        Only flanks without gaps (N = 0) are tried: empty cells can be filled, so the ends of a flank with another N
        also allow a flank with N = 0.
        """
        color = self._holder[cell]
        for ray, opposite in self.board.lines[cell]:
            end = self._best_end(ray, color, proved)
            # A flank needs two ends, one of them empty now: only these sums exceed the sum of two stacks.
            if end and end + self._best_end(opposite, color, proved) > STACK_END + STACK_END:
                return False
        return True

    def _best_end(self, ray: tuple[int, ...], color: int | None, proved: Proved) -> int:
        """Return the best possible end of an enemy flank on a ray, if `color` has all cells before the end."""
        holder = self._holder
        best = NO_END
        for cell in ray:
            if holder[cell] is None:
                return EMPTY_END
            if not proved[cell]:
                best = STACK_END
            elif holder[cell] != color:
                return STACK_END
        return best


class ValaturnaFirstRules(ValaturnaRules):
    """The first edition: no pass while a stack can be placed, other flanks, and no end by a secure stack."""

    __slots__ = ()

    def _refusal(self, move: int) -> IllegalTurn | None:
        if move != PASS:
            return super()._refusal(move)
        return self._illegal("move/early-pass", move) if self._visible_cells() else None

    def _moves(self) -> Iterable[int]:
        return cells_of(self._visible_cells()) or (PASS,)

    def _flanked_stacks(self, placed: int, color: int) -> list[int]:
        """Return the enemy stacks between `placed` and a friend, if their pattern is symmetric (V1-2)."""
        holder = self._holder
        flanked: list[int] = []
        for ray in self.board.rays[placed]:
            between: list[bool] = []
            for cell in ray:
                if holder[cell] == color:
                    if between == between[::-1]:
                        flanked += [other for other, held in zip(ray, between, strict=False) if held]
                    break
                between.append(holder[cell] is not None)
        return flanked

    def _ending(self) -> Outcome | None:
        """Return None: only passes end the game (ruling V1-3)."""
        return None
