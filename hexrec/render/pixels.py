"""Pictures of pixels: a view as PNG, through resvg, and views as an animated GIF, through Pillow.

Both libraries are imported only when they are used.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING

from hexrec.errors import Error
from hexrec.render.svg import picture, svg
from hexrec.render.theme import Style, page_color
from hexrec.render.views import View

if TYPE_CHECKING:
    from PIL.Image import Image

#: How many pixels the unit of the SVG takes where no width is asked for.
_FINE = 2
#: The longest that the last view of a GIF is shown, in seconds; no other stays longer than asked for.
_REST = 4.0
#: The width of a GIF in pixels unless another is asked for: each pixel of each frame takes time to draw.
_WIDTH = 500
#: One of the 256 colors of a GIF is left to mean "unchanged".
_COLORS = 255
#: How many frames the colors are taken from.
_SAMPLES = 8


class MissingRenderer(Error):
    """A library that turns pictures into pixels is not installed."""

    def __init__(self, format: str, package: str) -> None:
        super().__init__(f"{format} needs {package}: pip install 'hexrec-games[pictures]'")


def png(view: View, style: Style | None = None) -> bytes:
    """Return a view as PNG. The theme `auto` is the light one, for pixels cannot know. Raises MissingRenderer."""
    style = concrete(style)
    return rasterize(svg(view, style), _FINE if style.width is None else 1)


def gif(views: Sequence[View], style: Style | None = None, seconds: float = 1.0) -> bytes:
    """Return views as an animated GIF, `seconds` each, over and over. Raises MissingRenderer."""
    try:
        import PIL.Image
    except ImportError:
        raise MissingRenderer("GIF", "Pillow") from None
    style = concrete(style)
    style = replace(style, width=style.width or _WIDTH)
    height = max(picture(view, style).height for view in views)
    drawn = [rasterize(svg(view, style, height), background=page_color(style.theme)) for view in views]
    palette = _palette(drawn)
    # Pillow stores the part of each frame that differs from the one before.
    frames = (_opened(raw).quantize(palette=palette, dither=PIL.Image.Dither.NONE) for raw in drawn)
    durations = [round(1000 * seconds)] * (len(drawn) - 1) + [round(1000 * max(seconds, _REST))]
    out = BytesIO()
    next(frames).save(out, "GIF", save_all=True, append_images=frames, duration=durations, disposal=1, loop=0)
    return out.getvalue()


def concrete(style: Style | None) -> Style:
    """Return a style with a theme that says what its colors are."""
    style = style or Style()
    return replace(style, theme="light") if style.theme == "auto" else style


def rasterize(drawn: str, zoom: int = 1, background: str | None = None) -> bytes:
    """Return an SVG document as PNG, `zoom` times as wide as it says, on a color. Raises MissingRenderer."""
    try:
        import resvg_py
    except ImportError:
        raise MissingRenderer("PNG", "resvg-py") from None
    # Fonts take longer to find than a small picture takes to draw.
    bare = "<text" not in drawn
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn, zoom=zoom, background=background, skip_system_fonts=bare))


def _palette(drawn: Sequence[bytes]) -> Image:
    """Return an image with the palette that all frames share: with one each, colors would flicker."""
    import PIL.Image

    samples = [_opened(drawn[round(number * (len(drawn) - 1) / (_SAMPLES - 1))]) for number in range(_SAMPLES)]
    width, height = samples[0].size
    sheet = PIL.Image.new("RGB", (width, height * _SAMPLES))
    for number, sample in enumerate(samples):
        sheet.paste(sample, (0, height * number))
    return sheet.quantize(_COLORS, PIL.Image.Quantize.MAXCOVERAGE)


def _opened(raw: bytes) -> Image:
    import PIL.Image

    return PIL.Image.open(BytesIO(raw)).convert("RGB")
