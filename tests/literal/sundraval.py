"""Sundraval, word for word."""

from __future__ import annotations

from tests.literal import ENEMY, Cell, Ending, Literal, Stones, first_difference

Group = frozenset[Cell]


class Sundraval(Literal):
    def turns(self) -> dict[str, Stones]:
        turns = {"pass": self.stones}
        for region in self.parts(self.empty()):
            if self.border(region) & self.of(ENEMY[self.mover]):
                for cell in region:
                    turns[self.cells[cell]] = {**self.stones, cell: (self.mover, 1)}
        return turns

    def judge(self) -> Ending | None:
        if not self.two_passes():
            return None
        final = self.stones
        removed = set().union(*self.strangled())
        self.stones = {cell: stone for cell, stone in final.items() if cell not in removed}
        ending = self.score()
        self.stones = final
        return ending

    def score(self) -> Ending:
        """Judge the position after the removal."""
        score = {"black": 0.0, "white": 0.0}
        for group in self.groups():
            count = len(self.territories_of(group))
            score[self.color(group)] += count * (count + 1) / 2
        larger = first_difference(*([len(t) for t in self.territories(color)] for color in score))
        if larger:
            score[larger] += 0.5
        return first_difference([score["black"]], [score["white"]]) or "draw", {**score}

    # Groups, territories, paths.

    def groups(self) -> list[Group]:
        return self.parts(self.of("black")) + self.parts(self.of("white"))

    def color(self, group: Group) -> str:
        return self.stones[min(group)][0]

    def territories(self, color: str) -> list[Group]:
        regions = self.parts(self.empty())
        return [
            region
            for region in regions
            if self.border(region) & self.of(color) and not self.border(region) & self.of(ENEMY[color])
        ]

    def territories_of(self, group: Group) -> list[Group]:
        return [territory for territory in self.territories(self.color(group)) if self.border(territory) & group]

    def have_path(self, one: Group, other: Group) -> bool:
        if self.border(one) & other:
            return True
        return any(self.border(region) & one and self.border(region) & other for region in self.parts(self.empty()))

    # Strangled groups.

    def strangled(self) -> set[Group]:
        """Return the strangled groups."""
        groups = self.groups()
        paths = {one: [other for other in groups if other != one and self.have_path(one, other)] for one in groups}
        has_territory = {group: bool(self.territories_of(group)) for group in groups}
        return self.decided(paths, has_territory)

    def decided(self, paths: dict[Group, list[Group]], has_territory: dict[Group, bool]) -> set[Group]:
        """Return the strangled ones of groups, given the groups to which each has a path, and which have a territory.

        That is the well-founded reading of ruling S-1, continued by ruling S-2.
        """
        groups = list(paths)
        friends = {one: [other for other in paths[one] if self.color(other) == self.color(one)] for one in groups}
        enemies = {one: [other for other in paths[one] if self.color(other) != self.color(one)] for one in groups}
        smaller = {one: [enemy for enemy in enemies[one] if len(enemy) < len(one)] for one in groups}
        threatened = {
            group: any(len(enemy) > len(group) or has_territory[enemy] for enemy in enemies[group]) for group in groups
        }
        alive: set[Group] = set()
        strangled: set[Group] = set()
        while True:
            known = len(alive) + len(strangled)
            undecided = set(groups) - alive - strangled
            # Alive is what some rule proves to be alive.
            alive |= {
                group
                for group in undecided
                if has_territory[group]
                or not threatened[group]
                or alive.intersection(friends[group])
                or strangled.intersection(smaller[group])
            }
            # Strangled is the largest set of undecided groups of which none could be proved alive without another of
            # the set: the undecided groups, less, again and again, each for which some rule is still open.
            unfounded = undecided - alive
            while True:
                open_still = {
                    group
                    for group in unfounded
                    if set(smaller[group]) - alive or set(friends[group]) - strangled - unfounded
                }
                if not open_still:
                    break
                unfounded -= open_still
            strangled |= unfounded
            undecided -= alive | strangled
            if not undecided:
                break
            if known < len(alive) + len(strangled):
                continue
            depends = {group: undecided.intersection(friends[group] + smaller[group]) for group in undecided}
            tied = min(self.independent(depends), key=lambda groups: min(map(self.rank, groups)))
            loser = self.color(min(tied, key=self.rank))
            strangled |= {group for group in tied if self.color(group) == loser}
            alive |= {group for group in tied if self.color(group) != loser}
        for group in groups:
            # The verdict satisfies the three conditions as they stand.
            one = threatened[group]
            two = not has_territory[group] and all(friend in strangled for friend in friends[group])
            three = not any(enemy in strangled for enemy in smaller[group])
            assert (group in strangled) == (one and two and three)
        return strangled

    def rank(self, group: Group) -> tuple[int, int]:
        """Return what ruling S-2 compares: the size, then the first cell in board order."""
        return len(group), min(list(self.cells).index(cell) for cell in group)

    def independent(self, depends: dict[Group, set[Group]]) -> list[set[Group]]:
        """Return the sets of groups that all depend on each other, and on no group outside the set."""
        reach = {}
        for group in depends:
            reach[group] = {group}
            while more := set().union(*(depends[other] for other in reach[group])) - reach[group]:
                reach[group] |= more
        return [reach[group] for group in depends if all(reach[other] == reach[group] for other in reach[group])]
