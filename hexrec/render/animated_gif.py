"""A whole game as an animated GIF: of each view, only what changed is drawn, and only what changed is kept.

The items that differ from one view to the next say which rectangles of the picture have to be drawn again. What these
look like is held as PNG until the colours of the whole animation are known, which share one palette.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce
from io import BytesIO
from itertools import chain, pairwise
from math import ceil, floor
from struct import pack
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from hexrec.render.layout import STONE, Layout, number
from hexrec.render.raster import concrete, missing, rasterise, zoom
from hexrec.render.svg import WORDS, Item, Picture, dressed, page, picture, svg
from hexrec.render.theme import Style, page_colour
from hexrec.render.views import View

if TYPE_CHECKING:
    from PIL.Image import Image

#: The longest that the last view of a GIF is shown, in seconds; no other stays longer than asked for.
_REST = 4.0
#: How far an item reaches beyond the points that its markup names: the radius of a stone, marks round it, short texts.
_REACH = STONE + 8.5
#: The same, up and down, for the lines of words below the board; no letter in them is wider than the last.
_LINE = 10.5
_LETTER = 13.0
#: The width in pixels that a GIF has at most unless another is asked for: it is sent and looked at as a whole.
_WIDTH = 1000
#: The index in the palette that means no change, and how many of the other colours are exact.
_UNCHANGED = 255
_EXACT = 96
#: More than any picture has: its colours are those of the theme, and what lies between them in gradients and at edges.
_MOST_COLOURS = 1 << 18
_POINT = re.compile(r"(-?[\d.]+),(-?[\d.]+)")
_PLACE = re.compile(r'\bc?([xy])="(-?[\d.]+)"')
_TEXT = re.compile(r'<text [^>]*\bx="(-?[\d.]+)"[^>]*>([^<]*)')


N = TypeVar("N", bound=float)


class Box(NamedTuple, Generic[N]):
    """A rectangle: in the units of the drawing, or in pixels, which are whole numbers."""

    left: N
    top: N
    right: N
    bottom: N

    def meets(self, other: Box[N]) -> bool:
        """Return whether it has a part in common with another."""
        return (
            self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom
        )

    def joined(self, other: Box[N]) -> Box[N]:
        """Return the smallest rectangle round both."""
        return Box(
            min(self.left, other.left),
            min(self.top, other.top),
            max(self.right, other.right),
            max(self.bottom, other.bottom),
        )


#: What has to be painted over a picture to get the next: rectangles in pixels, and what is there as PNG, with a margin.
_Patch = list[tuple[Box[int], bytes]]
#: How many pixels round it are drawn and cut off: at the edge of a drawing, lines look a little different.
_MARGIN = 6


def gif(views: Sequence[View], style: Style | None = None, seconds: float = 1.0) -> bytes:
    """Return views as an animated GIF, `seconds` each, over and over. Raises MissingRenderer."""
    try:
        from PIL import Image
    except ImportError:
        raise missing("GIF", "Pillow") from None
    patches = list(_patches(views, concrete(style)))
    colours: Counter[Any] = Counter()
    for part in chain.from_iterable(patches):
        colours.update({colour: count for count, colour in _opened(*part).getcolors(_MOST_COLOURS) or ()})
    palette = _palette(colours)
    key = Image.new("P", (1, 1))
    key.putpalette(palette)
    out = BytesIO()
    durations = [seconds] * (len(patches) - 1) + [max(seconds, _REST)]
    shown = Image.new("L", patches[0][0][0][2:], _UNCHANGED)
    out.write(b"GIF89a" + pack("<HHBBB", *shown.size, 0xF7, 0, 0) + palette)
    out.write(b"!\xff\x0bNETSCAPE2.0\x03\x01\x00\x00\x00")
    for patch, duration in zip(patches, durations, strict=True):
        out.writelines(_frame(shown, patch, key, duration))
    out.write(b";")
    return out.getvalue()


def _opened(box: Box[int], raw: bytes) -> Image:
    """Return what is to be painted into a rectangle."""
    from PIL import Image

    drawn = Image.open(BytesIO(raw)).convert("RGB")
    width, height = box.right - box.left, box.bottom - box.top
    return drawn.crop((_MARGIN, _MARGIN, _MARGIN + width, _MARGIN + height)) if drawn.width > width else drawn


def _palette(colours: Counter[Any]) -> bytes:
    """Return a palette for colours: those that are seen most as they are, the others as near as there is room for."""
    from PIL import Image

    ranked = [colour for colour, _ in colours.most_common()]
    exact, others = ranked[:_EXACT], ranked[_EXACT:]
    found = bytes(chain.from_iterable(exact))
    if others:
        strip = Image.new("RGB", (len(others), 1))
        strip.putdata(others)
        found += bytes(strip.quantize(_UNCHANGED - _EXACT, Image.Quantize.MAXCOVERAGE).getpalette() or ())[
            : 3 * (_UNCHANGED - _EXACT)
        ]
    return found + found[:3] * (256 - len(found) // 3)


def _frame(shown: Image, patch: _Patch, key: Image, seconds: float) -> Iterable[bytes]:
    """Return the frame that paints a patch over what is shown, and paint it there."""
    from PIL import GifImagePlugin, Image, ImageChops

    # Where nothing changes, the frame is a single pixel that says so.
    around = reduce(Box.joined, (box for box, _ in patch)) if patch else Box(0, 0, 1, 1)
    frame = Image.new("L", (around.right - around.left, around.bottom - around.top), _UNCHANGED)
    for box, raw in patch:
        drawn = _opened(box, raw).quantize(palette=key, dither=Image.Dither.NONE)
        new = Image.frombytes("L", drawn.size, drawn.tobytes())
        changed = ImageChops.difference(shown.crop(box), new).point([0] + [255] * 255)
        frame.paste(new, (box.left - around.left, box.top - around.top), changed)
        shown.paste(new, (box.left, box.top))
    about = {"duration": round(1000 * seconds), "transparency": _UNCHANGED, "disposal": 1}
    return GifImagePlugin.getdata(frame, (around.left, around.top), **about)


# What is drawn.


def _patches(views: Iterable[View], style: Style) -> Iterator[_Patch]:
    """Yield what each view paints over the one before it; the first paints all."""
    from PIL import Image

    known: dict[Item, Item] = {}
    pictures = []
    for view in views:
        drawn = picture(view, style)
        items = sorted(known.setdefault(item, item) for item in drawn.items)
        pictures.append((view, drawn._replace(items=items)))
    first, drawn = pictures[0]
    if style.width is None:
        style = replace(style, width=min(_WIDTH, round(zoom(style) * drawn.layout.width)))
    height = max(drawn.height for _, drawn in pictures)
    whole = rasterise(svg(first, style, height), background=page_colour(style.theme))
    size = Image.open(BytesIO(whole)).size
    yield [(Box(0, 0, *size), whole)]
    sheet = _Sheet(drawn.layout, height, size, style)
    for (_, before), (_, after) in pairwise(pictures):
        yield sheet.patch(before, after)


class _Sheet:
    """The picture as a grid of pixels, any part of which can be drawn alone."""

    def __init__(self, layout: Layout, height: float, size: tuple[int, int], style: Style) -> None:
        self._layout = layout
        self._height = height
        self._size = size
        self._style = style
        # The whole picture says where it is to two decimals: a part of it has to agree.
        self._left, self._top, width = (float(number(each)) for each in (layout.left, layout.top, layout.width))
        self._scale = size[0] / width
        self._extents: dict[Item, Box[float]] = {}

    def patch(self, before: Picture, after: Picture) -> _Patch:
        """Return what has to be painted over one picture to get another."""
        counts = Counter(after.items)
        counts.subtract(before.items)
        boxes = _disjoint(self._grown(self._extent(item)) for item, count in counts.items() if count)
        return [(box, self._drawn(box, after.items)) for box in boxes]

    def _drawn(self, box: Box[int], items: Iterable[Item]) -> bytes:
        """Return what is in a rectangle, and a margin round it."""
        place = Box(*(origin + at / self._scale for origin, at in zip((self._left, self._top) * 2, box, strict=True)))
        body = "\n".join(item.markup for item in items if self._extent(item).meets(place))
        left, top = place.left - _MARGIN / self._scale, place.top - _MARGIN / self._scale
        width, height = box.right - box.left + 2 * _MARGIN, box.bottom - box.top + 2 * _MARGIN
        theme = self._style.theme
        drawn = (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="hexrec-{theme}" width="{width}" height="{height}" '
            f'viewBox="{left} {top} {width / self._scale} {height / self._scale}">'
            f"{dressed(page(self._layout, self._height) + body, theme)}</svg>"
        )
        return rasterise(drawn, background=page_colour(theme))

    def _extent(self, item: Item) -> Box[float]:
        """Return a rectangle that an item is within."""
        if item not in self._extents:
            found = _extent(item.markup, _LINE if item.layer == WORDS else _REACH)
            if item.layer == WORDS:  # how long they are is unknown until they are drawn
                ends = [float(x) + _LETTER * len(content) for x, content in _TEXT.findall(item.markup)]
                found = found._replace(right=max(found.right, *ends))
            self._extents[item] = found
        return self._extents[item]

    def _grown(self, box: Box[float]) -> Box[int]:
        """Return the pixels that a rectangle touches."""
        return Box(
            max(0, floor((box.left - self._left) * self._scale)),
            max(0, floor((box.top - self._top) * self._scale)),
            min(self._size[0], ceil((box.right - self._left) * self._scale)),
            min(self._size[1], ceil((box.bottom - self._top) * self._scale)),
        )


def _extent(markup: str, reach: float) -> Box[float]:
    """Return a rectangle that shapes and short texts are within, all of whose points are in their markup."""
    across = [float(x) for x, _ in _POINT.findall(markup)]
    down = [float(y) for _, y in _POINT.findall(markup)]
    for axis, value in _PLACE.findall(markup):
        (across if axis == "x" else down).append(float(value))
    return Box(min(across) - reach, min(down) - reach, max(across) + reach, max(down) + reach)


def _disjoint(boxes: Iterable[Box[int]]) -> list[Box[int]]:
    """Return rectangles round all that are given, none of which meets another."""
    found: list[Box[int]] = []
    for box in boxes:
        while met := next((other for other in found if other.meets(box)), None):
            found.remove(met)
            box = box.joined(met)
        found.append(box)
    return found
