"""Selection of the files that differ from a revision of their git repository."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import cache

from hexrec.errors import RunError
from hexrec.io.discovery import STANDARD_INPUT, Source
from hexrec.util.diagnostics import Diagnostic


class ChangedSince:
    """Selects the sources that differ from a revision: changed, added or untracked files.

    Files are compared as they are in the working tree. Files that git ignores count as unchanged. Sources that git
    cannot compare are selected too: stdin, and unreadable files.

    Attributes:
        unchanged: the number of sources skipped.
    """

    def __init__(self, revision: str) -> None:
        self.unchanged = 0
        self._revision = revision
        self._root = cache(self._find_root)
        self._changed = cache(self._find_changed)

    def among(self, sources: Iterable[Source | Diagnostic]) -> Iterator[Source | Diagnostic]:
        """Yield the sources that have changed. Raises RunError."""
        for source in sources:
            if isinstance(source, Diagnostic) or self._is_changed(source.archive or source.name):
                yield source
            else:
                self.unchanged += 1

    def _is_changed(self, name: str) -> bool:
        file = os.path.realpath(name)
        if name == STANDARD_INPUT or not os.path.exists(file):
            return True
        root = self._root(os.path.dirname(file))
        return os.path.relpath(file, root) in self._changed(root)

    def _find_root(self, folder: str) -> str:
        return os.path.realpath(_git(folder, "rev-parse", "--show-toplevel").removesuffix("\n"))

    def _find_changed(self, root: str) -> frozenset[str]:
        commit = f"{self._revision}^{{commit}}"
        try:
            commit = _git(root, "rev-parse", "--verify", "--quiet", "--end-of-options", commit).strip()
        except RunError:
            message = (
                f"--since: git does not know the revision {self._revision!r} (a shallow clone has only the last ones)"
            )
            raise RunError(message) from None
        # Detecting renames takes long, and the former names are not used.
        changed = _git(root, "diff", "--name-only", "--no-renames", "-z", commit, "--")
        unknown = _git(root, "ls-files", "--others", "--exclude-standard", "-z")
        return frozenset(f"{changed}{unknown}".split("\0"))


def _git(folder: str, *arguments: str) -> str:
    """Run git in a directory and return its output. Raises RunError."""
    import subprocess

    try:
        done = subprocess.run(
            [_program(), "-C", folder, "-c", "core.quotePath=false", *arguments],
            capture_output=True,
            check=True,
        )
    except subprocess.CalledProcessError as error:
        lines = os.fsdecode(error.stderr).strip().splitlines() or [f"git {arguments[0]} failed"]
        raise RunError(f"--since: {folder}: {lines[-1]}") from None
    # Captured as bytes: text mode would turn a carriage return in a name into a newline.
    return os.fsdecode(done.stdout)


def _program() -> str:
    """Return the path of git. Raises RunError.

    The system would search the current directory for a bare name too: on Windows always, elsewhere depending on PATH.
    """
    name = "git.exe" if os.name == "nt" else "git"
    for folder in filter(os.path.isabs, os.get_exec_path()):
        if os.access(program := os.path.join(folder, name), os.X_OK) and os.path.isfile(program):
            return program
    raise RunError("--since needs git, which is not installed")
