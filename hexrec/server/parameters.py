"""The parameters of the addresses, for the service and for the page that has no server."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any, TypeVar
from urllib.parse import parse_qsl

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from hexrec import formats
from hexrec.render.theme import Labels, Style, Theme
from hexrec.rules.board import SYSTEMS
from hexrec.server import negotiation
from hexrec.server.problems import Problem
from hexrec.util.escaping import shorten

#: No body has so many records or turns.
_MOST = 2**31 - 1


def _one_of(names: Iterable[str]) -> tuple[Any, Any]:
    """Return the check of a parameter that is one of some names, and what its schema says of it."""
    known: list[Any] = list(names)

    def check(value: str | None) -> str | None:
        if value is not None and value not in known:
            raise PydanticCustomError("choice", "should be one of {names}", {"names": ", ".join(known)})
        return value

    return AfterValidator(check), Field(json_schema_extra={"enum": known})


_Format = Annotated[str | None, *_one_of(formats.names())]
_System = Annotated[str | None, *_one_of(SYSTEMS)]


class Parameters(BaseModel):
    """Parameters that an address has. Others are refused: else a slip would go unnoticed."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class BodyParameters(Parameters):
    """What is said of a body that holds records."""

    notation: _Format = Field(None, alias="from", description="The format of the body, whatever its media type.")


class ValidateParameters(BodyParameters):
    """How records are validated."""

    finished: bool = Field(False, description="Every record must have a result.")
    lint: bool = Field(False, description="Warn about what is valid but probably unintended.")


class ConvertParameters(BodyParameters):
    """What records are converted to."""

    to: _Format = Field(None, description="The format to write; by default, what the request accepts.")
    coordinates: _System = Field(None, description="The coordinate system to write; by default, each record's own.")
    strict: bool = Field(False, description="Refuse what the format cannot hold.")
    invalid: bool = Field(False, description="Convert invalid records too, marked as such.")
    report: bool = Field(False, description="Answer with each record by itself and its verdict.")

    def form(self, accept: str | None) -> tuple[str, str, str]:
        """Return the media type of the answer, the format in it, and the layout. Raises Problem."""
        if self.report:
            kind = negotiation.choose(accept, (negotiation.JSON, negotiation.LINES))
            return kind, self.to or "json", "json" if kind == negotiation.JSON else "jsonl"
        kinds = [negotiation.media_type_of(self.to)] if self.to else negotiation.RECORD_TYPES
        kind = negotiation.choose(accept, kinds)
        return kind, self.to or negotiation.FORMATS[kind], "text"


class RecordParameters(BodyParameters):
    """Which record of the body is meant."""

    record: int = Field(0, ge=0, le=_MOST, description="Which record of the body, from 0.")


class PlyParameters(RecordParameters):
    """Which position of the record is meant."""

    ply: int | None = Field(
        None, ge=0, le=_MOST, description="The position after this many turns; by default, after the last."
    )


class RenderParameters(PlyParameters):
    """How a position is drawn."""

    coordinates: _System = Field(None, description="The coordinate system to write; by default, each record's own.")
    theme: Theme = Field("auto", description="auto follows the reader's system.")
    labels: Labels = Field("ends", description="Names of cells: at the ends of rows, on all, none.")
    marks: bool = Field(True, description="Point out the last turn and what decided the game, draw marks.")
    caption: bool = Field(True, description="Write a caption below the board.")
    width: int | None = Field(None, ge=16, le=10_000, description="In pixels.")
    seconds: float = Field(1.0, ge=0.05, le=60, description="How long a GIF shows each turn.")

    @property
    def style(self) -> Style:
        """How it looks."""
        return Style(self.theme, self.labels, self.marks, self.caption, self.width)


class DescribeParameters(Parameters):
    """What is said of a position."""

    drawing: bool = Field(True, description="Whether to say how the position is drawn.")
    entry: bool = Field(
        False, description="Whether to say how turns are entered on a board, and what those played did."
    )


AnyParameters = TypeVar("AnyParameters", bound=Parameters)


def read(kind: type[AnyParameters], query: str) -> AnyParameters:
    """Return the parameters in the query of an address. Raises Problem."""
    given = parse_qsl(query, keep_blank_values=True)
    try:
        found = kind.model_validate(dict(given))
    except ValidationError as error:
        raise bad_parameters(error.errors()) from None
    refuse_repeated(name for name, _ in given)
    return found


def refuse_repeated(names: Iterable[str]) -> None:
    """Refuse parameters that are given twice: the service would have to choose. Raises Problem."""
    for name, count in Counter(names).items():
        if count > 1:
            raise Problem("bad-parameter", f"{shorten(name)} is given more than once")


def bad_parameters(errors: Iterable[Any]) -> Problem:
    """Return the problem of parameters, given the errors that pydantic finds."""
    return Problem(
        "bad-parameter", "; ".join(f"{shorten(str(error['loc'][-1]))}: {_message(error)}" for error in errors)
    )


def _message(error: Any) -> str:
    return "this address has no such parameter" if error["type"] == "extra_forbidden" else str(error["msg"])
