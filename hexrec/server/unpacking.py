"""Compressed bodies, opened as they come: a piece at a time, so that nobody waits for a large one."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

from hexrec.server.problems import Problem

#: How many bytes come out at once.
_PIECE = 1 << 16
#: Says to zlib that a gzip header begins what follows.
_GZIP = 16 + zlib.MAX_WBITS


def unpacker(packing: str) -> Callable[[bytes, bool], Iterator[bytes]]:
    """Return what gives the pieces of a body for each part of it that comes, and whether more are to come.

    `packing` is its content encoding. Raises Problem, here and later.
    """
    name = packing.strip().lower()
    if name in ("", "identity"):
        return lambda part, _: iter([part])
    if name in ("gzip", "x-gzip"):
        return _Gzip().pieces
    raise Problem("unsupported-body", "send the body uncompressed, or compressed with gzip")


class _Gzip:
    def __init__(self) -> None:
        self._inflater = zlib.decompressobj(_GZIP)

    def pieces(self, part: bytes, more: bool) -> Iterator[bytes]:
        """Yield what comes out of a part."""
        while part:
            if self._inflater.eof:  # one compressed file may follow another
                self._inflater = zlib.decompressobj(_GZIP)
            try:
                yield self._inflater.decompress(part, _PIECE)
            except zlib.error as error:
                raise Problem("bad-request", f"the body is not valid gzip data: {error}") from None
            part = self._inflater.unconsumed_tail or self._inflater.unused_data
        if not more and not self._inflater.eof:
            raise Problem("bad-request", "the body is not valid gzip data: its end is missing")
