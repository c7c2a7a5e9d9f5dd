"""Minimal edits of JSON and YAML strings that preserve comments, layout and the order of fields.

The new data is compared with the tree of the string, from the top. Where they differ, a scalar is replaced, or an entry
of an object is removed or added.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator
from difflib import SequenceMatcher
from typing import Any, NamedTuple

from hexrec.formats.base import Piece
from hexrec.formats.json import parse_events
from hexrec.formats.places import ParseEvent
from hexrec.tools.edit.tree import BLOCK_STYLES, EditError, TreeEntry, TreeNode, parse_trees
from hexrec.util.diagnostics import pointer_to

_BREAKS = "\n\r"
_BREAK = re.compile(f"\r\n|[{_BREAKS}]")
_INDENT = re.compile("[ \t]*")
#: The whitespace, comments and colon between the name of a field and its value.
_GAP = re.compile(rf"(?:\s|#[^{_BREAKS}]*)*:?")
_COMMENT_LINE = re.compile("(?P<indent>[ \t]*)#")
_COMMENT = re.compile(r"[\s,\[{]#")
_OWN_COMMENT = re.compile(rf"[{_BREAKS}][ \t]*#")
_BLOCK_HEADER = re.compile(rf"[|>][-+0-9]*(?P<rest>[ \t]*(?:#[^{_BREAKS}]*)?)")
#: The maximum number of items of an array between the first and the last change that are compared one by one.
_COMPARED = 300
_ITEM = re.compile("[ \t]*-[ \t]+")
_LOST = "a comment is inside a value that changes its form"


def same(one: object, other: object) -> bool:
    """Return whether two values are equal in any order of fields.

    1 and 1.0 differ, because they are written differently.
    """
    return one is other or json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


class TextEdit(NamedTuple):
    """A replacement of a part of a string.

    Attributes:
        start, end: the offsets of the part.
        text: the new text.
        pointer: JSON Pointer of the value that changes.
    """

    start: int
    end: int
    text: str
    pointer: str


def apply_edits(text: str, edits: Iterable[TextEdit]) -> str:
    """Return a string after some edits."""
    parts = []
    at = 0
    for start, end, new, _ in sorted(edits, key=lambda edit: edit[:2]):
        parts += [text[at:start], new]
        at = max(at, end)
    return "".join([*parts, text[at:]])


class Patch:
    """Edits of a JSON string, collected and then applied together; a subclass edits another format.

    Attributes:
        source: the string.
        edits: the edits so far.
    """

    def __init__(self, text: str) -> None:
        self.source = text
        self.edits: list[TextEdit] = []
        self._path: list[int | str] = []
        self._lines = [0, *(match.end() for match in _BREAK.finditer(text))]
        first_break = _BREAK.search(text)
        self._break = first_break[0] if first_break else "\n"

    def write(self, value: Any, style: str = "") -> str:
        """Return a value on one line, in flow style; `style` is the style of the replaced scalar."""
        del style
        return self.to_json(value)

    def to_json(self, value: Any, **layout: Any) -> str:
        """Return a value as JSON in a layout of `json.dumps`."""
        return json.dumps(value, ensure_ascii=False, **layout)

    def write_field(self, name: str, value: Any) -> str:
        """Return a field without brackets, in the style of a block; it may take several lines."""
        return self.write({name: value})[1:-1]

    def parse_events(self, begins: int = 0) -> Iterator[ParseEvent]:
        """Yield the brackets and scalars of the string from an offset on."""
        return parse_events(self.source, begins)

    def parse(self, data: Iterable[Any], begins: int = 0) -> Iterator[TreeNode]:
        """Yield the trees of the documents of the string from an offset on, given their data.

        Iteration raises EditError.
        """
        return parse_trees(self.source, self.parse_events(begins), data)

    @property
    def text(self) -> str:
        """The string with all edits applied. Where edits overlap, all deletions and all insertions apply."""
        return apply_edits(self.source, self.edits)

    def change(self, node: TreeNode, new: Any, depth: int = 1, entry: TreeEntry | None = None) -> None:
        """Change the data of a node. Raises EditError if a comment would be lost, except that of a removed field."""
        old = node.data
        if old is new:
            return
        if isinstance(old, dict) and isinstance(new, dict) and old and new:
            self._change_object(node, new, depth, entry)
        elif same(old, new):
            return
        elif isinstance(old, list) and isinstance(new, list) and (len(old) == len(new) or self._has_room(node, new)):
            self._change_list(node, new, depth)
        elif isinstance(old, dict) and isinstance(new, str) and "turn" in old:
            self._unwrap(node, next(entry for entry in node.entries if entry.name == "turn"), new)
        else:
            self._replace(node, new, depth, entry)

    def _change_object(self, node: TreeNode, new: dict[str, Any], depth: int, entry: TreeEntry | None) -> None:
        kept = [part for part in node.entries if part.name in new]
        renamed = {} if len(kept) == len(node.entries) else _find_renamed(node, new)
        if not kept and not renamed:
            self._replace(node, new, depth, entry)
            return
        for part in node.entries if renamed else ():
            self._at(part.name, self._rename, part, renamed.get(part.name, part.name))
        if not renamed:
            self._remove(node, kept)
        for part in node.entries if renamed else kept:
            name = renamed.get(part.name, part.name)
            self._at(name, self.change, part.value, new[name], depth + 1, part)
        if renamed:
            return
        by_name = {part.name: part for part in kept}
        before: TreeEntry | None = None
        added: dict[TreeEntry | None, dict[str, Any]] = {}
        for name, value in new.items():
            if name in by_name:
                before = by_name[name]
            else:
                added.setdefault(before, {})[name] = value
        for before, fields in added.items():
            self._path.append(next(iter(fields)))
            self._add(node, before or kept[0], fields, depth, first=before is None)
            self._path.pop()

    def _at(self, step: int | str, edit: Callable[..., None], *arguments: Any) -> None:
        """Make the edits of a part of the current value."""
        self._path.append(step)
        edit(*arguments)
        self._path.pop()

    def _rename(self, entry: TreeEntry, name: str) -> None:
        if entry.name != name:
            self._put(entry.key.start, entry.key.end, self.write(name, entry.key.style))

    def _has_room(self, node: TreeNode, new: list[Any]) -> bool:
        """Return whether items of an array can be added or removed one by one: some stay, on lines of their own."""
        items = node.items
        if not items or not new:
            return False
        if node.block:
            return all(_ITEM.fullmatch(self.source, self._line_start(item.start), item.start) for item in items)
        return "#" not in self.source[items[0].end : items[min(1, len(items) - 1)].start]

    def _change_list(self, node: TreeNode, new: list[Any], depth: int) -> None:
        """Change, add and remove items of an array."""
        old, items = node.data, node.items
        start, ends = 0, (len(old), len(new))
        # Most changes are in one place; to compare all items with all others would take long.
        if len(old) != len(new):
            while start < min(ends) and same(old[start], new[start]):
                start += 1
            while min(ends) > start and same(old[ends[0] - 1], new[ends[1] - 1]):
                ends = ends[0] - 1, ends[1] - 1
        changes: Iterable[tuple[str, int, int, int, int]] = [("replace", 0, ends[0] - start, 0, ends[1] - start)]
        if ends[0] - ends[1] and max(ends) - start <= _COMPARED:
            parts = old[start : ends[0]], new[start : ends[1]]
            one, other = ([json.dumps(item, sort_keys=True) for item in part] for part in parts)
            changes = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
        for change, first, last, new_first, new_last in changes:
            if change == "equal":
                continue
            at, new_at = start + first, start + new_first
            pairs = min(last - first, new_last - new_first)
            for index in range(pairs):
                self._at(at + index, self.change, items[at + index], new[new_at + index], depth + 1)
            if last > first + pairs:
                self._at(at + pairs, self._remove_items, node, at + pairs, start + last)
            elif new_last > new_first + pairs:
                self._at(at + pairs, self._add_items, node, at + pairs, new[new_at + pairs : start + new_last])

    def _remove_items(self, node: TreeNode, start: int, end: int) -> None:
        items = node.items
        if node.block:
            self._delete(self._line_start(items[start].start), self._next_line(items[end - 1].end))
        elif start:
            self._delete(items[start - 1].end, items[end - 1].end, _COMMENT)
        else:
            self._delete(items[0].start, items[end].start if end < len(items) else items[end - 1].end, _COMMENT)

    def _add_items(self, node: TreeNode, at: int, values: list[Any]) -> None:
        """Add items before an index, in the style of the first one."""
        items = node.items
        first = next((item for item in items if not isinstance(item.data, dict | list)), items[0])
        texts = [self.write(value, first.style) for value in values]
        if node.block:
            lead = self.source[self._line_start(items[0].start) : items[0].start]
            lines = self._break.join(lead + text for text in texts)
            place = self._next_line(items[at - 1].end) if at else self._line_start(items[0].start)
            is_whole = not place or self.source[place - 1] in _BREAKS
            self._insert(place, lines + self._break if is_whole else self._break + lines)
            return
        between = self.source[items[0].end : items[1].start] if len(items) > 1 else ", "
        if at:
            self._insert(items[at - 1].end, "".join(between + text for text in texts))
        else:
            self._insert(items[0].start, "".join(text + between for text in texts))

    def _unwrap(self, node: TreeNode, turn: TreeEntry, text: str) -> None:
        """Replace an object by its turn, its only remaining field."""
        self._check_start(node)
        self.change(turn.value, text, 0, turn)
        if node.block:
            self._remove(node, [turn])
            self._delete(turn.start, turn.value.start, _COMMENT)
        else:
            self._delete(node.start, turn.value.start, _COMMENT)
            self._delete(turn.value.end, node.end, _COMMENT)

    def _check_start(self, node: TreeNode) -> None:
        """Raise EditError if an array or an object has an anchor or a tag, which a new value cannot take over."""
        if self.source[node.start] in "&!":
            raise EditError("an array or an object that changes its form has an anchor or a tag")

    def _replace(self, node: TreeNode, new: Any, depth: int, entry: TreeEntry | None) -> None:
        if node.block and entry is not None:
            at = self._value_start(entry)
            self._check_start(node)
            self._insert(at, f" {self.write(new)}")
            line_end = self.source[at : self._next_line(at)].rstrip(_BREAKS)
            self._delete(at + len(line_end), node.end, _COMMENT)
            return
        header = _BLOCK_HEADER.match(self.source, node.start) if node.style in BLOCK_STYLES else None
        if header:
            self._put(node.start, header.start("rest"), self.write(new))
            self._delete(header.end(), node.end, None)
            return
        if isinstance(new, dict | list) and entry is not None and _is_json(entry):
            breaks = _BREAK.search(self.source, node.start, node.end)
            on_lines = self._is_first(entry.start) and (not node.data or breaks is not None)
            replacement = self._json(new, entry, depth - 1, on_lines=on_lines)
        else:
            replacement = self.write(new, node.style)
        if isinstance(node.data, dict | list):
            self._check_comments(node.start, node.end, _COMMENT)
        self._put(node.start, node.end, replacement)

    def _remove(self, node: TreeNode, kept: list[TreeEntry]) -> None:
        """Remove all entries of an object except `kept`."""
        entries = node.entries
        staying = set(kept)
        last = entries.index(kept[-1])
        for index, entry in enumerate(entries):
            if entry in staying:
                continue
            if node.block and self._is_first(entry.start):
                place = self._line_start(entry.start), self._next_line(entry.end)
            elif index < last:
                place = entry.start, entries[index + 1].start
            else:
                before = entries[index - 1].end
                if "#" in self.source[before : entry.start]:
                    raise EditError(_LOST)
                place = before, entry.end
            self._at(entry.name, self._delete, *place)

    def _add(self, node: TreeNode, neighbor: TreeEntry, fields: dict[str, Any], depth: int, *, first: bool) -> None:
        """Add fields after an entry, or before it with `first`."""
        if node.block:
            self._add_lines(node, neighbor, fields, first)
            return
        on_lines = self._is_first(neighbor.start)
        lead = self._break + self._indent(neighbor.start) if on_lines else " "
        if _is_json(neighbor):
            colon, lead = (":", lead.removeprefix(" ")) if self._is_tight(neighbor) else (": ", lead)
            texts = [
                self.to_json(name) + colon + self._json(value, neighbor, depth, on_lines=on_lines)
                for name, value in fields.items()
            ]
        else:
            texts = [self.write({name: value})[1:-1] for name, value in fields.items()]
        if first:
            self._insert(neighbor.start, "".join(f"{text},{lead}" for text in texts))
        else:
            self._insert(neighbor.end, "".join(f",{lead}{text}" for text in texts))

    def _add_lines(self, node: TreeNode, neighbor: TreeEntry, fields: dict[str, Any], first: bool) -> None:
        start = node.entries[0].start
        indent = " " * (start - self._line_start(start))
        texts = (self.write_field(name, value) for name, value in fields.items())
        lines = self._break.join(indent + line for text in texts for line in text.splitlines())
        if first and self._is_first(start):
            self._insert(self._line_start(neighbor.start), lines + self._break)
            return
        if first:
            self._insert(neighbor.start, (lines + self._break + indent).removeprefix(indent))
            return
        at = self._next_line(neighbor.end)
        # A comment with more indentation belongs to the previous field.
        while (match := _COMMENT_LINE.match(self.source, at)) and len(match["indent"]) > len(indent):
            at = self._next_line(at)
        self._insert(at, lines + self._break if self.source[at - 1] in _BREAKS else self._break + lines)

    def _json(self, value: Any, entry: TreeEntry, depth: int, *, on_lines: bool) -> str:
        """Return a value as JSON, in the layout of an entry at level `depth`."""
        if on_lines:
            indent = self._indent(entry.start)
            text = self.to_json(value, indent=indent[: len(indent) // depth])
            return text.replace("\n", self._break + indent)
        separators = (",", ":") if self._is_tight(entry) else (", ", ": ")
        return self.to_json(value, separators=separators)

    def _delete(self, start: int, end: int, comment: re.Pattern[str] | None = _OWN_COMMENT) -> None:
        """Remove a part of the string. Raises EditError if it contains a possible comment."""
        self._check_comments(start, end, comment)
        self._put(start, end, "")

    def _check_comments(self, start: int, end: int, comment: re.Pattern[str] | None) -> None:
        if comment is not None and comment.search(self.source, start, end):
            raise EditError(_LOST)

    def _insert(self, at: int, text: str) -> None:
        self._put(at, at, text)

    def _put(self, start: int, end: int, text: str) -> None:
        self.edits.append(TextEdit(start, end, text, pointer_to(self._path)))

    def _line_start(self, at: int) -> int:
        return self._lines[bisect_right(self._lines, at) - 1]

    def _next_line(self, at: int) -> int:
        index = bisect_right(self._lines, at)
        return self._lines[index] if index < len(self._lines) else len(self.source)

    def _is_first(self, at: int) -> bool:
        """Return whether only whitespace precedes a place on its line."""
        return self._line_start(at) + len(self._indent(at)) >= at

    def _indent(self, at: int) -> str:
        indent = _INDENT.match(self.source, self._line_start(at))
        return indent[0] if indent else ""

    def _is_tight(self, entry: TreeEntry) -> bool:
        """Return whether no whitespace follows the colon of an entry."""
        return not self.source[self._value_start(entry)].isspace()

    def _value_start(self, entry: TreeEntry) -> int:
        """Return the place after the colon of an entry."""
        gap = _GAP.match(self.source, entry.key.end)
        return gap.end() if gap else entry.key.end


def _find_renamed(node: TreeNode, new: dict[str, Any]) -> dict[str, str]:
    """Return the new names of fields by their old names, if nothing but names changes; else an empty dictionary."""
    pairs = [*zip(node.entries, new, strict=False)]
    if len(node.entries) != len(new):
        return {}
    old_names = {entry.name for entry in node.entries}
    if any(entry.name != name and (entry.name in new or name in old_names) for entry, name in pairs):
        return {}
    return {entry.name: name for entry, name in pairs if entry.name != name}


def _is_json(entry: TreeEntry) -> bool:
    return entry.key.style == '"' and not entry.block


def patch_piece(patch_type: type[Patch], piece: Piece, changed: list[dict[str, Any] | None]) -> bytes:
    """Return the bytes of a piece with changed documents. Raises EditError."""
    located = piece.documents[0].text
    sound = [
        (document.data, document.data if new is None else new)
        for document, new in zip(piece.documents, changed, strict=True)
        if document.error is None
    ]
    if located is None or all(same(old, new) for old, new in sound):
        return piece.raw
    patch = patch_type(located.text)
    for tree, (_, new) in zip(patch.parse(old for old, _ in sound), sound, strict=True):
        patch.change(tree, new)
    before, _, after = piece.raw.rpartition(located.text.encode())
    return before + patch.text.encode() + after
