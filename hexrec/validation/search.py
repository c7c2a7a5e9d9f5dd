"""The directories in which the settings of a file are searched, and the users whose settings apply there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache


class SearchedDirectories:
    """The directories of searches, which go upward from a directory. Each directory is looked at once."""

    def __init__(self) -> None:
        self._is_repository = cache(lambda directory: os.path.lexists(os.path.join(directory, ".git")))
        self._is_home = cache(_is_home)
        self._is_top = cache(lambda directory: os.path.ismount(directory) or os.path.dirname(directory) == directory)

    def repository(self, directory: str) -> str | None:
        """Return the root of the git repository of a directory; None without one on the same file system."""
        return next(filter(self._is_repository, self._upward(directory)), None)

    def search(self, directory: str) -> Iterator[str]:
        """Yield a directory and those above it, up to the root of the repository.

        Without one, end at the home directory or at the mount point.
        """
        root = self.repository(directory)
        for above in self._upward(directory):
            yield above
            if above == root or (root is None and self._is_home(above)):
                return

    def _upward(self, directory: str) -> Iterator[str]:
        yield directory
        while not self._is_top(directory):
            directory = os.path.dirname(directory)
            yield directory


def _is_home(directory: str) -> bool:
    try:
        return os.path.samefile(directory, os.path.expanduser("~"))
    except OSError:
        return False


def is_trusted(owner: int, directory: str) -> bool:
    """Return whether files of a user apply to a directory: those of root, of this user, of the directory's owner."""
    return not hasattr(os, "geteuid") or owner in (0, os.geteuid(), os.stat(directory).st_uid)


def user_name(user: int) -> str:
    """Return the name of a user, or the number of one without a name."""
    try:
        import pwd

        return pwd.getpwuid(user).pw_name
    except (ImportError, KeyError):
        return f"user {user}"
