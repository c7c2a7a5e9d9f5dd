"""Valaturna: flank enemy stacks to raise and take them, until one of the tallest is secure; and its first edition.

Rulings V-1 to V-5 of the rules page are decided here, and V1-1 to V1-3 of the first edition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from hexrec.rules.board import BIT, cells_of
from hexrec.rules.position import PASS, CellPosition
from hexrec.rules.terms import COLORS, Color, IllegalTurn, Outcome, SetupFault, Stack, compare_lists

#: By cell: whether its stack is proved secure. What is said of empty cells does not matter.
Proved = Sequence[bool]
#: Every stack taken as proved secure, the reading in which most stacks seem secure.
ALL_PROVED: Proved = (True,) * len(BIT)
#: How good a cell the enemy could have on one side of a stack as an end of a flank: none, a stack, an empty cell.
NO_END, STACK_END, EMPTY_END = 0, 1, 2


class ValaturnaRules(CellPosition):
    """A move is a cell, or PASS.

    The state:

    * `_holder`: by cell, the color of its stack, None where there is none.
    * `_levels`: one bitboard per height from 1 up, of all stacks of either color at least that high. Stacks never
      lose height, so the last level always shows the tallest stacks on the board.
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
        holder, color = self._holder, self._mover
        if holder[move] is not None:
            return self._occupied(move)
        for ray in self.board.rays[move]:
            for cell in ray:
                if holder[cell] is not None:
                    if holder[cell] == color:
                        return None
                    break
        return self._illegal("move/no-friendly-stack", move)

    def _execute(self, move: int) -> Outcome | None:
        color = self._mover
        flanked = self._flanked(move, color)
        self._holder[move] = color
        self._levels[0] |= BIT[move]
        self._stones[color] |= BIT[move]
        if flanked:
            self._take(flanked, color)
        return self._ending()

    def _passed_out(self) -> Outcome:
        return self._score()

    def _flanked(self, placed: int, color: int) -> list[int]:
        """Return the enemy stacks that a placement of `color` on `placed` flanks, as the position stands (V-5)."""
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
        # From the top down: a stack must not rise twice.
        for level in range(len(levels) - 1, 0, -1):
            levels[level] |= levels[level - 1] & taken

    def _moves(self) -> Iterable[int]:
        yield PASS
        yield from cells_of(self._sighted())

    def _sighted(self) -> int:
        """Return the empty cells that see a stack of the mover's: those to place on."""
        empty = self.board.mask & ~self._levels[0]
        sighted = 0
        for step in self.board.steps:
            seen = self._stones[self._mover]
            while seen := (seen << step if step > 0 else seen >> -step) & empty:
                sighted |= seen
        return sighted

    def _height(self, cell: int) -> int:
        return sum(1 for level in self._levels if level & BIT[cell])

    def _heights_key(self) -> bytes:
        return " ".join([f"{level:x}" for level in self._levels]).encode()

    # The end of the game.

    def _score(self, winner: Color | None = None) -> Outcome:
        """Return the outcome of the final position; without a `winner`, the stack heights decide (V-1, V-4)."""
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
        """Return the outcome if one of the tallest stacks on the board is secure and no enemy stack is as high (V-2).

        A secure stack below a taller one of its own color does not end the game: the ruling lets other stacks of
        that color be as high, not higher.
        """
        tallest = self._levels[-1]
        leader = 0 if tallest & self._stones[0] else 1
        if tallest & self._stones[1 - leader]:
            return None
        for cell in cells_of(tallest):
            # What is not secure with all stacks taken as proved is not secure at all, which spares most proofs.
            if self._is_secure(cell, ALL_PROVED) and self._prove()[cell]:
                return self._score(COLORS[leader])
        return None

    def _prove(self) -> Proved:
        """Return, by cell, whether the stack there is proved secure (ruling V-3)."""
        proved, stacks = [False] * self.board.span, cells_of(self._levels[0])
        while found := [cell for cell in stacks if not proved[cell] and self._is_secure(cell, proved)]:
            for cell in found:
                proved[cell] = True
        return proved

    def _is_secure(self, cell: int, proved: Proved) -> bool:
        """Return whether the enemy could flank the stack on `cell` on no line, given the stacks `proved` secure.

        Only N = 0 is tried: an empty cell can be in a run as well, so wherever the enemy could flank with some
        other N, the same two ends would do with N = 0.
        """
        color = self._holder[cell]
        for ray, opposite in self.board.lines[cell]:
            end = self._best_end(ray, color, proved)
            # Both ends must exist and one of them be empty now; no other sum exceeds that of two stacks.
            if end and end + self._best_end(opposite, color, proved) > STACK_END + STACK_END:
                return False
        return True

    def _best_end(self, ray: tuple[int, ...], color: int | None, proved: Proved) -> int:
        """Return the best end that the enemy of `color` could have on a ray, all cells before it holding `color`."""
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
        return self._illegal("move/early-pass", move) if self._sighted() else None

    def _moves(self) -> Iterable[int]:
        return cells_of(self._sighted()) or (PASS,)

    def _flanked(self, placed: int, color: int) -> list[int]:
        """Return the enemy stacks between `placed` and friends where both ends see the same cells (V1-2)."""
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
        """Return None: only passes end the game (V1-3)."""
        return None
