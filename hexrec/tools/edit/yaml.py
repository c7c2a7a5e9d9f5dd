"""Editor for YAML. Changes only the data that differs; preserves comments, layout, quotes and the order of fields."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from yaml.events import DocumentStartEvent, MappingEndEvent, MappingStartEvent, SequenceStartEvent

from hexrec.formats.yaml import ESCAPED_BREAKS, on_one_line, parser_events, write
from hexrec.tools.edit.tree import EditError, Patch, TreeEntry, TreeNode

#: The escapes of line breaks within double quotes.
_ESCAPES = str.maketrans(ESCAPED_BREAKS)


class YamlPatch(Patch):
    """Edits of a YAML string."""

    def write(self, value: Any, style: str = "") -> str:
        """Return a value on one line, with the quotes of the replaced scalar if possible."""
        if style != '"':
            keeps_quotes = style == "'" and isinstance(value, str) and value == value.translate(_ESCAPES)
            text = "'" + value.replace("'", "''") + "'" if keeps_quotes else on_one_line(value)
            if "\n" not in text:
                return text
        return super().write(value).translate(_ESCAPES)

    def write_field(self, name: str, value: Any, *, block: bool = False) -> str:
        """Return a field without brackets: in block style an array or an object with `block`, else on one line."""
        if block and isinstance(value, dict | list):
            return "".join(write([{name: value}]))
        return super().write_field(name, value)

    def parse(self, data: Iterable[Any]) -> Iterator[TreeNode]:
        """Yield the trees of the first documents. Raises EditError for a name after a question mark."""
        events: Iterator[Any] = parser_events(self.source)
        for value in data:
            while not isinstance(next(events), DocumentStartEvent):
                pass
            yield _node(self.source, next(events), events, value)


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
