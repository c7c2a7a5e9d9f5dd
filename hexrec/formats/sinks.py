"""Where records and reports go: files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from io import TextIOWrapper
from pathlib import Path
from stat import S_IMODE
from typing import BinaryIO, TextIO

from hexrec.formats.packing import compressed


@contextmanager
def whole_file(path: str | Path, *, sync: bool = True) -> Iterator[TextIO]:
    """Open a UTF-8 text file like `whole_binary_file`. Raises OSError."""
    with whole_binary_file(path, sync=sync) as raw:
        stream = TextIOWrapper(raw, encoding="utf-8", newline="")
        try:
            yield stream
        finally:
            stream.flush()
            stream.detach()


@contextmanager
def whole_binary_file(path: str | Path, *, sync: bool = True) -> Iterator[BinaryIO]:
    """Open a file of bytes that takes its name only when it has been written without an error.

    With `sync` that holds even if the machine loses its power. It is compressed if its name ends in .gz, .zst, .bz2 or
    .xz. An existing file keeps its permissions, and keeps its content if writing fails. What is there and no file, such
    as a pipe or a device, is written to directly. Raises OSError.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with open(target, "wb") as stream:
            yield stream
        return
    # The name is settled before the file is there, so that an interrupt at any moment leaves nothing behind.
    part = target.parent / f".hexrec-{os.getpid()}-{os.urandom(4).hex()}.part"
    try:
        # What replaces a file that others may not read is never readable to them.
        mode = 0o600 if target.exists() else 0o666
        with open(part, "xb", opener=partial(os.open, mode=mode)) as raw:
            packed = compressed(raw, target)
            try:
                yield packed
            finally:
                if packed is not raw:
                    packed.close()
            raw.flush()
            if sync:
                os.fsync(raw.fileno())
        if target.exists():
            os.chmod(part, S_IMODE(target.stat().st_mode))
        os.replace(part, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(part)
        raise
