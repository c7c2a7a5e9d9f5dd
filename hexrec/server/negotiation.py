"""Media types: content negotiation for bodies and responses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from hexrec.server.problems import Problem

JSON = "application/json"
LINES = "application/x-ndjson"
SCHEMA = "application/schema+json"
SVG = "image/svg+xml"
#: The record format's own media types.
RECORD_JSON = "application/vnd.hexrec+json"
RECORD_YAML = "application/vnd.hexrec+yaml"
RECORD_HGN = "application/vnd.hexrec.hgn"
#: Picture formats by media type.
PICTURES: Mapping[str, str] = {SVG: "svg", "image/png": "png", "image/gif": "gif"}

#: Media types by format; responses use the first.
_TYPES: Mapping[str, tuple[str, ...]] = {
    "json": (JSON, RECORD_JSON),
    "jsonl": (LINES, "application/jsonl", "application/jsonlines", "application/x-jsonlines"),
    "yaml": ("application/yaml", "application/x-yaml", "text/yaml", "text/x-yaml", RECORD_YAML),
    "sgf": ("application/x-go-sgf", "application/sgf"),
    "hgn": ("text/x-hgn", RECORD_HGN),
}
#: Formats by media type.
FORMATS: Mapping[str, str] = {media: name for name, types in _TYPES.items() for media in types}
#: Media types of responses with records.
RECORD_TYPES = (*(types[0] for types in _TYPES.values()), RECORD_JSON, RECORD_YAML, RECORD_HGN)
#: Media types of bodies whose format is detected from the content.
UNSPECIFIED = ("text/plain", "application/octet-stream")
#: The type of HTML forms, which programs such as `curl --data-binary` give by default.
_FORM = "application/x-www-form-urlencoded"
#: Report formats by media type.
REPORTS: Mapping[str, str] = {
    JSON: "json",
    LINES: "jsonl",
    "text/plain": "text",
    "text/markdown": "markdown",
    "application/sarif+json": "sarif",
    "application/xml": "junit",
}
#: Row formats by media type.
ROWS: Mapping[str, str] = {JSON: "json", LINES: "jsonl", "text/csv": "csv"}


def find_format(content_type: str | None) -> str | None:
    """Return the format for a Content-Type, or None if the content decides. Raises Problem."""
    name = (content_type or UNSPECIFIED[0]).partition(";")[0].strip().lower()
    if name in (*UNSPECIFIED, _FORM):
        return None
    if name not in FORMATS:
        known = ", ".join([*FORMATS, *UNSPECIFIED])
        raise Problem("unsupported-body", f"unknown media type: give the parameter from, or one of {known}")
    return FORMATS[name]


def find_media_types(format: str) -> list[str]:
    """Return the media types of responses in a format, the default first."""
    default, *others = _TYPES.get(format, (JSON,))
    return [default, *(media for media in others if media in RECORD_TYPES)]


def accepts_gzip(accept_encoding: str | None) -> bool:
    """Return whether an Accept-Encoding field includes gzip."""
    return "gzip" in _parse_accept(accept_encoding or "")


def is_gzip(content_encoding: str | None) -> bool:
    """Return whether a Content-Encoding is gzip. Raises Problem for other encodings than none."""
    encoding = (content_encoding or "").strip().lower()
    if encoding in ("", "identity"):
        return False
    if encoding in ("gzip", "x-gzip"):
        return True
    raise Problem("unsupported-body", "unknown content encoding: send the body uncompressed or with gzip")


def choose(accept: str | None, offered: Iterable[str]) -> str:
    """Return the first of the offered media types that an Accept field prefers. Raises Problem."""
    types = tuple(offered)
    for wanted in _parse_accept(accept or "*/*"):
        for media in types:
            if wanted in (media, f"{media.partition('/')[0]}/*", "*/*"):
                return media
    raise Problem("not-acceptable", f"no acceptable media type: accept one of {', '.join(types)}")


def _parse_accept(field: str) -> list[str]:
    """Return the values of an Accept field in order of weight, without those of weight 0."""
    weights = {}
    for part in field.lower().replace(" ", "").split(","):
        value, *parameters = part.split(";")
        try:
            weights[value] = float(next((parameter[2:] for parameter in parameters if parameter.startswith("q=")), "1"))
        except ValueError:
            weights[value] = 0
    return sorted((value for value, weight in weights.items() if weight > 0), key=weights.__getitem__, reverse=True)
