"""Nadraz: grow snakes in straight lines, cut those of the enemy; every snake keeps exactly two heads.

Rulings N-1 to N-7 of the rules page are decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

from hexrec.board.board import BIT, Board, cells_of
from hexrec.games.annotation import Annotation
from hexrec.games.game import Game, Position
from hexrec.games.outcome import COLOURS, Colour, Outcome, compare_lists, descending
from hexrec.games.refusal import IllegalTurn


class Line(NamedTuple):
    """A line of consecutive cells c1 to ck in one direction.

    Attributes:
        first, last: c1 and ck.
        before: the cell before c1 in the line's direction; 0, which is no cell, off the board or if k is 1.
        cells: all its cells in order.
        bits: its cells as a bitboard.
        border: the cells adjacent to one of them, as a bitboard.
    """

    first: int
    last: int
    before: int
    cells: range
    bits: int
    border: int


PASS = Line(0, 0, 0, range(0), 0, 0)


@cache
def lines_from(board: Board, first: int) -> dict[int, Line]:
    """Return the lines with c1 = `first`, by ck."""
    masks = board.neighbour_masks
    lines = {first: Line(first, first, 0, range(first, first + 1), BIT[first], masks[first])}
    for direction, step in enumerate(board.steps):
        before = first - step if board.rays[first][direction - 3] else 0
        bits, border = BIT[first], masks[first]
        for last in board.rays[first][direction]:
            bits |= BIT[last]
            border |= masks[last]
            lines[last] = Line(first, last, before, range(first, last + step, step), bits, border)
    return lines


def ends_of(board: Board, stones: int) -> int:
    """Return the heads and eggs among stones of one colour: those with at most one neighbour of that colour."""
    up = board.width
    slant = up - 1
    once, twice = stones << 1 | stones >> 1, stones << 1 & stones >> 1
    for neighbours in (stones << up, stones >> up, stones << slant, stones >> slant):
        twice |= once & neighbours
        once |= neighbours
    return stones & ~twice


def right_number(snake: int, heads: int) -> bool:
    """Return whether a snake with these heads is an egg or has exactly two, which is the whole test (ruling N-1)."""
    return heads.bit_count() == (2 if snake & (snake - 1) else 1)


class Change(NamedTuple):
    """What a line makes of the snakes.

    Attributes:
        ply: after how many turns.
        line: the line.
        grown: the mover's snake with the line and all snakes that it merges.
        parts: what is left of the enemy snakes that it cuts.
        heads: the heads and eggs of all of these.
    """

    ply: int
    line: Line
    grown: int
    parts: tuple[int, ...]
    heads: int


class NadrazPosition(Position[Line]):
    """A move is a `Line`, or PASS.

    The state, by colour: the snakes (a tuple of bitboards), and the stones that are heads or eggs. `_last` is the
    colour that placed the last stone, None before the first one. `_change` remembers what a line does to the snakes
    from the question whether it is legal until it is played.
    """

    __slots__ = ("_change", "_ends", "_last", "_snakes")

    passing = PASS

    def _set_up(self) -> None:
        self._ends = self._stones.copy()
        self._snakes: list[tuple[int, ...]] = [(egg,) for egg in self._stones]
        self._last: int | None = None
        self._change: Change | None = None

    def _parse(self, turn: str) -> Line:
        cells = self.names.cells
        found = [cells.get(name, 0) for name in turn.split("-", 1)]
        if 0 in found:
            _, found = self._cells(turn)
            if not found:
                return PASS
        line = lines_from(self.board, found[0]).get(found[-1])
        if line is None or (len(found) > 1 and found[0] == found[1]):
            raise IllegalTurn("move/not-a-line", partial(self._explain_ends, *found))
        return line

    def _refusal(self, move: Line) -> IllegalTurn | None:
        if move is PASS:
            line = next(self._lines(), None)
            return line and IllegalTurn(
                "move/early-pass", lambda: f"you may not pass while {self._text(line)} is legal"
            )
        own, enemy = self._stones[self._mover], self._stones[1 - self._mover]
        if move.bits & own or enemy & BIT[move.last]:
            return self._obstructed(move, own)
        flipped = move.bits & enemy
        if flipped:
            origin = self._snake_of_head(move.before)
            refusal = self._cuts(move, origin, flipped)
        else:
            origin = self._origin(move.first)
            refusal = self._start(move, origin)
        return refusal or self._merging(move, origin) or self._rim(move, flipped) or self._well_formed(move)

    # The five conditions of the rules page: each returns the refusal of a line that breaks it.

    def _start(self, line: Line, origin: int) -> IllegalTurn | None:
        """1. If c1 is empty, it is adjacent to one or two stones of the origin (0: there is none)."""
        # An enemy stone as c1 may touch any number of stones of the origin (ruling N-3).
        if self._stones[1 - self._mover] & BIT[line.first] or self._touches_one_or_two(line.first, origin):
            return None
        crowding = self._crowding(line.first, self._stones[self._mover])
        if crowding:
            return self._crowded("move/start-crowded", line.first, crowding)
        return IllegalTurn(
            "move/no-origin",
            lambda: (
                f"{self.names.names[line.first]} touches none of your stones: a line starts next to one or two stones "
                "of a snake"
            ),
        )

    def _cuts(self, line: Line, origin: int, flipped: int) -> IllegalTurn | None:
        """2. A line that flips comes straight from a head or egg, that of the origin, and flips no head or egg."""
        if not origin:
            return IllegalTurn("move/no-head", lambda: self._explain_no_head(line, flipped))
        if refusal := self._start(line, origin):
            return refusal
        heads = flipped & self._ends[1 - self._mover]
        if not heads:
            return None
        return IllegalTurn(
            "move/flips-head",
            lambda: (
                f"{self._text(line)} flips a head or an egg, on {self._list(cells_of(heads))}: only middle stones of "
                "an enemy snake can be flipped"
            ),
        )

    def _merging(self, line: Line, origin: int) -> IllegalTurn | None:
        """3. A line ends where it meets a friendly snake other than the origin, or on the cut cell after that.

        There it touches one or two stones of each such snake.
        """
        others = self._stones[self._mover] & ~origin
        if not line.border & others:
            return None
        masks, enemy = self.board.neighbour_masks, self._stones[1 - self._mover]
        meeting = next(cell for cell in line.cells if masks[cell] & others)
        end = next(cell for cell in line.cells[line.cells.index(meeting) :] if not enemy & BIT[cell])
        if end != line.last:
            return IllegalTurn("move/past-merge", lambda: self._explain_past_merge(meeting, end, others))
        crowding = self._crowding(end, others)
        return self._crowded("move/merge-crowded", end, crowding) if crowding else None

    def _rim(self, line: Line, flipped: int) -> IllegalTurn | None:
        """4. A turn that flips nothing does not place on a rim cell (ruling N-5)."""
        rim = line.bits & self.board.rim_mask
        if flipped or not rim:
            return None
        return IllegalTurn(
            "move/rim",
            lambda: f"{self._text(line)} flips nothing, so it may not place on the rim: {self._list(cells_of(rim))}",
        )

    def _well_formed(self, line: Line) -> IllegalTurn | None:
        """5. Afterwards every snake of two or more stones has exactly two heads (ruling N-1)."""
        change = self._changed(line)
        for snake in (change.grown, *change.parts):
            heads = change.heads & snake
            if not right_number(snake, heads):
                code = "move/own-heads" if snake & line.bits else "move/enemy-heads"
                return IllegalTurn(code, partial(self._explain_heads, line, snake, heads))
        return None

    # What decides on a line.

    def _touches_one_or_two(self, cell: int, snake: int) -> bool:
        return 1 <= (self.board.neighbour_masks[cell] & snake).bit_count() <= 2

    def _origin(self, first: int) -> int:
        """Return the snake that a line which flips nothing may grow from c1, 0 if there is none."""
        return next((snake for snake in self._snakes[self._mover] if self._touches_one_or_two(first, snake)), 0)

    def _snake_of_head(self, cell: int) -> int:
        """Return the mover's snake that has a head on a cell, or is an egg on it, 0 if there is none."""
        head = BIT[cell] & self._ends[self._mover]
        return next((snake for snake in self._snakes[self._mover] if snake & head), 0)

    def _crowding(self, cell: int, snakes: int) -> int:
        """Return the stones that `cell` touches of a snake among `snakes` if they are more than two, else 0."""
        touched = self.board.neighbour_masks[cell] & snakes
        if touched.bit_count() <= 2:
            return 0
        of_each = (touched & snake for snake in self._snakes[self._mover])
        return next((stones for stones in of_each if stones.bit_count() > 2), 0)

    def _grown(self, line: Line) -> int:
        """Return the snake that the line becomes with all the friendly snakes that it touches."""
        grown = line.bits
        for snake in self._snakes[self._mover]:
            if snake & line.border:
                grown |= snake
        return grown

    def _parts(self, line: Line) -> Iterator[int]:
        """Yield the snakes that the line leaves of the enemy snakes that it cuts."""
        for snake in self._snakes[1 - self._mover]:
            if snake & line.bits:
                yield from self.board.components(snake & ~line.bits)

    def _changed(self, line: Line) -> Change:
        """Return what the line would make of the snakes, and remember it."""
        if self._change is None or self._change.line is not line or self._change.ply != self.plies:
            grown, parts = self._grown(line), tuple(self._parts(line))
            heads = ends_of(self.board, grown)
            for part in parts:
                heads |= ends_of(self.board, part)
            self._change = Change(self.plies, line, grown, parts, heads)
        return self._change

    def _keeps_form(self, line: Line) -> bool:
        """Return whether the position would be well formed after the turn."""
        board, grown = self.board, self._grown(line)
        return right_number(grown, ends_of(board, grown)) and all(
            right_number(part, ends_of(board, part)) for part in self._parts(line)
        )

    # Refusals that take some explaining.

    def _explain_ends(self, first: int, last: int) -> str:
        one, other = self.names.names[first], self.names.names[last]
        if first == last:
            return f"{one}-{other} names one cell twice: for one cell write {one}"
        return f"{one} and {other} are not the two ends of one straight line of cells"

    def _obstructed(self, line: Line, own: int) -> IllegalTurn:
        stones = line.bits & own
        if line.first == line.last:
            return self._occupied(line.last)
        if stones:
            return IllegalTurn(
                "move/own-stone",
                lambda: (
                    f"{self._text(line)} includes stones of your own: {self._list(cells_of(stones))} must be left out"
                ),
            )
        return IllegalTurn(
            "move/no-cut-cell",
            lambda: (
                f"{self._text(line)} ends on the enemy stone {self.names.names[line.last]}: the stones that a line "
                "flips must be followed by an empty cell, the cut cell, which the line takes too"
            ),
        )

    def _explain_no_head(self, line: Line, flipped: int) -> str:
        names = self.names.names
        if not line.before:
            what = "there is no cell"
        elif self._stones[self._mover] & BIT[line.before]:
            what = f"{names[line.before]} is a middle stone"
        else:
            enemy = self._stones[1 - self._mover] & BIT[line.before]
            what = f"{names[line.before]} is {'an enemy stone' if enemy else 'empty'}"
        return (
            f"{self._text(line)} flips {self._list(cells_of(flipped))}, so it must run straight on from a head or "
            f"an egg of yours, but before {names[line.first]} {what}"
        )

    def _explain_past_merge(self, meeting: int, end: int, others: int) -> str:
        names = self.names.names
        where = names[end] if end == meeting else f"{names[end]}, the cut cell of {names[meeting]}"
        touched = self._list(cells_of(self.board.neighbour_masks[meeting] & others))
        return f"{names[meeting]} touches {touched} of another snake of yours, so the line must end on {where}"

    def _crowded(self, code: str, cell: int, crowding: int) -> IllegalTurn:
        what = "start" if code == "move/start-crowded" else "merge"
        return IllegalTurn(
            code,
            lambda: (
                f"{self.names.names[cell]} touches {self._list(cells_of(crowding))} of one snake: a line may {what} "
                "next to one or two stones of a snake, not more"
            ),
        )

    def _explain_heads(self, line: Line, snake: int, ends: int) -> str:
        heads = cells_of(ends)
        count = f"{len(heads)} head{'s'[: len(heads) - 1]} ({self._list(heads)})" if heads else "no head"
        rule = "it must have exactly two, a head being a stone that touches exactly one other stone of its snake"
        if snake & line.bits:
            return f"your snake with {self._text(line)} would have {count}: {rule}"
        what = f"an enemy snake of {snake.bit_count()} stones, {self._list(cells_of(snake)[:1])} among them"
        return f"{self._text(line)} would leave {what}, with {count}: {rule}"

    # Execution and listing.

    def _execute(self, move: Line) -> None:
        mover, foe = self._mover, 1 - self._mover
        _, _, grown, parts, heads = self._changed(move)
        if move.bits & self._stones[foe]:
            whole = tuple(snake for snake in self._snakes[foe] if not snake & move.bits)
            self._snakes[foe] = whole + parts
            self._stones[foe] &= ~move.bits
            cut = sum(parts)
            self._ends[foe] = self._ends[foe] & ~cut | heads & cut
        untouched = tuple(snake for snake in self._snakes[mover] if not snake & grown)
        self._snakes[mover] = (*untouched, grown)
        self._stones[mover] |= move.bits
        self._ends[mover] = self._ends[mover] & ~grown | heads & grown
        self._last = mover

    def _passed_out(self) -> Outcome:
        black, white = ([snake.bit_count() for snake in snakes] for snakes in self._snakes)
        winner = fewer_short(black, white) if self.variant == "reverse" else compare_lists(black, white)
        if winner is None and self._last is not None:  # ruling N-6
            winner = COLOURS[self._last]
        lengths: dict[Colour, list[int]] = {"black": descending(black), "white": descending(white)}
        return Outcome(winner or "draw", lengths)

    def _moves(self) -> Iterable[Line]:
        return list(self._lines()) or [PASS]

    def _lines(self) -> Iterator[Line]:
        """Yield every legal line."""
        board, own, enemy = self.board, self._stones[self._mover], self._stones[1 - self._mover]
        # Lines that flip nothing keep to empty cells off the rim.
        free = board.mask & ~board.rim_mask & ~own & ~enemy
        for first in cells_of(board.adjacent(own) & free):
            origin = self._origin(first)
            others = own & ~origin
            if origin and not self._crowding(first, others):
                single = lines_from(board, first)[first]
                if self._keeps_form(single):
                    yield single
                border = board.adjacent(others)
                if not border & BIT[first]:
                    for ray in board.rays[first]:
                        yield from self._longer_lines(first, ray, others, border, ~free, flips=False)
        # Lines that flip set out from a head or egg and take in no enemy head or egg.
        forbidden = own | self._ends[1 - self._mover]
        for before in cells_of(self._ends[self._mover]):
            origin = self._snake_of_head(before)
            others = own & ~origin
            border = board.adjacent(others)
            for first, *beyond in filter(None, board.rays[before]):
                if forbidden & BIT[first]:
                    continue
                if enemy & BIT[first] or (self._touches_one_or_two(first, origin) and not border & BIT[first]):
                    yield from self._longer_lines(first, beyond, others, border, forbidden, flips=True)

    def _longer_lines(
        self, first: int, ray: Iterable[int], others: int, border: int, forbidden: int, flips: bool
    ) -> Iterator[Line]:
        """Yield the legal lines from `first` along a ray, clear of `forbidden` cells, that flip stones or do not.

        `others` are the friendly stones outside the origin, `border` the cells next to them.
        """
        lines, enemy = lines_from(self.board, first), self._stones[1 - self._mover]
        for last in ray:
            if forbidden & BIT[last]:
                break
            if enemy & BIT[last]:
                continue
            line = lines[last]
            cuts = line.bits & enemy != 0
            if cuts == flips and not self._crowding(last, others) and self._keeps_form(line):
                yield line
            if line.bits & border:  # it merges here
                break

    def _text(self, move: Line) -> str:
        if move is PASS:
            return "pass"
        first, last = self.names.names[move.first], self.names.names[move.last]
        return first if first == last else f"{first}-{last}"

    def _turn_effects(self, move: Line) -> Iterable[Annotation]:
        enemy = self._stones[1 - self._mover]
        flipped = tuple(cell for cell in move.cells if enemy & BIT[cell])
        cuts = tuple(cell for last, cell in pairwise(move.cells) if last in flipped and cell not in flipped)
        yield Annotation("placed", "placed", tuple(cell for cell in move.cells if cell not in (*flipped, *cuts)))
        yield Annotation("changed", "flipped", flipped)
        yield Annotation("cut", "cut cell", cuts)

    def _highlights(self) -> Iterable[Annotation]:
        for colour, snakes in enumerate(self._snakes):
            for snake in snakes:
                heads = tuple(cells_of(snake & self._ends[colour]))
                if self.is_over:
                    yield Annotation(
                        "end", "head (the number: length of the snake)", heads, colour, str(snake.bit_count())
                    )
                else:
                    yield Annotation("end", "head", heads, colour)

    def _key(self) -> tuple[object, ...]:
        return (*super()._key(), self._last)


def fewer_short(black: list[int], white: list[int]) -> Colour | None:
    """Return the colour with fewer snakes of the shortest length of which the numbers differ, None if all are equal."""
    for length in sorted({*black, *white}):
        ours, theirs = black.count(length), white.count(length)
        if ours != theirs:
            return "black" if ours < theirs else "white"
    return None


NADRAZ = Game(
    name="nadraz",
    title="Nadraz",
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
    surface="rimmed cells",
    variants=("reverse",),
)
