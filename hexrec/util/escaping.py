"""Texts that others wrote, fit to be shown to people: file names, what records and parsers say, arguments.

No character of theirs moves a cursor, changes the direction of reading, ends a line or is invisible, and none of their
lines is a command to the CI service that reads the log. `visible` is the one function that sees to that. Data, such as
records and rows, are left as they are, but on a terminal, where they go through a `GuardedStream`.
"""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from io import BufferedIOBase
from typing import Any, TextIO

_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
# Expressions are compiled when they are first used: most runs of the program have nothing to escape.
#: How commands to the runners of GitHub (``::error::``, ``##[error]``) and Azure (``##vso[…]``) begin; the first kind
#: counts at the beginning of a line only, after blanks too.
_COMMANDS = r"(?m)^( *):(?=:)|#(?=#\w*\[)"
#: What acts on a terminal or on the order of reading: C0 and C1 controls, marks, overrides and isolates of direction,
#: separators of lines and paragraphs, halves of surrogate pairs.
_CONTROLS = "[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"


def visible(text: str) -> str:
    """Return a text on one line, every character of which can be seen: others as escapes such as ``\\x1b``, ``\\n``.

    What a CI service would take for a command begins with an escape too. Everything else stays as it is.
    """
    return re.sub(_COMMANDS, _command, escaped(text))


def escaped(text: str) -> str:
    """Return a text with escapes for the characters that cannot be seen, blanks excepted."""
    return text if text.isprintable() else "".join(char if char.isprintable() else _escape(char) for char in text)


def shorten(text: str, limit: int = 60) -> str:
    """Return `text` fit for a message: one line, at most `limit` characters, with an ellipsis for the rest.

    Tabs and line ends become blanks.
    """
    line = escaped(re.sub(r"\s", " ", text[: limit + 1]))
    return line if max(len(text), len(line)) <= limit else line[: limit - 1] + "…"


def _escape(char: str) -> str:
    code = ord(char)
    if code < 0x80:
        return _NAMED.get(char, f"\\x{code:02x}")
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _command(found: re.Match[str]) -> str:
    return "\\x23" if found[0] == "#" else f"{found[1]}\\x3a"


class GuardedStream:
    """A text stream that is read by people: what acts on a terminal is escaped, line feeds excepted.

    Bytes written to its `buffer` are taken for UTF-8 and treated alike.

    Attributes:
        unguarded: the stream below it, for what hexrec draws with colors and cursor movements.
    """

    def __init__(self, stream: TextIO) -> None:
        self.unguarded = stream
        self.buffer = _GuardedBytes(self)

    def write(self, text: str) -> int:
        """Write a text; return its length."""
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
        if not self._stream.closed:  # as it may be when this goes, which Python 3.13 reports
            self._stream.flush()


def unguarded(stream: TextIO) -> TextIO:
    """Return the stream below one that escapes, for a caller that has escaped what others wrote; else the same."""
    return stream.unguarded if isinstance(stream, GuardedStream) else stream
