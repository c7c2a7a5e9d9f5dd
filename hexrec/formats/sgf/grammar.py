"""Grammar of SGF, FF[4]: decode a game, parse it into a tree, escape and unescape values. Independent of records.

Values stay raw: the decoded text between their brackets, with escapes.
The parser accepts some input that FF[4] does not allow, each with a warning: text around the game, whitespace after
identifiers, a property twice in a node, nodes without properties.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field

from hexrec.formats.located_text import FormatError, LocatedText, is_utf16, utf16_error
from hexrec.util.diagnostics import Diagnostic, FirstFew, shorten
from hexrec.util.limits import MAX_VALUES

_START = re.compile(r"\(\s*(?:;|[A-Z]{1,2}\s*\[)")
#: Start of a game, which no variation has.
ROOT_START = r"\(\s*;\s*(?:FF|GM|CA|AP|SZ|HX|HV)\s*\["
_ROOT = re.compile(ROOT_START)
#: A node outside a tree.
_NODE = re.compile(r";\s*[A-Z]{1,2}\s*\[[^\[\]]*+\]")
_SPACE = r"[ \t\r\n\v\f]*+"
_VALUE = r"[^\\\]]*+(?:\\.[^\\\]]*+)*+"
_TOKEN = re.compile(
    rf"{_SPACE}(?:;([BW])\[([^\\\]]*+)\]|([A-Z]++)({_SPACE})\[({_VALUE})\]|([;()])|\[({_VALUE})\])",
    re.DOTALL,
)
#: Last group of `_TOKEN` for a node that begins with a move, a property, and a further value of it.
_MOVE, _PROPERTY, _MORE = 2, 5, 7
IDENTIFIER = re.compile("[A-Z]{1,64}")
_WORD = re.compile("[A-Za-z][A-Za-z0-9]*")
_RAW = re.compile(_VALUE, re.DOTALL)
#: Control characters, which other programs may change in values.
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
_MEANING = re.compile(r"\\(\r\n|\n\r|[\s\S])|(\r\n|\n\r|\n|\r)|[\t\v\f]")
#: The start of a game, up to its encoding.
_ENCODING = re.compile(
    rf"\(\s*;?(?>(?:\s*(?!CA\s*\[)[A-Za-z0-9]++(?:\s*\[{_VALUE}\])++)*)\s*CA\s*\[([^\\\]]*)\]".encode(), re.DOTALL
)
_ENCODING_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._:+-]{0,39}")
#: ASCII text that an encoding must decode unchanged, and bytes that it must accept.
_SAMPLE = b"()[];,- \t\r\nABCXYZabcxyz0123456789 \\n \\u0041 "
_BYTES = bytes(range(128, 256))
_START_BYTES = re.compile(_START.pattern.encode())


@dataclass(slots=True)
class Property:
    """A property of a node: its raw values, their offsets, and the offsets of its name."""

    values: list[str]
    starts: list[int]
    start: int
    end: int

    def place(self, index: int = 0) -> tuple[int, int]:
        """Return the offsets of a value, or those of the closing bracket for an empty value."""
        start = self.starts[index]
        return start, start + max(1, len(self.values[index]))


@dataclass(slots=True)
class Node:
    """A node: its properties by identifier, its children, its offsets, and those of the tree that begins with it."""

    start: int
    opened: int
    end: int = 0
    closed: int = 0
    properties: dict[str, Property] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)

    @property
    def raw(self) -> dict[str, list[str]]:
        """The raw values by identifier."""
        return {name: prop.values for name, prop in self.properties.items()}


class PropertyError(ValueError):
    """A property that a record cannot have; `index` is that of the value to report."""

    def __init__(self, code: str, message: str, name: str, index: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.name = name
        self.index = index


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
    game = _START_BYTES.search(raw) if b"CA" in raw else None  # much faster for games without CA
    match = _ENCODING.match(raw, game.start()) if game else None
    declared = match[1].decode("latin-1").strip() if match else "utf-8"
    codec = _codec(declared)
    if codec is None:
        message = f'hexrec does not read SGF in the encoding "{shorten(declared)}": save it as UTF-8, with CA[UTF-8]'
        start, size = match.start(1) if match else 0, max(1, len(declared))
    else:
        try:
            return LocatedText(raw.decode(codec), line, column), []
        except UnicodeError as error:
            start, size = getattr(error, "start", 0), 1
        if match is None:
            text = LocatedText(raw.decode("latin-1"), line, column)
            message = "there is no CA, and this is not UTF-8: read as ISO 8859-1, the default in FF[4]"
            return text, [text.warning("syntax/sgf-encoding", message, start, start + 1)]
        message = f"byte 0x{raw[start]:02x} is not text in the encoding that CA names, {shorten(declared)}"
    text = LocatedText(raw.decode(codec or "utf-8", errors="replace"), line, column)
    at = len(raw[:start].decode(codec or "utf-8", errors="replace"))
    raise text.error("syntax/encoding", message, at, at + size)


class _Parser:
    def __init__(self, located: LocatedText) -> None:
        self.located = located
        self.text = located.text
        self.warnings = FirstFew[Diagnostic]()

    def root(self) -> Node:
        """Parse the game into a tree and return its root. Raises FormatError."""
        start = _START.search(self.text)
        self._check_around(0, start.start() if start else len(self.text))
        if start is None:
            raise self._error("there is no game tree here", len(self.text) - len(self.text.lstrip()))
        self.located.check_count(_TOKEN, start.start(), MAX_VALUES)
        root = self._tree(start.start())
        self._check_around(root.closed, len(self.text))
        return root

    def _check_around(self, start: int, end: int) -> None:
        """Warn about text outside the tree. Raises FormatError if it contains nodes."""
        around = self.text[start:end]
        if node := _NODE.search(around):
            raise self._error("nodes belong in a tree, which begins with a parenthesis", start + node.start())
        if loose := around.strip():
            first = loose.partition("\n")[0].rstrip()
            start += around.index(loose)
            message = f"text outside the games is skipped: {shorten(first, 40)}"
            self._warn("syntax/sgf-text", message, start, start + len(first))

    def _tree(self, at: int) -> Node:
        match_token = _TOKEN.match
        above = Node(at, at)
        open_trees: list[tuple[Node, int]] = []
        node = above
        last: Property | None = None
        #: Whether a tree was just opened, or closed.
        opened = closed = False
        while match := match_token(self.text, at):
            kind = match.lastindex
            at = match.end()
            if kind == _MOVE or match[6] == ";":
                start = match.start(1) - 1 if kind == _MOVE else at - 1
                if closed:
                    raise self._error("a node should not follow a variation: it belongs before it", start)
                parent = node
                node = Node(start, open_trees[-1][1] if opened else -1, at)
                parent.children.append(node)
                opened = False
                last = None
                if kind == _MOVE:
                    last = Property([match[2]], [match.start(2)], start + 1, start + 2)
                    node.properties[match[1]] = last
            elif kind == _PROPERTY:
                if opened:
                    raise self._error("a semicolon should come before the first property", match.start(3), at)
                if closed:
                    raise self._error("a property should not follow a variation", match.start(3), at)
                last = self._property(node, match)
                node.end = at
            elif kind == _MORE:
                if last is None:
                    raise self._error("this value has no property name before it", match.start(7) - 1, at)
                last.values.append(match[7])
                last.starts.append(match.start(7))
                node.end = at
            elif match[6] == "(":
                if opened:
                    raise self._error("a tree should begin with a semicolon, not with another tree", at - 1)
                open_trees.append((node, at - 1))
                opened, closed, last = True, False, None
            else:
                if opened:
                    raise self._error("this tree is empty: it should have a node", open_trees[-1][1], at)
                node, _ = open_trees.pop()
                node.children[-1].closed = at
                closed, last = True, None
                if not open_trees:
                    return above.children[0]
        raise self._no_token(at, open_trees[-1][1])

    def _property(self, node: Node, match: re.Match[str]) -> Property:
        name = match[3]
        start, end = match.span(3)
        if match[4]:
            message = f"there should be no whitespace between {shorten(name)} and its value"
            self._warn("syntax/sgf-blank", message, end, match.end(4))
        known = node.properties.get(name)
        if known is None:
            known = node.properties[name] = Property([match[5]], [match.start(5)], start, end)
        else:
            message = f"{shorten(name)} appears twice in this node: its values are taken together"
            self._warn("syntax/sgf-repeated", message, start, end)
            known.values.append(match[5])
            known.starts.append(match.start(5))
        return known

    def _warn(self, code: str, message: str, start: int, end: int) -> None:
        self.warnings.add(self.located.warning(code, message, start, end))

    def _error(self, message: str, start: int, end: int | None = None) -> FormatError:
        return self.located.error("syntax/sgf", f"not SGF: {message}", start, end)

    def _no_token(self, at: int, opened: int) -> FormatError:
        """Return the error for text that is no token, in a tree that was opened at the offset `opened`."""
        text = self.text
        start = at + len(text[at:]) - len(text[at:].lstrip())
        if start == len(text):
            return self.located.error("syntax/truncated", "this tree has no closing parenthesis", opened)
        name = _WORD.match(text, start)
        value = start if name is None else name.end() + len(text[name.end() :]) - len(text[name.end() :].lstrip())
        if text[value : value + 1] != "[":
            if name is None:
                return self._error(f'nothing can begin with "{shorten(text[start])}" here', start)
            return self._error(f"{shorten(name[0])} should be followed by a value in brackets", *name.span())
        if name and not IDENTIFIER.fullmatch(name[0]):
            return self._error(f"{shorten(name[0])} is not an identifier of capital letters", *name.span())
        return self.located.error("syntax/truncated", "this value has no closing bracket", value)


def parse(located: LocatedText) -> tuple[Node, FirstFew[Diagnostic]]:
    """Parse the text of a game into a tree; return its root, and the warnings about it. Raises FormatError."""
    parser = _Parser(located)
    return parser.root(), parser.warnings


def begins_game(text: str) -> bool:
    """Return whether a tree, or a tree in it, starts like a game. Inside another game, it would end that game."""
    return _ROOT.search(text) is not None


def is_raw(value: object) -> bool:
    """Return whether a value is a raw value that round-trips between brackets."""
    return isinstance(value, str) and "\0" not in value and not begins_game(value) and bool(_RAW.fullmatch(value))


def text_value(raw: str) -> str:
    """Return the string for a raw value of type Text. Newlines are normalized; other whitespace becomes spaces."""
    return _MEANING.sub(_text_meaning, raw) if _MEANING.search(raw) else raw


def simple_value(raw: str) -> str:
    """Return the string for a raw value of type SimpleText: as Text, with spaces in place of newlines."""
    return text_value(raw).replace("\n", " ")


def _text_meaning(match: re.Match[str]) -> str:
    if match[2]:
        return "\n"
    escaped = match[1]
    if escaped is None:
        return " "
    return "" if escaped[0] in "\r\n" else " " if escaped in "\t\v\f" else escaped


def escape(text: str) -> str:
    """Return the raw value for a string."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def can_hold(text: object, *, lines: bool = False) -> bool:
    """Return whether a value of type SimpleText (with `lines`, Text) is lossless for a string."""
    if not isinstance(text, str) or _CONTROL.search(text):
        return False
    return is_raw(escape(text)) if lines else "\n" not in text
