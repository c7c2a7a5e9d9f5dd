"""Other readings of Sunspot's rulings."""

from __future__ import annotations

from tests.rulings import Edit, Reading

P1, P2 = "P-1", "P-2"

_LITERAL_COLOURS = "for colour in (ENEMY[self.mover], self.mover):"
_LITERAL_HAS = "            if self.has_loop(colour):\n"
_LITERAL_ENCLOSED = "return any(not any(map(self.on_rim, part)) for part in self.parts(others))"
_LITERAL_JUDGE = "    def judge(self) -> Ending | None:\n"
#: Remembers the stones before the last turn and after its placement.
_LITERAL_BEFORE: Edit = (
    _LITERAL_JUDGE,
    """\
    def go_on(self, turn, stones):
        place = turn.partition("x")[0]
        self.before = self.stones
        self.placed = {**self.stones, self.names[place]: (self.mover, 1)} if place in self.names else self.stones
        super().go_on(turn, stones)

    def had_loop(self, colour, stones):
        now, self.stones = self.stones, stones
        had = self.has_loop(colour)
        self.stones = now
        return had

"""
    + _LITERAL_JUDGE,
)


def _enclosing(part: str) -> tuple[Edit, ...]:
    """Return the edits that let only loops around certain cells count."""
    return (
        (_LITERAL_ENCLOSED, f"return any(not any(map(self.on_rim, part)) and {part} for part in self.parts(others))"),
    )


def _full(ending: str) -> tuple[Edit, ...]:
    """Return the edits that end the game on a full board without a flip."""
    return (
        (
            """\
                return colour, None
        return None
""",
            f"""\
                return colour, None
        return None if self.empty() or self.flips() else ({ending}, None)
""",
        ),
    )


READINGS = [
    Reading(
        P1,
        "Loops anywhere on the board count",
        "Only loops through stones that changed hands in the turn",
        literal=(
            _LITERAL_BEFORE,
            (
                _LITERAL_HAS,
                """\
            stayed = {cell: stone for cell, stone in self.stones.items() if self.before.get(cell) == stone}
            if self.has_loop(colour) and not self.had_loop(colour, stayed):
""",
            ),
        ),
        fixtures=("valid/loop-laid-open-by-a-flip.yaml", "valid/full-board-flip-with-nothing-to-flip-back.yaml"),
    ),
    Reading(
        P1,
        "A loop made by the placement counts in a turn that flips",
        "Only loops that the flip makes count in such a turn",
        literal=(
            _LITERAL_BEFORE,
            (
                _LITERAL_HAS,
                """\
            flips = "x" in self.history[-1]
            if self.has_loop(colour) and not (flips and self.had_loop(colour, self.placed)):
""",
            ),
        ),
        fixtures=("valid/both-have-a-loop.yaml", "invalid/result.winner-mismatch~both-have-a-loop.yaml"),
    ),
    Reading(
        P1,
        "Loops are looked for after the whole turn",
        "After the placement, too",
        literal=(
            _LITERAL_BEFORE,
            (
                f"        {_LITERAL_COLOURS}",
                f"""\
        if self.had_loop(ENEMY[self.mover], self.placed):
            return ENEMY[self.mover], None
        {_LITERAL_COLOURS}""",
            ),
        ),
        fixtures=("valid/loop-of-the-placement-opened-by-the-flip-back.yaml", "valid/full-board-flip-wins.yaml"),
    ),
    Reading(
        P1,
        "If both colours have a loop, the mover wins",
        "The other player wins",
        literal=((_LITERAL_COLOURS, "for colour in (self.mover, ENEMY[self.mover]):"),),
        fixtures=("valid/both-have-a-loop.yaml", "invalid/result.winner-mismatch~both-have-a-loop.yaml"),
    ),
    Reading(
        P1,
        "If both colours have a loop, the mover wins",
        "It is a draw",
        literal=(
            (
                f"        {_LITERAL_COLOURS}",
                f"""\
        if self.has_loop("black") and self.has_loop("white"):
            return "draw", None
        {_LITERAL_COLOURS}""",
            ),
        ),
        fixtures=("valid/both-have-a-loop.yaml", "valid/full-board-flip-wins.yaml"),
    ),
    Reading(
        P1,
        "If only the enemy has a loop, the enemy wins",
        "It ends nothing",
        literal=((_LITERAL_COLOURS, "for colour in (ENEMY[self.mover],):"),),
        fixtures=("invalid/move.game-over~after-the-enemys-loop.yaml", "valid/loop-laid-open-by-a-flip.yaml"),
    ),
    Reading(
        P1,
        "Any cell that is cut off from the rim makes a loop, empty or not",
        "A loop holds an enemy stone",
        literal=_enclosing("part & set(self.stones)"),
        fixtures=("valid/loop-around-an-empty-cell.yaml", "valid/loop-by-a-flip.yaml"),
    ),
    Reading(
        P1,
        "Any cell that is cut off from the rim makes a loop, empty or not",
        "A loop holds an empty cell",
        literal=_enclosing("part - set(self.stones)"),
        fixtures=("invalid/move.game-over~after-the-enemys-loop.yaml", "valid/loop-around-an-enemy-stone.yaml"),
    ),
    Reading(
        P1,
        "A loop needs a cell inside that is not of its colour",
        "Six stones around one of their own colour are a loop",
        literal=(
            (
                _LITERAL_ENCLOSED,
                f"""\
own = self.of(colour)
        if any(len(self.neighbours[cell]) == 6 and own.issuperset(self.neighbours[cell]) for cell in own):
            return True
        {_LITERAL_ENCLOSED}""",
            ),
        ),
        fixtures=("valid/filled-hexagon-is-no-loop.yaml", "invalid/result.not-over~filled-hexagon.yaml"),
    ),
    Reading(
        P1,
        "Cells on the rim are not enclosed",
        "Stones that cut a part of the board off from the rest are a loop, with the rim",
        literal=((_LITERAL_ENCLOSED, "return len(self.parts(others)) > 1"),),
        fixtures=("invalid/result.not-over~corner.yaml", "valid/row-cut-off-at-the-rim-is-no-loop.yaml"),
    ),
    Reading(
        P2,
        "On a full board with no flip available the turn is a pass",
        "The game ends there in a draw",
        literal=_full('"draw"'),
        fixtures=("valid/pass-on-a-full-board.yaml", "invalid/move.pass-with-flip~second-pass.yaml"),
    ),
    Reading(
        P2,
        "On a full board with no flip available the turn is a pass",
        "The player who cannot go on loses",
        literal=_full("ENEMY[self.mover]"),
        fixtures=("valid/pass-on-a-full-board.yaml", "invalid/move.pass-with-flip~second-pass.yaml"),
    ),
    Reading(
        P2,
        "Only then: on a full board with a flip available, the player must flip",
        "The player may pass on a full board",
        literal=(('turns = self.flips() or {"pass": before}', 'turns = {**self.flips(), "pass": before}'),),
        fixtures=("invalid/move.pass-with-flip~white.yaml", "invalid/move.pass-with-flip~second-pass.yaml"),
    ),
    Reading(
        P2,
        "Only then: while there is an empty cell, the player must place",
        "The player may pass in every turn",
        literal=(("turns: dict[str, Stones] = {}", 'turns: dict[str, Stones] = {"pass": self.stones}'),),
        fixtures=("invalid/move.pass-before-full~first-turn.yaml", "invalid/move.pass-before-full~in-the-middle.yaml"),
    ),
]
