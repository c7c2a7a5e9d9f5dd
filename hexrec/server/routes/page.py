"""Routes for the files of the page."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from hexrec.server.constant import constant
from hexrec.web.assembly import CONTENT_SECURITY_POLICY, assets

router = APIRouter(include_in_schema=False)
_HEADERS = {"Content-Security-Policy": CONTENT_SECURITY_POLICY, "Cache-Control": "no-cache"}


@router.get("/")
@router.get("/page.css")
@router.get("/page.js")
async def get_file(request: Request) -> Response:
    """Return a file of the page."""
    file = assets()[request.scope["path"]]
    return constant(request, file.media_type, lambda: file.text, _HEADERS)
