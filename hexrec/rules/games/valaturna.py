"""Valaturna: description, messages, explanations and highlights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from hexrec.rules.board import cells_of
from hexrec.rules.description import Brief
from hexrec.rules.engines.valaturna import EMPTY_END, Proved, ValaturnaFirstRules, ValaturnaRules
from hexrec.rules.game import Game
from hexrec.rules.position import PASS
from hexrec.rules.terms import COLORS, PLAYERS, Annotation, Explanation, Reason, Row, Ruleset, Table, difference


class ValaturnaPosition(ValaturnaRules):
    """The rules with messages, explanations and highlights."""

    __slots__ = ()

    def _wording(self, code: str, move: int) -> str:
        if code == "move/early-pass":  # of the first edition (V1-1)
            where = self.names.names[cells_of(self._visible_cells())[0]]
            return (
                f"you may not pass while you can place a stack, on {where} for example: under ruleset {self.ruleset}, "
                "pass is legal only when no placement is"
            )
        stacks = ([cell for cell in ray if self._holder[cell] is not None] for ray in self.board.rays[move])
        met = [seen[0] for seen in stacks if seen]
        name, own, enemy = self.names.names[move], COLORS[self._side], COLORS[1 - self._side]
        rule = "in some direction, the first stack met must be your own"
        if not self._stones[self._side]:
            why = f"{PLAYERS[self._side]} has no stack left on the board, so pass is the only turn"
        elif met:
            stacks_met = f"stack met is the {enemy} one" if len(met) == 1 else f"stacks met are the {enemy} ones"
            why = f"the first {stacks_met} on {self._list(met)}; {rule}"
        else:
            why = f"there is no stack in any direction; {rule}"
        return f"{name} sees no {own} stack: {why}"

    def _turn_effects(self, move: int) -> Iterable[Annotation]:
        if move != PASS:
            yield Annotation("placed", "placed", (move,))
            yield Annotation("changed", "captured", tuple(self._flanked_stacks(move, self._side)))

    def _highlights(self) -> Iterable[Annotation]:
        proved = self._prove()
        secure = tuple(cell for cell in cells_of(self._levels[0]) if proved[cell])
        yield Annotation("secure", "secure", secure)

    def _overlays(self) -> Iterable[tuple[str, Iterable[Annotation]]]:
        for color, player in enumerate(PLAYERS):
            yield f"flanks for {player}", self._mark_flanks(color)

    def _mark_flanks(self, color: int) -> Iterator[Annotation]:
        """Yield the stacks that a placement of a color could capture, and for each flank the line between its ends."""
        asked = self.copy()
        asked._side = color
        taken: set[int] = set()
        for cell in cells_of(asked._visible_cells()):
            flanked = {*self._flanked_stacks(cell, color)}
            taken |= flanked
            for ray in self.board.rays[cell] if flanked else ():
                end = next((n for n, other in enumerate(ray) if self._holder[other] == color), 0)
                if flanked & {*ray[:end]}:
                    yield Annotation("ray", f"flank: {PLAYERS[color]} can place on the ring", (cell, *ray[: end + 1]))
        yield Annotation("target", f"can be captured by {PLAYERS[color]}", tuple(sorted(taken)))

    def _explanation(self) -> Explanation:
        heights = self._heights(0), self._heights(1)
        counts = " and ".join(
            f"{_heights_text(own)} for {player}" for own, player in zip(heights, PLAYERS, strict=True)
        )
        conclusions = [Reason("heights", f"the stacks are, height by height, {counts}")]
        tallest = list(self._tallest_rows())
        if not self.is_over:
            conclusions.append(Reason("open", "the game goes on"))
        elif self._passed:
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
            if (cells := [cell for cell in cells_of(self._stones[color]) if self._height(cell) == height])
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
        proved = self._prove()
        for cell in sorted(cells_of(self._levels[-1]), key=lambda cell: (self._holder[cell], cell)):
            color = self._holder[cell]
            assert color is not None
            lines = [self._line_reason(cell, *line, proved) for line in self.board.lines[cell]]
            secure = "yes" if proved[cell] else "no"
            reasons = [reason for reason in lines if secure == "yes" or reason.code == "flank"]
            yield Row((cell,), color, (len(self._levels), secure), tuple(reasons))

    def _line_reason(self, cell: int, ray: tuple[int, ...], opposite: tuple[int, ...], proved: Proved) -> Reason:
        """Return the reason why the enemy could, or could not, flank a stack on a line through it."""
        color = self._holder[cell]
        enemy, names = PLAYERS[1 - (color or 0)], self.names.names
        first, last = (side[-1] if side else cell for side in (opposite, ray))
        line = f"on the line from {names[first]} to {names[last]}"
        ends: dict[int, int] = {}
        for side in (opposite, ray):
            best = self._best_end(side, color, proved)
            if not best:
                if not side:
                    return Reason("edge", f"{line} one side has no cell")
                held = (
                    f"{self._list(side)} {'holds a' if len(side) == 1 else 'hold'} secure stack{'s'[: len(side) - 1]}"
                )
                return Reason("held", f"{line} {enemy} can hold no cell of one side: {held} of its color", side)
            reach = next(n for n in range(1, len(side) + 1) if self._best_end(side[:n], color, proved) == best)
            ends[side[reach - 1]] = best
        cells = tuple(ends)
        if EMPTY_END in ends.values():
            named = " and ".join(f"{names[end]} ({self._end(end, color)})" for end in cells)
            return Reason("flank", f"{line} {enemy} could flank it between {named}", cells)
        return Reason("full", f"{line} no cell at which a flank by {enemy} could end is empty", cells)

    def _end(self, cell: int, color: int | None) -> str:
        """Return the reason why the enemy of a color can have a cell as an end of a flank."""
        holder = self._holder[cell]
        if holder is None:
            return "empty"
        return "a stack not proved secure" if holder == color else f"a {COLORS[holder]} stack"


def _heights_text(heights: list[int]) -> str:
    """Return the heights with their numbers of stacks: ``4×3 3×6``."""
    return " ".join(f"{height}×{number}" for height, number in Counter(heights).items()) or "none"


class ValaturnaFirstPosition(ValaturnaFirstRules, ValaturnaPosition):
    """The first edition, in which a secure stack does not end the game."""

    __slots__ = ()

    def _tallest_rows(self) -> Iterator[Row]:
        """Yield nothing: a secure stack does not end the game."""
        yield from ()

    def _highlights(self) -> Iterable[Annotation]:
        """Return nothing: a secure stack does not end the game."""
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
        goal="Have the tallest stacks, by putting your pieces on top of enemy stacks that you flank.",
        turn=(
            "Pass, or place a stack of height 1 on an empty cell that sees a friendly stack along a line. "
            "Every enemy stack that is flanked gets one of your pieces on top, and is yours. Stacks are flanked "
            "between the new stack and the next friendly one if all gaps on that line have the same number of "
            "empty cells, or if there are no gaps."
        ),
        end=(
            "A color wins when, after a placement, the tallest stacks are all of that color and one of them "
            "is secure: it can never be flanked. Two passes in a row end the game, too. Then the heights are "
            "compared from the tallest down."
        ),
    ),
)
