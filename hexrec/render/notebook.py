"""What notebooks show: a position as a picture, a record as its board with a slider for the turns."""

from __future__ import annotations

from typing import Any

from hexrec.games import Position, RuleError
from hexrec.record import Record
from hexrec.render.animation import slider_html
from hexrec.render.svg import svg
from hexrec.render.views import views


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
