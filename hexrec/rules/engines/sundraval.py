"""Rules of Sundraval: place stones with a path to the enemy; score the territories of living groups.

The module implements rulings S-1 to S-4 of the rules page.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from hexrec.rules.board import BIT, Board, cells_of
from hexrec.rules.position import PASS, CellPosition
from hexrec.rules.terms import COLORS, Color, IllegalTurn, Outcome, compare_lists


class SundravalRules(CellPosition):
    """A move is a cell, or PASS."""

    __slots__ = ()

    def _refusal(self, move: int) -> IllegalTurn | None:
        if move == PASS:
            return None
        own, enemy = self._stones[self._side], self._stones[1 - self._side]
        occupied = own | enemy
        if occupied & BIT[move]:
            return self._occupied_error(move)
        region = self.board.flood(BIT[move], self.board.mask ^ occupied)
        if self.board.adjacent(region) & enemy:
            return None
        return self._illegal("move/no-path", move)

    def _execute(self, move: int) -> None:
        self._stones[self._side] |= BIT[move]

    def _passed_out(self) -> Outcome:
        return score(self.board, self._stones)

    def _moves(self) -> Iterable[int]:
        yield PASS
        empty = self.board.mask & ~self._stones[0] & ~self._stones[1]
        goal = self.board.adjacent(self._stones[1 - self._side]) & empty
        yield from cells_of(self.board.flood(goal, empty))


@dataclass(eq=False, slots=True)
class Group:
    """Group in a final position, with its relations to other groups.

    Attributes:
        bits: the bitboard of its stones.
        color: 0 for Black, 1 for White.
        has_territory: whether it touches a territory.
        friends, enemies: the groups of each color to which it has a path; its friends may include itself.
    """

    bits: int
    color: int
    has_territory: bool = False
    friends: set[Group] = field(default_factory=set)
    enemies: set[Group] = field(default_factory=set)

    @property
    def size(self) -> int:
        """The number of stones."""
        return self.bits.bit_count()

    @property
    def order(self) -> tuple[int, int]:
        """Sort key: smaller groups first, then by first cell in board order (ruling S-2)."""
        return self.size, self.bits & -self.bits

    @property
    def threats(self) -> set[Group]:
        """The enemies that are larger or have a territory (condition 1)."""
        return {enemy for enemy in self.enemies if enemy.size > self.size or enemy.has_territory}

    @property
    def smaller_enemies(self) -> set[Group]:
        """The enemies that are smaller (condition 3)."""
        return {enemy for enemy in self.enemies if enemy.size < self.size}


#: The bitboard of a region of empty cells, and the groups that touch it.
Region = tuple[int, list[Group]]


class Settlement(NamedTuple):
    """Groups and regions of a final position.

    Attributes:
        groups: all groups, Black first, each color by first cell.
        strangled: the strangled groups.
        left: the regions after removal of the strangled groups.
    """

    groups: list[Group]
    strangled: set[Group]
    left: list[Region]


class Tally(NamedTuple):
    """Territories and points after removal of the strangled groups.

    Attributes:
        owned: the number of territories by group.
        sizes: the sizes of territories by color.
        points: the points of groups by color.
        larger: the color that gets the half point, or None.
    """

    owned: Counter[Group]
    sizes: tuple[list[int], list[int]]
    points: list[float]
    larger: Color | None

    def totals(self) -> list[float]:
        """Return the total points by color, including the half point."""
        return [own + (color == self.larger) / 2 for own, color in zip(self.points, COLORS, strict=True)]

    def outcome(self) -> Outcome:
        """Return the outcome with the totals as score."""
        black, white = self.totals()
        return Outcome(compare_lists([black], [white]) or "draw", {"black": black, "white": white})


def score(board: Board, stones: list[int]) -> Outcome:
    """Return the outcome of a final position, given as one bitboard per color."""
    return tally_of(settle(board, stones).left).outcome()


def tally_of(left: list[Region]) -> Tally:
    """Count territories and points in the remaining regions."""
    points = [0.0, 0.0]
    sizes: tuple[list[int], list[int]] = ([], [])
    owned: Counter[Group] = Counter()
    for region, owner, touching in territories(left):
        sizes[owner].append(region.bit_count())
        owned.update(touching)
    for group, count in owned.items():
        points[group.color] += count * (count + 1) / 2
    return Tally(owned, sizes, points, compare_lists(*sizes))


def territories(regions: list[Region]) -> Iterator[tuple[int, int, list[Group]]]:
    """Yield each territory as a bitboard, with its color and the groups that touch it."""
    for region, touching in regions:
        owner = sole_color(touching)
        if owner is not None:
            yield region, owner, touching


def settle(board: Board, stones: list[int]) -> Settlement:
    """Find the strangled groups of a final position, and the regions after their removal."""
    groups = [Group(bits, color) for color in (0, 1) for bits in board.components(stones[color])]
    before = find_regions(board, stones, groups)
    relate(board, groups, before)
    strangled = strangled_groups(groups)
    if not strangled:
        return Settlement(groups, strangled, before)
    left = list(stones)
    for group in strangled:
        left[group.color] &= ~group.bits
    living = [group for group in groups if group not in strangled]
    return Settlement(groups, strangled, find_regions(board, left, living))


def sole_color(groups: list[Group]) -> int | None:
    """Return the common color of groups, or None if the list is empty or the colors differ."""
    colors = {group.color for group in groups}
    return colors.pop() if len(colors) == 1 else None


def find_regions(board: Board, stones: list[int], groups: list[Group]) -> list[Region]:
    """Return the connected regions of empty cells, each with the groups that touch it."""
    regions = []
    for region in board.components(board.mask & ~stones[0] & ~stones[1]):
        border = board.adjacent(region)
        regions.append((region, [group for group in groups if group.bits & border]))
    return regions


def relate(board: Board, groups: list[Group], regions: list[Region]) -> None:
    """Set `has_territory`, `friends` and `enemies` of the groups."""
    for _, touching in regions:
        territory = sole_color(touching) is not None
        for group in touching:
            group.has_territory |= territory
            group.friends.update(other for other in touching if other.color == group.color)
            group.enemies.update(other for other in touching if other.color != group.color)
    for group in groups:
        border = board.adjacent(group.bits)
        group.enemies.update(other for other in groups if other.color != group.color and other.bits & border)


def strangled_groups(groups: list[Group]) -> set[Group]:
    """Return the strangled groups by the well-founded semantics (ruling S-1), ties broken by ruling S-2."""
    alive: set[Group] = set()
    strangled: set[Group] = set()
    while True:
        alive, possible = _well_founded(groups, alive, strangled)
        strangled = {*groups} - possible
        if possible == alive:
            return strangled
        tied = min(_independent_ties(possible - alive), key=lambda tie: min(group.order for group in tie))
        loser = min(tied, key=lambda group: group.order).color
        strangled |= {group for group in tied if group.color == loser}
        alive |= tied - strangled


def undecided_groups(groups: list[Group]) -> set[Group]:
    """Return the groups that ruling S-1 alone leaves undecided."""
    alive, possible = _well_founded(groups, set(), set())
    return possible - alive


def _well_founded(groups: list[Group], alive: set[Group], strangled: set[Group]) -> tuple[set[Group], set[Group]]:
    """Return the certainly and the possibly living groups, given the groups decided before.

    This is the alternating fixpoint. A group is possible if it can be derived while all groups but the certain ones
    count as strangled. It is certain if it can be derived while only the impossible groups count as strangled.
    """
    while True:
        possible = _derive(groups, alive, strangled, assumed={*groups} - alive)
        certain = _derive(groups, alive, strangled, assumed={*groups} - possible)
        if certain == alive:
            return alive, possible
        alive = certain


def _derive(groups: list[Group], alive: set[Group], strangled: set[Group], assumed: set[Group]) -> set[Group]:
    """Return the groups that can be derived to be alive if exactly the `assumed` groups count as strangled."""
    living = {group for group in groups if group.has_territory or not group.threats or group.smaller_enemies & assumed}
    living = (living | alive) - strangled
    for group in (spread := [*living]):  # grows during the loop
        friends = group.friends - living - strangled
        living |= friends
        spread += friends
    return living


def _independent_ties(undecided: set[Group]) -> list[set[Group]]:
    """Return the sets of undecided groups that depend on each other and on no undecided group outside the set."""
    reach: dict[Group, set[Group]] = {}
    for group in undecided:
        reached = [group]
        for other in reached:  # grows during the loop
            reached += ((other.friends | other.smaller_enemies) & undecided).difference(reached)
        reach[group] = {*reached}
    return [reached for group, reached in reach.items() if all(group in reach[other] for other in reached)]
