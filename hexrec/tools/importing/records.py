"""Records of readings, with the players and the other facts of their drafts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath
from typing import Any

from hexrec.formats.base import Document
from hexrec.io.discovery import STANDARD_INPUT
from hexrec.record.canonical import canonical_form
from hexrec.rules.terms import COLORS
from hexrec.tools.importing.continued import SourceGame
from hexrec.tools.importing.readings import GameReading
from hexrec.util.version import FORMAT_VERSION
from hexrec.validation.report import Report
from hexrec.validation.verdict import check_document

#: The years in which a number in brackets after a name may be one.
_YEARS = range(1990, 2040)


def write_record(reading: GameReading, game: SourceGame) -> tuple[dict[str, Any], Report]:
    """Return the record of a reading, and the report on it."""
    draft = game.draft
    data: dict[str, Any] = {"hexrec": FORMAT_VERSION, "game": reading.game.name}
    data |= {} if reading.variant is None else {"variant": reading.variant}
    data |= {} if reading.ruleset is None else {"ruleset": reading.ruleset}
    data["size"] = reading.size
    if reading.players:
        ratings = dict(draft.values("rating"))
        if len(ratings) == 1 and {*ratings.values()} <= {*_YEARS}:
            ratings = {}
        data["players"] = {
            color: {"name": name} | ({"rating": ratings[name]} if name in ratings else {})
            for color, name in reading.players.items()
            if name
        }
    for kind in ("event", "site", "round", "date"):
        values = draft.values(kind)
        if len(values) == 1:
            data[kind] = str(values[0])
    data["source"] = _source(game)
    if reading.opening:
        data["opening"] = reading.opening
    if reading.pie is not None:
        data["pie"] = {"chosen": COLORS[reading.pie]}
    data["moves"] = [*_moves(reading)]
    if reading.result is not None:
        data["result"] = reading.result
    report = check_document(Document(data), game.file, game.record)
    return canonical_form(report.record) if report.record is not None else data, report


def _source(game: SourceGame) -> str:
    """Return the file and the lines of a game, and of its second part."""
    draft = game.draft
    where = "" if game.file in (None, STANDARD_INPUT) else f"{PurePath(game.file).name}, "
    where += "" if draft.sheet is None else f"sheet {draft.sheet}, "
    unit = "row" if draft.sheet is not None else "line"
    where += f"{unit} {draft.first}" if draft.first == draft.last else f"{unit}s {draft.first} to {draft.last}"
    return where if game.after is None else f"{where}; {_source(game.after)}"


def _moves(reading: GameReading) -> Iterator[Any]:
    """Yield the turns of a reading, with the comments after them."""
    for turn, source in zip(reading.turns, reading.sources, strict=False):  # an attempt has more sources
        notes = [note for item in source.items for note in reading.selection.comments.get(item.place, ())]
        yield {"turn": turn, "comment": " ".join(notes)} if notes else turn
