"""Import of games from a text: the operation of the address `/v1/import`."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, cast

from pydantic import Field
from typing_extensions import TypedDict

from hexrec.errors import ArgumentError, MissingExtraError
from hexrec.io.discovery import STANDARD_INPUT
from hexrec.output import to_text
from hexrec.rules.board import System
from hexrec.server import negotiation
from hexrec.server.parameters import GameName, SystemName
from hexrec.server.problems import Problem
from hexrec.server.records import MAX_SUGGESTED
from hexrec.server.tasks import Answer, Operation, Task, count_turns
from hexrec.tools.suggestions import Suggester
from hexrec.util.version import __version__
from hexrec.validation.report import Summary
from hexrec.web.answers import ReportData


class ImportedGame(ReportData):
    """The report on one game of a text, and its record."""

    record: Annotated[dict[str, Any] | None, Field(description="The record; null if the game was not imported.")]
    attempt: Annotated[
        dict[str, Any] | None, Field(description="The best attempt at a game that was not imported, an invalid record.")
    ]


class ImportedGames(TypedDict):
    """The games of a text."""

    hexrec: Annotated[str, Field(description="The version of the program.")]
    records: list[ImportedGame]


class ImportText(Operation):
    """Import the games of a text or table."""

    offered = (negotiation.JSON, negotiation.LINES)
    reads_text: ClassVar[bool] = True

    game: GameName | None = Field(None, description="Game of the text, if it does not state it.")
    size: int | None = Field(None, ge=1, le=99, description="Board size of the text, if it does not state it.")
    opening: str | None = Field(
        None, description="Opening stones, if the text does not state them.", examples=["black=e3,white=a4"]
    )
    variant: str | None = Field(None, description="Variant of the game, if the text does not state it.")
    coordinates: SystemName | None = Field(None, description="Coordinate system of the text; default: found by trying.")

    def run(self, task: Task) -> Answer:
        """Return the games. Raises Problem."""
        from hexrec.tools.importing import import_bytes  # most requests import no text
        from hexrec.tools.importing.hints import Hints, parse_opening

        try:
            opening = None if self.opening is None else parse_opening(self.opening)
        except ArgumentError as error:
            raise Problem("bad-parameter", str(error)) from None
        hints = Hints(self.game, self.size, opening, self.variant, cast(System | None, self.coordinates))
        summary, entries = Summary(), []
        try:
            for imported in import_bytes(task.body, STANDARD_INPUT, hints, Suggester(MAX_SUGGESTED)):
                summary.add_report(imported.report, valid=imported.report.valid)
                task.turns += count_turns((imported.data or {}).get("moves"))
                if summary.records > task.records:
                    raise Problem("too-many-records", "too many games: send fewer in a body")
                if task.turns > task.plies:
                    raise Problem("too-many-plies", "too many turns: send fewer or shorter games in a body")
                entries.append({**imported.report.to_dict(), "record": imported.data, "attempt": imported.attempt})
        except MissingExtraError as error:
            raise Problem("not-installed", str(error)) from None
        if task.media_type == negotiation.LINES:
            return Answer("".join(f"{to_text(entry)}\n" for entry in entries).encode(), summary)
        return Answer(to_text({"hexrec": __version__, "records": entries}).encode(), summary)
