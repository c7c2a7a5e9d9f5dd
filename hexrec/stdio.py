"""The standard streams of the program, which fail in one way whoever uses them.

Output that cannot be written ends the program at once. What is said on standard error and cannot be written is lost,
and the exit code still shows how the run went. A stream that the caller has closed is one that cannot be used.
"""

from __future__ import annotations

import os
import sys
from io import BufferedReader, BufferedWriter, FileIO, TextIOWrapper
from typing import Any

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
