"""Parameters that mean the same at several addresses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any

from fastapi import Query
from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from hexrec import notations
from hexrec.board import SYSTEMS


def _one_of(names: Iterable[str]) -> tuple[Any, dict[str, Any]]:
    """Return the check of a parameter that is one of some names, and what its schema says of it."""
    known = list(names)

    def check(value: str | None) -> str | None:
        if value is not None and value not in known:
            raise PydanticCustomError("choice", "should be one of {names}", {"names": ", ".join(known)})
        return value

    return AfterValidator(check), {"enum": known}


_NOTATION, _NOTATIONS = _one_of(notations.names())
_SYSTEM, _SYSTEMS = _one_of(SYSTEMS)
From = Annotated[
    str | None,
    _NOTATION,
    Query(alias="from", description="The notation of the body, whatever its media type.", json_schema_extra=_NOTATIONS),
]
To = Annotated[
    str | None,
    _NOTATION,
    Query(description="The notation to write; by default, what the request accepts.", json_schema_extra=_NOTATIONS),
]
Coordinates = Annotated[
    str | None,
    _SYSTEM,
    Query(description="The coordinate system to write; by default, each record's own.", json_schema_extra=_SYSTEMS),
]
#: No body has so many records or turns.
_MOST = 2**31 - 1
RecordIndex = Annotated[int, Query(ge=0, le=_MOST, description="Which record of the body, from 0.")]
Ply = Annotated[
    int | None, Query(ge=0, le=_MOST, description="The position after this many turns; by default, after the last.")
]
Flag = Annotated[bool, Query()]
