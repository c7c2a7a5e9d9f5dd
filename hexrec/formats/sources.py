"""Where records come from: files, folders, standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BufferedReader, BytesIO, RawIOBase
from pathlib import Path
from typing import Any, BinaryIO

from hexrec import formats
from hexrec.diagnostics import Diagnostic
from hexrec.formats.documents import MAX_RECORD_BYTES, Document

STANDARD_INPUT = "-"
#: How much is read at most to recognise a notation.
_LONGEST_HEAD = MAX_RECORD_BYTES + 1


@dataclass(frozen=True)
class Source:
    """One file that may hold records, or standard input.

    Attributes:
        name: the file as it is named in reports; ``-`` is standard input.
        format: the notation, or None to look at the content.
    """

    name: str
    format: str | None = None

    def documents(self) -> Iterator[Document]:
        """Yield the documents of this source. Raises OSError if it cannot be read."""
        if self.name == STANDARD_INPUT:
            yield from self._read(sys.stdin.buffer)
        else:
            with open(self.name, "rb") as stream:
                yield from self._read(stream)

    def _read(self, stream: BinaryIO) -> Iterator[Document]:
        if self.format is not None:
            yield from formats.read(self.format, stream)
            return
        head = _first_lines(stream)
        yield from formats.read(formats.by_content(head), BufferedReader(_Again(head, stream)))


def _first_lines(stream: BinaryIO) -> bytes:
    """Read up to the second line that is not blank, which is enough to recognise a notation."""
    head = bytearray()
    lines = 0
    while lines < 2 and len(head) < _LONGEST_HEAD and (line := stream.readline(_LONGEST_HEAD)):
        head += line
        lines += bool(line.strip())
    return bytes(head)


class _Again(RawIOBase):
    """A stream, together with what has been read of it already: standard input cannot be rewound."""

    def __init__(self, head: bytes, rest: BinaryIO) -> None:
        self._head = BytesIO(head)
        self._rest = rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        data = self._head.read(len(buffer)) or self._rest.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


class Finder:
    """Finds the sources that paths stand for: files as they are, folders with all that is in them, sorted.

    In a folder, what is no file or has a name that tells no notation is passed over and counted in `skipped`; what
    has a name that begins with a dot is not looked at, and links to folders are not followed.
    """

    def __init__(self, paths: Iterable[str], format: str | None = None) -> None:
        self._paths = list(paths)
        self._format = format
        self.skipped: list[str] = []

    def __iter__(self) -> Iterator[Source | Diagnostic]:
        """Yield a source for every file, and a diagnostic for everything that cannot be read."""
        for path in self._paths:
            if path != STANDARD_INPUT and os.path.isdir(path):
                found = False
                for item in self._folder(path):
                    found = True
                    yield item
                if not found:
                    yield Diagnostic("syntax/empty", "the folder holds no file of records", file=path)
            else:
                yield Source(path, self._format or formats.by_file_name(path))

    def _folder(self, folder: str) -> Iterator[Source | Diagnostic]:
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            yield unreadable(folder, error)
            return
        for entry in entries:
            path = str(Path(folder, entry.name))
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                yield from self._folder(path)
                continue
            name = formats.by_file_name(entry.name)
            # What is not there (a link that leads nowhere) is reported; what is no file (a pipe) is passed over.
            if name is not None and (os.path.isfile(path) or not os.path.exists(path)):
                yield Source(path, self._format or name)
            else:
                self.skipped.append(path)


def unreadable(name: str, error: OSError) -> Diagnostic:
    """Return the diagnostic for a file or folder that the system refuses to open or read."""
    return Diagnostic("syntax/unreadable", f"cannot be read: {error.strerror or error}", file=name)
