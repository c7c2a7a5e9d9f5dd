"""Load games and formats from registries and from the entry points of installed packages."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Generic, Protocol, TypeGuard, TypeVar

from hexrec.errors import ArgumentError, UnknownNameError, warn
from hexrec.util.version import __version__

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class Named(Protocol):
    """Protocol of objects that are registered by name."""

    @property
    def name(self) -> str:
        """The name."""


T = TypeVar("T", bound=Named)

_GROUPS = ("hexrec.games", "hexrec.formats")
_HEXREC = __name__.partition(".")[0]
#: Modules of the games and formats that a program registered. They may use classes and functions of hexrec as they are.
_registered_modules: set[str] = set()


class PluginWarning(UserWarning):
    """An installed package has a plug-in that cannot be used and is skipped."""


class Registry(Generic[T]):
    """Objects of one type by name: built-in ones, those that a program registers, and those of installed packages.

    A package provides an object by an entry point of the group with the name of the object. Entry points are searched
    only for a name that is not built in, or for the list of all names.

    Attributes:
        registered: objects that the program registered, by name.
        offered: returns the objects of installed packages by name; slow on the first call.
    """

    def __init__(
        self,
        group: str,
        kind: type[T],
        own: Collection[str],
        load: Callable[[str], T],
        *code: str,
        unique: str | None = None,
    ) -> None:
        """`load` imports a built-in object by its name; `code` names the attributes of its implementation.

        `unique` is an attribute that no two objects may share, unless it is None.
        """
        self.registered: dict[str, T] = {}
        self._group = group
        self._kind = kind
        self._word = kind.__name__.lower()
        self._own = own
        self._load = cache(load)
        self.offered = cache(self._find_offered)
        self._code = code
        self._unique = unique

    def names(self) -> tuple[str, ...]:
        """Return all names, built-in ones first."""
        return (*self._own, *self.registered, *self.offered())

    def is_known(self, name: object) -> TypeGuard[str]:
        """Return whether an object has the name. Fast for built-in names."""
        return isinstance(name, str) and (name in self._own or name in self.registered or name in self.offered())

    def get(self, name: str) -> T:
        """Return the object with a name; import its module on first use. Raises UnknownNameError."""
        if name in self._own:
            return self._load(name)
        plugin = self.registered.get(name) or self.offered().get(name)
        if plugin is None:
            raise UnknownNameError(f"unknown {self._word} {name!r}; known: {', '.join(self.names())}")
        return plugin

    def register(self, added: T) -> None:
        """Add an object for this process. Raises ArgumentError if its name, or what should be unique, is taken."""
        if self.is_known(added.name):
            raise ArgumentError(f"there is a {self._word} {added.name!r} already")
        if conflict := self._conflict(added, self.offered()):
            raise ArgumentError(f"the {self._word} {added.name!r}: {conflict}")
        self.registered[added.name] = added
        modules = {getattr(added, name).__module__ for name in self._code}
        _registered_modules.update(module for module in modules if module.partition(".")[0] != _HEXREC)

    def unregister(self, name: str) -> None:
        """Remove an object that `register` added. Raises UnknownNameError for any other name."""
        if self.registered.pop(name, None) is None:
            raise UnknownNameError(f"no {self._word} {name!r} has been registered")

    def _conflict(self, added: T, offered: Mapping[str, T]) -> str | None:
        """Return a message if another object has the same unique attribute, else None."""
        value = self._unique and getattr(added, self._unique)
        if value is None:
            return None
        known = chain(map(self._load, self._own), self.registered.values(), offered.values())
        owner = next((other.name for other in known if getattr(other, str(self._unique)) == value), None)
        return owner and f"its {self._unique} is that of {owner} ({value}): give another, or None"

    def _find_offered(self) -> dict[str, T]:
        """Return the objects of installed packages by name. Warn about those that cannot be used, and skip them."""
        objects: dict[str, T] = {}
        for entry in _entries(self._group):
            try:
                loaded = entry.load()
            except Exception as error:  # importing a package can fail in any way
                why = f"{type(error).__name__}: {error}"
            else:
                if not isinstance(loaded, self._kind):
                    why = f"it is not a {self._kind.__name__}: {type(loaded).__name__}"
                elif loaded.name != entry.name:
                    why = f"the entry point is called {entry.name}, the {self._word} {loaded.name}"
                elif loaded.name in (*self._own, *objects):
                    why = f"there is a {self._word} {loaded.name!r} already"
                elif conflict := self._conflict(loaded, objects):
                    why = conflict
                else:
                    objects[loaded.name] = loaded
                    continue
            warn(f"the {self._word} at {entry.value} is skipped: {why}", PluginWarning)
        return objects


def package_of(module: str) -> str | None:
    """Return the name and version of the package of a module, if the package extends hexrec, else None.

    For the module of a registered game or format, return the module itself.
    """
    return _packages().get(module.partition(".")[0]) or (module if module in _registered_modules else None)


@cache
def _packages() -> Mapping[str, str]:
    """Return the packages that extend hexrec, as name and version, by importable name."""
    versions = {entry.module.partition(".")[0]: _version_of(entry) for entry in _entries(*_GROUPS)}
    return {name: version for name, version in versions.items() if version}


def _entries(*groups: str) -> list[EntryPoint]:
    """Return the entry points of some groups. If they cannot be read, warn and return none."""
    from importlib.metadata import entry_points

    try:
        return [entry for group in groups for entry in entry_points(group=group)]
    except OSError as error:
        warn(f"the plug-ins of installed packages are skipped: cannot read them: {error}", PluginWarning)
        return []


def _version_of(entry: EntryPoint) -> str:
    return f"{entry.dist.name} {entry.dist.version}" if entry.dist else ""


def code_versions() -> list[str]:
    """Return the names and versions of hexrec and of the packages that extend it."""
    return [f"hexrec {__version__}", *sorted({_version_of(entry) or entry.value for entry in _entries(*_GROUPS)})]
