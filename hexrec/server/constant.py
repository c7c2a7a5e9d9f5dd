"""Constant responses: built once, with ETag and gzip."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from hashlib import sha256

from starlette.requests import Request
from starlette.responses import Response

from hexrec.server.negotiation import accepts_gzip

_CACHED = {"Cache-Control": "public, max-age=3600"}


def constant(
    request: Request, media_type: str, make: Callable[[], str], headers: Mapping[str, str] = _CACHED
) -> Response:
    """Return the constant response at the path of a request; `make` builds it for the first request."""
    responses = request.app.state.constants
    path = request.scope["path"]
    if path not in responses:
        body = make().encode()
        responses[path] = body, gzip.compress(body, mtime=0), f'"{sha256(body).hexdigest()[:32]}"'
    body, packed, tag = responses[path]
    # The tag is weak because both encodings share it.
    headers = {**headers, "ETag": f"W/{tag}", "Vary": "Accept-Encoding"}
    has = request.headers.get("if-none-match", "")
    if tag in has or has.strip() == "*":
        return Response(status_code=304, headers=headers)
    if accepts_gzip(request):
        return Response(packed, headers=headers | {"Content-Encoding": "gzip"}, media_type=media_type)
    return Response(body, headers=headers, media_type=media_type)
