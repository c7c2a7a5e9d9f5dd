"""Checkpoint of a run: the results of chunks, in a file next to the output until the output is complete.

The file has a line for the run, then a line for each result, in order. Each line begins with a digest of the rest and
of the digest before it, so a line in another place counts as damaged. From the first damaged line, the file is ignored.
So is a line that is longer than any result.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from hexrec.errors import RunError
from hexrec.io.outputs import sidecar
from hexrec.parallel.chunks import CHUNK_LIMITS, Chunk
from hexrec.util.hashing import blake2b
from hexrec.util.limits import IN_FORCE
from hexrec.util.plugins import code_versions
from hexrec.util.regular_files import NotRegularError, open_no_follow, open_regular

#: Maximum bytes of a line: a result has the rows of a chunk, whose bytes may each be escaped by six characters.
_LONGEST_LINE = 8 * CHUNK_LIMITS.whole


class Journal:
    """A file of the results of a run. A run that reads the file appends to it; another one replaces it.

    Attributes:
        path: the file, created with the first result.
    """

    def __init__(self, path: Path, **options: object) -> None:
        """`options` must include every option on which the results depend."""
        self.path = path
        self._about = json.loads(json.dumps({**dict.fromkeys(code_versions(), True), **options, "limits": IN_FORCE}))
        self._out: BinaryIO | None = None
        self._end = 0
        self._digest = b""  # of the last line

    def read(self) -> Iterator[Any]:
        """Yield the results of an earlier run, if its file exists.

        Raises OSError. Raises RunError if the run was a different one, or if the file is not regular or may belong to
        another user.
        """
        try:
            stream = open_regular(self.path)
        except FileNotFoundError:
            return
        except NotRegularError as error:
            raise RunError(f"{self.path} is {error.kind}: delete it") from None
        with stream:
            if hasattr(os, "geteuid") and os.fstat(stream.fileno()).st_uid != os.geteuid():
                raise RunError(f"{self.path} belongs to another user: delete it")
            while line := stream.readline(_LONGEST_LINE):
                digest, _, text = line.removesuffix(b"\n").partition(b" ")
                if not line.endswith(b"\n") or digest != self._digest_after(text):
                    return
                self._digest = digest
                try:
                    entry = json.loads(text)
                except (RecursionError, ValueError):
                    raise self.malformed() from None
                if self._end:
                    yield entry
                elif not isinstance(entry, dict):
                    raise self.malformed()
                elif entry != self._about:
                    changed = [name for name in {**entry, **self._about} if entry.get(name) != self._about.get(name)]
                    message = f"the run was another one (compare {', '.join(changed)}): it cannot be continued"
                    raise RunError(f"{self.path}: {message}")
                self._end += len(line)

    def malformed(self) -> RunError:
        """Return the error for a file with other results than hexrec writes."""
        return RunError(f"{self.path}: not the results of an earlier run: delete it")

    def write(self, entry: object) -> None:
        """Append a result. Raises OSError."""
        if self._out is None and self._end:
            os.truncate(self.path, self._end)
            self._out = open(self.path, "ab", opener=open_no_follow)  # noqa: SIM115
        elif self._out is None:
            self.path.unlink(missing_ok=True)  # it may be another user's, or a link
            self._out = open(self.path, "xb", opener=open_no_follow)  # noqa: SIM115
            self.write(self._about)
        text = json.dumps(entry, separators=(",", ":")).encode()
        self._digest = self._digest_after(text)
        self._out.write(self._digest + b" " + text + b"\n")
        self._out.flush()

    def close(self) -> None:
        """Close the file without deleting it."""
        if self._out is not None:
            with suppress(OSError):  # the disk may be full
                self._out.close()

    def _digest_after(self, text: bytes) -> bytes:
        return blake2b(self._digest + text, digest_size=16).hexdigest().encode()

    def delete(self) -> None:
        """Delete the file."""
        self.close()
        self.path.unlink(missing_ok=True)


class Checkpoint(Journal):
    """The checkpoint of one output file: the results of chunks, the first of each chunk with a digest of the chunk.

    Attributes:
        results: the number of results in the file.
    """

    def __init__(self, output: Path, **options: object) -> None:
        """Use the checkpoint of an output."""
        super().__init__(sidecar(output, "checkpoint"), **options)
        self.results = 0
        self._restored = 0  # results of the latest chunk

    def restore(self, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, Any]]:
        """Yield the results of an earlier run, each with its chunk; more results of the last chunk may be missing.

        Raises OSError; raises RunError if the input has changed, and as `read`.
        """
        chunk = None
        for entry in self.read():
            if not isinstance(entry, list) or len(entry) != 2:
                raise self.malformed()
            digest, result = entry
            if digest is not None or chunk is None:
                chunk, self._restored = next(chunks, None), 0
                if chunk is None or digest != chunk.digest():
                    names = dict.fromkeys(slice.name for slice in chunk.slices[:3]) if chunk else ("the input",)
                    raise RunError(f"{', '.join(names)} has changed since the run began: it cannot be continued")
            self._restored += 1
            self.results += 1
            yield chunk, result

    def save(self, chunk: Chunk, gathered: Iterable[Any]) -> Iterator[Any]:
        """Yield the results of the next chunk, or those of the last one that were not restored, and write each.

        Raises OSError.
        """
        digest = None if self._restored else chunk.digest()
        missing = islice(gathered, self._restored, None)
        self._restored = 0
        for result in missing:
            self.write([digest, result])
            self.results += 1
            digest = None
            yield result
