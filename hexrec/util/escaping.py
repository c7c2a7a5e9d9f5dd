"""Escape untrusted strings for terminals and CI logs: file names, contents of records, arguments.

`visible` escapes characters that move the cursor, change the text direction, end a line or are invisible, and strings
that a CI service would run as commands. Records and rows are escaped only on a terminal, by a `GuardedStream`.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from io import BufferedIOBase
from typing import Any, TextIO

_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
# Patterns are compiled on first use: most runs have nothing to escape.
#: Start of a command to the runner of GitHub (``::error::``, ``##[error]``) or Azure (``##vso[…]``). The first kind
#: counts only at the beginning of a line, after optional spaces.
_COMMANDS = r"(?m)^( *):(?=:)|#(?=#\w*\[)"
#: C0 and C1 controls, direction marks, overrides and isolates, line and paragraph separators, lone surrogates.
_CONTROLS = "[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"


def visible(text: str) -> str:
    """Return a string on one line, with escapes such as ``\\x1b`` in invisible characters and CI commands."""
    return re.sub(_COMMANDS, _command, escape(text))


def escape(text: str) -> str:
    """Return a string with escapes for all non-printable characters."""
    return text if text.isprintable() else "".join(char if char.isprintable() else _escape(char) for char in text)


def printable_path(file: str) -> str:
    """Return the name of a file with undecodable bytes escaped, so that it can be printed."""
    return file.encode(errors="backslashreplace").decode()


def shorten(text: str, limit: int = 60) -> str:
    """Return a string as one line of at most `limit` characters, with an ellipsis if it is cut.

    Every whitespace character becomes a space.
    """
    line = escape(re.sub(r"\s", " ", text[: limit + 1]))
    return line if max(len(text), len(line)) <= limit else line[: limit - 1] + "…"


def _escape(char: str) -> str:
    code = ord(char)
    if code < 0x80:
        return _NAMED.get(char, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _command(match: re.Match[str]) -> str:
    return "\\x23" if match[0] == "#" else f"{match[1]}\\x3a"


class GuardedStream:
    """Text stream for a terminal: escapes control characters except newlines.

    Bytes written to its `buffer` are decoded as UTF-8 and escaped as well.

    Attributes:
        unguarded: the underlying stream, for colors and cursor movements of hexrec itself.
    """

    def __init__(self, stream: TextIO) -> None:
        self.unguarded = stream
        self.buffer = _GuardedBytes(self)

    def write(self, text: str) -> int:
        """Write a string with escapes; return the length of the string."""
        self.unguarded.write(re.sub(_CONTROLS, lambda found: _escape(found[0]), text))
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unguarded, name)


class _GuardedBytes(BufferedIOBase):
    def __init__(self, stream: GuardedStream) -> None:
        self._stream = stream
        self._decoder = getincrementaldecoder("utf-8")("surrogateescape")

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._stream.write(self._decoder.decode(bytes(data)))
        return len(data)

    def flush(self) -> None:
        if not self._stream.closed:  # Python 3.13 reports an error in the finalizer
            self._stream.flush()


def without_escaping(stream: TextIO) -> TextIO:
    """Return the stream without escaping, for a caller that escapes untrusted strings itself."""
    return stream.unguarded if isinstance(stream, GuardedStream) else stream
