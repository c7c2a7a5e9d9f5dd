"""The versions of the code on which reports depend: saved reports hold for this code alone."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec

from hexrec._version import __version__

_GROUPS = ("hexrec.games", "hexrec.notations")
_SUFFIXES = (*SOURCE_SUFFIXES, *EXTENSION_SUFFIXES)


def code_versions() -> dict[str, str]:
    """Return the version of hexrec and of each package with plug-ins, each with a digest of its modules.

    The version alone does not change while somebody edits the code. Nor do the times of the files serve: they change
    with each installation, and CI installs hexrec for each run.
    """
    plugins: dict[str, list[EntryPoint]] = {}
    try:
        for group in _GROUPS:
            for entry in entry_points(group=group):
                name = f"{entry.dist.name} {entry.dist.version}" if entry.dist else entry.value
                plugins.setdefault(name, []).append(entry)
    except OSError:  # then hexrec uses no plug-ins
        plugins.clear()
    versions = {name: _digest(entry.value for entry in entries) for name, entries in plugins.items()}
    return {f"hexrec {__version__}": _digest(["hexrec"]), **versions}


def _digest(modules: Iterable[str]) -> str:
    """Return a digest of the files of the top-level packages in which modules are."""
    digest = blake2b(digest_size=16)
    for package in sorted({module.partition(":")[0].partition(".")[0].strip() for module in modules}):
        for path in _files(package):
            with open(path, "rb") as stream:
                content = stream.read()
            digest.update(f"{os.path.basename(path)} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _files(package: str) -> Iterator[str]:
    """Yield the paths of the modules of a top-level package, in order."""
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return
    if spec and spec.origin and os.path.isfile(spec.origin):
        yield spec.origin
    for location in spec.submodule_search_locations or () if spec else ():
        for folder, folders, names in os.walk(location):
            folders.sort()
            yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(_SUFFIXES))
