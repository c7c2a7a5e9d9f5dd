"""Editor for YAML. Changes only the data that differs; preserves comments, layout, quotes and the order of fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from yaml.events import DocumentStartEvent, MappingEndEvent, MappingStartEvent, SequenceStartEvent

from hexrec.formats.base import Piece
from hexrec.formats.yaml import ESCAPED_BREAKS, on_one_line, parser_events, pieces, write
from hexrec.tools.edit.editor import EditError, expected_data, limit_pieces, make_edit, same
from hexrec.tools.edit.tree import TreeEntry, TreeNode, ValueStyle, patch_text

#: The escapes of line breaks within double quotes.
_ESCAPES = str.maketrans(ESCAPED_BREAKS)


class _YamlStyle(ValueStyle):
    def value(self, value: Any, style: str = "") -> str:
        if style != '"':
            keeps_quotes = style == "'" and isinstance(value, str) and value == value.translate(_ESCAPES)
            text = "'" + value.replace("'", "''") + "'" if keeps_quotes else on_one_line(value)
            if "\n" not in text:
                return text
        return super().value(value).translate(_ESCAPES)

    def field(self, name: str, value: Any, *, block: bool = False) -> str:
        if block and isinstance(value, dict | list):
            return "".join(write([{name: value}]))
        return super().field(name, value)


def _revise(piece: Piece, changed: list[dict[str, Any] | None]) -> bytes:
    """Return the bytes of a piece with changed documents."""
    documents = piece.documents
    data = expected_data(documents, changed)
    located = documents[0].text
    if located is None or all(
        document.error or same(document.data, new) for document, new in zip(documents, data, strict=True)
    ):
        return piece.raw
    sound = [(document.data, new) for document, new in zip(documents, data, strict=True) if document.error is None]
    trees = _trees(located.text, (old for old, _ in sound))
    new = patch_text(located.text, zip(trees, (new for _, new in sound), strict=True), _YamlStyle())
    return piece.raw.removesuffix(located.text.encode()) + new.encode()


def _trees(text: str, data: Iterable[Any]) -> Iterator[TreeNode]:
    """Yield the trees of the first documents of a string, given their data."""
    events: Iterator[Any] = parser_events(text)
    for value in data:
        while not isinstance(next(events), DocumentStartEvent):
            pass
        yield _node(text, next(events), events, value)


def _node(text: str, event: Any, events: Iterator[Any], data: Any) -> TreeNode:
    """Return the tree of a value, given its first event and the following events. Raises EditError."""
    start, end = event.start_mark.index, event.end_mark.index
    if isinstance(event, MappingStartEvent):
        node = TreeNode(data, start, end, block=not event.flow_style)
        while not isinstance(event := next(events), MappingEndEvent):
            key = TreeNode(event.value, event.start_mark.index, event.end_mark.index, event.style or "")
            if text[max(0, key.start - 2) : key.start].startswith("?"):
                raise EditError("the name of a field follows a question mark")
            node.entries.append(TreeEntry(key, _node(text, next(events), events, data[key.data]), node.block))
    elif isinstance(event, SequenceStartEvent):
        node = TreeNode(data, start, end, block=not event.flow_style)
        node.items = [_node(text, next(events), events, item) for item in data]
        event = next(events)
    else:
        if event.style in ("|", ">"):
            end = start + len(text[start:end].rstrip())
        return TreeNode(data, start, end, event.style or "")
    end = event.end_mark.index
    parts = node.entries or node.items
    # A block ends with its last part, as does an object without brackets in an array in flow style.
    node.end = parts[-1].end if parts and (node.block or text[end - 1] not in "]}") else end
    return node


edit_yaml = make_edit(limit_pieces(pieces), _revise)
