"""SGF, FF[4]: one game tree per record, any number of trees per file.

The first child of a node continues the main line; the others are variations of its move.
Extension fields preserve data without a field in records: properties in `x-sgf`, nodes without a move in `x-sgf-nodes`
of the move (or record) before them, variations that begin with such a node in `x-sgf-trees`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, BinaryIO

from hexrec.formats import base
from hexrec.formats.sgf.grammar import ROOT_START, Node, begins_game, is_raw, parse
from hexrec.formats.sgf.properties import write_move
from hexrec.formats.sgf.reader import COLORS, KEPT_NODES, KEPT_TREES, PLAIN, SETUP, documents
from hexrec.formats.sgf.root import write_root
from hexrec.rules.position_text import first_to_play

_START = re.compile(rb"(?=\(\s*(?:;|[A-Z]{1,2}\s*\[|\Z))")
_ROOT = re.compile(ROOT_START.encode())
#: A node, even outside a tree: the next start is that of another game.
_NODE = re.compile(rb";\s*[A-Z]{1,2}\s*\[")
#: The start of a game that continues on the next line.
_HALF_A_START = re.compile(rb"\(\s{0,200}")
_TOKEN = re.compile(rb"\[[^\\\]]*+(?:\\.[^\\\]]*+)*+(\])?|[()]", re.DOTALL)
_BEGINNING = re.compile(rb"\(\s*(?:;\s*)?[A-Za-z]{1,20}\s*\[")
#: Maximum length of a line, apart from opening parentheses.
_WIDTH = 78


def pieces(stream: BinaryIO) -> Iterator[base.Piece]:
    """Cut a stream into games, with one game in memory.

    A game extends from a parenthesis to the one that closes it; parentheses in values do not count. A game that is not
    closed ends where the next game begins: anywhere in a tree, but only at the start of a line in a value.
    """
    return base.cut_records(stream, _boundary(), documents, _cut_at_starts)


def _cut_at_starts(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of a stream, cut at the start of each game and variation."""
    held = b""
    for line in base.lines(stream):
        *whole, held = _START.split(held + line)
        if not _HALF_A_START.fullmatch(held):
            whole.append(held)
            held = b""
        yield from filter(None, whole)
    if held:
        yield held


def _boundary() -> base.Boundary:
    """Return a boundary function for the games of a stream."""
    depth = 0
    has_game = in_value = False

    def between_games(unit: bytes, at_start: bool) -> bool:
        nonlocal depth, has_game, in_value
        cut_off = (at_start or not in_value) and _ROOT.match(unit) is not None
        starts = cut_off or (not in_value and not depth and _START.match(unit) is not None)
        begins = has_game and starts
        if starts:
            depth, in_value = 0, False
        has_game = has_game or starts or _NODE.search(unit) is not None
        for token in _TOKEN.finditer(b"[" + unit if in_value else unit) if has_game else ():
            in_value = token[0].startswith(b"[") and not token[1]
            depth = max(0, depth + (token[0] == b"(") - (token[0] == b")"))
        return begins

    return between_games


def write(records: Iterable[dict[str, Any]], _: base.OnLoss = base.refuse, /) -> Iterator[str]:
    """Yield one game tree per record."""
    for record in records:
        moves = record["moves"]
        data = {name: value for name, value in record.items() if name != "moves"}
        nodes = _take(data, KEPT_NODES, partial(_is_node, setup=False))
        trees = _take(data, KEPT_TREES, _is_tree) if moves else []
        head = _wrap(_property_texts(write_root(data)))
        text = _wrap([*nodes, *_line_text(moves, first_to_play(record.get("setup")), trees, 0)])
        yield f"(;{head}{text and chr(10)}{text})\n"


def _line_text(moves: list[Any], ply: int, trees: list[str], depth: int) -> list[str]:
    """Return the nodes and parentheses of a line; `trees` are alternatives to its first move."""
    words: list[str] = []
    tails: list[list[str]] = []
    for index, move in enumerate(moves):
        color = COLORS[(ply + index) % 2]
        others: list[list[Any]] = []
        nodes: list[str] = []
        siblings, trees = trees, []
        if isinstance(move, str) and PLAIN.fullmatch(move):
            word = f";{color}[{move}]"
        else:
            data: dict[str, Any] = {"turn": move} if isinstance(move, str) else dict(move)
            nodes = _take(data, KEPT_NODES, partial(_is_node, setup=depth > 0))
            trees = _take(data, KEPT_TREES, _is_tree) if index + 1 < len(moves) else []
            # A tree cannot contain a line without moves, nor variations of the first move of a variation.
            if (index or not depth) and "variations" in data and all(data["variations"]):
                others = data.pop("variations")
            word = ";" + "".join(_property_texts(write_move(data, color)))
        if others or siblings:
            words.append("(")
            tail = [")"]
            for other in others:
                tail += ["(", *_line_text(other, ply + index, [], depth + 1), ")"]
            tails.append(tail + siblings)
        words += [word, *nodes]
    for tail in reversed(tails):
        words += tail
    return words


def _take(data: dict[str, Any], name: str, is_writable: Callable[[Any], bool]) -> list[str]:
    """Remove the array in an extension field from a move or record, and return it, if all its items can be written."""
    texts = data.get(name)
    if isinstance(texts, list) and texts and all(map(is_writable, texts)):
        del data[name]
        return texts
    return []


def _is_node(text: Any, *, setup: bool) -> bool:
    """Return whether a value is one node without a move; with `setup`, it may set stones."""
    if not isinstance(text, str) or not text.startswith(";"):
        return False
    root = _parse_kept_tree(f"({text})")
    if root is None or root.children or root.end != len(text) + 1:
        return False
    return setup or not any(name in root.properties for name in SETUP)


def _is_tree(text: Any) -> bool:
    """Return whether a value is a tree whose first node has no move."""
    return isinstance(text, str) and _parse_kept_tree(text) is not None and not begins_game(text)


def _parse_kept_tree(text: str) -> Node | None:
    """Return the first node of a tree that can be written unchanged, or None for other text."""
    try:
        root, warnings = parse(base.LocatedText(text))
    except base.FormatError:
        return None
    if warnings.kept or not root.properties or "B" in root.properties or "W" in root.properties:
        return None
    if (root.opened, root.closed) != (0, len(text)):
        return None
    nodes = [root]
    while nodes:
        node = nodes.pop()
        nodes += node.children
        if not all(is_raw(value) for prop in node.properties.values() for value in prop.values):
            return None
    return root


def _property_texts(raw: dict[str, list[str]]) -> list[str]:
    return [name + "".join(f"[{value}]" for value in values) for name, values in raw.items()]


def _wrap(words: list[str]) -> str:
    """Wrap words at the maximum line length, without a newline before an opening parenthesis."""
    pieces: list[str] = []
    space = _WIDTH
    for word in words:
        if len(word) > space and word != "(" and space < _WIDTH:
            pieces.append("\n")
            space = _WIDTH
        pieces.append(word)
        space = space - len(word) if "\n" not in word else _WIDTH - len(word.rpartition("\n")[2])
    return "".join(pieces)


FORMAT = base.Format(
    "sgf",
    "SGF",
    base.reading(pieces),
    write,
    lambda head: _BEGINNING.match(head) is not None,
    keeps=("x-sgf", "x-sgf-nodes", "x-sgf-trees"),
    pieces=pieces,
)
