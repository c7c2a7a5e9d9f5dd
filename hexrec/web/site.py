"""The page as a folder of files without a server: the engines run in the browser, in Pyodide.

Pyodide and the one library that is compiled for it come from a folder, the runtime, and are copied into the site: it
fetches nothing from other places. The libraries that are plain Python come from where hexrec runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.metadata import distribution, version
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from hexrec.web.assembly import site_page

#: What Pyodide loads, of the files of its package in the npm registry.
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
#: The libraries that the engines need, but for the compiled one.
_LIBRARIES = ("pydantic", "annotated-types", "typing-extensions", "typing-inspection", "PyYAML")
#: Parts of hexrec that the page never asks for.
_LEFT_OUT = re.compile(r"(cli|workers|conformance|server/static)/|.*(__pycache__/|\.(so|pyd|c)$)")
#: The date of all files in the archive: the same input makes the same bytes.
_DATE = (1980, 1, 1, 0, 0, 0)


class RuntimeMissing(Exception):
    """A folder that is no runtime: something is not there."""


def site(runtime: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the names and the contents of the files of the site. Raises RuntimeMissing and OSError."""
    wheel = _wheel(runtime)
    for name in PYODIDE:
        if not (runtime / name).is_file():
            raise RuntimeMissing(f"{name} is not in {runtime}: it is one of the files of the npm package pyodide")
    for name, text in site_page().items():
        yield name, text.encode()
    for name in PYODIDE:
        yield name, (runtime / name).read_bytes()
    yield "hexrec.zip", _packages(wheel)


def _wheel(runtime: Path) -> Path:
    wanted = version("pydantic-core")
    for path in sorted(runtime.glob(f"pydantic_core-{wanted}-*emscripten*_wasm32.whl")):
        return path
    raise RuntimeMissing(f"pydantic-core {wanted} for Emscripten (a wheel) is not in {runtime}")


def _packages(wheel: Path) -> bytes:
    """Return hexrec and its libraries as one archive, the same bytes for the same files."""
    found = dict(_own())
    for name in _LIBRARIES:
        for path in distribution(name).files or ():
            if path.suffix in (".py", "") and path.parts[0] not in ("..", "/") and "__pycache__" not in path.parts:
                found[str(path)] = path.read_binary()
    with ZipFile(wheel) as compiled:
        found |= {name: compiled.read(name) for name in compiled.namelist()}
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name in sorted(found):
            archive.writestr(ZipInfo(name, _DATE), found[name], ZIP_DEFLATED)
    return out.getvalue()


def _own() -> Iterator[tuple[str, bytes]]:
    root = Path(str(files("hexrec")))
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and not _LEFT_OUT.match(name):
            yield f"hexrec/{name}", path.read_bytes()
