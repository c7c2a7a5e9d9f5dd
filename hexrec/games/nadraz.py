"""Nadraz: grow snakes in straight lines, cut those of the enemy; every snake keeps exactly two heads.

Rulings N-1 to N-7 of the rules page are decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

from hexrec.board.board import BIT, Board, cells_of
from hexrec.board.coordinates import CellNames
from hexrec.board.lines import Line, lines_from
from hexrec.games.annotation import Annotation, Stone
from hexrec.games.description import Brief
from hexrec.games.explanation import Explanation, Reason, Row, Table, difference
from hexrec.games.game import Game
from hexrec.games.outcome import COLOURS, Colour, Outcome, compare_lists, descending
from hexrec.games.position import Position
from hexrec.games.refusal import IllegalTurn, SetupFault

PASS = Line(0, 0, 0, range(0), 0, 0)


@cache
def spelled_lines(names: CellNames) -> dict[str, Line]:  # noqa: ARG001
    """Return the lines that were read so far, by their texts in a coordinate system of a board."""
    return {}


def ends_of(board: Board, stones: int) -> int:
    """Return the heads and eggs among stones of one colour: those with at most one neighbour of that colour."""
    return stones & ~board.touching(stones)[1]


def right_number(snake: int, heads: int) -> bool:
    """Return whether a snake with these heads is an egg or has exactly two, which is the whole test (ruling N-1)."""
    return heads.bit_count() == (2 if snake & (snake - 1) else 1)


class Change(NamedTuple):
    """What a line makes of the snakes.

    Attributes:
        grown: the mover's snake with the line and all snakes that it merges.
        parts: what is left of the enemy snakes that it cuts.
        heads: the heads and eggs of all of these.
    """

    grown: int
    parts: list[int]
    heads: int


class NadrazPosition(Position[Line]):
    """A move is a `Line`, or PASS.

    The state, by colour: the snakes (a tuple of bitboards), and the stones that are heads or eggs. `_change`
    remembers what the line that was last found legal does to the snakes: a line is played right after that.
    """

    __slots__ = ("_change", "_ends", "_snakes")

    _passing = PASS

    def _set_up(self, stones: Mapping[int, Stone]) -> None:  # noqa: ARG002
        self._ends = [ends_of(self.board, own) for own in self._stones]
        self._snakes: list[tuple[int, ...]] = [tuple(self.board.components(own)) for own in self._stones]
        self._change: Change | None = None

    def _setup_fault(self) -> SetupFault | None:
        for colour, snakes, ends in zip(COLOURS, self._snakes, self._ends, strict=True):
            for snake in snakes:
                if not right_number(snake, snake & ends):
                    cell, count = cells_of(snake)[0], (snake & ends).bit_count()
                    heads = "1 head" if count == 1 else f"{count} heads"
                    message = (
                        f"the {colour} snake on {self.names.names[cell]} has {heads}: every snake of two or more "
                        "stones has two"
                    )
                    return SetupFault("setup/not-well-formed", message, cell)
        return None

    def _parse(self, turn: str) -> Line:
        spelled = spelled_lines(self.names)
        line = spelled.get(turn)
        if line is not None:
            return line
        text, found = self._cells(turn)
        if not found:
            return PASS
        line = lines_from(self.board, found[0]).get(found[-1])
        if line is None or (len(found) > 1 and found[0] == found[1]):
            raise IllegalTurn("move/not-a-line", partial(self._explain_ends, *found))
        spelled[text] = line
        return line

    def _refusal(self, move: Line) -> IllegalTurn | None:
        if move is PASS:
            line = next(self._lines(), None)
            return line and IllegalTurn(
                "move/early-pass", lambda: f"you may not pass while {self._text(line)} is legal"
            )
        code = self._broken_rule(move)
        return None if code is None else IllegalTurn(code, lambda: self._explain(code, move))

    def _broken_rule(self, line: Line) -> str | None:
        """Return the code of the first rule that the line breaks, None if it is legal."""
        first, last, before, _, bits, border = line
        own, enemy = self._stones[self._mover], self._stones[1 - self._mover]
        masks = self.board.neighbour_masks
        if bits & own or enemy & BIT[last]:
            if first == last:
                return "move/occupied"
            return "move/own-stone" if bits & own else "move/no-cut-cell"
        flipped = bits & enemy

        # 1. Start: an empty c1 touches one or two stones of the origin; an enemy one any number (ruling N-3).
        # 2. Cuts: a line that flips comes straight from a head or egg, that of the origin, and flips no head or egg.
        origin = self._snake_of_head(before) if flipped else self._origin(first)
        if flipped:
            if not origin:
                return "move/no-head"
            if not enemy & BIT[first] and (masks[first] & origin).bit_count() > 2:
                return "move/start-crowded"
            if flipped & self._ends[1 - self._mover]:
                return "move/flips-head"
        elif not origin:
            return "move/start-crowded" if masks[first] & own else "move/no-origin"

        # 3. Merging: a line ends where it meets another friendly snake, or on the cut cell after that. There it touches
        # one or two stones of each such snake.
        others = own & ~origin
        if border & others:
            _, end = self._meeting(line, others)
            if end != last:
                return "move/past-merge"
            if self._crowding(end, others):
                return "move/merge-crowded"

        # 4. Rim: a turn that flips nothing does not place on a rim cell (ruling N-5).
        if not flipped and bits & self.board.rim_mask:
            return "move/rim"

        # 5. Form: afterwards every snake of two or more stones has exactly two heads (ruling N-1).
        misshapen = self._misshapen(line)
        if misshapen:
            return "move/own-heads" if misshapen & bits else "move/enemy-heads"
        return None

    # What decides on a line.

    def _origin(self, first: int) -> int:
        """Return the snake that a line which flips nothing may grow from c1, 0 if there is none."""
        # If c1 touches another one as well, the line ends there, whichever of them it grows from.
        around = self.board.neighbour_masks[first]
        for snake in self._snakes[self._mover]:
            touched = around & snake
            if touched and touched.bit_count() <= 2:
                return snake
        return 0

    def _snake_of_head(self, cell: int) -> int:
        """Return the mover's snake that has a head on a cell, or is an egg on it, 0 if there is none."""
        head = BIT[cell] & self._ends[self._mover]
        for snake in self._snakes[self._mover]:
            if snake & head:
                return snake
        return 0

    def _meeting(self, line: Line, others: int) -> tuple[int, int]:
        """Return the first cell of a line that touches the stones `others`, and the cell on which it has to end."""
        masks, enemy = self.board.neighbour_masks, self._stones[1 - self._mover]
        meeting = next(cell for cell in line.cells if masks[cell] & others)
        end = next(cell for cell in line.cells[line.cells.index(meeting) :] if not enemy & BIT[cell])
        return meeting, end

    def _crowding(self, cell: int, snakes: int) -> int:
        """Return the stones that `cell` touches of a snake among `snakes` if they are more than two, else 0."""
        around = self.board.neighbour_masks[cell] & snakes
        for snake in self._snakes[self._mover]:
            touched = around & snake
            if touched.bit_count() > 2:
                return touched
        return 0

    def _misshapen(self, line: Line) -> int:
        """Return a snake of two or more stones that would not have exactly two heads after the turn, 0 for none.

        If there is none, what the line makes of the snakes is remembered.
        """
        grown = line.bits
        for snake in self._snakes[self._mover]:
            if snake & line.border:
                grown |= snake
        heads = ends_of(self.board, grown)
        if not right_number(grown, heads):
            return grown
        parts: list[int] = []
        if line.bits & self._stones[1 - self._mover]:
            for snake in self._snakes[1 - self._mover]:
                if snake & line.bits:
                    left = snake & ~line.bits
                    heads |= ends_of(self.board, left)
                    parts += self.board.components(left)
            for part in parts:
                if not right_number(part, heads & part):
                    return part
        self._change = Change(grown, parts, heads)
        return 0

    # Refusals that take some explaining.

    def _explain_ends(self, first: int, last: int) -> str:
        one, other = self.names.names[first], self.names.names[last]
        if first == last:
            return f"{one}-{other} names one cell twice: for one cell write {one}"
        return f"{one} and {other} are not the two ends of one straight line of cells"

    def _explain(self, code: str, line: Line) -> str:
        """Word the refusal of a line that breaks the rule with this code."""
        names, text = self.names.names, self._text(line)
        own, enemy = self._stones[self._mover], self._stones[1 - self._mover]
        if code == "move/occupied":
            return self._occupied(line.last).message
        if code == "move/own-stone":
            return f"{text} includes stones of your own: {self._list(cells_of(line.bits & own))} must be left out"
        if code == "move/no-cut-cell":
            return (
                f"{text} ends on the enemy stone {names[line.last]}: the stones that a line flips must be followed by "
                "an empty cell, the cut cell, which the line takes too"
            )
        if code == "move/no-origin":
            return (
                f"{names[line.first]} touches none of your stones: a line starts next to one or two stones of a snake"
            )
        if code == "move/start-crowded":
            return self._explain_crowding(line.first, own, "start")
        flipped = line.bits & enemy
        if code == "move/no-head":
            if not line.before:
                what = f"there is no cell before {names[line.first]}"
            else:
                stone = "an enemy stone" if enemy & BIT[line.before] else "empty"
                found = "a middle stone" if own & BIT[line.before] else stone
                what = f"{names[line.before]}, the cell before {names[line.first]}, is {found}"
            return (
                f"{text} flips {self._list(cells_of(flipped))}, so it must run straight on from a head or an egg of "
                f"yours, but {what}"
            )
        if code == "move/flips-head":
            heads = cells_of(flipped & self._ends[1 - self._mover])
            return (
                f"{text} flips a head or an egg, on {self._list(heads)}: only middle stones of an enemy snake can be "
                "flipped"
            )
        if code == "move/rim":
            rim = cells_of(line.bits & self.board.rim_mask)
            return f"{text} flips nothing, so it may not place on the rim: {self._list(rim)}"
        if code in ("move/own-heads", "move/enemy-heads"):
            snake = self._misshapen(line)
            return self._explain_heads(line, snake, ends_of(self.board, snake))
        others = own & ~(self._snake_of_head(line.before) if flipped else self._origin(line.first))
        meeting, end = self._meeting(line, others)
        if code == "move/merge-crowded":
            return self._explain_crowding(end, others, "merge")
        where = names[end] if end == meeting else f"{names[end]}, the cut cell of {names[meeting]}"
        touched = self._list(cells_of(self.board.neighbour_masks[meeting] & others))
        return f"{names[meeting]} touches {touched} of another snake of yours, so the line must end on {where}"

    def _explain_crowding(self, cell: int, snakes: int, what: str) -> str:
        return (
            f"{self.names.names[cell]} touches {self._list(cells_of(self._crowding(cell, snakes)))} of one snake: a "
            f"line may {what} next to one or two stones of a snake, not more"
        )

    def _explain_heads(self, line: Line, snake: int, ends: int) -> str:
        heads = cells_of(ends)
        count = f"{len(heads)} head{'' if len(heads) == 1 else 's'} ({self._list(heads)})" if heads else "no head"
        rule = "it must have exactly two, a head being a stone that touches exactly one other stone of its snake"
        if snake & line.bits:
            return f"your snake with {self._text(line)} would have {count}: {rule}"
        what = f"an enemy snake of {snake.bit_count()} stones, {self._list(cells_of(snake)[:1])} among them"
        return f"{self._text(line)} would leave {what}, with {count}: {rule}"

    # Execution and listing.

    def _execute(self, move: Line) -> None:
        mover, foe = self._mover, 1 - self._mover
        assert self._change is not None
        grown, parts, heads = self._change
        self._snakes[foe] = (*[snake for snake in self._snakes[foe] if not snake & move.bits], *parts)
        self._stones[foe] &= ~move.bits
        cut = sum(parts)
        self._ends[foe] = self._ends[foe] & ~cut | heads & cut
        self._snakes[mover] = (*[snake for snake in self._snakes[mover] if not snake & grown], grown)
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
        board, snakes = self.board, self._snakes[self._mover]
        own, enemy = self._stones[self._mover], self._stones[1 - self._mover]
        # Lines that flip nothing keep to empty cells off the rim.
        free = board.mask & ~board.rim_mask & ~own & ~enemy
        touched = [board.touching(snake) for snake in snakes]
        # By origin: the cells next to other snakes of the mover, and those of them on which no line may end.
        meetings: dict[int, tuple[int, int]] = {}
        starts: dict[int, int] = {}
        for origin, (around, _, crowded) in zip(snakes, touched, strict=True):
            border = closed = 0
            for other, (once, _, thrice) in zip(snakes, touched, strict=True):
                if other != origin:
                    border |= once
                    closed |= thrice
            meetings[origin] = border, closed
            starts |= dict.fromkeys(cells_of(around & ~crowded & ~closed & free), origin)
        for first in sorted(starts):
            lines, (border, closed) = lines_from(board, first), meetings[starts[first]]
            if not self._misshapen(lines[first]):
                yield lines[first]
            for ray in () if border & BIT[first] else board.rays[first]:
                for last in ray:
                    if not free & BIT[last]:
                        break
                    if not closed & BIT[last] and not self._misshapen(lines[last]):
                        yield lines[last]
                    if border & BIT[last]:  # it merges here
                        break
        # Lines that flip set out from a head or egg and take in no enemy head or egg.
        barred = own | self._ends[1 - self._mover]
        for before in cells_of(self._ends[self._mover]):
            origin = self._snake_of_head(before)
            border, closed = meetings[origin]
            for ray in board.rays[before]:
                flips = merges = False
                for last in ray:
                    if barred & BIT[last]:
                        break
                    merges |= border & BIT[last] != 0
                    if enemy & BIT[last]:
                        flips = True
                        continue
                    if last == ray[0] and (board.neighbour_masks[last] & origin).bit_count() > 2:
                        break
                    if flips and not closed & BIT[last]:
                        line = lines_from(board, ray[0])[last]
                        if not self._misshapen(line):
                            yield line
                    if merges:
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
        for colour in (0, 1):
            for number, snake in enumerate(self._ranked(colour)):
                heads = tuple(cells_of(snake & self._ends[colour]))
                if self.is_over:
                    shade = 2 * number + colour  # one that the other colour has not
                    yield Annotation("body", "snake (each in one shade)", tuple(cells_of(snake)), colour, shade=shade)
                    label = str(snake.bit_count())
                    yield Annotation("end", "head (the number: length of the snake)", heads, colour, label)
                else:
                    yield Annotation("end", "head", heads, colour)

    def _ranked(self, colour: int) -> list[int]:
        """Return the snakes of a colour from the longest."""
        return sorted(self._snakes[colour], key=lambda snake: (-snake.bit_count(), snake & -snake))

    def _explanation(self) -> Explanation:
        """Say what the lengths of the snakes decide, or would decide if the game ended here."""
        rows, lengths = [], []
        for colour in (0, 1):
            ranked = self._ranked(colour)
            lengths.append([snake.bit_count() for snake in ranked])
            for number, snake in enumerate(ranked, start=1):
                heads = tuple(cells_of(snake & self._ends[colour]))
                what = "it is an egg" if len(heads) == 1 else f"its heads are {self._list(heads)}"
                rows.append(
                    Row(tuple(cells_of(snake)), colour, (number, snake.bit_count()), (Reason("heads", what, heads),))
                )
        black, white = lengths
        compared = difference(black, white)
        shortest = shortest_difference(black, white) if self.variant == "reverse" else None
        if shortest is not None:
            compared = f"from the shortest up, the first difference is at length {shortest}, of which black has "
            compared += f"{black.count(shortest)} and white {white.count(shortest)}, and fewer are better"
        said = [Reason("lengths", f"in the lengths of the snakes, {compared}")]
        if black == white:  # ruling N-6
            placed = "nobody placed a stone" if self._last is None else f"{COLOURS[self._last]} placed the last stone"
            said.append(Reason("last-stone", f"with equal snakes the last stone decides: {placed}"))
        outcome = self._outcome or self._passed_out()
        ending = "a draw" if outcome.winner == "draw" else f"a win for {outcome.winner}"
        when = "this is" if self.is_over else "the game goes on; if it ended here, this would be"
        said.append(Reason("winner", f"{when} {ending}"))
        return Explanation(tuple(said), (Table("snakes", ("number", "length"), tuple(rows)),))


def fewer_short(black: list[int], white: list[int]) -> Colour | None:
    """Return the colour with fewer snakes of the shortest length of which the numbers differ, None if all are equal."""
    length = shortest_difference(black, white)
    if length is None:
        return None
    return "black" if black.count(length) < white.count(length) else "white"


def shortest_difference(black: list[int], white: list[int]) -> int | None:
    """Return the shortest length of which there are different numbers of snakes, None if all are equal."""
    return next((n for n in sorted({*black, *white}) if black.count(n) != white.count(n)), None)


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
    surface="rimmed cells",
    variants=("reverse",),
    has_last=True,
    brief=Brief(
        goal="Own more of the longest snakes: connected sets of stones of one colour.",
        turn=(
            "Place a straight line of one or more stones that begins next to one or two stones of a snake of "
            "yours. A line that begins right in front of a single stone, or of one of the two heads of a longer "
            "snake, the stones with one neighbour in it, may also cut: it flips the enemy stones in its way, but "
            "no heads and no single stones, and each run of them has to be followed by an empty cell. Where a "
            "line meets another snake of yours it ends, and the two become one. Without a cut, the rim is out of "
            "bounds. After the turn, every snake of two stones or more must have exactly two heads."
        ),
        end=(
            "You pass when you have no other turn, and only then; two passes in a row end the game. The lengths "
            "of the snakes are compared from the longest down. If all are equal, the colour that placed the last "
            "stone wins. In the variant reverse, whoever has fewer of the shortest snakes wins."
        ),
    ),
)
