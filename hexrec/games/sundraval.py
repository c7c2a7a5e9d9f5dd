"""Sundraval: place stones that can reach the enemy, score the territories of the groups that are not strangled.

Rulings S-1 to S-4 of the rules page are decided here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

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
        if (own | enemy) & BIT[move]:
            return self._occupied(move)
        if self.board.reaches(BIT[move], enemy, self.board.mask & ~own & ~enemy):
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


@dataclass(eq=False)
class Group:
    """A group on the final position, with what the verdict on it depends on.

    Attributes:
        bits: its stones.
        colour: 0 black, 1 white.
        size: its number of stones.
        has_territory: whether it touches a territory.
        friends, enemies: the groups of each colour to which it has a path.
    """

    bits: int
    colour: int
    size: int
    has_territory: bool = False
    friends: set[Group] = field(default_factory=set)
    enemies: set[Group] = field(default_factory=set)

    @property
    def order(self) -> tuple[int, int]:
        """Smaller groups first; of equal ones, the one that holds the first cell in board order (ruling S-2)."""
        return self.size, self.bits & -self.bits

    @property
    def unthreatened(self) -> bool:
        """Whether no enemy group with a path to this one is larger or has a territory (condition 1 fails)."""
        return not any(enemy.size > self.size or enemy.has_territory for enemy in self.enemies)

    @property
    def smaller_enemies(self) -> list[Group]:
        """The smaller enemy groups with a path to this one."""
        return [enemy for enemy in self.enemies if enemy.size < self.size]


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


def settle(board: Board, stones: list[int]) -> tuple[list[Group], list[tuple[int, list[Group]]]]:
    """Return the strangled groups, and the regions as they are without them, each with the groups that touch it."""
    groups = find_groups(board, stones)
    strangled = strangled_groups(groups)
    left = list(stones)
    for group in strangled:
        left[group.colour] &= ~group.bits
    return strangled, regions(board, left, [group for group in groups if left[group.colour] & group.bits])


def sole_colour(groups: list[Group]) -> int | None:
    """Return the colour that all the groups have; None if there are none, or some of either colour."""
    colours = {group.colour for group in groups}
    return colours.pop() if len(colours) == 1 else None


def regions(board: Board, stones: list[int], groups: list[Group]) -> list[tuple[int, list[Group]]]:
    """Return each maximal connected region of empty cells with the groups that touch it."""
    found = []
    for region in board.components(board.mask & ~stones[0] & ~stones[1]):
        border = board.adjacent(region)
        found.append((region, [group for group in groups if group.bits & border]))
    return found


def find_groups(board: Board, stones: list[int]) -> list[Group]:
    """Return all groups, black ones first, with their territories and paths."""
    groups = [Group(bits, colour, bits.bit_count()) for colour in (0, 1) for bits in board.components(stones[colour])]
    for _, touching in regions(board, stones, groups):
        territory = sole_colour(touching) is not None
        for group in touching:
            group.has_territory |= territory
            for other in touching:
                if other.colour != group.colour:
                    group.enemies.add(other)
                elif other is not group:
                    group.friends.add(other)
    for group in groups:
        border = board.adjacent(group.bits)
        group.enemies.update(other for other in groups if other.bits & border and other.colour != group.colour)
    return groups


def strangled_groups(groups: list[Group]) -> list[Group]:
    """Return the strangled groups: the well-founded reading (ruling S-1), ties broken by ruling S-2."""
    alive: set[Group] = set()
    strangled: set[Group] = set()
    while True:
        alive, possible = _well_founded(groups, alive, strangled)
        strangled = set(groups) - possible
        undecided = possible - alive
        if not undecided:
            return [group for group in groups if group in strangled]
        tied = min(_independent_ties(undecided), key=lambda tie: min(group.order for group in tie))
        loser = min(tied, key=lambda group: group.order).colour
        strangled |= {group for group in tied if group.colour == loser}
        alive |= {group for group in tied if group.colour != loser}


def _well_founded(groups: list[Group], alive: set[Group], strangled: set[Group]) -> tuple[set[Group], set[Group]]:
    """Return the groups that are certainly alive and those that possibly are, given verdicts already reached.

    The alternating fixpoint: what can be derived when as few groups as possible count as strangled is certain, and
    what can be derived when all others than the certain ones count as strangled is possible.
    """
    while True:
        possible = _derive(groups, alive, strangled, assumed=set(groups) - alive)
        certain = _derive(groups, alive, strangled, assumed=set(groups) - possible)
        if certain == alive:
            return alive, possible
        alive = certain


def _derive(groups: list[Group], alive: set[Group], strangled: set[Group], assumed: set[Group]) -> set[Group]:
    """Return all groups that can be derived to be alive if exactly the `assumed` ones count as strangled."""
    found = alive | {
        group
        for group in groups
        if group.has_territory or group.unthreatened or any(enemy in assumed for enemy in group.smaller_enemies)
    }
    found -= strangled
    spread = list(found)
    while spread:
        for friend in spread.pop().friends:
            if friend not in found and friend not in strangled:
                found.add(friend)
                spread.append(friend)
    return found


def _independent_ties(undecided: set[Group]) -> list[set[Group]]:
    """Return the sets of undecided groups that depend on each other and on no undecided group outside the set."""
    reach: dict[Group, set[Group]] = {}
    for group in undecided:
        reached = {group}
        spread = [group]
        while spread:
            at = spread.pop()
            fresh = ((at.friends | set(at.smaller_enemies)) & undecided) - reached
            reached |= fresh
            spread.extend(fresh)
        reach[group] = reached
    return [reached for group, reached in reach.items() if all(group in reach[other] for other in reached)]


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
