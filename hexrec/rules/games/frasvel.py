"""Frasvel: description, messages, explanations and highlights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hexrec.rules.board import BIT, cells_of
from hexrec.rules.description import Brief
from hexrec.rules.engines.frasvel import NONE, FrasvelRules, path_of
from hexrec.rules.game import Game
from hexrec.rules.terms import COLORS, PLAYERS, Annotation, Explanation, Reason, Row, Table, pluralize


class FrasvelPosition(FrasvelRules):
    """The rules with messages, explanations and highlights."""

    __slots__ = ()

    def _wording(self, code: str, move: tuple[int, int, int]) -> str:
        start, landing, _ = move
        if code in ("move/must-place", "move/occupied", "move/too-many-friends"):
            return self._placement_wording(code, move)
        own, enemy = self._stones[self._side], self._stones[1 - self._side]
        path = path_of(self.board, start, landing)
        height = abs(self._heights[start])
        at, text = self.names.names[start], self._text((start, landing, NONE))
        if code == "move/no-stack":
            return f"{text} starts from an empty cell: move a stack of your own, or only place"
        if code == "move/not-your-stack":
            return f"{text} moves an enemy stack: {at} is {COLORS[1 - self._side]}"
        if code == "move/not-in-line":
            return f"{text} is not a straight line: a stack moves in one of the six directions"
        if code == "move/wrong-distance":
            return (
                f"{text} is {pluralize(len(path), 'cell')} long, but the stack on {at} has height {height}: "
                f"it moves exactly {pluralize(height, 'cell')}"
            )
        if code == "move/landing-occupied":
            whose = "a friendly" if own & BIT[landing] else "an enemy"
            return (
                f"{text} lands on {whose} stack on {self.names.names[landing]}: the landing cell must be empty "
                "before the turn"
            )
        if code == "move/path-blocked":
            blocking = [cell for cell in path if enemy & BIT[cell]]
            return (
                f"{text} jumps over {_enemies(len(blocking))} on {self._list(blocking)}: "
                "the path may hold only empty cells and friendly stacks before the turn"
            )
        if code == "move/touches-higher":
            higher = [cell for cell in cells_of(self._touched_cells(path) & enemy) if abs(self._heights[cell]) > height]
            return (
                f"{text} touches {_enemies(len(higher))} on {self._list(higher)}, higher than the moving stack "
                f"(height {height}): a move may touch no enemy group of greater height"
            )
        empty = [cell for cell in path if not self._heights[cell]]
        return (
            f"{text} absorbs nothing: no enemy stack is adjacent to the empty part of its path, "
            f"{self._list(empty)}, and a move must touch an enemy group"
        )

    def _placement_wording(self, code: str, move: tuple[int, int, int]) -> str:
        start, landing, placed = move
        own, enemy = self._stones_after(start, landing)
        moved = "" if start == NONE else self._text((start, landing, NONE))
        if code == "move/must-place":
            example = self._text((start, landing, next(self._placements(own, enemy))))
            return (
                f"{moved} leaves a cell to place on, so the turn must name a placement, such as {example}: a move "
                "alone is a turn only if no placement exists after it"
            )
        name, after = self.names.names[placed], " after the move" if moved else ""
        if code == "move/occupied":
            whose = "your own" if own & BIT[placed] else "an enemy"
            message = f"{name} is occupied by {whose} stack{after}: place on an empty cell"
        else:
            friends, others = (cells_of(self.board.neighbor_masks[placed] & stacks) for stacks in (own, enemy))
            message = (
                f"{name} has {pluralize(len(friends), 'adjacent friendly stack')} ({self._list(friends)}) and "
                f"{pluralize(len(others), 'adjacent enemy stack')}{after}: place where there are at least as many "
                "enemy stacks as friendly ones"
            )
        if self._can_place(own, enemy):
            return message
        if moved:
            return f"{message}. No placement exists after the move, so {moved} alone is the turn and wins"
        return f"{message}. No placement exists, so you must move"

    def _turn_effects(self, move: tuple[int, int, int]) -> Iterable[Annotation]:
        start, landing, placed = move
        if start != NONE:
            heights, own, enemy = self._absorb(start, landing)
            was_own, was_enemy = self._stones[self._side], self._stones[1 - self._side]
            raised, lowered = (
                tuple(cell for cell in cells_of(stacks) if heights[cell] != self._heights[cell])
                for stacks in (was_own & own, was_enemy & enemy)
            )
            yield Annotation("path", "moved", (start, *path_of(self.board, start, landing)))
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
        # The player who cannot place has won.
        winner = COLORS.index(self._outcome.winner)
        empty = self.board.mask & ~self._stones[0] & ~self._stones[1]
        yield Annotation("forbidden", f"closed to {PLAYERS[winner]}", tuple(cells_of(empty)), winner)

    def _overlays(self) -> Iterable[tuple[str, Iterable[Annotation]]]:
        yield "closed cells", (self._mark_closed(color) for color in (0, 1))

    def _mark_closed(self, color: int) -> Annotation:
        """Return the empty cells where a color may not place before it moves."""
        own, enemy = self._stones[color], self._stones[1 - color]
        empty = cells_of(self.board.mask & ~own & ~enemy)
        closed = tuple(cell for cell in empty if not self._fits(cell, own, enemy))
        return Annotation("closed", f"closed to {PLAYERS[color]}: more {COLORS[color]} neighbors", closed, color)

    def _explanation(self) -> Explanation:
        """Explain the cells closed to the winner, or to the side to move while the game is in progress."""
        player = self._side if self._outcome is None else COLORS.index(self._outcome.winner)
        own, enemy = self._stones[player], self._stones[1 - player]
        name, color, enemy_color = PLAYERS[player], COLORS[player], COLORS[1 - player]
        empty = self.board.mask & ~own & ~enemy
        closed = []
        for cell in cells_of(empty):
            if not self._fits(cell, own, enemy):
                friends, enemies = (cells_of(self.board.neighbor_masks[cell] & stacks) for stacks in (own, enemy))
                text = f"{pluralize(len(friends), f'adjacent {color} stack')} on {self._list(friends)}, against "
                text += f"{len(enemies)} {enemy_color} on {self._list(enemies)}" if enemies else f"no {enemy_color} one"
                crowded = Reason("crowded", text, tuple(friends))
                closed.append(Row((cell,), player, (len(friends), len(enemies)), (crowded,)))
        tables = [Table("closed cells", ("friends", "enemies"), tuple(closed))]
        count = empty.bit_count() - len(closed)
        if count:
            open_cells = f"{name} can place on {count} of {pluralize(empty.bit_count(), 'empty cell')}"
            return Explanation((Reason("open", f"{open_cells}: the game goes on"),), tuple(tables))
        if empty:
            every = "on every empty cell the adjacent friendly stacks are more than the adjacent enemy ones"
        else:
            every = "no cell is empty"
        conclusions = [Reason("closed", f"{name} can place nowhere: {every}")]
        if self._outcome is None:
            conclusions.append(Reason("must-move", f"{name} can move, and must: the game goes on"))
        elif player == self._side:
            conclusions.append(Reason("immobile", f"{name}, whose turn it is, cannot move either, and so has won"))
            if empty:  # else no stack has a cell to land on
                tables.append(Table("stacks that cannot move", ("height",), tuple(self._immobile())))
        else:
            conclusions.append(Reason("moved", f"so {name} has won by moving without placing"))
        return Explanation(tuple(conclusions), tuple(tables))

    def _immobile(self) -> Iterator[Row]:
        """Yield the stacks of the side to move, none of which can move, with the reasons."""
        for start in cells_of(self._stones[self._side]):
            height = abs(self._heights[start])
            closed: dict[str, list[int]] = {}
            for ray in self.board.rays[start]:
                if len(ray) >= height:
                    code = self._path_code(ray[:height], self._stones[1 - self._side])
                    assert code is not None
                    closed.setdefault(code, []).append(ray[height - 1])
            reasons = [
                Reason(code.removeprefix("move/"), f"to {self._list(landings)}: {_IMMOBILE[code]}", tuple(landings))
                for code, landings in closed.items()
            ]
            if off_board := 6 - sum(map(len, closed.values())):
                text = f"in {pluralize(off_board, 'direction')} it would leave the board"
                reasons.append(Reason("off-board", text))
            yield Row((start,), self._side, (height,), tuple(reasons))


#: The reason why a stack cannot move to a cell, by the code of the broken rule.
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
            "You may move one of your stacks in a line, exactly as many cells as it is high, over empty cells "
            "and friendly stacks to an empty cell. It must touch an enemy group next to an empty cell on its "
            "way, and none that is higher; a group is connected stacks of one color and height. Every stack "
            "of the touched enemy groups loses a piece. Your stack grows by as many pieces, and so do touched "
            "friendly groups of its height. Then place a stack of height 1 on an empty cell that has no more "
            "friendly than enemy neighbors."
        ),
        end=(
            "If you can place, you must; if you cannot, you must move if you can. If you cannot place after a "
            "move, or can neither place nor move, you win. So you may move in order to leave yourself no cell "
            "to place on. There are no passes and no draws."
        ),
    ),
)
