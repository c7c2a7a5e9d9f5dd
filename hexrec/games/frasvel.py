"""Frasvel: move stacks to absorb the enemy's, then place; who can no longer place wins.

Rulings F-1 to F-3 of the rules page are decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial

from hexrec.board.board import BIT, Board, cells_of
from hexrec.games.annotation import Annotation, Stone
from hexrec.games.description import Brief
from hexrec.games.explanation import Explanation, Reason, Row, Table, counted
from hexrec.games.game import Game
from hexrec.games.outcome import COLOURS, Outcome
from hexrec.games.position import Position
from hexrec.games.refusal import IllegalTurn, SetupFault

#: Where a turn has no move, or no placement.
NONE = -1

#: The cells that a move enters, start excluded, landing included; as many as the moving stack is high.
Path = tuple[int, ...]


#: The heights by cell and the bitboards of the mover's and the enemy's stacks after a move.
Absorbed = tuple[list[int], int, int]


@cache
def paths(board: Board) -> dict[tuple[int, int], Path]:
    """Return the path from every cell to every other cell that lies in line with it."""
    return {
        (cell, landing): ray[: length + 1]
        for cell in board.cells
        for ray in board.rays[cell]
        for length, landing in enumerate(ray)
    }


class FrasvelPosition(Position[tuple[int, int, int]]):
    """A move is ``(start, landing, placed)``, with NONE for the cells of the part that the turn lacks.

    The state is, by cell, the height of the stack: positive for black, negative for white, 0 where there is none. So
    two adjacent stacks are of one group when their entries are equal. `_absorbed` remembers what a move does from the
    question whether it is legal until it is carried out.
    """

    __slots__ = ("_absorbed", "_heights")

    def _set_up(self, stones: Mapping[int, Stone]) -> None:
        # The lone black stack leaves Black room to place on every size: no game is over before its first turn.
        self._heights = [0] * self.board.span
        for cell, stack in stones.items():
            self._heights[cell] = stack.height * (1 - 2 * stack.colour)
        self._absorbed: tuple[tuple[int, int, int], Absorbed] | None = None

    def _parse(self, turn: str) -> tuple[int, int, int]:
        find = self.names.cells.get
        placed = find(turn)
        if placed is not None:
            return NONE, NONE, placed
        moved, slash, place = turn.partition("/")
        from_, _, to = moved.partition("-")
        start, landing, placed = find(from_), find(to), find(place) if slash else NONE
        if start is None or landing is None or placed is None:
            _, cells = self._cells(turn)
            if len(cells) == 1:
                return NONE, NONE, cells[0]
            return cells[0], cells[1], cells[2] if len(cells) == 3 else NONE
        return start, landing, placed

    def _setup_fault(self) -> SetupFault | None:
        own, enemy = self._stones[self._mover], self._stones[1 - self._mover]
        if self._can_place(own, enemy) or any(self._legal_paths(self._mover)):
            return None
        return SetupFault(
            "setup/over",
            f"in this position the game is over: {COLOURS[self._mover]} can neither place nor move, and so has won",
        )

    # Placing.

    def _fits(self, cell: int, own: int, enemy: int) -> bool:
        """Return whether an empty cell has not more adjacent stacks of `own` than of `enemy` (bitboards)."""
        around = self.board.neighbour_masks[cell]
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
        empty = self.board.mask & ~own & ~enemy
        if empty & ~self.board.adjacent(own):
            return True
        return any(self._fits(cell, own, enemy) for cell in cells_of(empty))

    # Moving.

    def _touched(self, path: Path) -> int:
        """Return all cells adjacent to an empty cell of the path, as a bitboard (the start may be among them)."""
        heights, neighbour_masks = self._heights, self.board.neighbour_masks
        touched = 0
        for cell in path:
            if not heights[cell]:
                touched |= neighbour_masks[cell]
        return touched

    def _path_code(self, path: Path, enemy: int) -> str | None:
        """Return the code of the rule that a stack breaks by moving along the path, None if it may.

        The stack has the height ``len(path)``, and `enemy` are the stacks of the other colour.
        """
        heights = self._heights
        if heights[path[-1]]:
            return "move/landing-occupied"
        for cell in path:
            if enemy & BIT[cell]:
                return "move/path-blocked"
        absorbed = self._touched(path) & enemy
        if not absorbed:
            return "move/absorbs-nothing"
        for cell in cells_of(absorbed):
            if abs(heights[cell]) > len(path):
                return "move/touches-higher"
        return None

    def _legal_paths(self, colour: int) -> Iterator[tuple[int, Path]]:
        """Yield start and path of every move that `colour` could make."""
        rays, enemy = self.board.rays, self._stones[1 - colour]
        for start in cells_of(self._stones[colour]):
            height = abs(self._heights[start])
            for ray in rays[start]:
                if len(ray) >= height:
                    path = ray[:height]
                    if self._path_code(path, enemy) is None:
                        yield start, path

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

    def _absorb(self, start: int, landing: int) -> Absorbed:
        """Return what is on the board after the mover's legal move (ruling F-2). The heights are not to be changed."""
        asked = self.plies, start, landing
        if self._absorbed is not None and self._absorbed[0] == asked:
            return self._absorbed[1]
        sign = 1 - 2 * self._mover
        heights = self._heights.copy()
        height = heights[start]
        heights[start] = 0
        own = self._stones[self._mover] ^ BIT[start]
        enemy = self._stones[1 - self._mover]
        touched = self._touched(paths(self.board)[start, landing])
        absorbed = self._groups(cells_of(touched & enemy), heights)
        equals = [cell for cell in cells_of(touched & own) if heights[cell] == height]
        gain = sign * len(absorbed)
        for cell in self._groups(equals, heights):
            heights[cell] += gain
        for cell in absorbed:
            heights[cell] += sign
            if not heights[cell]:
                enemy ^= BIT[cell]
        heights[landing] = height + gain
        result = heights, own | BIT[landing], enemy
        self._absorbed = asked, result
        return result

    # Turns.

    def _refusal(self, move: tuple[int, int, int]) -> IllegalTurn | None:
        start, landing, placed = move
        own, enemy = self._stones[self._mover], self._stones[1 - self._mover]
        if start != NONE:
            code = self._move_code(start, landing)
            if code is not None:
                return IllegalTurn(code, partial(self._explain_move, code, start, landing))
            _, own, enemy = self._absorb(start, landing)
        if placed == NONE:
            if not self._can_place(own, enemy):
                return None
            return IllegalTurn("move/must-place", lambda: self._explain_unplaced(start, landing, own, enemy))
        if (own | enemy) & BIT[placed]:
            return IllegalTurn("move/occupied", lambda: self._explain_occupied(move, own, enemy))
        if not self._fits(placed, own, enemy):
            return IllegalTurn("move/too-many-friends", lambda: self._explain_crowded(move, own, enemy))
        return None

    def _move_code(self, start: int, landing: int) -> str | None:
        """Return the code of the rule that the move from `start` to `landing` breaks, whatever is placed afterwards."""
        enemy = self._stones[1 - self._mover]
        if not self._stones[self._mover] & BIT[start]:
            return "move/not-your-stack" if enemy & BIT[start] else "move/no-stack"
        path = paths(self.board).get((start, landing), ())
        if len(path) != abs(self._heights[start]):
            return "move/wrong-distance" if path or start == landing else "move/not-in-line"
        return self._path_code(path, enemy)

    def _explain_move(self, code: str, start: int, landing: int) -> str:
        own, enemy = self._stones[self._mover], self._stones[1 - self._mover]
        path = paths(self.board).get((start, landing), ())
        height = abs(self._heights[start])
        at, move = self.names.names[start], self._text((start, landing, NONE))
        if code == "move/no-stack":
            return f"{move} starts from an empty cell: move a stack of your own, or only place"
        if code == "move/not-your-stack":
            return f"{move} moves an enemy stack: {at} is {COLOURS[1 - self._mover]}"
        if code == "move/not-in-line":
            return f"{move} is not a straight line: a stack moves in one of the six directions"
        if code == "move/wrong-distance":
            return (
                f"{move} is {counted(len(path), 'cell')} long, but the stack on {at} has height {height}: "
                f"it moves exactly {counted(height, 'cell')}"
            )
        if code == "move/landing-occupied":
            whose = "a friendly" if own & BIT[landing] else "an enemy"
            return (
                f"{move} lands on {whose} stack on {self.names.names[landing]}: the landing cell must be empty "
                "before the turn"
            )
        if code == "move/path-blocked":
            blocking = [cell for cell in path if enemy & BIT[cell]]
            return (
                f"{move} jumps over {_enemies(len(blocking))} on {self._list(blocking)}: "
                "the path may hold only empty cells and friendly stacks before the turn"
            )
        if code == "move/touches-higher":
            higher = [cell for cell in cells_of(self._touched(path) & enemy) if abs(self._heights[cell]) > height]
            return (
                f"{move} touches {_enemies(len(higher))} on {self._list(higher)}, higher than the moving stack "
                f"(height {height}): a move may touch no enemy group of greater height"
            )
        empty = [cell for cell in path if not self._heights[cell]]
        return (
            f"{move} absorbs nothing: no enemy stack is adjacent to the empty part of its path, "
            f"{self._list(empty)}, and a move must touch an enemy group"
        )

    def _explain_unplaced(self, start: int, landing: int, own: int, enemy: int) -> str:
        placed = next(self._placements(own, enemy))
        return (
            f"{self._text((start, landing, NONE))} leaves a cell to place on, so the turn must name a placement, such "
            f"as {self._text((start, landing, placed))}: a move alone is a turn only if no placement exists after it"
        )

    def _explain_occupied(self, move: tuple[int, int, int], own: int, enemy: int) -> str:
        start, _, placed = move
        whose = "your own" if own & BIT[placed] else "an enemy"
        after = "" if start == NONE else " after the move"
        return (
            f"{self.names.names[placed]} is occupied by {whose} stack{after}: place on an empty cell"
            f"{self._no_placement(move, own, enemy)}"
        )

    def _explain_crowded(self, move: tuple[int, int, int], own: int, enemy: int) -> str:
        start, _, placed = move
        friends, others = (cells_of(self.board.neighbour_masks[placed] & stacks) for stacks in (own, enemy))
        after = "" if start == NONE else " after the move"
        return (
            f"{self.names.names[placed]} has {counted(len(friends), 'adjacent friendly stack')} "
            f"({self._list(friends)}) and {counted(len(others), 'adjacent enemy stack')}{after}: "
            "place where there are at least as many enemy stacks as friendly ones"
            f"{self._no_placement(move, own, enemy)}"
        )

    def _no_placement(self, move: tuple[int, int, int], own: int, enemy: int) -> str:
        """Add to the refusal of a placement what the turn would be, where nothing can be placed at all."""
        start, landing, _ = move
        if self._can_place(own, enemy):
            return ""
        if start == NONE:
            return ". No placement exists, so you must move"
        alone = self._text((start, landing, NONE))
        return f". No placement exists after the move, so {alone} alone is the turn and wins"

    def _execute(self, move: tuple[int, int, int]) -> Outcome | None:
        start, landing, placed = move
        mover, other = self._mover, 1 - self._mover
        if start != NONE:
            heights, self._stones[mover], self._stones[other] = self._absorb(start, landing)
            self._heights = heights.copy()
        if placed == NONE:
            return Outcome(COLOURS[mover])
        self._heights[placed] = 1 - 2 * mover
        self._stones[mover] |= BIT[placed]
        if self._can_place(self._stones[other], self._stones[mover]) or any(self._legal_paths(other)):
            return None
        return Outcome(COLOURS[other])

    def _moves(self) -> Iterable[tuple[int, int, int]]:
        for placed in self._placements(self._stones[self._mover], self._stones[1 - self._mover]):
            yield NONE, NONE, placed
        for start, path in self._legal_paths(self._mover):
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
        moved = f"{name[start]}-{name[landing]}"
        return moved if placed == NONE else f"{moved}/{name[placed]}"

    def _height(self, cell: int) -> int:
        return abs(self._heights[cell])

    def _turn_effects(self, move: tuple[int, int, int]) -> Iterable[Annotation]:
        start, landing, placed = move
        if start != NONE:
            heights, own, enemy = self._absorb(start, landing)
            was_own, was_enemy = self._stones[self._mover], self._stones[1 - self._mover]
            raised, lowered = (
                tuple(cell for cell in cells_of(stacks) if heights[cell] != self._heights[cell])
                for stacks in (was_own & own, was_enemy & enemy)
            )
            yield Annotation("path", "moved", (start, *paths(self.board)[start, landing]))
            yield Annotation("removed", "start of the move", (start,))
            yield Annotation("placed", "landing", (landing,))
            yield Annotation("removed", "absorbed", tuple(cells_of(was_enemy & ~enemy)))
            yield Annotation("changed", "lowered", lowered)
            yield Annotation("changed", "raised", raised)
        if placed != NONE:
            yield Annotation("placed", "placed", (placed,))

    def _highlights(self) -> Iterable[Annotation]:
        if self._outcome is None:
            return
        # Who can no longer place has won.
        winner = COLOURS.index(self._outcome.winner)
        empty = self.board.mask & ~self._stones[0] & ~self._stones[1]
        yield Annotation("forbidden", f"closed to {COLOURS[winner]}", tuple(cells_of(empty)), winner)

    def _explanation(self) -> Explanation:
        """Say what is closed to the winner, or while the game goes on to the player whose turn it is."""
        player = self._mover if self._outcome is None else COLOURS.index(self._outcome.winner)
        own, enemy = self._stones[player], self._stones[1 - player]
        name, other = COLOURS[player], COLOURS[1 - player]
        empty = self.board.mask & ~own & ~enemy
        closed = []
        for cell in cells_of(empty):
            if not self._fits(cell, own, enemy):
                friends, enemies = (cells_of(self.board.neighbour_masks[cell] & stacks) for stacks in (own, enemy))
                text = f"{counted(len(friends), f'adjacent {name} stack')} on {self._list(friends)}, against "
                text += f"{len(enemies)} {other} on {self._list(enemies)}" if enemies else f"no {other} one"
                crowded = Reason("crowded", text, tuple(friends))
                closed.append(Row((cell,), player, (len(friends), len(enemies)), (crowded,)))
        tables = [Table("closed cells", ("friends", "enemies"), tuple(closed))]
        room = empty.bit_count() - len(closed)
        if room:
            open_cells = f"{name} can place on {room} of {counted(empty.bit_count(), 'empty cell')}"
            return Explanation((Reason("open", f"{open_cells}: the game goes on"),), tuple(tables))
        if empty:
            every = "on every empty cell the adjacent friendly stacks are more than the adjacent enemy ones"
        else:
            every = "no cell is empty"
        conclusions = [Reason("closed", f"{name} can place nowhere: {every}")]
        if self._outcome is None:
            conclusions.append(Reason("must-move", f"{name} can move, and must: the game goes on"))
        elif player == self._mover:
            conclusions.append(Reason("immobile", f"{name}, whose turn it is, cannot move either, and so has won"))
            if empty:  # else no stack has a cell to land on
                tables.append(Table("stacks that cannot move", ("height",), tuple(self._immobile())))
        else:
            conclusions.append(Reason("moved", f"so {name} has won by moving without placing"))
        return Explanation(tuple(conclusions), tuple(tables))

    def _immobile(self) -> Iterator[Row]:
        """Yield the stacks of the player whose turn it is, none of which can move, with the reasons."""
        for start in cells_of(self._stones[self._mover]):
            height = abs(self._heights[start])
            closed: dict[str, list[int]] = {}
            for ray in self.board.rays[start]:
                if len(ray) >= height:
                    code = self._path_code(ray[:height], self._stones[1 - self._mover])
                    assert code is not None
                    closed.setdefault(code, []).append(ray[height - 1])
            reasons = [
                Reason(code.removeprefix("move/"), f"to {self._list(landings)}: {_IMMOBILE[code]}", tuple(landings))
                for code, landings in closed.items()
            ]
            if off_board := 6 - sum(map(len, closed.values())):
                text = f"in {counted(off_board, 'direction')} it would leave the board"
                reasons.append(Reason("off-board", text))
            yield Row((start,), self._mover, (height,), tuple(reasons))


#: Why a stack cannot move to a cell, by the code of the rule that it would break.
_IMMOBILE = {
    "move/landing-occupied": "occupied",
    "move/path-blocked": "an enemy stack is in the way",
    "move/absorbs-nothing": "no enemy stack would be touched",
    "move/touches-higher": "an enemy stack that is higher would be touched",
}


def _enemies(number: int) -> str:
    return "the enemy stack" if number == 1 else "the enemy stacks"


FRASVEL = Game(
    name="frasvel",
    title="Frasvel",
    designers=("Saïd Galdseid",),
    year=2024,
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
    position=FrasvelPosition,
    sgf_number=5002,
    piece="stack",
    has_stacks=True,
    surface="cells",
    brief=Brief(
        goal="Have no cell left to place a stack on: the player who cannot place wins.",
        turn=(
            "You may move one of your stacks along a line, by as many cells as it is high, over empty cells and "
            "stacks of your own to an empty cell. It has to touch an enemy group on the way, and none that is "
            "higher than itself; a group is connected stacks of one colour and height. Every stack of the enemy "
            "groups that it touches loses a piece. Your stack grows by as many pieces as they have lost, and so "
            "does every stack of the friendly groups of its own height that it touches. Then place a stack of "
            "height 1 on an empty cell that has no more friendly than enemy neighbours."
        ),
        end=(
            "Placing is a duty while it is possible, and whoever cannot place has to move if a move exists. A "
            "player who cannot place after that has won. There are no passes and no draws."
        ),
    ),
)
