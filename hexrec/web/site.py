"""The site without a server: the page, its engines and what it needs to work offline, as static files.

The engines run in the browser. Pyodide and pydantic-core compiled for it are copied from the runtime directory into the
site, which loads nothing from other hosts. Libraries in pure Python are copied from the current environment.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import blake2b
from html import escape
from importlib.metadata import distribution, version
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from hexrec.errors import RunError
from hexrec.web.assembly import embed, embed_games, page, samples
from hexrec.web.scripts import OPPONENT, PUZZLES, opponent, read_file, script, source_map, style_sheet

#: The sentence about privacy on the screen to begin from.
_STATIC = "Nothing leaves your browser, which validates records by itself and stores unsaved changes."
#: The files of the npm package that Pyodide loads.
PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
#: The files that are loaded only when the engines start.
_ENGINES = ("engine-worker.js", "hexrec.zip", *PYODIDE)
#: The libraries in pure Python that the engines need.
_LIBRARIES = ("pydantic", "annotated-types", "typing-extensions", "typing-inspection", "PyYAML")
#: Parts of hexrec that the page does not use.
_LEFT_OUT = re.compile(
    r"(cli|lsp|conformance|server/static)/|web/static/(page\.d\.ts|tsconfig\.json)$|.*(__pycache__/|\.(so|pyd|c)$)"
)
#: The date of all files in the archive, for reproducible bytes.
_DATE = (1980, 1, 1, 0, 0, 0)


def site(runtime: Path, url: str | None = None) -> Iterator[tuple[str, bytes]]:
    """Yield the names and the contents of the files of the site, the service worker last.

    `url` is the address of the site: previews of links need a full address for their picture. Raises RunError and
    OSError.
    """
    digest = blake2b(digest_size=8)
    names = {"files": ["./"], "engines": list[str](), "opponent": list[str]()}
    for name, content in _site_files(runtime, url):
        digest.update(content)
        kind = "engines" if name in _ENGINES else "opponent" if name in (OPPONENT, PUZZLES) else "files"
        names[kind].append(name)
        yield name, content
    kept = json.dumps({"version": f"hexrec {digest.hexdigest()}", **names})
    worker = read_file("service-worker.js").replace(
        '/* site */ { version: "", files: [], engines: [], opponent: [] }', kept
    )
    yield "service-worker.js", worker.encode()


def _site_files(runtime: Path, url: str | None) -> Iterator[tuple[str, bytes]]:
    """Yield the files that the service worker keeps in the browser."""
    wheel = _find_wheel(runtime)
    for name in PYODIDE:
        if not (runtime / name).is_file():
            raise RunError(f"{name} is not in {runtime}: copy it from the npm package pyodide")
    texts = {
        "index.html": _site_page(url),
        "page.css": style_sheet(),
        "page.js": script(),
        "page.js.map": source_map(),
        OPPONENT: opponent(),
        PUZZLES: read_file(PUZZLES),
    }
    texts |= {name: read_file(name) for name in ("engine.js", "engine-worker.js", "manifest.webmanifest", "icon.svg")}
    yield from ((name, text.encode()) for name, text in texts.items())
    yield "preview.png", files(__package__).joinpath("static/preview.png").read_bytes()
    for name in PYODIDE:
        yield name, (runtime / name).read_bytes()
    yield "hexrec.zip", _build_archive(wheel)


def _site_page(url: str | None) -> str:
    policy = (
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; "
        "connect-src 'self' https:; img-src 'self' data:; manifest-src 'self'; base-uri 'none'; form-action 'none'"
    )
    head = [
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<link rel="stylesheet" href="page.css">',
        '<link rel="manifest" href="manifest.webmanifest">',
        '<meta property="og:title" content="hexrec: hexagonal board games">',
        '<meta property="og:type" content="website">',
    ]
    if url is not None:
        base = escape(url.rstrip("/"))
        head += [
            f'<meta property="og:url" content="{base}/">',
            f'<meta property="og:image" content="{base}/preview.png">',
            '<meta name="twitter:card" content="summary_large_image">',
        ]
    scripts = "".join(f'<script type="module" src="{name}"></script>\n' for name in ("engine.js", "page.js"))
    return page("\n".join(head), embed_games() + embed("samples", samples()) + scripts, _STATIC)


def _find_wheel(runtime: Path) -> Path:
    wanted = version("pydantic-core")
    for path in sorted(runtime.glob(f"pydantic_core-{wanted}-*emscripten*_wasm32.whl")):
        return path
    raise RunError(f"no wheel of pydantic-core {wanted} for Emscripten in {runtime}: copy it there")


def _build_archive(wheel: Path) -> bytes:
    """Return hexrec and its libraries as a reproducible zip archive."""
    contents = {}
    package = Path(str(files("hexrec")))
    for path in package.rglob("*"):
        name = path.relative_to(package).as_posix()
        if path.is_file() and not _LEFT_OUT.match(name):
            contents[f"hexrec/{name}"] = path.read_bytes()
    for library in _LIBRARIES:
        for file in distribution(library).files or ():
            if file.suffix in (".py", "") and file.parts[0] not in ("..", "/") and "__pycache__" not in file.parts:
                contents[str(file)] = file.read_binary()
    with ZipFile(wheel) as compiled:
        contents |= {name: compiled.read(name) for name in compiled.namelist()}
    out = BytesIO()
    with ZipFile(out, "w", ZIP_DEFLATED) as archive:
        for name in sorted(contents):
            archive.writestr(ZipInfo(name, _DATE), contents[name], ZIP_DEFLATED)
    return out.getvalue()
