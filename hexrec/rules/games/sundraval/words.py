"""Sundraval: messages, explanations and highlights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from hexrec.rules.cells import Cells
from hexrec.rules.games.sundraval.rules import Sundraval
from hexrec.rules.grid import EMPTY
from hexrec.rules.position import Position
from hexrec.rules.terms import (
    COLORS,
    Annotation,
    Explanation,
    Reason,
    Row,
    Table,
    difference,
    ending,
    join_words,
    pluralize,
)
from hexrec.rules.view import WINNERS


class Territory(NamedTuple):
    """A territory: its cells, its color, and the groups that touch it."""

    cells: tuple[int, ...]
    color: int
    groups: list[int]


class SundravalPosition(Position):
    """Position of Sundraval with its words."""

    __slots__ = ()

    grid: Sundraval

    def _wording(self, code: str, move: int) -> str:
        if code != "move/no-path":
            return super()._wording(code, move)
        name, enemy = self.names.names[move], COLORS[1 - self.grid.side]
        return f"{name} has no path to an enemy group: no {enemy} stone touches the empty cells that it is connected to"

    def _highlights(self) -> Iterable[Annotation]:
        if self.is_over:
            yield from self._mark_settlement(_Settlement(self), "strangled")

    def _mark_settlement(self, settled: _Settlement, strangled: str) -> Iterator[Annotation]:
        """Yield the strangled groups, by that name, and the territories that are left."""
        dead = tuple(cell for group in settled.sort(settled.strangled) for cell in settled.members(group))
        yield Annotation("dead", strangled, dead)
        yield from self._mark_territories(settled.territories(settled.grid.ground))

    def _mark_territories(self, territories: Iterable[Territory]) -> Iterator[Annotation]:
        for cells, color, _ in territories:
            yield Annotation("area", f"{COLORS[color]} territory", cells, color)

    def _overlays(self) -> Iterable[tuple[str, Iterable[Annotation]]]:
        settled = _Settlement(self)
        yield "territories", self._mark_territories(settled.territories(settled.grid.at))
        yield "if both players passed now", self._mark_settlement(settled, "would be strangled")

    def _explanation(self) -> Explanation:
        settled = _Settlement(self)
        grid = settled.grid
        totals = [grid.half_points(color) / 2 for color in (0, 1)]
        half = [grid.half_points(color) % 2 / 2 for color in (0, 1)]
        winner = "draw" if totals[0] == totals[1] else WINNERS[totals[0] < totals[1]]
        when = "this is" if self.is_over else "the game goes on; if both players passed now, this would be"
        owner = COLORS[half.index(0.5)].capitalize() if any(half) else "nobody"
        compared = difference(*grid.areas)
        conclusions = (
            Reason("total", f"{when} {ending(winner)}: Black has {totals[0]:g} points, White {totals[1]:g}"),
            Reason("half-point", f"{owner} has the half point: in the sizes of the territories, {compared}"),
        )
        owned = []
        for cells, color, groups in settled.territories(grid.ground):
            owned.append(Row(cells, color, (len(cells),), (settled.reason("touches", "it touches {}", groups),)))
        points = [Row((), color, (totals[color] - half[color], half[color], totals[color])) for color in (0, 1)]
        return Explanation(
            conclusions,
            (
                Table("groups", ("stones", "territories", "points"), tuple(settled.scoring())),
                Table("strangled groups", ("stones",), tuple(settled.strangled_rows())),
                Table("territories", ("empty cells",), tuple(owned)),
                Table("points", ("of groups", "half point", "total"), tuple(points)),
            ),
        )


class _Settlement:
    """The groups of a position as they would be scored now.

    Attributes:
        grid: a copy of the grid, with the results of `Sundraval.settle`.
        groups: all groups.
        strangled: the strangled groups.
    """

    def __init__(self, position: SundravalPosition) -> None:
        self.board, self.names = position.board, position.names.names
        self.grid = position.copy().grid
        self.grid.settle()
        self.groups = range(self.grid.groups)
        self.strangled = {group for group in self.groups if self.grid.strangled[group]}

    def members(self, group: int) -> list[int]:
        """Return the stones of a group."""
        at, group_at = self.grid.at, self.grid.group_at
        return [cell for cell in self.board.cells if at[cell] != EMPTY and group_at[cell] == group]

    def territories(self, ground: Cells) -> Iterator[Territory]:
        """Yield the territories on a board, in board order, each with its groups in the order of their numbers."""
        for region in self.board.parts(cell for cell in self.board.cells if ground[cell] == EMPTY):
            around = {other for cell in region for other in self.board.neighbors[cell]}
            touched = {self.grid.group_at[other] for other in around if ground[other] != EMPTY}
            colors = {self.grid.colors[group] for group in touched}
            if len(colors) == 1:
                yield Territory(region, colors.pop(), self.sort(touched))

    def scoring(self) -> Iterator[Row]:
        """Yield the remaining groups with their points and the reasons why they are not strangled."""
        lives, grid = self.lives(), self.grid
        for group in sorted(lives, key=lambda group: (grid.colors[group], -grid.scored[group], group)):
            count = grid.scored[group]
            values = grid.sizes[group], count, count * (count + 1) // 2
            yield Row(tuple(self.members(group)), grid.colors[group], values, (lives[group],))

    def lives(self) -> dict[int, Reason]:
        """Return, for each group that is not strangled, the reason by ruling S-1."""
        reasons: dict[int, Reason] = {}
        for group in self.sort(self.groups):
            if group in self.strangled:
                continue
            if self.grid.territories_before[group]:
                reasons[group] = Reason("territory", "it has a territory")
            elif not self.grid.is_threatened(group):
                enemies = self.linked(group, friends=False)
                text = "of {}, to which it has a path, none is larger or has a territory"
                reasons[group] = self.reason(
                    "no-threat", text if enemies else "no enemy group has a path to it", enemies
                )
            elif weak := [enemy for enemy in self.smaller_enemies(group) if enemy in self.strangled]:
                text = f"{{}}, smaller and with a path to it, {_are(weak)} strangled"
                reasons[group] = self.reason("smaller-enemy", text, weak)
        for friend in (spread := list(reasons)):  # grows during the loop
            for group in self.linked(friend, friends=True):
                if group not in reasons and group not in self.strangled:
                    text = "{}, to which it has a path, is not strangled"
                    reasons[group] = self.reason("friend", text, [friend])
                    spread.append(group)
        return reasons

    def strangled_rows(self) -> Iterator[Row]:
        """Yield the strangled groups, each with the three conditions and the groups that fulfill them."""
        grid = self.grid
        for group in sorted(self.strangled, key=lambda group: (grid.colors[group], grid.sizes[group], group)):
            threats = [enemy for enemy in self.linked(group, friends=False) if grid.is_threat(enemy, group)]
            one = join_words([f"{self.name(enemy)} {self.threat(enemy, group)}" for enemy in threats])
            friends = self.linked(group, friends=True)
            two = f"it has no territory, and {{}}, to which it has a path, {_are(friends)} strangled too"
            weaker = self.smaller_enemies(group)
            three = f"{{}}, smaller and with a path to it, {_are(weaker)} not strangled"
            reasons = [
                Reason("condition-1", f"of the enemy groups to which it has a path, {one}", self.cells(threats)),
                self.reason("condition-2", two if friends else _ALONE, friends),
                self.reason("condition-3", three if weaker else "no smaller enemy group has a path to it", weaker),
            ]
            if grid.undecided[group]:
                text = "the conditions alone leave it undecided: ruling S-2, or a consequence of it, decides"
                reasons.append(Reason("ruling-s2", text))
            yield Row(tuple(self.members(group)), grid.colors[group], (grid.sizes[group],), tuple(reasons))

    def linked(self, group: int, *, friends: bool) -> list[int]:
        """Return the friends, or the enemies, to which a group has a path."""
        grid = self.grid
        links = (grid.links[group * grid.groups + index] for index in range(grid.degrees[group]))
        return self.sort(other for other in links if (grid.colors[other] == grid.colors[group]) == friends)

    def smaller_enemies(self, group: int) -> list[int]:
        """Return the smaller enemies to which a group has a path."""
        sizes = self.grid.sizes
        return [enemy for enemy in self.linked(group, friends=False) if sizes[enemy] < sizes[group]]

    def threat(self, enemy: int, group: int) -> str:
        """Return the words for a threat to a group by an enemy group."""
        larger, living = self.grid.sizes[enemy] > self.grid.sizes[group], self.grid.territories_before[enemy]
        return "is larger and has a territory" if larger and living else "is larger" if larger else "has a territory"

    def sort(self, groups: Iterable[int]) -> list[int]:
        """Return groups in the order of messages: Black first, each color by first cell."""
        return sorted(groups, key=lambda group: (self.grid.colors[group], group))

    def reason(self, code: str, text: str, groups: list[int]) -> Reason:
        """Return a reason with the names of groups inserted into its text."""
        return Reason(code, text.format(join_words([*map(self.name, groups)])) if groups else text, self.cells(groups))

    def name(self, group: int) -> str:
        """Return the words for a group in a sentence."""
        first, size = self.names[self.grid.firsts[group]], pluralize(self.grid.sizes[group], "stone")
        return f"the {COLORS[self.grid.colors[group]]} group of {first} ({size})"

    def cells(self, groups: list[int]) -> tuple[int, ...]:
        """Return the stones of groups, in board order."""
        return tuple(sorted(cell for group in groups for cell in self.members(group)))


_ALONE = "it has no territory, and no other group of its color has a path to it"


def _are(groups: list[int]) -> str:
    return "is" if len(groups) == 1 else "are"
