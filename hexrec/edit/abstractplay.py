"""Records of Abstract Play are read and never edited: their files stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO, cast

from hexrec.edit.editor import Change, Editor, Segment
from hexrec.notations.abstractplay import raw_documents


class _Recorded:
    """A stream that remembers what was read from it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._parts: list[bytes] = []

    def read(self, size: int = -1) -> bytes:
        """Read some bytes."""
        self._parts.append(self._stream.read(size))
        return self._parts[-1]

    def take(self) -> Segment:
        """Return what was read since this was called last."""
        raw = b"".join(self._parts)
        self._parts = []
        return Segment(raw, raw)


def _leave(stream: BinaryIO, change: Change) -> Iterator[Segment]:
    recorded = _Recorded(stream)
    for document in raw_documents(cast(BinaryIO, recorded)):
        change(document)
        yield recorded.take()
    yield recorded.take()


EDITOR = Editor(_leave, _leave, raw_documents)
