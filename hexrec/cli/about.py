"""Version, platform and libraries for `hexrec --version --verbose`."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version

from hexrec.rules import games, kernels
from hexrec.util.version import FORMAT_VERSION, __version__

#: The libraries whose versions can affect results. Optional ones are listed only if they are installed.
_LIBRARIES = ("pydantic", "pyyaml", "typer", "rich", "librt", "fastapi", "pyarrow", "dask", "fsspec")


def lines() -> Iterator[str]:
    """Yield the lines of the output."""
    yield f"hexrec {__version__}"
    yield f"record format: {FORMAT_VERSION}"
    yield "rulesets: " + ", ".join(f"{name} {' '.join(games.get(name).rulesets)}" for name in games.names())
    yield f"kernels: {'compiled' if kernels.is_compiled() else 'none'}"
    yield f"{platform.python_implementation()} {platform.python_version()} on {platform.system()} {platform.machine()}"
    for library in _LIBRARIES:
        try:
            yield f"{library} {version(library)}"
        except PackageNotFoundError:
            continue
