"""Changing files in place: whole or not at all, in the folder given, and only if nobody else is changing them."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from io import BufferedReader
from itertools import chain
from pathlib import Path
from stat import S_ISREG
from typing import Any, BinaryIO, cast

from hexrec import edit, notations
from hexrec.edit import Change, Edit, Editor, EditorBug, Segment
from hexrec.edit.verification import Expected, complete, verified
from hexrec.files.atomic import atomic_write
from hexrec.files.compression import decompressed, inner_suffix
from hexrec.files.discovery import Source
from hexrec.files.remote import is_address
from hexrec.files.stamps import stamp
from hexrec.notations.base import Document
from hexrec.streams import CountingStream

#: Chooses one of the two ways in which an editor edits.
Mode = Callable[[Editor], Edit]
#: Says whether a document whose data has changed, given before and after, says what it should beyond that data.
Verify = Callable[[Document, Document], bool]
_CHUNK = 1024 * 1024


class NotEdited(Exception):
    """A file that is left as it is, for a reason that has nothing to do with its records; the message says it."""


class OutOfReach(NotEdited):
    """What is not changed because of where it is: in an archive, or behind a link out of its folder."""


def own_file(source: Source, folder: str | None, *, follow_links: bool) -> Path:
    """Return the file that a source is, wherever links lead within the folder that it was found in.

    Without a folder, the file was named itself; then no link may lead out of its folder. With
    `follow_links`, links may lead anywhere. Raises NotEdited for what cannot be changed in place.
    """
    if source.archive is not None:
        raise OutOfReach("in an archive: files in archives are not changed")
    if is_address(source.name):
        raise OutOfReach("at an address: only local files are changed")
    path = Path(os.path.realpath(source.name))
    within = os.path.realpath(os.path.dirname(source.name) if folder is None else folder)
    if not follow_links and not path.is_relative_to(within):
        raise OutOfReach(f"a link out of its folder, to {path}: --follow-links follows it")
    with suppress(OSError):  # whoever tries to read it reports that it is not there
        if not S_ISREG(os.stat(path).st_mode):
            raise NotEdited("not a file that can be changed in place")
    return path


def segments(
    source: Source, stream: BinaryIO, mode: Mode, change: Change, holds: Verify, watch: Callable[[Segment], None]
) -> Iterator[Segment]:
    """Yield the segments of a stream of a source, edited, and read again as they are made.

    `watch` is called with each as soon as it is made, after `change` was called for the documents in it and before it
    is called for those that follow.

    Raises EditError, also if they are not read as what they should be, and OSError if the stream cannot be read.
    """
    asked: list[tuple[Document, Any]] = []
    expected: deque[Expected] = deque()

    def noted(document: Document) -> dict[str, Any] | None:
        new = change(document)
        asked.append((document, document.data if new is None else new))
        return new

    def edited() -> Iterator[Segment]:
        for segment in chain(mode(editor)(whole, noted), _rest(whole)):
            expected.extend(Expected(old, new if segment.changed else old.data, holds) for old, new in asked)
            asked.clear()
            watch(segment)
            yield segment

    def read_again(made: BinaryIO) -> Iterator[Document]:
        again, whole = notations.recognise_dialect(*source.recognise(made))
        if again != name:
            raise EditorBug(f"it would be recognised as {notations.get(again).title}")
        yield from (editor.read or notations.get(name).read)(whole)

    counted = CountingStream(stream)
    name, whole = notations.recognise_dialect(*source.recognise(cast(BinaryIO, BufferedReader(counted))))
    editor = edit.get(name)
    yield from verified(complete(edited(), counted), expected, read_again)


def _rest(stream: BinaryIO) -> Iterator[Segment]:
    while rest := stream.read(_CHUNK):
        yield Segment(rest, rest)


def dialect(document: Document) -> str | None:
    """Return the notation that a document is in, if that borrows the syntax in which the document was read."""
    if not isinstance(document.data, dict) or "hexrec" in document.data:
        return None
    found = ((name, notations.get(name).dialect) for name in notations.names())
    return next((name for name, other in found if other and other.claims(document.data)), None)


def translated(document: Document, notation: str) -> Document:
    """Return a document that is in a notation which borrows a syntax as what it means."""
    found = notations.get(notation).dialect
    return found.translate(document) if found else document


class OpenFile:
    """A file that is open for being changed in place. A context manager."""

    def __init__(self, path: Path) -> None:
        """Open a file. Raises OSError."""
        self._path = path
        self._raw = open(path, "rb")  # noqa: SIM115
        self._stamp = stamp(self._raw)
        self.stream = decompressed(self._raw)
        """The bytes of the file, decompressed."""

    def __enter__(self) -> OpenFile:
        return self

    def __exit__(self, *_: object) -> None:
        self._raw.close()

    def write(self, edited: Iterator[Segment]) -> bool:
        """Write the segments of the file in its place; nothing is written if none has changed. Return whether one has.

        Raises OSError if the file cannot be written, NotEdited if something else has changed it in the meantime.
        """
        same = 0
        for segment in edited:
            if segment.changed:
                break
            same += len(segment.old)
        else:
            return False
        if (self.stream is not self._raw) != (inner_suffix(self._path) != self._path.suffix.lower()):
            raise NotEdited("its name and its content do not agree on whether it is compressed")
        with ExitStack() as stack:
            out = stack.enter_context(atomic_write(self._path, check=self._check)).buffer
            with open(self._path, "rb") as again:
                _copy(decompressed(again), out, same)
            out.write(segment.new)
            out.writelines(more.new for more in edited)
        return True

    def _check(self) -> None:
        if stamp(self._path) != self._stamp:
            raise NotEdited("something else has changed it in the meantime")


def _copy(stream: BinaryIO, out: BinaryIO, size: int) -> None:
    while size and (data := stream.read(min(size, _CHUNK))):
        out.write(data)
        size -= len(data)
