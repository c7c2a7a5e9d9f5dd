"""Frasvel: move stacks to absorb the enemy's, then place; who can no longer place wins.

Rulings F-1 to F-3 of the rules page are decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from hexrec.board.geometry import board, cells_of
from hexrec.diagnostics import Code
from hexrec.games.base import Position
from hexrec.games.description import COLOURS, Game, IllegalTurn, Mark, Outcome, Stone

#: Where a turn has no move, or no placement.
NONE = -1

#: The cells that a move enters, start excluded, landing included; as many as the moving stack is high.
Path = tuple[int, ...]


@cache
def paths(size: int) -> dict[tuple[int, int], Path]:
    """Return the path from every cell to every other cell that lies in line with it."""
    rays = board(size).rays
    return {
        (cell, landing): ray[: length + 1]
        for cell in board(size).cells
        for ray in rays[cell]
        for length, landing in enumerate(ray)
    }


class FrasvelPosition(Position[tuple[int, int, int]]):
    """A move is ``(start, landing, placed)``, with NONE for the cells of the part that the turn lacks.

    The state is one bitboard of stacks per colour, and by cell the height of the stack: positive for black,
    negative for white, 0 where there is none. So two adjacent stacks are of one group when their entries are equal.
    """

    __slots__ = ("_heights", "_stacks")

    def _set_up(self, stones: Mapping[int, int]) -> None:
        # The lone black stack leaves Black room to place on every size: no game is over before its first turn.
        self._heights = [0] * self.board.span
        self._stacks = [0, 0]
        for cell, colour in stones.items():
            self._heights[cell] = 1 - 2 * colour
            self._stacks[colour] |= 1 << cell

    def _parse(self, turn: str) -> tuple[int, int, int]:
        find = self.names.cells.get
        placed = find(turn)
        if placed is not None:
            return NONE, NONE, placed
        way, slash, place = turn.partition("/")
        from_, _, to = way.partition("-")
        start, landing, placed = find(from_), find(to), find(place) if slash else NONE
        if start is None or landing is None or placed is None:
            _, cells = self._cells(turn)
            if len(cells) == 1:
                return NONE, NONE, cells[0]
            return cells[0], cells[1], cells[2] if len(cells) == 3 else NONE
        return start, landing, placed

    # Placing.

    def _fits(self, cell: int, own: int, enemy: int) -> bool:
        """Return whether an empty cell has not more adjacent stacks of `own` than of `enemy` (bitboards)."""
        around = self.board.near[cell]
        return (around & own).bit_count() <= (around & enemy).bit_count()

    def _placements(self, own: int, enemy: int) -> Iterator[int]:
        """Yield the cells that the colour of `own` may place on when these are the stacks on the board."""
        empty = self.board.mask & ~own & ~enemy
        # Cells without an adjacent friendly stack come first: the first of all is often the only one asked for.
        free = empty & ~self.board.adjacent(own)
        yield from cells_of(free)
        for cell in cells_of(empty ^ free):
            if self._fits(cell, own, enemy):
                yield cell

    def _can_place(self, own: int, enemy: int) -> bool:
        return next(self._placements(own, enemy), NONE) != NONE

    # Moving.

    def _touched(self, path: Path) -> int:
        """Return all cells adjacent to an empty cell of the path, as a bitboard (the start may be among them)."""
        heights, near = self._heights, self.board.near
        touched = 0
        for cell in path:
            if not heights[cell]:
                touched |= near[cell]
        return touched

    def _higher(self, path: Path) -> list[int]:
        """Return the touched enemy stacks that are higher than the stack that moves along the path."""
        touched = cells_of(self._touched(path) & self._stacks[1 - self._mover])
        return [cell for cell in touched if abs(self._heights[cell]) > len(path)]

    def _fault(self, path: Path) -> str | None:
        """Return the code of the rule that one of the mover's stacks breaks by moving along the path, else None.

        The stack has the height ``len(path)``.
        """
        enemy = self._stacks[1 - self._mover]
        if self._heights[path[-1]]:
            return "move/landing-occupied"
        for cell in path:
            if enemy >> cell & 1:
                return "move/path-blocked"
        if not self._touched(path) & enemy:
            return "move/absorbs-nothing"
        return "move/touches-higher" if self._higher(path) else None

    def _ways(self) -> Iterator[Path]:
        """Yield ``(start, *path)`` of every move that the mover may make."""
        rays = self.board.rays
        for start in cells_of(self._stacks[self._mover]):
            height = abs(self._heights[start])
            for ray in rays[start]:
                if len(ray) >= height:
                    path = ray[:height]
                    if self._fault(path) is None:
                        yield start, *path

    def _groups(self, stacks: list[int], heights: list[int]) -> list[int]:
        """Return all stacks of the groups that the given ones belong to, on a board with these `heights`."""
        found = list(stacks)
        neighbours = self.board.neighbours
        for cell in found:  # grows meanwhile
            height = heights[cell]
            for other in neighbours[cell]:
                if heights[other] == height and other not in found:
                    found.append(other)
        return found

    def _absorb(self, start: int, landing: int) -> tuple[list[int], int, int]:
        """Return the heights, the mover's stacks and the enemy's stacks after a legal move (ruling F-2)."""
        sign = 1 - 2 * self._mover
        heights = self._heights.copy()
        height = heights[start]
        heights[start] = 0
        own = self._stacks[self._mover] ^ 1 << start
        enemy = self._stacks[1 - self._mover]
        touched = self._touched(paths(self.board.size)[start, landing])
        absorbed = self._groups(cells_of(touched & enemy), heights)
        equals = [cell for cell in cells_of(touched & own) if heights[cell] == height]
        gain = sign * len(absorbed)
        for cell in self._groups(equals, heights):
            heights[cell] += gain
        for cell in absorbed:
            heights[cell] += sign
            if not heights[cell]:
                enemy ^= 1 << cell
        heights[landing] = height + gain
        return heights, own | 1 << landing, enemy

    # Turns.

    def _refusal(self, move: tuple[int, int, int]) -> IllegalTurn | None:
        start, landing, placed = move
        own, enemy = self._stacks[self._mover], self._stacks[1 - self._mover]
        if start != NONE:
            refusal = self._move_refusal(start, landing)
            if refusal is not None:
                return refusal
            _, own, enemy = self._absorb(start, landing)
        if placed == NONE:
            return self._unplaced(start, landing, own, enemy)
        if not (own | enemy) >> placed & 1 and self._fits(placed, own, enemy):
            return None
        return self._misplaced(move, own, enemy)

    def _move_refusal(self, start: int, landing: int) -> IllegalTurn | None:
        """Return the refusal of the move from `start` to `landing`, whatever is placed afterwards."""
        own, enemy = self._stacks[self._mover], self._stacks[1 - self._mover]
        path = paths(self.board.size).get((start, landing), ())
        height = abs(self._heights[start])
        code: str | None
        if not own >> start & 1:
            code = "move/not-your-stack" if enemy >> start & 1 else "move/no-stack"
        elif len(path) != height:
            code = "move/wrong-distance" if path or start == landing else "move/not-in-line"
        else:
            code = self._fault(path)
        if code is None:
            return None
        at, way = self.names.names[start], self._text((start, landing, NONE))
        if code == "move/no-stack":
            why = f"{way} starts from an empty cell: move a stack of your own, or only place"
        elif code == "move/not-your-stack":
            why = f"{way} moves an enemy stack: {at} is {COLOURS[1 - self._mover]}"
        elif code == "move/not-in-line":
            why = f"{way} is no straight line: a stack moves in one of the six directions"
        elif code == "move/wrong-distance":
            why = f"{way} is {_count(len(path), 'cell')} long, but the stack on {at} has height {height}: "
            why += f"it moves exactly {_count(height, 'cell')}"
        elif code == "move/landing-occupied":
            whose = "a friendly" if own >> landing & 1 else "an enemy"
            why = f"{way} lands on {whose} stack on {self.names.names[landing]}: the landing cell must be empty "
            why += "before the turn"
        elif code == "move/path-blocked":
            blocking = [cell for cell in path if enemy >> cell & 1]
            why = f"{way} jumps over {_enemies(len(blocking))} on {self._list(blocking)}: "
            why += "the path may hold only empty cells and friendly stacks before the turn"
        elif code == "move/touches-higher":
            higher = self._higher(path)
            why = f"{way} touches {_enemies(len(higher))} on {self._list(higher)}, higher than the moving stack "
            why += f"(height {height}): a move may touch no enemy group of greater height"
        else:
            empty = [cell for cell in path if not self._heights[cell]]
            why = f"{way} absorbs nothing: no enemy stack is adjacent to the empty part of its path, "
            why += f"{self._list(empty)}, and a move must touch an enemy group"
        return IllegalTurn(code, why)

    def _unplaced(self, start: int, landing: int, own: int, enemy: int) -> IllegalTurn | None:
        """Return the refusal of a legal move without a placement: None if it wins, for want of a cell to place on."""
        cell = next(self._placements(own, enemy), NONE)
        if cell == NONE:
            return None
        way = self._text((start, landing, NONE))
        return IllegalTurn(
            "move/must-place",
            f"{way} leaves a cell to place on, so the turn must name a placement, such as "
            f"{self._text((start, landing, cell))}: a move alone is a turn only if no placement exists after it",
        )

    def _misplaced(self, move: tuple[int, int, int], own: int, enemy: int) -> IllegalTurn:
        """Return the refusal of the placement of a turn, given the stacks on the board when it is placed."""
        start, landing, placed = move
        cell = self.names.names[placed]
        after = "" if start == NONE else " after the move"
        if (own | enemy) >> placed & 1:
            code = "move/occupied"
            whose = "your own" if own >> placed & 1 else "an enemy"
            why = f"{cell} is occupied by {whose} stack{after}: place on an empty cell"
        else:
            code = "move/too-many-friends"
            friends, others = (cells_of(self.board.near[placed] & stacks) for stacks in (own, enemy))
            why = f"{cell} has {_count(len(friends), 'adjacent friendly stack')} ({self._list(friends)}) and "
            why += f"{_count(len(others), 'adjacent enemy stack')}{after}: "
            why += "place where the friendly ones are not more than the enemy ones"
        if not self._can_place(own, enemy):
            why += f". No placement exists{after or ', so you must move'}"
            why += "" if start == NONE else f", so {self._text((start, landing, NONE))} alone is the turn and wins"
        return IllegalTurn(code, why)

    def _execute(self, move: tuple[int, int, int]) -> None:
        start, landing, placed = move
        mover = self._mover
        if start != NONE:
            self._heights, self._stacks[mover], self._stacks[1 - mover] = self._absorb(start, landing)
        self.plies += 1
        self._mover = 1 - mover
        if placed == NONE:
            self._outcome = Outcome(COLOURS[mover])
            return
        self._heights[placed] = 1 - 2 * mover
        self._stacks[mover] |= 1 << placed
        if not self._can_place(self._stacks[1 - mover], self._stacks[mover]) and next(self._ways(), None) is None:
            self._outcome = Outcome(COLOURS[1 - mover])

    def _moves(self) -> Iterable[tuple[int, int, int]]:
        for placed in self._placements(self._stacks[self._mover], self._stacks[1 - self._mover]):
            yield NONE, NONE, placed
        for start, *path in self._ways():
            landing = path[-1]
            _, own, enemy = self._absorb(start, landing)
            placed = NONE
            for placed in self._placements(own, enemy):
                yield start, landing, placed
            if placed == NONE:  # the loop found nothing: the move wins
                yield start, landing, NONE

    def _text(self, move: tuple[int, int, int]) -> str:
        start, landing, placed = move
        name = self.names.names
        if start == NONE:
            return name[placed]
        way = f"{name[start]}-{name[landing]}"
        return way if placed == NONE else f"{way}/{name[placed]}"

    def stones(self) -> dict[int, Stone]:
        """Return what stands on the board, by cell."""
        return {
            cell: Stone(colour, abs(self._heights[cell]))
            for colour in (0, 1)
            for cell in cells_of(self._stacks[colour])
        }

    def _turn_marks(self, move: tuple[int, int, int]) -> Iterable[Mark]:
        start, landing, placed = move
        if start != NONE:
            heights, own, enemy = self._absorb(start, landing)
            was_own, was_enemy = self._stacks[self._mover], self._stacks[1 - self._mover]
            raised, lowered = (
                tuple(cell for cell in cells_of(stacks) if heights[cell] != self._heights[cell])
                for stacks in (was_own & own, was_enemy & enemy)
            )
            yield Mark("way", "moved", (start, *paths(self.board.size)[start, landing]))
            yield Mark("left", "start of the move", (start,))
            yield Mark("placed", "landing", (landing,))
            yield Mark("left", "absorbed", tuple(cells_of(was_enemy & ~enemy)))
            yield Mark("changed", "lowered", lowered)
            yield Mark("changed", "raised", raised)
        if placed != NONE:
            yield Mark("placed", "placed", (placed,))

    def _marks(self) -> Iterable[Mark]:
        if self._outcome is None:
            return
        # Who can no longer place has won.
        winner = 0 if self._outcome.winner == COLOURS[0] else 1
        empty = self.board.mask & ~self._stacks[0] & ~self._stacks[1]
        yield Mark("barred", f"closed to {COLOURS[winner]}", tuple(cells_of(empty)), winner)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _enemies(number: int) -> str:
    return "the enemy stack" if number == 1 else "the enemy stacks"


FRASVEL = Game(
    name="frasvel",
    title="Frasvel",
    rulesets=("2024",),
    sizes=range(3, 9),
    recommended=(5,),
    opening=("black",),
    turn="{cell}(?:-{cell}(?:/{cell})?)?",
    turn_help=(
        "the cell to place a stack on, such as e5; or a move and a placement, such as c4-c6/e5; "
        "or a move alone, such as c4-c6, if no placement exists after it; there is no pass"
    ),
    example="c4-c6/e5",
    score=None,
    codes={
        "move/no-stack": Code(
            "A move starts from an empty cell.",
            "Check the start of the move; an earlier turn of the record may be missing or wrong.",
            rule="A move starts from a stack of the player's own.",
            example='{hexrec: "1", game: frasvel, size: 3, opening: {black: c3}, moves: [b2-b3/e1]}',
        ),
        "move/not-your-stack": Code(
            "A move starts from an enemy stack.",
            "Check the start of the move and whose turn it is; an earlier turn may be missing or doubled.",
            rule="A move starts from a stack of the player's own.",
            example='{hexrec: "1", game: frasvel, size: 3, opening: {black: c3}, moves: [a1, c3-c4/e1]}',
        ),
        "move/not-in-line": Code(
            "The landing cell of a move is not in line with its start.",
            "Check the two cells of the move.",
            rule="A move goes straight on, in one of the six directions.",
            example='{hexrec: "1", game: frasvel, size: 3, opening: {black: c3}, moves: [a1, a2, a1-c2/e1]}',
        ),
        "move/wrong-distance": Code(
            "A move is longer or shorter than its stack is high.",
            "Check the two cells of the move; if they are right, an earlier turn that changed the height may be wrong.",
            rule="A stack moves exactly as many cells as it is high.",
            example='{hexrec: "1", game: frasvel, size: 3, opening: {black: c3}, moves: [a1, a2, a1-c1/e1]}',
        ),
        "move/landing-occupied": Code(
            "A move lands on a cell that holds a stack, of either colour.",
            "Check the landing cell; an earlier turn may be missing or wrong.",
            rule="A move lands on a cell that is empty before the turn (ruling F-2).",
            example='{hexrec: "1", game: frasvel, size: 3, opening: {black: e3}, moves: [c1, d1, c1-d1]}',
        ),
        "move/path-blocked": Code(
            "A move jumps over an enemy stack.",
            "Check the two cells of the move; an earlier turn may be missing or wrong.",
            rule="A path holds empty cells and friendly stacks only, as they stand before the turn (ruling F-2).",
            example=(
                '{hexrec: "1", game: frasvel, size: 3, opening: {black: a1},\n'
                "  moves: [e3, a3, a1-a2/e1, b3, a2-c4/c1]}"
            ),
        ),
        "move/touches-higher": Code(
            "A move touches an enemy group that is higher than the moving stack.",
            "Check the two cells of the move; if they are right, an earlier turn that changed a height may be wrong.",
            rule="No stack that a move touches belongs to an enemy group higher than the moving stack.",
            example=(
                '{hexrec: "1", game: frasvel, size: 3, opening: {black: a3},\n'
                "  moves: [d3, c1, b2, c1-c2/b4, d3-c3/a1]}"
            ),
        ),
        "move/absorbs-nothing": Code(
            "A move touches no enemy group.",
            "Check the two cells of the move, or delete the move and only place.",
            rule=(
                "A move touches at least one enemy group: an enemy stack stands next to an empty cell of its path "
                "(ruling F-2)."
            ),
            example='{hexrec: "1", game: frasvel, size: 3, opening: {black: c3}, moves: [c3-c4/a1]}',
        ),
        "move/must-place": Code(
            "A turn is a move alone although a placement exists after it.",
            "Add the placement, as in c4-c6/e5.",
            rule="A turn places where it can; a move alone is a turn only if nothing can be placed after it.",
            example='{hexrec: "1", game: frasvel, size: 3, opening: {black: d3}, moves: [c1, c5, d3-c4]}',
        ),
        "move/too-many-friends": Code(
            "A stack is placed on an empty cell that has more friendly stacks than enemy stacks next to it.",
            "Check the cell; an earlier turn may be missing or wrong.",
            rule=(
                "A cell to place on has no more friendly stacks next to it than enemy stacks, as they stand after "
                "the move."
            ),
            example='{hexrec: "1", game: frasvel, size: 3, opening: {black: c3}, moves: [b2]}',
        ),
    },
    position=FrasvelPosition,
    piece="stack",
    surface="cells",
)
