"""Sundraval: place stones that can reach the enemy, score the territories of the groups that are not strangled.

Rulings S-1 to S-4 of the rules page are decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from hexrec.board.board import BIT, Board, cells_of
from hexrec.games.position import PASS, CellPosition
from hexrec.games.terms import COLOURS, Colour, IllegalTurn, Outcome, compare_lists


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

    Sets of groups are bit sets: integers with bit ``1 << number`` for each group.

    Attributes:
        number: its place among the groups.
        bits: its stones, as a bitboard.
        colour: 0 black, 1 white.
        size: its number of stones.
        has_territory: whether it touches a territory.
        friends, enemies: the groups of each colour to which it has a path (itself among its friends).
        smaller_enemies: those of the enemies that are smaller.
        threatened: whether one of the enemies is larger or has a territory (condition 1).
    """

    number: int
    bits: int
    colour: int
    size: int
    has_territory: bool = False
    friends: int = 0
    enemies: int = 0
    smaller_enemies: int = 0
    threatened: bool = False

    @property
    def order(self) -> tuple[int, int]:
        """Smaller groups first; of equal ones, the one that holds the first cell in board order (ruling S-2)."""
        return self.size, self.bits & -self.bits


#: A region of empty cells, as a bitboard, and the groups that touch it.
Region = tuple[int, list[Group]]


class Settlement(NamedTuple):
    """A final position as it is judged.

    Attributes:
        groups: those on the board, by number.
        strangled: which of them are strangled, as a bit set.
        left: the regions as they are without the strangled groups.
    """

    groups: list[Group]
    strangled: int
    left: list[Region]


class Tally(NamedTuple):
    """What counts once the strangled groups are gone.

    Attributes:
        owned: by group, how many territories it has; groups without one are left out.
        sizes: by colour, the sizes of its territories.
        points: by colour, those of its groups.
        larger: the colour that has the half point, None if nobody has.
    """

    owned: dict[Group, int]
    sizes: tuple[list[int], list[int]]
    points: list[float]
    larger: Colour | None

    def totals(self) -> list[float]:
        """Return, by colour, the points with the half point."""
        return [own + (colour == self.larger) / 2 for own, colour in zip(self.points, COLOURS, strict=True)]

    def outcome(self) -> Outcome:
        """Return who wins, and the totals."""
        black, white = self.totals()
        return Outcome(compare_lists([black], [white]) or "draw", {"black": black, "white": white})


def score(board: Board, stones: list[int]) -> Outcome:
    """Judge a final position given as one bitboard per colour: strangled groups, territories, the half point."""
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
        points[group.colour] += count * (count + 1) / 2
    return Tally(owned, sizes, points, compare_lists(*sizes))


def territories(found: list[Region]) -> Iterator[tuple[int, int, list[Group]]]:
    """Yield the regions that are territories: each as a bitboard, with its colour and the groups that have it."""
    for region, touching in found:
        owner = sole_colour(touching)
        if owner is not None:
            yield region, owner, touching


def settle(board: Board, stones: list[int]) -> Settlement:
    """Find the strangled groups of a final position and the regions as they are without them."""
    groups = [
        Group(number, bits, colour, bits.bit_count())
        for number, (colour, bits) in enumerate(
            (colour, bits) for colour in (0, 1) for bits in board.components(stones[colour])
        )
    ]
    before = regions(board, stones, groups)
    relate(board, groups, before)
    strangled = strangled_groups(groups)
    if not strangled:
        return Settlement(groups, 0, before)
    left = list(stones)
    for group in members(groups, strangled):
        left[group.colour] &= ~group.bits
    rest = [group for group in groups if left[group.colour] & group.bits]
    return Settlement(groups, strangled, regions(board, left, rest))


def sole_colour(groups: list[Group]) -> int | None:
    """Return the colour that all the groups have; None if there are none, or some of either colour."""
    colours = {group.colour for group in groups}
    return colours.pop() if len(colours) == 1 else None


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
        territory = sole_colour(touching) is not None
        of_colour = [sum(1 << group.number for group in touching if group.colour == colour) for colour in (0, 1)]
        for group in touching:
            group.has_territory |= territory
            group.friends |= of_colour[group.colour]
            group.enemies |= of_colour[1 - group.colour]
    black, white = ([group for group in groups if group.colour == colour] for colour in (0, 1))
    for group in black:
        border = board.adjacent(group.bits)
        for enemy in white:
            if enemy.bits & border:
                group.enemies |= 1 << enemy.number
                enemy.enemies |= 1 << group.number
    for group in groups:
        for enemy in members(groups, group.enemies):
            if enemy.size > group.size or enemy.has_territory:
                group.threatened = True
            if enemy.size < group.size:
                group.smaller_enemies |= 1 << enemy.number


def members(groups: list[Group], chosen: int) -> list[Group]:
    """Return the groups of a bit set."""
    return [groups[number] for number in cells_of(chosen)]


def strangled_groups(groups: list[Group]) -> int:
    """Return the strangled groups: the well-founded reading (ruling S-1), ties broken by ruling S-2."""
    alive, strangled = _certain(groups), 0
    while True:
        alive, possible = _well_founded(groups, alive, strangled)
        strangled = (1 << len(groups)) - 1 & ~possible
        undecided = possible & ~alive
        if not undecided:
            return strangled
        ties = [members(groups, tie) for tie in _independent_ties(groups, undecided)]
        tied = min(ties, key=lambda tie: min(group.order for group in tie))
        loser = min(tied, key=lambda group: group.order).colour
        for group in tied:
            if group.colour == loser:
                strangled |= 1 << group.number
            else:
                alive |= 1 << group.number


def undecided_groups(groups: list[Group]) -> int:
    """Return the groups that ruling S-1 alone leaves undecided."""
    alive, possible = _well_founded(groups, _certain(groups), 0)
    return possible & ~alive


def _certain(groups: list[Group]) -> int:
    """Return the groups where condition 1 fails, or condition 2 by a territory of their own: nothing else matters."""
    return sum(1 << group.number for group in groups if group.has_territory or not group.threatened)


def _well_founded(groups: list[Group], alive: int, strangled: int) -> tuple[int, int]:
    """Return the groups that are certainly alive and those that possibly are, given verdicts already reached.

    The alternating fixpoint: what can be derived when as few groups as possible count as strangled is certain, and
    what can be derived when all others than the certain ones count as strangled is possible.
    """
    every = (1 << len(groups)) - 1
    alive = _derive(groups, alive, strangled, assumed=strangled)
    while True:
        possible = _derive(groups, alive, strangled, assumed=every & ~alive)
        certain = _derive(groups, alive, strangled, assumed=every & ~possible)
        if certain == alive:
            return alive, possible
        alive = certain


def _derive(groups: list[Group], alive: int, strangled: int, assumed: int) -> int:
    """Return all groups that can be derived to be alive if exactly the `assumed` ones count as strangled."""
    found = alive
    for group in groups:
        if group.smaller_enemies & assumed:
            found |= 1 << group.number
    found &= ~strangled
    spread = found
    while spread:
        friends = 0
        for group in members(groups, spread):
            friends |= group.friends
        spread = friends & ~found & ~strangled
        found |= spread
    return found


def _independent_ties(groups: list[Group], undecided: int) -> list[int]:
    """Return the sets of undecided groups that depend on each other and on no undecided group outside the set."""
    reach: dict[int, int] = {}
    for number in cells_of(undecided):
        reached = spread = 1 << number
        while spread:
            depends = 0
            for group in members(groups, spread):
                depends |= group.friends | group.smaller_enemies
            spread = depends & undecided & ~reached
            reached |= spread
        reach[number] = reached
    return [
        reached for number, reached in reach.items() if all(reach[other] >> number & 1 for other in cells_of(reached))
    ]
