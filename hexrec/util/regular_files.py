"""Files that nobody named on the command line, such as settings, caches and checkpoints.

They may come from a stranger, so only regular files are opened. A pipe might never end, a device might fill the memory,
and a symbolic link might lead to either.
"""

from __future__ import annotations

import os
from stat import S_IFBLK, S_IFCHR, S_IFDIR, S_IFIFO, S_IFLNK, S_IFMT, S_IFSOCK, S_ISREG
from typing import BinaryIO

_KINDS = {
    S_IFBLK: "a device",
    S_IFCHR: "a device",
    S_IFDIR: "a directory",
    S_IFIFO: "a pipe",
    S_IFLNK: "a symbolic link",
    S_IFSOCK: "a socket",
}


class NotRegularError(OSError):
    """A path of something else than a regular file; `strerror` names it and the fix.

    Attributes:
        kind: the kind of the file, with an article.
    """

    def __init__(self, kind: str) -> None:
        super().__init__(0, f"it should be a regular file ({kind}): replace it")
        self.kind = kind


def open_regular(path: str | os.PathLike[str]) -> BinaryIO:
    """Open a regular file for reading. Raises NotRegularError, OSError, and ValueError for a string that is no path."""
    mode = os.lstat(path).st_mode  # opening a device may already do something
    if not S_ISREG(mode):
        raise NotRegularError(_KINDS.get(S_IFMT(mode), "something else"))
    return open(path, "rb", opener=open_no_follow)


def open_no_follow(path: str, flags: int) -> int:
    """Open a file as an `opener` for `open`, but follow no symbolic link and do not wait for a pipe.

    Only the owner may read or write a new file.
    """
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0), 0o600)


def is_trusted(owner: int, directory: str) -> bool:
    """Return whether files of a user count in a directory: those of root, of this user, of the directory's owner."""
    return not hasattr(os, "geteuid") or owner in (0, os.geteuid(), os.stat(directory).st_uid)


def user_name(user: int) -> str:
    """Return the name of a user, or the number of one without a name."""
    try:
        import pwd

        return pwd.getpwuid(user).pw_name
    except (ImportError, KeyError):
        return f"user {user}"
