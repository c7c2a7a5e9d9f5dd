"""Text of files, with the lines and columns of its parts."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_right
from functools import cached_property
from itertools import chain

from hexrec.errors import Error
from hexrec.formats.places import Span
from hexrec.util.diagnostics import Diagnostic, Excerpt
from hexrec.util.limits import MAX_VALUES

#: Message for a record with too many values.
TOO_MANY = f"a record of more than {MAX_VALUES:,} values and brackets: not read"
#: Maximum length of an excerpt in characters, and how many precede the place in a longer line.
_EXCERPT = 100
_BEFORE = 40
_LINE_END = re.compile("\n")
#: A string in a file, alone, in quotes or as a block scalar of YAML, from the start to a character and from there on.
_WRITTEN = r"""(?:^(?:[|>].*\n\s*)?|["']){}(?P<character>){}(?:\s*$|["'])"""
#: Whitespace of a string in a pattern for it, as `re.escape` writes it.
_WHITESPACE = r"(?:\\[ \t\n\r\v\f]|[^\S \t\n\r\v\f])+"
#: Maximum length, in characters, of a string in which a character is located.
_LONG = 10_000


class FormatError(Error):
    """Text that is not well formed.

    Attributes:
        error: the diagnostic, with its place.
        text: the text, if bytes were decoded.
    """

    def __init__(
        self, code: str, message: str, span: Span, text: LocatedText | None = None, pointer: str | None = None
    ) -> None:
        super().__init__(message)
        self.error = Diagnostic(code, message, pointer=pointer, **span._asdict())
        self.text = text


class LocatedText:
    """Text of a file, which maps offsets to lines and columns of the file and back.

    Lines are counted only when a place is requested.

    Attributes:
        text: the text.
        first_line, first_column: the place in the file at which the text begins.
    """

    def __init__(self, text: str, first_line: int = 1, first_column: int = 1) -> None:
        self.text = text
        self.first_line = first_line
        self.first_column = first_column

    def span(self, start: int, end: int) -> Span:
        """Return the place of the characters from `start` up to `end`."""
        return Span(*self._place(start), *self._place(end))

    def error(
        self, code: str, message: str, start: int, end: int | None = None, pointer: str | None = None
    ) -> FormatError:
        """Return an error for the characters from `start` up to `end`, or for the one at `start`."""
        return FormatError(code, message, self.span(start, start + 1 if end is None else end), self, pointer)

    def warning(self, code: str, message: str, start: int, end: int) -> Diagnostic:
        """Return a warning for the characters from `start` up to `end`."""
        return Diagnostic(code, message, "warning", **self.span(start, end)._asdict())

    def check_count(self, token: re.Pattern[str], at: int, limit: int) -> None:
        """Raise FormatError if more than `limit` tokens follow an offset, each at the end of the previous one.

        Counting tokens is faster than reading them, and takes no memory.
        """
        if len(self.text) - at <= limit:
            return
        match_at = token.match  # searching would take quadratic time in text without tokens
        for _ in range(limit):
            match = match_at(self.text, at)
            if match is None:
                return
            at = match.end()
        if match_at(self.text, at):
            raise self.error("syntax/too-large", TOO_MANY, at)

    def excerpt(self, line: int, column: int) -> Excerpt:
        """Return a line, or the part of a long line around a column."""
        start = self._start_of(line)
        end = self.text.find("\n", start)
        end = len(self.text) if end < 0 else end
        if self.text.endswith("\r", start, end):
            end -= 1
        before = 0 if start else self.first_column - 1
        first = max(start, min(start + column - before - 1 - _BEFORE, end - _EXCERPT))
        last = min(first + _EXCERPT, end)
        return Excerpt(self.text[first:last], first - start + before + 1, last < end)

    def within(self, span: Span, value: str, index: int) -> Span:
        """Return the place of a character of a value that is written at `span`, or `span` if it is not found.

        If `index` is the length of the value, return the place just past its last character. The text at `span` is the
        value, or JSON that contains it once.
        """
        if len(value) > _LONG:
            return span
        # Slashes may be escaped in JSON.
        before, after = (
            re.sub(_WHITESPACE, _any_whitespace, re.escape(part)) for part in (value[:index], value[index:])
        )
        pattern = _WRITTEN.format(before, after).replace("/", r"\\?/")
        matches = [*re.finditer(pattern, self.read(span))]
        if len(matches) != 1:
            return span
        start = self.offset(span.line, span.column) + matches[0].start("character")
        return self.span(start, start + 1)

    def read(self, span: Span) -> str:
        """Return the text at `span`."""
        return self.text[self.offset(span.line, span.column) : self.offset(span.end_line, span.end_column)]

    @cached_property
    def _starts(self) -> array[int]:
        """Offsets at which the lines begin: four bytes each, since a text may consist of newlines."""
        return array("I", chain((0,), (match.end() for match in _LINE_END.finditer(self.text))))

    def _start_of(self, line: int) -> int:
        """Return the offset in the text at which a line of the file begins."""
        return self._starts[line - self.first_line]

    def offset(self, line: int, column: int) -> int:
        """Return the offset in the text of a place in the file."""
        return self._start_of(line) + column - (1 if line > self.first_line else self.first_column)

    def _place(self, offset: int) -> tuple[int, int]:
        line = bisect_right(self._starts, offset) - 1
        return line + self.first_line, offset - self._starts[line] + (1 if line else self.first_column)


def _any_whitespace(match: re.Match[str]) -> str:
    """Return the pattern for whitespace of a string: in YAML, a space may be a newline.

    With a pattern for each of many spaces, the search would take exponential time.
    """
    count = len(match[0].replace("\\", ""))
    return rf"\s{{{count},}}" if " " in match[0] else match[0]


def decode(raw: bytes, line: int = 1, column: int = 1) -> LocatedText:
    """Decode bytes as UTF-8. Raises FormatError at the first malformed byte."""
    try:
        return LocatedText(raw.decode("utf-8"), line, column)
    except UnicodeDecodeError as error:
        if is_utf16(raw):
            raise utf16_error(line, column) from None
        text = LocatedText(raw.decode(errors="replace"), line, column)
        message = f"byte 0x{raw[error.start]:02x} is not UTF-8 text: save the file as UTF-8"
        raise text.error("syntax/encoding", message, len(raw[: error.start].decode("utf-8"))) from None


def utf16_error(line: int, column: int) -> FormatError:
    """Return the error for UTF-16 text that begins at a line and column."""
    span = Span(line, column, line, column + 1)
    return FormatError("syntax/encoding", "this is UTF-16 text: save it as UTF-8", span)


def is_utf16(head: bytes) -> bool:
    """Return whether a file begins with the byte-order mark of UTF-16."""
    return head.startswith((b"\xff\xfe", b"\xfe\xff"))
