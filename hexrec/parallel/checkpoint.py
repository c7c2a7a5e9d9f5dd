"""Checkpoint of a run: the results of chunks, in a file next to the output until the output is complete.

The file has an entry for the run, then an entry for each result, in order: a line and the bytes of the result. The
first entry of a chunk has a digest of the chunk. The line begins with a digest of the rest and of the digest before it,
so an entry in another place counts as damaged. From the first damaged entry, the file is ignored. So is an entry that
is longer than any result.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from hexrec.errors import RunError
from hexrec.io.outputs import sidecar
from hexrec.parallel.chunks import CHUNK_LIMITS, Chunk
from hexrec.util.hashing import blake2b
from hexrec.util.limits import IN_FORCE
from hexrec.util.plugins import code_versions
from hexrec.util.regular_files import NotRegularError, open_no_follow, open_regular

#: Maximum bytes of a line or a result: it has the rows of a chunk, whose bytes may each be escaped by six characters.
_LONGEST = 8 * CHUNK_LIMITS.whole


class Checkpoint:
    """The checkpoint of an output file. A run that restores it appends to it; another one replaces it.

    Attributes:
        path: the file, created with the first result.
        results: the number of results in the file.
    """

    def __init__(self, output: Path, **options: object) -> None:
        """`options` must include every option on which the results depend."""
        self.path = sidecar(output, "checkpoint")
        self.results = 0
        self._restored = 0  # results of the latest chunk
        self._about = json.loads(json.dumps({**dict.fromkeys(code_versions(), True), **options, "limits": IN_FORCE}))
        self._out: BinaryIO | None = None
        self._end = 0
        self._digest = b""  # of the last line

    def _read(self) -> Iterator[tuple[Any, bytes]]:
        """Yield the entries of an earlier run, if its file exists, each with the bytes of its result."""
        try:
            stream = open_regular(self.path)
        except FileNotFoundError:
            return
        except NotRegularError as error:
            raise RunError(f"{self.path} is {error.kind}: delete it") from None
        with stream:
            if hasattr(os, "geteuid") and os.fstat(stream.fileno()).st_uid != os.geteuid():
                raise RunError(f"{self.path} belongs to another user: delete it")
            while line := stream.readline(_LONGEST):
                digest, _, rest = line.partition(b" ")
                size, _, text = rest.partition(b" ")
                if not (line.endswith(b"\n") and size.isdigit() and len(size) < 10 and int(size) <= _LONGEST):
                    return
                data = stream.read(int(size))
                if digest != self._digest_after(rest, data):
                    return
                self._digest = digest
                entry = json.loads(text)
                if self._end:
                    yield entry, data
                elif entry != self._about:
                    changed = [name for name in {**entry, **self._about} if entry.get(name) != self._about.get(name)]
                    message = f"the run was another one (compare {', '.join(changed)}): it cannot be continued"
                    raise RunError(f"{self.path}: {message}")
                self._end += len(line) + len(data)

    def _write(self, entry: object, data: bytes = b"") -> None:
        """Append an entry and the bytes of a result. Raises OSError."""
        if self._out is None and self._end:
            os.truncate(self.path, self._end)
            self._out = open(self.path, "ab", opener=open_no_follow)  # noqa: SIM115
        elif self._out is None:
            self.path.unlink(missing_ok=True)  # it may be another user's, or a link
            self._out = open(self.path, "xb", opener=open_no_follow)  # noqa: SIM115
            self._write(self._about)
        rest = b"%d %s\n" % (len(data), json.dumps(entry, separators=(",", ":")).encode())
        self._digest = self._digest_after(rest, data)
        self._out.write(self._digest + b" " + rest)
        self._out.write(data)
        self._out.flush()

    def close(self) -> None:
        """Close the file without deleting it."""
        if self._out is not None:
            with suppress(OSError):  # the disk may be full
                self._out.close()

    def _digest_after(self, rest: bytes, data: bytes) -> bytes:
        digest = blake2b(self._digest + rest, digest_size=16)
        digest.update(data)
        return digest.hexdigest().encode()

    def delete(self) -> None:
        """Delete the file."""
        self.close()
        self.path.unlink(missing_ok=True)

    def restore(self, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, bytes]]:
        """Yield the results of an earlier run, each with its chunk; more results of the last chunk may be missing.

        Raises OSError. Raises RunError if the input has changed or the run was a different one, and if the file is not
        regular or may belong to another user.
        """
        chunk = None
        for digest, data in self._read():
            if digest is not None or chunk is None:
                chunk, self._restored = next(chunks, None), 0
                if chunk is None or digest != chunk.digest:
                    names = dict.fromkeys(slice.name for slice in chunk.slices[:3]) if chunk else ("the input",)
                    raise RunError(f"{', '.join(names)} has changed since the run began: it cannot be continued")
            self._restored += 1
            self.results += 1
            yield chunk, data

    def save(self, chunk: Chunk, results: Iterable[Any]) -> Iterator[Any]:
        """Yield the results of the next chunk, or those of the last one that were not restored, and write each, packed.

        Raises OSError.
        """
        restored, self._restored = self._restored, 0
        for number, result in enumerate(results):
            if number >= restored:
                self._write(None if number else chunk.digest, result.pack())
                self.results += 1
                yield result
