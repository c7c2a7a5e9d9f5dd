"""Rules of Nadraz: grow snakes in straight lines and cut enemy snakes; every snake has exactly two heads.

The module implements rulings N-1 to N-7 of the rules page.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from typing import NamedTuple

from hexrec.rules.board import BIT, Board, cells_of
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, IllegalTurn, Outcome, SetupFault, Stack, compare_lists, pluralize


class Line(NamedTuple):
    """Line of consecutive cells c1 to ck in one direction.

    Attributes:
        first, last: c1 and ck.
        before: the cell before c1 in the direction of the line; 0 (no cell) if it is off the board or k is 1.
        cells: the cells in order.
        bits: the bitboard of the cells.
        border: the bitboard of the cells adjacent to any of them.
    """

    first: int
    last: int
    before: int
    cells: range
    bits: int
    border: int


@cache
def lines_from(board: Board, first: int) -> dict[int, Line]:
    """Return all lines from the cell `first`, by last cell."""
    masks = board.neighbor_masks
    lines = {first: Line(first, first, 0, range(first, first + 1), BIT[first], masks[first])}
    for direction, step in enumerate(board.steps):
        before = first - step if board.rays[first][direction - 3] else 0
        bits, border = BIT[first], masks[first]
        for last in board.rays[first][direction]:
            bits |= BIT[last]
            border |= masks[last]
            lines[last] = Line(first, last, before, range(first, last + step, step), bits, border)
    return lines


PASS = Line(0, 0, 0, range(0), 0, 0)


def ends_of(board: Board, stones: int) -> int:
    """Return the heads and eggs among stones of one color: those with at most one neighbor among them."""
    return stones & ~board.crowded(stones)


def is_well_formed(board: Board, snake: int) -> bool:
    """Return whether a snake is an egg or has exactly two heads (ruling N-1)."""
    return ends_of(board, snake).bit_count() == (2 if snake & (snake - 1) else 1)


#: Codes of rules that longer lines in the same direction break too.
_FINAL = {"move/own-stone", "move/no-head", "move/flips-head", "move/past-merge"}


class NadrazRules(Position[Line]):
    """A move is a `Line`, or PASS.

    The state, by color, is the snakes (a tuple of bitboards) and the heads and eggs (a bitboard).
    """

    __slots__ = ("_ends", "_snakes")

    _passing = PASS

    def _set_up(self, stones: Mapping[int, Stack]) -> None:  # noqa: ARG002
        self._ends = [ends_of(self.board, own) for own in self._stones]
        self._snakes: list[tuple[int, ...]] = [tuple(self.board.components(own)) for own in self._stones]

    def _setup_fault(self) -> SetupFault | None:
        for color, snakes in zip(COLORS, self._snakes, strict=True):
            for snake in snakes:
                if not is_well_formed(self.board, snake):
                    cell, count = cells_of(snake)[0], ends_of(self.board, snake).bit_count()
                    message = (
                        f"the {color} snake on {self.names.names[cell]} has {pluralize(count, 'head')}: every snake of "
                        "two or more stones has two"
                    )
                    return SetupFault("setup/not-well-formed", message, cell)
        return None

    def _parse(self, turn: str) -> Line:
        _, cells = self._cells(turn)
        if not cells:
            return PASS
        line = lines_from(self.board, cells[0]).get(cells[-1])
        if line is None or (len(cells) > 1 and cells[0] == cells[1]):
            raise IllegalTurn("move/not-a-line", partial(self._explain_ends, *cells))
        return line

    def _refusal(self, move: Line) -> IllegalTurn | None:
        if move is PASS:
            line = next(self._lines(), None)
            return line and self._illegal("move/early-pass", move)
        code = self._broken_rule(move)
        return None if code is None else self._illegal(code, move)

    def _broken_rule(self, line: Line) -> str | None:
        """Return the code of the first rule that a line breaks, or None if it is legal."""
        first, last, before, _, bits, border = line
        own, enemy = self._stones[self._side], self._stones[1 - self._side]
        masks = self.board.neighbor_masks
        if bits & own or enemy & BIT[last]:
            if first == last:
                return "move/occupied"
            return "move/own-stone" if bits & own else "move/no-cut-cell"
        flipped = bits & enemy

        # 1. Start: an empty c1 touches one or two stones of the origin, an enemy c1 any number (ruling N-3).
        # 2. Cuts: a line that flips continues straight from a head or egg of the origin, and flips no head or egg.
        origin = self._snake_of_head(before) if flipped else self._origin(first)
        if flipped:
            if not origin:
                return "move/no-head"
            if not enemy & BIT[first] and (masks[first] & origin).bit_count() > 2:
                return "move/start-crowded"
            if flipped & self._ends[1 - self._side]:
                return "move/flips-head"
        elif not origin:
            return "move/start-crowded" if masks[first] & own else "move/no-origin"

        # 3. Merging: a line stops where it meets another friendly snake, or on the next cut cell. There it touches one
        # or two stones of each such snake.
        others = own & ~origin
        if border & others:
            _, end = self._meeting(line, others)
            if end != last:
                return "move/past-merge"
            if self._crowding(end, others):
                return "move/merge-crowded"

        # 4. Edge: a turn that flips nothing does not place on an edge cell (ruling N-5).
        if not flipped and bits & self.board.edge_mask:
            return "move/rim"

        # 5. Form: afterwards every snake of two or more stones has exactly two heads (ruling N-1).
        misshapen = self._misshapen_snake(line)
        if misshapen:
            return "move/own-heads" if misshapen & bits else "move/enemy-heads"
        return None

    def _origin(self, first: int) -> int:
        """Return the snake from which a line without flips may grow at c1, or 0."""
        # If c1 also touches another snake, the line stops there in either case.
        around = self.board.neighbor_masks[first]
        for snake in self._snakes[self._side]:
            touched = around & snake
            if touched and touched.bit_count() <= 2:
                return snake
        return 0

    def _snake_of_head(self, cell: int) -> int:
        """Return the own snake with a head or egg on a cell, or 0."""
        head = BIT[cell] & self._ends[self._side]
        for snake in self._snakes[self._side]:
            if snake & head:
                return snake
        return 0

    def _meeting(self, line: Line, others: int) -> tuple[int, int]:
        """Return the first cell of a line that touches the stones `others`, and the required last cell of the line."""
        masks, enemy = self.board.neighbor_masks, self._stones[1 - self._side]
        meeting = next(cell for cell in line.cells if masks[cell] & others)
        end = next(cell for cell in line.cells[line.cells.index(meeting) :] if not enemy & BIT[cell])
        return meeting, end

    def _crowding(self, cell: int, snakes: int) -> int:
        """Return three or more stones that `cell` touches of one snake among `snakes`, or 0."""
        around = self.board.neighbor_masks[cell] & snakes
        for snake in self._snakes[self._side]:
            touched = around & snake
            if touched.bit_count() > 2:
                return touched
        return 0

    def _grown(self, line: Line) -> int:
        """Return the snake that contains a line after the turn, including all merged snakes."""
        grown = line.bits
        for snake in self._snakes[self._side]:
            if snake & line.border:
                grown |= snake
        return grown

    def _cut_off_parts(self, line: Line) -> list[int]:
        """Return the remaining parts of the enemy snakes that a line cuts."""
        cut = (snake for snake in self._snakes[1 - self._side] if snake & line.bits)
        return [part for snake in cut for part in self.board.components(snake & ~line.bits)]

    def _misshapen_snake(self, line: Line) -> int:
        """Return a snake of two or more stones without exactly two heads after the turn, or 0."""
        grown = self._grown(line)
        if not is_well_formed(self.board, grown):
            return grown
        return next((part for part in self._cut_off_parts(line) if not is_well_formed(self.board, part)), 0)

    def _explain_ends(self, first: int, last: int) -> str:
        one, other = self.names.names[first], self.names.names[last]
        if first == last:
            return f"{one}-{other} names one cell twice: for one cell write {one}"
        return f"{one} and {other} are not the two ends of one straight line of cells"

    def field_values(self) -> tuple[str, ...]:
        """Return the color that placed the last stone."""
        return ("-" if self._last is None else "bw"[self._last],)

    def _take_field_values(self, values: tuple[str, ...]) -> None:
        self._last = None if values == ("-",) else "bw".index(values[0])

    def _execute(self, move: Line) -> None:
        own, enemy = self._side, 1 - self._side
        grown, parts = self._grown(move), self._cut_off_parts(move)
        self._snakes[enemy] = (*[snake for snake in self._snakes[enemy] if not snake & move.bits], *parts)
        self._stones[enemy] &= ~move.bits
        self._snakes[own] = (*[snake for snake in self._snakes[own] if not snake & grown], grown)
        self._stones[own] |= move.bits
        self._ends = [ends_of(self.board, stones) for stones in self._stones]
        self._last = own

    def _passed_out(self) -> Outcome:
        black, white = self._lengths()
        winner = compare_lists(black, white)
        if winner is not None and self.variant == "reverse":
            shortest = shortest_difference(black, white)
            winner = "black" if black.count(shortest) < white.count(shortest) else "white"
        if winner is None and self._last is not None:  # ruling N-6
            winner = COLORS[self._last]
        return Outcome(winner or "draw", {"black": black, "white": white})

    def _lengths(self) -> list[list[int]]:
        """Return the lengths of the snakes by color, in descending order."""
        return [sorted([snake.bit_count() for snake in snakes], reverse=True) for snakes in self._snakes]

    def _moves(self) -> Iterable[Line]:
        return list(self._lines()) or [PASS]

    def _lines(self) -> Iterator[Line]:
        """Yield every legal line."""
        board, own = self.board, self._stones[self._side]
        # A line starts next to an own stone.
        for first in cells_of(board.adjacent(own) & ~own):
            lines = lines_from(board, first)
            if self._broken_rule(lines[first]) is None:
                yield lines[first]
            for ray in board.rays[first]:
                for last in ray:
                    code = self._broken_rule(lines[last])
                    if code is None:
                        yield lines[last]
                    elif code in _FINAL:
                        break

    def _text(self, move: Line) -> str:
        if move is PASS:
            return "pass"
        first, last = self.names.names[move.first], self.names.names[move.last]
        return first if first == last else f"{first}-{last}"


def shortest_difference(black: list[int], white: list[int]) -> int:
    """Return the shortest length of which the colors, whose lengths differ, have different numbers of snakes."""
    return min(length for length in (*black, *white) if black.count(length) != white.count(length))
