"""Zstandard, by whichever library there is: that of Python 3.14, backports.zstd, zstandard or pyarrow."""

from __future__ import annotations

import io
from collections.abc import Callable
from importlib import import_module
from typing import Any, BinaryIO, NamedTuple, cast

from hexrec.util import limits
from hexrec.util.streams import ReadStream

#: The libraries, the preferred one first.
LIBRARIES = ("compression.zstd", "backports.zstd", "zstandard", "pyarrow")
#: The window that pyarrow accepts at most, as a power of two.
_WINDOW_OF_PYARROW = 27
#: The number of compressed bytes that zstandard gets at a time: it returns all that becomes of them, up to 32 MB.
_STEP = 1024


class Zstd(NamedTuple):
    """A library.

    Attributes:
        open: returns a stream of the decompressed data of a stream, within the limit for the window.
        compress: returns a frame.
    """

    open: Callable[[BinaryIO], BinaryIO]
    compress: Callable[[bytes], bytes]


def find_zstd() -> Zstd | None:
    """Return the first library that is installed, or None."""
    for name in LIBRARIES:
        if name == "pyarrow" and limits.MAX_ZSTD_WINDOW_LOG < _WINDOW_OF_PYARROW:
            continue
        try:
            library: Any = import_module(name)
        except ImportError:
            continue
        return {"zstandard": _zstandard, "pyarrow": _pyarrow}.get(name, _standard)(library)
    return None


def _standard(library: Any) -> Zstd:
    options = {library.DecompressionParameter.window_log_max: limits.MAX_ZSTD_WINDOW_LOG}
    return Zstd(lambda stream: cast(BinaryIO, library.open(stream, options=options)), library.compress)


def _pyarrow(library: Any) -> Zstd:
    def read(stream: BinaryIO) -> BinaryIO:
        source = library.CompressedInputStream(library.PythonFile(stream, mode="r"), "zstd")
        return io.BufferedReader(ReadStream(source.read))

    codec = library.Codec("zstd")
    return Zstd(read, lambda data: bytes(codec.compress(data, asbytes=True)))


def _zstandard(library: Any) -> Zstd:
    def read(stream: BinaryIO) -> BinaryIO:
        return io.BufferedReader(_Zstandard(library, stream))

    return Zstd(read, lambda data: bytes(library.ZstdCompressor().compress(data)))


class _Zstandard(ReadStream):
    """Decompressed data. The stream of the library takes truncated data for whole."""

    def __init__(self, library: Any, stream: BinaryIO) -> None:
        decompressor = library.ZstdDecompressor(max_window_size=1 << limits.MAX_ZSTD_WINDOW_LOG)
        self._new = decompressor.decompressobj
        self._frame: Any = None
        self._stream = stream
        self._compressed = self._ready = b""

    def pull(self, size: int) -> bytes:
        while not self._ready:
            compressed = self._compressed or self._stream.read(_STEP)
            if not compressed:
                if self._frame is not None:
                    raise EOFError("it is truncated")
                return b""
            self._frame = self._frame or self._new()
            self._compressed = b""
            self._ready = self._frame.decompress(compressed)
            if self._frame.eof:
                self._compressed, self._frame = self._frame.unused_data, None
        data, self._ready = self._ready[:size], self._ready[size:]
        return data
