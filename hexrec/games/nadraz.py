"""Nadraz: grow snakes in straight lines, cut those of the enemy; every snake keeps exactly two heads.

Rulings N-1 to N-7 of the rules page are decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain, pairwise
from typing import NamedTuple

from hexrec.board.geometry import Board, cells_of
from hexrec.diagnostics import Code
from hexrec.games.base import Position, bitboards, compare_lists, descending, single_stones
from hexrec.games.description import COLOURS, Colour, Game, IllegalTurn, Mark, Outcome, Stone


class Line(NamedTuple):
    """A line of consecutive cells c1 to ck in one direction.

    Attributes:
        first, last: c1 and ck.
        before: the cell before c1 in the line's direction; 0, which is no cell, off the board or if k is 1.
        cells: all its cells in order.
        bits: its cells as a bitboard.
        shore: the cells adjacent to one of them, as a bitboard.
    """

    first: int
    last: int
    before: int
    cells: range
    bits: int
    shore: int


PASS = Line(0, 0, 0, range(0), 0, 0)


@cache
def lines_from(board: Board, first: int) -> dict[int, Line]:
    """Return the lines with c1 = `first`, by ck."""
    lines = {first: Line(first, first, 0, range(first, first + 1), 1 << first, board.near[first])}
    for direction, step in enumerate(board.steps):
        before = first - step if board.rays[first][direction - 3] else 0
        bits, shore = 1 << first, board.near[first]
        for last in board.rays[first][direction]:
            bits |= 1 << last
            shore |= board.near[last]
            lines[last] = Line(first, last, before, range(first, last + step, step), bits, shore)
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


def well_formed(board: Board, snake: int) -> bool:
    """Return whether a snake is an egg or has exactly two heads, which is the whole test (ruling N-1)."""
    return ends_of(board, snake).bit_count() == (2 if snake & (snake - 1) else 1)


class NadrazPosition(Position[Line]):
    """A move is a `Line`, or PASS.

    The state, by colour: the snakes (a tuple of bitboards), all their stones, and those that are heads or eggs.
    `_last` is the colour that placed the last stone, None before the first one.
    """

    __slots__ = ("_ends", "_last", "_snakes", "_stones")

    def _set_up(self, stones: Mapping[int, int]) -> None:
        self._stones = bitboards(stones)
        self._ends = self._stones.copy()
        self._snakes: list[tuple[int, ...]] = [(egg,) for egg in self._stones]
        self._last: int | None = None

    def _parse(self, turn: str) -> Line:
        cells = self.names.cells
        found = [cells.get(name, 0) for name in turn.split("-", 1)]
        if 0 in found:
            _, found = self._cells(turn)
            if not found:
                return PASS
        line = lines_from(self.board, found[0]).get(found[-1])
        if line is None or (len(found) > 1 and found[0] == found[1]):
            first, last = (self.names.names[cell] for cell in found)
            if first == last:
                raise IllegalTurn("move/not-a-line", f"{first}-{last} names one cell twice: for one cell write {first}")
            message = f"{first} and {last} are not the two ends of one straight line of cells"
            raise IllegalTurn("move/not-a-line", message)
        return line

    def _refusal(self, move: Line) -> IllegalTurn | None:
        own, enemy = self._stones[self._mover], self._stones[1 - self._mover]
        if move is PASS:
            line = next(self._lines(), None)
            return line and IllegalTurn("move/early-pass", f"you may not pass while {self._text(line)} is legal")
        if move.bits & own or enemy >> move.last & 1:
            return self._obstructed(move, own)
        flipped = move.bits & enemy
        origin = self._origin_of_cut(move.before, move.first) if flipped else self._origin(move.first)
        if not origin:
            return self._no_origin(move, own, flipped)
        heads = flipped & self._ends[1 - self._mover]
        if heads:
            return IllegalTurn(
                "move/flips-head",
                f"{self._text(move)} flips a head or an egg, on {self._list(cells_of(heads))}: only middle stones of "
                "an enemy snake can be flipped",
            )
        others = own & ~origin
        if move.shore & others and (refusal := self._bad_merge(move, others, enemy)):
            return refusal
        rim = move.bits & self.board.rim_mask
        if rim and not flipped:
            return IllegalTurn(
                "move/rim",
                f"{self._text(move)} flips nothing, so it may not place on the rim: {self._list(cells_of(rim))}",
            )
        snake = next(self._ill_formed(move), 0)
        return self._wrong_heads(move, snake) if snake else None

    # What decides on a line.

    def _origin(self, first: int) -> int:
        """Return the snake that a line which flips nothing may grow from c1, 0 if there is none."""
        near = self.board.near[first]
        return next((snake for snake in self._snakes[self._mover] if 1 <= (near & snake).bit_count() <= 2), 0)

    def _origin_of_cut(self, before: int, first: int) -> int:
        """Return the snake that a line which flips something may grow from the cell before c1, 0 if there is none."""
        head = 1 << before & self._ends[self._mover]
        snake = next((snake for snake in self._snakes[self._mover] if snake & head), 0)
        # An enemy stone as c1 may touch any number of stones of the origin (ruling N-3).
        flips_first = self._stones[1 - self._mover] >> first & 1
        return 0 if not flips_first and self._crowd(first, snake) else snake

    def _crowd(self, cell: int, snakes: int) -> int:
        """Return the stones that `cell` touches of a snake among `snakes` if they are more than two, else 0."""
        near = self.board.near[cell] & snakes
        if near.bit_count() <= 2:
            return 0
        return next((near & snake for snake in self._snakes[self._mover] if (near & snake).bit_count() > 2), 0)

    def _grown(self, line: Line) -> int:
        """Return the snake that the line becomes with all the friendly snakes that it touches."""
        grown = line.bits
        for snake in self._snakes[self._mover]:
            if snake & line.shore:
                grown |= snake
        return grown

    def _parts(self, line: Line) -> Iterator[int]:
        """Yield the snakes that the line leaves of the enemy snakes that it cuts."""
        for snake in self._snakes[1 - self._mover]:
            if snake & line.bits:
                yield from self.board.components(snake & ~line.bits)

    def _ill_formed(self, line: Line) -> Iterator[int]:
        """Yield the snakes of either colour that would have a wrong number of heads after the turn."""
        for snake in chain((self._grown(line),), self._parts(line)):
            if not well_formed(self.board, snake):
                yield snake

    # Refusals that take some explaining.

    def _obstructed(self, line: Line, own: int) -> IllegalTurn:
        stones = line.bits & own
        if line.first == line.last:
            return self._occupied(line.last, self._mover if stones else 1 - self._mover)
        if stones:
            return IllegalTurn(
                "move/own-stone",
                f"{self._text(line)} takes in a stone of your own: {self._list(cells_of(stones))} must be left out",
            )
        return IllegalTurn(
            "move/no-cut-cell",
            f"{self._text(line)} ends on the enemy stone {self.names.names[line.last]}: the stones that a line flips "
            "must be followed by an empty cell, the cut cell, which the line takes too",
        )

    def _no_origin(self, line: Line, own: int, flipped: int) -> IllegalTurn:
        names = self.names.names
        if flipped and not 1 << line.before & self._ends[self._mover]:
            if not line.before:
                what = "there is no cell"
            elif own >> line.before & 1:
                what = f"{names[line.before]} is a middle stone"
            else:
                enemy = self._stones[1 - self._mover] >> line.before & 1
                what = f"{names[line.before]} is {'an enemy stone' if enemy else 'empty'}"
            return IllegalTurn(
                "move/no-head",
                f"{self._text(line)} flips {self._list(cells_of(flipped))}, so it must run straight on from a head or "
                f"an egg of yours, but before {names[line.first]} {what}",
            )
        crowd = self._crowd(line.first, own)
        if crowd:
            return self._crowded("move/start-crowded", line.first, crowd)
        return IllegalTurn(
            "move/no-origin",
            f"{names[line.first]} touches no stone of yours: a line starts next to one or two stones of a snake",
        )

    def _bad_merge(self, line: Line, others: int, enemy: int) -> IllegalTurn | None:
        """Refuse a line that goes on after meeting a snake other than the origin, or that ends in a crowd of one."""
        near, names = self.board.near, self.names.names
        meeting = next(cell for cell in line.cells if near[cell] & others)
        end = next(cell for cell in line.cells[line.cells.index(meeting) :] if not enemy >> cell & 1)
        if end != line.last:
            where = names[end] if end == meeting else f"{names[end]}, the cut cell of {names[meeting]}"
            return IllegalTurn(
                "move/past-merge",
                f"{names[meeting]} touches {self._list(cells_of(near[meeting] & others))} of another snake of yours, "
                f"so the line must end on {where}",
            )
        crowd = self._crowd(end, others)
        return self._crowded("move/merge-crowded", end, crowd) if crowd else None

    def _crowded(self, code: str, cell: int, crowd: int) -> IllegalTurn:
        what = "start" if code == "move/start-crowded" else "merge"
        return IllegalTurn(
            code,
            f"{self.names.names[cell]} touches {self._list(cells_of(crowd))} of one snake: a line may {what} next to "
            "one or two stones of a snake, not more",
        )

    def _wrong_heads(self, line: Line, snake: int) -> IllegalTurn:
        heads = cells_of(ends_of(self.board, snake))
        count = f"{len(heads)} head{'s'[: len(heads) - 1]} ({self._list(heads)})" if heads else "no head"
        rule = "it must have exactly two, a head being a stone that touches exactly one other stone of its snake"
        if snake & line.bits:
            return IllegalTurn("move/own-heads", f"your snake with {self._text(line)} would have {count}: {rule}")
        what = f"an enemy snake of {snake.bit_count()} stones, {self._list(cells_of(snake)[:1])} among them"
        return IllegalTurn("move/enemy-heads", f"{self._text(line)} would leave {what}, with {count}: {rule}")

    # Execution and listing.

    def _execute(self, move: Line) -> None:
        mover, foe = self._mover, 1 - self._mover
        if move is PASS:
            if self._passed:
                self._outcome = self._score()
            self._passed = True
        else:
            grown = self._grown(move)
            if move.bits & self._stones[foe]:
                whole = [snake for snake in self._snakes[foe] if not snake & move.bits]
                self._snakes[foe] = (*whole, *self._parts(move))
                self._stones[foe] &= ~move.bits
                self._ends[foe] = ends_of(self.board, self._stones[foe])
            self._snakes[mover] = (*[snake for snake in self._snakes[mover] if not snake & grown], grown)
            self._stones[mover] |= move.bits
            self._ends[mover] = ends_of(self.board, self._stones[mover])
            self._last = mover
            self._passed = False
        self._mover = foe
        self.plies += 1

    def _score(self) -> Outcome:
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
            single = lines_from(board, first)[first]
            origin = self._origin(first)
            if origin and not self._crowd(first, own & ~origin):
                if not any(self._ill_formed(single)):
                    yield single
                for ray in board.rays[first]:
                    yield from self._longer_lines(first, ray, origin, ~free, flips=False)
        # Lines that flip set out from a head or egg and take in no enemy head or egg.
        barred = own | self._ends[1 - self._mover]
        for before in cells_of(self._ends[self._mover]):
            for first, *beyond in filter(None, board.rays[before]):
                if origin := self._origin_of_cut(before, first):
                    yield from self._longer_lines(first, beyond, origin, barred, flips=True)

    def _longer_lines(self, first: int, ray: Iterable[int], origin: int, barred: int, flips: bool) -> Iterator[Line]:
        """Yield the legal lines from `first` along a ray, clear of the `barred` cells, that flip stones or do not."""
        enemy = self._stones[1 - self._mover]
        others = self._stones[self._mover] & ~origin
        shore = self.board.adjacent(others)
        merged = shore & ~enemy & 1 << first
        for last in ray:
            line = lines_from(self.board, first)[last]
            if merged or line.bits & barred:
                break
            if enemy >> last & 1:
                continue
            cuts = line.bits & enemy != 0
            if cuts == flips and not self._crowd(last, others) and not any(self._ill_formed(line)):
                yield line
            merged = line.bits & shore

    def _text(self, move: Line) -> str:
        if move is PASS:
            return "pass"
        first, last = self.names.names[move.first], self.names.names[move.last]
        return first if first == last else f"{first}-{last}"

    def stones(self) -> dict[int, Stone]:
        """Return what stands on the board, by cell."""
        return single_stones(self._stones)

    def _turn_marks(self, move: Line) -> Iterable[Mark]:
        enemy = self._stones[1 - self._mover]
        flipped = tuple(cell for cell in move.cells if enemy >> cell & 1)
        cuts = tuple(cell for last, cell in pairwise(move.cells) if last in flipped and cell not in flipped)
        yield Mark("placed", "placed", tuple(cell for cell in move.cells if cell not in (*flipped, *cuts)))
        yield Mark("changed", "flipped", flipped)
        yield Mark("cut", "cut cell", cuts)

    def _marks(self) -> Iterable[Mark]:
        for colour, snakes in enumerate(self._snakes):
            for snake in snakes:
                heads = tuple(cells_of(snake & self._ends[colour]))
                if self.is_over:
                    yield Mark("tip", "head (the number: length of the snake)", heads, colour, str(snake.bit_count()))
                else:
                    yield Mark("tip", "head", heads, colour)

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
    codes={
        "move/early-pass": Code(
            "A player passes who has another legal turn.",
            "Look for a missing turn; `hexrec legal` lists the legal ones.",
            rule="Only a player who has no other turn may pass.",
            example='{hexrec: "1", game: nadraz, size: 4, opening: {black: d4, white: f2}, moves: [pass]}',
        ),
        "move/not-a-line": Code(
            "The two cells of a turn are the same, or not on one straight line.",
            "Name the first and the last cell of a straight line, or one cell alone.",
            rule="A line goes straight on, in one of the six directions; a line of one cell is that cell.",
            example='{hexrec: "1", game: nadraz, size: 4, opening: {black: d4, white: f2}, moves: [d3-c5]}',
        ),
        "move/own-stone": Code(
            "A line takes in a stone of the player's own.",
            "Check both ends of the line; an earlier turn may be missing or wrong.",
            rule="A line holds empty cells and enemy stones only.",
            example='{hexrec: "1", game: nadraz, size: 4, opening: {black: d4, white: f2}, moves: [d3-d5]}',
        ),
        "move/no-cut-cell": Code(
            "A line ends on an enemy stone.",
            "Check the line's last cell.",
            rule="Flipped stones are followed in the line by an empty cell, the cut cell.",
            example='{hexrec: "1", game: nadraz, size: 4, opening: {black: d2, white: d4}, moves: [d3-d4]}',
        ),
        "move/no-origin": Code(
            "A line that flips nothing starts on a cell that touches no stone of the player's.",
            "Check the line's first cell; an earlier turn may be missing or wrong.",
            rule=(
                "A line that flips nothing starts next to a snake of the player's, and may go in any direction "
                "(ruling N-2)."
            ),
            example='{hexrec: "1", game: nadraz, size: 4, opening: {black: d4, white: f2}, moves: [b2]}',
        ),
        "move/start-crowded": Code(
            "A line starts on an empty cell that touches three or more stones of its snake.",
            "Check the line's first cell.",
            rule="An empty cell that starts a line touches one or two stones of the snake that the line grows from.",
            example='{hexrec: "1", game: nadraz, size: 4, opening: {black: d5, white: b4}, moves: [e4-e2, b3, d4-c3]}',
        ),
        "move/no-head": Code(
            "A line flips enemy stones without coming straight from a head or egg of the player's.",
            "Check the line's first cell, the one just after the head, and its direction.",
            rule=(
                "A line that flips stones, from its first cell or later (ruling N-3), runs straight on from a head "
                "or egg of the player's."
            ),
            example='{hexrec: "1", game: nadraz, size: 4, opening: {black: g2, white: e6}, moves: [f3-e3, f5-f2]}',
        ),
        "move/flips-head": Code(
            "A line takes in a head or an egg of the enemy.",
            "Check both ends of the line; an earlier turn may be missing or wrong.",
            rule="Heads and eggs cannot be flipped, only the other stones of a snake.",
            example='{hexrec: "1", game: nadraz, size: 4, opening: {black: d3, white: d4}, moves: [d4-d5]}',
        ),
        "move/past-merge": Code(
            "A line goes on after meeting a snake of the player's other than the one that it grows from.",
            "End the line on the cell that the message names.",
            rule=(
                "A line ends where it meets another snake of the player's or, if a flipped stone meets it, on the "
                "cut cell that follows."
            ),
            example=(
                '{hexrec: "1", game: nadraz, size: 4, opening: {black: c3, white: c4},\n  moves: [d4-d5, d4-f2, d4-g4]}'
            ),
        ),
        "move/merge-crowded": Code(
            "A line's last cell touches three or more stones of a snake that it merges with.",
            "Check the line's last cell.",
            rule=(
                "The last cell of a line touches one or two stones of each friendly snake that it merges with "
                "(rulings N-4, N-7)."
            ),
            example=(
                '{hexrec: "1", game: nadraz, size: 4, opening: {black: f5, white: c5},\n'
                "  moves: [e5-b3, d5-e4, d4, c4-c3, d5-d6, b2-d2, b4, e3-d3]}"
            ),
        ),
        "move/rim": Code(
            "A turn that flips nothing places a stone on the rim of the board.",
            "Check the line; if it should flip a stone, an earlier turn may be missing or wrong.",
            rule="Only a turn that flips may place on the rim (ruling N-5).",
            example='{hexrec: "1", game: nadraz, size: 4, opening: {black: c2, white: f3}, moves: [b1]}',
        ),
        "move/own-heads": Code(
            "The player's snake would not have two heads after the turn.",
            "Check both ends of the line; an earlier turn may be missing or wrong.",
            rule="After a turn, every snake of two or more stones has exactly two heads (ruling N-1).",
            example='{hexrec: "1", game: nadraz, size: 4, opening: {black: d4, white: f2}, moves: [e4-d5]}',
        ),
        "move/enemy-heads": Code(
            "A part of a cut enemy snake would be longer than one stone and not have two heads.",
            "Check which stones the line flips; an earlier turn may be missing or wrong.",
            rule="A cut leaves only eggs and snakes with exactly two heads (ruling N-1).",
            example=(
                '{hexrec: "1", game: nadraz, size: 4, opening: {black: g2, white: f2},\n'
                "  moves: [f3-c2, e2, e4, d3-c3]}"
            ),
        ),
    },
    position=NadrazPosition,
    surface="rimmed cells",
    variants=("reverse",),
)
