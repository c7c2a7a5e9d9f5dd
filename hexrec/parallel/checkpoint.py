"""The checkpoint of a run: the results of finished chunks, kept beside the output until that is whole.

It has a line for the run and one for each result, in order. Each line begins with a digest of itself, so that one that
was not written to its end is known; it and what follows it count as never written.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO

from hexrec.io.outputs import open_no_follow, sidecar
from hexrec.parallel.chunks import Chunk, Offset
from hexrec.parallel.runners import ChunkResults
from hexrec.parallel.tasks import ChunkResult
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
        options["limits"] = IN_FORCE
        self._about = {"code": code_versions(), "options": json.loads(json.dumps(options))}
        self._out: BinaryIO | None = None

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
            about = _read(stream.readline())
            if about is not None and about != self._about:
                raise CheckpointError(f"{self.path}: {self._difference(about)}: it cannot be continued")
            while about is not None and (entry := _read(stream.readline())) is not None:
                yield entry, stream.tell()

    def go_on(self, end: int) -> None:
        """Write what follows after so many bytes of the file; from its beginning if there are none. Raises OSError."""
        if end:
            os.truncate(self.path, end)
            self._out = open(self.path, "ab", opener=open_no_follow)  # noqa: SIM115
            return
        self.path.unlink(missing_ok=True)  # it may be another user's, or a link
        self._out = open(self.path, "xb", opener=open_no_follow)  # noqa: SIM115
        self._out.write(_line(self._about))

    def write(self, entry: object) -> None:
        """Write a result down. Raises OSError."""
        if self._out is None:
            self.go_on(0)
        assert self._out is not None
        self._out.write(_line(entry))
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

    def _difference(self, about: dict[str, Any]) -> str:
        if names := sorted({*self._about["code"]} ^ {*about.get("code", ())}):
            return f"the code has changed since the run began ({', '.join(names)})"
        ours, theirs = self._about["options"], about.get("options", {})
        names = [name for name in ours if ours[name] != theirs.get(name)]
        return f"the run was another one (compare {', '.join(names)})"


class Checkpoint(Journal):
    """The checkpoint of one output file.

    Attributes:
        chunks: how many finished chunks it holds.
    """

    def __init__(self, output: Path, **options: object) -> None:
        """Use the checkpoint of an output."""
        super().__init__(sidecar(output, "checkpoint"), **options)
        self.chunks = 0

    def restore(self, chunks: Iterator[Chunk]) -> ChunkResults:
        """Yield the chunks that an earlier run has finished with their results, and keep what follows after these.

        Only these chunks are taken, and what they read is compared with what that run has read. Raises OSError, and
        CheckpointError if the input is not the same, and as `read`.
        """
        if not self.exists():
            return
        end, entries = 0, []
        for entry, at in self.read():
            if "digest" not in entry:
                break
            entries.append(entry)
            if not (digest := entry["digest"]):
                continue
            chunk = next(chunks, None)
            if chunk is None or chunk.digest(digest) != digest:
                raise CheckpointError(f"{_name(chunk)} has changed since the run began: it cannot be continued")
            self.chunks += 1
            end = at
            for each in entries:
                yield chunk, ChunkResult(**{**each, "tail": Offset(*each["tail"])})
            entries = []
        self.go_on(end)

    def save(self, results: ChunkResults) -> ChunkResults:
        """Pass results on, after they have been written down. Raises OSError."""
        for chunk, result in results:
            self.write({name: getattr(result, name) for name in ChunkResult.__dataclass_fields__ if name != "changed"})
            self.chunks += bool(result.digest)
            yield chunk, result


def _line(data: object) -> bytes:
    text = json.dumps(data, separators=(",", ":")).encode()
    return blake2b(text, digest_size=_DIGEST_SIZE).hexdigest().encode() + b" " + text + b"\n"


def _read(line: bytes) -> Any:
    """Return the data of a line; None if it is not as it was written."""
    digest, _, text = line.partition(b" ")
    text = text[:-1]
    if not line.endswith(b"\n") or blake2b(text, digest_size=_DIGEST_SIZE).hexdigest().encode() != digest:
        return None
    return json.loads(text)


def _name(chunk: Chunk | None) -> str:
    return "the input" if chunk is None else ", ".join(dict.fromkeys(slice.name for slice in chunk.slices[:3]))
