"""Sundraval: place stones that can reach the enemy, score the territories of the groups that are not strangled.

Rulings S-1 to S-4 of the rules page are decided here.
"""

from __future__ import annotations

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
        own, enemy = self._stones[self._mover], self._stones[1 - self._mover]
        occupied = own | enemy
        if occupied & BIT[move]:
            return self._occupied(move)
        region = self.board.flood(BIT[move], self.board.mask ^ occupied)
        if self.board.adjacent(region) & enemy:
            return None
        return self._illegal("move/no-path", move)

    def _execute(self, move: int) -> None:
        self._stones[self._mover] |= BIT[move]

    def _passed_out(self) -> Outcome:
        return score(self.board, self._stones)

    def _moves(self) -> Iterable[int]:
        yield PASS
        empty = self.board.mask & ~self._stones[0] & ~self._stones[1]
        goal = self.board.adjacent(self._stones[1 - self._mover]) & empty
        yield from cells_of(self.board.flood(goal, empty))


@dataclass(eq=False, slots=True)
class Group:
    """A group on the final position, with what the verdict on it depends on.

    Attributes:
        bits: its stones, as a bitboard.
        color: 0 black, 1 white.
        has_territory: whether it touches a territory.
        friends, enemies: the groups of each color to which it has a path (itself among its friends).
    """

    bits: int
    color: int
    has_territory: bool = False
    friends: set[Group] = field(default_factory=set)
    enemies: set[Group] = field(default_factory=set)

    @property
    def size(self) -> int:
        """The number of its stones."""
        return self.bits.bit_count()

    @property
    def order(self) -> tuple[int, int]:
        """Smaller groups first; of equal ones, the one that holds the first cell in board order (ruling S-2)."""
        return self.size, self.bits & -self.bits

    @property
    def threats(self) -> set[Group]:
        """Those of the enemies that are larger or have a territory (condition 1)."""
        return {enemy for enemy in self.enemies if enemy.size > self.size or enemy.has_territory}

    @property
    def smaller_enemies(self) -> set[Group]:
        """Those of the enemies that are smaller (condition 3)."""
        return {enemy for enemy in self.enemies if enemy.size < self.size}


#: A region of empty cells, as a bitboard, and the groups that touch it.
Region = tuple[int, list[Group]]


class Settlement(NamedTuple):
    """A final position as it is judged.

    Attributes:
        groups: those on the board, Black's first, each color's by their first cells.
        strangled: those of them that are strangled.
        left: the regions as they are without the strangled groups.
    """

    groups: list[Group]
    strangled: set[Group]
    left: list[Region]


class Tally(NamedTuple):
    """What counts once the strangled groups are gone.

    Attributes:
        owned: by group, how many territories it has; groups without one are left out.
        sizes: by color, the sizes of its territories.
        points: by color, those of its groups.
        larger: the color that has the half point, None if nobody has.
    """

    owned: dict[Group, int]
    sizes: tuple[list[int], list[int]]
    points: list[float]
    larger: Color | None

    def totals(self) -> list[float]:
        """Return, by color, the points with the half point."""
        return [own + (color == self.larger) / 2 for own, color in zip(self.points, COLORS, strict=True)]

    def outcome(self) -> Outcome:
        """Return who wins, and the totals."""
        black, white = self.totals()
        return Outcome(compare_lists([black], [white]) or "draw", {"black": black, "white": white})


def score(board: Board, stones: list[int]) -> Outcome:
    """Judge a final position given as one bitboard per color: strangled groups, territories, the half point."""
    return tally_of(settle(board, stones).left).outcome()


def tally_of(left: list[Region]) -> Tally:
    """Count territories and points in the regions that are left."""
    points = [0.0, 0.0]
    sizes: tuple[list[int], list[int]] = ([], [])
    owned: dict[Group, int] = {}
    for region, owner, touching in territories(left):
        sizes[owner].append(region.bit_count())
        for group in touching:
            owned[group] = owned.get(group, 0) + 1
    for group, count in owned.items():
        points[group.color] += count * (count + 1) / 2
    return Tally(owned, sizes, points, compare_lists(*sizes))


def territories(found: list[Region]) -> Iterator[tuple[int, int, list[Group]]]:
    """Yield the regions that are territories: each as a bitboard, with its color and the groups that have it."""
    for region, touching in found:
        owner = sole_color(touching)
        if owner is not None:
            yield region, owner, touching


def settle(board: Board, stones: list[int]) -> Settlement:
    """Find the strangled groups of a final position and the regions as they are without them."""
    groups = [Group(bits, color) for color in (0, 1) for bits in board.components(stones[color])]
    before = regions(board, stones, groups)
    relate(board, groups, before)
    strangled = strangled_groups(groups)
    if not strangled:
        return Settlement(groups, strangled, before)
    left = list(stones)
    for group in strangled:
        left[group.color] &= ~group.bits
    rest = [group for group in groups if group not in strangled]
    return Settlement(groups, strangled, regions(board, left, rest))


def sole_color(groups: list[Group]) -> int | None:
    """Return the color that all the groups have; None if there are none, or some of either color."""
    colors = {group.color for group in groups}
    return colors.pop() if len(colors) == 1 else None


def regions(board: Board, stones: list[int], groups: list[Group]) -> list[Region]:
    """Return each maximal connected region of empty cells with the groups that touch it."""
    found = []
    for region in board.components(board.mask & ~stones[0] & ~stones[1]):
        border = board.adjacent(region)
        found.append((region, [group for group in groups if group.bits & border]))
    return found


def relate(board: Board, groups: list[Group], found: list[Region]) -> None:
    """Give the groups their territories and paths."""
    for _, touching in found:
        territory = sole_color(touching) is not None
        for group in touching:
            group.has_territory |= territory
            group.friends.update(other for other in touching if other.color == group.color)
            group.enemies.update(other for other in touching if other.color != group.color)
    for group in groups:
        border = board.adjacent(group.bits)
        group.enemies.update(other for other in groups if other.color != group.color and other.bits & border)


def strangled_groups(groups: list[Group]) -> set[Group]:
    """Return the strangled groups: the well-founded reading (ruling S-1), ties broken by ruling S-2."""
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
    """Return the groups that are certainly alive and those that possibly are, given verdicts already reached.

    The alternating fixpoint: what can be derived when all others than the certain ones count as strangled is possible,
    and what can be derived when only those count as strangled that are not possible is certain.
    """
    while True:
        possible = _derive(groups, alive, strangled, assumed={*groups} - alive)
        certain = _derive(groups, alive, strangled, assumed={*groups} - possible)
        if certain == alive:
            return alive, possible
        alive = certain


def _derive(groups: list[Group], alive: set[Group], strangled: set[Group], assumed: set[Group]) -> set[Group]:
    """Return all groups that can be derived to be alive if exactly the `assumed` ones count as strangled."""
    found = {group for group in groups if group.has_territory or not group.threats or group.smaller_enemies & assumed}
    found = (found | alive) - strangled
    for group in (spread := [*found]):  # grows meanwhile
        friends = group.friends - found - strangled
        found |= friends
        spread += friends
    return found


def _independent_ties(undecided: set[Group]) -> list[set[Group]]:
    """Return the sets of undecided groups that depend on each other and on no undecided group outside the set."""
    reach: dict[Group, set[Group]] = {}
    for group in undecided:
        reached = [group]
        for each in reached:  # grows meanwhile
            reached += ((each.friends | each.smaller_enemies) & undecided).difference(reached)
        reach[group] = {*reached}
    return [reached for group, reached in reach.items() if all(group in reach[other] for other in reached)]
