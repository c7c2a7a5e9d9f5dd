"""What the site has besides the files in docs/: the front page, generated pages, and the files that pages lead to.

MkDocs calls the functions whose names begin with ``on_``. Links are written for readers of the repository: those that
lead out of docs/ go to copies below `repository/`, so that the site is whole wherever it is put.

Material for MkDocs gets security updates until May 2027. Its makers' successor, Zensical, reads mkdocs.yml and
mkdocstrings' blocks, but runs no hooks. A move to it, or to any other generator, means that a script writes what these
hooks make into a folder, pages and copies with their links moved, and that the generator reads that folder; the pages
themselves are plain Markdown, as GitHub shows it. The two refusals at the end can look at the finished site.
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from typing import Any

import codes
import fields
from commands import command_sections
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from hexrec import codes as code_registry
from hexrec.util.version import __version__
from hexrec.web.site import site

ROOT = Path(__file__).parent.parent.parent
#: Where copies of files from outside of docs/ are.
COPIES = "repository"
LINK = re.compile(r"(?<=\]\()(?!\w+:|#|/)([^)\s#]+)(#[^)\s]*)?(?=\))")
#: A link to a file of an example, in a line of its own: the site shows the file there.
SHOWN = re.compile(r"^\[`[^`]+`\]\((examples/[^)]+)\)$", re.MULTILINE)
LANGUAGES = {".py": "python", ".toml": "toml", ".yaml": "yaml"}
#: The rule that a code stands for, the rulings that it names, and the headings of these.
RULE = re.compile(r"^\*\*Rule:\*\* .*$", re.MULTILINE)
RULING = re.compile(r"\b[A-Z]1?-\d\b")
RULING_ANCHOR = re.compile(r'^#+ <a id="([^"]+)"></a>', re.MULTILINE)
#: Pages that only answer questions about the project: searches for a task would find them first.
UNSEARCHED = re.compile(rf"{COPIES}/(?!CONTRIBUTING|SECURITY)")
#: Pages that mention everything come after those that explain it.
DETAILED = re.compile(
    rf"{COPIES}/|architecture|library-reference|specification|fields|codes/|performance|games/.*-rulings"
)
#: The title of the front page, in tabs and in results of other search engines.
TITLE = "Check, repair and score games on hexagonal boards"
#: A directory with Pyodide, from `.ci/runtime`: with it, the site has the page on which visitors play.
RUNTIME = os.environ.get("HEXREC_RUNTIME")
PLAY = "play/"
BUTTON = f"""\

<a class="md-button md-button--primary" href="{PLAY}index.html">Play, check and repair games in this browser</a>
"""
#: What examples name the repository and the release.
OWNER, RELEASE = "OWNER/hexrec", "1.0.0"
#: Comments on pages for which the site has something made from the code.
MADE = {"<!-- table of codes -->": codes.table, "<!-- commands -->": command_sections}
#: What a browser would ask another host for when it shows a page.
FOREIGN = re.compile(
    r"""<(?:script|img|iframe|source)\b[^>]*\bsrc=["']?https?:[^>]*>"""
    r"""|<link\b(?=[^>]*\brel=["']?(?:stylesheet|icon|preload|preconnect|manifest))[^>]*\bhref=["']?https?:[^>]*>"""
    r"""|url\(["']?https?:[^)]*\)|@import[^;]*https?:[^;]*"""
)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add the pages that are not in docs/, and every file that a page leads to."""
    made = {
        "index.md": (ROOT / "README.md").read_text(encoding="utf-8"),
        "fields.md": fields.page(),
    } | codes.pages()
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    waiting = [(_source(file.src_uri), file.content_string) for file in files.documentation_pages()]
    while waiting:
        source, text = waiting.pop()
        for target, _ in LINK.findall(text):
            path = normpath(join(dirname(source), target))
            uri = _uri(path)
            if uri is None or files.get_file_from_path(uri):
                continue
            files.append(File.generated(config, uri, abs_src_path=str(ROOT / path)))
            if path.endswith(".md"):
                waiting.append((path, (ROOT / path).read_text(encoding="utf-8")))
    return files


def on_page_markdown(markdown: str, *, page: Page, **_: Any) -> str:
    """Point links to where their targets are on the site, and show the files of examples.

    What leads to a folder becomes plain text.
    """
    uri = page.file.src_uri
    source, here = _source(uri), dirname(uri)
    if uri == "index.md":
        page.meta["title"] = TITLE
    boost = 0.3 if DETAILED.match(uri) else 2 if uri == "problems.md" else 1
    page.meta["search"] = {"exclude": bool(UNSEARCHED.match(uri)), "boost": boost}

    def moved(link: re.Match[str]) -> str:
        uri = _uri(normpath(join(dirname(source), link[1])))
        return (relpath(uri, here or ".") if uri else link[1]) + (link[2] or "")

    if uri == "ci.md":
        markdown = _released(markdown)
    for comment, make in MADE.items():
        if comment in markdown:
            markdown = markdown.replace(comment, make())
    if here == "codes":
        markdown = RULE.sub(lambda rule: RULING.sub(_ruling_link, rule[0]), markdown)
    folders = re.compile(r"\[([^\]]*)\]\((?!\w+:|#)([^)#]+)\)")
    markdown = folders.sub(lambda link: link[1] if _is_folder(source, link[2]) else link[0], LINK.sub(moved, markdown))
    if RUNTIME and uri in ("index.md", "page.md"):
        # Plain HTML: the folder is written when the pages are there.
        markdown = re.sub(r"\n(?=\* |## )", lambda _: f"{BUTTON}\n", markdown, count=1)
    return SHOWN.sub(_with_text, markdown)


def on_post_build(*, config: MkDocsConfig) -> None:
    """Write the page on which visitors play, if there is a runtime, and check the site.

    Refuse a site whose pages ask other hosts for anything, or in which a code is not where reports say it is.
    """
    if RUNTIME:
        folder = Path(config.site_dir, PLAY)
        folder.mkdir()
        for name, content in site(Path(RUNTIME), config.site_url and f"{config.site_url}{PLAY}"):
            (folder / name).write_bytes(content)
    for code in code_registry.all_codes():
        page = Path(config.site_dir, "codes", code.partition("/")[0]).with_suffix(".html")
        if f'<h3 id="{code_registry.anchor(code)}">' not in page.read_text(encoding="utf-8"):
            raise PluginError(f"{page} has no anchor for {code}")
    for path in sorted(Path(config.site_dir).rglob("*")):
        if path.suffix in (".html", ".css") and (found := FOREIGN.search(path.read_text(encoding="utf-8"))):
            raise PluginError(f"{path}: asks another host: {found[0][:200]}")


def _released(markdown: str) -> str:
    """Return examples with the version of hexrec and, if `Source` in [project.urls] has it, the repository."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    source = project.get("urls", {}).get("Source", "").removeprefix("https://github.com/").strip("/")
    return markdown.replace(OWNER, source or OWNER).replace(RELEASE, __version__)


def _with_text(link: re.Match[str]) -> str:
    """Return a link to a file of an example, and the file."""
    path = ROOT / "docs" / link[1]
    return f"{link[0]}\n\n```{LANGUAGES[path.suffix]}\n{path.read_text(encoding='utf-8')}```"


def _source(uri: str) -> str:
    """Return the path in the repository of a page of the site."""
    if uri == "index.md":
        return "README.md"
    return uri.removeprefix(f"{COPIES}/") if uri.startswith(f"{COPIES}/") else f"docs/{uri}"


def _uri(path: str) -> str | None:
    """Return where a file of the repository is on the site; a folder is its README, if it has one."""
    if (ROOT / path).is_dir():
        path = join(path, "README.md")
    if path == "README.md":
        return "index.md"
    if not (ROOT / path).is_file():
        return None
    # MkDocs leaves out what begins with a dot.
    return path.removeprefix("docs/") if path.startswith("docs/") else f"{COPIES}/{path.lstrip('.')}"


def _ruling_link(ruling: re.Match[str]) -> str:
    """Return the name of a ruling as a link to its heading on the page of its game."""
    for path in sorted((ROOT / "docs/games").glob("*.md")):
        if ruling[0].lower() in RULING_ANCHOR.findall(path.read_text(encoding="utf-8")):
            return f"[{ruling[0]}](../games/{path.name}#{ruling[0].lower()})"
    raise PluginError(f"no page in docs/games explains {ruling[0]}")


def _is_folder(source: str, target: str) -> bool:
    path = normpath(join(dirname(source), target))
    return (ROOT / path).is_dir() and _uri(path) is None
