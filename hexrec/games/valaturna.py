"""Valaturna: flank enemy stacks to raise and take them, until one of the tallest is secure.

Rulings V-1 to V-5 of the rules page are decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hexrec.board.board import BIT, cells_of
from hexrec.games.annotation import Annotation
from hexrec.games.game import PASS, CellPosition, Game
from hexrec.games.outcome import COLOURS, Colour, Outcome, compare_lists
from hexrec.games.refusal import IllegalTurn

#: Stands for a colour where a cell holds no stack.
EMPTY = 2
#: By cell: every stack taken as proved secure, the reading in which most stacks seem secure.
ALL_PROVED: Sequence[bool] = (True,) * len(BIT)
#: How good a cell the enemy could have on one side of a stack as an end of a flank: none, a stack, an empty cell.
NO_END, STACK_END, EMPTY_END = 0, 1, 2


class ValaturnaPosition(CellPosition):
    """A move is a cell, or PASS.

    The state, apart from what is only remembered to save work:

    * `_holder`: by cell, the colour of its stack or EMPTY.
    * `_levels`: one bitboard per height from 1 up, of all stacks of either colour at least that high. Stacks never
      lose height, so the last level always shows the tallest stacks on the board.

    Remembered of the proof of ruling V-3: `_proved`, by cell, the stacks that it has reached so far, and `_fresh`, the
    cells filled since it was last run. A proof once found stays valid: it rests on proved stacks, which are never
    flanked, and on cells not being empty; whatever else stands there counts as able to hold either colour.
    """

    __slots__ = ("_fresh", "_holder", "_levels", "_proved")

    def _set_up(self) -> None:
        self._holder = [EMPTY] * self.board.span
        for colour in (0, 1):
            for cell in cells_of(self._stones[colour]):
                self._holder[cell] = colour
        self._levels = [self._stones[0] | self._stones[1]]
        self._proved = [False] * self.board.span
        self._fresh = cells_of(self._levels[0])

    def _refusal(self, move: int) -> IllegalTurn | None:
        if move == PASS:
            return None
        holder, colour = self._holder, self._mover
        if holder[move] != EMPTY:
            return self._occupied(move)
        met = []
        for ray in self.board.rays[move]:
            for cell in ray:
                if holder[cell] != EMPTY:
                    if holder[cell] == colour:
                        return None
                    met.append(cell)
                    break
        return IllegalTurn("move/no-friendly-stack", lambda: self._unseen(move, met))

    def _unseen(self, move: int, met: list[int]) -> str:
        """Say why nothing can be placed on `move`, from which the first stacks `met` are all enemy stacks."""
        name, own, enemy = self.names.names[move], COLOURS[self._mover], COLOURS[1 - self._mover]
        rule = "in some direction, the first stack met must be your own"
        if not self._stones[self._mover]:
            why = f"{own} has no stack left on the board, so that pass is the only turn"
        elif met:
            what = f"stack met is the {enemy} one" if len(met) == 1 else f"stacks met are the {enemy} ones"
            why = f"the first {what} on {self._list(met)}; {rule}"
        else:
            why = f"there is no stack in any direction; {rule}"
        return f"{name} sees no {own} stack: {why}"

    def _execute(self, move: int) -> Outcome | None:
        colour = self._mover
        flanked = self._flanked(move, colour)
        self._holder[move] = colour
        self._levels[0] |= BIT[move]
        self._stones[colour] |= BIT[move]
        self._fresh.append(move)
        if flanked:
            self._take(flanked, colour)
        return self._ending()

    def _passed_out(self) -> Outcome:
        return self._score()

    def _flanked(self, placed: int, colour: int) -> list[int]:
        """Return the enemy stacks that a placement of `colour` on `placed` flanks, as the position stands (V-5)."""
        holder = self._holder
        flanked: list[int] = []
        for ray in self.board.rays[placed]:
            for gap, cell in enumerate(ray):
                if holder[cell] != EMPTY:
                    if holder[cell] != colour:
                        flanked += self._between(ray, gap, colour)
                    break
        return flanked

    def _between(self, ray: tuple[int, ...], apart: int, colour: int) -> list[int]:
        """Return the flanked stacks of a ray that begins with `apart` empty cells and then an enemy stack.

        None are flanked unless exactly `apart` empty cells follow every run, the last of them before a stack of
        `colour`.
        """
        holder = self._holder
        enemies: list[int] = []
        gap = 0
        for cell in ray[apart:]:
            if holder[cell] == EMPTY:
                gap += 1
            elif holder[cell] == colour:
                return enemies if gap == apart else []
            elif not gap or gap == apart:
                gap = 0
                enemies.append(cell)
            else:
                break
        return []

    def _take(self, flanked: list[int], colour: int) -> None:
        """Put one piece of `colour` on top of each flanked stack."""
        levels = self._levels
        taken = 0
        for cell in flanked:
            self._holder[cell] = colour
            taken |= BIT[cell]
        self._stones[colour] |= taken
        self._stones[1 - colour] ^= taken
        if levels[-1] & taken:
            levels.append(0)
        # From the top down: a stack must not rise twice.
        for level in range(len(levels) - 1, 0, -1):
            levels[level] |= levels[level - 1] & taken

    def _moves(self) -> Iterable[int]:
        yield PASS
        empty = self.board.mask & ~self._levels[0]
        sighted = 0
        for step in self.board.steps:
            seen = self._stones[self._mover]
            while seen := (seen << step if step > 0 else seen >> -step) & empty:
                sighted |= seen
        yield from cells_of(sighted)

    def _height(self, cell: int) -> int:
        return sum(1 for level in self._levels if level & BIT[cell])

    def _turn_effects(self, move: int) -> Iterable[Annotation]:
        if move != PASS:
            yield Annotation("placed", "placed", (move,))
            yield Annotation("changed", "captured", tuple(self._flanked(move, self._mover)))

    def _highlights(self) -> Iterable[Annotation]:
        proof = self.copy()
        proof._prove()
        secure = tuple(cell for cell in cells_of(self._levels[0]) if proof._proved[cell])
        yield Annotation("secure", "secure", secure)

    # The end of the game.

    def _score(self, winner: Colour | None = None) -> Outcome:
        """Return the outcome of the final position; without a `winner`, the stack heights decide (V-1, V-4)."""
        black, white = self._heights(0), self._heights(1)
        score: dict[Colour, list[int]] = {"black": black, "white": white}
        return Outcome(winner or compare_lists(black, white) or "draw", score)

    def _heights(self, colour: int) -> list[int]:
        """Return the heights of all stacks of `colour` in descending order."""
        heights: list[int] = []
        for height in range(len(self._levels), 0, -1):
            count = (self._levels[height - 1] & self._stones[colour]).bit_count()
            heights += [height] * (count - len(heights))
        return heights

    def _ending(self) -> Outcome | None:
        """Return the outcome if one of the tallest stacks on the board is secure and no enemy stack is as high (V-2).

        A secure stack below a taller one of its own colour does not end the game: the ruling lets other stacks of
        that colour be as high, not higher.
        """
        tallest = self._levels[-1]
        leader = 0 if tallest & self._stones[0] else 1
        if tallest & self._stones[1 - leader]:
            return None
        # A quick look first: what is not secure with all stacks taken as proved is not secure at all.
        hopeful = [cell for cell in cells_of(tallest) if self._is_secure(cell, ALL_PROVED)]
        if hopeful:
            self._prove()
            if any(self._proved[cell] for cell in hopeful):
                return self._score(COLOURS[leader])
        return None

    def _prove(self) -> None:
        """Complete `_proved` (ruling V-3).

        A stack's proof looks only at the three lines through it, so only the stacks on the three lines through a cell
        just filled (among them all stacks that this flanked) or just proved need another look.
        """
        holder, proved, rays = self._holder, self._proved, self.board.rays
        suspects = set(self._fresh)
        for cell in self._fresh:
            suspects.update(*rays[cell])
        self._fresh.clear()
        while suspects:
            cell = suspects.pop()
            if holder[cell] != EMPTY and not proved[cell] and self._is_secure(cell, proved):
                proved[cell] = True
                suspects.update(*rays[cell])

    def _is_secure(self, cell: int, proved: Sequence[bool]) -> bool:
        """Return whether the enemy could flank the stack on `cell` on no line, given the stacks `proved` secure.

        Only N = 0 is tried: an empty cell can be in a run as well, so wherever the enemy could flank with some
        other N, the same two ends would do with N = 0.
        """
        colour = self._holder[cell]
        for ray, opposite in self.board.lines[cell]:
            end = self._best_end(ray, colour, proved)
            # Both ends must exist and one of them be empty now; no other sum exceeds that of two stacks.
            if end and end + self._best_end(opposite, colour, proved) > STACK_END + STACK_END:
                return False
        return True

    def _best_end(self, ray: tuple[int, ...], colour: int, proved: Sequence[bool]) -> int:
        """Return the best end that the enemy of `colour` could have on a ray, all cells before it holding `colour`."""
        holder = self._holder
        best = NO_END
        for cell in ray:
            if holder[cell] == EMPTY:
                return EMPTY_END
            if not proved[cell]:
                best = STACK_END
            elif holder[cell] != colour:
                return STACK_END
        return best


VALATURNA = Game(
    name="valaturna",
    title="Valaturna",
    rulesets=("2023",),
    sizes=range(4, 10),
    recommended=(7, 5),
    opening=("black", "white"),
    turn="pass|{cell}",
    turn_help="the cell to place a stack on, such as e5, or pass",
    example="e5",
    score="list",
    position=ValaturnaPosition,
    sgf_number=5003,
    piece="stack",
)
