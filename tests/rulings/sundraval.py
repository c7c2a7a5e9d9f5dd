"""Other readings of Sundraval's rulings."""

from __future__ import annotations

from tests.rulings import Edit, Reading, Same

S1, S2, S3, S4 = "S-1", "S-2", "S-3", "S-4"

_LITERAL_VERDICT = """\
        alive: set[Group] = set()
"""
_LITERAL_TIE = "tied = min(self.independent(depends), key=lambda groups: min(map(self.rank, groups)))"
_LITERAL_LOSER = "loser = self.colour(min(tied, key=self.rank))"
_LITERAL_RANK = "return len(group), min(list(self.cells).index(cell) for cell in group)"
_LITERAL_STRANGLED = "strangled |= {group for group in tied if self.colour(group) == loser}"
_LITERAL_ALIVE = "alive |= {group for group in tied if self.colour(group) != loser}"
_LITERAL_DEPENDS = "undecided.intersection(friends[group] + smaller[group])"
#: The transcription asserts that its verdict meets the conditions of the text, which that of other readings need not.
_LITERAL_UNCHECKED: Edit = ("assert (group in strangled) == (one and two and three)", "del one, two, three")


READINGS: list[Reading | Same] = [
    Reading(
        S1,
        "A group is alive only if this can be derived",
        "Two friendly groups may vouch for each other",
        literal=(
            (
                _LITERAL_VERDICT,
                """\
        alive = set(groups)
        for _ in groups:
            alive = {
                group
                for group in groups
                if has_territory[group]
                or not threatened[group]
                or alive.intersection(friends[group])
                or set(smaller[group]) - alive
            }
        return set(groups) - alive
""",
            ),
        ),
        fixtures=(
            "valid/friends-cannot-vouch-for-each-other-in-the-open.yaml",
            "valid/friends-cannot-vouch-for-each-other.yaml",
        ),
    ),
    Reading(
        S1,
        "A friendly group with a path to it that is alive keeps a group alive",
        "Only its own territory or a strangled enemy does",
        literal=(
            ("or alive.intersection(friends[group])\n", ""),
            (" or set(friends[group]) - strangled - unfounded", ""),
            _LITERAL_UNCHECKED,
        ),
        fixtures=("valid/saved-by-a-friendly-group.yaml", "valid/undecided-groups-first-cell-not-last.yaml"),
    ),
    Reading(
        S1,
        "A smaller enemy group with a path to it that is strangled keeps a group alive",
        "An enemy group of any size does",
        literal=(("[enemy for enemy in enemies[one] if len(enemy) < len(one)]", "enemies[one]"), _LITERAL_UNCHECKED),
        fixtures=(
            "valid/a-larger-strangled-enemy-saves-nobody.yaml",
            "valid/a-larger-strangled-enemy-saves-no-group-of-white.yaml",
        ),
    ),
    Reading(
        S1,
        "A smaller enemy group with a path to it that is strangled keeps a group alive",
        "An equally large enemy group does, too",
        literal=(
            (
                "[enemy for enemy in enemies[one] if len(enemy) < len(one)]",
                "[enemy for enemy in enemies[one] if len(enemy) <= len(one)]",
            ),
            _LITERAL_UNCHECKED,
        ),
        fixtures=(
            "valid/enemies-as-large-save-nobody.yaml",
            "valid/enemies-as-large-save-nobody-the-other-way-round.yaml",
        ),
    ),
    Reading(
        S1,
        "A group is threatened by a larger enemy group, or by one with a territory",
        "By an equally large one, too",
        literal=(("any(len(enemy) > len(group) or", "any(len(enemy) >= len(group) or"),),
        fixtures=("valid/a-group-as-large-threatens-nobody.yaml", "valid/enemies-as-large-threaten-nobody.yaml"),
    ),
    Reading(
        S2,
        "One of the sets that depend on no undecided group outside is decided first",
        "All undecided groups are decided at once, by the smallest of all",
        literal=((_LITERAL_TIE, "tied = undecided"), _LITERAL_UNCHECKED),
        fixtures=(
            "valid/undecided-groups-larger-enemies-apart.yaml",
            "valid/undecided-groups-two-sets-of-two-colours.yaml",
        ),
    ),
    Reading(
        S2,
        "Several such sets are decided one by one, each by its own smallest group",
        "They are decided together, by the smallest group of all of them",
        literal=((_LITERAL_TIE, "tied = set().union(*self.independent(depends))"), _LITERAL_UNCHECKED),
        fixtures=(
            "valid/undecided-groups-two-sets-of-two-colours.yaml",
            "valid/undecided-groups-two-sets-decided-apart.yaml",
        ),
    ),
    Same(
        S2,
        "Of several such sets the one that holds the smallest undecided group is decided first",
        "Another one is",
        "No group of such a set depends on a group of another one, so the order changes no verdict.",
    ),
    Same(
        S2,
        "A group may be such a set alone",
        "There must be two groups or more",
        "A group that depends on no other undecided group is decided by the reading of S-1 already.",
    ),
    Reading(
        S2,
        "The smallest group's colour is strangled",
        "The largest group's colour is",
        literal=((_LITERAL_LOSER, _LITERAL_LOSER.replace("min(", "max(")),),
        fixtures=(
            "valid/undecided-groups-first-cell-not-last.yaml",
            "valid/undecided-groups-smallest-not-largest.yaml",
        ),
    ),
    Reading(
        S2,
        "Of equally small groups, the one with the first cell in board order decides",
        "The one with the last cell does",
        literal=((_LITERAL_RANK, "return len(group), -max(list(self.cells).index(cell) for cell in group)"),),
        fixtures=(
            "valid/undecided-groups-first-cell-not-last.yaml",
            "valid/undecided-groups-smallest-not-largest.yaml",
        ),
    ),
    Reading(
        S2,
        "Of equally small groups, the one with the first cell in board order decides",
        "The one whose last cell comes first does",
        literal=((_LITERAL_RANK, "return len(group), max(list(self.cells).index(cell) for cell in group)"),),
        fixtures=(
            "valid/undecided-groups-first-cells-are-compared.yaml",
            "valid/undecided-groups-first-cells-of-black.yaml",
        ),
    ),
    Reading(
        S2,
        "The groups of that colour are strangled, the others alive",
        "The groups of that colour are alive, the others strangled",
        literal=(
            (_LITERAL_STRANGLED, _LITERAL_STRANGLED.replace("==", "!=")),
            (_LITERAL_ALIVE, _LITERAL_ALIVE.replace("!=", "==")),
        ),
        fixtures=("valid/undecided-groups-smallest-not-largest.yaml", "valid/undecided-groups-largest-is-white.yaml"),
    ),
    Reading(
        S2,
        "The groups of the other colour are alive",
        "All undecided groups are strangled",
        literal=((_LITERAL_STRANGLED, "strangled |= tied"), (_LITERAL_ALIVE, "alive -= tied"), _LITERAL_UNCHECKED),
        fixtures=("valid/undecided-groups-largest-is-white.yaml", "valid/undecided-groups-smallest-is-black.yaml"),
    ),
    Reading(
        S2,
        "The groups of the smallest group's colour are strangled",
        "All undecided groups are alive",
        literal=((_LITERAL_STRANGLED, "strangled -= tied"), (_LITERAL_ALIVE, "alive |= tied"), _LITERAL_UNCHECKED),
        fixtures=("valid/undecided-groups-largest-is-white.yaml", "valid/undecided-groups-smallest-is-black.yaml"),
    ),
    Reading(
        S2,
        "The reading of S-1 resumes with that",
        "What is undecided then is alive",
        literal=((_LITERAL_ALIVE, "break"), _LITERAL_UNCHECKED),
        fixtures=("valid/undecided-groups-then-the-rest.yaml", "valid/undecided-groups-two-sets-of-two-colours.yaml"),
    ),
    Reading(
        S2,
        "An undecided group depends on friendly groups and on smaller enemy groups",
        "On enemy groups of any size, too",
        literal=((_LITERAL_DEPENDS, "undecided.intersection(friends[group] + enemies[group])"), _LITERAL_UNCHECKED),
        fixtures=(
            "valid/undecided-groups-larger-enemies-apart.yaml",
            "valid/undecided-groups-others-depend-on-them.yaml",
        ),
    ),
    Reading(
        S2,
        "All of this is judged on the position before any removal",
        "The groups left are judged again, until none is strangled",
        literal=(
            (
                """\
        removed = set().union(*self.strangled())
        self.stones = {cell: stone for cell, stone in final.items() if cell not in removed}
""",
                """\
        while removed := set().union(*self.strangled()):
            self.stones = {cell: stone for cell, stone in self.stones.items() if cell not in removed}
""",
            ),
        ),
        fixtures=("valid/saved-by-a-smaller-strangled-enemy.yaml", "valid/judged-before-any-removal.yaml"),
    ),
    Reading(
        S3,
        "A territory counts for each group that it touches",
        "It counts for the largest of them",
        literal=(
            (
                "count = len(self.territories_of(group))",
                """\
count = sum(
                group == max((each for each in self.groups() if each & self.border(territory)), key=self.rank)
                for territory in self.territories_of(group)
            )""",
            ),
        ),
        fixtures=("valid/territory-shared-after-a-removal.yaml", "valid/saved-by-a-friendly-group.yaml"),
    ),
    Reading(
        S3,
        "A territory may touch several groups of its colour",
        "Then it is nobody's",
        literal=(
            (
                "count = len(self.territories_of(group))",
                """\
count = sum(
                not self.border(territory) & self.of(self.colour(group)) - group
                for territory in self.territories_of(group)
            )""",
            ),
        ),
        fixtures=("valid/territory-shared-after-a-removal.yaml", "valid/saved-by-a-friendly-group.yaml"),
    ),
    Reading(
        S4,
        "With equal totals and equal lists the result is a draw",
        "White wins, as Black had the first turn",
        literal=(('or "draw", {**score}', 'or "white", {**score}'),),
        fixtures=("valid/draw-by-two-immediate-passes.yaml", "valid/equal-groups-strangle-nobody.yaml"),
    ),
    Reading(
        S4,
        "With equal lists there is no half point",
        "White gets the half point, as Black had the first turn",
        literal=(("        if larger:\n", '        larger = larger or "white"\n        if larger:\n'),),
        fixtures=("valid/draw-by-two-immediate-passes.yaml", "valid/equal-groups-strangle-nobody.yaml"),
    ),
    Reading(
        S4,
        "The lists are compared from the largest down to the first difference",
        "The largest territories alone are compared",
        literal=(
            (
                "([len(t) for t in self.territories(colour)] for colour in score)",
                "([max([0, *(len(t) for t in self.territories(colour))])] for colour in score)",
            ),
        ),
        fixtures=("valid/half-point-where-the-other-has-none-left.yaml", "valid/half-point-by-the-second-largest.yaml"),
    ),
]
