"""The grammar of SGF, FF[4]: a game into a tree, escapes both ways. Knows no record.

Values stay raw: as they stand between their brackets, in the text that the game's bytes mean in its own encoding.
Accepted although FF[4] does not have it, each with a warning: text around games, small letters and digits in
identifiers, blanks after them, a missing first semicolon, a property twice in a node, nodes without properties.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from hexrec.diagnostics import Diagnostic, Excerpt, FirstFew, shorten
from hexrec.limits import MAX_VALUES
from hexrec.notations.base import TOO_MANY, LocatedText, NotationError, beyond
from hexrec.notations.places import Span

#: How a game begins on a line of its own, whose first value is closed there: no value has that in it, as it would have
#: a backslash before that bracket.
_SPLICED = r"[\n\r][ \t]*+\(\s*+;\s*+[A-Z]{1,2}\s*+\[[^\\\]\n\r]{0,200}+\]"
SPLICED = re.compile(_SPLICED)
#: The text of a value up to the bracket that closes it.
VALUE_TEXT = rf"(?:[^\\\]\n\r]++|\\.|(?!{_SPLICED})[\n\r])*+"
_BLANK = r"[ \t\r\n\v\f]*+"
_VALUE = r"[^\\\]]*+(?:\\.[^\\\]]*+)*+"
_TOKEN = re.compile(
    rf"{_BLANK}(?:;([BW])\[([^\\\]]*+)\]|([A-Za-z][A-Za-z0-9]*+)({_BLANK})\[({_VALUE})\]|([;()])|\[({_VALUE})\])",
    re.DOTALL,
)
#: The last groups of a node that begins with a move, of a property, of a delimiter and of a further value.
_MOVE, _PROPERTY, _DELIMITER, _MORE = 2, 5, 6, 7
IDENTIFIER = re.compile("[A-Z]{1,64}")
_RAW = re.compile(rf"{VALUE_TEXT}\]", re.DOTALL)
#: What no value of a property may be trusted to keep.
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f]")
_MEANING = re.compile(r"\\(\r\n|\n\r|[\s\S])|(\r\n|\n\r|\n|\r)|[\t\v\f]")


@dataclass(slots=True)
class Property:
    """A property of a node: its raw values, where each begins, and where its name stands."""

    values: list[str]
    starts: list[int]
    start: int
    end: int


@dataclass(slots=True)
class Node:
    """A node: its properties by identifier, the nodes that follow, its place, and that of the tree it begins."""

    start: int
    opened: int
    end: int = 0
    closed: int = 0
    properties: dict[str, Property] = field(default_factory=dict)
    children: list[Node] = field(default_factory=list)

    @property
    def raw(self) -> dict[str, list[str]]:
        """The raw values by identifier."""
        return {name: found.values for name, found in self.properties.items()}


class RawDiagnostic(NamedTuple):
    """Something to report about the characters of a text from `start` up to `end`."""

    code: str
    message: str
    start: int
    end: int


class PropertyError(ValueError):
    """A property that a record cannot have; `index` says which of its values."""

    def __init__(self, code: str, message: str, name: str, index: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.name = name
        self.index = index


class GameText(LocatedText):
    """The text of one game of a file, from the opening parenthesis to the closing one.

    Attributes:
        problem: what kept the text from being cut out or decoded.
        warnings: what is to be reported of the text as a whole.
        around: what is to be reported of the text around it, with its place and what is there.
    """

    def __init__(
        self,
        text: str,
        first_line: int,
        first_column: int,
        problem: RawDiagnostic | None = None,
        warnings: Iterable[RawDiagnostic] = (),
        around: Iterable[Diagnostic] = (),
    ) -> None:
        super().__init__(text, first_line, first_column)
        self.problem = problem
        self.warnings = tuple(warnings)
        self.around = tuple(around)

    def excerpt(self, line: int, column: int) -> Excerpt:
        """Return what is in a line of the text, or what a diagnostic of the text around it brings along."""
        known = next((each.source_line for each in self.around if (each.line, each.column) == (line, column)), None)
        if known or not self.first_line <= line <= self.span(len(self.text), len(self.text)).line:
            return known or Excerpt("", 1, False)
        return super().excerpt(line, column)

    def place(self, found: Property, index: int = 0) -> Span:
        """Return the place of a value of a property; an empty value has that of its closing bracket."""
        start = found.starts[index]
        return self.span(start, start + max(1, len(found.values[index])))


@dataclass(slots=True)
class Tree:
    """The tree of a game: its first node, and what is to be reported."""

    root: Node
    warnings: FirstFew[RawDiagnostic]


class _Parser:
    def __init__(self, game: GameText) -> None:
        self.game = game
        self.warnings = FirstFew[RawDiagnostic]()

    def tree(self) -> Tree:
        """Return the tree of the game. Raises NotationError."""
        text = self.game.text
        if not text.startswith("("):
            raise self._error("a tree should begin with a parenthesis", 0)
        self._check_values()
        match = _TOKEN.match
        above = Node(0, 0)
        open_trees: list[tuple[Node, int]] = []
        node = above
        last: Property | None = None
        #: Whether a tree has just been opened, or closed.
        opened = closed = False
        at = 0
        while found := match(text, at):
            kind = found.lastindex
            at = found.end()
            if kind == _MOVE:
                if closed:
                    raise self._late_node(found.start(1) - 1)
                start = found.start(1)
                last = Property([found[2]], [found.start(2)], start, start + 1)
                parent = node
                node = Node(start - 1, open_trees[-1][1] if opened else -1, at, properties={found[1]: last})
                parent.children.append(node)
                opened = False
            elif kind == _PROPERTY:
                if opened:
                    node = self._node(node, open_trees[-1][1], at)
                    start = found.start(3)
                    self.warnings.add(
                        RawDiagnostic(
                            "syntax/sgf-semicolon", "a semicolon should come before the first property", start, at
                        )
                    )
                elif closed:
                    raise self._error("a property should not follow a variation", found.start(3), at)
                opened = False
                last = self._property(node, found)
                node.end = at
            elif kind == _MORE:
                if last is None:
                    raise self._error("this value has no property name before it", found.start(7) - 1, at)
                last.values.append(found[7])
                last.starts.append(found.start(7))
                node.end = at
            else:
                last = None
                delimiter = found[6]
                if delimiter == ";":
                    if closed:
                        raise self._late_node(at - 1)
                    node = self._node(node, open_trees[-1][1] if opened else -1, at)
                    opened = False
                elif delimiter == "(":
                    if opened:
                        raise self._error("a tree should begin with a semicolon, not with another tree", at - 1)
                    open_trees.append((node, at - 1))
                    opened, closed = True, False
                else:
                    if opened:
                        raise self._error("this tree is empty: it should have a node", open_trees[-1][1], at)
                    node, _ = open_trees.pop()
                    node.children[-1].closed = at
                    closed = True
                    if not open_trees:
                        return Tree(above.children[0], self.warnings)
        raise self._no_token(at, open_trees[-1][1])

    def _check_values(self) -> None:
        """Raise NotationError for a game with too many tokens, which take much more room in a tree."""
        if len(self.game.text) > MAX_VALUES:
            excess = beyond(_TOKEN, self.game.text, 0, MAX_VALUES)
            if excess is not None:
                raise self.game.error("syntax/too-large", TOO_MANY, excess)

    def _node(self, parent: Node, opened: int, at: int) -> Node:
        node = Node(at - 1, opened, at)
        parent.children.append(node)
        return node

    def _property(self, node: Node, found: re.Match[str]) -> Property:
        name = found[3]
        start, end = found.span(3)
        if not (name.isupper() and name.isalpha()):
            capitals = "".join(char for char in name if char.isupper() or char.isdigit())
            meant = capitals if capitals[:1].isalpha() else name.upper()
            message = f"{shorten(name)} is not an identifier of capital letters: read as {shorten(meant)}"
            self.warnings.add(RawDiagnostic("syntax/sgf-identifier", message, start, end))
            name = meant
        if found[4]:
            message = f"there should be no blanks between {shorten(name)} and its value"
            self.warnings.add(RawDiagnostic("syntax/sgf-blank", message, end, found.end(4)))
        known = node.properties.get(name)
        if known is None:
            known = node.properties[name] = Property([found[5]], [found.start(5)], start, end)
        else:
            message = f"{shorten(name)} appears twice in this node: its values are taken together"
            self.warnings.add(RawDiagnostic("syntax/sgf-repeated", message, start, end))
            known.values.append(found[5])
            known.starts.append(found.start(5))
        return known

    def _late_node(self, at: int) -> NotationError:
        return self._error("a node should not follow a variation: it belongs before it", at)

    def _error(self, message: str, start: int, end: int | None = None) -> NotationError:
        return self.game.error("syntax/sgf", f"not SGF: {message}", start, end)

    def _no_token(self, at: int, opened: int) -> NotationError:
        text = self.game.text
        start = at + len(text[at:]) - len(text[at:].lstrip())
        if start == len(text):
            return self.game.error("syntax/truncated", "this tree has no closing parenthesis", opened)
        name = re.compile("[A-Za-z][A-Za-z0-9]*").match(text, start)
        if text[start] == "[":
            return self.game.error("syntax/truncated", "this value has no closing bracket", start)
        if name and not text[name.end() :].lstrip().startswith("["):
            return self._error(f"{shorten(name[0])} should be followed by a value in brackets", *name.span())
        return self._error(f'nothing can begin with "{shorten(text[start])}" here', start)


def parse(game: GameText) -> Tree:
    """Return the tree of a game that was cut out well. Raises NotationError."""
    return _Parser(game).tree()


def is_raw(value: object) -> bool:
    """Return whether a value may stand between brackets as it is, and comes back so."""
    return isinstance(value, str) and "\0" not in value and _RAW.fullmatch(value + "]") is not None


def text_value(raw: str) -> str:
    """Return what a raw value of type Text means: line ends become newlines, other blanks spaces."""
    return _MEANING.sub(_text_meaning, raw) if _MEANING.search(raw) else raw


def simple_value(raw: str) -> str:
    """Return what a raw value of type SimpleText means: as Text, with a space for every line end."""
    return text_value(raw).replace("\n", " ")


def _text_meaning(found: re.Match[str]) -> str:
    if found[2]:
        return "\n"
    escaped = found[1]
    if escaped is None:
        return " "
    return "" if escaped[0] in "\r\n" else " " if escaped in "\t\v\f" else escaped


def escape(text: str) -> str:
    """Return the raw value that means a text."""
    return text.replace("\\", "\\\\").replace("]", "\\]")


def holds(text: object, *, lines: bool = False) -> bool:
    """Return whether something is a text that a value keeps to the character; with `lines`, a value of type Text."""
    if not isinstance(text, str) or _CONTROL.search(text):
        return False
    return is_raw(escape(text)) if lines else "\n" not in text
