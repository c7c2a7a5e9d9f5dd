"""The directories in which the settings of a file are searched, and the users whose settings apply there."""

from __future__ import annotations

import os


class SearchedDirectories:
    """The ends of searches, which go upward from a directory. Each directory is looked at once."""

    def __init__(self) -> None:
        self._repositories: dict[str, str | None] = {}

    def repository(self, directory: str) -> str | None:
        """Return the root of the git repository of a directory; None without one on the same file system."""
        root, passed = None, []
        while directory not in self._repositories:
            passed.append(directory)
            if os.path.lexists(os.path.join(directory, ".git")):
                root = directory
                break
            if os.path.ismount(directory) or os.path.dirname(directory) == directory:
                break
            directory = os.path.dirname(directory)
        else:
            root = self._repositories[directory]
        self._repositories.update(dict.fromkeys(passed, root))
        return root

    def ends_at(self, directory: str) -> bool:
        """Return whether the search ends at a directory.

        It ends at the root of the repository; without one, at the home directory or at the mount point.
        """
        root = self.repository(directory)
        if root is not None:
            return directory == root
        return os.path.ismount(directory) or os.path.dirname(directory) == directory or _is_home(directory)


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
