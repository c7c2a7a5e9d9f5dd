"""Nadraz: messages, explanations and highlights."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise

from hexrec.rules.games.nadraz.rules import Nadraz
from hexrec.rules.grid import CELL, CELL_BITS, EMPTY, NOBODY, NONE, OFF, PASS
from hexrec.rules.position import Position
from hexrec.rules.terms import (
    COLORS,
    PLAYERS,
    Annotation,
    Explanation,
    Reason,
    Row,
    Table,
    difference,
    ending,
    pluralize,
)
from hexrec.rules.view import WINNERS


class NadrazPosition(Position):
    """Position of Nadraz with its words."""

    __slots__ = ()

    grid: Nadraz

    def _setup_wording(self, code: str, cell: int) -> str:  # noqa: ARG002
        color = self.grid.at[cell]
        heads = self._heads(color, next(snake for snake in self._snakes(color) if cell in snake))
        return (
            f"the {COLORS[color]} snake on {self.names.names[cell]} has {pluralize(len(heads), 'head')}: every snake "
            "of two or more stones has two"
        )

    def _wording(self, code: str, move: int) -> str:
        names, at, side = self.names.names, self.grid.at, self.grid.side
        text, cells = self.grid.write(move), self._cells(move)
        if code == "move/early-pass":
            return f"you may not pass while {self.grid.write(self._lines()[0])} is legal"
        if code == "move/not-a-line":
            return self._explain_ends(move)
        if code == "move/own-stone":
            own = [cell for cell in cells if at[cell] == side]
            return f"{text} includes stones of your own: {self._list(own)} must be left out"
        if code == "move/no-cut-cell":
            return (
                f"{text} ends on the enemy stone {names[cells[-1]]}: the stones that a line flips must be followed by "
                "an empty cell, the cut cell, which the line takes too"
            )
        if code == "move/no-origin":
            return f"{names[cells[0]]} touches none of your stones: a line starts next to one or two stones of a snake"
        if code == "move/start-crowded":
            return self._explain_crowding(cells[0], NONE, "start")
        if code == "move/no-head":
            return self._explain_start(move)
        if code == "move/flips-head":
            heads = self._heads(1 - side, [cell for cell in cells if at[cell] == 1 - side])
            return (
                f"{text} flips a head or an egg, on {self._list(heads)}: only middle stones of an enemy snake can be "
                "flipped"
            )
        if code == "move/rim":
            edge = [cell for cell in cells if cell in self.board.edge]
            if not edge:
                stones = self._list({*self._cells_of(side)} & {*self.board.edge})
                return f"{text} flips nothing, which you may not while you have stones on the edge: {stones}"
            return f"{text} flips nothing, so it may not place on the edge: {self._list(edge)}"
        if code in ("move/own-heads", "move/enemy-heads"):
            return self._explain_heads(move)
        if code in ("move/past-merge", "move/merge-crowded"):
            return self._explain_merge(code, move)
        return super()._wording(code, move)

    def _explain_ends(self, move: int) -> str:
        one, other = (self.names.names[cell] for cell in self.grid.named_cells(move))
        if one == other:
            return f"{one}-{other} names one cell twice: for one cell write {one}"
        return f"{one} and {other} are not the two ends of one straight line of cells"

    def _explain_start(self, move: int) -> str:
        """Return the message for a line with flips that does not continue a head or egg."""
        names, at, side = self.names.names, self.grid.at, self.grid.side
        first, before = move & CELL, self._before(move)
        flipped = [cell for cell in self._cells(move) if at[cell] == 1 - side]
        if at[before] == OFF:
            why = f"there is no cell before {names[first]}"
        else:
            content = "empty" if at[before] == EMPTY else "a middle stone" if at[before] == side else "an enemy stone"
            why = f"{names[before]}, the cell before {names[first]}, is {content}"
        return (
            f"{self.grid.write(move)} flips {self._list(flipped)}, so it must continue straight from your head or egg, "
            f"but {why}"
        )

    def _explain_crowding(self, cell: int, origin: int, what: str) -> str:
        """Return the message for a cell that touches too many stones of one friendly snake, which is not the origin."""
        near = self._touched(cell)
        crowd = next(snake for name, snake in near.items() if name != origin and len(snake) > 2)
        return (
            f"{self.names.names[cell]} touches {self._list(crowd)} of one snake: a line may {what} next to one or two "
            "stones of a snake, not more"
        )

    def _explain_merge(self, code: str, move: int) -> str:
        """Return the message for a line that merges snakes as it may not."""
        names, at, side = self.names.names, self.grid.at, self.grid.side
        cells = self._cells(move)
        flips = any(at[cell] == 1 - side for cell in cells)
        near = self._touched(cells[0])
        origins = [name for name, snake in near.items() if len(snake) <= 2]
        origin = self.grid.snakes[self._before(move)] if flips else origins[0]
        meeting, touched = next(
            (cell, others)
            for cell in cells
            if (others := [stone for name, snake in self._touched(cell).items() if name != origin for stone in snake])
        )
        end = next(cell for cell in cells[cells.index(meeting) :] if at[cell] == EMPTY)
        if code == "move/merge-crowded":
            return self._explain_crowding(end, origin, "merge")
        where = names[end] if end == meeting else f"{names[end]}, the cut cell of {names[meeting]}"
        return (
            f"{names[meeting]} touches {self._list(touched)} of another of your snakes, so the line must end on {where}"
        )

    def _explain_heads(self, move: int) -> str:
        """Return the message for a line that leaves a snake without exactly two heads."""
        board, side = self.board, self.grid.side
        text, line = self.grid.write(move), {*self._cells(move)}
        own, enemy = ({*self._cells_of(color)} for color in (side, 1 - side))
        after = [snake for snake in map(set, board.parts(own | line)) if line <= snake]
        after += map(set, board.parts(enemy - line))
        ends = [[cell for cell in sorted(snake) if len(snake & {*board.neighbors[cell]}) <= 1] for snake in after]
        snake, heads = next(
            (snake, heads) for snake, heads in zip(after, ends, strict=True) if len(snake) > 1 and len(heads) != 2
        )
        count = f"{pluralize(len(heads), 'head')} ({self._list(heads)})" if heads else "no head"
        rule = "it must have exactly two, a head being a stone that touches exactly one other stone of its snake"
        if line <= snake:
            return f"your snake with {text} would have {count}: {rule}"
        what = f"an enemy snake of {len(snake)} stones, {self._list([min(snake)])} among them"
        return f"{text} would leave {what}, with {count}: {rule}"

    def _turn_effects(self, move: int) -> Iterable[Annotation]:
        cells = self._cells(move)
        flipped = tuple(cell for cell in cells if self.grid.at[cell] == 1 - self.grid.side)
        cuts = tuple(cell for last, cell in pairwise(cells) if last in flipped and cell not in flipped)
        yield Annotation("placed", "placed", tuple(cell for cell in cells if cell not in (*flipped, *cuts)))
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
        asked.grid.side = color
        shortest: dict[tuple[int, tuple[int, ...]], tuple[int, ...]] = {}
        for move in asked._lines():
            cells = asked._cells(move)
            flipped = tuple(cell for cell in cells if self.grid.at[cell] == 1 - color)
            if flipped:
                shortest.setdefault((asked._before(move), flipped), cells)
        for (before, _), cells in shortest.items():
            yield Annotation("ray", "cut: a line from a head", (before, *cells))
        flippable = {cell for _, flipped in shortest for cell in flipped}
        yield Annotation("target", f"can be flipped by {PLAYERS[color]}", tuple(sorted(flippable)))

    def _ranked_snakes(self) -> Iterator[tuple[int, int, tuple[int, ...], tuple[int, ...]]]:
        """Yield the color of each snake, its number from the longest of the color down, its cells and its heads."""
        for color in (0, 1):
            ranked = sorted(self._snakes(color), key=lambda snake: (-len(snake), snake[0]))
            for number, snake in enumerate(ranked, start=1):
                yield color, number, snake, tuple(self._heads(color, snake))

    def _explanation(self) -> Explanation:
        """Explain the outcome by the lengths of the snakes, or the outcome if the game ended here."""
        rows = []
        for color, number, cells, heads in self._ranked_snakes():
            text = "it is an egg" if len(heads) == 1 else f"its heads are {self._list(heads)}"
            rows.append(Row(cells, color, (number, len(cells)), (Reason("heads", text, heads),)))
        grid = self.grid
        black, white = grid.ranking(0), grid.ranking(1)
        compared = difference(black, white)
        if self.variant == "reverse" and black != white:
            shortest = min(length for length in (*black, *white) if black.count(length) != white.count(length))
            compared = f"from the shortest up, the first difference is at length {shortest}, of which Black has "
            compared += f"{black.count(shortest)} and White {white.count(shortest)}, and fewer are better"
        conclusions = [Reason("lengths", f"in the lengths of the snakes, {compared}")]
        if black == white:  # ruling N-6
            placed = "nobody placed a stone" if grid.last == NOBODY else f"{PLAYERS[grid.last]} placed the last stone"
            conclusions.append(Reason("last-stone", f"with equal snakes the last stone decides: {placed}"))
        when = "this is" if self.is_over else "the game goes on; if it ended here, this would be"
        conclusions.append(Reason("winner", f"{when} {ending(WINNERS[grid.leader()])}"))
        return Explanation(tuple(conclusions), (Table("snakes", ("number", "length"), tuple(rows)),))

    # Lines and snakes.

    def _cells(self, move: int) -> tuple[int, ...]:
        """Return the cells of a line in order, none for a pass or if it is no line."""
        first, last, direction = move & CELL, move >> CELL_BITS & CELL, move >> 2 * CELL_BITS
        if move == PASS or not direction:
            return ()
        step = self.board.steps[direction - 1]
        return tuple(range(first, last + step, step))

    def _before(self, move: int) -> int:
        """Return the place before the first cell of a line."""
        return (move & CELL) - self.board.steps[(move >> 2 * CELL_BITS) - 1]

    def _lines(self) -> list[int]:
        """Return the legal lines by first cell, in board order, then direction, the shortest first."""
        lines = {move: self._cells(move) for move in self.grid.moves() if move != PASS}
        direction = 2 * CELL_BITS
        return sorted(lines, key=lambda move: (move & CELL, len(lines[move]) > 1, move >> direction, len(lines[move])))

    def _snakes(self, color: int) -> list[tuple[int, ...]]:
        """Return the cells of each snake of a color, by first cell in board order."""
        return self.board.parts(self._cells_of(color))

    def _heads(self, color: int, cells: Collection[int]) -> list[int]:
        """Return those stones of a color that are heads or eggs."""
        return [cell for cell in cells if self.grid.is_end(cell, color)]

    def _touched(self, cell: int) -> dict[int, list[int]]:
        """Return the friendly stones that are adjacent to a cell, by name of their snake."""
        around = self.board.neighbors[cell]
        touched = {snake[0]: [stone for stone in snake if stone in around] for snake in self._snakes(self.grid.side)}
        return {self.grid.snakes[first]: stones for first, stones in touched.items() if stones}
