"""Valaturna: flank enemy stacks to raise and take them, until one of the tallest is secure; and its first edition.

Rulings V-1 to V-5 of the rules page are decided here, and V1-1 to V1-3 of the first edition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hexrec.board.board import BIT, cells_of
from hexrec.games.annotation import Annotation, Stone
from hexrec.games.description import Brief
from hexrec.games.explanation import Explanation, Reason, Row, Table, difference
from hexrec.games.game import Game
from hexrec.games.outcome import COLOURS, Colour, Outcome, compare_lists
from hexrec.games.position import PASS, CellPosition
from hexrec.games.refusal import IllegalTurn, SetupFault
from hexrec.games.ruleset import Ruleset

#: By cell: whether its stack is proved secure. What is said of empty cells does not matter.
Proved = Sequence[bool] | Mapping[int, bool]
#: Every stack taken as proved secure, the reading in which most stacks seem secure.
ALL_PROVED: Proved = (True,) * len(BIT)
#: How good a cell the enemy could have on one side of a stack as an end of a flank: none, a stack, an empty cell.
NO_END, STACK_END, EMPTY_END = 0, 1, 2


class ValaturnaPosition(CellPosition):
    """A move is a cell, or PASS.

    The state, apart from what is only remembered to save work:

    * `_holder`: by cell, the colour of its stack, None where there is none.
    * `_levels`: one bitboard per height from 1 up, of all stacks of either colour at least that high. Stacks never
      lose height, so the last level always shows the tallest stacks on the board.

    Remembered of the proof of ruling V-3: `_proved`, by cell, the stacks that it has reached so far, and `_judged`, the
    cells that held stacks when it was last complete; none after one that stopped at its goal. A proof once found stays
    valid: it rests on proved stacks, which are never flanked, and on cells not being empty; whatever else stands there
    counts as able to hold either colour.
    """

    __slots__ = ("_holder", "_judged", "_levels", "_proved")

    def _set_up(self, stones: Mapping[int, Stone]) -> None:
        self._holder: list[int | None] = [None] * self.board.span
        self._levels = [0] * max((stack.height for stack in stones.values()), default=1)
        for cell, stack in stones.items():
            self._holder[cell] = stack.colour
            for level in range(stack.height):
                self._levels[level] |= BIT[cell]
        self._proved = [False] * self.board.span
        self._judged = 0

    def _setup_fault(self) -> SetupFault | None:
        if self._ending() is None:
            return None
        secure = next(cell for cell in cells_of(self._levels[-1]) if self._proved[cell])
        return SetupFault(
            "setup/over",
            "in this position the game is over: all the tallest stacks have one colour, and the one on "
            f"{self.names.names[secure]} is secure",
            secure,
        )

    def _refusal(self, move: int) -> IllegalTurn | None:
        if move == PASS:
            return None
        holder, colour = self._holder, self._mover
        if holder[move] is not None:
            return self._occupied(move)
        met = []
        for ray in self.board.rays[move]:
            for cell in ray:
                if holder[cell] is not None:
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
            why = f"{own} has no stack left on the board, so pass is the only turn"
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
            enemies: list[int] = []
            apart = gap = 0  # empty cells before the first run, and since the last stack
            for cell in ray:
                held = holder[cell]
                if held is None:
                    gap += 1
                elif held == colour:
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

    def _turn_effects(self, move: int) -> Iterable[Annotation]:
        if move != PASS:
            yield Annotation("placed", "placed", (move,))
            yield Annotation("changed", "captured", tuple(self._flanked(move, self._mover)))

    def _highlights(self) -> Iterable[Annotation]:
        proof = self.copy()
        proof._prove()
        secure = tuple(cell for cell in cells_of(self._levels[0]) if proof._proved[cell])
        yield Annotation("secure", "secure", secure)

    # Why the game ended.

    def _explanation(self) -> Explanation:
        heights = self._heights(0), self._heights(1)
        counts = " and ".join(f"{_piles(each)} for {colour}" for each, colour in zip(heights, COLOURS, strict=True))
        said = [Reason("heights", f"the stacks are, height by height, {counts}")]
        judged = list(self._judged_tallest())
        if not self.is_over:
            said.append(Reason("open", "the game goes on"))
        elif self._passed:
            said.append(Reason("passes", f"two passes ended the game, and the heights decide: {difference(*heights)}"))
        else:
            leader = COLOURS[judged[0].colour or 0]
            secure = [row.cells[0] for row in judged if row.values[1] == "yes"]
            are = f"that on {self._list(secure)} is" if len(secure) == 1 else f"those on {self._list(secure)} are"
            said.append(Reason("secure", f"all of the tallest stacks are {leader}'s, and {are} secure", tuple(secure)))
        levels = [
            Row(tuple(cells), colour, (height, len(cells)))
            for colour in (0, 1)
            for height in sorted({*heights[colour]}, reverse=True)
            if (cells := [cell for cell in cells_of(self._stones[colour]) if self._height(cell) == height])
        ]
        return Explanation(
            tuple(said),
            (
                Table("stacks", ("height", "number"), tuple(levels)),
                Table("tallest stacks", ("height", "secure"), tuple(judged)),
            ),
        )

    def _judged_tallest(self) -> Iterator[Row]:
        """Yield the tallest stacks with what makes each of them secure, or not (ruling V-3)."""
        proof = self.copy()
        proof._prove()
        for cell in sorted(cells_of(self._levels[-1]), key=lambda cell: (self._holder[cell], cell)):
            colour = self._holder[cell]
            assert colour is not None
            lines = [proof._line_judged(cell, *line) for line in self.board.lines[cell]]
            secure = "yes" if proof._proved[cell] else "no"
            shown = [reason for reason in lines if secure == "yes" or reason.code == "flank"]
            yield Row((cell,), colour, (len(self._levels), secure), tuple(shown))

    def _line_judged(self, cell: int, ray: tuple[int, ...], opposite: tuple[int, ...]) -> Reason:
        """Return whether, and why, the enemy could flank a stack on a line through it, once all is proved."""
        colour, proved = self._holder[cell], self._proved
        enemy, names = COLOURS[1 - (colour or 0)], self.names.names
        first, last = (side[-1] if side else cell for side in (opposite, ray))
        line = f"on the line from {names[first]} to {names[last]}"
        ends: dict[int, int] = {}
        for side in (opposite, ray):
            best = self._best_end(side, colour, proved)
            if not best:
                if not side:
                    return Reason("rim", f"{line} one side has no cell")
                held = (
                    f"{self._list(side)} {'holds a' if len(side) == 1 else 'hold'} secure stack{'s'[: len(side) - 1]}"
                )
                return Reason("held", f"{line} {enemy} can hold no cell of one side: {held} of its colour", side)
            reach = next(n for n in range(1, len(side) + 1) if self._best_end(side[:n], colour, proved) == best)
            ends[side[reach - 1]] = best
        cells = tuple(ends)
        if EMPTY_END in ends.values():
            named = " and ".join(f"{names[end]} ({self._end(end, colour)})" for end in cells)
            return Reason("flank", f"{line} {enemy} could flank it between {named}", cells)
        return Reason("full", f"{line} no cell at which a flank by {enemy} could end is empty", cells)

    def _end(self, cell: int, colour: int | None) -> str:
        """Say why the enemy of a colour can hold a cell."""
        holder = self._holder[cell]
        if holder is None:
            return "empty"
        return "a stack not proved secure" if holder == colour else f"a {COLOURS[holder]} stack"

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
        for cell in cells_of(tallest):
            if self._seems_secure(cell) and self._prove(cell):
                return self._score(COLOURS[leader])
        return None

    def _seems_secure(self, cell: int) -> bool:
        """Look whether the proof could reach a stack at all, which spares most proofs.

        What is not secure with all stacks taken as proved is not secure at all. So neither is what is not when only
        those are taken as proved that are secure in this sense: the more are proved, the more are secure.
        """
        return self._is_secure(cell, ALL_PROVED) and self._is_secure(cell, Plausible(self))

    def _prove(self, goal: int | None = None) -> bool:
        """Complete `_proved` (ruling V-3), but stop once the stack on the cell `goal` is proved: return whether it is.

        A stack's proof looks only at the three lines through it, so only the stacks on the three lines through a cell
        just filled (among them all stacks that this flanked) or just proved need another look. Those in line with the
        goal come first, and the goal again after each of them that is proved: most often a few of them are enough.
        """
        proved, in_line, occupied = self._proved, self.board.line_masks, self._levels[0]
        fresh = occupied & ~self._judged
        self._judged = 0
        suspects = fresh
        for cell in cells_of(fresh):
            suspects |= in_line[cell]
        near = 0 if goal is None else in_line[goal] | BIT[goal]
        while suspects := suspects & occupied:
            again = 0
            for cell in cells_of(suspects & near) + cells_of(suspects & ~near):
                if not proved[cell] and self._is_secure(cell, proved):
                    proved[cell] = True
                    again |= in_line[cell]
                    if goal is not None and near & BIT[cell] and self._is_secure(goal, proved):
                        proved[goal] = True
                        return True
            suspects = again
        self._judged = occupied
        return goal is not None and proved[goal]

    def _is_secure(self, cell: int, proved: Proved) -> bool:
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

    def _best_end(self, ray: tuple[int, ...], colour: int | None, proved: Proved) -> int:
        """Return the best end that the enemy of `colour` could have on a ray, all cells before it holding `colour`."""
        holder = self._holder
        best = NO_END
        for cell in ray:
            if holder[cell] is None:
                return EMPTY_END
            if not proved[cell]:
                best = STACK_END
            elif holder[cell] != colour:
                return STACK_END
        return best


def _piles(heights: list[int]) -> str:
    """Return heights with how many stacks have each: ``4×3 3×6``."""
    return " ".join(f"{height}×{number}" for height, number in Counter(heights).items()) or "none"


class Plausible(dict[int, bool]):
    """Whether the stack on a cell is secure with all stacks taken as proved; worked out when it is looked up."""

    def __init__(self, position: ValaturnaPosition) -> None:
        super().__init__()
        self._position = position

    def __missing__(self, cell: int) -> bool:
        plausible = self[cell] = self._position._is_secure(cell, ALL_PROVED)
        return plausible


class ValaturnaFirstPosition(ValaturnaPosition):
    """The first edition: no pass while a stack can be placed, other flanks, and no end by a secure stack."""

    __slots__ = ()

    def _refusal(self, move: int) -> IllegalTurn | None:
        if move != PASS:
            return super()._refusal(move)
        sighted = self._sighted()
        return IllegalTurn("move/early-pass", lambda: self._too_early(sighted)) if sighted else None

    def _too_early(self, sighted: int) -> str:
        """Say why the mover, who can place on the cells `sighted`, may not pass (V1-1)."""
        where = self.names.names[cells_of(sighted)[0]]
        return (
            f"you may not pass while you can place a stack, on {where} for example: under ruleset {self.ruleset}, "
            "pass is legal only when no placement is"
        )

    def _moves(self) -> Iterable[int]:
        return cells_of(self._sighted()) or (PASS,)

    def _flanked(self, placed: int, colour: int) -> list[int]:
        """Return the enemy stacks between `placed` and friends where both ends see the same cells (V1-2)."""
        holder = self._holder
        flanked: list[int] = []
        for ray in self.board.rays[placed]:
            between: list[bool] = []
            for cell in ray:
                if holder[cell] == colour:
                    if between == between[::-1]:
                        flanked += [other for other, held in zip(ray, between, strict=False) if held]
                    break
                between.append(holder[cell] is not None)
        return flanked

    def _judged_tallest(self) -> Iterator[Row]:
        """Yield nothing: no stack decides a game by being secure."""
        yield from ()

    def _ending(self) -> Outcome | None:
        """Return None: only passes end the game (V1-3)."""
        return None

    def _highlights(self) -> Iterable[Annotation]:
        """Yield nothing: no stack decides a game by being secure."""
        return ()


VALATURNA = Game(
    name="valaturna",
    title="Valaturna",
    designers=("Saïd Gadwen",),
    year=2023,
    rulesets=("2023", "2023-first"),
    revisions=(Ruleset("2023-first", range(7, 8), ValaturnaFirstPosition),),
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
    has_stacks=True,
    brief=Brief(
        goal="Have the tallest stacks, by putting pieces of yours on top of enemy stacks that you flank.",
        turn=(
            "Place a stack of height 1 on an empty cell that sees a stack of yours as the first stack along a "
            "line, or pass. Every enemy stack that is flanked gets a piece of yours on top, and is yours. Stacks "
            "are flanked on a line between the new stack and the next one of yours if the gaps, from one end to "
            "the other, all have the same number of empty cells, or if there are no gaps at all."
        ),
        end=(
            "A colour wins when, after a placement, the tallest stacks are all of that colour and one of them is "
            "secure: it can be proved that it will never be flanked. Two passes in a row end the game too; the "
            "heights are then compared from the tallest stack down."
        ),
    ),
)
