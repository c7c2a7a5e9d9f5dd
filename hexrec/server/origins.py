"""Host and Origin checks, so that pages of other origins cannot use the service."""

from __future__ import annotations

from collections.abc import Collection
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from hexrec.server.problems import Problem


class OriginMiddleware:
    """Middleware that refuses requests for unknown host names and from pages of other origins.

    DNS rebinding can point any host name at this machine, so only known names and IP addresses are accepted.
    """

    def __init__(self, app: ASGIApp, hosts: Collection[str], origins: Collection[str]) -> None:
        """`hosts` are the accepted host names, `origins` the accepted origins of pages; `*` accepts all."""
        self._app = app
        self._hosts = {"localhost", *(host.lower() for host in hosts)}
        self._origins = set(origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on or refuse it."""
        problem = self._find_problem(Headers(scope=scope)) if scope["type"] == "http" else None
        await (problem.make_response() if problem else self._app)(scope, receive, send)

    def _find_problem(self, headers: Headers) -> Problem | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._is_own(host):
            return Problem("unknown-host", "unknown host name: start the service with --allow-host to accept it")
        if origin is None or self._origins & {origin, "*"} or origin.partition("://")[2] == host:
            return None
        return Problem("foreign-origin", "unknown origin: start the service with --cors-origin to accept it")

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
