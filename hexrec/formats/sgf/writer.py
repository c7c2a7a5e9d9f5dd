"""Writer of SGF."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

from hexrec.formats import base
from hexrec.formats.field_table import get
from hexrec.formats.sgf.grammar import Node, begins_game, is_raw, parse
from hexrec.formats.sgf.properties import write_move
from hexrec.formats.sgf.reader import COLORS, ILLEGAL, KEPT_NODES, KEPT_TREES, PLAIN, SETUP
from hexrec.formats.sgf.root import write_root
from hexrec.rules.position_text import first_to_play

#: Maximum length of a line, apart from opening parentheses.
_WIDTH = 78


def write(records: Iterable[dict[str, Any]], _: base.OnLoss = base.refuse, /) -> Iterator[str]:
    """Yield one game tree per record."""
    for record in records:
        moves = record["moves"]
        data = {name: value for name, value in record.items() if name != "moves"}
        nodes = _take(data, KEPT_NODES, partial(_is_node, setup=False))
        trees = _take(data, KEPT_TREES, _is_tree) if moves else []
        head = _wrap(_property_texts(write_root(data)))
        lost = _illegal_text(get(data, ("result", "illegal", "turn")), get(data, ("result", "illegal", "by")))
        text = _wrap([*nodes, *_line_text(moves, first_to_play(record.get("setup")), trees, 0, lost)])
        yield f"(;{head}{text and chr(10)}{text})\n"


def _illegal_text(turn: Any, by: Any) -> str:
    """Return the node of the illegal turn that lost the game, or an empty string without a turn."""
    is_known = isinstance(turn, str) and PLAIN.fullmatch(turn) and by in ("black", "white")
    return f";{by[0].upper()}[{turn}]KO[]{ILLEGAL}[illegal]" if is_known else ""


def _line_text(moves: list[Any], ply: int, trees: list[str], depth: int, last: str = "") -> list[str]:
    """Return the nodes and parentheses of a line; `trees` are alternatives to its first move, `last` its last node."""
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
    words += filter(None, [last])
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
