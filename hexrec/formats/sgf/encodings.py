"""Encodings of games in SGF: find the declared encoding, and decode the game."""

from __future__ import annotations

import codecs
import re

from hexrec.formats.base import FormatError, LocatedText, is_utf16, utf16_error
from hexrec.util.diagnostics import Diagnostic, shorten

_VALUE = rb"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\]"
_IN_ROOT = re.compile(
    rb"\(\s*;?(?>(?:\s*(?!CA\s*\[)[A-Za-z0-9]++(?:\s*" + _VALUE + rb")++)*)\s*CA\s*\[([^\\\]]*)\]", re.DOTALL
)
_START = re.compile(rb"\(\s*(?:;|[A-Z]{1,2}\s*\[)")
_ENCODING_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._:+-]{0,39}")
#: ASCII text that an encoding must decode unchanged, and bytes that it must accept.
_SAMPLE = b"()[];,- \t\r\nABCXYZabcxyz0123456789 \\n \\u0041 "
_BYTES = bytes(range(128, 256))


def _codec(name: str) -> str | None:
    """Return Python's name of an encoding that extends ASCII, or None for other and unknown encodings."""
    if not _ENCODING_NAME.fullmatch(name):
        return None
    try:
        known = codecs.lookup(name).name
        text = (_SAMPLE + _BYTES).decode(known, errors="replace")
        return known if text.startswith(_SAMPLE.decode("ascii")) else None
    except (LookupError, ValueError):
        return None


def decode(raw: bytes, line: int, column: int) -> tuple[LocatedText, list[Diagnostic]]:
    """Decode a game, which begins at a line and column, in the encoding that its root declares; add warnings.

    The default is UTF-8, or else ISO 8859-1. Raises FormatError.
    """
    if is_utf16(raw):
        raise utf16_error(line, column)
    start = _START.search(raw) if b"CA" in raw else None  # much faster for games without CA
    match = _IN_ROOT.match(raw, start.start()) if start else None
    declared = match[1].decode("latin-1").strip() if match else "utf-8"
    codec = _codec(declared)
    if codec is None:
        message = f'hexrec does not read SGF in the encoding "{shorten(declared)}": save it as UTF-8, with CA[UTF-8]'
        start_of_name = match.start(1) if match else 0
        raise _encoding_error(raw, "utf-8", line, column, message, start_of_name, max(1, len(declared)))
    try:
        return LocatedText(raw.decode(codec), line, column), []
    except UnicodeError as error:
        bad = getattr(error, "start", 0)
    if match:
        message = f"byte 0x{raw[bad]:02x} is not text in the encoding that CA names, {shorten(declared)}"
        raise _encoding_error(raw, codec, line, column, message, bad, 1)
    text = LocatedText(raw.decode("latin-1"), line, column)
    message = "there is no CA, and this is not UTF-8: read as ISO 8859-1, the default in FF[4]"
    return text, [text.warning("syntax/sgf-encoding", message, bad, bad + 1)]


def _encoding_error(raw: bytes, codec: str, line: int, column: int, message: str, start: int, size: int) -> FormatError:
    """Return the error for `size` characters from the byte offset `start`."""
    text = LocatedText(raw.decode(codec, errors="replace"), line, column)
    at = len(raw[:start].decode(codec, errors="replace"))
    return text.error("syntax/encoding", message, at, at + size)
