"""Pictures for the boards on the pages of games: each `hexrec show` there becomes the picture that it would draw.

Repositories show the boards as text, which tests compare with what the command prints. On the site the picture comes
first and the text is folded away; both come from the same command on the page, so that neither can be out of date.
"""

from __future__ import annotations

import re
import shlex
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
from typing import get_args

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import hexrec
from hexrec.render import svg
from hexrec.render.svg import description
from hexrec.render.theme import Style, Theme
from hexrec.render.views import View, view_of
from hexrec.rules import games

ROOT = Path(__file__).parent.parent.parent
FOLDER = "games/"
#: Blocks that show boards, those that follow each other directly together; and the command in one of them.
BLOCKS = re.compile(r"(?:^```console\n\$ hexrec show [^`]*^```\n\n?)+", re.MULTILINE)
COMMAND = re.compile(r"^\$ hexrec show (.*)$", re.MULTILINE)
#: Material shows a picture whose address ends so in one of its color schemes only.
THEMES: tuple[Theme, ...] = tuple(theme for theme in get_args(Theme) if theme != "auto")
#: Pictures side by side begin at the same height.
LOOK = 'loading=lazy style="vertical-align: top"'


def on_page_markdown(markdown: str, *, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Put pictures before the boards as text, which are folded away."""
    if not page.file.src_uri.startswith(FOLDER):
        return markdown
    name, drawn = Path(page.file.src_uri).stem, 0

    def picture(view: View, style: Style) -> str:
        """Add a picture in each color scheme, and return what shows the one that is asked for."""
        nonlocal drawn
        drawn += 1
        said = f"{view.caption}. {description(view)}".translate(str.maketrans("[]|", "()/"))
        shown = []
        for theme in THEMES:
            uri = f"{FOLDER}boards/{name}-{drawn}-{theme}.svg"
            files.append(File.generated(config, uri, content=svg(view, replace(style, theme=theme))))
            shown.append(f"![{said}]({uri.removeprefix(FOLDER)}#only-{theme}){{ {LOOK} }}")
        return " ".join(shown)

    def with_pictures(blocks: re.Match[str]) -> str:
        views = [_view(shlex.split(command)) for command in COMMAND.findall(blocks[0])]
        pictures = [
            picture(view, Style(labels="ends" if view.position.stacks() else "all", background=False)) for view in views
        ]
        text = "\n".join(f"    {line}".rstrip() for line in blocks[0].strip().splitlines())
        return "\n".join(pictures) + f'\n\n??? quote "As text"\n\n{text}\n\n'

    return BLOCKS.sub(with_pictures, markdown)


def _style(view: View) -> Style:
    """Return the style of a picture, which shows the color of the page; on an empty board all cells are named."""
    return Style(labels="ends" if view.position.stacks() else "all", background=False)


def _view(arguments: list[str]) -> View:
    """Return what `hexrec show` shows with these arguments."""
    parser = ArgumentParser("hexrec show", exit_on_error=False, allow_abbrev=False)
    parser.add_argument("shown")
    parser.add_argument("--ply", type=int)
    parser.add_argument("--position")
    parser.add_argument("--marks", action="store_true")  # pictures always have them
    asked = parser.parse_args(arguments)
    if asked.position is not None:
        return View(games.get(asked.shown).start(position=asked.position))
    return view_of(hexrec.load(ROOT / asked.shown), asked.ply)
