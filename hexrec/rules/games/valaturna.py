"""Valaturna for people: its description, and the words and pictures for what its rules decide."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from hexrec.rules.board import cells_of
from hexrec.rules.description import Brief
from hexrec.rules.engines.valaturna import EMPTY_END, Proved, ValaturnaFirstRules, ValaturnaRules
from hexrec.rules.game import Game
from hexrec.rules.position import PASS
from hexrec.rules.terms import COLORS, Annotation, Explanation, Reason, Row, Ruleset, Table, difference


class ValaturnaPosition(ValaturnaRules):
    """The rules with words and pictures."""

    __slots__ = ()

    def _wording(self, code: str, move: int) -> str:
        if code == "move/early-pass":  # of the first edition (V1-1)
            where = self.names.names[cells_of(self._sighted())[0]]
            return (
                f"you may not pass while you can place a stack, on {where} for example: under ruleset {self.ruleset}, "
                "pass is legal only when no placement is"
            )
        stacks = ([cell for cell in ray if self._holder[cell] is not None] for ray in self.board.rays[move])
        met = [seen[0] for seen in stacks if seen]
        name, own, enemy = self.names.names[move], COLORS[self._mover], COLORS[1 - self._mover]
        rule = "in some direction, the first stack met must be your own"
        if not self._stones[self._mover]:
            why = f"{own} has no stack left on the board, so pass is the only turn"
        elif met:
            what = f"stack met is the {enemy} one" if len(met) == 1 else f"stacks met are the {enemy} ones"
            why = f"the first {what} on {self._list(met)}; {rule}"
        else:
            why = f"there is no stack in any direction; {rule}"
        return f"{name} sees no {own} stack: {why}"

    def _turn_effects(self, move: int) -> Iterable[Annotation]:
        if move != PASS:
            yield Annotation("placed", "placed", (move,))
            yield Annotation("changed", "captured", tuple(self._flanked(move, self._mover)))

    def _highlights(self) -> Iterable[Annotation]:
        proved = self._prove()
        secure = tuple(cell for cell in cells_of(self._levels[0]) if proved[cell])
        yield Annotation("secure", "secure", secure)

    def _explanation(self) -> Explanation:
        heights = self._heights(0), self._heights(1)
        counts = " and ".join(f"{_piles(each)} for {color}" for each, color in zip(heights, COLORS, strict=True))
        said = [Reason("heights", f"the stacks are, height by height, {counts}")]
        judged = list(self._judged_tallest())
        if not self.is_over:
            said.append(Reason("open", "the game goes on"))
        elif self._passed:
            said.append(Reason("passes", f"two passes ended the game, and the heights decide: {difference(*heights)}"))
        else:
            leader = COLORS[judged[0].color or 0]
            secure = [row.cells[0] for row in judged if row.values[1] == "yes"]
            are = f"that on {self._list(secure)} is" if len(secure) == 1 else f"those on {self._list(secure)} are"
            said.append(Reason("secure", f"all of the tallest stacks are {leader}'s, and {are} secure", tuple(secure)))
        levels = [
            Row(tuple(cells), color, (height, len(cells)))
            for color in (0, 1)
            for height in sorted({*heights[color]}, reverse=True)
            if (cells := [cell for cell in cells_of(self._stones[color]) if self._height(cell) == height])
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
        proved = self._prove()
        for cell in sorted(cells_of(self._levels[-1]), key=lambda cell: (self._holder[cell], cell)):
            color = self._holder[cell]
            assert color is not None
            lines = [self._line_judged(cell, *line, proved) for line in self.board.lines[cell]]
            secure = "yes" if proved[cell] else "no"
            shown = [reason for reason in lines if secure == "yes" or reason.code == "flank"]
            yield Row((cell,), color, (len(self._levels), secure), tuple(shown))

    def _line_judged(self, cell: int, ray: tuple[int, ...], opposite: tuple[int, ...], proved: Proved) -> Reason:
        """Return whether, and why, the enemy could flank a stack on a line through it, once all is proved."""
        color = self._holder[cell]
        enemy, names = COLORS[1 - (color or 0)], self.names.names
        first, last = (side[-1] if side else cell for side in (opposite, ray))
        line = f"on the line from {names[first]} to {names[last]}"
        ends: dict[int, int] = {}
        for side in (opposite, ray):
            best = self._best_end(side, color, proved)
            if not best:
                if not side:
                    return Reason("rim", f"{line} one side has no cell")
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
        """Say why the enemy of a color can hold a cell."""
        holder = self._holder[cell]
        if holder is None:
            return "empty"
        return "a stack not proved secure" if holder == color else f"a {COLORS[holder]} stack"


def _piles(heights: list[int]) -> str:
    """Return heights with how many stacks have each: ``4×3 3×6``."""
    return " ".join(f"{height}×{number}" for height, number in Counter(heights).items()) or "none"


class ValaturnaFirstPosition(ValaturnaFirstRules, ValaturnaPosition):
    """The first edition, in which no stack decides a game by being secure."""

    __slots__ = ()

    def _judged_tallest(self) -> Iterator[Row]:
        """Yield nothing: no stack decides a game by being secure."""
        yield from ()

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
            "Pass, or place a stack of height 1 on an empty cell that sees a friendly stack along a line. "
            "Every enemy stack that is flanked gets a piece of yours on top, and is yours. Stacks are flanked "
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
