"""Other readings of Nadraz's rulings."""

from __future__ import annotations

from tests.rulings import Reading

N1, N2, N3, N4, N5, N6, N7 = (f"N-{number}" for number in range(1, 8))
#: The clause on merging that has no number.
MERGING = "Merging"
CUTS = "Cuts"


_LITERAL_FORM = "return all(len(snake) == 1 or len(self.ends(snake)) == 2 for snake in snakes)"
_LITERAL_CUTS = "        # 2. Cuts.\n"
_LITERAL_RIM = "return bool(flipped) or not any(map(self.on_rim, line))"
_LITERAL_END = "                if end != len(line) - 1:\n"
_LITERAL_START = "if line[0] not in self.stones and self.touching(line[0], origin) not in (1, 2):"
_LITERAL_LAST = "        if any(self.touching(line[-1], snake) > 2 for snake in others):\n"
_LITERAL_TIE = 'return winner or self.placed_last() or "draw", {**lengths}'

READINGS = [
    Reading(
        N1,
        "A snake may touch itself as long as it has exactly two heads",
        "A snake is thin: no stone of it touches more than two others",
        literal=(
            (
                _LITERAL_FORM,
                f"{_LITERAL_FORM} and all(self.touching(cell, snake) < 3 for snake in snakes for cell in snake)",
            ),
        ),
        fixtures=("valid/cut-and-merge.yaml", "valid/line-from-the-middle-of-a-snake.yaml"),
    ),
    Reading(
        N1,
        "The snakes of both colours must be well formed after a turn",
        "Those of the colour that has just moved",
        literal=(
            ("for colour in ENEMY for snake in self.parts([", "for colour in [self.mover] for snake in self.parts(["),
        ),
        fixtures=("invalid/move.enemy-heads~one-head.yaml", "invalid/move.enemy-heads~no-head.yaml"),
    ),
    Reading(
        N1,
        "A snake has exactly two heads",
        "It has two at most: a ring has none",
        literal=((_LITERAL_FORM, "return all(len(snake) == 1 or len(self.ends(snake)) <= 2 for snake in snakes)"),),
        fixtures=("invalid/move.own-heads~ring-of-three.yaml", "invalid/move.own-heads~one-head.yaml"),
    ),
    Reading(
        N1,
        "A snake has exactly two heads",
        "It has two at least: it may branch",
        literal=((_LITERAL_FORM, "return all(len(snake) == 1 or len(self.ends(snake)) >= 2 for snake in snakes)"),),
        fixtures=("invalid/move.own-heads~three-heads.yaml", "valid/result-without-score.yaml"),
    ),
    Reading(
        N2,
        "A line that flips nothing may lead in any direction",
        "It goes straight on from a head or an egg",
        literal=(
            (
                _LITERAL_CUTS,
                """\
        heads = {cell for snake in friendly for cell in self.ends(snake)}
        if not flipped and not heads.intersection(before if len(line) > 1 else self.neighbours[line[0]]):
            return False
"""
                + _LITERAL_CUTS,
            ),
        ),
        fixtures=("valid/line-in-any-direction.yaml", "valid/abandoned-without-a-winner.yaml"),
    ),
    Reading(
        N2,
        "A line that flips nothing may start beside any stone of a snake",
        "It starts beside a head or an egg",
        literal=(
            (
                _LITERAL_CUTS,
                """\
        heads = {cell for snake in friendly for cell in self.ends(snake)}
        if not flipped and not heads.intersection(self.neighbours[line[0]]):
            return False
"""
                + _LITERAL_CUTS,
            ),
        ),
        fixtures=("valid/thick-snake.yaml", "valid/two-texts-for-the-same-stones.yaml"),
    ),
    Reading(
        N3,
        "The first cell of a line that flips may be an enemy stone",
        "It is an empty cell",
        literal=((_LITERAL_CUTS, "        if line[0] in self.stones:\n            return False\n" + _LITERAL_CUTS),),
        fixtures=("valid/cut-starting-on-an-enemy-stone.yaml", "valid/cut-and-merge.yaml"),
    ),
    Reading(
        N3,
        "An enemy stone that is the first cell may touch any number of the origin's stones",
        "It touches one or two, as an empty cell does",
        literal=((_LITERAL_START, "if self.touching(line[0], origin) not in (1, 2):"),),
        fixtures=(
            "valid/cut-whose-first-cell-touches-three-stones-of-a-bent-snake.yaml",
            "valid/cut-whose-first-cell-touches-three-stones.yaml",
        ),
    ),
    Reading(
        N3,
        "A line that flips comes straight from a head or an egg",
        "From any stone of the snake",
        literal=(("(not self.ends(origin).intersection(before) or", "(not origin.intersection(before) or"),),
        fixtures=(
            "invalid/move.no-head~end-of-the-snake-elsewhere.yaml",
            "invalid/move.no-head~middle-stone-before-it.yaml",
        ),
    ),
    Reading(
        CUTS,
        "No flipped stone may be an enemy head or egg, as they were before the turn",
        "Heads and eggs may be flipped",
        literal=(
            (
                "(not self.ends(origin).intersection(before) or enemy_ends.intersection(flipped))",
                "not self.ends(origin).intersection(before)",
            ),
        ),
        fixtures=("invalid/move.flips-head~egg.yaml", "invalid/move.flips-head~head.yaml"),
    ),
    Reading(
        MERGING,
        "A flipped stone on the way may touch more than two stones of a snake",
        "No cell of the line may",
        literal=(
            (_LITERAL_LAST, "        if any(self.touching(cell, snake) > 2 for cell in line for snake in others):\n"),
        ),
        fixtures=(
            "valid/flipped-stone-touches-three-of-another-snake.yaml",
            "valid/flipped-stone-touches-three-after-an-empty-cell.yaml",
        ),
    ),
    Reading(
        MERGING,
        "The last cell touches one or two stones of each snake that it merges with",
        "It may touch any number",
        literal=((_LITERAL_LAST, "        if False:\n"),),
        fixtures=("invalid/move.merge-crowded~nothing-flipped.yaml", "invalid/move.merge-crowded~cut-cell.yaml"),
    ),
    Reading(
        MERGING,
        "Where a flipped stone touches another friendly snake, the line goes on to the cut cell of that run",
        "No flipped stone may touch one",
        literal=(("if line[later] not in self.stones)", "if True)"),),
        fixtures=("valid/cut-and-merge.yaml", "valid/flipped-stone-touches-three-of-another-snake.yaml"),
    ),
    Reading(
        MERGING,
        "A line ends where it touches another friendly snake",
        "It may go on",
        literal=((_LITERAL_END, "                if end < 0:\n"),),
        fixtures=("invalid/move.past-merge~past-the-cut-cell.yaml", "invalid/move.past-merge~nothing-flipped.yaml"),
    ),
    Reading(
        N4,
        "A line may end beside enemy snakes",
        "It may not end beside a snake of either colour, but its own and those that it merges with",
        literal=(
            (
                "        # 3. Merging.\n",
                """\
        if (self.of(ENEMY[self.mover]) - set(line)).intersection(self.neighbours[line[-1]]):
            return False
""",
            ),
        ),
        fixtures=("valid/abandoned-without-a-winner.yaml", "valid/cut-starting-on-an-empty-cell.yaml"),
    ),
    Reading(
        N4,
        "A line may go on past enemy snakes",
        "It ends where it touches one that it does not flip",
        literal=(
            (
                "        # 3. Merging.\n",
                """\
        foes = self.of(ENEMY[self.mover]) - set(line)
        if any(foes.intersection(self.neighbours[cell]) for cell in line[:-1] if cell not in flipped):
            return False
""",
            ),
        ),
        fixtures=("valid/cut-starting-on-an-empty-cell.yaml", "valid/cut-starting-on-an-enemy-stone.yaml"),
    ),
    Reading(
        N5,
        "A turn that flips nothing may not place on the rim",
        "It may",
        literal=((_LITERAL_RIM, "return True"),),
        fixtures=("invalid/move.rim~beside-an-opening-egg.yaml", "invalid/move.rim~end-of-a-line.yaml"),
    ),
    Reading(
        N5,
        "Stones placed on the rim by an earlier cut, or by the opening, stay there",
        "A turn that leaves the mover a stone on the rim has to flip",
        literal=((_LITERAL_RIM, "return bool(flipped) or not any(map(self.on_rim, {*line, *self.of(self.mover)}))"),),
        fixtures=("valid/cut-starting-on-an-empty-cell.yaml", "valid/cut-starting-on-an-enemy-stone.yaml"),
    ),
    Reading(
        N5,
        "A turn that flips may place on any rim cell of its line",
        "Only cut cells may lie on the rim",
        literal=(
            (
                _LITERAL_RIM,
                """\
return not any(
            self.on_rim(cell)
            for place, cell in enumerate(line)
            if cell not in flipped and not (place and line[place - 1] in flipped)
        )""",
            ),
        ),
        fixtures=("invalid/move.occupied~stone-flipped-before.yaml", "valid/cut-onto-three-rim-cells.yaml"),
    ),
    Reading(
        N5,
        "A turn that flips may place on the rim",
        "No turn may",
        literal=((_LITERAL_RIM, "return not any(map(self.on_rim, set(line) - set(flipped)))"),),
        fixtures=("invalid/move.occupied~stone-flipped-before.yaml", "valid/cut-across-two-runs.yaml"),
    ),
    Reading(
        N6,
        "With equal lengths the colour that placed the last stone wins",
        "It is a draw",
        literal=((_LITERAL_TIE, 'return winner or "draw", {**lengths}'),),
        fixtures=("valid/reverse-tie-white-placed-last.yaml", "valid/reverse-tie-with-a-snake-of-eight-each.yaml"),
    ),
    Reading(
        N6,
        "With equal lengths the colour that placed the last stone wins",
        "The colour that passed first does",
        literal=((_LITERAL_TIE, 'return winner or (self.mover if self.placed_last() else "draw"), {**lengths}'),),
        fixtures=("valid/reverse-tie-white-placed-last.yaml", "valid/reverse-tie-with-a-snake-of-eight-each.yaml"),
    ),
    Reading(
        N6,
        "That holds in both variants",
        "In the variant it is a draw",
        literal=(
            (
                _LITERAL_TIE,
                'return winner or (self.placed_last() if self.variant is None else None) or "draw", {**lengths}',
            ),
        ),
        fixtures=("valid/reverse-tie-white-placed-last.yaml", "valid/reverse-tie-with-a-snake-of-eight-each.yaml"),
    ),
    Reading(
        N6,
        "If nobody placed a stone, it is a draw",
        "White wins, whose opening egg counts as the last stone",
        literal=((_LITERAL_TIE, 'return winner or self.placed_last() or "white", {**lengths}'),),
        fixtures=("valid/nobody-placed-a-stone.yaml", "valid/reverse-nobody-placed-a-stone.yaml"),
    ),
    Reading(
        N7,
        "One turn may merge several snakes",
        "It may merge the origin with one",
        literal=(
            (
                "        # 3. Merging.\n",
                """\
        if sum(any(self.touching(cell, snake) for cell in line) for snake in others) > 1:
            return False
""",
            ),
        ),
        fixtures=("valid/merge-three-snakes-with-a-cut.yaml", "valid/merge-three-snakes-with-nothing-flipped.yaml"),
    ),
]
