"""Where the build puts the kernels as machine code: `hatch_build.py` compiles the modules of `hexrec.rules.kernels`.

Next to them it leaves the digest of the modules that it compiled. Where these have changed since, as they do in a
source tree, the compiled ones are out of date, and not used.
"""

from __future__ import annotations

import os
from hashlib import sha256
from importlib.machinery import EXTENSION_SUFFIXES

#: The file with the digest.
DIGEST = "sources.sha256"
#: The file that a package without compiled kernels has instead: the reason in a sentence.
REASON = "missing.txt"
_FOLDER = os.path.dirname(__file__)


def sources(package: str) -> list[str]:
    """Return the paths of the modules in a folder that are compiled."""
    names = sorted(name for name in os.listdir(package) if name.endswith(".py") and name != "__init__.py")
    return [os.path.join(package, name) for name in names]


def digest(package: str) -> str:
    """Return the digest of the modules in a folder that are compiled."""
    sha = sha256()
    for path in sources(package):
        with open(path, "rb") as stream:
            sha.update(os.path.basename(path).encode() + b"\0" + stream.read() + b"\0")
    return sha.hexdigest()


def are_current() -> bool:
    """Return whether there are compiled modules, and they are those of the modules next to them."""
    try:
        with open(os.path.join(_FOLDER, DIGEST), encoding="ascii") as stream:
            return stream.read() == digest(os.path.dirname(_FOLDER))
    except OSError:
        return False


def exist() -> bool:
    """Return whether there are kernels compiled for this Python, current or not."""
    return any(os.path.exists(os.path.join(_FOLDER, f"kernel{suffix}")) for suffix in EXTENSION_SUFFIXES)


def read_reason() -> str:
    """Return the reason why there are no compiled kernels."""
    try:
        with open(os.path.join(_FOLDER, REASON), encoding="utf-8") as stream:
            return stream.read().strip()
    except OSError:
        return "they were not compiled for this Python: reinstall hexrec-games with a C compiler"
