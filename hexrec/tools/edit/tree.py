"""The tree of a JSON or YAML string: its values, each with its data and its place.

Arrays and objects are in *flow* style, in brackets, or in *block* style, by indentation (in YAML only).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from hexrec.formats.places import ParseEvent

#: The styles of block scalars.
BLOCK_STYLES = ("|", ">")


class EditError(Exception):
    """A file that cannot be edited; the message gives the reason."""


@dataclass(eq=False, repr=False)
class TreeNode:
    """A value in a string.

    Attributes:
        data: the value.
        start, end: the place, including an anchor or a tag; a block ends with its last part.
        style: the first character of a quoted scalar or block scalar (`"`, `'`, `|`, `>`), else empty.
        block: whether the value is an array or an object in block style.
        entries: the fields of an object.
        items: the values of an array.
    """

    data: Any
    start: int
    end: int
    style: str = ""
    block: bool = False
    entries: list[TreeEntry] = field(default_factory=list)
    items: list[TreeNode] = field(default_factory=list)


@dataclass(eq=False, repr=False)
class TreeEntry:
    """A field of an object.

    Attributes:
        key: the name.
        value: the value.
        block: whether the object is in block style.
    """

    key: TreeNode
    value: TreeNode
    block: bool = False

    @property
    def name(self) -> str:
        """The name of the field."""
        return str(self.key.data)

    @property
    def start(self) -> int:
        """The start of the field."""
        return self.key.start

    @property
    def end(self) -> int:
        """The end of the field; a field without a value ends with its name."""
        return max(self.key.end, self.value.end)


def parse_trees(text: str, events: Iterator[ParseEvent], data: Iterable[Any]) -> Iterator[TreeNode]:
    """Yield the trees of documents, given the brackets and scalars of the string, and the data.

    Iteration raises EditError.
    """

    def node(data: Any) -> TreeNode:
        event = next(events)
        tree = TreeNode(data, event.start, event.end, event.style, event.block)
        if isinstance(data, list):
            tree.items = [node(item) for item in data]
        elif isinstance(data, dict):
            for name, value in data.items():
                key = next(events)
                if text[max(0, key.start - 2) : key.start].startswith("?"):  # in YAML
                    raise EditError("the name of a field follows a question mark")
                key_node = TreeNode(name, key.start, key.end, key.style)
                tree.entries.append(TreeEntry(key_node, node(value), tree.block))
        if event.bracket:
            tree.end = next(events).end
            parts = tree.entries or tree.items
            # A block ends with its last part, as does an object without brackets in an array in flow style.
            if parts and (tree.block or text[tree.end - 1] not in "]}"):
                tree.end = parts[-1].end
        elif tree.style in BLOCK_STYLES:
            tree.end = tree.start + len(text[tree.start : tree.end].rstrip())
        return tree

    return map(node, data)
