"""Answers that are the same as long as the program runs: made once, sent again only to those who do not have them."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from functools import cached_property
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

from hexrec.server.negotiation import accepts_gzip

_CACHED = {"Cache-Control": "public, max-age=3600"}


class Constant:
    """An answer that is made when it is first asked for."""

    def __init__(self, make: Callable[[], bytes], media_type: str, headers: Mapping[str, str] = _CACHED) -> None:
        self._make = make
        self._media_type = media_type
        self._headers = headers

    def response(self, request: Request) -> Response:
        """Return it as a request wants it: compressed or not; without a body for a client that has it."""
        body, packed, tag = self._made
        # The tag is weak, as it is that of both forms.
        headers = {**self._headers, "ETag": f"W/{tag}", "Vary": "Accept-Encoding"}
        known = request.headers.get("if-none-match", "")
        if tag in known or known.strip() == "*":
            return Response(status_code=304, headers=headers)
        if accepts_gzip(request):
            return Response(packed, headers=headers | {"Content-Encoding": "gzip"}, media_type=self._media_type)
        return Response(body, headers=headers, media_type=self._media_type)

    @cached_property
    def _made(self) -> tuple[bytes, bytes, str]:
        body = self._make()
        return body, gzip.compress(body, mtime=0), f'"{sha256(body).hexdigest()[:32]}"'
