"""What boards and stones are made of: the gradients that they are filled with, which every picture brings along.

A gradient stretches over the shape that it fills, so one is enough for all stones of a colour; only the grain of the
wood runs through the whole board.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from hexrec.render.layout import element
from hexrec.render.theme import GRADIENTS, Theme, gradient_id, tone

#: Across the grain: where the tone changes, from 0 to 1, and to which tone of the wood. It goes on to and fro.
_GRAIN = ((0.0, 1), (0.06, 0), (0.19, 1), (0.38, 0), (0.43, 2), (0.47, 1), (0.68, 0), (0.79, 2))
#: How far that reaches, in the units of the drawing: across, and down, for wood is never cut quite straight.
_GRAIN_WIDTH, _GRAIN_SLOPE = 148.0, 9.0
#: Where the tones of each gradient are, from its middle or its top to its edge.
_PLACES = {
    "cell": (0.0, 0.5, 1.0),
    "black": (0.0, 0.45, 1.0),
    "white": (0.0, 0.5, 1.0),
    "shadow": (0.78, 1.0),
    "lit-placed": (0.69, 0.69, 1.0),
    "lit-changed": (0.69, 0.69, 1.0),
}
#: The light on stones comes from above on the left: where it is brightest, and how far from there the edge is.
_LIGHT = {"cx": 0.36, "cy": 0.26, "r": 0.78}


def definitions(theme: Theme, classes: Collection[str]) -> str:
    """Return the gradients that shapes of some classes are filled with."""
    drawn = [_gradient(theme, name) for name in GRADIENTS if name in classes]
    return element("defs", "".join(drawn))


def _gradient(theme: Theme, name: str) -> str:
    mark = gradient_id(theme, name)
    if name == "plate":
        stops = _stops(theme, name, [at for at, _ in _GRAIN], [tone for _, tone in _GRAIN])
        across: dict[str, float | str] = {"x2": _GRAIN_WIDTH, "y2": _GRAIN_SLOPE}
        return element(
            "linearGradient", stops, id=mark, gradientUnits="userSpaceOnUse", **across, spreadMethod="reflect"
        )
    stops = _stops(theme, name, _PLACES[name], range(len(_PLACES[name])))
    if name == "cell":
        return element("linearGradient", stops, id=mark, x2=0.0, y2=1.0)
    return element("radialGradient", stops, id=mark, **(_LIGHT if name in ("black", "white") else {}))


def _stops(theme: Theme, name: str, places: Sequence[float], tones: Sequence[int]) -> str:
    pairs = zip(places, tones, strict=True)
    return "".join(element("stop", **tone(theme, f"{name}-{number}"), offset=at) for at, number in pairs)
