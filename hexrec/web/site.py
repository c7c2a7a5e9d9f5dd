"""The page as a static site, with the engines in Pyodide.

Pyodide and pydantic-core compiled for it are copied from the runtime directory into the site, which loads nothing from
other hosts. Libraries in pure Python are copied from the current environment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from hashlib import blake2b
from importlib.metadata import distribution, version
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from hexrec.errors import RunError
from hexrec.web.assembly import service_worker, site_page

#: The files of the npm package that Pyodide loads.
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
#: The libraries in pure Python that the engines need.
_LIBRARIES = ("pydantic", "annotated-types", "typing-extensions", "typing-inspection", "PyYAML")
#: Parts of hexrec that the page does not use.
_LEFT_OUT = re.compile(r"(cli|lsp|conformance|server/static)/|.*(__pycache__/|\.(so|pyd|c)$)")
#: The date of all files in the archive, for reproducible bytes.
_DATE = (1980, 1, 1, 0, 0, 0)


def site(runtime: Path, url: str | None = None) -> Iterator[tuple[str, bytes]]:
    """Yield the names and the contents of the files of the site, the service worker last.

    `url` is the address of the site. Raises RunError and OSError.
    """
    digest = blake2b(digest_size=8)
    names = ["./"]
    for name, content in _files(runtime, url):
        digest.update(content)
        names.append(name)
        yield name, content
    yield "service-worker.js", service_worker(digest.hexdigest(), names).encode()


def _files(runtime: Path, url: str | None) -> Iterator[tuple[str, bytes]]:
    """Yield the files that the service worker keeps."""
    wheel = _find_wheel(runtime)
    for name in PYODIDE:
        if not (runtime / name).is_file():
            raise RunError(f"{name} is not in {runtime}: copy it from the npm package pyodide")
    for name, text in site_page(url).items():
        yield name, text.encode()
    yield "preview.png", files("hexrec.web").joinpath("static/preview.png").read_bytes()
    for name in PYODIDE:
        yield name, (runtime / name).read_bytes()
    yield "hexrec.zip", _build_archive(wheel)


def _find_wheel(runtime: Path) -> Path:
    wanted = version("pydantic-core")
    for path in sorted(runtime.glob(f"pydantic_core-{wanted}-*emscripten*_wasm32.whl")):
        return path
    raise RunError(f"no wheel of pydantic-core {wanted} for Emscripten in {runtime}: copy it there")


def _build_archive(wheel: Path) -> bytes:
    """Return hexrec and its libraries as a reproducible zip archive."""
    contents = dict(_read_package())
    for name in _LIBRARIES:
        for path in distribution(name).files or ():
            if path.suffix in (".py", "") and path.parts[0] not in ("..", "/") and "__pycache__" not in path.parts:
                contents[str(path)] = path.read_binary()
    with ZipFile(wheel) as compiled:
        contents |= {name: compiled.read(name) for name in compiled.namelist()}
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name in sorted(contents):
            archive.writestr(ZipInfo(name, _DATE), contents[name], ZIP_DEFLATED)
    return out.getvalue()


def _read_package() -> Iterator[tuple[str, bytes]]:
    root = Path(str(files("hexrec")))
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.is_file() and not _LEFT_OUT.match(name):
            yield f"hexrec/{name}", path.read_bytes()
