"""Query parameters of the addresses, for the service and for the page without a server."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from hexrec import formats
from hexrec.rules import games
from hexrec.rules.board import SYSTEMS
from hexrec.server.problems import Problem
from hexrec.util.escaping import shorten


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
