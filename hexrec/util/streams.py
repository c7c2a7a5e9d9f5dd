"""Streams of bytes that are made as they are asked for, and the standard streams of the program.

The standard streams fail in one way whoever uses them. Output that cannot be written ends the program at once. Errors
that cannot be written are lost, and the exit code still shows how the run went. A stream that the caller has closed is
one that cannot be used.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from io import BufferedReader, BufferedWriter, BytesIO, FileIO, RawIOBase, TextIOWrapper
from typing import Any, BinaryIO

from hexrec.errors import Error

#: What stands for standard input among the paths of a command.
STANDARD_INPUT = "-"


class OutputLost(Error):
    """Standard output cannot be written. It ends the run.

    It is no OSError, or else commands would blame a file, and typer would exit with 1 for a broken pipe, as if
    records were wrong.

    Attributes:
        reader_gone: whether it is a pipe whose reader has what it wanted, such as `head`.
    """

    def __init__(self, error: OSError) -> None:
        super().__init__(f"standard output cannot be written: {error.strerror or error}")
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
    """Make the standard streams of this process such as the module says."""
    # A file that is opened takes the lowest free number: without this, one of the input files might become standard
    # output. What is opened the wrong way round refuses to be read, or written.
    for number, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, mode), True)
    if sys.stdin is None:
        sys.stdin = TextIOWrapper(BufferedReader(FileIO(0, closefd=False)), "utf-8")
    if sys.platform == "win32" and sys.stdout is not None:
        return  # the console has a stream of its own there
    sys.stdout = TextIOWrapper(
        BufferedWriter(_Output(1, "w", closefd=False)), "utf-8", "backslashreplace", line_buffering=os.isatty(1)
    )
    sys.stderr = TextIOWrapper(
        BufferedWriter(_Errors(2, "w", closefd=False)), "utf-8", "backslashreplace", line_buffering=True
    )


def give_up() -> None:
    """Let what has not been written to standard output vanish: the interpreter tries again when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


class ReadStream(RawIOBase):
    """A stream to read from. The function `pull`, or that method of a subclass, says where the bytes come from."""

    def __init__(self, pull: Callable[[int], bytes]) -> None:
        self._pull = pull

    def pull(self, size: int) -> bytes | memoryview:
        """Return up to so many bytes; none at the end."""
        return self._pull(size)

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer as far as there is something at once; return how many bytes that are."""
        data = self.pull(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def prepended(head: bytes, rest: BinaryIO) -> BufferedReader:
    """Return a stream together with what has been read of it already: standard input cannot be rewound."""
    begun = BytesIO(head)
    return BufferedReader(ReadStream(lambda size: begun.read(size) or rest.read(size)))
