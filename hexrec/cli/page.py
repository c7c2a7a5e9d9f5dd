"""`hexrec page`: write the page as a static site."""

from __future__ import annotations

from pathlib import Path

from hexrec.cli import option, outputs
from hexrec.cli.console import echo_totals, exit_on_os_error
from hexrec.web.site import site

EXAMPLES = (
    ("hexrec page --static site --runtime pyodide", "Write the site to a directory, for any web server."),
    ("hexrec page --static docs/play --runtime ~/pyodide", "Write it into the documentation of a project."),
)


def command(
    static: Path = option("--static DIR", "Write to this directory; other files in it stay.", default=...),
    runtime: Path = option(
        "--runtime DIR", "Read Pyodide and the wheel of pydantic-core for Emscripten here.", default=...
    ),
    url: str | None = option("--url URL", "Set the URL of the site, for previews of links to it."),
) -> None:
    """Write the page as a static site. hexrec runs in the browser.

    Browsers can install the site and use it offline.

    Serve the files over HTTP with any web server. The site loads nothing from other hosts. The runtime directory needs
    the files of the npm package pyodide.
    """
    size = 0
    with exit_on_os_error(static, "written"):
        static.mkdir(parents=True, exist_ok=True)
        for name, content in site(runtime, url):
            with outputs.binary(static / name) as out:
                out.write(content)
            size += len(content)
    echo_totals(f"{static}: {size / 1e6:.1f} MB")
