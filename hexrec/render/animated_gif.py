"""A whole game as an animated GIF: Pillow stores the part of each frame that differs from the one before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from typing import TYPE_CHECKING

from hexrec.render.raster import concrete, missing, rasterise
from hexrec.render.svg import picture, svg
from hexrec.render.theme import Style, page_colour
from hexrec.render.views import View

if TYPE_CHECKING:
    from PIL.Image import Image

#: The longest that the last view of a GIF is shown, in seconds; no other stays longer than asked for.
_REST = 4.0
#: The width in pixels unless another is asked for: each pixel of each frame takes time to draw.
_WIDTH = 500
#: One of the 256 colors of a GIF is left to mean "unchanged".
_COLORS = 255
#: How many frames the colors are taken from.
_SAMPLES = 8


def gif(views: Sequence[View], style: Style | None = None, seconds: float = 1.0) -> bytes:
    """Return views as an animated GIF, `seconds` each, over and over. Raises MissingRenderer."""
    try:
        import PIL.Image
    except ImportError:
        raise missing("GIF", "Pillow") from None
    style = concrete(style)
    style = replace(style, width=style.width or _WIDTH)
    height = max(picture(view, style).height for view in views)
    drawn = [rasterise(svg(view, style, height), background=page_colour(style.theme)) for view in views]
    palette = _palette(drawn)
    frames = (_opened(raw).quantize(palette=palette, dither=PIL.Image.Dither.NONE) for raw in drawn)
    durations = [round(1000 * seconds)] * (len(drawn) - 1) + [round(1000 * max(seconds, _REST))]
    out = BytesIO()
    next(frames).save(out, "GIF", save_all=True, append_images=frames, duration=durations, disposal=1, loop=0)
    return out.getvalue()


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
