"""Editing JSON: formatted, a file is the canonical text of its record; patched, only what differs changes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any, BinaryIO

from hexrec.edit.editor import Change, Edit, EditError, Editor, Segment, check
from hexrec.edit.tree import TreeEntry, TreeNode, ValueStyle, patched
from hexrec.limits import MAX_RECORD_BYTES
from hexrec.notations.base import BYTE_ORDER_MARK, LocatedText, Write
from hexrec.notations.json import find_places, parse, read, write
from hexrec.notations.places import Places, Span

#: Makes of the bytes of one record those of the same record with other data. Raises EditError.
Revise = Callable[[bytes, dict[str, Any]], bytes]


def formatting(write: Write) -> Revise:
    """Return the function that replaces a record's text by the canonical one."""

    def format_record(_: bytes, new: dict[str, Any]) -> bytes:
        made = "".join(write([new]))
        check([parse(LocatedText(made))], [new])
        raw = made.encode()
        if len(raw) > MAX_RECORD_BYTES:
            raise EditError("its canonical text would be too large to be read")
        return raw

    return format_record


def patch(raw: bytes, new: dict[str, Any]) -> bytes:
    """Return the bytes of a record with other data; blanks, the order of fields and the byte-order mark stay."""
    content = raw.removeprefix(BYTE_ORDER_MARK)
    text = content.decode()
    made = patched(text, [(_tree(text), new)], ValueStyle())
    check([parse(LocatedText(made))], [new])
    return raw.removesuffix(content) + made.encode()


def _tree(text: str) -> TreeNode:
    starts = [0, *(match.end() for match in re.finditer("\n", text))]

    def offsets(span: Span) -> tuple[int, int]:
        return starts[span.line - 1] + span.column - 1, starts[span.end_line - 1] + span.end_column - 1

    def node(data: Any, places: Places) -> TreeNode:
        assert places.value is not None
        made = TreeNode(data, *offsets(places.value))
        if isinstance(data, list):
            made.items = [node(item, part(places, str(index))) for index, item in enumerate(data)]
        elif isinstance(data, dict):
            for name, value in data.items():
                found = part(places, name)
                assert found.key is not None
                made.entries.append(TreeEntry(TreeNode(name, *offsets(found.key), style='"'), node(value, found)))
        return made

    def part(places: Places, step: str) -> Places:
        found = places.part(step)
        assert found is not None
        return found

    located = LocatedText(text)
    return node(parse(located).data, find_places(located))


def _editing(revise: Revise) -> Edit:
    def edit(stream: BinaryIO, change: Change) -> Iterator[Segment]:
        raw = stream.read(len(BYTE_ORDER_MARK) + MAX_RECORD_BYTES + 1)
        for document in read(BytesIO(raw)):
            new = change(document)
            yield Segment(raw, raw if new is None else revise(raw, new))

    return edit


EDITOR = Editor(_editing(formatting(write)), _editing(patch))
