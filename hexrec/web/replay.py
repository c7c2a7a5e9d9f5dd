"""JSON data of a record for the page: positions, effects of turns, and diagnostics.

The types of the data are in `hexrec.web.answers`, which only the OpenAPI document needs: pydantic is slow to import.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hexrec import formats
from hexrec.codes import explain_code
from hexrec.record.canonical import canonical_form
from hexrec.record.record import Record
from hexrec.record.replay import replay
from hexrec.render.explanation import explanation_data
from hexrec.render.layout import Layout
from hexrec.render.markup import describe_mark, joiner, markup_of
from hexrec.render.svg import ground, lines_of, markup_layers
from hexrec.rules import games
from hexrec.rules.board import CELL_PATTERNS, SYSTEMS
from hexrec.rules.position import Position
from hexrec.rules.terms import COLORS, Annotation, IllegalTurn, RuleError, Stack, describe_outcome
from hexrec.tools.convert import Conversion
from hexrec.util.version import __version__
from hexrec.validation.report import Report

#: The maximum length of all legal turns of a game, in characters; longer lists are left out.
LEGAL_CHARACTERS = 200_000

Data = dict[str, Any]


def replay_data(report: Report, *, drawing: bool = True, legal: bool = False) -> Data:
    """Return the JSON data of a record for the page; `hexrec/web/README.md` describes it.

    Without `drawing`, it has the report and the record alone: the page has the rules of built-in games. `legal` adds
    the legal turns in every position, unless they are too long. A record that cannot be read has a `report` only.
    """
    codes = {diagnostic.code: explain_code(diagnostic.code, report.game) for diagnostic in report.diagnostics}
    data: Data = {
        "hexrec": __version__,
        "report": report.to_dict(),
        "codes": {code: {"rule": about.rule, "fix": about.fix} for code, about in codes.items()},
        "record": None,
    }
    record = report.record
    if record is None:
        return data
    data["record"] = written = canonical_form(record)
    if not drawing:
        return data
    data["game"] = _game(record)
    try:
        position = record.start()
    except RuleError:
        return data
    data["board"] = _board(record, position)
    story = _Story(position, LEGAL_CHARACTERS if legal else -1)
    data["start"] = story.beginning(position, written.get("marks", ()))
    data["moves"] = story.line(position, written["moves"])
    data["legal"] = story.budget >= 0
    return data


def file_data(report: Report) -> Data:
    """Return the JSON data of a record for a file that shows it without a service.

    Besides the data of `replay_data`, they have the record in every format, and the explanation of its last position.
    """
    record = report.record
    is_known = record is not None and record.game in games.BUILT_IN
    data = replay_data(report, drawing=not is_known, legal=True)
    if record is not None:
        data["texts"] = dict(_texts(report))
        played = replay(record)
        if played.started:
            data["explanation"] = explanation_data(played)
    return data


def position_data(record: Record, position: Position) -> Data:
    """Return the data of one position, as `replay_data` for a record without turns."""
    start = _Story(position).beginning(position)
    return {"game": _game(record), "board": _board(record, position), "start": start}


def entry_data(record: Record, position: Position) -> Data:
    """Return the data for entering turns on a board after the turns of a record.

    `steps` are the effects of the turns played. `parts` and `changes` describe the legal turns, in the order of
    `legal_turns()`.
    """
    story = _Story(position)
    turns = position.after_turns()
    return {
        "steps": story.line(record.start(), canonical_form(record)["moves"]),
        "parts": [[story.number(part) for part in parts] for _, parts, _ in turns],
        "changes": [story.changed(changes) for _, _, changes in turns],
    }


def overlay_data(position: Position) -> dict[str, list[Data]]:
    """Return the marks of the overlays of a position by name."""
    story = _Story(position)
    return {name: story.marks_of(marks) for name, marks in position.overlays().items()}


def _game(record: Record) -> Data:
    return {"title": record.rules.title, "surface": record.rules.surface, "piece": record.rules.piece}


def _texts(report: Report) -> Iterator[tuple[str, Data]]:
    """Yield the record in every format that can represent it, with the data that is lost."""
    known = len(report.diagnostics)
    for name in formats.names():
        converted = Conversion(name, invalid=True).convert(report)
        if converted.text is not None:
            lost = [diagnostic.message for diagnostic in converted.report.diagnostics[known:]]
            yield name, {"text": converted.text, "lost": lost}


def _board(record: Record, position: Position) -> Data:
    """Return coordinates, names and background of the cells; elsewhere, cells are indices in this order.

    `boxes` are the bounding boxes of the board by the coordinate system of its labels, or `none`.
    """
    board = position.board
    layout = Layout(board)
    layouts: dict[str, Layout] = {"none": layout, **{system: Layout(board, board.names(system)) for system in SYSTEMS}}
    return {
        "size": board.size,
        "cells": [board.axial(cell) for cell in board.cells],
        "places": [tuple(round(value, 4) for value in layout.at(cell)) for cell in board.cells],
        "boxes": {
            system: [round(value, 2) for value in (drawn.left, drawn.top, drawn.width, drawn.height)]
            for system, drawn in layouts.items()
        },
        "ground": ground(board, record.rules.surface),
        "edge": [int(cell in board.edge) for cell in board.cells],
        "names": {system: [board.names(system).names[cell] for cell in board.cells] for system in SYSTEMS},
        "pattern": CELL_PATTERNS[record.coordinates],
    }


class _Story:
    """Builder of the data of positions and turns. It lists legal turns until their characters exceed `budget`."""

    def __init__(self, position: Position, budget: int = -1) -> None:
        self._layout = Layout(position.board)
        self._number = {cell: index for index, cell in enumerate(position.board.cells)}
        self.budget = budget

    def number(self, cells: Iterable[int]) -> list[int]:
        return [self._number[cell] for cell in cells]

    def beginning(self, position: Position, marks: Iterable[Data] = ()) -> Data:
        """Return the data of the position before the first turn, with the marks of the record."""
        changes = self.changes({}, position.stacks())
        return {"changes": changes, **self._state(position), **self._markup(marks, position)}

    def line(self, position: Position, moves: Iterable[Any]) -> list[Data]:
        """Return the data of turns played from a copy of a position, including variations."""
        position = position.copy()
        color = position.turn
        playing = True
        steps: list[Data] = []
        for move in moves:
            entry = dict(move) if isinstance(move, Mapping) else {"turn": move}
            step = {key: entry[key] for key in ("turn", "comment", "nag") if key in entry}
            step["color"] = color = position.turn if playing else COLORS[1 - COLORS.index(color)]
            if "variations" in entry and playing:
                step["variations"] = [self.line(position, line) for line in entry["variations"]]
            if playing:
                try:
                    step |= self._played(position, entry["turn"])
                    step |= self._markup(entry.get("marks", ()), position)
                except IllegalTurn as refusal:
                    playing = False
                    step["illegal"] = refusal.message
            steps.append(step)
        return steps

    def _played(self, position: Position, turn: str) -> Data:
        before = position.stacks()
        parts = position.turn_effects(turn)
        position.play(turn)
        changes = self.changes(before, position.stacks())
        return {"changes": changes, "parts": self.marks_of(parts), **self._state(position)}

    def _state(self, position: Position) -> Data:
        outcome = position.result()
        state: Data = {"to_play": position.turn, "marks": self.marks_of(position.highlights())}
        state["position"] = position.text()
        if outcome is not None:
            state["over"] = describe_outcome(outcome)
        if self.budget >= 0:
            state["legal"] = position.legal_turns()
            self.budget -= sum(map(len, state["legal"]))
        return state

    def _markup(self, marks: Iterable[Data], position: Position) -> Data:
        """Return the marks of a record as SVG below and above the stones, and as words."""
        markup = markup_of(marks, position.names)
        if not markup:
            return {}
        layers = [markup_layers(self._layout, position.stacks(), mark) for mark in markup]
        under, over = ("".join(parts) for parts in zip(*layers, strict=True))
        words = [
            {"name": describe_mark(mark), "cells": self.number(mark.cells), "joiner": joiner(mark)} for mark in markup
        ]
        return {"markup": {"under": under, "over": over, "words": words}}

    def changes(self, old: Mapping[int, Stack], new: Mapping[int, Stack]) -> list[tuple[int, int]]:
        """Return the changed cells and their new contents: a height, negative for White, or 0 if empty."""
        cells = sorted(cell for cell in old.keys() | new.keys() if old.get(cell) != new.get(cell))
        return self.changed({cell: new.get(cell) for cell in cells})

    def changed(self, stacks: Mapping[int, Stack | None]) -> list[tuple[int, int]]:
        """Return cells with their new contents, as `changes` does."""
        signs = (1, -1)
        return [
            (self._number[cell], 0 if stack is None else stack.height * signs[stack.color])
            for cell, stack in stacks.items()
        ]

    def marks_of(self, marks: Iterable[Annotation]) -> list[Data]:
        return [
            {**mark._asdict(), "cells": self.number(mark.cells), "lines": lines_of(self._layout, mark)}
            for mark in marks
        ]
