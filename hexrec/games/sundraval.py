"""Sundraval: place stones that can reach the enemy, score the territories of the groups that are not strangled.

Rulings S-1 to S-4 of the rules page are decided here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hexrec.board.board import BIT, Board, cells_of
from hexrec.games.annotation import Annotation
from hexrec.games.game import PASS, CellPosition, Game
from hexrec.games.outcome import COLOURS, Colour, Outcome, compare_lists
from hexrec.games.refusal import IllegalTurn


class SundravalPosition(CellPosition):
    """A move is a cell, or PASS."""

    __slots__ = ()

    def _refusal(self, move: int) -> IllegalTurn | None:
        if move == PASS:
            return None
        own, enemy = self._stones[self._mover], self._stones[1 - self._mover]
        occupied = own | enemy
        if occupied & BIT[move]:
            return self._occupied(move)
        if self.board.reaches(move, enemy, self.board.mask ^ occupied):
            return None
        return IllegalTurn("move/no-path", lambda: self._pathless(move))

    def _pathless(self, cell: int) -> str:
        return (
            f"{self.names.names[cell]} has no path to an enemy group: no {COLOURS[1 - self._mover]} stone touches the "
            "empty cells that it is connected with"
        )

    def _execute(self, move: int) -> None:
        self._stones[self._mover] |= BIT[move]

    def _passed_out(self) -> Outcome:
        return score(self.board, self._stones)

    def _moves(self) -> Iterable[int]:
        yield PASS
        empty = self.board.mask & ~self._stones[0] & ~self._stones[1]
        goal = self.board.adjacent(self._stones[1 - self._mover]) & empty
        yield from cells_of(self.board.flood(goal, empty))

    def _highlights(self) -> Iterable[Annotation]:
        if not self.is_over:
            return
        strangled, left = settle(self.board, self._stones)
        yield Annotation("dead", "strangled", tuple(cell for group in strangled for cell in cells_of(group.bits)))
        for region, touching in left:
            owner = sole_colour(touching)
            if owner is not None:
                yield Annotation("area", f"{COLOURS[owner]} territory", tuple(cells_of(region)), owner)


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


def score(board: Board, stones: list[int]) -> Outcome:
    """Judge a final position given as one bitboard per colour: strangled groups, territories, the half point."""
    points = [0.0, 0.0]
    sizes: list[list[int]] = [[], []]
    owned: dict[Group, int] = {}
    for region, touching in settle(board, stones)[1]:
        owner = sole_colour(touching)
        if owner is not None:
            sizes[owner].append(region.bit_count())
            for group in touching:
                owned[group] = owned.get(group, 0) + 1
    for group, count in owned.items():
        points[group.colour] += count * (count + 1) / 2
    larger = compare_lists(*sizes)
    if larger is not None:
        points[COLOURS.index(larger)] += 0.5
    totals: dict[Colour, float] = {"black": points[0], "white": points[1]}
    return Outcome(compare_lists(points[:1], points[1:]) or "draw", totals)


def settle(board: Board, stones: list[int]) -> tuple[list[Group], list[Region]]:
    """Return the strangled groups, and the regions as they are without them, each with the groups that touch it."""
    groups = [
        Group(number, bits, colour, bits.bit_count())
        for number, (colour, bits) in enumerate(
            (colour, bits) for colour in (0, 1) for bits in board.components(stones[colour])
        )
    ]
    before = regions(board, stones, groups)
    relate(board, groups, before)
    strangled = members(groups, strangled_groups(groups))
    if not strangled:
        return [], before
    left = list(stones)
    for group in strangled:
        left[group.colour] &= ~group.bits
    return strangled, regions(board, left, [group for group in groups if left[group.colour] & group.bits])


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
    alive = strangled = 0
    # Where condition 1 fails, or condition 2 by a territory of the group's own, nothing else matters.
    for group in groups:
        if group.has_territory or not group.threatened:
            alive |= 1 << group.number
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


SUNDRAVAL = Game(
    name="sundraval",
    title="Sundraval",
    rulesets=("2023",),
    sizes=range(3, 12),
    recommended=(9,),
    opening=("black", "white"),
    turn="pass|{cell}",
    turn_help="the cell to place a stone on, such as e5, or pass",
    example="e5",
    score="number",
    position=SundravalPosition,
    sgf_number=5000,
)
