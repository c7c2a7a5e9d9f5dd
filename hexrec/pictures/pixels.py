"""Pictures of pixels: PNG through resvg, animated GIF through Pillow. Both are imported only when they are used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO

from hexrec.pictures.drawing import picture, svg
from hexrec.pictures.style import Style
from hexrec.pictures.views import View

#: How many pixels the unit of the SVG takes where no width is asked for.
_FINE = 2
#: The longest that the last view of a GIF stays, in seconds; no other stays longer than asked for.
_REST = 4.0


class MissingRenderer(Exception):
    """What turns pictures into pixels is not installed."""


def png(view: View, style: Style | None = None) -> bytes:
    """Return a view as PNG. The theme `auto` is the light one, for pixels cannot know. Raises MissingRenderer."""
    return _pixels(svg(view, _concrete(style)), style)


def gif(views: Sequence[View], style: Style | None = None, seconds: float = 1.0) -> bytes:
    """Return views as an animated GIF, `seconds` each, over and over. Raises MissingRenderer."""
    try:
        from PIL import Image
    except ImportError:
        raise _missing("GIF", "Pillow") from None
    style = _concrete(style)
    height = max(picture(view, style).height for view in views)
    images = [Image.open(BytesIO(_pixels(svg(view, style, height), style))).convert("RGB") for view in views]
    out = BytesIO()
    durations = [round(1000 * seconds)] * (len(images) - 1) + [round(1000 * max(seconds, _REST))]
    images[0].save(out, "GIF", save_all=True, append_images=images[1:], duration=durations, loop=0)
    return out.getvalue()


def _concrete(style: Style | None) -> Style:
    style = style or Style()
    return replace(style, theme="light") if style.theme == "auto" else style


def _pixels(drawn: str, style: Style | None) -> bytes:
    try:
        import resvg_py
    except ImportError:
        raise _missing("PNG", "resvg-py") from None
    zoom = _FINE if style is None or style.width is None else 1
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn, zoom=zoom))


def _missing(what: str, package: str) -> MissingRenderer:
    return MissingRenderer(f"{what} needs {package}: pip install 'hexrec-games[pictures]'")
