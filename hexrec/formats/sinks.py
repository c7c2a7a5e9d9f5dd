"""Where records and reports go: files that appear whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from stat import S_IMODE
from typing import TextIO

from hexrec.formats.packing import compressed


@contextmanager
def whole_file(path: str | Path) -> Iterator[TextIO]:
    """Open a UTF-8 text file that takes its name only when it has been written without an error.

    It is compressed if its name ends in .gz, .zst, .bz2 or .xz.
    An existing file keeps its permissions, and keeps its content if writing fails. What is there and no file, such
    as a pipe or a device, is written to directly. Raises OSError.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        with open(target, "w", encoding="utf-8", newline="") as stream:
            yield stream
        return
    # The name is settled before the file is there, so that an interrupt at any moment leaves nothing behind.
    part = target.parent / f".hexrec-{os.getpid()}-{os.urandom(4).hex()}.part"
    try:
        with open(part, "xb") as raw:
            packed = compressed(raw, target)
            stream = TextIOWrapper(packed, encoding="utf-8", newline="")
            try:
                yield stream
            finally:
                stream.flush()
                stream.detach()
                if packed is not raw:
                    packed.close()
            raw.flush()
            os.fsync(raw.fileno())
        if target.exists():
            os.chmod(part, S_IMODE(target.stat().st_mode))
        os.replace(part, target)
    except BaseException:
        with suppress(OSError):
            os.unlink(part)
        raise
