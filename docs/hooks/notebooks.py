"""Notebooks as pages: their text, code and the outputs that are kept in them, as nbconvert writes them in Markdown."""

from __future__ import annotations

import re
from posixpath import basename, dirname, join, splitext

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from nbconvert import MarkdownExporter

#: What nbconvert calls every picture, and the headings that say what is on it.
PICTURE = re.compile(r"!\[(?:png|svg)\]")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)


def on_files(files: Files, *, config: MkDocsConfig) -> Files:
    """Add a page for each notebook, and the pictures in its outputs."""
    for notebook in [file for file in files if file.src_uri.endswith(".ipynb")]:
        if notebook.abs_src_path is None:
            raise PluginError(f"{notebook.src_uri}: not a file")
        stem = splitext(notebook.src_uri)[0]
        text, found = MarkdownExporter().from_filename(notebook.abs_src_path, {"unique_key": basename(stem)})
        text += f"\n\n[The notebook]({basename(notebook.src_uri)}) itself.\n"
        files.append(File.generated(config, f"{stem}.md", content=PICTURE.sub(_described, text)))
        for name, picture in found["outputs"].items():
            files.append(File.generated(config, join(dirname(stem), name), content=picture))
    return files


def on_page_markdown(markdown: str, *, page: Page, files: Files, **_: object) -> str:
    """Lead from other pages to the page of a notebook."""
    if files.get_file_from_path(f"{splitext(page.file.src_uri)[0]}.ipynb"):
        return markdown
    return re.sub(r"(?<=\]\()([\w/.]+)\.ipynb(?=\))", r"\1.md", markdown)


def _described(picture: re.Match[str]) -> str:
    """Return the beginning of a picture, with the last heading before it in the place of nbconvert's word."""
    return f"![{HEADING.findall(picture.string[: picture.start()])[-1]}]"
