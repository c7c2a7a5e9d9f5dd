"""A game as one SVG, animated by CSS alone or controlled by a slider.

An item that is in several views is one element, shown during these views. Programs without animations show the last
view, and so do systems set to reduced motion.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from zlib import crc32

from hexrec.record.record import Record
from hexrec.render.svg import Item, description, document, picture, svg
from hexrec.render.theme import Style
from hexrec.render.views import View, views
from hexrec.rules.position import Position
from hexrec.rules.terms import RuleError

#: The CSS variable with the index of the view that a slider selects.
_VIEW = "--hexrec-view"
#: The duration of the last view, as a multiple of the others.
_REST = 4

_Shown = tuple[int, ...]


def animated_svg(views: Sequence[View], style: Style | None = None, seconds: float = 1.0) -> str:
    """Return the views as one animated SVG, `seconds` each, in an endless loop."""
    return _animate(views, style or Style(), seconds)


def slider_html(views: Sequence[View], style: Style | None = None) -> str:
    """Return an HTML fragment that shows one view at a time, with a slider; initially the last view.

    It needs inline event handlers, which notebooks allow in the output of cells.
    """
    last = len(views) - 1
    chosen = f"this.parentNode.style.setProperty('{_VIEW}', this.value)"
    slider = f'<input type="range" min="0" max="{last}" value="{last}" aria-label="Turn" oninput="{chosen}">'
    picture = _animate(views, style or Style(), None)
    return f'<div style="{_VIEW}: {last}; display: inline-grid">\n{picture}{slider}\n</div>\n'


def _animate(views: Sequence[View], style: Style, seconds: float | None) -> str:
    """Return the views as one SVG; if `seconds` is None, the CSS variable selects the view."""
    drawn = [picture(view, style) for view in views]
    shown: dict[Item, list[int]] = {}
    for index, drawing in enumerate(drawn):
        for item in dict.fromkeys(drawing.items):
            shown.setdefault(item, []).append(index)
    times = {item: tuple(indices) for item, indices in shown.items()}
    order = sorted(times, key=lambda item: (item.layer, item.order, times[item], item.markup))
    last = views[-1]
    text = f"The whole game, from its beginning: {last.caption}. At the end: {description(last)}"
    sheet, classes = _sheet(sorted(set(times.values())), len(views), seconds, style, text)
    body = []
    for runs, items in groupby(order, key=times.__getitem__):
        markup = "\n".join(item.markup for item in items)
        body.append(f'<g class="{classes[runs]}">\n{markup}\n</g>' if runs in classes else markup)
    layout, height = drawn[0].layout, max(drawing.height for drawing in drawn)
    title = f"{last.caption}, turn by turn"
    return document(layout, height, title, text, "\n".join(body), style, sheet)


def _sheet(
    times: Sequence[_Shown], count: int, seconds: float | None, style: Style, text: str
) -> tuple[str, dict[_Shown, str]]:
    """Return the CSS rules of the animation, and the classes of items by the views that show them."""
    # Rules apply to the whole page, which may have several animations: make names unique.
    scope, name = f".hexrec-{style.theme}", f"hexrec-{crc32(f'{text} {seconds}'.encode()):08x}"
    total = count - 1 + _REST
    if seconds is None:  # a paused animation with a negative delay shows one view
        timing, still = f"{total}s step-end calc(-1s * (var({_VIEW}) + 0.5)) infinite paused", []
    else:
        timing = f"{total * seconds:g}s step-end infinite"
        still = [f"@media (prefers-reduced-motion: reduce) {{ {scope} .frame {{ animation: none }} }}"]
    moving = [indices for indices in times if len(indices) < count]
    classes = {}
    rules = [f"{scope} .frame {{ visibility: hidden }}", f"{scope} .last {{ visibility: visible }}"]
    frames = []
    for number, indices in enumerate(moving):
        classes[indices] = f"frame {name}-{number}" + (" last" if indices[-1] == count - 1 else "")
        rules.append(f"{scope} .{name}-{number} {{ animation: {name}-{number} {timing} }}")
        frames.append(f"@keyframes {name}-{number} {{ {_keyframes(set(indices), count, total)} }}")
    return "\n".join([*rules, *frames, *still, ""]), classes


def _keyframes(indices: set[int], count: int, total: int) -> str:
    """Return the keyframes that show an item in some views."""
    changes = [index for index in range(count) if index == 0 or (index in indices) != (index - 1 in indices)]
    steps = [*((100 * index / total, index in indices) for index in changes), (100, count - 1 in indices)]
    return " ".join(f"{at:.4g}% {{ visibility: {'visible' if shown else 'hidden'} }}" for at, shown in steps)


def notebook_picture(thing: Record | Position) -> str | None:
    """Return a position, or a record after its last legal turn, as SVG; None if the record cannot start."""
    try:
        return svg(thing)
    except RuleError:
        return None


def notebook_slider(record: Record) -> str | None:
    """Return a record as HTML with a slider over its legal turns; None if the record cannot start."""
    try:
        return slider_html(list(views(record)))
    except RuleError:
        return None
