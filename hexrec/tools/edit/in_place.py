"""Changing files in place: atomically, in the directory given, and only if nobody else is changing them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from shutil import copyfileobj
from stat import S_ISREG
from typing import Any, BinaryIO

from hexrec import formats
from hexrec.formats.base import Document
from hexrec.io.compression import inner_suffix
from hexrec.io.discovery import Source
from hexrec.io.outputs import atomic_write_bytes
from hexrec.io.remote import is_address
from hexrec.io.stamps import Stamp, stamp
from hexrec.tools import edit
from hexrec.tools.edit.editor import Change, Edit, Editor, EditorBug, Segment
from hexrec.util.streams import prepended

#: Chooses one of the two ways in which an editor edits.
Mode = Callable[[Editor], Edit]
_CHUNK = 1024 * 1024


class NotEdited(Exception):
    """A file that is left as it is, for a reason that has nothing to do with its records; the message says it."""


class OutOfReach(NotEdited):
    """A file that is not changed because of its place: in an archive, or behind a link out of its directory."""


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


def edited(source: Source, stream: BinaryIO, made: BinaryIO, mode: Mode, change: Change) -> Iterator[Segment]:
    """Yield the segments of a stream of a source, and write what they become to `made`.

    A segment comes after `change` was called for the documents in it and before it is called for those that follow.
    If any has changed, `made` is read again at the end.

    Raises EditError, also if `made` does not hold the documents that it should, and OSError.
    """
    asked: list[tuple[Document, Any]] = []
    expected = blake2b()

    def noted(document: Document) -> dict[str, Any] | None:
        new = change(document)
        asked.append((document, new))
        return new

    name, whole = formats.recognize_dialect(*source.recognize(stream))
    editor = edit.get(name)
    changed = False
    for segment in chain(mode(editor)(whole, noted), _rest(whole)):
        for document, new in asked:
            _add(expected, document, document.data if new is None or not segment.changed else new)
        asked.clear()
        made.write(segment.new)
        changed = changed or segment.changed
        yield segment
    if changed:
        _verify(source, made, name, expected.digest())


def _rest(stream: BinaryIO) -> Iterator[Segment]:
    while rest := stream.read(_CHUNK):
        yield Segment(rest, rest)


def _verify(source: Source, made: BinaryIO, name: str, expected: bytes) -> None:
    """Read an edited text. Raises EditorBug if its documents are not those expected, in their order."""
    made.seek(0)
    again, whole = formats.recognize_dialect(*source.recognize(prepended(b"", made)))
    if again != name:
        raise EditorBug(f"it would be recognized as {formats.get(again).title}")
    found = blake2b()
    for document in formats.get(name).read(whole):
        _add(found, document, document.data)
    if found.digest() != expected:
        raise EditorBug("its records would be read back as something else")


def _add(digest: Any, document: Document, data: Any) -> None:
    """Add the data of a document to a digest, or its error. The order of fields does not count; 1 and 1.0 differ."""
    content = [document.error.code] if document.error else {"": data}
    digest.update(json.dumps(content, sort_keys=True).encode() + b"\n")


def replace(path: Path, made: BinaryIO, before: Stamp | None, *, was_compressed: bool) -> None:
    """Write an edited text in the place of a file, of which `before` was taken when it was opened.

    Raises OSError if the file cannot be written, NotEdited if something else has changed it in the meantime.
    """

    def check() -> None:
        if stamp(path) != before:
            raise NotEdited("something else has changed it in the meantime")

    if was_compressed != (inner_suffix(path) != path.suffix.lower()):
        raise NotEdited("its name and its content do not agree on whether it is compressed")
    made.seek(0)
    with atomic_write_bytes(path, check=check) as out:
        copyfileobj(made, out)
