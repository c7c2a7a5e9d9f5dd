"""Discovery of input files: paths, directories, archives, patterns, URLs and stdin."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from glob import escape, glob, has_magic
from itertools import dropwhile
from pathlib import PurePath
from typing import BinaryIO

from hexrec import formats
from hexrec.errors import reason_of
from hexrec.formats.base import BYTE_ORDER_MARK, LINE_MARGIN, Document, blank_lines
from hexrec.io.archives import is_archive, is_plain
from hexrec.io.compression import count_toward, decompress_stream, inner_suffix
from hexrec.io.frames import find_frames
from hexrec.io.remote import file_name, is_address, matches, open_binary, size_of
from hexrec.io.stamps import InputChanged, expect_unchanged
from hexrec.rules.terms import join_words
from hexrec.util.diagnostics import Diagnostic, FirstFew, diagnose_error
from hexrec.util.limits import MAX_RECORD_BYTES, SETTINGS_FILES
from hexrec.util.streams import STANDARD_INPUT as STANDARD_INPUT
from hexrec.util.streams import prepend

#: Maximum number of bytes read to recognize a format.
_LONGEST_HEAD = MAX_RECORD_BYTES + LINE_MARGIN
#: Start of lines that are comments in some format, and do not identify it.
_COMMENTS = (b";", b"%")
#: Prefix of the paths that the system returns for entries of the current directory.
_HERE = os.path.join(os.curdir, "")
#: Matches any number of directories in a pattern.
_ANY_DEPTH = "**"


@dataclass(eq=False)
class Source:
    """An input file, or stdin.

    Attributes:
        name: its name in reports, a path or URL; ``-`` is stdin.
        format: the name of its format; None to recognize it from the content.
        archive: the archive that contains the file.
        root: the directory or archive that was searched for the file, or the fixed part of a pattern; None for a file
            that was named itself.
        opener: opens the file in its archive; valid until the next source.
        part: the byte range to read of a JSON Lines file: the lines that begin in it.
    """

    name: str
    format: str | None = None
    archive: str | None = None
    root: str | None = None
    opener: Callable[[], BinaryIO] | None = None
    part: range | None = None

    def documents(self) -> Generator[Document]:
        """Yield the documents of this source. Raises OSError if it is unreadable, InputChanged if it changes."""
        with self.open() as stream, expect_unchanged(self.name, stream):
            unpacked = decompress_stream(stream)
            documents = formats.read(*self.recognize(unpacked))
            yield from count_toward(documents, getattr(unpacked, "allowance", None))

    def open(self) -> AbstractContextManager[BinaryIO]:
        """Return a context that opens the file and closes it at its end; stdin stays open. Raises OSError."""
        if self.name == STANDARD_INPUT:
            return nullcontext(sys.stdin.buffer)
        return self.opener() if self.opener else open_binary(self.name)

    def recognize(self, stream: BinaryIO) -> tuple[str, BinaryIO]:
        """Return the name of the format of this source, and a stream of all its bytes."""
        if self.format is not None:
            return self.format, stream
        head = _first_lines(stream)
        return formats.by_content(head), prepend(head, stream)

    @property
    def size(self) -> int:
        """The size of the file in bytes. Raises OSError."""
        return size_of(self.name) if is_address(self.name) else os.path.getsize(self.name)

    @property
    def is_divisible(self) -> bool:
        """Whether lines of the file can be read from several places: it is not compressed, or in frames."""
        if is_plain(self.name):
            return True
        if is_address(self.name) and not self.name.endswith(".zst"):  # each block of bgzip would be a request
            return False
        try:
            with open_binary(self.name) as stream:
                return find_frames(stream) is not None
        except OSError:
            return False


def _first_lines(stream: BinaryIO) -> bytes:
    """Read two lines, not counting blank lines and leading comments."""
    head = bytearray()
    lines = 0
    while lines < 2 and len(head) < _LONGEST_HEAD and (line := stream.readline(_LONGEST_HEAD)):
        head += line
        text = line.removeprefix(BYTE_ORDER_MARK).lstrip()
        if not text:
            head += blank_lines(stream)
        elif lines or not text.startswith(_COMMENTS):
            lines += 1
    return bytes(head)


class Discovery:
    """Finds the sources that paths name: files, directories (recursively, sorted) and archives.

    A path may be a URL, or a pattern that the shell has not expanded.

    In a directory or archive, entries that are no files or have no suffix of a format are skipped and counted in
    `skipped`, except the settings files of directories. Hidden entries are ignored, and symbolic links to directories
    are not followed. The files of an archive are in its order; nested archives are skipped.

    A symbolic link to a file is followed if it is itself a path, or if it leads into a directory of `paths`. Others are
    skipped and counted in `links`. With `follow_links`, all links to files are followed, and links to directories
    that are not searched already.

    Attributes:
        paths: the paths, URLs and patterns to search.
        suffixes: those of the texts to find in directories and archives; None for files of records.
    """

    def __init__(
        self,
        paths: Iterable[str],
        format: str | None = None,
        *,
        follow_links: bool = False,
        suffixes: Sequence[str] | None = None,
    ) -> None:
        self.paths = list(paths)
        self.suffixes = suffixes
        self._format = format
        self._follow_links = follow_links
        self._roots = {os.path.realpath(path) for path in self.paths if os.path.isdir(path)}
        self.skipped = FirstFew[str]()
        self.links = FirstFew[str]()

    def __iter__(self) -> Iterator[Source | Diagnostic]:
        """Yield a source for every file, and a diagnostic for every path that is unreadable.

        Raises InputChanged for an archive that changes.
        """
        for file in self.files():
            yield from self.open_archive(file)

    def again(self) -> Discovery:
        """Return a new Discovery of the same paths, with its own counts."""
        return Discovery(self.paths, self._format, follow_links=self._follow_links, suffixes=self.suffixes)

    def open_archive(self, file: Source | Diagnostic) -> Iterator[Source | Diagnostic]:
        """Yield a file, or the files in it if it is an archive. Raises InputChanged."""
        if isinstance(file, Source) and is_archive(file_name(file.name)):
            yield from self._report_if_empty(self._archive(file.name, file.root or file.name), "archive", file.name)
        else:
            yield file

    def files(self) -> Iterator[Source | Diagnostic]:
        """Yield a source for every file and archive, and a diagnostic for every path that is unreadable.

        A file that several paths lead to is yielded once.
        """
        if len(self.paths) < 2:
            yield from self._files()
            return
        seen: set[str] = set()
        for file in self._files():
            name = file.name if isinstance(file, Source) else file.file or ""
            key = name if name == STANDARD_INPUT or is_address(name) else os.path.abspath(name)
            if key not in seen:
                seen.add(key)
                yield file

    def _files(self) -> Iterator[Source | Diagnostic]:
        for argument in self.paths:
            try:
                paths = _expand(argument)
            except OSError as error:
                yield unreadable(argument, error)
                continue
            for path in paths:
                if path != argument and not self._follow_links and self._is_outside(path, fixed_directory(argument)):
                    self.links.add(path)
                elif path != STANDARD_INPUT and os.path.isdir(path):
                    yield from self._report_if_empty(self._folder(path), "directory", path)
                elif path != STANDARD_INPUT and not is_address(path) and (problem := _find_error(path)):
                    yield unreadable(path, problem)
                else:
                    root = fixed_directory(argument) if path != argument else None
                    yield Source(path, self._format or self._find_format(file_name(path)), root=root)

    def _folder(self, folder: str) -> Iterator[Source | Diagnostic]:
        """Walk a directory to any depth."""
        waiting: list[tuple[str, os.DirEntry[str] | None]] = [(folder, None)]
        while waiting:
            path, entry = waiting.pop()
            try:
                if entry is None or self._is_walked(path, entry):
                    waiting += ((child.path.removeprefix(_HERE), child) for child in reversed(_entries(path)))
                else:
                    yield from self._entry(path, entry, folder)
            except OSError as error:
                yield unreadable(path, error)

    def _is_walked(self, path: str, entry: os.DirEntry[str]) -> bool:
        """Return whether an entry is a directory, or a symbolic link to follow to a directory. Raises OSError."""
        if entry.is_dir(follow_symlinks=False):
            return True
        if self._follow_links and entry.is_symlink() and os.path.isdir(path) and self._is_outside(path):
            # Its files are found now, so no other link to a directory in it is followed. This ends cycles.
            self._roots.add(os.path.realpath(path))
            return True
        return False

    def _entry(self, path: str, entry: os.DirEntry[str], root: str) -> Iterator[Source | Diagnostic]:
        """Yield an entry that is a file to read. Raises OSError."""
        name = self._find_format(entry.name)
        if entry.is_symlink() and not self._follow_links and self._is_outside(path):
            if name or is_archive(entry.name) or os.path.isdir(path):
                self.links.add(path)
        elif is_archive(entry.name) and entry.is_file():
            yield Source(path, root=root)
        # A symbolic link without a target is reported; an entry that is no file, such as a pipe, is skipped.
        elif name is not None and (entry.is_file() or not os.path.exists(path)):
            yield Source(path, self._format or name, root=root)
        elif entry.name not in SETTINGS_FILES:
            self.skipped.add(path)

    def _find_format(self, name: str) -> str | None:
        """Return the format of a file by its name, or None to skip it in a directory or archive."""
        if self.suffixes is None:
            return format_of(name)
        return "text" if inner_suffix(name) in self.suffixes else None

    def _report_if_empty(
        self, sources: Iterator[Source | Diagnostic], kind: str, path: str
    ) -> Iterator[Source | Diagnostic]:
        first = next(sources, None)
        if first is None:
            texts = self.suffixes is not None
            suffixes = join_words(self.suffixes or formats.suffixes_of_records(), "or")
            message = f"the {kind} contains no files {'that' if texts else 'of records, which'} end in {suffixes}"
            first = Diagnostic("syntax/unreadable", message, file=path)
        yield first
        yield from sources

    def _is_outside(self, path: str, root: str | None = None) -> bool:
        """Return whether a symbolic link leads out of all directories that are searched, and out of `root`."""
        if is_address(path):
            return False
        real = PurePath(os.path.realpath(path))
        if root is not None and real.is_relative_to(os.path.realpath(root)):
            return False
        return self._roots.isdisjoint(map(str, (real, *real.parents)))

    def _archive(self, file: str, root: str) -> Iterator[Source | Diagnostic]:
        from hexrec.io.members import members  # `tarfile` takes long to import

        try:
            with expect_unchanged(file):
                for member, opener in members(file):
                    name = self._find_format(member)
                    path = f"{file}/{member}"
                    if name is None:
                        self.skipped.add(path)
                    elif not PurePath(member).name.startswith("."):
                        yield Source(path, self._format or name, file, root, opener)
        except OSError as error:
            yield unreadable(file, error)


def _find_error(path: str) -> OSError | None:
    """Return the reason why a path cannot be looked up, or None."""
    try:
        os.stat(path)
    except OSError as error:
        return error
    return None


def _expand(path: str) -> list[str]:
    """Return the paths that match a pattern, sorted, or else the path itself. Raises OSError if none matches."""
    if is_address(path):
        return matches(path) if "*" in path else [path]
    if not has_magic(path) or os.path.lexists(path):
        return [path]
    if paths := matching_paths(path):
        return paths
    raise FileNotFoundError("the pattern matches no file")


def matching_paths(pattern: str) -> list[str]:
    """Return the paths that match a pattern, sorted.

    ``*``, ``?`` and ``[…]`` match parts of a name, and ``**`` any number of directories, but no symbolic links. A name
    that begins with a dot needs a pattern that does too. With ``**``, only files are found.
    """
    names = pattern.split(os.sep)
    if _ANY_DEPTH not in names:
        return sorted({path.rstrip(os.sep) for path in glob(pattern)})
    before = os.path.join(os.sep.join(names[: names.index(_ANY_DEPTH)]), "")
    after = list(dropwhile(_ANY_DEPTH.__eq__, names[names.index(_ANY_DEPTH) :])) or ["*"]
    paths: set[str] = set()
    for top in glob(before) if before else [""]:
        for folder in _folders(top):
            paths.update(matching_paths(os.path.join(escape(folder), *after)))
    return sorted(path for path in paths if not os.path.isdir(path))


def fixed_directory(pattern: str) -> str:
    """Return the directory that contains all matches of a pattern."""
    while has_magic(pattern):
        pattern = os.path.dirname(pattern)
    return pattern or "."


def _folders(top: str) -> Iterator[str]:
    """Yield a directory and all directories below it, without hidden ones and symbolic links."""
    for folder, names, _ in os.walk(top or os.curdir):
        names[:] = (name for name in names if not name.startswith("."))
        yield folder if top else folder.removeprefix(os.curdir).removeprefix(os.sep)


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """Return the entries of a directory that are not hidden, sorted. Raises OSError."""
    with os.scandir(PurePath(folder)) as entries:
        return sorted((entry for entry in entries if not entry.name.startswith(".")), key=lambda entry: entry.name)


def format_of(file: str | PurePath) -> str | None:
    """Return the name of the format of a file's suffix, or None. A suffix of compression may follow."""
    return formats.by_suffix(inner_suffix(file))


def unreadable(name: str, error: OSError) -> Diagnostic:
    """Return the diagnostic for a file or directory that cannot be opened or read."""
    return Diagnostic("syntax/unreadable", f"cannot be read: {reason_of(error)}", file=name)


def diagnose_input(name: str, error: Exception) -> Diagnostic:
    """Return the diagnostic for an exception in the work on a file. Raises InputChanged again, which ends the run."""
    if isinstance(error, InputChanged):
        raise error
    return unreadable(name, error) if isinstance(error, OSError) else diagnose_error(error, "file").at(file=name)
