"""Archives by the names of their files. The modules that read archives are imported only for one."""

from __future__ import annotations

import os

from hexrec.io.compression import inner_suffix

_ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.zst", ".tar.bz2", ".tar.xz")


def is_archive(file: str) -> bool:
    """Return whether the name of a file has the suffix of an archive."""
    return file.lower().endswith(_ARCHIVES)


def is_plain(file: str) -> bool:
    """Return whether the name of a file has neither the suffix of a compressed file nor that of an archive."""
    return os.path.splitext(file)[1].lower() == inner_suffix(file) and not is_archive(file)
