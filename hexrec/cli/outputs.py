"""Where the output of commands goes: files that appear whole or not at all, standard output."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, TextIO, TypeVar

from hexrec.cli.console import fail, or_fail
from hexrec.formats.base import TogetherError
from hexrec.io.outputs import Locked, atomic_write, atomic_write_bytes, locked
from hexrec.tools.convert import Converted

_Stream = TypeVar("_Stream")


def text(path: Path | None) -> AbstractContextManager[TextIO]:
    """Open where text goes: a file that appears whole or not at all, or standard output."""
    return _standard(sys.stdout) if path is None else _file(path, atomic_write)


def binary(path: Path | None) -> AbstractContextManager[BinaryIO]:
    """Open where bytes go, like `text`."""
    return _standard(sys.stdout.buffer) if path is None else _file(path, atomic_write_bytes)


@contextmanager
def _standard(stream: _Stream) -> Iterator[_Stream]:
    yield stream
    sys.stdout.flush()


@contextmanager
def _file(path: Path, whole: Callable[..., AbstractContextManager[_Stream]]) -> Iterator[_Stream]:
    with or_fail(path, "written"), whole(path) as stream:
        yield stream


def refuse_existing(path: Path | None) -> None:
    """End the command if a file is there that is not to be overwritten."""
    if path is not None:
        with or_fail(path, "written"):
            if path.is_file():
                fail(f"{path}: already exists: --force overwrites it")


@contextmanager
def reserved(path: Path | None) -> Iterator[None]:
    """Let no other run keep a checkpoint for an output file, from now on; end the command if one does already."""
    with ExitStack() as stack:
        if path is not None and (not path.exists() or path.is_file()):
            with or_fail(path, "written"):
                try:
                    stack.enter_context(locked(path))
                except Locked as reason:
                    fail(str(reason))
        yield


def join(converted: Iterable[Converted], target: Path | None, hint: str = "") -> int:
    """Write records to one file or to standard output; return how many. Where there is none, no file appears.

    `hint` says what else to do where the format cannot hold the records together.
    """
    texts = (each.text for each in converted if each.text is not None)
    written = 0
    try:
        # The second text shows whether the format can hold them together, before anything is written.
        if not (first_two := list(islice(texts, 2))):
            return 0
        with text(target) as out:
            for each in chain(first_two, texts):
                out.write(each)
                written += 1
    except TogetherError as error:
        fail(f"{error}{hint}")
    return written
