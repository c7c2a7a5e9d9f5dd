"""The checkpoint of a run: the results of finished chunks, kept beside the output until that is whole.

It has a line for the run and then one for each result, in order. Each line begins with a digest of itself and of all
before it. One that is not as it was written is known by that; it and what follows it count as never written.
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
    """A run that cannot be continued; the message says why."""


class Journal:
    """A file of the finished results of a run.

    Attributes:
        path: the file. It appears with the first result.
    """

    def __init__(self, path: Path, **options: object) -> None:
        """`options` are all that the results depend on besides the content of the input, the code and the limits."""
        self.path = path
        self._about = json.loads(json.dumps({**dict.fromkeys(code_versions(), True), **options, "limits": IN_FORCE}))
        self._out: BinaryIO | None = None
        self._last = b""

    def exists(self) -> bool:
        """Return whether an earlier run has left it behind."""
        return self.path.exists()

    def read(self) -> Iterator[tuple[Any, int]]:
        """Yield what an earlier run has finished, each with its end in the file.

        Raises OSError, and CheckpointError if the run was another one, or the file may be another user's.
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

    def go_on(self, end: int) -> None:
        """Write what follows after so many bytes of the file; from its beginning if there are none. Raises OSError."""
        if end:
            os.truncate(self.path, end)
            self._out = open(self.path, "ab", opener=open_no_follow)  # noqa: SIM115
            return
        self.path.unlink(missing_ok=True)  # it may be another user's, or a link
        self._out = open(self.path, "xb", opener=open_no_follow)  # noqa: SIM115
        self._last = b""
        self._out.write(self._line(self._about))

    def write(self, entry: object) -> None:
        """Write a result down. Raises OSError."""
        if self._out is None:
            self.go_on(0)
        assert self._out is not None
        self._out.write(self._line(entry))
        self._out.flush()

    def close(self) -> None:
        """Close the file, which stays."""
        if self._out is not None:
            with suppress(OSError):  # the disk may be full
                self._out.close()
            self._out = None

    def delete(self) -> None:
        """Remove the file."""
        self.close()
        self.path.unlink(missing_ok=True)

    def _line(self, data: object) -> bytes:
        text = json.dumps(data, separators=(",", ":")).encode()
        self._last = self._digest(text)
        return self._last + b" " + text + b"\n"

    def _read(self, line: bytes) -> Any:
        """Return the data of a line; None if it is not the next one that was written."""
        digest, _, text = line.removesuffix(b"\n").partition(b" ")
        if not line.endswith(b"\n") or self._digest(text) != digest:
            return None
        self._last = digest
        return json.loads(text)

    def _digest(self, text: bytes) -> bytes:
        return blake2b(text, digest_size=_DIGEST_SIZE, key=self._last).hexdigest().encode()


class Checkpoint(Journal):
    """The checkpoint of one output file: after what was gathered from a chunk, the digest of that.

    Attributes:
        chunks: how many finished chunks it holds.
    """

    def __init__(self, output: Path, **options: object) -> None:
        """Use the checkpoint of an output."""
        super().__init__(sidecar(output, "checkpoint"), **options)
        self.chunks = 0

    def restore(self, chunks: Iterator[Chunk]) -> Iterator[tuple[Chunk, Any, bool]]:
        """Yield what an earlier run has gathered, each with its chunk and whether it is the first of that.

        Only the chunks that it finished are taken, and compared with what it has read. Raises OSError, and
        CheckpointError if the input is not the same, and as `read`.
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
        self.go_on(end)

    def saved(self, chunk: Chunk, gathered: Iterable[Any]) -> Iterator[Any]:
        """Pass on what is gathered from a chunk, after it has been written down. Raises OSError."""
        for each in gathered:
            self.write(each)
            yield each
        self.write(chunk.digest())
        self.chunks += 1


def _name(chunk: Chunk | None) -> str:
    return "the input" if chunk is None else ", ".join(dict.fromkeys(slice.name for slice in chunk.slices[:3]))
