"""Valaturna: messages, explanations and highlights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from hexrec.rules.games.valaturna.rules import HEIGHT, PAST_EDGE, Valaturna, ValaturnaFirst
from hexrec.rules.grid import EMPTY, PASS
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, PLAYERS, Annotation, Explanation, Reason, Row, Table, difference

#: The best possible end of an enemy flank on one side of a stack: none, a stack, an empty cell.
NO_END, STACK_END, EMPTY_END = 0, 1, 2


class ValaturnaPosition(Position):
    """Position of Valaturna, or of its first edition, with its words."""

    __slots__ = ()

    grid: Valaturna

    def _setup_wording(self, code: str, cell: int) -> str:  # noqa: ARG002
        secure = f"the one on {self.names.names[cell]} is secure"
        return f"in this position the game is over: all the tallest stacks have one color, and {secure}"

    def _wording(self, code: str, move: int) -> str:
        if code == "move/early-pass":  # of the first edition (V1-1)
            where = self.names.names[self._visible(self.grid.side)[0]]
            return (
                f"you may not pass while you can place a stack, on {where} for example: under ruleset {self.ruleset}, "
                "pass is legal only when no placement is"
            )
        if code != "move/no-friendly-stack":
            return super()._wording(code, move)
        at, side = self.grid.at, self.grid.side
        stacks = ([cell for cell in ray if at[cell] != EMPTY] for ray in self.board.rays[move])
        met = [seen[0] for seen in stacks if seen]
        name, own, enemy = self.names.names[move], COLORS[side], COLORS[1 - side]
        rule = "in some direction, the first stack met must be your own"
        if not self._cells_of(side):
            why = f"{PLAYERS[side]} has no stack left on the board, so pass is the only turn"
        elif met:
            stacks_met = f"stack met is the {enemy} one" if len(met) == 1 else f"stacks met are the {enemy} ones"
            why = f"the first {stacks_met} on {self._list(met)}; {rule}"
        else:
            why = f"there is no stack in any direction; {rule}"
        return f"{name} sees no {own} stack: {why}"

    def _turn_effects(self, move: int) -> Iterable[Annotation]:
        if move != PASS:
            yield Annotation("placed", "placed", (move,))
            yield Annotation("changed", "captured", tuple(self._flanked(move, self.grid.side)))

    def _highlights(self) -> Iterable[Annotation]:
        if self._can_be_secure():
            yield Annotation("secure", "secure", tuple(cell for cell in self.board.cells if self.grid.is_proved(cell)))

    def _overlays(self) -> Iterable[tuple[str, Iterable[Annotation]]]:
        for color, player in enumerate(PLAYERS):
            yield f"flanks for {player}", self._mark_flanks(color)

    def _mark_flanks(self, color: int) -> Iterator[Annotation]:
        """Yield the stacks that a placement of a color could capture, and for each flank the line between its ends."""
        at = self.grid.at
        taken: set[int] = set()
        for cell in self._visible(color):
            flanked = {*self._flanked(cell, color)}
            taken |= flanked
            for ray in self.board.rays[cell] if flanked else ():
                end = next((n for n, other in enumerate(ray) if at[other] == color), 0)
                if flanked & {*ray[:end]}:
                    yield Annotation("ray", f"flank: {PLAYERS[color]} can place on the ring", (cell, *ray[: end + 1]))
        yield Annotation("target", f"can be captured by {PLAYERS[color]}", tuple(sorted(taken)))

    def _explanation(self) -> Explanation:
        heights = self.grid.ranking(0), self.grid.ranking(1)
        counts = " and ".join(
            f"{_heights_text(own)} for {player}" for own, player in zip(heights, PLAYERS, strict=True)
        )
        conclusions = [Reason("heights", f"the stacks are, height by height, {counts}")]
        tallest = list(self._tallest_rows())
        if not self.is_over:
            conclusions.append(Reason("open", "the game goes on"))
        elif self.grid.passed:
            text = f"two passes ended the game, and the heights decide: {difference(*heights)}"
            conclusions.append(Reason("passes", text))
        else:
            leader = COLORS[tallest[0].color or 0]
            secure = [row.cells[0] for row in tallest if row.values[1] == "yes"]
            are = f"that on {self._list(secure)} is" if len(secure) == 1 else f"those on {self._list(secure)} are"
            text = f"all of the tallest stacks are {leader}, and {are} secure"
            conclusions.append(Reason("secure", text, tuple(secure)))
        levels = [
            Row(tuple(cells), color, (height, len(cells)))
            for color in (0, 1)
            for height in sorted({*heights[color]}, reverse=True)
            if (cells := [cell for cell in self._cells_of(color) if self.grid.heights[cell] == height])
        ]
        return Explanation(
            tuple(conclusions),
            (
                Table("stacks", ("height", "number"), tuple(levels)),
                Table("tallest stacks", ("height", "secure"), tuple(tallest)),
            ),
        )

    def _tallest_rows(self) -> Iterator[Row]:
        """Yield the tallest stacks with the reasons why they are secure or not (ruling V-3)."""
        if not self._can_be_secure():
            return
        grid, height = self.grid, self.grid.summit[HEIGHT]
        for cell in (cell for color in (0, 1) for cell in self._cells_of(color) if grid.heights[cell] == height):
            lines = [self._line_reason(cell, *line) for line in self.board.lines[cell]]
            secure = "yes" if grid.is_proved(cell) else "no"
            reasons = [reason for reason in lines if secure == "yes" or reason.code == "flank"]
            yield Row((cell,), grid.at[cell], (height, secure), tuple(reasons))

    def _line_reason(self, cell: int, ray: tuple[int, ...], opposite: tuple[int, ...]) -> Reason:
        """Return the reason why the enemy could, or could not, flank a stack on a line through it."""
        color = self.grid.at[cell]
        enemy, names = PLAYERS[1 - color], self.names.names
        first, last = (side[-1] if side else cell for side in (opposite, ray))
        line = f"on the line from {names[first]} to {names[last]}"
        ends: dict[int, int] = {}
        for side in (opposite, ray):
            best = self._best_end(side, color)
            if not best:
                if not side:
                    return Reason("edge", f"{line} one side has no cell")
                held = (
                    f"{self._list(side)} {'holds a' if len(side) == 1 else 'hold'} secure stack{'s'[: len(side) - 1]}"
                )
                return Reason("held", f"{line} {enemy} can hold no cell of one side: {held} of its color", side)
            reach = next(n for n in range(1, len(side) + 1) if self._best_end(side[:n], color) == best)
            ends[side[reach - 1]] = best
        cells = tuple(ends)
        if EMPTY_END in ends.values():
            named = " and ".join(f"{names[end]} ({self._end(end, color)})" for end in cells)
            return Reason("flank", f"{line} {enemy} could flank it between {named}", cells)
        return Reason("full", f"{line} no cell at which a flank by {enemy} could end is empty", cells)

    def _best_end(self, side: tuple[int, ...], color: int) -> int:
        """Return the best possible end of an enemy flank on one side of a stack, if `color` has all cells before it."""
        behind = PAST_EDGE
        for cell in reversed(side):
            past = self.grid.past[cell]
            behind = past >> 4 & behind | past & 15
        return EMPTY_END if behind >> 2 + color & 1 else STACK_END if behind >> color & 1 else NO_END

    def _end(self, cell: int, color: int) -> str:
        """Return the reason why the enemy of a color can have a cell as an end of a flank."""
        holder = self.grid.at[cell]
        if holder == EMPTY:
            return "empty"
        return "a stack not proved secure" if holder == color else f"a {COLORS[holder]} stack"

    def _can_be_secure(self) -> bool:
        """Return whether the ruleset has secure stacks; if so, continue the proof that finds them."""
        self.grid.prove()
        return not isinstance(self.grid, ValaturnaFirst)

    def _flanked(self, placed: int, color: int) -> list[int]:
        """Return the enemy stacks that a placement flanks."""
        self.grid.look(placed, color)
        return [self.grid.queue[index] for index in range(self.grid.flanked)]

    def _visible(self, color: int) -> list[int]:
        """Return the empty cells from which the first stack in some direction has a color."""
        visible = self.grid.visible(color)
        return [cell for cell in self.board.cells if visible[cell]]


def _heights_text(heights: list[int]) -> str:
    """Return the heights with their numbers of stacks: ``4×3 3×6``."""
    return " ".join(f"{height}×{number}" for height, number in Counter(heights).items()) or "none"
