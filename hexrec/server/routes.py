"""Routes that refuse parameters which they do not have."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, cast

from fastapi import Request
from fastapi.routing import APIRoute
from starlette.responses import Response

from hexrec.server.parameters import Parameters, check_names, names_of


class StrictRoute(APIRoute):
    """A route that refuses parameters which it does not have, or which come twice."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Return the function that answers requests."""
        answer = super().get_route_handler()
        if not self.include_in_schema:
            return answer
        kinds = [cast(type[Parameters], field.field_info.annotation) for field in self.dependant.query_params]
        known = [name for kind in kinds for name in names_of(kind)]

        async def checked(request: Request) -> Response:
            check_names([name for name, _ in request.query_params.multi_items()], known)
            return await answer(request)

        return checked
