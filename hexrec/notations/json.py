"""JSON: one record a file. The parser for one record's text serves JSON Lines too.

Text is parsed by the standard library's C scanner. Places are found by a scanner of our own, which runs only over
text that has been parsed, and only when a diagnostic needs a line and column.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import partial
from itertools import islice
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any, BinaryIO, NoReturn

from hexrec.diagnostics import shorten
from hexrec.limits import MAX_DEPTH, MAX_RECORD_BYTES, MAX_VALUES
from hexrec.notations import base
from hexrec.notations.base import LocatedText
from hexrec.notations.places import Places, Span
from hexrec.pointer import pointer_to

#: The standard library's messages, in words for those who do not write parsers.
_PLAINER = {
    "Expecting value": "a value is expected here",
    "Expecting ',' delimiter": "a comma or a closing bracket is expected here",
    "Expecting ':' delimiter": "a colon is expected here",
    "Expecting property name enclosed in double quotes": "the name of a field, in double quotes, is expected here",
    "Illegal trailing comma before end of object": "there should be no comma before a closing bracket",
    "Illegal trailing comma before end of array": "there should be no comma before a closing bracket",
    "Invalid control character at": "a text may not run over the end of its line, or hold a control character",
    "Invalid \\escape": "the character after this backslash makes no escape",
    "Invalid \\uXXXX escape": "four hexadecimal digits should follow \\u",
    "Extra data": "there is more text after the end of the record (JSON Lines, .jsonl, holds one record per line)",
}


class _DuplicateKey(ValueError):
    pass


class _BadNumber(ValueError):
    pass


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _DuplicateKey
    return made


def _float(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise _BadNumber(text)
    return value


def _constant(text: str) -> NoReturn:
    raise _BadNumber(text)


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_float=_float, parse_constant=_constant)


def parse(located: LocatedText) -> base.Document:
    """Return the document of one record's JSON text."""
    try:
        return base.Document(data=_parse(located), places=partial(find_places, located), text=located)
    except base.NotationError as bad:
        return base.Document(error=bad.diagnostic, text=located)


def _parse(located: LocatedText) -> Any:
    text = located.text
    if len(text) > MAX_VALUES:
        _check_values(located)
    if text.count("[") + text.count("{") > MAX_DEPTH:
        check_depth(located)
    try:
        data = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        raise _explain(error, located) from None
    except _DuplicateKey:
        path, span = _scan(located).duplicates[0]
        message = f'the field "{shorten(str(path[-1]))}" appears twice in this object: keep one'
        raise base.NotationError("syntax/duplicate-key", message, span, pointer_to(path)) from None
    except _BadNumber as error:
        raise _bad_number(next(each for each in _numbers(text) if each[0] == str(error)), located) from None
    except ValueError:  # more digits than Python turns into an integer
        whole = (number for number in _numbers(text) if not number["fraction"] and not number["power"])
        raise _bad_number(max(whole, key=lambda number: len(number[0])), located) from None
    if "\\ud" in text or "\\uD" in text:
        for span in _scan(located).half_pairs:
            raise base.NotationError("syntax/encoding", "half of a surrogate pair is not a character", span)
    return data


#: What may stand at the end of a text that was cut off within a word, a number or an escape.
_CUT = re.compile(r"-?|t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?|\.|[eE][+-]?")
_CUT_ESCAPE = re.compile(r"\\?u?[0-9a-fA-F]{0,4}")


def _explain(error: json.JSONDecodeError, located: LocatedText) -> base.NotationError:
    end = _CUT_ESCAPE if error.msg.startswith("Invalid \\uXXXX") else _CUT
    if end.fullmatch(located.text[error.pos :].rstrip()) or error.msg.startswith("Unterminated string"):
        what = "this text has no closing quote" if error.msg.startswith("Unterminated") else "the record ends here"
        return located.error("syntax/truncated", f"{what}: the rest of the record is missing", error.pos)
    message = _PLAINER.get(error.msg.removesuffix(" starting at"), error.msg)
    return located.error("syntax/json", f"not JSON: {message}", error.pos)


_TOKEN = re.compile(
    r'"(?:[^"\\]|\\.)*+"?'
    r"|(?P<number>NaN|-?Infinity|-?(?:0|[1-9][0-9]*)(?P<fraction>\.[0-9]+)?(?P<power>[eE][-+]?[0-9]+)?)"
)


def _numbers(text: str) -> Iterator[re.Match[str]]:
    """Yield the matches of all numbers, and of what Python takes for one, outside of texts."""
    return (match for match in _TOKEN.finditer(text) if match["number"])


def _bad_number(number: re.Match[str], located: LocatedText) -> base.NotationError:
    message = f"{shorten(number[0], 20)} is not a number that a record can hold: write a finite number"
    return located.error("syntax/number", message, *number.span())


_VALUE = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]|[^\s,:"\[\]{}]++')


def _check_values(located: LocatedText) -> None:
    excess = next(islice(_VALUE.finditer(located.text), MAX_VALUES, None), None)
    if excess is not None:
        raise located.error("syntax/too-large", base.TOO_MANY, *excess.span())


_BRACKETS = re.compile(r'"(?:[^"\\]|\\.)*+"?|[\[\]{}]')


def check_depth(located: LocatedText) -> None:
    """Raise NotationError if brackets in a text, which may be JSON, are nested deeper than they may be."""
    depth = 0
    for match in _BRACKETS.finditer(located.text):
        if match[0] in ("[", "{"):
            depth += 1
            if depth > MAX_DEPTH:
                raise located.error("syntax/too-deep", f"more than {MAX_DEPTH} levels of brackets", *match.span())
        elif match[0] in ("]", "}"):
            depth -= 1


def find_places(located: LocatedText, pointers: Iterable[str] | None = None) -> Places:
    """Return where the parts at some pointers are in a text that is JSON, or all parts."""
    places = Places(pointers)
    _scan(located, places)
    return places


class _Scan:
    """One pass over JSON that notes where things are. Text that is not JSON makes it raise ValueError or IndexError."""

    def __init__(self, located: LocatedText) -> None:
        self.text = located.text
        self.span = located.span
        #: The path of the first field that its object has already, and where it is.
        self.duplicates: list[tuple[list[int | str], Span]] = []
        #: Where the first text is that holds half of a surrogate pair.
        self.half_pairs: list[Span] = []
        self._path: list[int | str] = []

    _space = re.compile(r"[ \t\r\n]*")
    _scalar = re.compile(r"[^ \t\r\n,\]}]+")
    _half = re.compile("[\ud800-\udfff]")

    def skip(self, at: int) -> int:
        """Return the offset of the next character that is no blank."""
        match = self._space.match(self.text, at)
        return match.end() if match else at

    def value(self, at: int, places: Places | None) -> int:
        """Note where the value is that starts at an offset; return the offset after it."""
        start = self.text[at]
        if start == "{":
            end = self._object(at, places)
        elif start == "[":
            end = self._array(at, places)
        elif start == '"':
            _, end = self._string(at)
        else:
            match = self._scalar.match(self.text, at)
            if match is None:
                raise ValueError("not JSON")
            end = match.end()
        if places is not None:
            places.value = self.span(at, end)
        return end

    def _object(self, at: int, places: Places | None) -> int:
        at = self.skip(at + 1)
        names = set()
        while self.text[at] != "}":
            name, end = self._string(at)
            if name in names and not self.duplicates:
                self.duplicates.append(([*self._path, name], self.span(at, end)))
            names.add(name)
            part = places.part(name) if places is not None else None
            if part is not None:
                part.key = self.span(at, end)
            self._path.append(name)
            at = self.skip(self.value(self.skip(self.skip(end) + 1), part))
            self._path.pop()
            if self.text[at] == ",":
                at = self.skip(at + 1)
        return at + 1

    def _array(self, at: int, places: Places | None) -> int:
        at = self.skip(at + 1)
        index = 0
        wanted = places if places is not None and places.has_room else None
        while self.text[at] != "]":
            self._path.append(index)
            at = self.skip(self.value(at, wanted.part(str(index)) if wanted is not None else None))
            self._path.pop()
            index += 1
            if self.text[at] == ",":
                at = self.skip(at + 1)
        return at + 1

    def _string(self, at: int) -> tuple[str, int]:
        string, end = scanstring(self.text, at + 1, True)
        if not self.half_pairs and self._half.search(string):
            self.half_pairs.append(self.span(at, end))
        return string, end


def _scan(located: LocatedText, places: Places | None = None) -> _Scan:
    """Scan a text that is JSON, or at least is as far as what is looked for."""
    scan = _Scan(located)
    with suppress(ValueError, IndexError):
        scan.value(scan.skip(0), places)
    return scan


def is_lines(head: bytes) -> bool:
    """Return whether a file that begins so is JSON Lines: a value fills a line, or the next line begins another."""
    if not head.startswith((b"{", b"[")):
        return False
    first_line, _, next_line = head.partition(b"\n")
    try:
        json.loads(first_line)
    except (ValueError, RecursionError):
        return next_line.lstrip().startswith(b"{")
    return True


def pieces(stream: BinaryIO) -> Iterator[base.Piece]:
    """Yield what is read of a JSON file as one piece with its one document."""
    raw = stream.read(len(base.BYTE_ORDER_MARK) + MAX_RECORD_BYTES + 1)
    yield base.Piece(raw, (_document(raw.removeprefix(base.BYTE_ORDER_MARK)),))


def _document(raw: bytes) -> base.Document:
    if base.is_binary(raw):
        return base.BINARY
    if not raw.strip():
        return base.EMPTY
    return base.too_large(1) if len(raw) > MAX_RECORD_BYTES else base.decoded(parse, raw)


def write(records: Iterable[dict[str, Any]], _: base.OnLoss = base.refuse, /) -> Iterator[str]:
    """Yield the text of one record. Raises TogetherError if there are more: a JSON file holds one."""
    first_two = list(islice(records, 2))
    if len(first_two) > 1:
        raise base.TogetherError("a JSON file holds one record: write several as JSON Lines or YAML")
    for record in first_two:
        yield json.dumps(record, ensure_ascii=False, indent=2) + "\n"


def _recognises(head: bytes) -> bool:
    return head.startswith((b"{", b"[")) and not is_lines(head)


NOTATION = base.Notation("json", "JSON", base.reading(pieces), write, _recognises)
