"""Answers that are the same as long as the service runs: made once, and sent only to clients that do not have them."""

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
    """Return the constant answer at the address of a request; `make` is called for the first."""
    known = request.app.state.constants
    path = request.scope["path"]
    if path not in known:
        body = make().encode()
        known[path] = body, gzip.compress(body, mtime=0), f'"{sha256(body).hexdigest()[:32]}"'
    body, packed, tag = known[path]
    # The tag is weak, as it is that of both forms.
    headers = {**headers, "ETag": f"W/{tag}", "Vary": "Accept-Encoding"}
    has = request.headers.get("if-none-match", "")
    if tag in has or has.strip() == "*":
        return Response(status_code=304, headers=headers)
    if accepts_gzip(request):
        return Response(packed, headers=headers | {"Content-Encoding": "gzip"}, media_type=media_type)
    return Response(body, headers=headers, media_type=media_type)
