"""Raster pictures: PNG with resvg, and animated GIF with Pillow. Both libraries are imported when used."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING

from hexrec.errors import extra
from hexrec.render.svg import picture, svg
from hexrec.render.theme import Style, page_color
from hexrec.render.views import View

if TYPE_CHECKING:
    from PIL.Image import Image

#: Pixels per SVG unit without a given width.
_FINE = 2
#: The minimum duration of the last view of a GIF, in seconds.
_REST = 4.0
#: The default width of a GIF in pixels, small because all frames are drawn.
_WIDTH = 500
#: The number of colors of a GIF: one of 256 is reserved for unchanged pixels.
_COLORS = 255
#: The number of frames that determine the palette.
_SAMPLES = 8


def png(view: View, style: Style | None = None) -> bytes:
    """Return a view as PNG, with the light theme for `auto`. Raises MissingExtraError."""
    style = with_concrete_theme(style)
    return rasterize(svg(view, style), _FINE if style.width is None else 1)


def gif(views: Sequence[View], style: Style | None = None, seconds: float = 1.0) -> bytes:
    """Return views as an animated GIF, `seconds` each, in an endless loop. Raises MissingExtraError."""
    with extra("pictures", "to write GIF, install", "PIL"):
        import PIL.Image
    style = with_concrete_theme(style)
    style = replace(style, width=style.width or _WIDTH)
    height = max(picture(view, style).height for view in views)
    drawn = [rasterize(svg(view, style, height), background=page_color(style.theme)) for view in views]
    palette = _palette(drawn)
    # Pillow stores only the part of each frame that differs from the previous one.
    frames = (_open_image(raw).quantize(palette=palette, dither=PIL.Image.Dither.NONE) for raw in drawn)
    durations = [round(1000 * seconds)] * (len(drawn) - 1) + [round(1000 * max(seconds, _REST))]
    out = BytesIO()
    next(frames).save(out, "GIF", save_all=True, append_images=frames, duration=durations, disposal=1, loop=0)
    return out.getvalue()


def with_concrete_theme(style: Style | None) -> Style:
    """Return the style with the theme light in place of `auto`."""
    style = style or Style()
    return replace(style, theme="light") if style.theme == "auto" else style


def rasterize(drawn: str, zoom: int = 1, background: str | None = None) -> bytes:
    """Return an SVG document as PNG, scaled by `zoom`, on a background color. Raises MissingExtraError."""
    with extra("pictures", "to write PNG, install", "resvg_py"):
        import resvg_py
    # Loading system fonts takes longer than drawing a small picture.
    bare = "<text" not in drawn
    return bytes(resvg_py.svg_to_bytes(svg_string=drawn, zoom=zoom, background=background, skip_system_fonts=bare))


def _palette(drawn: Sequence[bytes]) -> Image:
    """Return an image with a palette for all frames. Separate palettes would make colors flicker."""
    import PIL.Image

    samples = [_open_image(drawn[round(number * (len(drawn) - 1) / (_SAMPLES - 1))]) for number in range(_SAMPLES)]
    width, height = samples[0].size
    sheet = PIL.Image.new("RGB", (width, height * _SAMPLES))
    for number, sample in enumerate(samples):
        sheet.paste(sample, (0, height * number))
    return sheet.quantize(_COLORS, PIL.Image.Quantize.MAXCOVERAGE)


def _open_image(raw: bytes) -> Image:
    import PIL.Image

    return PIL.Image.open(BytesIO(raw)).convert("RGB")
