"""What extends hexrec: the registries of games and formats, and the installed packages that offer more of them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from typing import TYPE_CHECKING, Generic, Protocol, TypeGuard, TypeVar

from hexrec.errors import ArgumentError, UnknownNameError, warn
from hexrec.util.version import __version__

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class Named(Protocol):
    """Anything that is registered by its name."""

    @property
    def name(self) -> str:
        """The name."""


T = TypeVar("T", bound=Named)

#: The modules of games and formats that a program has registered; installed packages have entry points.
_registered_modules: set[str] = set()


class PluginWarning(UserWarning):
    """An installed package offers something that cannot be used, which is left out."""


class Registry(Generic[T]):
    """hexrec's own objects of a kind, those that a program registers, and those of installed packages, by name.

    A package offers one with an entry point of the group, whose name is that of the object. Packages are looked through
    only when a name is asked for that is none of hexrec's own, or all names are.

    Attributes:
        registered: the objects that the program has registered.
        offered: returns those of installed packages; the first time, this takes longer than replaying many games.
    """

    def __init__(self, group: str, kind: type[T], own: Collection[str], load: Callable[[str], T], code: str) -> None:
        """`load` imports one of hexrec's own by its name; `code` is the attribute that has an object's code."""
        self.registered: dict[str, T] = {}
        self._group = group
        self._kind = kind
        self._word = kind.__name__.lower()
        self._own = own
        self._load = cache(load)
        self.offered = cache(self._find_offered)
        self._code = code

    def names(self) -> tuple[str, ...]:
        """Return all names, in the order in which they are listed: hexrec's own first."""
        return (*self._own, *self.registered, *self.offered())

    def is_known(self, name: object) -> TypeGuard[str]:
        """Return whether there is an object with that name; quick for hexrec's own."""
        return isinstance(name, str) and (name in self._own or name in self.registered or name in self.offered())

    def get(self, name: str) -> T:
        """Return an object by its name, importing its module on first use. Raises UnknownNameError."""
        if name in self._own:
            return self._load(name)
        found = self.registered.get(name) or self.offered().get(name)
        if found is None:
            raise UnknownNameError(f"unknown {self._word} {name!r}; known: {', '.join(self.names())}")
        return found

    def register(self, added: T) -> None:
        """Add an object, for this process. Raises ValueError if there is one of that name."""
        if self.is_known(added.name):
            raise ArgumentError(f"there is a {self._word} {added.name!r} already")
        self.registered[added.name] = added
        _registered_modules.add(getattr(added, self._code).__module__)

    def unregister(self, name: str) -> None:
        """Take an object out that `register` added. Raises UnknownNameError for any other."""
        if self.registered.pop(name, None) is None:
            raise UnknownNameError(f"no {self._word} {name!r} has been registered")

    def _find_offered(self) -> dict[str, T]:
        """Return the objects of installed packages. What cannot be used is named in a warning and left out."""
        from importlib.metadata import entry_points

        found: dict[str, T] = {}
        try:
            entries = entry_points(group=self._group)
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
                if not isinstance(loaded, self._kind):
                    why = f"it is not a {self._kind.__name__}: {type(loaded).__name__}"
                elif loaded.name != entry.name:
                    why = f"the entry point is called {entry.name}, the {self._word} {loaded.name}"
                elif loaded.name in (*self._own, *found):
                    why = f"there is a {self._word} {loaded.name!r} already"
                else:
                    found[loaded.name] = loaded
                    continue
            warn(f"the {self._word} at {entry.value} is left out: {why}", PluginWarning)
        return found


def package_of(module: str) -> str | None:
    """Return the package that a module belongs to, with its version, if the package extends hexrec.

    Of a registered game or format, that is the module itself. Return None for a module that extends nothing.
    """
    return _packages().get(module.partition(".")[0]) or (module if module in _registered_modules else None)


@cache
def _packages() -> Mapping[str, str]:
    """Return the installed packages that extend hexrec, with their versions, by their importable names."""
    versions = {entry.module.partition(".")[0]: _version_of(entry) for entry in _entries()}
    return {name: version for name, version in versions.items() if version}


def _entries() -> list[EntryPoint]:
    """Return the entry points of all packages that extend hexrec; none if they cannot be read, of which others warn."""
    from importlib.metadata import entry_points

    try:
        return [*entry_points(group="hexrec.games"), *entry_points(group="hexrec.formats")]
    except OSError:
        return []


def _version_of(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else ""


def code_versions() -> list[str]:
    """Return hexrec and the packages that extend it, each with its version."""
    return [f"hexrec {__version__}", *sorted({_version_of(entry) or entry.value for entry in _entries()})]
