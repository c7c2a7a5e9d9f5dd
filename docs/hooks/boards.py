"""Pictures for the boards on the pages of games: each `hexrec show` there becomes the picture that it would draw.

Repositories show the boards as text, which tests compare with what the command prints. On the site the picture comes
first and the text is folded away; both come from the same command on the page, so that neither can be out of date.
Each position can be played on: `diagrams.js` puts `<hexrec-board>` in the place of its picture. The examples of that
element on its own page are live.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import tempfile
from argparse import ArgumentParser
from dataclasses import replace
from functools import cache
from html import escape
from itertools import islice
from pathlib import Path
from posixpath import relpath
from typing import Any, NamedTuple, get_args

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import hexrec
from hexrec.record.canonical import canonical_form
from hexrec.render import svg
from hexrec.render.svg import description
from hexrec.render.theme import Style, Theme
from hexrec.render.views import View, view_of
from hexrec.rules import games
from hexrec.web.__main__ import write_modules
from hexrec.web.scripts import link

ROOT = Path(__file__).parent.parent.parent
FOLDER = "games/"
#: Blocks that show boards, those that follow each other directly together; and the command in one of them.
BLOCKS = re.compile(r"(?:^```console\n\$ hexrec show [^`]*^```\n\n?)+", re.MULTILINE)
COMMAND = re.compile(r"^\$ hexrec show (.*)$", re.MULTILINE)
#: The examples of `<hexrec-board>` on its page.
EXAMPLE = re.compile(r"^```html\n(<hexrec-board.*?)^```\n", re.MULTILINE | re.DOTALL)
#: The picture on the front page, with the line about it, and the game that can be played there.
IMAGE = re.compile(r"^!\[[^\]]*\]\([^)]*\)\n\n\*[^*]*\*\n", re.MULTILINE)
FRONT = "fixtures/suite/sundraval/valid/two-territories-beat-a-larger-one.yaml"
#: Material shows a picture whose address ends so in one of its color schemes only.
THEMES: tuple[Theme, ...] = tuple(theme for theme in get_args(Theme) if theme != "auto")
COMPONENT, DIAGRAMS = "hexrec-board.js", "diagrams.js"
ESBUILD = ROOT / ".ci/page/node_modules/.bin/esbuild"


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the module of `<hexrec-board>`, and the script that puts it in the place of pictures."""
    files.append(File.generated(config, COMPONENT, content=_component()))
    files.append(File.generated(config, DIAGRAMS, content=Path(__file__).with_name(DIAGRAMS).read_text("utf-8")))
    return files


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put pictures before the boards as text, which are folded away; show the examples of `<hexrec-board>`."""
    uri = page.file.src_uri
    if uri == "index.md":
        # In the place of the screenshot, which GitHub shows.
        board = f'<div class="diagrams"><hexrec-board controls>{_record(FRONT)}</hexrec-board></div>\n'
        return IMAGE.sub(lambda _: board, markdown, count=1) + _script(uri)
    if uri == "javascript.md":
        return EXAMPLE.sub(r"\g<0>\n\1\n", markdown) + _script(uri)
    if not uri.startswith(FOLDER):
        return markdown
    name, drawn = Path(uri).stem, 0

    def picture(shown: Shown) -> str:
        """Add a picture in each color scheme and the record; return what shows the one that is asked for."""
        nonlocal drawn
        drawn += 1
        view = shown.view
        style = Style(labels="ends" if view.position.stacks() else "all", background=False)
        said = escape(f"{view.caption}. {description(view)}")
        stem = f"boards/{name}-{drawn}"
        files.append(File.generated(config, f"{FOLDER}{stem}.json", content=json.dumps(shown.record)))
        images = []
        for theme in THEMES:
            files.append(
                File.generated(config, f"{FOLDER}{stem}-{theme}.svg", content=svg(view, replace(style, theme=theme)))
            )
            images.append(f'<img src="{stem}-{theme}.svg#only-{theme}" alt="{said}" loading="lazy">')
        given = f'data-record="{stem}.json" data-ply="{view.position.plies}" data-labels="{style.labels}"'
        return f'<figure class="diagram" {given}>{"".join(images)}</figure>'

    def with_pictures(blocks: re.Match[str]) -> str:
        pictures = [picture(_show(shlex.split(command))) for command in COMMAND.findall(blocks[0])]
        text = "\n".join(f"    {line}".rstrip() for line in blocks[0].strip().splitlines())
        return f'<div class="diagrams">{"".join(pictures)}</div>\n\n??? quote "As text"\n\n{text}\n\n'

    found = BLOCKS.sub(with_pictures, markdown)
    return found if not drawn else found + _script(uri)


def _record(path: str) -> str:
    """Return a record as `<hexrec-board>` contains it."""
    record = canonical_form(hexrec.load(ROOT / path))
    return f'<script type="application/json">{json.dumps(record)}</script>'


def _script(uri: str) -> str:
    """Return the element that loads the script into a page."""
    return f'\n<script type="module" src="{relpath(DIAGRAMS, Path(uri).parent.as_posix())}"></script>\n'


@cache
def _component() -> str:
    """Return the module of `<hexrec-board>`, minified if the packages for the page's checks are installed."""
    if not ESBUILD.exists() or shutil.which("node") is None:
        return link("component")
    with tempfile.TemporaryDirectory() as folder:
        names = write_modules(Path(folder))
        options = ("--bundle", "--minify", "--format=esm", "--target=es2023", f"--mangle-props=^(?:{'|'.join(names)})$")
        command = [str(ESBUILD), f"{folder}/component.js", *options]
        return subprocess.run(command, capture_output=True, check=True, encoding="utf-8").stdout


class Shown(NamedTuple):
    """A board on a page: its picture, and the record to play on from it."""

    view: View
    record: dict[str, Any]


def _show(arguments: list[str]) -> Shown:
    """Return the picture that `hexrec show` draws with these arguments."""
    parser = ArgumentParser("hexrec show", exit_on_error=False, allow_abbrev=False)
    parser.add_argument("shown")
    parser.add_argument("--record", type=int, default=0)
    parser.add_argument("--ply", type=int)
    parser.add_argument("--position")
    parser.add_argument("--marks", action="store_true")  # pictures always have them
    asked = parser.parse_args(arguments)
    if asked.position is not None:
        view = View(games.get(asked.shown).start(position=asked.position))
        return Shown(view, {"game": asked.shown, "setup": asked.position, "moves": []})
    record = next(islice(hexrec.records(ROOT / asked.shown), asked.record, None))
    return Shown(view_of(record, asked.ply), canonical_form(record))
