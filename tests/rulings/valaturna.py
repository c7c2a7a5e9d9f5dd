"""Other readings of Valaturna's rulings, and of those of its first edition."""

from __future__ import annotations

from tests.rulings import Reading, Same

V1, V2, V3, V4, V5 = (f"V-{number}" for number in range(1, 6))
FIRST1, FIRST2, FIRST3 = (f"V1-{number}" for number in range(1, 4))

_LITERAL_PASSES = "if self.two_passes():"
_LITERAL_TALLEST = "if height == max(heights[colour]) and all(height > other for other in heights[ENEMY[colour]]):"
_LITERAL_ENDS = "if ends and (a not in self.stones or b not in self.stones):"
_LITERAL_DRAW = 'return first_difference(*heights.values()) or "draw", {**heights}'
_LITERAL_SECURE = """\
        proved: set[Cell] = set()
"""
_LITERAL_CAPTURE = """\
                for ray, word in zip(self.rays[cell], words, strict=True):
                    for other in ray[: self.flank(word)]:
                        if other in self.stones:
                            after[other] = self.mover, self.stones[other][1] + 1
"""
_LITERAL_FIRST_SECURE = """\
    def secure(self) -> set[Cell]:
        # Ruling V1-3"""

READINGS: list[Reading | Same] = [
    Reading(
        V1,
        "Two passes in a row end the game",
        "Passes never end it",
        literal=((_LITERAL_PASSES, "if False:"),),
        fixtures=("valid/passes-in-upper-case.yaml", "valid/two-passes-draw.yaml"),
    ),
    Reading(
        V1,
        "Two passes in a row end the game",
        "One pass does",
        literal=((_LITERAL_PASSES, 'if self.history[-1] == "pass":'),),
        fixtures=("valid/passes-in-upper-case.yaml", "valid/two-passes-draw.yaml"),
    ),
    Reading(
        V1,
        "Two passes in a row end the game",
        "Two passes in the whole game do",
        literal=((_LITERAL_PASSES, 'if self.history[-1] == "pass" and self.history.count("pass") > 1:'),),
        fixtures=("valid/adjudication.json", "valid/two-passes-longer-list-wins.yaml"),
    ),
    Reading(
        V2,
        "The secure stack is one of the tallest on the board",
        "It is enough that it is taller than every enemy stack",
        literal=((_LITERAL_TALLEST, _LITERAL_TALLEST.replace("height == max(heights[colour]) and ", "")),),
        fixtures=("valid/adjudication.json", "invalid/result.not-over~secure-below-a-taller-friend.yaml"),
    ),
    Reading(
        V2,
        "Several stacks of the colour may be the tallest",
        "A single stack is the tallest",
        literal=(
            (
                _LITERAL_TALLEST,
                _LITERAL_TALLEST.replace("height ==", "heights[colour].count(height) == 1 and height =="),
            ),
        ),
        fixtures=("valid/whole-side-taken.yaml", "invalid/result.already-over~time-after-a-secure-stack.yaml"),
    ),
    Reading(
        V2,
        "It is enough that one of the tallest is secure",
        "All of them are",
        literal=(
            (
                _LITERAL_TALLEST,
                """\
secure, tall = self.secure(), [at for at, stack in self.stones.items() if stack == (colour, height)]
                if secure.issuperset(tall) and height == max(heights[colour]) and all(
                    height > other for other in heights[ENEMY[colour]]
                ):""",
            ),
        ),
        fixtures=("valid/equally-tall-friend-is-not-secure.yaml", "valid/flank-in-two-directions-wins.yaml"),
    ),
    Reading(
        V2,
        "All of the tallest stacks are of one colour",
        "An enemy stack may be equally tall",
        literal=((_LITERAL_TALLEST, _LITERAL_TALLEST.replace("height > other", "height >= other")),),
        fixtures=("valid/gap-on-one-side-flanks-nothing.yaml", "valid/placing-between-enemies-is-safe.yaml"),
    ),
    Reading(
        V2,
        "The colour of the secure stack wins, whoever placed",
        "Only the player who has just placed can win",
        literal=((_LITERAL_TALLEST, _LITERAL_TALLEST.replace("if ", "if colour != self.mover and ")),),
        fixtures=(
            "valid/enemy-placement-secures-a-stack.yaml",
            "invalid/move.game-over~after-an-enemy-placement-secured-a-stack.yaml",
        ),
    ),
    Reading(
        V3,
        "The proof repeats its step with the stacks proved so far",
        "It makes one step",
        literal=(("if self.is_secure(cell, proved)}:", "if self.is_secure(cell, set())}:"),),
        fixtures=("valid/secure-stack-ends-the-game.yaml", "invalid/move.game-over~after-a-secure-stack.yaml"),
    ),
    Reading(
        V3,
        "A stack that is not proved secure could change its colour",
        "Stacks keep their colour",
        literal=(("self.stones[cell][0] == colour or cell not in proved", "self.stones[cell][0] == colour"),),
        fixtures=("valid/stacks-do-not-keep-their-colour.yaml", "valid/stacks-could-change-their-colour.yaml"),
    ),
    Reading(
        V3,
        "One end of a flank must be empty now, so that the enemy can place there",
        "Both ends may hold stacks",
        literal=((_LITERAL_ENDS, "if ends:"),),
        fixtures=(
            "valid/enemy-placement-secures-a-stack.yaml",
            "invalid/move.game-over~after-an-enemy-placement-secured-a-stack.yaml",
        ),
    ),
    Reading(
        V3,
        "One end of a flank must be empty now",
        "Both must be",
        literal=((_LITERAL_ENDS, _LITERAL_ENDS.replace(" or ", " and ")),),
        fixtures=("valid/enemy-placement-secures-a-stack.yaml", "valid/secure-stack-of-height-three.yaml"),
    ),
    Reading(
        V3,
        "A stack is secure if the enemy can never flank it",
        "If the enemy cannot flank it in the next turn",
        literal=(
            (
                _LITERAL_SECURE,
                """\
        safe, mover = set(), self.mover
        for colour in ENEMY:
            self.mover = ENEMY[colour]
            threatened = {
                cell for after in self.turns().values() for cell in self.of(colour) if after[cell][0] != colour
            }
            safe |= self.of(colour) - threatened
        self.mover = mover
        return safe
        proved: set[Cell] = set()
""",
            ),
        ),
        fixtures=("invalid/result.not-over~tallest-stack-is-not-secure.yaml", "valid/adjudication.json"),
    ),
    Reading(
        V4,
        "Equal lists are a draw",
        "The colour that placed last wins",
        literal=((_LITERAL_DRAW, _LITERAL_DRAW.replace('"draw"', "ENEMY[self.mover]")),),
        fixtures=("valid/passes-in-upper-case.yaml", "valid/two-passes-draw.yaml"),
    ),
    Reading(
        V4,
        "Equal lists are a draw",
        "The colour that passed first wins",
        literal=((_LITERAL_DRAW, _LITERAL_DRAW.replace('"draw"', "self.mover")),),
        fixtures=("invalid/result.winner-mismatch~two-passes-on-equal-lists.yaml", "valid/passes-in-upper-case.yaml"),
    ),
    Reading(
        V4,
        "The lists are compared from the tallest down to the first difference",
        "The tallest stacks alone are compared",
        literal=(
            (_LITERAL_DRAW, _LITERAL_DRAW.replace("*heights.values()", "*(each[:1] for each in heights.values())")),
        ),
        fixtures=("valid/several-games.yaml", "valid/two-passes-longer-list-wins.yaml"),
    ),
    Reading(
        V5,
        "Only flanks of which the placed stack is an end count: a captured stack captures nothing further",
        "Captured stacks capture in turn",
        literal=(
            (
                _LITERAL_CAPTURE,
                """\
                before, ends = self.stones, [cell]
                while ends:
                    caught = []
                    for end in ends:
                        for ray in self.rays[end]:
                            caught += [other for other in ray[: self.flank(self.read(ray))] if other in self.stones]
                    ends = sorted(set(caught))
                    self.stones = {**after, **{other: (self.mover, after[other][1] + 1) for other in ends}}
                    after = self.stones
                self.stones = before
""",
            ),
        ),
        fixtures=(
            "invalid/result.score-mismatch~captured-stack-captured-again.yaml",
            "valid/first-edition-white-wins-by-two-passes.yaml",
        ),
    ),
    Reading(
        V5,
        "Only flanks of which the placed stack is an end count: it may be placed between enemies",
        "A stack placed right between two enemy stacks is captured",
        literal=(
            (
                _LITERAL_CAPTURE,
                _LITERAL_CAPTURE
                + """\
                foes = [bool(ray) and after.get(ray[0], ("",))[0] == ENEMY[self.mover] for ray in self.rays[cell]]
                if any(foes[way] and foes[way + 3] for way in range(3)):
                    after[cell] = ENEMY[self.mover], 2
""",
            ),
        ),
        fixtures=(
            "valid/flank-in-two-directions-wins.yaml",
            "invalid/move.game-over~after-an-enemy-placement-secured-a-stack.yaml",
        ),
    ),
    Reading(
        V5,
        "All flanks of the placed stack are captured",
        "Those of one direction are",
        literal=(
            (
                _LITERAL_CAPTURE,
                """\
                caught = [ray[: self.flank(word)] for ray, word in zip(self.rays[cell], words) if self.flank(word)]
                for ray in caught[:1]:
                    for other in ray:
                        if other in self.stones:
                            after[other] = self.mover, self.stones[other][1] + 1
""",
            ),
        ),
        fixtures=(
            "invalid/move.no-friendly-stack~flanked-in-another-direction.yaml",
            "valid/flank-in-two-directions-wins.yaml",
        ),
    ),
    Same(
        V5,
        "All directions are judged on the position before any capture of the turn",
        "One direction after the other",
        "The rays of a cell have no cell in common, so no capture in one changes another.",
    ),
    Reading(
        FIRST1,
        "`pass` is legal exactly when no placement is",
        "It is always legal",
        literal=(('return placements or {"pass": self.stones}', 'return {**placements, "pass": self.stones}'),),
        fixtures=(
            "invalid/move.early-pass~first-edition-first-turn.yaml",
            "invalid/move.early-pass~first-edition-one-placement-left.yaml",
        ),
    ),
    Reading(
        FIRST1,
        "A player who cannot place passes",
        "The game ends there",
        literal=(
            (
                _LITERAL_FIRST_SECURE,
                """\
    def judge(self):
        heights = {colour: self.heights(colour) for colour in ENEMY}
        if "pass" in self.turns():
            return first_difference(*heights.values()) or "draw", {**heights}
        return None

"""
                + _LITERAL_FIRST_SECURE,
            ),
        ),
        fixtures=("valid/first-edition-flank-with-a-gap-inside.yaml", "valid/first-edition-ended-by-agreement.yaml"),
    ),
    Reading(
        FIRST2,
        "Both ends see the same cells",
        "As many empty cells before, between and behind the runs, as in the revision",
        literal=(
            (
                "    def flank(self, word: str) -> int:\n        # Ruling V1-2",
                "    def unused(self, word: str) -> int:\n        # Ruling V1-2",
            ),
        ),
        fixtures=(
            "valid/first-edition-flank-with-a-gap-inside.yaml",
            "valid/first-edition-unequal-ends-flank-nothing.yaml",
        ),
    ),
    Reading(
        FIRST2,
        "Both ends see the same cells",
        "It is enough that enemy stacks lie between",
        literal=((" and between == between[::-1]", ""),),
        fixtures=(
            "valid/first-edition-unequal-ends-flank-nothing.yaml",
            "invalid/move.no-friendly-stack~first-edition-unequal-ends.yaml",
        ),
    ),
    Reading(
        FIRST3,
        "There is no end by a secure stack",
        "There is, as in the revision",
        literal=((_LITERAL_FIRST_SECURE, _LITERAL_FIRST_SECURE.replace("secure(", "unused(")),),
        fixtures=(
            "valid/first-edition-ended-by-agreement.yaml",
            "invalid/result.not-over~first-edition-secure-stack.yaml",
        ),
    ),
]
