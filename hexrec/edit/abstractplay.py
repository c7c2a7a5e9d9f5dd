"""Records of Abstract Play are read and never edited: their files stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO, cast

from hexrec.edit.editor import Change, Editor, Segment
from hexrec.notations.abstractplay import raw_documents
from hexrec.streams import ReadStream


def _edit(stream: BinaryIO, change: Change) -> Iterator[Segment]:
    passed = bytearray()

    def pull(size: int) -> bytes:
        data = stream.read(size)
        passed.extend(data)
        return data

    for document in raw_documents(cast(Any, ReadStream(pull))):
        change(document)
        yield Segment(bytes(passed), bytes(passed))
        passed.clear()
    yield Segment(bytes(passed), bytes(passed))


EDITOR = Editor(_edit, _edit, raw_documents)
