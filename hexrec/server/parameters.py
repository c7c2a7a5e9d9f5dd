"""Parameters that mean the same at several addresses; those that an address does not have are refused."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable
from difflib import get_close_matches
from inspect import iscoroutinefunction
from typing import Annotated, Any

from fastapi import Query, Request
from fastapi.routing import APIRoute
from pydantic import AfterValidator
from pydantic_core import PydanticCustomError
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from hexrec import notations
from hexrec.board import SYSTEMS
from hexrec.escaping import shorten
from hexrec.server.problems import Problem


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
Finished = Annotated[bool, Query(description="Every record must have a result.")]
Linted = Annotated[bool, Query(description="Warn about what is valid but probably unintended.")]
Strict = Annotated[bool, Query(description="Refuse what the notation cannot hold.")]
Invalid = Annotated[bool, Query(description="Convert invalid records too, marked as such.")]
Apart = Annotated[bool, Query(description="Answer with each record by itself and its verdict.")]


class StrictRoute(APIRoute):
    """A route that refuses parameters which it does not have, or which come twice: else a slip would go unnoticed.

    A request without parameters, as most are, is answered by a plain call with the default values: looking for
    parameters takes longer than all else that happens to such a request.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if self.include_in_schema:
            assert iscoroutinefunction(self.endpoint)
            self.app = self._plainly(self.app)

    def _plainly(self, with_parameters: ASGIApp) -> ASGIApp:
        name = self.dependant.request_param_name

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["query_string"]:
                await with_parameters(scope, receive, send)
                return
            response = await self.endpoint(**({name: Request(scope, receive)} if name else {}))
            await response(scope, receive, send)

        return answer

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the function that answers requests."""
        answer = super().get_route_handler()
        if not self.include_in_schema:
            return answer
        known = [field.alias for field in self.dependant.query_params]

        async def checked(request: Request) -> Response:
            if request.scope["query_string"]:
                _check_names(request, known)
            return await answer(request)

        return checked


def _check_names(request: Request, known: list[str]) -> None:
    names = [name for name, _ in request.query_params.multi_items()]
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, 1)
            hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(known) or 'none'}"
            raise Problem("bad-parameter", f"this address has no parameter {shorten(name)!r}: {hint}")
        if names.count(name) > 1:
            raise Problem("bad-parameter", f"{name} is given more than once")
