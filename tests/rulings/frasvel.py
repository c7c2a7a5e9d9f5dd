"""Other readings of Frasvel's rulings."""

from __future__ import annotations

from tests.rulings import Edit, Reading

F1, F2, F3 = "F-1", "F-2", "F-3"


_LITERAL_BLOCKED = "if landing in lifted or any(cell in lifted and lifted[cell][0] != self.mover for cell in path):"
_LITERAL_TOUCHED = "touched = {other for cell in path if cell not in lifted for"
#: The enemy stacks of height 1 that are touched before the landing cell is reached.
_LITERAL_OPENED: Edit = (
    "        if landing in lifted or",
    """\
        opened = {
            other
            for cell in path[:-1]
            if cell not in lifted
            for other in self.neighbours[cell]
            if lifted.get(other) == (ENEMY[self.mover], 1)
        }
        if landing in lifted or""",
)

READINGS = [
    Reading(
        F1,
        "Black has the first turn after the opening",
        "The opening is Black's first turn, and White is next",
        literal=(
            (
                "class Frasvel(Literal):\n",
                """\
class Frasvel(Literal):
    def __init__(self, *setting):
        super().__init__(*setting)
        self.mover = "white"

""",
            ),
        ),
        fixtures=("invalid/move.too-many-friends~no-enemy.yaml", "valid/black-has-the-first-turn.yaml"),
    ),
    Reading(
        F2,
        "A cell that the move empties does not open a way for it",
        "The stack may move over it",
        literal=(
            _LITERAL_OPENED,
            (
                "any(cell in lifted and lifted[cell][0] != self.mover for cell in path):",
                "any(cell in lifted and lifted[cell][0] != self.mover and cell not in opened for cell in path):",
            ),
        ),
        fixtures=(
            "invalid/move.path-blocked~cell-emptied-by-the-same-move.yaml",
            "invalid/move.path-blocked~over-a-stack-that-it-would-absorb.yaml",
        ),
    ),
    Reading(
        F2,
        "The stack may not land on a cell that the move empties",
        "The stack may land on it",
        literal=(
            (
                f"        {_LITERAL_BLOCKED}",
                _LITERAL_OPENED[1].replace("if landing in lifted or", "if landing in set(lifted) - opened or")
                + " any(cell in lifted and lifted[cell][0] != self.mover for cell in path[:-1]):",
            ),
        ),
        fixtures=(
            "invalid/move.landing-occupied~stack-that-it-would-absorb.yaml",
            "invalid/move.landing-occupied~cell-emptied-by-the-same-move.yaml",
        ),
    ),
    Reading(
        F2,
        "Groups are judged with the moving stack lifted off",
        "With the moving stack in its place",
        literal=(
            (
                "{at for at in lifted if lifted[at] == lifted[cell]}",
                "{at for at in self.stones if self.stones[at] == lifted[cell]}",
            ),
            ("enemy_groups = [", "groups = {group - {start} for group in groups}\n        enemy_groups = ["),
        ),
        fixtures=("valid/lifting-the-stack-splits-its-group.yaml", "valid/lifting-the-stack-spares-a-friend.yaml"),
    ),
    Reading(
        F2,
        "Only empty cells of the path touch",
        "Those that hold friendly stacks do, too",
        literal=((_LITERAL_TOUCHED, "touched = {other for cell in path for"),),
        fixtures=(
            "invalid/move.absorbs-nothing~enemy-next-to-an-occupied-cell-only.yaml",
            "valid/a-friend-hides-a-higher-enemy.yaml",
        ),
    ),
    Reading(
        F2,
        "The start is not part of the path",
        "What is adjacent to the start is touched",
        literal=((_LITERAL_TOUCHED, "touched = {other for cell in [start, *path] if cell not in lifted for"),),
        fixtures=(
            "invalid/move.absorbs-nothing~enemy-next-to-the-start-only.yaml",
            "invalid/move.absorbs-nothing~enemy-next-to-an-occupied-cell-only.yaml",
        ),
    ),
    Reading(
        F2,
        "Everything touched is absorbed at once",
        "It is absorbed cell by cell, and groups are judged again after every cell",
        literal=(
            (
                """\
        for cell in set().union(*enemy_groups):
            colour, pieces = after.pop(cell)
            if pieces > 1:
                after[cell] = colour, pieces - 1
        k = sum(map(len, enemy_groups))
""",
                """\
        k = 0
        for at in path:
            enemies = {cell for cell, stack in after.items() if stack[0] == ENEMY[self.mover]}
            near = enemies.intersection(self.neighbours[at] if at not in lifted else ())
            for cell in set().union(
                *(self.connected(cell, {at for at in after if after[at] == after[cell]}.__contains__) for cell in near)
            ):
                colour, pieces = after.pop(cell)
                k += 1
                if pieces > 1:
                    after[cell] = colour, pieces - 1
""",
            ),
        ),
        fixtures=("valid/lowers-a-stack.yaml", "valid/the-other-side-wins-after-a-move-and-a-placement.yaml"),
    ),
    Reading(
        F3,
        "A stack that loses a piece keeps its colour",
        "Absorbed pieces stay in the stack, and it falls to their colour when its own are gone",
        literal=(
            (
                """\
            if pieces > 1:
                after[cell] = colour, pieces - 1
""",
                """\
            if pieces > 1:
                foreign = self.foreign().get(cell) == pieces - 1
                after[cell] = ENEMY[colour] if foreign else colour, pieces - 1
""",
            ),
            (
                "    def moves(self) -> dict[str, Stones]:\n",
                """\
    def foreign(self):
        pieces = {}
        for turn in self.history:
            start, _, rest = turn.partition("-")
            if rest:
                landing = self.names[rest.partition("/")[0]]
                gained = self.gains.get(turn, 0)
                pieces[landing] = pieces.pop(self.names[start], 0) + gained
        return pieces

    def go_on(self, turn, stones):
        start, _, rest = turn.partition("-")
        if rest:
            landing = self.names[rest.partition("/")[0]]
            self.gains = {**getattr(self, "gains", {}), turn: stones[landing][1] - self.stones[self.names[start]][1]}
        super().go_on(turn, stones)

    def moves(self) -> dict[str, Stones]:
""",
            ),
        ),
        fixtures=("valid/lowers-a-stack.yaml", "valid/a-friend-hides-a-higher-enemy.yaml"),
    ),
]
