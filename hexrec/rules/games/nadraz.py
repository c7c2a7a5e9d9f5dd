"""Nadraz: description, messages, explanations and highlights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from hexrec.rules.board import BIT, cells_of
from hexrec.rules.description import Brief, PositionField
from hexrec.rules.engines.nadraz import Line, NadrazRules, ends_of, shortest_difference
from hexrec.rules.game import Game
from hexrec.rules.terms import PLAYERS, Annotation, Explanation, Reason, Row, Table, difference, ending, pluralize


class NadrazPosition(NadrazRules):
    """The rules with messages, explanations and highlights."""

    __slots__ = ()

    def _wording(self, code: str, move: Line) -> str:
        if code == "move/early-pass":
            return f"you may not pass while {self._text(next(iter(self._lines())))} is legal"
        names, text = self.names.names, self._text(move)
        own, enemy = self._stones[self._side], self._stones[1 - self._side]
        if code == "move/occupied":
            return self._occupied_error(move.last).message
        if code == "move/own-stone":
            return f"{text} includes stones of your own: {self._list(cells_of(move.bits & own))} must be left out"
        if code == "move/no-cut-cell":
            return (
                f"{text} ends on the enemy stone {names[move.last]}: the stones that a line flips must be followed by "
                "an empty cell, the cut cell, which the line takes too"
            )
        if code == "move/no-origin":
            return (
                f"{names[move.first]} touches none of your stones: a line starts next to one or two stones of a snake"
            )
        if code == "move/start-crowded":
            return self._explain_crowding(move.first, own, "start")
        flipped = move.bits & enemy
        if code == "move/no-head":
            if not move.before:
                before = f"there is no cell before {names[move.first]}"
            else:
                stone = "an enemy stone" if enemy & BIT[move.before] else "empty"
                content = "a middle stone" if own & BIT[move.before] else stone
                before = f"{names[move.before]}, the cell before {names[move.first]}, is {content}"
            return (
                f"{text} flips {self._list(cells_of(flipped))}, so it must continue straight from your head or "
                f"egg, but {before}"
            )
        if code == "move/flips-head":
            heads = cells_of(flipped & self._ends[1 - self._side])
            return (
                f"{text} flips a head or an egg, on {self._list(heads)}: only middle stones of an enemy snake can be "
                "flipped"
            )
        if code == "move/rim":
            edge = cells_of(move.bits & self.board.edge_mask)
            return f"{text} flips nothing, so it may not place on the edge: {self._list(edge)}"
        if code in ("move/own-heads", "move/enemy-heads"):
            return self._explain_heads(move, self._misshapen_snake(move))
        others = own & ~(self._snake_of_head(move.before) if flipped else self._origin(move.first))
        meeting, end = self._meeting(move, others)
        if code == "move/merge-crowded":
            return self._explain_crowding(end, others, "merge")
        where = names[end] if end == meeting else f"{names[end]}, the cut cell of {names[meeting]}"
        touched = self._list(cells_of(self.board.neighbor_masks[meeting] & others))
        return f"{names[meeting]} touches {touched} of another of your snakes, so the line must end on {where}"

    def _explain_crowding(self, cell: int, snakes: int, what: str) -> str:
        return (
            f"{self.names.names[cell]} touches {self._list(cells_of(self._crowding(cell, snakes)))} of one snake: a "
            f"line may {what} next to one or two stones of a snake, not more"
        )

    def _explain_heads(self, move: Line, snake: int) -> str:
        heads = cells_of(ends_of(self.board, snake))
        count = f"{pluralize(len(heads), 'head')} ({self._list(heads)})" if heads else "no head"
        rule = "it must have exactly two, a head being a stone that touches exactly one other stone of its snake"
        if snake & move.bits:
            return f"your snake with {self._text(move)} would have {count}: {rule}"
        what = f"an enemy snake of {snake.bit_count()} stones, {self._list(cells_of(snake)[:1])} among them"
        return f"{self._text(move)} would leave {what}, with {count}: {rule}"

    def _turn_effects(self, move: Line) -> Iterable[Annotation]:
        enemy = self._stones[1 - self._side]
        flipped = tuple(cell for cell in move.cells if enemy & BIT[cell])
        cuts = tuple(cell for last, cell in pairwise(move.cells) if last in flipped and cell not in flipped)
        yield Annotation("placed", "placed", tuple(cell for cell in move.cells if cell not in (*flipped, *cuts)))
        yield Annotation("changed", "flipped", flipped)
        yield Annotation("cut", "cut cell", cuts)

    def _highlights(self) -> Iterable[Annotation]:
        for color, number, cells, heads in self._ranked_snakes():
            if self.is_over:
                shade = 2 * (number - 1) + color  # the colors have different shades
                yield Annotation("body", "snake (each in one shade)", cells, color, shade=shade)
                yield Annotation("end", "head (the number: length of the snake)", heads, color, str(len(cells)))
            else:
                yield Annotation("end", "head", heads, color)

    def _overlays(self) -> Iterable[tuple[str, Iterable[Annotation]]]:
        for color, player in enumerate(PLAYERS):
            yield f"cuts for {player}", self._mark_cuts(color)

    def _mark_cuts(self, color: int) -> Iterator[Annotation]:
        """Yield the shortest line from a head for each cut that a color could make, and the stones that it flips."""
        asked = self.copy()
        asked._side = color
        enemy = self._stones[1 - color]
        shortest: dict[tuple[int, int], Line] = {}
        for line in asked._lines():
            if line.bits & enemy:
                shortest.setdefault((line.before, line.bits & enemy), line)  # lines come shortest first
        for line in shortest.values():
            yield Annotation("ray", "cut: a line from a head", (line.before, *line.cells))
        flipped = {cell for line in shortest.values() for cell in line.cells if enemy & BIT[cell]}
        yield Annotation("target", f"can be flipped by {PLAYERS[color]}", tuple(sorted(flipped)))

    def _ranked_snakes(self) -> Iterator[tuple[int, int, tuple[int, ...], tuple[int, ...]]]:
        """Yield the color of each snake, its number from the longest of the color down, its cells and its heads."""
        for color, snakes in enumerate(self._snakes):
            ranked = sorted(snakes, key=lambda snake: (-snake.bit_count(), snake & -snake))
            for number, snake in enumerate(ranked, start=1):
                yield color, number, tuple(cells_of(snake)), tuple(cells_of(snake & self._ends[color]))

    def _explanation(self) -> Explanation:
        """Explain the outcome by the lengths of the snakes, or the outcome if the game ended here."""
        rows = []
        for color, number, cells, heads in self._ranked_snakes():
            text = "it is an egg" if len(heads) == 1 else f"its heads are {self._list(heads)}"
            rows.append(Row(cells, color, (number, len(cells)), (Reason("heads", text, heads),)))
        black, white = self._lengths()
        compared = difference(black, white)
        if self.variant == "reverse" and black != white:
            shortest = shortest_difference(black, white)
            compared = f"from the shortest up, the first difference is at length {shortest}, of which Black has "
            compared += f"{black.count(shortest)} and White {white.count(shortest)}, and fewer are better"
        conclusions = [Reason("lengths", f"in the lengths of the snakes, {compared}")]
        if black == white:  # ruling N-6
            placed = "nobody placed a stone" if self._last is None else f"{PLAYERS[self._last]} placed the last stone"
            conclusions.append(Reason("last-stone", f"with equal snakes the last stone decides: {placed}"))
        outcome = self._outcome or self._passed_out()
        when = "this is" if self.is_over else "the game goes on; if it ended here, this would be"
        conclusions.append(Reason("winner", f"{when} {ending(outcome.winner)}"))
        return Explanation(tuple(conclusions), (Table("snakes", ("number", "length"), tuple(rows)),))


NADRAZ = Game(
    name="nadraz",
    title="Nadraz",
    designers=("Saïd Galdseid",),
    year=2023,
    rulesets=("2023",),
    sizes=range(4, 15),
    recommended=(10,),
    opening=("black", "white"),
    turn="pass|{cell}(?:-{cell})?",
    turn_help="a cell such as e5, the first and the last cell of a line such as e5-e8, or pass",
    example="e5-e8",
    score="list",
    position=NadrazPosition,
    sgf_number=5004,
    surface="edged cells",
    variants=("reverse",),
    position_fields=(PositionField("the color that placed the last stone, b, w or -", ("-", "b", "w")),),
    brief=Brief(
        goal="Own more of the longest snakes: connected sets of stones of one color.",
        turn=(
            "Place a straight line of stones. Grow: begin next to one or two stones of a friendly snake. Cut: "
            "continue straight from one of its heads, the stones with one neighbor in the snake, or from a "
            "single stone, and flip enemy stones on the way. Heads and single stones cannot be flipped, and "
            "each run of flipped stones must be followed by an empty cell. Merge: the line stops where it "
            "touches another friendly snake, and the two become one. Only a line that cuts may use cells on "
            "the edge. Afterwards, every snake of two or more stones must have exactly two heads."
        ),
        end=(
            "You pass when you have no other turn, and only then. Two passes in a row end the game. The "
            "lengths of the snakes are compared from the longest down. If all are equal, the player who "
            "placed the last stone wins. In the variant reverse, the player with fewer of the shortest snakes "
            "wins."
        ),
    ),
)
