"""Change files in place: atomically, within their directory, and only if no other program changes them.

A unified diff shows the changes while a file is edited.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from difflib import SequenceMatcher
from functools import partial
from io import BytesIO
from itertools import chain
from pathlib import Path
from shutil import copyfileobj
from stat import S_ISREG
from tempfile import SpooledTemporaryFile
from typing import IO, Any, BinaryIO

from hexrec import formats
from hexrec.formats.base import Document
from hexrec.io.compression import decompress_stream, inner_suffix
from hexrec.io.discovery import Source
from hexrec.io.outputs import atomic_write_bytes
from hexrec.io.remote import is_address
from hexrec.io.stamps import Stamp, stamp
from hexrec.tools.edit import files as edit
from hexrec.tools.edit.files import Change, EditError, Segment
from hexrec.util.escaping import visible
from hexrec.util.hashing import blake2b
from hexrec.util.streams import prepend

_CHUNK = 1024 * 1024
#: The maximum number of bytes of an edited file, and of its original, in memory; larger ones go to a temporary file.
_IN_MEMORY = 2**23
_OUR_ERROR = "this is an error in hexrec: please report it, with the file"
#: The number of unchanged lines before and after a change.
_CONTEXT = 3
#: The maximum number of lines to compare in a segment, old and new: the time may grow with the square.
_COMPARED = 8_000


class NotEdited(EditError):
    """A file that is skipped for a reason other than its records; the message gives the reason."""


class OutOfReach(NotEdited):
    """A file that is skipped because of its place, such as an archive or a symbolic link to another directory."""


def resolve_file(source: Source, folder: str | None, *, follow_links: bool) -> Path:
    """Return the path of a source with symbolic links resolved.

    Links may not lead outside `folder`, the directory that was searched; None stands for the directory of the file.
    With `follow_links`, they may lead anywhere. Raises OSError, and NotEdited for a source that cannot be changed in
    place.
    """
    if source.archive is not None:
        raise OutOfReach("in an archive: files in archives are not changed")
    if is_address(source.name):
        raise OutOfReach("at an address: only local files are changed")
    path = Path(os.path.realpath(source.name))
    within = os.path.realpath(os.path.dirname(source.name) if folder is None else folder)
    if not follow_links and not path.is_relative_to(within):
        raise OutOfReach(f"a symbolic link that leads out of its directory, to {path}: --follow-links follows it")
    with suppress(FileNotFoundError):
        if not S_ISREG(os.stat(path).st_mode):
            raise NotEdited("not a file that can be changed in place")
    return path


def edit_file(
    source: Source, path: Path, raw: BinaryIO, change: Change, *, canonical: bool, dry: bool
) -> Iterator[Segment]:
    """Yield the segments of an open file, then replace it if a segment has changed, unless the run is `dry`.

    `path` is that of `resolve_file`. Raises the exceptions of `edit_stream`, and NotEdited as `_replace` does.
    """
    # The file system of the file is the most likely to have space for the edited copy.
    with SpooledTemporaryFile(_IN_MEMORY, dir=None if dry else str(path.parent)) as edited:
        before = stamp(raw)
        stream = decompress_stream(raw)
        changed = False
        for segment in edit_stream(source, stream, edited, change, canonical=canonical):
            changed = changed or segment.changed
            yield segment
        if changed and not dry:
            _replace(path, edited, before, was_compressed=stream is not raw)


def edit_copy(
    source: Source, stream: BinaryIO, out: BinaryIO | None, change: Change, *, canonical: bool
) -> Iterator[Segment]:
    """Yield the segments of a stream, and write the new bytes to `out`, if any; the old ones if it cannot be edited.

    Raises the exceptions of `edit_stream`.
    """

    def put_out(spooled: IO[bytes]) -> None:
        if out is not None:
            spooled.seek(0)
            copyfileobj(spooled, out)
            out.flush()

    with SpooledTemporaryFile(_IN_MEMORY) as original, SpooledTemporaryFile(_IN_MEMORY) as edited:
        copyfileobj(stream, original)
        original.seek(0)
        try:
            unpacked = decompress_stream(prepend(b"", original))
            yield from edit_stream(source, unpacked, edited, change, canonical=canonical)
        except Exception:
            put_out(original)
            raise
        put_out(edited)


def edit_stream(
    source: Source, stream: BinaryIO, edited: IO[bytes], change: Change, *, canonical: bool
) -> Iterator[Segment]:
    """Yield the segments of a stream of a source, and write the new bytes to `edited`.

    `change` is called for the documents in a segment before the segment is yielded. If a segment has changed, `edited`
    is read again at the end, with an empty segment after each of its documents: a caller may stop there.

    Raises OSError, and EditError, also if `edited` does not contain the expected documents.
    """
    asked: list[tuple[Document, Any]] = []
    expected = blake2b()

    def note_change(document: Document) -> dict[str, Any] | None:
        new = change(document)
        asked.append((document, new))
        return new

    name, whole = formats.recognize_dialect(*source.recognize(stream))
    changed = False
    remainder = (Segment(raw, raw) for raw in iter(partial(whole.read, _CHUNK), b""))
    for segment in chain(edit.get(name, canonical=canonical)(whole, note_change), remainder):
        for document, new in asked:
            _add(expected, document, document.data if new is None or not segment.changed else new)
        asked.clear()
        edited.write(segment.new)
        changed = changed or segment.changed
        yield segment
    if changed:
        for _ in _verify(source, edited, name, expected.digest()):
            yield Segment(b"", b"")


def _verify(source: Source, edited: IO[bytes], name: str, expected: bytes) -> Iterator[Document]:
    """Yield the documents of an edited file. Raises NotEdited if they are not the expected ones."""
    edited.seek(0)
    again, whole = formats.recognize_dialect(*source.recognize(prepend(b"", edited)))
    if again != name:
        raise NotEdited(f"it would be recognized as {formats.get(again).title}; {_OUR_ERROR}")
    actual = blake2b()
    for document in formats.get(name).read(whole):
        _add(actual, document, document.data)
        yield document
    if actual.digest() != expected:
        raise NotEdited(f"its records would be read back as something else; {_OUR_ERROR}")


def _add(digest: Any, document: Document, data: Any) -> None:
    """Add the data of a document, or its error, to a digest, in any order of fields; 1 and 1.0 differ."""
    content = [document.error.code] if document.error else {"": data}
    digest.update(json.dumps(content, sort_keys=True).encode() + b"\n")


def _replace(path: Path, edited: IO[bytes], before: Stamp | None, *, was_compressed: bool) -> None:
    """Replace a file by an edited one; `before` is the stamp of the file when it was opened.

    Raises OSError if the file cannot be written, NotEdited if another program has changed it or it has hard links.
    """

    def check() -> None:
        if stamp(path) != before:
            raise NotEdited("something else has changed it in the meantime")
        # A new file would take one name of the old one, and to write into the old one would not be atomic.
        links = os.stat(path).st_nlink
        if links > 1:
            raise NotEdited(
                f"it has other names ({links} hard links), which would keep the old content: replace it by a copy first"
            )

    if was_compressed != (inner_suffix(path) != path.suffix.lower()):
        raise NotEdited("its name and its content do not agree on whether it is compressed")
    edited.seek(0)
    with atomic_write_bytes(path, check=check) as out:
        copyfileobj(edited, out)


def unified_diff(edited: Iterable[Segment], file: str) -> Iterator[bytes]:
    """Yield a unified diff of a file hunk by hunk; nothing if no segment has changed."""
    header = b"--- %s\n+++ %s\n" % ((visible(file).encode(),) * 2)
    for hunk in _hunks(edited):
        yield header + hunk
        header = b""


def _hunks(edited: Iterable[Segment]) -> Iterator[bytes]:
    hunk: list[bytes] = []
    # The unchanged lines after the hunk; without a hunk, the last ones.
    context: list[bytes] = []
    start = (0, 0)
    olds = news = 0
    for old, new in _changes(edited):
        if old == new:
            context += old
            if hunk and len(context) > 2 * _CONTEXT:
                yield _hunk(hunk + _mark(b" ", context[:_CONTEXT]), start)
                hunk = []
            if not hunk:
                del context[:-_CONTEXT]
        else:
            if not hunk:
                start = (olds - len(context), news - len(context))
            hunk += _mark(b" ", context) + _mark(b"-", old) + _mark(b"+", new)
            context = []
        olds += len(old)
        news += len(new)
    if hunk:
        yield _hunk(hunk + _mark(b" ", context[:_CONTEXT]), start)


def _mark(sign: bytes, lines: list[bytes]) -> list[bytes]:
    return [sign + line for line in lines]


def _changes(edited: Iterable[Segment]) -> Iterator[tuple[list[bytes], list[bytes]]]:
    """Yield pairs of old and new runs of lines; unchanged runs are equal."""
    for segment in _join_lines(edited):
        old, new = _lines(segment.old), _lines(segment.new)
        if old == new or len(old) + len(new) > _COMPARED:
            yield old, new
            continue
        for _, start, end, new_start, new_end in SequenceMatcher(None, old, new).get_opcodes():
            yield old[start:end], new[new_start:new_end]


def _join_lines(edited: Iterable[Segment]) -> Iterator[Segment]:
    """Yield segments of whole lines: records of an array, and games of SGF, may share one."""
    joined: list[Segment] = []
    for segment in edited:
        joined.append(segment)
        if segment.old.endswith(b"\n") and segment.new.endswith(b"\n"):
            yield _join(joined)
            joined = []
    yield _join(joined)


def _join(segments: list[Segment]) -> Segment:
    return Segment(b"".join(segment.old for segment in segments), b"".join(segment.new for segment in segments))


def _lines(text: bytes) -> list[bytes]:
    return BytesIO(text).readlines()  # splitlines would also split at a carriage return


def _hunk(lines: list[bytes], start: tuple[int, int]) -> bytes:
    places = []
    for sign, first, other in zip(b"-+", start, b"+-", strict=True):
        size = sum(line[0] != other for line in lines)
        places.append(b"%c%d,%d" % (sign, first + bool(size), size))
    body = b"".join(line if line.endswith(b"\n") else line + b"\n\\ No newline at end of file\n" for line in lines)
    return b"@@ %s @@\n%s" % (b" ".join(places), body)
