"""The events of a parser of YAML, and messages for what it cannot read."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import yaml
from yaml.events import MappingEndEvent, MappingStartEvent, ScalarEvent, SequenceEndEvent, SequenceStartEvent
from yaml.reader import ReaderError

from hexrec.formats.base import name_bracket
from hexrec.formats.located_text import LocatedText
from hexrec.formats.places import ParseEvent
from hexrec.formats.yaml.builder import Builder, offsets
from hexrec.formats.yaml.python_parser import PythonLoader

_LOADER = yaml.CLoader if yaml.__with_libyaml__ else PythonLoader
#: Characters for private use.
PRIVATE = range(0xE000, 0xF900)
_BRACKETS = {MappingStartEvent: "{", MappingEndEvent: "}", SequenceStartEvent: "[", SequenceEndEvent: "]"}
_PRIVATE_ESCAPE = r"\\(?:u|U0000)([eEfF][0-9a-fA-F]{3})"
#: Two escapes of a character, as JSON has them, after an even number of backslashes.
_PAIR = r"(?<!\\)((?:\\\\)*)\\(u[dD][89abAB][0-9a-fA-F]{2})\\(u[dD][c-fC-F][0-9a-fA-F]{2})"
_MARK_CHARACTER = "\ufeff"
#: Byte-order marks after the last document.
_LAST_MARKS = re.compile(rf"(?<=[\r\n]){_MARK_CHARACTER}+(?=\s*\Z)")
#: A field that only records have: a text without them is a post rather than a record with an error.
_FIELD = re.compile(r"\b(?:hexrec|game|moves)[\"']?\s*:")
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


def parse_events(text: str, begins: int = 0) -> Iterator[ParseEvent]:
    """Yield the brackets and scalars of documents that were read without an error; the text begins at an offset."""
    # The text is parsed again, since a list of all events would take a hundred times its memory.
    for event in _parse(text):
        if isinstance(event, ScalarEvent):
            yield ParseEvent("", *offsets(event, begins), event.value, event.style or "")
        elif type(event) in _BRACKETS:
            block = not getattr(event, "flow_style", True)
            yield ParseEvent(_BRACKETS[type(event)], *offsets(event, begins), block=block)


def read_events(text: LocatedText) -> Iterator[Any]:
    """Yield the parser's events. Raises FormatError for text that is not YAML."""
    try:
        yield from _parse(text.text)
    except ReaderError as error:
        message = f"not YAML: the control character U+{error.character:04X} is not allowed here"
        offset = error.position
        if yaml.__with_libyaml__:  # it counts bytes
            offset = len(text.text.encode()[:offset].decode(errors="ignore"))
        raise text.error("syntax/yaml", message, offset) from None
    except yaml.MarkedYAMLError as error:
        if "maximum nesting depth" in (error.problem or ""):
            error = _find_first_error(text) or error
        problem = error.problem or ""
        offset = error.problem_mark.index if error.problem_mark else 0
        if offset >= len(text.text.rstrip()):
            cut = "this string has no closing quote" if "end of stream" in problem else "the record ends here"
            if bracket := _opened_bracket(text, error):
                cut = f"{bracket} is not closed"
            message = f"{cut}: the rest of the record is missing"
            raise text.error("syntax/truncated", message, offset) from None
        offset, reason = _explain(text, offset, problem, _opened_bracket(text, error))
        if not _FIELD.search(text.text):
            reason += "; read posts and tables with `hexrec import`"
        raise text.error("syntax/yaml", f"not YAML: {reason}", offset) from None


def _find_first_error(text: LocatedText) -> yaml.MarkedYAMLError | None:
    """Return the error of a text with more levels than libyaml reads, which it meets while it looks ahead.

    Raises FormatError if there are too many levels before it.
    """
    builder = Builder(text)
    try:
        for event in yaml.parse(text.text, Loader=PythonLoader):
            builder.add(event)
    except yaml.MarkedYAMLError as error:
        return error
    return None


def _opened_bracket(text: LocatedText, error: yaml.MarkedYAMLError) -> str:
    """Return the words for the bracket around a problem in a message; empty without a bracket."""
    at = error.context_mark.index if error.context_mark and "flow" in (error.context or "") else len(text.text)
    if text.text[at : at + 1] not in ("[", "{"):
        return ""
    return name_bracket(text.text, at)


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


def _parse(text: str) -> Iterator[Any]:
    """Return the parser's events, with one character for two escapes of its surrogates. Raises YAMLError later.

    YAML has no such escapes, and parsers disagree on byte-order marks within a document, which are characters like any
    other: until a scalar has been read, private characters that the text lacks replace the backslashes and the marks.
    """
    if not (_MARK_CHARACTER in text or ("\\u" in text and re.search(_PAIR, text))):
        return yaml.parse(text, Loader=_LOADER)
    used = {*map(ord, {*text}), *(int(code, 16) for code in re.findall(_PRIVATE_ESCAPE, text))}
    free = [chr(code) for code in islice((code for code in PRIVATE if code not in used), 2)]
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
