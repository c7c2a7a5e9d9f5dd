"""A whole game as one SVG that plays by itself, with style sheets alone, or that a slider moves.

What stays on the picture from one view to the next is one element, shown for as long as it is there. Readers who ask
their system for less motion, and programs that show no animations, get the last view. Notebooks show
the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any
from zlib import crc32

from hexrec.record.record import Record
from hexrec.render.svg import Item, description, document, picture, svg
from hexrec.render.theme import Style
from hexrec.render.views import View, views
from hexrec.rules.position import Position
from hexrec.rules.terms import RuleError

#: The variable of style sheets that says which view a slider has chosen.
_VIEW = "--hexrec-view"
#: The last view is shown this many times as long as the others.
_REST = 4

_Shown = tuple[int, ...]


def animated_svg(views: Sequence[View], style: Style | None = None, seconds: float = 1.0) -> str:
    """Return the views as one animated SVG, `seconds` each, over and over."""
    return _animated(views, style or Style(), seconds)


def slider_html(views: Sequence[View], style: Style | None = None) -> str:
    """Return the views as a piece of HTML: one of them at a time, and a slider to choose it; the last at first.

    It is for pages that run handlers of events, as notebooks do with what they have just made.
    """
    last = len(views) - 1
    chosen = f"this.parentNode.style.setProperty('{_VIEW}', this.value)"
    slider = f'<input type="range" min="0" max="{last}" value="{last}" aria-label="Turn" oninput="{chosen}">'
    picture = _animated(views, style or Style(), None)
    return f'<div style="{_VIEW}: {last}; display: inline-grid">\n{picture}{slider}\n</div>\n'


def _animated(views: Sequence[View], style: Style, seconds: float | None) -> str:
    """Return the views as one SVG; without `seconds`, the page says which is shown."""
    drawn = [picture(view, style) for view in views]
    shown: dict[Item, list[int]] = {}
    for index, each in enumerate(drawn):
        for item in dict.fromkeys(each.items):
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
    layout, height = drawn[0].layout, max(each.height for each in drawn)
    title = f"{last.caption}, turn by turn"
    return document(layout, height, title, text, "\n".join(body), style, sheet)


def _sheet(
    times: Sequence[_Shown], count: int, seconds: float | None, style: Style, text: str
) -> tuple[str, dict[_Shown, str]]:
    """Return the rules of the animation, and by the views in which something is shown its classes."""
    # Several animations may be in one page, where the rules of each apply to all: their names must differ.
    scope, name = f".hexrec-{style.theme}", f"hexrec-{crc32(f'{text} {seconds}'.encode()):08x}"
    total = count - 1 + _REST
    if seconds is None:  # an animation that is paused after some seconds shows one view for good
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
    """Return when something appears and disappears."""
    turns = [index for index in range(count) if index == 0 or (index in indices) != (index - 1 in indices)]
    steps = [f"{100 * index / total:.4g}% {{ visibility: {_state(index in indices)} }}" for index in turns]
    return " ".join([*steps, f"100% {{ visibility: {_state(count - 1 in indices)} }}"])


def _state(there: bool) -> str:
    return "visible" if there else "hidden"


def notebook_picture(thing: Record | Position[Any]) -> str | None:
    """Return the picture as SVG, of a record after its last legal turn; None for a record that cannot start."""
    try:
        return svg(thing)
    except RuleError:
        return None


def notebook_slider(record: Record) -> str | None:
    """Return the record as HTML, with a slider to any of its legal turns; None for one that cannot start."""
    try:
        return slider_html(list(views(record)))
    except RuleError:
        return None
