"""The encoding of a game in SGF: which one it names, its text, and what in its bytes only looks like brackets."""

from __future__ import annotations

import codecs
import re
from functools import cache
from typing import NamedTuple

from hexrec.diagnostics import shorten
from hexrec.notations.sgf.grammar import RawDiagnostic

#: How much of a game is looked at before its end is known, to find its encoding.
HEAD = 1 << 12
#: A value in its brackets.
VALUE = rb"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+\]"
_IN_ROOT = re.compile(
    rb"\(\s*;?(?:\s*(?!CA\s*\[)[A-Za-z0-9]++(?:\s*" + VALUE + rb")++)*+\s*CA\s*\[([^\\\]]*)\]", re.DOTALL
)
_IN_HEAD = re.compile(rb"(?<![A-Za-z])CA\s*\[([^\\\]]{1,40})\]")
#: Where a tree ends and another begins: that may be the next game, with an encoding of its own.
_NEXT_TREE = re.compile(rb"\)\s*\(")
_ENCODING_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._:+-]{0,39}")
#: Text that an encoding must leave as it is, and bytes that it must bear to be handed.
_SAMPLE = b"()[];,- \t\r\nABCXYZabcxyz0123456789 \\n \\u0041 "
_BYTES = bytes(range(128, 256))
#: By the beginnings of names of encodings, what in them may hold bytes that look like brackets.
_CHARACTERS = (
    (("shift_jis", "cp932"), re.compile(rb"[\x81-\x9f\xe0-\xfc][\x40-\xfc]")),
    (("gbk", "gb18030", "big5", "cp949", "cp950", "johab"), re.compile(rb"[\x81-\xfe][\x30-\xfe]")),
    (("iso2022",), re.compile(rb"\x1b\$.*?(?:\x1b\(|\Z)|\x0e.*?(?:\x0f|\Z)", re.DOTALL)),
    (("hz",), re.compile(rb"~\{.*?(?:~\}|\Z)", re.DOTALL)),
)


class DecodedGame(NamedTuple):
    """The text of a game, in Python's name of an encoding, and what is to be reported of that."""

    encoding: str
    text: str
    warning: RawDiagnostic | None = None
    problem: RawDiagnostic | None = None


def declared_in(data: bytes) -> str | None:
    """Return the encoding that a game names, or None."""
    if b"CA" not in data:  # known a hundred times sooner than by an expression
        return None
    found = _IN_ROOT.match(data) or _IN_HEAD.search(_NEXT_TREE.split(data[:HEAD])[0])
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


def lookalikes(name: str) -> re.Pattern[bytes] | None:
    """Return what finds the characters of an encoding that may hold bytes of brackets; None if none may."""
    codec = _codec(name) or ""
    return next((pattern for starts, pattern in _CHARACTERS if codec.startswith(starts)), None)


def blotted(data: bytes, characters: re.Pattern[bytes] | None) -> bytes:
    """Return bytes with others in place of the characters of some pattern."""
    return characters.sub(lambda found: b"x" * len(found[0]), data) if characters else data


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
