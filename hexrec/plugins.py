"""What installed packages add to hexrec: the objects that the entry points of a group lead to, and their versions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
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


def code_versions() -> list[str]:
    """Return hexrec and the packages that extend it, each with its version."""
    return [f"hexrec {__version__}", *sorted({_version_of(entry) or entry.value for entry in _entries()})]
