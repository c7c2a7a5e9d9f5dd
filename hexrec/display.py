"""What notebooks show: the picture of a position or a record, the turns of a record with a slider.

They are asked for it, yet drawing is a room far above theirs. The one step upward in the package is taken here, by name
and only when a notebook asks, so that no import draws and none has an effect besides.
"""

from __future__ import annotations

from importlib import import_module


def picture(thing: object) -> str | None:
    """Return the picture of a position or a record as SVG; None for a record that cannot start."""
    made: str | None = import_module("hexrec.render").notebook_picture(thing)
    return made


def slider(record: object) -> str | None:
    """Return a record as HTML with a slider for its turns; None for one that cannot start."""
    made: str | None = import_module("hexrec.render").notebook_slider(record)
    return made
