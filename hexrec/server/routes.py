"""Routes that refuse parameters which they do not have."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from inspect import iscoroutinefunction
from typing import Any, cast

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from hexrec.server.parameters import Parameters, check_names, names_of


class StrictRoute(APIRoute):
    """A route that refuses parameters which it does not have, or which come twice.

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
        defaults = {argument: kind() for argument, kind in self._kinds().items()}

        async def answer(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["query_string"]:
                await with_parameters(scope, receive, send)
                return
            response = await self.endpoint(**({name: Request(scope, receive)} if name else {}), **defaults)
            await response(scope, receive, send)

        return answer

    def _kinds(self) -> dict[str, type[Parameters]]:
        """Return the kind of parameters, by the argument of the endpoint that they are given in."""
        fields = self.dependant.query_params
        return {field.name: cast(type[Parameters], field.field_info.annotation) for field in fields}

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the function that answers requests."""
        answer = super().get_route_handler()
        if not self.include_in_schema:
            return answer
        known = [name for kind in self._kinds().values() for name in names_of(kind)]

        async def checked(request: Request) -> Response:
            if request.scope["query_string"]:
                check_names([name for name, _ in request.query_params.multi_items()], known)
            return await answer(request)

        return checked
