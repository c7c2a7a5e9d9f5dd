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
        packed = accepts_gzip(request)
        tag = f'"{self._digest}{"-gzip" if packed else ""}"'
        headers = {**self._headers, "ETag": tag, "Vary": "Accept-Encoding"}
        if self._is_known(request.headers.get("if-none-match", "")):
            return Response(status_code=304, headers=headers)
        if packed:
            return Response(self._packed, headers=headers | {"Content-Encoding": "gzip"}, media_type=self._media_type)
        return Response(self._body, headers=headers, media_type=self._media_type)

    def _is_known(self, tags: str) -> bool:
        """Return whether one of the tags in a field If-None-Match is that of this answer, compressed or not."""
        own = {f'"{self._digest}"', f'"{self._digest}-gzip"', "*"}
        return not own.isdisjoint(tag.strip().removeprefix("W/") for tag in tags.split(","))

    @cached_property
    def _body(self) -> bytes:
        return self._make()

    @cached_property
    def _packed(self) -> bytes:
        return gzip.compress(self._body, mtime=0)

    @cached_property
    def _digest(self) -> str:
        return sha256(self._body).hexdigest()[:32]
