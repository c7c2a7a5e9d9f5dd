"""Whether the rules run compiled or interpreted, with the same results.

`grid.py`, and `rules.py` of each game, are compiled to extension modules next to their sources, where the interpreter
prefers them. The sources are used if `HEXREC_PURE=1` is in the environment, if one of them was edited since, or if the
extension modules do not fit the installed `librt`. `HEXREC_REQUIRE_COMPILED=1` makes it an error to use the sources.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.machinery import EXTENSION_SUFFIXES, ModuleSpec
from importlib.util import spec_from_file_location

from hexrec.util.limits import EnvironmentVariableError

#: Environment variables: the first leaves the rules interpreted, the second makes that an error.
PURE, REQUIRED = "HEXREC_PURE", "HEXREC_REQUIRE_COMPILED"
#: The file of a source tree that describes the sources as they were compiled.
STAMP = "compiled.txt"
#: The file that a package without extension modules has: the reason in a sentence.
REASON = "interpreted.txt"
_FOLDER = os.path.dirname(__file__)


class _SourceFinder:
    """Finds the sources of the modules that are compiled."""

    def find_spec(self, name: str, path: Sequence[str] | None = None, _: object = None) -> ModuleSpec | None:
        """See `importlib.abc.MetaPathFinder`."""
        # Rules of other packages may be compiled, too, with arrays that interpreted ones do not have.
        if path is None or not (name.endswith(".rules") or name == "hexrec.rules.grid"):
            return None
        source = os.path.join(path[0], f"{name.rpartition('.')[2]}.py")
        # In a ZIP archive, there are no extension modules and no such paths.
        return spec_from_file_location(name, source) if os.path.exists(source) else None


def is_set(variable: str) -> bool:
    """Return whether an environment variable is set to a value other than 0."""
    return os.environ.get(variable, "") not in ("", "0")


def digest(path: str) -> str:
    """Return the digest of a source for the stamp."""
    from hashlib import sha256  # imported here because most runs read no source

    with open(path, "rb") as stream:
        return sha256(stream.read()).hexdigest()


def is_stale(folder: str) -> bool:
    """Return whether a source in the folder of this module changed since it was compiled for this Python.

    An installed package has no stamp, and its sources do not change.
    """
    try:
        with open(os.path.join(folder, STAMP), encoding="utf-8") as stream:
            lines = stream.read().splitlines()
        for line in lines:
            tag, known, size, time, name = line.split(" ", 4)
            if tag == sys.implementation.cache_tag:
                path = os.path.join(folder, name)
                found = os.stat(path)
                # In a copy of the tree, the time alone differs.
                if (found.st_size, found.st_mtime_ns) != (int(size), int(time)) and digest(path) != known:
                    return True
    except (OSError, ValueError):  # a source is missing, or another process is writing the stamp
        return os.path.exists(os.path.join(folder, STAMP))
    return False


def _find_obstacle() -> str:
    """Return the reason why the rules are interpreted, or an empty string if they are compiled."""
    if is_set(PURE):
        return f"{PURE} is set"
    if not any(os.path.exists(os.path.join(_FOLDER, f"grid{suffix}")) for suffix in EXTENSION_SUFFIXES):
        try:
            with open(os.path.join(_FOLDER, REASON), encoding="utf-8") as stream:
                return stream.read().strip()
        except OSError:
            return "they were not compiled for this Python: reinstall hexrec-games with a C compiler"
    if is_stale(_FOLDER):
        return "their sources are newer: compile them with `nox -s compile`"
    try:
        import hexrec.rules.grid  # noqa: F401
    # librt raises ValueError if it has another binary interface than the librt that compiled them.
    except (ImportError, ValueError) as error:
        sys.modules.pop("hexrec.rules.grid", None)
        return f"they cannot be loaded ({error}): reinstall hexrec-games"
    return ""


#: The reason why the rules are interpreted, or an empty string if they are compiled.
OBSTACLE = _find_obstacle()
if OBSTACLE:
    sys.meta_path.insert(0, _SourceFinder())


def require() -> None:
    """Raise EnvironmentVariableError if `HEXREC_REQUIRE_COMPILED` is set and the rules are interpreted."""
    if OBSTACLE and is_set(REQUIRED):
        raise EnvironmentVariableError(f"{REQUIRED} is set, and the rules are not compiled: {OBSTACLE}")


def describe_missing() -> str:
    """Return a message that the rules are interpreted; an empty string if they are compiled, or if that is a choice."""
    if not OBSTACLE or is_set(PURE):
        return ""
    return f"the rules are not compiled, so this takes several times as long ({OBSTACLE})"
