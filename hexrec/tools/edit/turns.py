"""Edits of the text of a game in HGN or SGF that insert and remove turns.

Comments, annotations and layout of the other turns stay. Their numbers (HGN) or colors (SGF) follow from their places.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from hexrec.formats.hgn import grammar, tags
from hexrec.formats.located_text import LocatedText
from hexrec.formats.sgf.grammar import escape, parse
from hexrec.formats.sgf.properties import MOVE
from hexrec.record.record import turn_of
from hexrec.tools.edit.patch import TextEdit

_POINTER = "/moves"
_COLORS = "BW"
#: The properties of a move that depend on its color, each with that of the other color.
_OF_OTHER = {one: other for pair in zip(*MOVE.values(), strict=True) for one, other in (pair, pair[::-1])}


class _Changes(NamedTuple):
    """Changes of the turns of a game, by their indexes.

    Attributes:
        before: the turns that are inserted before a turn, or at the end.
        removed: the removed turns.
        replaced: the new texts of turns.
    """

    before: dict[int, list[str]]
    removed: set[int]
    replaced: dict[int, str]


def turn_edits(text: LocatedText, syntax: str, at: int, old: Sequence[Any], new: Sequence[Any]) -> list[TextEdit]:
    """Return the edits that replace the turns of a game by others.

    `syntax` is ``hgn`` or ``sgf``, `at` the offset of the turns in HGN. Read the edited text to check it: annotations
    and variations of removed turns are removed.
    """
    changes = _compare([*map(turn_of, old)], [*map(turn_of, new)])
    return [*(_edit_nodes(text, changes) if syntax == "sgf" else _edit_words(text.text, at, changes))]


def _compare(old: list[str], new: list[str]) -> _Changes:
    changes = _Changes({}, set(), {})
    for kind, start, end, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind != "equal":
            kept = min(end - start, last - first)
            changes.replaced.update(zip(range(start, start + kept), new[first : first + kept], strict=True))
            changes.removed.update(range(start + kept, end))
            changes.before[end] = new[first + kept : last]
    return changes


class _Word(NamedTuple):
    """A turn in HGN.

    Attributes:
        start: the offset of its number, or of the turn without one.
        turn, end: the offsets of the turn.
        ply: the number of turns before it.
        depth: the number of variations around it.
        follows: whether nothing but glyphs is between it and the turn before.
    """

    start: int
    turn: int
    end: int
    ply: int
    depth: int
    follows: bool


def _read_words(text: str, at: int) -> tuple[list[_Word], int]:
    """Return the turns of HGN from an offset on, and the offset of the result after them, or of the end."""
    words: list[_Word] = []
    plies = [0]
    number, follows = -1, False
    for match in grammar.TOKEN.finditer(text, at):
        kind = str(match.lastgroup)
        start, end = match.span(kind)
        if kind == "number":
            number = start
        elif kind in ("word", "text"):
            if match[kind] in tags.RESULTS:
                return words, start
            suffixed = grammar.SUFFIXED.fullmatch(match[kind])
            end = start + len(suffixed[1]) if suffixed else end
            words.append(_Word(start if number < 0 else number, start, end, plies[-1], len(plies) - 1, follows))
            plies[-1] += 1
            number, follows = -1, True
        elif kind != "glyph":
            follows = False
            if kind == "open":
                plies.append(plies[-1] - 1)
            elif kind == "close":
                plies.pop()
    return words, len(text.rstrip())


def _edit_words(text: str, at: int, changes: _Changes) -> Iterator[TextEdit]:
    """Yield the edits of the turns of HGN, which begin at an offset."""
    words, end = _read_words(text, at)
    # The number before the first turn shows the color that plays first.
    first = int(bool(words) and text[words[0].start : words[0].turn].count(".") > 1)
    # The numbers before turns: before Black's and those after comments, or before White's after Black's, too.
    has_numbers = any(word.start < word.turn for word in words)
    has_all = any(word.start < word.turn and (first + word.ply) % 2 and word.follows for word in words)

    def number(ply: int, follows: bool) -> str:
        is_numbered = has_numbers and (has_all or not ply % 2 or not follows)
        return f"{ply // 2 + 1}{'...' if ply % 2 else '.'} " if is_numbered else ""

    def write(turns: Sequence[str], ply: int, follows: bool) -> str:
        return "".join(f"{number(ply + n, follows or n > 0)}{_quote(turn)} " for n, turn in enumerate(turns))

    index = shift = 0
    cut: _Word | None = None  # a removed turn
    for word in words:
        if word.depth and cut is not None:
            continue
        ply, follows, inserted = first + word.ply + shift, word.follows, ""
        if not word.depth:
            if cut is not None:
                yield TextEdit(cut.start, word.start, "", _POINTER)
                follows, cut = cut.follows, None
            turns = changes.before.get(index, [])
            inserted = write(turns, ply, follows)
            ply, shift, follows = ply + len(turns), shift + len(turns), follows or bool(turns)
            index += 1
            if index - 1 in changes.removed:
                cut, shift = word._replace(follows=follows), shift - 1
        old = text[word.start : word.turn]
        new = inserted + (number(ply, follows) if shift and cut is None else old)
        if new != old:
            yield TextEdit(word.start, word.start if cut else word.turn, inserted if cut else new, _POINTER)
        if not word.depth and index - 1 in changes.replaced:
            yield TextEdit(word.turn, word.end, _quote(changes.replaced[index - 1]), _POINTER)
    if cut is not None:
        yield TextEdit(cut.start, end, "", _POINTER)
    follows = cut.follows if cut is not None else bool(words) and text[words[-1].end : end].isspace()
    if added := write(changes.before.get(index, []), first + index + shift, follows):
        space = "" if text[end - 1 : end].isspace() else " "
        yield TextEdit(end, end, space + (added if text[end:].strip() else added.rstrip()), _POINTER)


def _quote(turn: str) -> str:
    return turn if grammar.PLAIN_TURN.fullmatch(turn) else grammar.quote(turn)


def _edit_nodes(text: LocatedText, changes: _Changes) -> Iterator[TextEdit]:
    """Yield the edits of the turns of SGF."""
    root, _ = parse(text)
    index, following, end = 0, 0, root.end  # of the main line: the next turn, its color, and the end of the last one
    left = [(root, 0, True)]  # nodes, each with the number of turns that it moves by, and whether in the main line
    while left:
        node, shift, is_main = left.pop()
        color = next((number for number, name in enumerate(_COLORS) if name in node.properties), None)
        if color is not None and is_main:
            turns = changes.before.get(index, [])
            if turns:
                yield TextEdit(node.start, node.start, _nodes(turns, color + shift), _POINTER)
            shift += len(turns) - (index in changes.removed)
            following, end = color + shift + 1, node.end
            if index in changes.removed:
                yield TextEdit(node.start, node.end, "", _POINTER)
            elif index in changes.replaced:
                move = node.properties[_COLORS[color]]
                start = move.starts[0]
                yield TextEdit(start, start + len(move.values[0]), escape(changes.replaced[index]), _POINTER)
            index += 1
        if shift % 2 and not (is_main and index - 1 in changes.removed):
            for name, part in node.properties.items():
                if _OF_OTHER.get(name, name) != name:
                    yield TextEdit(part.start, part.end, _OF_OTHER[name], _POINTER)
        left += [(child, shift, is_main and not place) for place, child in enumerate(node.children)][::-1]
    if turns := changes.before.get(index, []):
        yield TextEdit(end, end, _nodes(turns, following), _POINTER)


def _nodes(turns: Sequence[str], color: int) -> str:
    """Return the nodes of turns, the first of which has a color."""
    return "".join(f";{_COLORS[(color + n) % 2]}[{escape(turn)}]" for n, turn in enumerate(turns))
