"""Media types: which format a body is in, and in which form an answer is wanted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from hexrec.server.problems import Problem

if TYPE_CHECKING:
    from starlette.requests import Request

JSON = "application/json"
LINES = "application/x-ndjson"
SCHEMA = "application/schema+json"
SVG = "image/svg+xml"
#: The forms of pictures, by the format that they name.
PICTURES: Mapping[str, str] = {SVG: "svg", "image/png": "png", "image/gif": "gif"}

#: The media types of formats; answers have the first. Formats in the syntax of another have its type.
_TYPES: Mapping[str, tuple[str, ...]] = {
    "json": (JSON,),
    "jsonl": (LINES, "application/jsonl", "application/jsonlines", "application/x-jsonlines"),
    "yaml": ("application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml"),
    "sgf": ("application/x-go-sgf", "application/sgf"),
    "hgn": ("text/x-hgn",),
}
#: The formats that media types name.
FORMATS: Mapping[str, str] = {media: name for name, types in _TYPES.items() for media in types}
#: The media types of answers that are records.
RECORD_TYPES = tuple(types[0] for types in _TYPES.values())
#: The media types of bodies whose content tells the format.
UNSPECIFIED = ("text/plain", "application/octet-stream")
#: What programs say that send a body as it is and are not told its type, such as `curl --data-binary`.
_UNTOLD = "application/x-www-form-urlencoded"
#: The forms of verdicts, by the report that writes them.
REPORTS: Mapping[str, str] = {
    JSON: "json",
    LINES: "jsonl",
    "text/plain": "text",
    "text/markdown": "markdown",
    "application/sarif+json": "sarif",
    "application/xml": "junit",
}
#: The forms of scores, by the sink that writes them.
ROWS: Mapping[str, str] = {JSON: "json", LINES: "jsonl", "text/csv": "csv"}


def format_of(content_type: str | None) -> str | None:
    """Return the format that the type of a body names; None if the content is to tell. Raises Problem."""
    name, *parameters = [part.strip().lower() for part in (content_type or UNSPECIFIED[0]).split(";")]
    for parameter in parameters:
        key, _, value = parameter.partition("=")
        if key == "charset" and value.strip('"') not in ("utf-8", "utf8", "us-ascii"):
            raise Problem("unsupported-body", "records are UTF-8 text: send them in no other encoding")
    if name in (*UNSPECIFIED, _UNTOLD):
        return None
    if name not in FORMATS:
        known = ", ".join([*FORMATS, *UNSPECIFIED])
        raise Problem("unsupported-body", f"bodies have one of these types, or the parameter from: {known}")
    return FORMATS[name]


def media_type_of(notation: str) -> str:
    """Return the media type of a format."""
    return _TYPES.get(notation, (JSON,))[0]


def media_type(request: Request, offered: Iterable[str]) -> str:
    """Return the offered media type that a request prefers. Raises Problem."""
    return choose(request.headers.get("accept"), offered)


def accepts_gzip(request: Request) -> bool:
    """Return whether an answer may be compressed with gzip: the request has to say so."""
    return "gzip" in _accepted(request.headers.get("accept-encoding", ""))


def is_gzip(request: Request) -> bool:
    """Return whether the body of a request is compressed with gzip. Raises Problem for other compression."""
    encoding = request.headers.get("content-encoding", "").strip().lower()
    if encoding in ("", "identity"):
        return False
    if encoding in ("gzip", "x-gzip"):
        return True
    raise Problem("unsupported-body", "send the body uncompressed, or compressed with gzip")


def choose(accept: str | None, offered: Iterable[str]) -> str:
    """Return the first of the offered media types that an Accept field prefers. Raises Problem."""
    types = tuple(offered)
    for wanted in _accepted(accept or "*/*"):
        for media in types:
            if wanted in (media, f"{media.partition('/')[0]}/*", "*/*"):
                return media
    raise Problem("not-acceptable", f"this is available as {', '.join(types)}")


def _accepted(field: str) -> list[str]:
    """Return what a field accepts, in the order of the weights, without that of weight 0."""
    weights = {}
    for part in field.lower().replace(" ", "").split(","):
        value, *parameters = part.split(";")
        try:
            weights[value] = float(next((each[2:] for each in parameters if each.startswith("q=")), "1"))
        except ValueError:
            weights[value] = 0
    return sorted((value for value, weight in weights.items() if weight > 0), key=weights.__getitem__, reverse=True)
