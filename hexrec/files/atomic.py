"""Where records and reports go: files that appear whole or not at all."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from typing import Any, BinaryIO, TextIO

from hexrec.files.compression import compressed


@contextmanager
def atomic_write(path: str | Path, **options: Any) -> Iterator[TextIO]:
    """Open a UTF-8 text file like `atomic_write_bytes`. Raises OSError."""
    with atomic_write_bytes(path, **options) as raw:
        stream = TextIOWrapper(raw, encoding="utf-8", newline="")
        try:
            yield stream
        finally:
            stream.flush()
            stream.detach()


@contextmanager
def atomic_write_bytes(
    path: str | Path, *, sync: bool = True, check: Callable[[], object] = lambda: None
) -> Iterator[BinaryIO]:
    """Open a file of bytes that takes its name only when it has been written without an error.

    With `sync` that holds even if the machine loses its power. It is compressed if its name ends in .gz, .zst, .bz2 or
    .xz. An existing file keeps its permissions, and its content if writing fails. `check` is called last before the
    file takes its name. What is there and no file, such as a pipe or a device, is written to directly.

    Raises OSError, and what `check` raises.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with open(target, "wb") as stream:
            yield stream
        return
    # What replaces a file that others may not read is never readable to them.
    opener = partial(os.open, mode=0o600 if target.exists() else 0o666)
    # The name is settled before the file is there, so that an interrupt at any moment leaves nothing behind.
    part = target.parent / f".hexrec-{os.getpid()}-{os.urandom(4).hex()}.part"
    try:
        with open(part, "xb", opener=opener) as raw:
            out = compressed(raw, target)
            try:
                yield out
            finally:
                if out is not raw:
                    out.close()
            raw.flush()
            if target.exists():
                shutil.copymode(target, part)
            if sync:
                os.fsync(raw.fileno())
            check()
        os.replace(part, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(part)
        raise
