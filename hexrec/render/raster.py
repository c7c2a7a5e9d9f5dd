"""Pictures of pixels, through resvg, which is imported only when it is used."""

from __future__ import annotations

from dataclasses import replace

from hexrec.errors import Error
from hexrec.render.svg import svg
from hexrec.render.theme import Style
from hexrec.render.views import View

#: How many pixels the unit of the SVG takes where no width is asked for.
_FINE = 2


class MissingRenderer(Error):
    """What turns pictures into pixels is not installed."""


def png(view: View, style: Style | None = None) -> bytes:
    """Return a view as PNG. The theme `auto` is the light one, for pixels cannot know. Raises MissingRenderer."""
    style = concrete(style)
    return rasterise(svg(view, style), zoom(style))


def concrete(style: Style | None) -> Style:
    """Return a style with a theme that says what its colours are."""
    style = style or Style()
    return replace(style, theme="light") if style.theme == "auto" else style


def zoom(style: Style) -> int:
    """Return how many pixels a unit of the SVG takes."""
    return _FINE if style.width is None else 1


def rasterise(drawn: str, zoom: int = 1, background: str | None = None) -> bytes:
    """Return an SVG document as PNG, `zoom` times as wide as it says, on a colour. Raises MissingRenderer."""
    try:
        import resvg_py
    except ImportError:
        raise missing("PNG", "resvg-py") from None
    # Fonts take longer to find than a small picture takes to draw.
    bare = "<text" not in drawn
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn, zoom=zoom, background=background, skip_system_fonts=bare))


def missing(what: str, package: str) -> MissingRenderer:
    """Return the error for a library that is not installed."""
    return MissingRenderer(f"{what} needs {package}: pip install 'hexrec-games[pictures]'")
