"""What installed packages add to hexrec: the objects that the entry points of a group lead to, and their versions."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Protocol, TypeVar

from hexrec._version import __version__
from hexrec.errors import warn

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class Named(Protocol):
    """Anything that is registered by its name."""

    @property
    def name(self) -> str:
        """The name."""


T = TypeVar("T", bound=Named)

#: The modules of games and notations that a program has registered; installed packages have entry points.
registered: set[str] = set()


class PluginWarning(UserWarning):
    """An installed package offers something that cannot be used, which is left out."""


def names(group: str) -> tuple[str, ...]:
    """Return the names of what packages offer, whether it can be used or not: nothing is imported."""
    from importlib.metadata import entry_points

    return tuple(entry_points(group=group).names)


def load(group: str, kind: type[T], taken: Collection[str]) -> dict[str, T]:
    """Return the objects of a kind that packages offer, by name, without the names that are taken.

    What cannot be used is named in a warning and left out. This takes longer than replaying many games.
    """
    from importlib.metadata import entry_points

    found: dict[str, T] = {}
    try:
        entries = entry_points(group=group)
    except OSError as error:
        message = f"what installed packages offer is left out: it cannot be read: {error}"
        warn(message, PluginWarning)
        return found
    for entry in entries:
        try:
            loaded = entry.load()
        except Exception as error:  # whatever a package does when it is imported
            why = f"{type(error).__name__}: {error}"
        else:
            if not isinstance(loaded, kind):
                why = f"it is not a {kind.__name__}: {type(loaded).__name__}"
            elif loaded.name != entry.name:
                why = f"the entry point is called {entry.name}, the {kind.__name__.lower()} {loaded.name}"
            elif loaded.name in taken or loaded.name in found:
                why = f"there is a {kind.__name__.lower()} {loaded.name!r} already"
            else:
                found[loaded.name] = loaded
                continue
        message = f"the {kind.__name__.lower()} at {entry.value} is left out: {why}"
        warn(message, PluginWarning)
    return found


def package_of(module: str) -> str | None:
    """Return the package that a module belongs to, with its version, if the package extends hexrec.

    Of a registered game or notation, that is the module itself. Return None for a module that extends nothing.
    """
    return _packages().get(module.partition(".")[0]) or (module if module in registered else None)


@cache
def _packages() -> Mapping[str, str]:
    """Return the installed packages that extend hexrec, with their versions, by their importable names."""
    versions = {entry.module.partition(".")[0]: _version_of(entry) for entry in _entries()}
    return {name: version for name, version in versions.items() if version}


def _entries() -> list[EntryPoint]:
    """Return the entry points of all packages that extend hexrec; none if they cannot be read: `load` warns of that."""
    from importlib.metadata import entry_points

    try:
        return [*entry_points(group="hexrec.games"), *entry_points(group="hexrec.notations")]
    except OSError:
        return []


def _version_of(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else ""


def code_versions() -> dict[str, str]:
    """Return the version of hexrec and of each package with plug-ins, each with a digest of its modules.

    The version alone does not change while somebody edits the code. Nor do the times of the files serve: they change
    with each installation, and CI installs hexrec for each run.
    """
    modules: dict[str, list[str]] = {f"hexrec {__version__}": ["hexrec"]}
    for entry in _entries():
        modules.setdefault(_version_of(entry) or entry.value, []).append(entry.module)
    return {name: _digest(named) for name, named in modules.items()}


def _digest(modules: Iterable[str]) -> str:
    """Return a digest of the files of the top-level packages in which modules are."""
    digest = blake2b(digest_size=16)
    for package in sorted({module.partition(".")[0] for module in modules}):
        for path in _files(package):
            with open(path, "rb") as stream:
                content = stream.read()
            digest.update(f"{os.path.basename(path)} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _files(package: str) -> Iterator[str]:
    """Yield the paths of the modules of a top-level package, in order."""
    from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES
    from importlib.util import find_spec

    suffixes = (*SOURCE_SUFFIXES, *EXTENSION_SUFFIXES)
    try:
        spec = find_spec(package)
    except (ImportError, ValueError):
        return
    if spec and spec.origin and os.path.isfile(spec.origin):
        yield spec.origin
    for location in spec.submodule_search_locations or () if spec else ():
        for folder, folders, names in os.walk(location):
            folders.sort()
            yield from (os.path.join(folder, name) for name in sorted(names) if name.endswith(suffixes))
