"""JSON: one record per file, and JSON Lines: one record per line, with blank lines allowed between records.

The standard library parses the text. A second scanner finds places, only in text that has been parsed, and only when
a diagnostic needs a line and column.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from io import BufferedReader
from itertools import islice
from typing import Any, BinaryIO

from hexrec.errors import reason_of
from hexrec.formats import base
from hexrec.formats.located_text import TOO_MANY, LocatedText, is_utf16
from hexrec.formats.places import ParseEvent, Places, find_places
from hexrec.util.diagnostics import pointer_to, shorten
from hexrec.util.limits import MAX_DEPTH, MAX_RECORD_BYTES, MAX_VALUES
from hexrec.util.strict_json import DECODER, BadNumber, DuplicateKey

#: The number of bytes of the first line, after a byte-order mark, that decide whether a file is text.
TEXT_HEAD = 8192
#: The number of bytes that are read at a time.
_BLOCK = 1 << 19
#: The characters between values.
_BLANK = " \t\r\n"

#: Messages of the standard library, and plainer ones for users.
_PLAINER = {
    "Expecting value": "a value is expected here",
    "Expecting ',' delimiter": "a comma or a closing bracket is expected here",
    "Expecting ':' delimiter": "a colon is expected here",
    "Expecting property name enclosed in double quotes": "the name of a field, in double quotes, is expected here",
    "Illegal trailing comma before end of object": "there should be no comma before a closing bracket",
    "Illegal trailing comma before end of array": "there should be no comma before a closing bracket",
    "Invalid control character at": "a string may not contain a newline or another control character",
    "Invalid \\escape": "this backslash begins no escape: for a backslash, write two",
    "Invalid \\uXXXX escape": "four hexadecimal digits should follow \\u",
    "Extra data": "there is more text after the end of the record (JSON Lines, .jsonl, has one record per line)",
}


class RecordDocument(base.Document):
    """The document of a clean record: its bytes are decoded on demand."""

    syntax = "json"
    raw: bytes
    line: int
    column: int

    def __init__(self, raw: bytes, line: int, column: int) -> None:
        self.__dict__.update(raw=raw, line=line, column=column)

    @cached_property
    def text(self) -> LocatedText:
        """See `Document`."""
        return LocatedText(self.raw.decode(), self.line, self.column)

    @cached_property
    def data(self) -> Any:
        """See `Document`."""
        return DECODER.decode(self.text.text)

    def places(self, pointers: Iterable[str] | None = None, /) -> Places:
        """See `Document`."""
        return _places(self.text, pointers)


def parse_bytes(raw: bytes, line: int = 1, column: int = 1) -> base.Document:
    """Return the document of one record, given its bytes and the line and column at which they begin."""
    try:
        located = base.decode(raw, line, column)
        return base.Document(data=parse(located), places=partial(_places, located), text=located, syntax="json")
    except Exception as error:
        return base.document_of_error(error, line, column)


def parse(located: LocatedText) -> Any:
    """Return the data of a text in JSON. Raises FormatError."""
    text = located.text
    if len(text) > MAX_VALUES:
        _check_values(located)
    if text.count("[") + text.count("{") > MAX_DEPTH:
        _check_depth(located)
    try:
        data = DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise _explain(error, located) from None
    except DuplicateKey:
        raise _duplicate(located) from None
    except BadNumber as error:
        number = next(match for match in _numbers(text) if match[0] == str(error))
        raise _bad_number(number, "is not a number that a record can have: write a finite number", located) from None
    except ValueError:  # more digits than Python turns into an integer
        whole = (number for number in _numbers(text) if not number["fraction"] and not number["power"])
        number = max(whole, key=lambda number: len(number[0]))
        raise _bad_number(number, "is too large a number: if it is a string, put it in quotes", located) from None
    if "\\ud" in text or "\\uD" in text:
        _check_characters(located)
    return data


#: End of a text that was truncated within a word, a number or an escape.
_CUT = r"-?|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?|\.|[eE][+-]?"
_CUT_ESCAPE = r"\\?u?[0-9a-fA-F]{0,4}"


def _explain(error: json.JSONDecodeError, located: LocatedText) -> base.FormatError:
    end = _CUT_ESCAPE if error.msg.startswith("Invalid \\uXXXX") else _CUT
    if re.fullmatch(end, located.text[error.pos :].rstrip()) or error.msg.startswith("Unterminated string"):
        problem = "this string has no closing quote" if error.msg.startswith("Unterminated") else "the record ends here"
        if (opened := _unclosed(located.text)) and not error.msg.startswith("Unterminated"):
            problem = f"{base.name_bracket(located.text, opened[0])} is not closed"
        return located.error("syntax/truncated", f"{problem}: the rest of the record is missing", error.pos)
    message = _explain_character(located.text, error.pos) or _PLAINER.get(error.msg, "this is malformed")
    return located.error("syntax/json", f"not JSON: {message}", error.pos)


#: Words of other languages for values in JSON.
_WORDS = {"true": "true", "false": "false", "null": "null", "none": "null", "nil": "null", "undefined": "null"}


def _explain_character(text: str, at: int) -> str | None:
    """Return the message about a usual mistake at an offset where JSON does not continue, or None."""
    # Depending on the version of Python, the error is at the comma or behind it.
    after_comma = text[:at].rstrip().endswith(",") or text[at : at + 1] == ","
    rest = text[at:].lstrip(", \t\r\n") if after_comma else text[at:]
    if after_comma and rest[:1] in ("]", "}"):
        return f"a comma before {rest[0]} is not allowed: remove it"
    if rest.startswith(("//", "/*", "#")):
        return "there are no comments in JSON: remove it, or write YAML"
    if rest.startswith(("'", "\u2018", "\u201c", "\u201d")):
        return 'names and strings are in double quotes: "like this"'
    word = re.match(r"[A-Za-z]+", rest)
    if word and (value := _WORDS.get(word[0].lower())):
        return f"write {value} for {word[0]}"
    opened = _unclosed(text[:at])
    if text[at : at + 1] in ("]", "}") and opened and opened[1] + text[at] not in ("[]", "{}"):
        return (
            f"{text[at]} does not close {base.name_bracket(text, opened[0])}: write {']' if opened[1] == '[' else '}'}"
        )
    return None


def _unclosed(text: str) -> tuple[int, str] | None:
    """Return the offset of the last bracket that is not closed, and the bracket; None without any."""
    opened: list[tuple[int, str]] = []
    for token in _TOKEN.finditer(text):
        if token[0] in ("[", "{"):
            opened.append((token.start(), token[0]))
        elif token[0] in ("]", "}") and opened:
            opened.pop()
    return opened[-1] if opened else None


#: Start of an object, up to its first key.
_FIRST_NAME = re.compile(rb'\{\s*"[^"\\]*"')
#: A string, a bracket, or another token between whitespace, commas and colons.
_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]|[^\s,:"\[\]{}]++')
_NUMBER = r"NaN|-?Infinity|-?(?:0|[1-9][0-9]*)(?P<fraction>\.[0-9]+)?(?P<power>[eE][-+]?[0-9]+)?"
_HALF_PAIR = "[\ud800-\udfff]"


def _numbers(text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of all numbers outside of strings, and of words that Python reads as numbers."""
    number = re.compile(_NUMBER)
    return filter(None, (number.match(text, token.start()) for token in _TOKEN.finditer(text)))


def _bad_number(number: re.Match[str], why: str, located: LocatedText) -> base.FormatError:
    return located.error("syntax/number", f"{shorten(number[0], 20)} {why}", *number.span())


def _check_values(located: LocatedText) -> None:
    excess = next(islice(_TOKEN.finditer(located.text), MAX_VALUES, None), None)
    if excess is not None:
        raise located.error("syntax/too-large", TOO_MANY, *excess.span())


def _check_depth(located: LocatedText) -> None:
    """Raise FormatError if brackets are nested deeper than `MAX_DEPTH`, in text that need not be JSON."""
    depth = 0
    for token in _TOKEN.finditer(located.text):
        if token[0] in ("[", "{"):
            depth += 1
            if depth > MAX_DEPTH:
                raise located.error("syntax/too-deep", f"more than {MAX_DEPTH} levels of brackets", *token.span())
        elif token[0] in ("]", "}"):
            depth -= 1


def _check_characters(located: LocatedText) -> None:
    for token in _TOKEN.finditer(located.text):
        if "\\u" in token[0] and re.search(_HALF_PAIR, json.loads(token[0])):
            message = "half of a surrogate pair is not a character: write both halves"
            raise located.error("syntax/encoding", message, *token.span())


def _duplicate(located: LocatedText) -> base.FormatError:
    """Return the error for the first duplicate key of an object."""
    events = parse_events(located.text)

    def duplicates(event: ParseEvent, path: list[int | str]) -> Iterator[tuple[list[int | str], ParseEvent]]:
        names = set()
        index = 0
        while event.bracket in ("{", "[") and (part := next(events)).bracket not in ("}", "]"):
            if event.bracket == "[":
                yield from duplicates(part, [*path, index])
                index += 1
                continue
            here = [*path, part.name]
            if part.name in names:
                yield here, part
            names.add(part.name)
            yield from duplicates(next(events), here)

    path, key = next(duplicates(next(events), []))
    message = f'the field "{shorten(key.name)}" appears twice in this object: keep one'
    return located.error("syntax/duplicate-key", message, key.start, key.end, pointer_to(path))


def parse_events(text: str, begins: int = 0) -> Iterator[ParseEvent]:
    """Yield the brackets and scalars of a text from an offset on; it must be JSON up to the last consumed event."""
    for match in _TOKEN.finditer(text, begins):
        token = match[0]
        if token[0] == '"':
            yield ParseEvent("", *match.span(), json.loads(token) if "\\" in token else token[1:-1], '"')
        else:
            yield ParseEvent(token if token in "[]{}" else "", *match.span())


def _places(located: LocatedText, pointers: Iterable[str] | None = None) -> Places:
    wanted = None if pointers is None else [*pointers]
    if wanted is None or any(wanted):
        return find_places(parse_events(located.text), located.span, wanted)
    # Only the whole value: there is no need to look for its parts.
    text, places = located.text, Places(wanted)
    places.value = located.span(len(text) - len(text.lstrip(_BLANK)), len(text.rstrip(_BLANK)))
    return places


def is_lines(head: bytes) -> bool:
    """Return whether `head` begins a JSON Lines file: a value fills a line, or the next line begins another value.

    An array is JSON if it fills the only line or continues on the next.
    """
    if not head.startswith((b"{", b"[")):
        return False
    first_line, _, next_line = head.partition(b"\n")
    if _is_json(first_line):
        return head.startswith(b"{") or bool(next_line.strip())
    following = next_line.lstrip().partition(b"\n")[0]
    return head.startswith(b"{") and following.startswith(b"{") and not _goes_on(first_line, following)


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except (ValueError, RecursionError):
        return False
    return True


def _goes_on(line: bytes, following: bytes) -> bool:
    """Return whether an object or array continues from one line of JSON on the following line."""
    if not line.rstrip().endswith((b":", b",", b"[")):
        return False
    begins = _FIRST_NAME.match(following)
    if begins and line.lstrip().startswith(begins[0]):
        return False  # a truncated record, followed by another
    return not _is_json(following)


def record_pieces(stream: BinaryIO) -> Iterator[base.Piece]:
    """Yield a file with one record as one piece."""
    raw = stream.read(len(base.BYTE_ORDER_MARK) + MAX_RECORD_BYTES + 1)
    content = raw.removeprefix(base.BYTE_ORDER_MARK)
    if base.is_binary(content):
        document = base.BINARY
    elif not content.strip(base.WHITESPACE):
        document = base.EMPTY
    else:
        document = base.too_large(1) if len(content) > MAX_RECORD_BYTES else parse_bytes(content)
    yield base.Piece(raw, (document,))


def write(records: Iterable[dict[str, Any]], _: base.OnLoss = base.refuse, /) -> Iterator[str]:
    """Yield the JSON of one record. Raises TogetherError for several records."""
    first_two = list(islice(records, 2))
    if len(first_two) > 1:
        raise base.TogetherError("hexrec writes one record to a JSON file: write several as JSON Lines or YAML")
    for record in first_two:
        yield json.dumps(record, ensure_ascii=False, indent=2) + "\n"


def line_pieces(stream: BinaryIO, line: int = 1) -> Iterator[base.Piece]:
    """Yield the lines of a stream unchanged, each with its document, if it has one; the first is `line` of its file.

    A line above the size limit is several pieces; consecutive blank lines are one. Reading stops if the first line of
    the file is binary data.
    """
    has_documents = False
    number = line
    raw_lines = base.lines(stream)
    for raw in raw_lines:
        content = raw
        if number == 1:
            content = raw.removeprefix(base.BYTE_ORDER_MARK)
            if base.is_binary(content[:TEXT_HEAD]):
                yield base.Piece(raw, (base.BINARY,))
                return
            if is_utf16(content):
                yield base.Piece(raw, (parse_bytes(content),))
                return
        content = content.removesuffix(b"\n").removesuffix(b"\r")
        if len(content) > MAX_RECORD_BYTES:
            has_documents = True
            yield base.Piece(raw, (base.too_large(number),))
            while not raw.endswith(b"\n") and (raw := next(raw_lines, b"")):
                yield base.Piece(raw)
        elif content.strip(base.WHITESPACE):
            has_documents = True
            yield base.Piece(raw, (parse_bytes(content, number),))
        else:
            yield base.Piece(raw)
        number += raw.count(b"\n")
    if not has_documents:
        yield base.Piece(b"", (base.EMPTY,))


def read_lines(stream: BufferedReader, size: int, head: bytes = b"") -> tuple[bytes, str | None]:
    """Return the next complete lines of a stream, at least `size` bytes unless the stream ends.

    The lines begin with `head`, which was read before. A line beyond the limit for records is cut after the limit. The
    second value is the reason if the stream cannot be read further.
    """
    taken, count = [head], len(head)
    try:
        while count < size and (part := stream.read1(min(size - count, _BLOCK))):
            taken.append(part)
            count += len(part)
        if not taken[-1].endswith(b"\n"):
            taken.append(stream.readline(MAX_RECORD_BYTES + base.LINE_MARGIN))
        data = b"".join(taken)
        if len(data) - data.rfind(b"\n") - 1 > MAX_RECORD_BYTES:
            data += b"\n"
            while (part := stream.readline(MAX_RECORD_BYTES)) and not part.endswith(b"\n"):
                pass
    except OSError as error:
        data = b"".join(taken)
        return data[: data.rfind(b"\n") + 1], reason_of(error)
    return data, None


def is_text(head: bytes) -> bool:
    """Return whether a JSON Lines file with this beginning is text."""
    first = head.removeprefix(base.BYTE_ORDER_MARK).partition(b"\n")[0]
    return not base.is_binary(first[:TEXT_HEAD]) and not is_utf16(first)


#: One encoder for all lines: `json.dumps` makes one for each.
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def write_lines(records: Iterable[dict[str, Any]], _: base.OnLoss = base.refuse, /) -> Iterator[str]:
    """Yield one line per record."""
    for record in records:
        yield _encode(record) + "\n"


LINES_FORMAT = base.Format("jsonl", "JSON Lines", base.reading(line_pieces), write_lines, is_lines, pieces=line_pieces)
