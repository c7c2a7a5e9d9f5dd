"""YAML: any number of records per file, one per document.

Documents are built from the events of PyYAML's C parser, not by its constructors. Plain scalars have their meaning in
JSON (`null`, `true`, `false`, numbers) and are strings otherwise, such as `no`, `2026-01-02`, `12:30` and `017`.
YAML readers disagree on `1e5`: it is a number in numeric fields and a string elsewhere. `~` and an empty value are
null. Aliases and tags other than `!!str` are errors.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Any, BinaryIO

import yaml
from yaml.events import (
    AliasEvent,
    DocumentEndEvent,
    DocumentStartEvent,
    Event,
    MappingEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)
from yaml.reader import ReaderError
from yaml.scanner import ScannerError

from hexrec.formats import base
from hexrec.formats.located_text import TOO_MANY, LocatedText
from hexrec.formats.places import ParseEvent, Places, Span, find_places
from hexrec.record.game_shapes import number_fields
from hexrec.util.diagnostics import shorten
from hexrec.util.limits import MAX_DEPTH, MAX_DIRECTIVES, MAX_VALUES


class _PythonLoader(yaml.Loader):
    """The slower parser in Python, the only one in browsers. It accepts the same documents as the compiled one."""

    def scan_to_next_token(self) -> None:
        """Skip whitespace and comments: also the tabs that do not indent."""
        super().scan_to_next_token()
        while self.peek() == "\t" and (self.flow_level or not self.allow_simple_key):
            self.forward()
            super().scan_to_next_token()

    def scan_directive_name(self, start_mark: Any) -> str:
        """Return the name of a directive. Raises ScannerError for one that is unknown."""
        name: str = super().scan_directive_name(start_mark)  # type: ignore[no-untyped-call]
        if name not in ("YAML", "TAG"):
            raise ScannerError(None, None, "found unknown directive name", self.get_mark())
        return name

    def scan_flow_scalar(self, style: str) -> Any:
        """Return the token of a quoted string. Raises ScannerError also for escapes that are not characters."""
        start = self.get_mark()
        try:
            token = super().scan_flow_scalar(style)
            token.value.encode()
        except (OverflowError, ValueError) as error:
            at = self.get_mark()
            if isinstance(error, UnicodeEncodeError) and (escape := _SURROGATE.search(self.buffer, start.index)):
                at = yaml.Mark("", escape.end(), 0, 0, None, 0)
            raise ScannerError(None, None, "invalid Unicode character escape code", at) from None
        return token

    def scan_plain(self) -> Any:
        """Return the token of a plain string, which may have tabs, and in brackets also question marks."""
        self.peek = self._peek_in_plain  # type: ignore[method-assign]
        try:
            token = super().scan_plain()
        finally:
            del self.peek
        if self.flow_level and self.peek() == ":" and self.peek(1) in ",?[]{}":
            raise ScannerError(None, None, "found unexpected ':'", self.get_mark())
        return token

    def _peek_in_plain(self, index: int = 0) -> str:
        """Return the next character of a plain string, or another one that is treated as this one should be."""
        char: str = super().peek(index)
        if char == "\t" and not index and self.column <= self.indent:
            raise ScannerError(None, None, "found a tab character that violates indentation", self.get_mark())
        if char == "?":
            return "," if index and super().peek(index - 1) == ":" else "x"
        return " " if char == "\t" else char

    def scan_block_scalar_indentation(self) -> Any:
        """Scan the indentation of a block string. Raises ScannerError for tabs."""
        scanned = super().scan_block_scalar_indentation()
        self._refuse_tab()
        return scanned

    def scan_block_scalar_breaks(self, indent: int) -> Any:
        """Scan the indentation of the next line of a block string. Raises ScannerError for tabs."""
        scanned = super().scan_block_scalar_breaks(indent)
        if self.column < indent:
            self._refuse_tab()
        return scanned

    def _refuse_tab(self) -> None:
        if self.peek() == "\t":
            problem = "found a tab character where an indentation space is expected"
            raise ScannerError(None, None, problem, self.get_mark())


_LOADER, _DUMPER = (yaml.CLoader, yaml.CSafeDumper) if yaml.__with_libyaml__ else (_PythonLoader, yaml.SafeDumper)
#: Tags accepted on strings.
_TEXT_TAGS = (None, "!", "tag:yaml.org,2002:str")
_WORDS: dict[str, object] = {"": None, "~": None, "null": None, "true": True, "false": False}
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]*)")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)\.[0-9]+(?:[eE][-+]?[0-9]+)?")
_DISPUTED = re.compile(r"-?(?:0|[1-9][0-9]*)[eE][-+]?[0-9]+")
#: Characters that are newlines in YAML 1.1 but not in YAML 1.2, with their escapes in double quotes.
ESCAPED_BREAKS = {"\x85": "\\N", "\u2028": "\\L", "\u2029": "\\P"}
_DISPUTED_BREAK = re.compile(f"[{''.join(ESCAPED_BREAKS)}]")
#: Characters for private use.
_PRIVATE = range(0xE000, 0xF900)
_PRIVATE_ESCAPE = r"\\(?:u|U0000)([eEfF][0-9a-fA-F]{3})"
#: Two escapes of a character, as JSON has them, after an even number of backslashes.
_PAIR = r"(?<!\\)((?:\\\\)*)\\(u[dD][89abAB][0-9a-fA-F]{2})\\(u[dD][c-fC-F][0-9a-fA-F]{2})"
#: The beginning of the escape of a surrogate, up to its digits.
_SURROGATE = re.compile(r"(?<!\\)(?:\\\\)*\\[uU](?=(?:0000)?[dD][89abcdefABCDEF])")
_BRACKETS = {MappingStartEvent: "{", MappingEndEvent: "}", SequenceStartEvent: "[", SequenceEndEvent: "]"}
#: Lines that start and end a document, even inside a string of several lines.
_START = re.compile(rb"---(?:[ \t\r\n]|$)")
_END = re.compile(rb"\.\.\.(?:[ \t\r\n]|$)")
_MARK_CHARACTER = "\ufeff"
#: Byte-order marks after the last document.
_LAST_MARKS = re.compile(rf"(?<=[\r\n]){_MARK_CHARACTER}+(?=\s*\Z)")
#: A byte-order mark at the start of a line, and a line that is neither blank nor a comment.
_MARK = re.compile(rb"[\r\n]%b" % base.BYTE_ORDER_MARK)
_CONTENT = re.compile(rb"(?:\A|[\r\n])[ \t]*+[^ \t\r\n#]")
_DIRECTIVE = re.compile("(?:^|[\n\r])%TAG")
#: Words in the messages of both parsers, and sentences for users: the first that applies.
_PLAINER = (
    ("mapping keys", "a question mark is not allowed here: put the string in quotes"),
    ("sequence entries", "a hyphen is not allowed here: begin the item on a line of its own"),
    ("',' or", "a comma or a closing bracket is expected here"),
    ("node content", "a value is expected here"),
    ("':'", "a colon is expected here, after the name of a field"),
    ("document start", "there is more text after the end of the document: begin another with a line ---"),
    ("unexpected document", "the document ends within a string: close its quote"),
    ("unknown escape", "this backslash begins no escape: for a backslash, write two"),
    ("decimal number", "hexadecimal digits should follow this escape"),
    ("Unicode character", "this escape is not a character: write the character itself"),
    ("alphabetic", "& and * begin an anchor and an alias: put the string in quotes"),
    ("comment or", "only a comment may follow | and > on their line: begin the string on the next"),
    ("indentation ind", "only a comment may follow | and > on their line: begin the string on the next"),
    ("tag handle", "this tag is unknown: remove it"),
    ("directive", "this directive is unknown or appears twice: remove the line"),
    ("incompatible", "this version of YAML is unknown: remove the line"),
    ("", "this is neither a field nor part of the value before it: check the indentation, quotes and brackets"),
)
_NO_CONTENT = re.compile(rb"(?:[ \t\r\n]*+(?:#.*)?|%.*)\n?")


def pieces(stream: BinaryIO) -> Iterator[base.Piece]:
    """Cut a stream where documents start and end."""
    has_content = ended = False

    def begins_document(line: bytes, at_start: bool) -> bool:
        nonlocal has_content, ended
        starts = at_start and _START.match(line.removeprefix(base.BYTE_ORDER_MARK)) is not None
        begins = ended or (starts and has_content)
        has_content = starts or has_content or not _NO_CONTENT.fullmatch(line)
        ended = at_start and has_content and _END.match(line) is not None
        has_content = has_content and not ended
        return begins

    return base.cut_records(stream, begins_document, documents_of)


def documents_of(raw: bytes, first_line: int, _: int) -> Iterator[base.Document]:
    """Yield the documents of a part of a stream that starts at a line. Raises FormatError."""
    start = _skip_marks(raw)
    base.decode(raw[:start], first_line)
    text = base.decode(raw[start:], first_line + raw.count(b"\n", 0, start))
    _check_text(text)
    first: Any = None
    builder = _Builder(text)
    begins = count = 0  # reset by the event that starts a document
    for event in _read_events(text):
        kind = type(event)
        if kind is DocumentStartEvent:
            first = None
            # A document without a line that starts it may be indented as a whole: it begins with its first line.
            begins, count = event.start_mark.index - event.start_mark.column, 0
            builder = _Builder(text)
        elif kind is DocumentEndEvent:
            if count == 1 and isinstance(first, ScalarEvent) and not first.value and first.implicit[0]:
                line = text.span(*_offsets(first)).line
                message = "this document is empty: it should be a record"
                raise base.FormatError(base.EMPTY_CODE, message, Span(line, 1, line, 2), text)
            ends = event.end_mark.index
            finder = partial(_places, text, begins, ends)
            yield base.Document(data=builder.root, places=finder, text=text, syntax="yaml")
            count = 0
        else:
            if count == MAX_VALUES:
                raise text.error("syntax/too-large", TOO_MANY, *_offsets(event))
            first = first or event
            count += 1
            builder.add(event)


def _skip_marks(raw: bytes) -> int:
    """Return the offset after the byte-order marks before a document, and the blank lines and comments before them.

    The compiled parser skips one mark, but does not treat the next character as the start of a line.
    """
    start = 0
    while base.BYTE_ORDER_MARK in raw:  # hardly ever
        if raw.startswith(base.BYTE_ORDER_MARK, start):
            start += len(base.BYTE_ORDER_MARK)
            continue
        mark = _MARK.search(raw, start)
        if mark is None or _CONTENT.search(raw[start : mark.start() + 1]):
            break
        start = mark.end()
    return start


def _check_text(text: LocatedText) -> None:
    """Raise FormatError for too many directives, and for characters that are newlines in YAML 1.1 only."""
    if "%TAG" in text.text:
        excess = next(islice(_DIRECTIVE.finditer(text.text), MAX_DIRECTIVES, None), None)
        if excess is not None:
            message = f"more than {MAX_DIRECTIVES} directives %TAG: not read"
            raise text.error("syntax/too-large", message, excess.end() - len("%TAG"))
    match = None if text.text.isascii() else _DISPUTED_BREAK.search(text.text)
    if match is not None:
        name = f"U+{ord(match[0]):04X}"
        escaped = ESCAPED_BREAKS[match[0]]
        message = f"{name} ends the line in YAML 1.1 only: write {escaped} in double quotes, or leave it out"
        raise text.error("syntax/yaml-line-break", message, *match.span())


def _parse(text: str) -> Iterator[Any]:
    """Return the parser's events, with one character for two escapes of its surrogates. Raises YAMLError later.

    YAML has no such escapes, and parsers disagree on byte-order marks within a document, which are characters like any
    other: until a scalar has been read, private characters that the text lacks replace the backslashes and the marks.
    """
    if not (_MARK_CHARACTER in text or ("\\u" in text and re.search(_PAIR, text))):
        return yaml.parse(text, Loader=_LOADER)
    used = {*map(ord, {*text}), *(int(code, 16) for code in re.findall(_PRIVATE_ESCAPE, text))}
    free = [chr(code) for code in islice((code for code in _PRIVATE if code not in used), 2)]
    return _parse_replaced(text, *free) if len(free) == 2 else yaml.parse(text, Loader=_LOADER)


def _parse_replaced(text: str, backslash: str, mark: str) -> Iterator[Any]:
    pair = re.compile(f"{backslash}(.{{5}}){backslash}(.{{5}})")
    without_last = _LAST_MARKS.sub(lambda match: " " * len(match[0]), text)
    replaced = re.sub(_PAIR, rf"\1{backslash}\2{backslash}\3", without_last).replace(_MARK_CHARACTER, mark)
    for event in yaml.parse(replaced, Loader=_LOADER):
        if isinstance(event, ScalarEvent):
            value = event.value.replace(mark, _MARK_CHARACTER)
            if event.style == '"':
                value = pair.sub(lambda match: json.loads(rf'"\{match[1]}\{match[2]}"'), value)
            event.value = value.replace(backslash, "\\")
        yield event


def _offsets(event: Any, begins: int = 0) -> tuple[int, int]:
    """Return the offsets of an event in a text that was parsed from the offset `begins`."""
    return begins + event.start_mark.index, begins + event.end_mark.index


def _read_events(text: LocatedText) -> Iterator[Any]:
    try:
        yield from _parse(text.text)
    except ReaderError as error:
        message = f"not YAML: the control character U+{error.character:04X} is not allowed here"
        offset = error.position
        if yaml.__with_libyaml__:  # it counts bytes
            offset = len(text.text.encode()[:offset].decode(errors="ignore"))
        raise text.error("syntax/yaml", message, offset) from None
    except yaml.MarkedYAMLError as error:
        problem = error.problem or ""
        offset = error.problem_mark.index if error.problem_mark else 0
        if "maximum nesting depth" in problem:  # libyaml's own limit, which it meets while it looks ahead
            builder = _Builder(text)
            for event in yaml.parse(text.text, Loader=_PythonLoader):
                builder.add(event)  # raises at its own limit
        if offset >= len(text.text.rstrip()):
            cut = "this string has no closing quote" if "end of stream" in problem else "the record ends here"
            if bracket := _opened_bracket(text, error):
                cut = f"{bracket} is not closed"
            message = f"{cut}: the rest of the record is missing"
            raise text.error("syntax/truncated", message, offset) from None
        offset, reason = _explain(text, offset, problem, _opened_bracket(text, error))
        raise text.error("syntax/yaml", f"not YAML: {reason}", offset) from None


def _opened_bracket(text: LocatedText, error: yaml.MarkedYAMLError) -> str:
    """Return the words for the bracket around a problem in a message; empty without a bracket."""
    at = error.context_mark.index if error.context_mark and "flow" in (error.context or "") else len(text.text)
    if text.text[at : at + 1] not in ("[", "{"):
        return ""
    return base.name_bracket(text.text, at)


def _explain(text: LocatedText, offset: int, problem: str, bracket: str) -> tuple[int, str]:
    """Return the place and the message of a problem that a parser reports at an offset, within an opened bracket."""
    begins = text.text.rfind("\n", 0, offset) + 1
    line = text.text[begins:].partition("\n")[0]
    indentation = len(line) - len(line.lstrip())
    if "\t" in line[:indentation] and ("start any token" in problem or "tab character" in problem):
        return begins + line.index("\t"), "a tab cannot indent: use spaces"
    if "start any token" in problem:
        return offset, f"no value begins with {text.text[offset]}: put the string in quotes"
    if "mapping values" in problem:
        if ":" not in line[: offset - begins]:
            return begins, "this line has another indentation than the fields before it: align it"
        return offset, "a string with a colon should be in quotes"
    if bracket and "',' or" in problem:
        return offset, f"{bracket} is not closed, or a comma is missing here"
    return offset, next(plainer for words, plainer in _PLAINER if words in problem)


class _Builder:
    """Builds the data of one document from parser events."""

    def __init__(self, text: LocatedText) -> None:
        self.root: Any = None
        self._text = text
        #: The containers that enclose the current one.
        self._stack: list[Any] = []
        self._container: Any = None
        #: The key of the next value in the current container.
        self._key: str | None = None

    def add(self, event: Any) -> None:
        """Add the next event. Raises FormatError for YAML that records do not allow."""
        kind = type(event)
        if kind is ScalarEvent:
            if event.tag not in _TEXT_TAGS:
                raise self._tag(event)
            if self._key is None and type(self._container) is dict:
                key = event.value
                if key in self._container:
                    message = f'the field "{shorten(key)}" appears twice in this object: keep one'
                    raise self._error("syntax/duplicate-key", message, event)
                self._key = key
            else:
                self._put(self._read_plain(event) if event.implicit[0] and event.tag is None else event.value)
        elif kind is MappingStartEvent:
            self._open({}, event)
        elif kind is SequenceStartEvent:
            self._open([], event)
        elif kind is MappingEndEvent or kind is SequenceEndEvent:
            self._container, self._key = self._stack.pop(), None
        elif kind is AliasEvent:
            message = f"*{shorten(event.anchor)} is an alias: write the value out"
            raise self._error("syntax/yaml-alias", message, event)

    def _open(self, container: Any, event: Any) -> None:
        if self._key is None and type(self._container) is dict:
            raise self._error("syntax/yaml-key", "the name of a field should be a string", event)
        if len(self._stack) >= MAX_DEPTH:
            raise self._error("syntax/too-deep", f"more than {MAX_DEPTH} levels of arrays and objects", event)
        if event.tag is not None:
            raise self._tag(event)
        self._put(container)
        self._stack.append(self._container)
        self._container, self._key = container, None

    def _put(self, value: Any) -> None:
        container = self._container
        if type(container) is dict:
            container[self._key] = value
            self._key = None
        elif container is None:
            self.root = value
        else:
            container.append(value)

    def _read_plain(self, event: ScalarEvent) -> object:
        text: str = event.value
        if text in _WORDS:
            return _WORDS[text]
        if text[0] not in "-0123456789":
            return text
        if _INTEGER.fullmatch(text):
            try:
                return int(text)
            except ValueError:  # more digits than Python turns into an integer
                message = f"{shorten(text, 20)} is too large a number: if it is a string, put it in quotes"
                raise self._error("syntax/number", message, event) from None
        if _DECIMAL.fullmatch(text) or (_DISPUTED.fullmatch(text) and self._key in number_fields()):
            value = float(text)
            if value in (float("inf"), float("-inf")):
                raise self._error("syntax/number", f"{shorten(text, 20)} is too large a number", event)
            return value
        return text

    def _tag(self, event: Any) -> base.FormatError:
        return self._error("syntax/yaml-tag", f"the tag {shorten(event.tag)} has no meaning here: remove it", event)

    def _error(self, code: str, message: str, event: Event) -> base.FormatError:
        return self._text.error(code, message, *_offsets(event))


def _places(text: LocatedText, begins: int, ends: int, pointers: Iterable[str] | None = None) -> Places:
    """Return the places of the parts at some pointers, or of all parts, in the document between two offsets."""
    return find_places(parse_events(text.text[begins:ends], begins), text.span, pointers)


def parse_events(text: str, begins: int = 0) -> Iterator[ParseEvent]:
    """Yield the brackets and scalars of documents that were read without an error; the text begins at an offset."""
    # The text is parsed again, since a list of all events would take a hundred times its memory.
    for event in _parse(text):
        if isinstance(event, ScalarEvent):
            yield ParseEvent("", *_offsets(event, begins), event.value, event.style or "")
        elif type(event) in _BRACKETS:
            block = not getattr(event, "flow_style", True)
            yield ParseEvent(_BRACKETS[type(event)], *_offsets(event, begins), block=block)


class _Dumper(_DUMPER):  # type: ignore[misc, valid-type] # one of two classes
    """Quotes every string that any version of YAML could read as another type, and writes no aliases."""

    def ignore_aliases(self, _: object) -> bool:
        """Return True: one object in memory may be two values of a record."""
        return True


for _tag, _pattern in (
    ("bool", "[yYnN]"),
    ("int", "[-+]?[0-9]+|0o[0-7]+"),
    ("float", r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?"),
):
    _Dumper.add_implicit_resolver(f"tag:yaml.org,2002:{_tag}", re.compile(f"(?:{_pattern})$"), None)


def _represent_text(dumper: _Dumper, text: str) -> yaml.ScalarNode:
    style = '"' if _DISPUTED_BREAK.search(text) else None
    scalar: yaml.ScalarNode = dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)
    return scalar


_Dumper.add_representer(str, _represent_text)


def _dump(value: Any, flow: bool | None, width: int) -> str:
    """Return the YAML of a value.

    The emitter escapes all characters above U+FFFF, such as emoji. Private characters that the value does not contain
    replace them until the value has been written.
    """
    options: dict[str, Any] = {"sort_keys": False, "allow_unicode": True, "default_flow_style": flow, "width": width}
    text: str = yaml.dump(value, Dumper=_Dumper, **options)
    if "\\U" not in text:
        return text
    data = json.dumps(value, ensure_ascii=False)
    characters = set(data)
    free = (code for code in _PRIVATE if chr(code) not in characters)
    stand_ins = dict(zip(sorted(ord(char) for char in characters if ord(char) > 0xFFFF), free, strict=False))
    text = yaml.dump(json.loads(data.translate(stand_ins)), Dumper=_Dumper, **options)
    return text.translate({stand_in: code for code, stand_in in stand_ins.items()})


def on_one_line(value: Any) -> str:
    """Return the YAML of a value in flow style."""
    return _dump([value], flow=True, width=-1)[1:-2]


def write(records: Iterable[dict[str, Any]], _: base.OnLoss = base.refuse, /) -> Iterator[str]:
    """Yield one document per record."""
    for index, record in enumerate(records):
        text = _dump(record, flow=None, width=100)
        yield f"---\n{text}" if index else text


def write_with_schema(records: Iterable[dict[str, Any]], address: str) -> Iterator[str]:
    """Yield one document per record, with the URL of a schema: editors apply it to one document, not to the file."""
    for index, record in enumerate(records):
        yield "---\n" if index else ""
        yield f"# yaml-language-server: $schema={address}\n"
        yield from write([record])


# As the last format of the registry, it takes all other text.
FORMAT = base.Format("yaml", "YAML", base.reading(pieces), write, lambda _: True, pieces=pieces)
