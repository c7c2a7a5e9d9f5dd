"""Checkpoint of a run: the results of finished chunks, in a file next to the output until the output is complete.

The file has a line for the run, then a line for each result, in order. Each line begins with a digest of itself and all
lines before it. From the first line with a wrong digest, the file is ignored.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

from hexrec.io.outputs import open_no_follow, sidecar
from hexrec.parallel.chunks import Chunk
from hexrec.util.limits import IN_FORCE
from hexrec.util.plugins import code_versions

_DIGEST_SIZE = 16


class CheckpointError(Exception):
    """A run that cannot be continued; the message gives the reason."""


class Journal:
    """A file of the finished results of a run.

    Attributes:
        path: the file, created with the first result.
    """

    def __init__(self, path: Path, **options: object) -> None:
        """`options` must include every option on which the results depend."""
        self.path = path
        self._about = json.loads(json.dumps({**dict.fromkeys(code_versions(), True), **options, "limits": IN_FORCE}))
        self._out: BinaryIO | None = None
        self._last = b""

    def exists(self) -> bool:
        """Return whether an earlier run left its file."""
        return self.path.exists()

    def read(self) -> Iterator[tuple[Any, int]]:
        """Yield the results of an earlier run, each with the offset of its end in the file.

        Raises OSError, and CheckpointError if the run was a different one or the file may belong to another user.
        """
        if self.path.is_symlink():
            raise CheckpointError(f"{self.path} is a symbolic link: delete it")
        with open(self.path, "rb", opener=open_no_follow) as stream:
            if hasattr(os, "geteuid") and os.fstat(stream.fileno()).st_uid != os.geteuid():
                raise CheckpointError(f"{self.path} belongs to another user: delete it")
            self._last = b""
            about = self._read(stream.readline())
            if about is not None and about != self._about:
                names = {**about, **self._about}
                changed = ", ".join(name for name in names if about.get(name) != self._about.get(name))
                raise CheckpointError(
                    f"{self.path}: the run was another one (compare {changed}): it cannot be continued"
                )
            while about is not None and (entry := self._read(stream.readline())) is not None:
                yield entry, stream.tell()

    def continue_from(self, end: int) -> None:
        """Truncate the file after `end` bytes and append from there; 0 begins a new file. Raises OSError."""
        if end:
            os.truncate(self.path, end)
            self._out = open(self.path, "ab", opener=open_no_follow)  # noqa: SIM115
            return
        self.path.unlink(missing_ok=True)  # it may be another user's, or a link
        self._out = open(self.path, "xb", opener=open_no_follow)  # noqa: SIM115
        self._last = b""
        self._out.write(self._line(self._about))

    def write(self, entry: object) -> None:
        """Append a result. Raises OSError."""
        if self._out is None:
            self.continue_from(0)
        assert self._out is not None
        self._out.write(self._line(entry))
        self._out.flush()

    def close(self) -> None:
        """Close the file without deleting it."""
        if self._out is not None:
            with suppress(OSError):  # the disk may be full
                self._out.close()
            self._out = None

    def delete(self) -> None:
        """Delete the file."""
        self.close()
        self.path.unlink(missing_ok=True)

    def _line(self, data: object) -> bytes:
        text = json.dumps(data, separators=(",", ":")).encode()
        self._last = self._digest(text)
        return self._last + b" " + text + b"\n"

    def _read(self, line: bytes) -> Any:
        """Return the data of the next line; None if its digest is wrong."""
        digest, _, text = line.removesuffix(b"\n").partition(b" ")
        if not line.endswith(b"\n") or self._digest(text) != digest:
            return None
        self._last = digest
        return json.loads(text)

    def _digest(self, text: bytes) -> bytes:
        return blake2b(text, digest_size=_DIGEST_SIZE, key=self._last).hexdigest().encode()


class Checkpoint(Journal):
    """The checkpoint of one output file: the results of each chunk, followed by the digest of the chunk.

    Attributes:
        chunks: the number of finished chunks.
    """

    def __init__(self, output: Path, **options: object) -> None:
        """Use the checkpoint of an output."""
        super().__init__(sidecar(output, "checkpoint"), **options)
        self.chunks = 0

    def restore(self, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, Any, bool]]:
        """Yield the results of an earlier run, each with its chunk and whether it is the first of the chunk.

        Only finished chunks are restored. Raises OSError; raises CheckpointError if the input has changed, and as
        `read`.
        """
        if not self.exists():
            return
        end = max((end for entry, end in self.read() if isinstance(entry, str)), default=0)
        chunk, is_first = None, True
        for entry, at in self.read() if end else ():
            if chunk is None:
                chunk, is_first = next(chunks, None), True
            if chunk is None or (isinstance(entry, str) and chunk.digest() != entry):
                raise CheckpointError(f"{_name(chunk)} has changed since the run began: it cannot be continued")
            if not isinstance(entry, str):
                yield chunk, entry, is_first
                is_first = False
                continue
            chunk = None
            self.chunks += 1
            if at == end:
                break
        self.continue_from(end)

    def save(self, chunk: Chunk, gathered: Iterable[Any]) -> Iterator[Any]:
        """Yield the results of a chunk, each after it has been written. Raises OSError."""
        for result in gathered:
            self.write(result)
            yield result
        self.write(chunk.digest())
        self.chunks += 1


def _name(chunk: Chunk | None) -> str:
    return "the input" if chunk is None else ", ".join(dict.fromkeys(slice.name for slice in chunk.slices[:3]))
