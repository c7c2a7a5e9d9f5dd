"""Where records come from: files, folders, standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from io import BufferedReader
from pathlib import Path
from typing import BinaryIO, cast

from hexrec import formats
from hexrec.diagnostics import Diagnostic
from hexrec.formats.documents import Document

STANDARD_INPUT = "-"
_HEAD = 64 * 1024


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
        name = self.format or formats.by_content(cast(BufferedReader, stream).peek(_HEAD)[:_HEAD])
        yield from formats.get(name).read(stream)


class Finder:
    """Finds the sources that paths stand for: files as they are, folders with all that is in them, sorted.

    In a folder, files whose names tell no notation are passed over and counted in `skipped`; files and folders
    whose names begin with a dot are not looked at, and links to folders are not followed.
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
            elif entry.is_dir():
                self.skipped.append(path)
            elif (name := formats.by_file_name(entry.name)) is not None:
                yield Source(path, self._format or name)
            else:
                self.skipped.append(path)


def unreadable(name: str, error: OSError) -> Diagnostic:
    """Return the diagnostic for a file or folder that the system refuses to open or read."""
    return Diagnostic("syntax/unreadable", f"cannot be read: {error.strerror or error}", file=name)
