"""The page as a site without a server: the files, what the engines answer, and all of it in a browser.

The last needs a runtime, which `nox -s engines` gets: its folder is in HEXREC_RUNTIME.
"""

from __future__ import annotations

import gzip
import os
import threading
from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import version
from pathlib import Path
from zipfile import ZipFile

import pytest

from hexrec import loads
from hexrec.web.site import PYODIDE
from tests.cli.conftest import Run, hexrec
from tests.web.conftest import Shown
from tests.web.games import broken, good

__all__ = ["hexrec"]

WHEEL = f"pydantic_core-{version('pydantic-core')}-cp314-cp314-pyemscripten_2026_0_wasm32.whl"


@pytest.fixture
def runtime(tmp_path: Path) -> Path:
    """A folder with the names of a runtime's files, and nothing in them that could run."""
    folder = tmp_path / "runtime"
    folder.mkdir()
    for name in PYODIDE:
        (folder / name).write_bytes(name.encode())
    with ZipFile(folder / WHEEL, "w") as wheel:
        wheel.writestr("pydantic_core/compiled.so", b"compiled")
    return folder


def test_the_files_of_the_site(hexrec: Run, runtime: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    ran = hexrec("page", "--static", site, "--runtime", runtime)
    assert (ran.code, ran.out) == (0, "")
    own = {"index.html", "page.css", "page.js", "engine.js", "engine-worker.js", "hexrec.zip", "manifest.webmanifest"}
    own |= {"icon.svg", "preview.png", "service-worker.js", "page.js.map", "opponent-worker.js", "puzzles.jsonl"}
    assert {path.name for path in site.iterdir()} == {*PYODIDE, *own}
    assert all((site / name).read_text() == name for name in PYODIDE)
    assert 'src="engine.js"' in (site / "index.html").read_text(encoding="utf-8")
    before = (site / "hexrec.zip").read_bytes()
    with ZipFile(site / "hexrec.zip") as packages:
        names = set(packages.namelist())
    wanted = {
        "hexrec/server/local.py",
        "hexrec/rules/games/nadraz/rules.py",
        "hexrec/codes/games.toml",
        "hexrec/web/static/page.js",
    }
    assert wanted | {"pydantic/__init__.py", "yaml/__init__.py", "pydantic_core/compiled.so"} <= names
    assert not [name for name in names if name.startswith("hexrec/cli") or "__pycache__" in name]
    assert [name for name in names if name.endswith(".so")] == ["pydantic_core/compiled.so"]
    assert "og:image" not in (site / "index.html").read_text(encoding="utf-8")
    # Links to the site have a preview, whose picture needs a full address. The service worker names a version of its
    # own for other files.
    workers = [(site / "service-worker.js").read_text(encoding="utf-8")]
    for _ in range(2):
        assert hexrec("page", "--static", site, "--runtime", runtime, "--url", 'https://example.org/"play"/').code == 0
        workers.append((site / "service-worker.js").read_text(encoding="utf-8"))
        assert (site / "hexrec.zip").read_bytes() == before
    assert workers[0] != workers[1] == workers[2]
    page = (site / "index.html").read_text(encoding="utf-8")
    assert '<meta property="og:image" content="https://example.org/&quot;play&quot;/preview.png">' in page
    assert (site / "preview.png").read_bytes().startswith(b"\x89PNG")


def test_the_site_works_offline(opened: Callable[..., Shown], hexrec: Run, runtime: Path, tmp_path: Path) -> None:
    assert hexrec("page", "--static", tmp_path, "--runtime", runtime).code == 0
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=tmp_path)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = opened(f"http://127.0.0.1:{server.server_port}/")
        page.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
        kept = "async () => Boolean(await caches.match('hexrec.zip'))"
        assert not page.page.evaluate(kept)
        # The page says so when the engines have started.
        page.page.evaluate("async () => (await navigator.serviceWorker.ready).active.postMessage('engines')")
        page.until(lambda: page.page.evaluate(kept))
        server.shutdown()
    page.page.reload()
    page.page.get_by_role("button", name="Play Sunspot").click()
    page.play("d4")
    assert loads(page.download("json")).turns == ["d4"]


def test_the_engines_are_not_loaded_to_play(
    opened: Callable[..., Shown], hexrec: Run, runtime: Path, tmp_path: Path
) -> None:
    assert hexrec("page", "--static", tmp_path, "--runtime", runtime).code == 0
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=tmp_path)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}/"
        page = opened(f"{address}#/sunspot/new")
        page.page.locator("#board [data-cell]").first.wait_for()
        page.play("d4")
        page.click_cell(page.page.locator("#board [data-cell]").count() // 2)
        page.page.click("#undo")
        page.page.goto(f"{address}#/frasvel/sample")
        page.until(lambda: page.text("#about").startswith("Frasvel"))
        page.page.goto(f"{address}#/nadraz/lesson/2")
        page.page.click("#lesson-show")
        page.until(lambda: page.text("#lesson-note") != "")
        files = {request.removeprefix(address).partition("#")[0] for request in page.requests}
        assert files <= {"", "page.css", "page.js", "engine.js", "manifest.webmanifest", "icon.svg"}
        # All of it, as servers send it.
        sent = [gzip.compress((tmp_path / (name or "index.html")).read_bytes()) for name in files]
        assert sum(map(len, sent)) < 150_000
        server.shutdown()


@pytest.mark.parametrize("lacking", ["pyodide.asm.wasm", WHEEL])
def test_a_folder_that_is_no_runtime(hexrec: Run, runtime: Path, tmp_path: Path, lacking: str) -> None:
    (runtime / lacking).unlink()
    ran = hexrec("page", "--static", tmp_path / "site", "--runtime", runtime)
    assert ran.code == 2
    assert str(runtime) in ran.err
    assert not [*(tmp_path / "site").iterdir()]


def test_engines_that_cannot_be_loaded_are_told(
    opened: Callable[..., Shown], hexrec: Run, runtime: Path, tmp_path: Path
) -> None:
    """Pyodide waits for ever for a file that is not there, as this runtime does for any."""
    (runtime / "pyodide.mjs").write_text("export const loadPyodide = () => new Promise(() => {});")
    site = tmp_path / "site"
    assert hexrec("page", "--static", site, "--runtime", runtime).code == 0
    (site / "pyodide.asm.wasm").unlink()
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=site)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = opened(f"http://127.0.0.1:{server.server_port}/")
        page.page.fill("#text", good("sunspot"))
        page.page.click("text=Check")
        page.until(lambda: "pyodide.asm.wasm is not there" in page.text("#problem"))
        title = "getComputedStyle(document.querySelector('h1'), '::after').content"
        assert "cannot be started" in page.page.evaluate(title)
        # Offline, the reason is another; it goes when the page is online again.
        page.page.context.set_offline(True)
        page.until(lambda: not page.page.evaluate("navigator.onLine"))
        page.page.click("text=Check")
        page.until(lambda: "when you are online" in page.text("#problem"))
        assert "offline" in page.page.evaluate(title)
        page.page.context.set_offline(False)
        page.until(lambda: page.page.evaluate(title) == "none")
        page.errors.clear()  # that the file is not there
        server.shutdown()


@pytest.mark.skipif("HEXREC_RUNTIME" not in os.environ, reason="HEXREC_RUNTIME names no runtime")
def test_the_engines_run_in_the_browser(opened: Callable[..., Shown], hexrec: Run, tmp_path: Path) -> None:
    assert hexrec("page", "--static", tmp_path, "--runtime", os.environ["HEXREC_RUNTIME"]).code == 0
    handler = partial(_Quiet, directory=tmp_path)
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = opened(f"http://127.0.0.1:{server.server_port}/")
        for text, title in ((good("valaturna"), "Valid"), (broken("frasvel").read_text(encoding="utf-8"), "Invalid")):
            if page.page.is_hidden("#entry"):
                page.page.click("#home")
            page.page.fill("#text", text)
            page.page.click("text=Check")
            heading = page.page.locator("#report-title")
            page.until(lambda: heading.is_visible() and heading.inner_text() == title)  # noqa: B023
        page.page.click("#explain")
        page.until(lambda: page.page.locator("#explanation-tables button").count() > 0)
        page.page.set_viewport_size({"width": 390, "height": 844})
        page.page.click("#home")
        page.page.get_by_role("button", name="Play Sunspot").click()
        for cell in (20, 40):
            page.moved(lambda: page.click_cell(cell))  # noqa: B023
        assert len(loads(page.download("json")).moves) == page.ply == 2
        assert all(request.startswith(f"http://127.0.0.1:{server.server_port}/") for request in page.requests)
        server.shutdown()


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Write no log."""
