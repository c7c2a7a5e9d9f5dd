"""Explanations say what the rules page says: what has to be derived is compared with the transcriptions.

That is which groups are strangled and why, and which stacks are secure. All sentences are in
`fixtures/explanations.jsonl`; `python -m tests.rules.test_explanations` writes the file anew. Read in its diff what a
change makes users read.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from hexrec.io.discovery import Source
from hexrec.record.replay import replay as replayed
from hexrec.rules import games
from hexrec.rules.position import Position
from hexrec.rules.terms import Explanation, Reason, Row
from hexrec.validation.sources import check_sources
from tests import literal
from tests.fixtures import FIXTURES
from tests.literal import ENEMY, Cell, Literal
from tests.literal.sundraval import Group, Sundraval
from tests.literal.valaturna import Valaturna
from tests.rules.test_literal import stones_of
from tests.rules.test_reference import entries, replay, some

SAID = FIXTURES.parent / "explanations.jsonl"
RECORDS = some([entry for entry in entries("hexrec") if entry.values[0]["size"] < 9], 3)


class Told:
    """The explanation of a reference game's end, with the transcription of the same position."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.position: Position = replay(record)
        setting = record["size"], record.get("opening", {}), record.get("variant"), record.get("ruleset")
        self.literal: Literal = literal.start(record["game"], *setting)
        self.literal.stones = stones_of(self.position)
        self.literal.mover = self.position.turn
        self.literal.history = record["moves"]
        self.explanation: Explanation = self.position.explain()
        self.codes = {reason.code for reason in self.explanation.conclusions}

    def rows(self, name: str) -> dict[frozenset[Cell], Row]:
        """Return the rows of a table by their cells, those of nothing left out."""
        found = [table.rows for table in self.explanation.tables if table.name == name]
        return {self.cells(row.cells): row for rows in found for row in rows if row.cells}

    def cells(self, cells: tuple[int, ...]) -> frozenset[Cell]:
        return frozenset(map(self.position.board.axial, cells))

    def reasons(self, row: Row) -> dict[str, tuple[Reason, frozenset[Cell]]]:
        return {reason.code: (reason, self.cells(reason.cells)) for reason in row.reasons}

    def name(self, cell: Cell) -> str:
        return self.literal.cells[cell]


def of(game: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("record", [entry for entry in RECORDS if entry.values[0]["game"] == game])


def together(groups: list[Group]) -> frozenset[Cell]:
    return frozenset[Cell]().union(*groups)


@of("sundraval")
def test_sundraval(record: dict[str, Any]) -> None:
    told = Told(record)
    rules = told.literal
    assert isinstance(rules, Sundraval)
    groups = rules.groups()
    strangled = rules.strangled()
    has_territory = {group: bool(rules.territories_of(group)) for group in groups}
    friends, enemies, smaller, larger = {}, {}, {}, {}
    for group in groups:
        near = [other for other in groups if other != group and rules.have_path(group, other)]
        friends[group] = [other for other in near if rules.color(other) == rules.color(group)]
        enemies[group] = [other for other in near if other not in friends[group]]
        smaller[group] = [enemy for enemy in enemies[group] if len(enemy) < len(group)]
        larger[group] = [enemy for enemy in enemies[group] if len(enemy) > len(group) or has_territory[enemy]]

    rows = told.rows("strangled groups")
    assert rows.keys() == strangled
    for group, row in rows.items():
        why = told.reasons(row)
        assert why["condition-1"][1] == together(larger[group])
        for enemy in larger[group]:
            first = min(enemy, key=lambda cell: list(rules.cells).index(cell))
            size = "1 stone" if len(enemy) == 1 else f"{len(enemy)} stones"
            verbs = ["is larger"] * (len(enemy) > len(group)) + ["has a territory"] * has_territory[enemy]
            color = rules.color(enemy)
            assert (
                f"the {color} group of {told.name(first)} ({size}) {' and '.join(verbs)}" in why["condition-1"][0].text
            )
        assert why["condition-2"][1] == together(friends[group])
        assert why["condition-3"][1] == together(smaller[group])

    rows = told.rows("groups")
    assert rows.keys() == set(groups) - strangled
    vouching: dict[Group, Group] = {}
    for group, row in rows.items():
        (reason,) = row.reasons
        through = told.cells(reason.cells)
        if reason.code == "territory":
            assert has_territory[group]
        elif reason.code == "no-threat":
            assert not larger[group]
            assert through == together(enemies[group])
        elif reason.code == "smaller-enemy":
            assert through
            assert through == together([enemy for enemy in smaller[group] if enemy in strangled])
        else:
            assert reason.code == "friend"
            (vouching[group],) = [friend for friend in friends[group] if friend == through]
            assert vouching[group] not in strangled
    for group in vouching:  # no group vouches for itself through others
        seen = {group}
        while (group := vouching.get(group, frozenset())) in vouching:
            assert group not in seen
            seen.add(group)

    rules.stones = {cell: stone for cell, stone in rules.stones.items() if cell not in together([*strangled])}
    owned = {group: len(rules.territories_of(group)) for group in rules.groups()}
    assert {group: row.values for group, row in rows.items()} == {
        group: (len(group), count, count * (count + 1) // 2) for group, count in owned.items()
    }
    areas = {territory: color for color in ENEMY for territory in rules.territories(color)}
    rows = told.rows("territories")
    assert {cells: ([*ENEMY][row.color or 0], row.values) for cells, row in rows.items()} == {
        cells: (color, (len(cells),)) for cells, color in areas.items()
    }
    (points,) = [table.rows for table in told.explanation.tables if table.name == "points"]
    winner, score = rules.score()
    assert {color: points[number].values[-1] for number, color in enumerate(ENEMY)} == score
    for number, color in enumerate(ENEMY):
        counts = [count for group, count in owned.items() if rules.color(group) == color]
        assert points[number].values[0] == sum(count * (count + 1) / 2 for count in counts)
    halves = {color for number, color in enumerate(ENEMY) if points[number].values[1]}
    sizes = [sorted((len(cells) for cells in areas if areas[cells] == color), reverse=True) for color in ENEMY]
    assert halves == ({"black"} if sizes[0] > sizes[1] else {"white"} if sizes[1] > sizes[0] else set())
    (total,) = [each.text for each in told.explanation.conclusions if each.code == "total"]
    assert (f"a win for {winner.capitalize()}" if winner != "draw" else "a draw") in total


@of("valaturna")
def test_valaturna(record: dict[str, Any]) -> None:
    told = Told(record)
    rules = told.literal
    assert isinstance(rules, Valaturna)
    rows = told.rows("stacks")
    assert sum(len(cells) for cells in rows) == len(rules.stones)
    for cells, row in rows.items():
        assert {rules.stones[cell] for cell in cells} == {([*ENEMY][row.color or 0], row.values[0])}
        assert row.values[1] == len(cells)
    (counts,) = [each.text for each in told.explanation.conclusions if each.code == "heights"]
    for color in ENEMY:
        heights = rules.heights(color)
        said = " ".join(f"{height}×{heights.count(height)}" for height in sorted({*heights}, reverse=True))
        assert f"{said or 'none'} for {color.capitalize()}" in counts
    tallest = max(height for _, height in rules.stones.values())
    rows = told.rows("tallest stacks")
    if told.position.ruleset == "2023-first":
        assert not rows
        return
    assert rows.keys() == {frozenset([cell]) for cell, stone in rules.stones.items() if stone[1] == tallest}
    secure = rules.secure()
    for (cell,), row in rows.items():
        assert row.values == (tallest, "yes" if cell in secure else "no")
        open_lines = [way for way in range(3) if rules.could_flank(cell, way, secure)]
        flanks = [told.cells(reason.cells) for reason in row.reasons if reason.code == "flank"]
        assert len(flanks) == len(open_lines)
        assert len(row.reasons) == (3 if cell in secure else len(flanks))
        for ends, way in zip(flanks, open_lines, strict=True):
            sides = [*map(set, (rules.rays[cell][way], rules.rays[cell][way + 3]))]
            assert all(len(ends & side) == 1 for side in sides)
            assert any(end not in rules.stones for end in ends)
            assert all(rules.can_hold(end, ENEMY[rules.stones[cell][0]], secure) for end in ends)
        for code, (_, cells) in told.reasons(row).items():
            if code == "held":
                assert cells <= secure
                assert {rules.stones[each][0] for each in cells} == {rules.stones[cell][0]}
    outcome = told.position.result()
    if outcome is not None:
        assert ("secure" in told.codes) == (record["moves"][-1] != "pass")


def test_no_group_has_a_path_to_one_where_there_is_no_enemy() -> None:
    position = games.get("sundraval").start(3, position="bbb/bbbb/bbbbb/bbbb/bbb b 0")
    position.play_all(["pass", "pass"])
    (table,) = (table for table in position.explain().tables if table.name == "groups")
    (row,) = table.rows
    assert ("no-threat", "no enemy group has a path to it") in [(reason.code, reason.text) for reason in row.reasons]


def said(line: str) -> str:
    """Return a line of the file with what hexrec says of the position that it names."""
    about = json.loads(line)
    reports = list(check_sources([Source(str(FIXTURES / about["file"]))]))
    record = reports[about["record"]].record
    assert record is not None
    position = replayed(record, about["ply"]).position
    assert position is not None
    name = position.names.single

    def reasons(found: tuple[Reason, ...]) -> list[Any]:
        return [[reason.code, reason.text, list(map(name, reason.cells))] for reason in found]

    told = position.explain()
    about["conclusions"] = reasons(told.conclusions)
    about["tables"] = {
        table.name: [
            list(table.columns),
            *([list(map(name, row.cells)), row.color, list(row.values), reasons(row.reasons)] for row in table.rows),
        ]
        for table in told.tables
    }
    return json.dumps(about)


@pytest.mark.parametrize("game", games.BUILT_IN)
def test_every_sentence(game: str) -> None:
    kept = [line for line in SAID.read_text(encoding="utf-8").splitlines() if f'"file": "{game}/' in line]
    assert kept
    assert list(map(said, kept)) == kept, "if that is as it should be: python -m tests.rules.test_explanations"


def write_explanations() -> None:
    lines = SAID.read_text(encoding="utf-8").splitlines()
    SAID.write_text("".join(f"{said(line)}\n" for line in lines), encoding="utf-8")


if __name__ == "__main__":
    write_explanations()
