"""Lazy byte streams, and the standard streams of the program.

A write to stdout that fails ends the program at once. A write to stderr that fails is dropped, and the exit code still
shows the outcome of the run. Reads and writes on a stream that the caller has closed fail.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from io import BufferedReader, BufferedWriter, BytesIO, FileIO, RawIOBase, TextIOWrapper
from typing import IO, Any, BinaryIO, cast

from hexrec.errors import Error

#: Path argument that means stdin.
STANDARD_INPUT = "-"


class OutputLost(Error):
    """Writing to stdout failed; ends the run.

    It is no OSError: commands would report a file, and Typer would exit with 1 (invalid records) for a broken pipe.

    Attributes:
        reader_gone: whether stdout is a pipe whose reader, such as `head`, has exited.
    """

    def __init__(self, error: OSError) -> None:
        super().__init__(f"stdout cannot be written: {error.strerror or error}")
        self.reader_gone = isinstance(error, BrokenPipeError)


class _Output(FileIO):
    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            raise OutputLost(error) from None


class _Errors(FileIO):
    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError:
            return len(data)


def take_over() -> None:
    """Install the standard streams that the module describes."""
    # An opened file takes the lowest free descriptor: without this, an input file might become stdout. The null device
    # is opened in the opposite mode, so that reading stdin and writing stdout or stderr fail.
    for number, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, mode), True)
    if sys.stdin is None:
        sys.stdin = TextIOWrapper(BufferedReader(FileIO(0, closefd=False)), "utf-8")
    if sys.platform == "win32" and sys.stdout is not None:
        return  # the console has its own stream there
    sys.stdout = TextIOWrapper(
        BufferedWriter(_Output(1, "w", closefd=False)), "utf-8", "backslashreplace", line_buffering=os.isatty(1)
    )
    sys.stderr = TextIOWrapper(
        BufferedWriter(_Errors(2, "w", closefd=False)), "utf-8", "backslashreplace", line_buffering=True
    )


def give_up() -> None:
    """Discard buffered output, which the interpreter would otherwise flush to stdout at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


class ReadStream(RawIOBase):
    """Readable stream whose bytes come from `pull`, which returns up to a number of bytes, and none at the end."""

    def __init__(self, pull: Callable[[int], bytes | memoryview]) -> None:
        self.pull = pull

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Copy the next bytes into a buffer; return their number."""
        data = self.pull(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def peekable(stream: BinaryIO) -> BufferedReader:
    """Return a buffered stream with the data of a stream, or the stream itself if it is buffered."""
    return cast(BufferedReader, stream) if hasattr(stream, "peek") else BufferedReader(cast(Any, stream))


def prepend(head: bytes, stream: IO[bytes]) -> BufferedReader:
    """Return a stream that starts with bytes already read from `stream`: stdin cannot be rewound."""
    begun = BytesIO(head)
    read = getattr(stream, "read1", stream.read)  # `read` of a buffered stream would lose the data before an error
    return BufferedReader(ReadStream(lambda size: begun.read(size) or read(size)))
