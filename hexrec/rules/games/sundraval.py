"""Sundraval: description, messages, explanations and highlights."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hexrec.rules.board import cells_of
from hexrec.rules.description import Brief
from hexrec.rules.engines.sundraval import (
    Group,
    Region,
    Settlement,
    SundravalRules,
    Tally,
    find_regions,
    settle,
    tally_of,
    territories,
    undecided_groups,
)
from hexrec.rules.game import Game
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


class SundravalPosition(SundravalRules):
    """The rules with messages, explanations and highlights."""

    __slots__ = ()

    def _wording(self, code: str, move: int) -> str:  # noqa: ARG002
        return (
            f"{self.names.names[move]} has no path to an enemy group: no {COLORS[1 - self._side]} stone touches the "
            "empty cells that it is connected to"
        )

    def _highlights(self) -> Iterable[Annotation]:
        if self.is_over:
            yield from self._mark_settlement(settle(self.board, self._stones), "strangled")

    def _mark_settlement(self, settled: Settlement, strangled: str) -> Iterator[Annotation]:
        """Yield the strangled groups, by that name, and the territories that are left."""
        dead = tuple(cell for group in _sort(settled.strangled) for cell in cells_of(group.bits))
        yield Annotation("dead", strangled, dead)
        yield from self._mark_territories(settled.left)

    def _mark_territories(self, regions: list[Region]) -> Iterator[Annotation]:
        for region, owner, _ in territories(regions):
            yield Annotation("area", f"{COLORS[owner]} territory", tuple(cells_of(region)), owner)

    def _overlays(self) -> Iterable[tuple[str, Iterable[Annotation]]]:
        settled = settle(self.board, self._stones)
        yield "territories", self._mark_territories(find_regions(self.board, self._stones, settled.groups))
        yield "if both players passed now", self._mark_settlement(settled, "would be strangled")

    def _explanation(self) -> Explanation:
        settled = settle(self.board, self._stones)
        tally = tally_of(settled.left)
        outcome = tally.outcome()
        when = "this is" if self.is_over else "the game goes on; if both players passed now, this would be"
        owner = "nobody" if tally.larger is None else tally.larger.capitalize()
        sizes = difference(*(sorted(values, reverse=True) for values in tally.sizes))
        totals = tally.totals()
        conclusions = (
            Reason("half-point", f"{owner} has the half point: in the sizes of the territories, {sizes}"),
            Reason("total", f"{when} {ending(outcome.winner)}: Black has {totals[0]:g} points, White {totals[1]:g}"),
        )
        owned = []
        for region, color, touching in territories(settled.left):
            reason = self._reason("touches", "it touches {}", touching)
            owned.append(Row(tuple(cells_of(region)), color, (region.bit_count(),), (reason,)))
        points = [
            Row((), color, (own, total - own, total))
            for color, (own, total) in enumerate(zip(tally.points, totals, strict=True))
        ]
        return Explanation(
            conclusions,
            (
                Table("groups", ("stones", "territories", "points"), tuple(self._scoring(settled, tally))),
                Table("strangled groups", ("stones",), tuple(self._strangled_rows(settled))),
                Table("territories", ("empty cells",), tuple(owned)),
                Table("points", ("of groups", "half point", "total"), tuple(points)),
            ),
        )

    def _scoring(self, settled: Settlement, tally: Tally) -> Iterator[Row]:
        """Yield the remaining groups with their points and the reasons why they are not strangled."""
        lives, owned = self._lives(settled), tally.owned
        for group in sorted(lives, key=lambda group: (group.color, -owned[group], group.bits & -group.bits)):
            count = owned[group]
            values = group.size, count, count * (count + 1) // 2
            yield Row(tuple(cells_of(group.bits)), group.color, values, (lives[group],))

    def _lives(self, settled: Settlement) -> dict[Group, Reason]:
        """Return, for each group that is not strangled, the reason by ruling S-1."""
        strangled = settled.strangled
        reasons: dict[Group, Reason] = {}
        for group in settled.groups:
            if group in strangled:
                continue
            if group.has_territory:
                reasons[group] = Reason("territory", "it has a territory")
            elif not group.threats:
                enemies = _sort(group.enemies)
                text = "of {}, to which it has a path, none is larger or has a territory"
                reasons[group] = self._reason(
                    "no-threat", text if enemies else "no enemy group has a path to it", enemies
                )
            elif weak := _sort(group.smaller_enemies & strangled):
                text = f"{{}}, smaller and with a path to it, {_are(weak)} strangled"
                reasons[group] = self._reason("smaller-enemy", text, weak)
        for friend in (spread := list(reasons)):  # grows during the loop
            for group in _sort(friend.friends - strangled):
                if group not in reasons:
                    text = "{}, to which it has a path, is not strangled"
                    reasons[group] = self._reason("friend", text, [friend])
                    spread.append(group)
        return reasons

    def _strangled_rows(self, settled: Settlement) -> Iterator[Row]:
        """Yield the strangled groups, each with the three conditions and the groups that fulfill them."""
        undecided = undecided_groups(settled.groups)
        for group in sorted(settled.strangled, key=lambda group: (group.color, group.order)):
            threats = _sort(group.threats)
            one = join_words(
                [f"{self._name(enemy)} {_threat(enemy.size > group.size, enemy.has_territory)}" for enemy in threats]
            )
            friends = _sort(group.friends - {group})
            two = f"it has no territory, and {{}}, to which it has a path, {_are(friends)} strangled too"
            weaker = _sort(group.smaller_enemies)
            three = f"{{}}, smaller and with a path to it, {_are(weaker)} not strangled"
            reasons = [
                Reason("condition-1", f"of the enemy groups to which it has a path, {one}", _cells(threats)),
                self._reason("condition-2", two if friends else _ALONE, friends),
                self._reason("condition-3", three if weaker else "no smaller enemy group has a path to it", weaker),
            ]
            if group in undecided:
                text = "the conditions alone leave it undecided: ruling S-2, or a consequence of it, decides"
                reasons.append(Reason("ruling-s2", text))
            yield Row(tuple(cells_of(group.bits)), group.color, (group.size,), tuple(reasons))

    def _reason(self, code: str, text: str, groups: list[Group]) -> Reason:
        """Return a reason with the names of groups inserted into its text."""
        return Reason(code, text.format(join_words([*map(self._name, groups)])) if groups else text, _cells(groups))

    def _name(self, group: Group) -> str:
        first = self.names.names[cells_of(group.bits)[0]]
        return f"the {COLORS[group.color]} group of {first} ({pluralize(group.size, 'stone')})"


_ALONE = "it has no territory, and no other group of its color has a path to it"


def _sort(groups: set[Group]) -> list[Group]:
    """Return groups in the order of messages: Black first, each color by first cell."""
    return sorted(groups, key=lambda group: (group.color, group.bits & -group.bits))


def _are(groups: list[Group]) -> str:
    return "is" if len(groups) == 1 else "are"


def _threat(larger: bool, living: bool) -> str:
    return "is larger and has a territory" if larger and living else "is larger" if larger else "has a territory"


def _cells(groups: list[Group]) -> tuple[int, ...]:
    return tuple(cells_of(sum(group.bits for group in groups)))


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
            "Surround territories: empty regions that touch stones of your color only. A group with several "
            "territories scores more than as many groups with one each."
        ),
        turn="Pass, or place a stone on an empty cell whose empty region touches an enemy stone.",
        end=(
            "Two passes in a row end the game. Strangled groups are removed. A group is strangled if it has "
            "no territory, no path over empty cells to a living friendly group, but one to an enemy group "
            "that is larger or has a territory. A path to a smaller enemy group that is strangled saves it. "
            "Then each group with N territories scores N(N+1)/2, and the color with the larger territories, "
            "compared from the largest down, gets half a point. The higher score wins."
        ),
    ),
)
