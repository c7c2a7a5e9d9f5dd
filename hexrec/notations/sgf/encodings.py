"""The encoding of a game in SGF: the declared one, and the text of the game in it."""

from __future__ import annotations

import codecs
import re
from functools import cache
from typing import NamedTuple

from hexrec.diagnostics import shorten
from hexrec.notations.sgf.grammar import RawDiagnostic

_VALUE = rb"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\]"
_IN_ROOT = re.compile(
    rb"\(\s*;?(?:\s*(?!CA\s*\[)[A-Za-z0-9]++(?:\s*" + _VALUE + rb")++)*+\s*CA\s*\[([^\\\]]*)\]", re.DOTALL
)
_ENCODING_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._:+-]{0,39}")
#: Text that an encoding must leave as it is, and bytes that it must accept.
_SAMPLE = b"()[];,- \t\r\nABCXYZabcxyz0123456789 \\n \\u0041 "
_BYTES = bytes(range(128, 256))


class DecodedGame(NamedTuple):
    """The text of a game, in Python's name of an encoding, and what is to be reported of that."""

    encoding: str
    text: str
    warning: RawDiagnostic | None = None
    problem: RawDiagnostic | None = None


def declared_in(data: bytes) -> str | None:
    """Return the encoding that the root of a game declares, or None."""
    if b"CA" not in data:  # known a hundred times sooner than by an expression
        return None
    found = _IN_ROOT.match(data)
    return found[1].decode("latin-1").strip() if found else None


@cache
def _codec(name: str) -> str | None:
    """Return Python's name of an encoding in which ASCII is ASCII; None for others and unknown ones."""
    if not _ENCODING_NAME.fullmatch(name):
        return None
    try:
        known = codecs.lookup(name).name
        text = (_SAMPLE + _BYTES).decode(known, errors="replace")
        return known if text.startswith(_SAMPLE.decode("ascii")) else None
    except (LookupError, ValueError):
        return None


def bracket_decoder(data: bytes) -> codecs.IncrementalDecoder:
    """Return what decodes a game, given its first bytes, to the text in which its brackets are to be looked for.

    UTF-8 and encodings of one byte a character have no other bytes like those of brackets: a character a byte will do.
    In Shift-JIS, GBK or Big5 a byte of a bracket may end a character.
    """
    declared = declared_in(data)
    codec = _codec(declared) if declared else None
    return codecs.getincrementaldecoder("latin-1" if codec in (None, "utf-8") else codec)("replace")


def decoded(raw: bytes, declared: str | None) -> DecodedGame:
    """Return the text of a game, given the encoding that it names."""
    if declared is None:
        try:
            return DecodedGame("utf-8", raw.decode("utf-8"))
        except UnicodeDecodeError as error:
            message = "there is no CA, and this is not UTF-8: read as ISO 8859-1, the default in FF[4]"
            warning = RawDiagnostic("syntax/sgf-encoding", message, error.start, error.start + 1)
            return DecodedGame("latin-1", raw.decode("latin-1"), warning)
    codec = _codec(declared)
    if codec is None:
        text = raw.decode("utf-8", errors="replace")
        message = f'hexrec does not read SGF in the encoding "{shorten(declared)}": save it as UTF-8, with CA[UTF-8]'
        named = re.search(r"CA\s*\[\s*", text)
        start = named.end() if named else 0
        problem = RawDiagnostic("syntax/encoding", message, start, start + max(1, len(declared)))
        return DecodedGame("utf-8", text, problem=problem)
    try:
        return DecodedGame(codec, raw.decode(codec))
    except UnicodeError as error:
        start = getattr(error, "start", 0)
        message = f"byte 0x{raw[start]:02x} is not text in the encoding that CA names, {shorten(declared)}"
        at = len(raw[:start].decode(codec, errors="replace"))
        problem = RawDiagnostic("syntax/encoding", message, at, at + 1)
        return DecodedGame(codec, raw.decode(codec, errors="replace"), problem=problem)
