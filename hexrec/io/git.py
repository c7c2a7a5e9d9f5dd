"""Revisions of git repositories: the files that differ from one, and the contents of files at one."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import PurePath

from hexrec.errors import RunError
from hexrec.io.discovery import STANDARD_INPUT, Source
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.limits import SETTINGS_FILES, in_words

#: The modes of regular files in a tree.
_REGULAR = ("100644", "100755")
#: git fetches missing objects of partial clones by commands that the configuration of a repository may name.
_WITHOUT_FETCHING = {"GIT_ALLOW_PROTOCOL": "none", "GIT_NO_LAZY_FETCH": "1"}


class ChangedSince:
    """Selects the sources that differ from a revision: changed, added or untracked files.

    Files are compared as they are in the working tree. Files that git ignores count as unchanged. Sources that git
    cannot compare are selected too: stdin, and unreadable files.

    Attributes:
        unchanged: the number of sources skipped.
    """

    def __init__(self, revision: str, option: str = "--since") -> None:
        """`option` is the name of the revision in messages."""
        self.unchanged = 0
        self._revision = revision
        self._option = option
        self._root = cache(self._find_root)
        self._changed = cache(self._find_changed)

    def among(self, sources: Iterable[Source | Diagnostic]) -> Iterator[Source | Diagnostic]:
        """Yield the sources that have changed. Raises RunError."""
        for source in sources:
            if isinstance(source, Diagnostic) or self._is_changed(source.archive or source.name):
                yield source
            else:
                self.unchanged += 1

    def reorder(
        self, sources: Iterable[Source | Diagnostic], again: Iterable[Source | Diagnostic]
    ) -> Iterator[Source | Diagnostic]:
        """Yield the sources that have changed, then the others. Raises RunError.

        `again` are the same sources: the files of an archive can be opened only while they are found.
        """
        yield from self.among(sources)
        for source in again:
            if isinstance(source, Source) and not self._is_changed(source.archive or source.name):
                yield source

    def _is_changed(self, name: str) -> bool:
        file = os.path.realpath(name)
        if name == STANDARD_INPUT or not os.path.exists(file):
            return True
        root = self._root(os.path.dirname(file))
        return os.path.relpath(file, root) in self._changed(root)

    def _find_root(self, folder: str) -> str:
        try:
            root = os.fsdecode(_git(self._option, folder, "rev-parse", "--show-toplevel"))
        except _GitFailed:
            problem = f"{self._option} needs a git repository, and {folder} is in none that git trusts"
            raise RunError(f"{problem}: leave the option out") from None
        return os.path.realpath(root.removesuffix("\n"))

    def _find_changed(self, root: str) -> frozenset[str]:
        commit = _find_commit(self._option, root, self._revision)
        # Detecting renames takes long, and the former names are not used.
        changed = _git(self._option, root, "diff", "--name-only", "--no-renames", "-z", commit, "--")
        unknown = _git(self._option, root, "ls-files", "--others", "--exclude-standard", "-z")
        return frozenset(os.fsdecode(changed + unknown).split("\0"))


class RevisionFiles:
    """The contents of files at a revision of their repositories, whatever the working tree has. It can be pickled.

    Attributes:
        name: the revision as named; the beginning of a digest.
    """

    _OPTION = "--config-from"

    def __init__(self, revision: str) -> None:
        self.name = revision[:12] if re.fullmatch("[0-9a-f]{40,64}", revision) else revision
        self._revision = revision
        # By root: the commit, and the entries of all settings files by path.
        self._commits: dict[str, str] = {}
        self._settings: dict[str, dict[str, tuple[str, str]]] = {}

    def read(self, file: str | os.PathLike[str], root: str, limit: int) -> bytes | None:
        """Return the content of a file of the repository with this root; None if the revision has no such file.

        Raises RunError, also for a file of more than `limit` bytes and for one that is not regular.
        """
        path = PurePath(os.path.relpath(file, root)).as_posix()
        if "\0" in path:
            return None
        # Settings are looked for in every directory, so they are listed at once.
        entries = self._list_settings(root) if PurePath(path).name in SETTINGS_FILES else self._list(root, path)
        if path not in entries:
            return None
        mode, digest = entries[path]
        if mode not in _REGULAR:
            raise RunError(f"{os.fspath(file)} at {self.name}: it should be a regular file: replace it")
        if int(self._git(root, "cat-file", "-s", digest)) > limit:
            raise RunError(f"{os.fspath(file)} at {self.name}: larger than {in_words(limit)}: not read")
        return self._git(root, "cat-file", "blob", digest)

    def _list_settings(self, root: str) -> dict[str, tuple[str, str]]:
        if root not in self._settings:
            entries = self._list(root)
            named = {path: entry for path, entry in entries.items() if path.rpartition("/")[2] in SETTINGS_FILES}
            self._settings[root] = named
        return self._settings[root]

    def _list(self, root: str, *paths: str) -> dict[str, tuple[str, str]]:
        """Return the mode and the digest of the files at some paths, or else of all files."""
        if root not in self._commits:
            self._commits[root] = _find_commit(self._OPTION, root, self._revision, _trust(root), _WITHOUT_FETCHING)
        tree = ("--end-of-options", self._commits[root])
        listed = os.fsdecode(self._git(root, "ls-tree", "-r", "-z", "--full-tree", *tree, *paths))
        entries = (line.split("\t", 1) for line in listed.split("\0")[:-1])
        return {path: (about.split()[0], about.split()[2]) for about, path in entries}

    def _git(self, root: str, *arguments: str) -> bytes:
        return _git(self._OPTION, root, *arguments, flags=_trust(root), environment=_WITHOUT_FETCHING)


def _trust(root: str) -> list[str]:
    """Return the flags to read objects of a repository that may belong to another user, as it has them."""
    return ["-c", f"safe.directory={os.path.realpath(root)}", "--no-replace-objects"]


def _find_commit(
    option: str, root: str, revision: str, flags: Iterable[str] = (), environment: Mapping[str, str] | None = None
) -> str:
    """Return the digest of the commit of a revision. Raises RunError."""
    arguments = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
    try:
        return os.fsdecode(_git(option, root, *arguments, flags=flags, environment=environment)).strip()
    except _GitFailed:
        fetch = shlex.join(["git", "-C", root, "fetch", "--depth=1", "origin", revision])
        problem = f"git does not know the revision {revision!r} (a shallow clone has only the last ones)"
        raise RunError(f"{option}: {problem}: get it with `{fetch}`") from None


class _GitFailed(RunError):
    """git ended with an error; the message has the command."""


def _git(
    option: str,
    folder: str,
    *arguments: str,
    flags: Iterable[str] = (),
    environment: Mapping[str, str] | None = None,
) -> bytes:
    """Run git in a directory and return its output; messages name the option. Raises RunError."""
    import subprocess

    try:
        # Captured as bytes: text mode would turn a carriage return in a name into a newline.
        return subprocess.run(
            [_program(option), "-C", folder, "-c", "core.quotePath=false", *flags, *arguments],
            capture_output=True,
            check=True,
            env={**os.environ, **(environment or {})},
        ).stdout
    except subprocess.CalledProcessError:
        program = shlex.join(["git", "-C", folder, *arguments])
        raise _GitFailed(f"{option}: `{program}` fails: run it to see the reason") from None


def _program(option: str) -> str:
    """Return the path of git. Raises RunError.

    The system would search the current directory for a bare name too: on Windows always, elsewhere depending on PATH.
    """
    name = "git.exe" if os.name == "nt" else "git"
    for folder in filter(os.path.isabs, os.get_exec_path()):
        if os.access(program := os.path.join(folder, name), os.X_OK) and os.path.isfile(program):
            return program
    raise RunError(f"{option} needs git, which is not installed")
