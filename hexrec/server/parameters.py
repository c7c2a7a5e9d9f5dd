"""Query parameters of the addresses, for the service and for the page without a server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from hexrec import formats
from hexrec.render.theme import Labels, Theme
from hexrec.rules import games
from hexrec.rules.board import SYSTEMS
from hexrec.server import negotiation
from hexrec.server.problems import Problem
from hexrec.util.escaping import shorten

#: An upper bound of record indices and plies.
_MOST = 2**31 - 1


def _restrict_to(names: Iterable[str]) -> tuple[Any, Any]:
    """Return the validator and the schema of a string that is one of some names."""
    known: list[Any] = list(names)

    def check(value: str) -> str:
        if value not in known:
            raise PydanticCustomError("choice", "should be one of {names}", {"names": ", ".join(known)})
        return value

    return AfterValidator(check), Field(json_schema_extra={"enum": known})


GameName = Annotated[str, *_restrict_to(games.names())]
FormatName = Annotated[str, *_restrict_to(formats.names())]
SystemName = Annotated[str, *_restrict_to(SYSTEMS)]


class Parameters(BaseModel):
    """Query parameters of an address. Unknown ones are refused, because they are probably typos."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class BodyParameters(Parameters):
    """Parameters of a body of records."""

    notation: FormatName | None = Field(None, alias="from", description="Format of the body; overrides its media type.")


class ListParameters(BodyParameters):
    """Parameters of a list of records."""

    positions: bool = Field(False, description="Include the positions of valid records by their keys.")


class ValidateParameters(BodyParameters):
    """Parameters of validation."""

    finished: bool = Field(False, description="Require a result in every record.")
    lint: bool = Field(False, description="Warn about probable mistakes.")


class ConvertParameters(BodyParameters):
    """Parameters of conversion."""

    to: FormatName | None = Field(None, description="Output format; default: by the header Accept.")
    coordinates: SystemName | None = Field(None, description="Output coordinate system; default: that of the record.")
    strict: bool = Field(False, description="Refuse records that would lose data.")
    invalid: bool = Field(False, description="Convert invalid records too, marked as invalid.")
    report: bool = Field(False, description="Return each record separately, with its report.")

    def choose_form(self, accept: str | None) -> tuple[str, str, str]:
        """Return the media type, format and layout of the response. Raises Problem."""
        if self.report:
            kind = negotiation.choose(accept, (negotiation.JSON, negotiation.LINES))
            return kind, self.to or "json", "json" if kind == negotiation.JSON else "jsonl"
        kinds = [negotiation.find_media_type(self.to)] if self.to else negotiation.RECORD_TYPES
        kind = negotiation.choose(accept, kinds)
        return kind, self.to or negotiation.FORMATS[kind], "text"


class RecordParameters(BodyParameters):
    """Parameters of one record."""

    record: int = Field(0, ge=0, le=_MOST, description="Index of the record in the body, from 0.")


class PlyParameters(RecordParameters):
    """Parameters of one position of a record."""

    ply: int | None = Field(None, ge=0, le=_MOST, description="The position after N turns; default: after the last.")


class RenderParameters(PlyParameters):
    """Parameters of pictures."""

    coordinates: SystemName | None = Field(None, description="Output coordinate system; default: that of the record.")
    theme: Theme = Field("auto", description="Colors; auto follows the system of the reader.")
    labels: Labels = Field("ends", description="Labels of cells: at the ends of rows, on all cells, or none.")
    marks: bool = Field(True, description="Show marks: the last turn, the deciding cells, marks of the record.")
    caption: bool = Field(True, description="Write a caption below the board.")
    width: int | None = Field(None, ge=16, le=3_000, description="Width in pixels.")
    seconds: float = Field(1.0, ge=0.05, le=60, description="Seconds per turn in a GIF.")


class DescribeParameters(Parameters):
    """Parameters of a description of a position."""

    drawing: bool = Field(True, description="Include the data of a picture.")
    entry: bool = Field(False, description="Include the data to enter turns on a board, and the effects of the turns.")
    folded: bool = Field(
        False, description="Include the key of the position, and its cells in the image with that key."
    )
    overlays: bool = Field(False, description="Include the overlays: features of the position to show on a board.")


def make_problem(errors: Sequence[Any]) -> Problem:
    """Return the problem for the errors that pydantic finds in parameters."""
    details = []
    for error in errors:
        name = shorten(str(error["loc"][-1]))
        if error["type"] == "extra_forbidden":
            details.append(f"unknown parameter ({name})")
        else:
            rule = error["msg"].removeprefix("Input ").partition(", unable")[0]
            details.append(f"wrong {name} ({shorten(str(error['input']))}): it {rule}")
    return Problem("bad-parameter", "; ".join(details))
