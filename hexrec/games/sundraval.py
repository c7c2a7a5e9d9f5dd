"""Sundraval: place stones that can reach the enemy, score the territories of the groups that are not strangled.

Rulings S-1 to S-4 of the rules page are decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from hexrec.board.board import BIT, Board, cells_of
from hexrec.games.annotation import Annotation
from hexrec.games.description import Brief
from hexrec.games.explanation import Explanation, Reason, Row, Table, counted, difference, listed
from hexrec.games.game import Game
from hexrec.games.outcome import COLOURS, Colour, Outcome, compare_lists
from hexrec.games.position import PASS, CellPosition
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
            "empty cells that it is connected to"
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
        settled = settle(self.board, self._stones)
        strangled = members(settled.groups, settled.strangled)
        yield Annotation("dead", "strangled", tuple(cell for group in strangled for cell in cells_of(group.bits)))
        for region, owner, _ in territories(settled.left):
            yield Annotation("area", f"{COLOURS[owner]} territory", tuple(cells_of(region)), owner)

    # Why the score is what it is.

    def _explanation(self) -> Explanation:
        settled = settle(self.board, self._stones)
        tally = tally_of(settled.left)
        outcome = tally.outcome()
        ending = "a draw" if outcome.winner == "draw" else f"a win for {outcome.winner}"
        when = "this is" if self.is_over else "the game goes on; if both players passed now, this would be"
        has_it = "nobody has the half point" if tally.larger is None else f"{tally.larger} has the half point"
        sizes = difference(*(sorted(each, reverse=True) for each in tally.sizes))
        totals = tally.totals()
        conclusions = (
            Reason("half-point", f"{has_it}: in the sizes of the territories, {sizes}"),
            Reason("total", f"{when} {ending}: black has {totals[0]:g} points, white {totals[1]:g}"),
        )
        owned = []
        for region, owner, touching in territories(settled.left):
            whose = self._reason("touches", "it touches {}", touching)
            owned.append(Row(tuple(cells_of(region)), owner, (region.bit_count(),), (whose,)))
        points = [
            Row((), colour, (own, total - own, total))
            for colour, (own, total) in enumerate(zip(tally.points, totals, strict=True))
        ]
        return Explanation(
            conclusions,
            (
                Table("groups", ("stones", "territories", "points"), tuple(self._scoring(settled, tally))),
                Table("strangled groups", ("stones",), tuple(self._strangled(settled))),
                Table("territories", ("empty cells",), tuple(owned)),
                Table("points", ("of groups", "half point", "total"), tuple(points)),
            ),
        )

    def _scoring(self, settled: Settlement, tally: Tally) -> Iterator[Row]:
        """Yield the groups that are left, with the points of each and the reason why it is not strangled."""
        counts = {group: (tally.owned.get(group, 0), reason) for group, reason in self._lives(settled).items()}
        for group in sorted(counts, key=lambda group: (group.colour, -counts[group][0], group.bits & -group.bits)):
            count, reason = counts[group]
            values = group.size, count, count * (count + 1) // 2
            yield Row(tuple(cells_of(group.bits)), group.colour, values, (reason,))

    def _lives(self, settled: Settlement) -> dict[Group, Reason]:
        """Return, for each group that is not strangled, how that is derived (ruling S-1)."""
        groups, strangled = settled.groups, settled.strangled
        found: dict[Group, Reason] = {}
        for group in groups:
            if strangled >> group.number & 1:
                continue
            if group.has_territory:
                found[group] = Reason("territory", "it has a territory")
            elif not group.threatened:
                enemies = members(groups, group.enemies)
                text = "of {}, to which it has a path, none is larger or has a territory"
                found[group] = self._reason(
                    "no-threat", text if enemies else "no enemy group has a path to it", enemies
                )
            elif weak := members(groups, group.smaller_enemies & strangled):
                text = f"{{}}, smaller and with a path to it, {_are(weak)} strangled"
                found[group] = self._reason("smaller-enemy", text, weak)
        for friend in (spread := list(found)):  # grows meanwhile
            for group in members(groups, friend.friends & ~strangled):
                if group not in found:
                    text = "{}, to which it has a path, is not strangled"
                    found[group] = self._reason("friend", text, [friend])
                    spread.append(group)
        return found

    def _strangled(self, settled: Settlement) -> Iterator[Row]:
        """Yield the strangled groups, each with the three conditions and through which groups they hold."""
        groups, strangled = settled.groups, settled.strangled
        undecided = undecided_groups(groups)
        for group in sorted(members(groups, strangled), key=lambda group: (group.colour, group.order)):
            enemies = members(groups, group.enemies)
            larger = [enemy for enemy in enemies if enemy.size > group.size]
            living = [enemy for enemy in enemies if enemy.has_territory]
            threats = [enemy for enemy in enemies if enemy in larger or enemy in living]
            one = listed([f"{self._name(enemy)} {_threat(enemy in larger, enemy in living)}" for enemy in threats])
            friends = members(groups, group.friends & ~(1 << group.number))
            two = f"it has no territory, and {{}}, to which it has a path, {_are(friends)} strangled too"
            weaker = members(groups, group.smaller_enemies)
            three = f"{{}}, smaller and with a path to it, {_are(weaker)} not strangled"
            reasons = [
                Reason("condition-1", f"of the enemy groups to which it has a path, {one}", _cells(threats)),
                self._reason("condition-2", two if friends else _ALONE, friends),
                self._reason("condition-3", three if weaker else "no smaller enemy group has a path to it", weaker),
            ]
            if undecided >> group.number & 1:
                reasons.append(
                    Reason(
                        "ruling-s2",
                        "the conditions alone leave it undecided: ruling S-2, or what follows from it, decides",
                    )
                )
            yield Row(tuple(cells_of(group.bits)), group.colour, (group.size,), tuple(reasons))

    def _reason(self, code: str, text: str, groups: list[Group]) -> Reason:
        """Return a reason with the names of groups put into its text."""
        return Reason(code, text.format(listed([*map(self._name, groups)])) if groups else text, _cells(groups))

    def _name(self, group: Group) -> str:
        first = self.names.names[cells_of(group.bits)[0]]
        return f"the {COLOURS[group.colour]} group of {first} ({counted(group.size, 'stone')})"


_ALONE = "it has no territory, and no other group of its colour has a path to it"


def _are(groups: list[Group]) -> str:
    return "is" if len(groups) == 1 else "are"


def _threat(larger: bool, living: bool) -> str:
    return "is larger and has a territory" if larger and living else "is larger" if larger else "has a territory"


def _cells(groups: list[Group]) -> tuple[int, ...]:
    return tuple(cells_of(sum(group.bits for group in groups)))


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


SUNDRAVAL = Game(
    name="sundraval",
    title="Sundraval",
    designers=("Saïd Gadwen",),
    contributors=("Drew Edwards", "Dale Walton"),
    year=2023,
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
    brief=Brief(
        goal=(
            "Surround territories: regions of empty cells that touch stones of your colour only. A group with "
            "several territories scores more than as many groups with one each."
        ),
        turn=(
            "Place a stone on an empty cell, or pass. The region of empty cells that the cell lies in has to "
            "touch an enemy stone."
        ),
        end=(
            "Two passes in a row end the game. Strangled groups are removed: those without a territory and "
            "without a way to a living friendly group, but with a way to a stronger enemy group, one that is "
            "larger or has a territory; unless a smaller enemy group that they have a way to is strangled itself. "
            "Then territories are counted anew, and each group with N of them scores N(N+1)/2. Half a point goes "
            "to the colour with the larger territories, compared from the largest down; the higher score wins."
        ),
    ),
)
