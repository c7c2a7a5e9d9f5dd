"""Find sources of records: files, folders, archives, patterns, standard input."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from glob import escape, glob, has_magic
from itertools import dropwhile
from pathlib import PurePath
from typing import BinaryIO

from hexrec import formats
from hexrec.formats.base import BYTE_ORDER_MARK, LINE_MARGIN, LIST_HEAD, Document, blank_lines
from hexrec.io.archives import is_archive, members
from hexrec.io.compression import counted, decompressed, inner_suffix
from hexrec.io.remote import file_name, is_address, matches, open_binary
from hexrec.io.stamps import unchanged
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.limits import MAX_RECORD_BYTES
from hexrec.util.streams import STANDARD_INPUT as STANDARD_INPUT
from hexrec.util.streams import prepended

#: How much is read at most to recognize a format.
_LONGEST_HEAD = MAX_RECORD_BYTES + LINE_MARGIN
#: How lines begin that are comments in one format or another, and tell nothing of what follows.
_COMMENTS = (b";", b"%")
#: What the system puts before what is in the current folder.
_HERE = os.path.join(os.curdir, "")
#: Stands for any number of folders in a pattern.
_ANY_DEPTH = "**"
#: How many names are kept of files that are passed over.
_NAMED = 100


@dataclass(frozen=True)
class Source:
    """One file that may hold records, or standard input.

    Attributes:
        name: the file as it is named in reports, its path or its address; ``-`` is standard input.
        format: its name; None to look at the content.
        archive: the archive that the file is in.
        opener: opens the file in its archive; only until the next source is asked for.
        part: the range of the file to read, if it is in JSON Lines: the lines that begin there.
    """

    name: str
    format: str | None = None
    archive: str | None = None
    opener: Callable[[], BinaryIO] | None = None
    part: range | None = None

    def documents(self) -> Generator[Document]:
        """Yield the documents of this source. Raises OSError if it cannot be read, InputChanged if it changes."""
        with self.open() as stream, unchanged(self.name, stream):
            unpacked = decompressed(stream)
            documents = formats.read(*self.recognize(unpacked))
            yield from counted(documents, getattr(unpacked, "allowance", None))

    def open(self) -> AbstractContextManager[BinaryIO]:
        """Open the file for as long as a context lasts; standard input stays open. Raises OSError."""
        if self.name == STANDARD_INPUT:
            return nullcontext(sys.stdin.buffer)
        return self.opener() if self.opener else open_binary(self.name)

    def recognize(self, stream: BinaryIO) -> tuple[str, BinaryIO]:
        """Return the name of the format that the bytes of this source are in, and a stream of all of them."""
        if self.format is not None:
            return self.format, stream
        head = _first_lines(stream)
        return formats.by_content(head), prepended(head, stream)


def _first_lines(stream: BinaryIO) -> bytes:
    """Read up to the second line that is neither blank nor a comment before the first, or more of a list.

    That is enough to recognize a format.
    """
    head = bytearray()
    lines = 0
    while lines < 2 and len(head) < _LONGEST_HEAD and (line := stream.readline(_LONGEST_HEAD)):
        head += line
        text = line.removeprefix(BYTE_ORDER_MARK).lstrip()
        if not text:
            head += blank_lines(stream)
        elif lines or not text.startswith(_COMMENTS):
            lines += 1
    if head.removeprefix(BYTE_ORDER_MARK).lstrip().startswith(b"["):
        head += stream.read(LIST_HEAD)
    return bytes(head)


class SkippedNames(list[str]):
    """Names of files that are passed over: all are counted, the first are kept.

    Attributes:
        total: how many there are.
    """

    def __init__(self) -> None:
        super().__init__()
        self.total = 0

    def append(self, name: str) -> None:
        """Count a name, and keep it if there are few."""
        self.total += 1
        if len(self) < _NAMED:
            super().append(name)


class Discovery:
    """Finds the sources that paths name: files, folders with all that is in them, sorted, archives likewise.

    A path may be an address, and a pattern that no shell has replaced by what matches it.

    In a folder or an archive, what is no file or has a name of no format is passed over and counted in
    `skipped`; what has a name that begins with a dot is not looked at, and links to folders are not followed. An
    archive's files come in its own order; archives within archives are passed over.

    A link to a file is followed where it was named itself, or where it leads to a file in one of the folders that were
    named; others are passed over and counted in `links`. With `follow_links`, all links to files are followed, and
    those to folders whose files are not found anyway.

    Attributes:
        paths: what they are found by.
    """

    def __init__(self, paths: Iterable[str], format: str | None = None, *, follow_links: bool = False) -> None:
        self.paths = list(paths)
        self._format = format
        self._follow_links = follow_links
        self._roots = {os.path.realpath(path) for path in self.paths if os.path.isdir(path)}
        self.skipped = SkippedNames()
        self.links = SkippedNames()

    def __iter__(self) -> Iterator[Source | Diagnostic]:
        """Yield a source for every file, and a diagnostic for everything that cannot be read.

        Raises InputChanged for an archive that changes.
        """
        for file in self.files():
            yield from self.opened(file)

    def again(self) -> Discovery:
        """Return what finds the same files once more, and counts what it skips by itself."""
        return Discovery(self.paths, self._format, follow_links=self._follow_links)

    def opened(self, file: Source | Diagnostic) -> Iterator[Source | Diagnostic]:
        """Yield a file, or what is in it if it is an archive. Raises InputChanged."""
        if isinstance(file, Source) and is_archive(file_name(file.name)):
            yield from _or_empty(self._archive(file.name), "archive", file.name)
        else:
            yield file

    def files(self) -> Iterator[Source | Diagnostic]:
        """Yield a source for every file, archives included, and a diagnostic for everything that cannot be read."""
        for given in self.paths:
            try:
                paths = _expanded(given)
            except OSError as error:
                yield unreadable(given, error)
                continue
            for path in paths:
                if path != given and not self._follow_links and self._is_outside(path, fixed_part(given)):
                    self.links.append(path)
                elif path != STANDARD_INPUT and os.path.isdir(path):
                    yield from _or_empty(self._folder(path), "folder", path)
                else:
                    yield Source(path, self._format or format_of(file_name(path)))

    def _folder(self, folder: str) -> Iterator[Source | Diagnostic]:
        """Walk a folder to the bottom, however deep that is."""
        levels: list[Iterator[os.DirEntry[str]]] = []
        within: str | None = folder
        while within is not None or levels:
            if within is not None:
                try:
                    levels.append(_entries(within))
                except OSError as error:
                    yield unreadable(within, error)
                within = None
            elif (entry := next(levels[-1], None)) is None:
                levels.pop()
            elif not entry.name.startswith("."):
                path = entry.path.removeprefix(_HERE)
                try:
                    is_folder = self._is_walked(path, entry)
                except OSError as error:
                    yield unreadable(path, error)
                    continue
                if is_folder:
                    within = path
                else:
                    yield from self._entry(path, entry)

    def _is_walked(self, path: str, entry: os.DirEntry[str]) -> bool:
        """Return whether an entry is a folder, or a link to one that is to be followed. Raises OSError."""
        if entry.is_dir(follow_symlinks=False):
            return True
        if self._follow_links and entry.is_symlink() and os.path.isdir(path) and self._is_outside(path):
            # All that is in it is found now: no other link leads there, or back.
            self._roots.add(os.path.realpath(path))
            return True
        return False

    def _entry(self, path: str, entry: os.DirEntry[str]) -> Iterator[Source | Diagnostic]:
        name = format_of(entry.name)
        if entry.is_symlink() and not self._follow_links and self._is_outside(path):
            if name or is_archive(entry.name) or os.path.isdir(path):
                self.links.append(path)
        elif is_archive(entry.name) and os.path.isfile(path):
            yield Source(path)
        # What is not there (a link that leads nowhere) is reported; what is no file (a pipe) is passed over.
        elif name is not None and (os.path.isfile(path) or not os.path.exists(path)):
            yield Source(path, self._format or name)
        else:
            self.skipped.append(path)

    def _is_outside(self, path: str, root: str | None = None) -> bool:
        """Return whether a path leads by links out of all folders that are walked, and out of `root`."""
        if is_address(path):
            return False
        real = PurePath(os.path.realpath(path))
        if root is not None and real.is_relative_to(os.path.realpath(root)):
            return False
        return self._roots.isdisjoint(map(str, (real, *real.parents)))

    def _archive(self, file: str) -> Iterator[Source | Diagnostic]:
        try:
            with unchanged(file):
                for member, opener in members(file):
                    name = format_of(member)
                    path = f"{file}/{member}"
                    if name is None:
                        self.skipped.append(path)
                    elif not PurePath(member).name.startswith("."):
                        yield Source(path, self._format or name, file, opener)
        except OSError as error:
            yield unreadable(file, error)


def _expanded(path: str) -> list[str]:
    """Return the paths that match a pattern, sorted; a path itself if it is none, or if nothing matches.

    Raises OSError.
    """
    if is_address(path):
        found = matches(path) if "*" in path else []
    else:
        found = matching_paths(path) if has_magic(path) and not os.path.lexists(path) else []
    return found or [path]


def matching_paths(pattern: str) -> list[str]:
    """Return the paths that match a pattern, sorted.

    ``*``, ``?`` and ``[…]`` match parts of a name, and ``**`` any number of folders, which are no links. Only what
    begins with a dot matches names that do. With ``**``, only files are found.
    """
    names = pattern.split(os.sep)
    if _ANY_DEPTH not in names:
        return sorted({path.rstrip(os.sep) for path in glob(pattern)})
    before = os.path.join(os.sep.join(names[: names.index(_ANY_DEPTH)]), "")
    after = list(dropwhile(_ANY_DEPTH.__eq__, names[names.index(_ANY_DEPTH) :])) or ["*"]
    found: set[str] = set()
    for top in glob(before) if before else [""]:
        for folder in _folders(top):
            found.update(matching_paths(os.path.join(escape(folder), *after)))
    return sorted(path for path in found if not os.path.isdir(path))


def fixed_part(pattern: str) -> str:
    """Return the folder below which everything is that matches a pattern."""
    while has_magic(pattern):
        pattern = os.path.dirname(pattern)
    return pattern or "."


def _folders(top: str) -> Iterator[str]:
    """Yield a folder and all folders below it, but none that is hidden or a link."""
    waiting = [top]
    while waiting:
        folder = waiting.pop()
        yield folder
        try:
            with os.scandir(folder or os.curdir) as entries:
                within = [each.name for each in entries if each.is_dir(follow_symlinks=False)]
        except OSError:
            continue
        waiting += [os.path.join(folder, name) for name in within if not name.startswith(".")]


def _entries(folder: str) -> Iterator[os.DirEntry[str]]:
    """Return what is in a folder, sorted. Raises OSError."""
    with os.scandir(PurePath(folder)) as entries:
        return iter(sorted(entries, key=lambda entry: entry.name))


def _or_empty(found: Iterator[Source | Diagnostic], what: str, path: str) -> Iterator[Source | Diagnostic]:
    """Pass on what was found; say so if that is nothing."""
    first = next(found, None)
    yield first or Diagnostic("syntax/empty", f"the {what} contains no record files", file=path)
    yield from found


def format_of(file: str | PurePath) -> str | None:
    """Return the name of the format that a file's name ends in, or None; .gz or the like may follow."""
    return formats.by_suffix(inner_suffix(file))


def unreadable(name: str, error: OSError) -> Diagnostic:
    """Return the diagnostic for a file or folder that the system refuses to open or read."""
    return Diagnostic("syntax/unreadable", f"cannot be read: {error.strerror or error}", file=name)
