"""Changing data in a text: the smallest edits, with comments, layout and order of fields kept.

A text is seen as a tree of *nodes*, each with its data and its place. The data that it should have is compared with
the tree from the top; where they differ, the text of a scalar is replaced, or an entry of an object is removed or
added. Lists and objects are in *flow* style, in brackets, or in *block* style, by indentation (in YAML only).
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from hexrec.edit.editor import same

_BREAKS = "\n\r"
_BREAK = re.compile(f"\r\n|[{_BREAKS}]")
_BLANKS = " \t"
#: Between values, `#` starts a comment.
_COMMENT = re.compile(rf"(?<![^\s\[\]{{}},\"'])#[^{_BREAKS}]*")
_GAP = re.compile(rf"(?:\s|#[^{_BREAKS}]*)*")
_COMMA_AND_COMMENT = re.compile(rf"[ \t]*(?P<comma>,)?[ \t]*#[^{_BREAKS}]*")
_COMMENT_LINE = re.compile("(?P<indent>[ \t]*)#")
_BLOCK_HEADER = re.compile(rf"[|>][-+0-9]*(?P<rest>[ \t]*(?:#[^{_BREAKS}]*)?)")


@dataclass(eq=False)
class TreeNode:
    """A value in a text.

    Attributes:
        data: the value.
        start, end: its place; the end of a block is that of its last part.
        style: the first character of a scalar's text if that is quoted or a block (`"`, `'`, `|`, `>`), else empty.
        block: whether it is a list or an object in block style.
        content: where it begins after an anchor or a tag; the same as `start` if there is none.
        entries: the fields of an object.
        items: the values of a list.
    """

    data: Any
    start: int
    end: int
    style: str = ""
    block: bool = False
    content: int = -1
    entries: list[TreeEntry] = field(default_factory=list)
    items: list[TreeNode] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.content < 0:
            self.content = self.start


@dataclass(eq=False)
class TreeEntry:
    """A field of an object.

    Attributes:
        key: its name.
        value: its value.
        start: where it begins, which is before the name if there is a question mark.
        block: whether the object is in block style.
    """

    key: TreeNode
    value: TreeNode
    start: int = -1
    block: bool = False

    def __post_init__(self) -> None:
        if self.start < 0:
            self.start = self.key.start

    @property
    def name(self) -> str:
        """The name of the field."""
        return str(self.key.data)

    @property
    def end(self) -> int:
        """Where it ends; a field without a value ends with its name."""
        return max(self.key.end, self.value.end)


class ValueStyle:
    """How new values are written; this is JSON's way, and the notations made of it add theirs."""

    def value(self, value: Any, style: str = "") -> str:
        """Write a value on one line, in flow style; `style` is that of the scalar that it takes the place of."""
        del style
        return json.dumps(value, ensure_ascii=False)

    def fields(self, fields: dict[str, Any]) -> str:
        """Write fields on one line, with names that need no quotes without them."""
        return self.value(fields)[1:-1]

    def block(self, fields: dict[str, Any]) -> str:
        """Write fields on lines of their own, in block style."""
        return self.fields(fields)


def patched(text: str, changes: Iterable[tuple[TreeNode, dict[str, Any]]], style: ValueStyle) -> str:
    """Return a text in which each of some trees has the data given with it."""
    made = _Patch(text, style)
    for tree, data in changes:
        made.change(tree, data)
    return made.text


class _Patch:
    """The edits of a text, collected and then done together."""

    def __init__(self, text: str, style: ValueStyle) -> None:
        self._text = text
        self._style = style
        self._edits: list[tuple[int, int, str]] = []
        self._lines = [0, *(match.end() for match in _BREAK.finditer(text))]
        found = _BREAK.search(text)
        self._break = found[0] if found else "\n"
        self._comments: list[tuple[int, int]] = []
        #: Commas that are removed because the entry before them becomes the last one.
        self._commas_gone: set[int] = set()

    @property
    def text(self) -> str:
        """The text with all edits done. Where they overlap, what one removes is gone, and what is new is there."""
        parts = []
        at = 0
        for start, end, new in sorted(self._edits, key=lambda edit: edit[:2]):
            parts += [self._text[at:start], new]
            at = max(at, end)
        return "".join([*parts, self._text[at:]])

    def change(self, tree: TreeNode, data: dict[str, Any]) -> None:
        """Give a tree other data."""
        self._comments = list(_comments(self._text, tree))
        self._change(tree, data, 1, None)

    def _change(self, node: TreeNode, new: Any, depth: int, entry: TreeEntry | None) -> None:
        old = node.data
        if same(old, new):
            return
        if isinstance(old, dict) and isinstance(new, dict):
            self._change_object(node, new, depth, entry)
        elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
            for item, value in zip(node.items, new, strict=True):
                self._change(item, value, depth + 1, None)
        elif isinstance(old, dict) and isinstance(new, str) and "turn" in old:
            self._unwrap(node, next(entry for entry in node.entries if entry.name == "turn"), new)
        else:
            self._replace(node, new, depth, entry)

    def _change_object(self, node: TreeNode, new: dict[str, Any], depth: int, entry: TreeEntry | None) -> None:
        kept = [each for each in node.entries if each.name in new]
        if not kept:
            self._replace(node, new, depth, entry)
            return
        self._remove(node, kept)
        for each in kept:
            self._change(each.value, new[each.name], depth + 1, each)
        by_name = {each.name: each for each in kept}
        before: TreeEntry | None = None
        added: dict[str, Any] = {}
        for name, value in new.items():
            if name not in by_name:
                added[name] = value
                continue
            self._add(node, before or kept[0], added, depth, first=before is None)
            before, added = by_name[name], {}
        self._add(node, before or kept[0], added, depth, first=before is None)

    def _unwrap(self, node: TreeNode, turn: TreeEntry, text: str) -> None:
        """Put the text of a turn in the place of the object that holds it and nothing else."""
        self._change(turn.value, text, 0, turn)
        if node.block:
            self._remove(node, [turn])
            # A value has one anchor and one tag: those of the object stay, if it has any.
            self._strip(turn.start, turn.value.content if node.content > node.start else turn.value.start)
        else:
            self._strip(node.start, turn.value.start)
            self._strip(turn.value.end, node.end)

    def _replace(self, node: TreeNode, new: Any, depth: int, entry: TreeEntry | None) -> None:
        if node.block and entry is not None:
            at = self._value_start(entry)
            self._insert(at, f" {self._style.value(new)}")
            self._strip(at, node.end)
            return
        header = _BLOCK_HEADER.match(self._text, node.content) if node.style in ("|", ">") else None
        if header:
            self._edits.append((node.content, header.start("rest"), self._style.value(new)))
            self._delete(header.end(), node.end)
            return
        if isinstance(new, dict | list) and entry is not None and _is_json(entry):
            on_lines = self._is_first(entry.start) and (not node.data or self._breaks(node))
            made = self._json(new, entry, depth - 1, on_lines=on_lines)
        else:
            made = self._style.value(new, node.style)
        self._insert(node.content, made)
        self._strip(node.content, node.end)

    def _remove(self, node: TreeNode, kept: list[TreeEntry]) -> None:
        """Remove all entries of an object but some."""
        last = node.entries.index(kept[-1])
        staying = set(map(id, kept))
        for index, entry in enumerate(node.entries):
            if id(entry) in staying:
                continue
            comma = None if node.block else self._comma(entry)
            if node.block and not self._is_first(entry.start):
                self._remove_beside_dash(entry, kept[0])
            else:
                self._cut(entry.start, entry.end if comma is None else comma + 1, index > last)
        if not node.block and last < len(node.entries) - 1 and self._comma(node.entries[-1]) is None:
            comma = self._comma(kept[-1])
            assert comma is not None
            self._delete(comma, comma + 1)
            self._commas_gone.add(comma)

    def _remove_beside_dash(self, entry: TreeEntry, following: TreeEntry) -> None:
        """Remove the first entry of an object in a block list: the next one takes its place beside the dash."""
        if self._own_lines(entry.start, following.start):
            self._strip(self._before_blanks(entry.start), entry.end)
            self._delete(entry.end, self._line_end(entry.end))
        else:
            self._delete(entry.start, following.start)

    def _add(self, node: TreeNode, beside: TreeEntry, fields: dict[str, Any], depth: int, *, first: bool) -> None:
        """Add fields after an entry, or with `first` before it."""
        if not fields:
            return
        if node.block:
            self._add_lines(node, beside, fields, first)
            return
        on_lines = self._is_first(beside.start)
        lead = self._break + self._indent(beside.start) if on_lines else " "
        if _is_json(beside):
            colon, lead = (":", lead.removeprefix(" ")) if self._is_tight(beside) else (": ", lead)
            made = [
                json.dumps(name, ensure_ascii=False) + colon + self._json(value, beside, depth, on_lines=on_lines)
                for name, value in fields.items()
            ]
        else:
            made = [self._style.fields({name: value}) for name, value in fields.items()]
        if first:
            self._insert(beside.start, "".join(f"{text},{lead}" for text in made))
            return
        comment = _COMMA_AND_COMMENT.match(self._text, beside.end) if on_lines else None
        if comment is None:
            self._insert(beside.end, "".join(f",{lead}{text}" for text in made))
        elif comment["comma"] and comment.start("comma") not in self._commas_gone:
            self._insert(comment.end(), "".join(f"{lead}{text}," for text in made))
        else:
            self._insert(beside.end, ",")
            self._insert(comment.end(), lead + f",{lead}".join(made))

    def _add_lines(self, node: TreeNode, beside: TreeEntry, fields: dict[str, Any], first: bool) -> None:
        start = node.entries[0].start
        indent = " " * (start - self._line_start(start))
        lines = self._break.join(indent + line for line in self._style.block(fields).splitlines())
        if first and self._is_first(start):
            self._insert(self._line_start(beside.start), lines + self._break)
            return
        if first:
            self._insert(beside.start, (lines + self._break + indent).removeprefix(indent))
            return
        at = self._next_line(beside.end)
        # A comment that is indented further belongs to what is before it.
        while (match := _COMMENT_LINE.match(self._text, at)) and len(match["indent"]) > len(indent):
            at = self._next_line(at)
        self._insert(at, lines + self._break if self._text[at - 1] in _BREAKS else self._break + lines)

    def _json(self, value: Any, entry: TreeEntry, depth: int, *, on_lines: bool) -> str:
        """Write a value as JSON, in the layout of an entry that is `depth` levels deep."""
        if on_lines:
            indent = self._indent(entry.start)
            text = json.dumps(value, ensure_ascii=False, indent=indent[: len(indent) // depth])
            return text.replace("\n", self._break + indent)
        separators = (",", ":") if self._is_tight(entry) else (", ", ": ")
        return json.dumps(value, ensure_ascii=False, separators=separators)

    def _cut(self, start: int, end: int, last: bool) -> None:
        """Remove an entry: with its lines and the comment beside it if it is alone on them, else with its blanks."""
        after = self._after_blanks(end)
        alone = after == self._line_end(end) or self._text[after] == "#"
        if self._is_first(start) and alone:
            line = self._line_start(start)
            while True:
                following = self._next_line(line)
                comments = self._own_lines(max(line, start), min(following, end))
                if line < start or not comments:
                    self._delete(line, following)
                else:
                    self._clear(line, comments[0][0])
                if following > end or following == len(self._text):
                    return
                line = following
        elif last or alone:
            self._strip(self._before_blanks(start), end)
        else:
            self._strip(start, after)

    def _strip(self, start: int, end: int) -> None:
        """Remove everything but comments."""
        if not self._comments_within(start, end):
            self._delete(start, end)
            return
        at = start
        while at < end:
            following = self._next_line(at)
            stop = min(self._line_end(at), end)
            comment = next(iter(self._comments_within(at, stop)), None)
            if comment is not None:
                self._clear(at, comment[0])
            elif at > start and self._after_blanks(stop) == self._line_end(stop):
                self._delete(at, following)
            else:
                self._delete(at if at == start else min(self._after_blanks(at), stop), stop)
            at = following
        after = self._after_blanks(end)
        if self._text.startswith("#", after):
            self._clear(end, after)

    def _clear(self, start: int, comment: int) -> None:
        """Remove what is before a comment, but keep them apart: with no tab, which may not indent a block."""
        before = self._text[start:comment]
        kept = before[len(before.rstrip(_BLANKS)) :] or " "
        self._edits.append((start, comment, kept.replace("\t", " ") if before else ""))

    def _delete(self, start: int, end: int) -> None:
        self._edits.append((start, end, ""))

    def _insert(self, at: int, text: str) -> None:
        self._edits.append((at, at, text))

    def _line_start(self, at: int) -> int:
        return self._lines[bisect_right(self._lines, at) - 1]

    def _next_line(self, at: int) -> int:
        index = bisect_right(self._lines, at)
        return self._lines[index] if index < len(self._lines) else len(self._text)

    def _line_end(self, at: int) -> int:
        """Return where the line ends that a place is in, before its line break."""
        end = self._next_line(at)
        while end > at and self._text[end - 1] in _BREAKS:
            end -= 1
        return end

    def _before_blanks(self, at: int) -> int:
        while at > 0 and self._text[at - 1] in _BLANKS:
            at -= 1
        return at

    def _after_blanks(self, at: int) -> int:
        while at < len(self._text) and self._text[at] in _BLANKS:
            at += 1
        return at

    def _is_first(self, at: int) -> bool:
        """Return whether only blanks precede a place on its line."""
        return self._before_blanks(at) == self._line_start(at)

    def _indent(self, at: int) -> str:
        """Return the blanks at the beginning of the line that a place is in."""
        start = self._line_start(at)
        return self._text[start : self._after_blanks(start)]

    def _breaks(self, node: TreeNode) -> bool:
        return _BREAK.search(self._text, node.content, node.end) is not None

    def _is_tight(self, entry: TreeEntry) -> bool:
        """Return whether no blank follows the colon of an entry."""
        return not self._text[self._value_start(entry)].isspace()

    def _comma(self, entry: TreeEntry) -> int | None:
        """Return where the comma after an entry in flow style is, if there is one."""
        at = self._after_gap(entry.end)
        return at if self._text[at] == "," else None

    def _value_start(self, entry: TreeEntry) -> int:
        """Return the place after the colon of an entry."""
        at = self._after_gap(entry.key.end)
        return at + 1 if self._text.startswith(":", at) else at

    def _after_gap(self, at: int) -> int:
        match = _GAP.match(self._text, at)
        return match.end() if match else at

    def _comments_within(self, start: int, end: int) -> list[tuple[int, int]]:
        first = bisect_left(self._comments, (start, 0))
        return self._comments[first : bisect_left(self._comments, (end, 0))]

    def _own_lines(self, start: int, end: int) -> list[tuple[int, int]]:
        """Return the comments that have lines of their own."""
        return [comment for comment in self._comments_within(start, end) if self._is_first(comment[0])]


def _is_json(entry: TreeEntry) -> bool:
    """Return whether an entry is written as JSON would write it."""
    return entry.key.style == '"' and not entry.block


def _comments(text: str, tree: TreeNode) -> Iterator[tuple[int, int]]:
    """Yield the places of the comments in a tree: of all `#` that do not belong to a scalar."""
    at = tree.start
    for start, end in [*_scalars(tree), (tree.end, tree.end)]:
        yield from (match.span() for match in _COMMENT.finditer(text, at, max(at, start)))
        at = end


def _scalars(node: TreeNode) -> Iterator[tuple[int, int]]:
    if node.items or node.entries:
        for item in node.items:
            yield from _scalars(item)
        for entry in node.entries:
            yield from _scalars(entry.key)
            yield from _scalars(entry.value)
    elif not isinstance(node.data, dict | list):
        yield node.content, node.end
