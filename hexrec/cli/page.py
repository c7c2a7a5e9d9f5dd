"""`hexrec page`: the page as a static site, whose engines run in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from hexrec.cli import outputs
from hexrec.cli.console import echo, fail, or_fail
from hexrec.cli.options import option
from hexrec.web.site import RuntimeMissing, site

EXAMPLES = (
    ("hexrec page --static site --runtime pyodide", "Write the site to a folder, for any web server."),
    ("hexrec page --static docs/play --runtime ~/pyodide", "Write it into the site of a project."),
)


def command(
    static: Annotated[Path, option("--static DIR", "The folder to write to; other files in it stay.")],
    runtime: Annotated[
        Path,
        option(
            "--runtime DIR",
            "A folder with the files of the npm package pyodide and the wheel of pydantic-core for Emscripten.",
        ),
    ],
) -> None:
    """Write the page as a site that needs no server: legality and verdicts come from the engines in the browser.

    It is to be served over HTTP as plain files, and fetches nothing from other places.
    """
    size = 0
    try:
        with or_fail(static, "written"):
            static.mkdir(parents=True, exist_ok=True)
            for name, content in site(runtime):
                with outputs.binary(static / name) as out:
                    out.write(content)
                size += len(content)
    except RuntimeMissing as missing:
        fail(str(missing))
    echo(f"{static}: {size / 1e6:.1f} MB")
