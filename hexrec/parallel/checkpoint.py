"""Checkpoint of a run: the results of finished chunks, in a directory next to the output until the output is complete.

A chunk has a file whose name is a digest of the chunk and of the run: a chunk that has changed is worked on again. The
file begins with a digest of the rest, so a damaged file is ignored.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from contextlib import suppress
from itertools import accumulate, pairwise
from pathlib import Path
from shutil import rmtree

from hexrec.errors import RunError
from hexrec.io.outputs import sidecar
from hexrec.parallel.chunks import CHUNK_LIMITS, Chunk
from hexrec.util.hashing import blake2b
from hexrec.util.limits import IN_FORCE
from hexrec.util.plugins import code_versions
from hexrec.util.regular_files import open_no_follow, open_regular

#: The size of a digest in bytes.
_DIGEST = 16
#: Maximum bytes of a file: it has the rows of a chunk, whose bytes may each be escaped by six characters.
_LARGEST = 8 * CHUNK_LIMITS.whole


class Checkpoint:
    """The checkpoint of an output file. It is pickled for the processes that work on chunks.

    Attributes:
        path: the directory, created with the first result.
    """

    def __init__(self, output: Path, **options: object) -> None:
        """`options` must include every option on which the results depend."""
        self.path = sidecar(output, "checkpoint")
        self._about = json.dumps([code_versions(), IN_FORCE, options], sort_keys=True)

    @property
    def exists(self) -> bool:
        """Whether there is a checkpoint."""
        return os.path.lexists(self.path)

    def expect_own(self) -> None:
        """Raise RunError if somebody else may have written the results."""
        if self.path.is_symlink() or not self.path.is_dir():
            raise RunError(f"{self.path} is not a directory: delete it")
        if hasattr(os, "geteuid") and self.path.stat().st_uid != os.geteuid():
            raise RunError(f"{self.path} belongs to another user: delete it")

    def read(self, chunk: Chunk) -> list[bytes] | None:
        """Return the saved results of a chunk; None without any, or if the file is damaged."""
        try:
            with open_regular(self._file(chunk)) as stream:
                digest, content = stream.read(_DIGEST), stream.read(_LARGEST)
        except OSError:
            return None
        if digest != _digest(content):
            return None
        sizes, _, data = content.partition(b"\n")
        ends = [*accumulate(json.loads(sizes), initial=0)]
        return [data[start:end] for start, end in pairwise(ends)]

    def save(self, chunk: Chunk, results: Sequence[bytes]) -> None:
        """Save the results of a chunk, unless the system refuses: then the run continues without them."""
        content = json.dumps([len(result) for result in results]).encode() + b"\n" + b"".join(results)
        with suppress(OSError):
            self.path.mkdir(mode=0o700, exist_ok=True)
            with open(self._file(chunk), "wb", opener=open_no_follow) as out:
                out.write(_digest(content) + content)

    def _file(self, chunk: Chunk) -> Path:
        name = blake2b(f"{self._about} {chunk.digest}".encode(), digest_size=_DIGEST)
        return self.path / name.hexdigest()

    def delete(self) -> None:
        """Delete the directory, or a file in its place. Raises OSError."""
        if self.path.is_dir() and not self.path.is_symlink():
            rmtree(self.path)
        else:
            self.path.unlink(missing_ok=True)


def _digest(content: bytes) -> bytes:
    return blake2b(content, digest_size=_DIGEST).digest()
