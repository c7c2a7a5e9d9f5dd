"""Requests that browsers make for pages of others: the service refuses them, or it would work for any page."""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from hexrec.server.problems import Problem


class OriginMiddleware:
    """Refuses requests for names that are not the service's own, and from pages of other origins.

    A page can make its own name lead to this machine (DNS rebinding), but no address is a name.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], origins: Collection[str]) -> None:
        """`hosts` are names that the service has, `origins` those of the pages that may use it; `*` is any."""
        self._app = app
        self._hosts = {"localhost", *(host.lower() for host in hosts)}
        self._origins = set(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it."""
        problem = self._problem(Headers(scope=scope)) if scope["type"] == "http" else None
        await (problem.response() if problem else self._app)(scope, receive, send)

    def _problem(self, headers: Headers) -> Problem | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._is_own(host):
            return Problem("unknown-host", "start the service with --allow-host and this name, if it should answer")
        if origin is None or self._origins & {origin, "*"} or origin.partition("://")[2] == host:
            return None
        return Problem("foreign-origin", "start the service with --cors-origin and this origin, if it may use it")

    def _is_own(self, host: str) -> bool:
        try:
            place = urlsplit(f"//{host}")
            name = place.hostname
            if place.netloc != host:  # more than a name and a port
                return False
            # HTTP/1.0 needs no Host; browsers always send one.
            if name is not None and not self._hosts & {name, "*"}:
                ip_address(name)
        except ValueError:
            return False
        return True
