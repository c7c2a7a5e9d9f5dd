"""Records of Abstract Play are read and never edited: their files stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, cast

from hexrec.edit.editor import Change, Editor, Segment
from hexrec.files.streams import RecordedStream
from hexrec.notations.abstractplay import raw_documents


def _leave(stream: BinaryIO, change: Change) -> Iterator[Segment]:
    recorded = RecordedStream(stream)
    for document in raw_documents(cast(BinaryIO, recorded)):
        change(document)
        yield _taken(recorded)
    yield _taken(recorded)


def _taken(recorded: RecordedStream) -> Segment:
    """Return what was read since this was called last."""
    raw = b"".join(recorded.parts)
    recorded.parts.clear()
    return Segment(raw, raw)


EDITOR = Editor(_leave, _leave, raw_documents)
