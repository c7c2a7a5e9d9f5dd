"""The directories in which the settings of a file are searched."""

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
