"""Styles of pictures, and the two themes as CSS and gradients.

The colors of marks are from the palette of Okabe and Ito, which is safe for color-blind readers. Each role also has a
distinct shape.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import pi
from typing import Literal, get_args

from hexrec.render.layout import RING, STONE, element, number

Theme = Literal["auto", "light", "dark"]
THEMES: tuple[Theme, ...] = get_args(Theme)
Labels = Literal["ends", "all", "none"]
LABELS: tuple[Labels, ...] = get_args(Labels)

#: `system-ui` is for browsers, the others for renderers that find fonts only by name.
FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', 'Liberation Sans', 'Noto Sans', Verdana, Arial, Helvetica, sans-serif"


@dataclass(frozen=True)
class Style:
    """Options of a picture.

    Attributes:
        theme: light, dark, or auto, which follows the system of the reader.
        labels: names of cells at the ends of rows (ends), on all empty cells (all), or none.
        marks: whether to mark the effects of the last turn and the deciding cells.
        caption: whether to write caption and legend below the board.
        width: the width in pixels; None for the natural width.
        background: whether to fill the background; otherwise it is transparent.
    """

    theme: Theme = "auto"
    labels: Labels = "ends"
    marks: bool = True
    caption: bool = True
    width: int | None = None
    background: bool = True


#: Colors by purpose, in the light theme and in the dark theme.
_PALETTE: Mapping[str, tuple[str, str]] = {
    "page": ("#ffffff", "#16181c"),
    "board": ("#e6c791", "#6a5646"),
    "grain0": ("#ecd2a1", "#6f5b4a"),
    "grain1": ("#e6c791", "#6a5646"),
    "grain2": ("#dfbb80", "#614e3f"),
    "edge_cell": ("#d9b47a", "#4d3d31"),
    "frame": ("#a97c45", "#43342a"),
    "ledge": ("#7d5729", "#2a2019"),
    "line": ("#8a6433", "#3b2e25"),
    "ink": ("#222222", "#f0f0ee"),
    "muted": ("#473a25", "#d8dade"),
    "label": ("#5c5240", "#c3c9d2"),
    "black": ("#1d1d1f", "#08080a"),
    "black0": ("#6b6b72", "#4a4a50"),
    "black1": ("#27272a", "#0f0f11"),
    "black2": ("#0b0b0c", "#000000"),
    "shine": ("#505056", "#aab0ba"),
    "white": ("#ffffff", "#f2f2ee"),
    "white0": ("#ffffff", "#ffffff"),
    "white1": ("#fbf8f1", "#f0ede6"),
    "white2": ("#d2c8b6", "#b4ac9d"),
    "edge": ("#6d5c45", "#4a4036"),
    "dusk": ("#2b1a06", "#000000"),
    "placed": ("#a83800", "#f0a630"),
    "changed": ("#005f9e", "#6cc0f2"),
    "chain": ("#009e73", "#1ed6a4"),
    "mark": ("#96196a", "#f4a6d6"),
    "offered": ("#1c5a34", "#b9e39b"),
    "shade0": ("#0072b2", "#6cc0f2"),
    "shade1": ("#c04a00", "#f0a630"),
    "shade2": ("#00795a", "#1ed6a4"),
    "shade3": ("#a3357c", "#f08cc8"),
    "shade4": ("#806000", "#d8c84a"),
    "shade5": ("#5a4fcf", "#b0a8ff"),
    "illegal": ("#c3161c", "#ff7a6e"),
}

_CLASSES = re.compile(r'class="([^"]*)"')
#: The number of colors of bodies.
SHADES = 6


_Attributes = Mapping[str, str | float]
#: Highlight on stones, from the upper left: its center and radius.
_LIGHT = {"cx": 0.36, "cy": 0.26, "r": 0.78}
#: The grain of the wood, the only gradient that does not scale to its shape. It is slightly oblique.
_GRAIN: _Attributes = {"gradientUnits": "userSpaceOnUse", "x2": 148.0, "y2": 9.0, "spreadMethod": "reflect"}
#: Gradients by the class that they fill: element, attributes, and the offset and tone of each stop, from the center or
#: top to the edge. The tones are classes too. All stones of a color share a gradient.
GRADIENTS: Mapping[str, tuple[str, _Attributes, Sequence[tuple[float, int]]]] = {
    "plate": (
        "linearGradient",
        _GRAIN,
        ((0.0, 1), (0.06, 0), (0.19, 1), (0.38, 0), (0.43, 2), (0.47, 1), (0.68, 0), (0.79, 2)),
    ),
    "cell": ("linearGradient", {"x2": 0.0, "y2": 1.0}, ((0.0, 0), (0.5, 1), (1.0, 2))),
    "black": ("radialGradient", _LIGHT, ((0.0, 0), (0.45, 1), (1.0, 2))),
    "white": ("radialGradient", _LIGHT, ((0.0, 0), (0.5, 1), (1.0, 2))),
    "shadow": ("radialGradient", {}, ((0.78, 0), (1.0, 1))),
    "lit-placed": ("radialGradient", {}, ((0.69, 0), (0.69, 1), (1.0, 2))),
    "lit-changed": ("radialGradient", {}, ((0.69, 0), (0.69, 1), (1.0, 2))),
}
#: An eighth of the circumference of the ring around a possible next part of a turn.
_ARC = number((STONE + RING) * pi / 4)
#: CSS by class. Names in braces are colors of the theme; {gradient} is the gradient of the class, followed by a
#: fallback color.
_RULES: Mapping[str, str] = {
    ".page": "fill: {page}",
    ".ledge": "fill: {ledge}; stroke: {ledge}; stroke-width: 4; stroke-linejoin: round",
    ".plate": "fill: {gradient} {board}; stroke: {frame}; stroke-width: 3; stroke-linejoin: round",
    **{f".plate-{tone}": f"stop-color: {{grain{tone}}}" for tone in range(3)},
    ".cell": "fill: {gradient} none; stroke: {line}; stroke-width: 1.2",
    ".cell-0": "stop-color: #fff; stop-opacity: 0.2",
    ".cell-1": "stop-color: #fff; stop-opacity: 0.06",
    ".cell-2": "stop-color: #000; stop-opacity: 0.05",
    ".edge-cell": "fill: {edge_cell}; fill-opacity: 0.75",
    ".grid": "fill: none; stroke: {line}; stroke-width: 1.2",
    ".label": "fill: {label}; font-size: 12px",
    ".name": "fill: {muted}; font-size: 10px",
    ".over-grid": "stroke: {board}; stroke-width: 4; paint-order: stroke",
    ".caption": "fill: {ink}; font-size: 13px",
    ".legend": "fill: {label}; font-size: 12px",
    ".shadow": "fill: {gradient} none",
    ".shadow-0": "stop-color: {dusk}; stop-opacity: 0.55",
    ".shadow-1": "stop-color: {dusk}; stop-opacity: 0",
    ".black": "fill: {gradient} {black}; stroke: {shine}; stroke-width: 0.9",
    ".white": "fill: {gradient} {white}; stroke: {edge}; stroke-width: 0.9",
    **{f".{color}-{tone}": f"stop-color: {{{color}{tone}}}" for color in ("black", "white") for tone in range(3)},
    ".on-black": "fill: {white}; font-size: 19px; font-weight: 700",
    ".on-white": "fill: {black}; font-size: 19px; font-weight: 700",
    ".dead": "opacity: 0.6",
    ".cross-black": "fill: none; stroke: {white}; stroke-width: 3; stroke-linecap: round",
    ".cross-white": "fill: none; stroke: {black}; stroke-width: 3; stroke-linecap: round",
    ".forbidden": "fill: none; stroke: {muted}; stroke-width: 2.4; stroke-linecap: round",
    ".placed": "fill: none; stroke: {placed}; stroke-width: 3.2",
    ".changed": "fill: none; stroke: {changed}; stroke-width: 3.2; stroke-dasharray: 6 3.2",
    ".lit-placed": "fill: {gradient} none",
    ".lit-placed-0": "stop-color: {placed}; stop-opacity: 0",
    ".lit-placed-1": "stop-color: {placed}; stop-opacity: 0.75",
    ".lit-placed-2": "stop-color: {placed}; stop-opacity: 0",
    ".lit-changed": "fill: {gradient} none",
    ".lit-changed-0": "stop-color: {changed}; stop-opacity: 0",
    ".lit-changed-1": "stop-color: {changed}; stop-opacity: 0.75",
    ".lit-changed-2": "stop-color: {changed}; stop-opacity: 0",
    ".returned-black": "fill: none; stroke: {white}; stroke-width: 2.4; stroke-dasharray: 4 2.6",
    ".returned-white": "fill: none; stroke: {black}; stroke-width: 2.4; stroke-dasharray: 4 2.6",
    ".cut": "fill: none; stroke: {placed}; stroke-width: 3.2",
    ".removed": "fill: none; stroke: {muted}; stroke-width: 1.8; stroke-dasharray: 2.5 3",
    ".path": "fill: none; stroke: {placed}; stroke-width: 5; stroke-linecap: round; opacity: 0.75",
    ".halo": "fill: none; stroke: {page}; stroke-width: 8; stroke-linecap: round; stroke-linejoin: round",
    ".chain": "fill: none; stroke: {chain}; stroke-width: 4.6; stroke-linecap: round; stroke-linejoin: round",
    ".body": "opacity: 0.6",
    **{f".shade-{number}": f"fill: {{shade{number}}}" for number in range(SHADES)},
    ".area-black": "fill: {black}; opacity: 0.45",
    ".area-white": "fill: {white}; opacity: 0.6",
    ".group": "fill: none; stroke: {shade5}; stroke-width: 9; stroke-linecap: round",
    ".ray": "fill: none; stroke: {shade5}; stroke-width: 2.6; stroke-dasharray: 7 4",
    ".target": "fill: none; stroke: {shade5}; stroke-width: 4; stroke-linecap: round",
    ".secure-black": "fill: none; stroke: {white}; stroke-width: 1.8",
    ".secure-white": "fill: none; stroke: {black}; stroke-width: 1.8",
    # The marks of records; those without a color are `plain`.
    ".mark-halo": "fill: none; stroke: {page}; stroke-width: 5.6; stroke-linecap: round; stroke-linejoin: round",
    ".mark": "fill: none; stroke-width: 3; stroke-linecap: round; stroke-linejoin: round",
    ".mark-text": "font-size: 14px; font-weight: 700; stroke: {page}; stroke-width: 4; paint-order: stroke",
    ".mark-area": "opacity: 0.4",
    ".mark.plain": "stroke: {mark}",
    ".mark-text.plain": "fill: {mark}",
    ".mark-area.plain": "fill: {mark}",
    ".illegal": "fill: none; stroke: {illegal}; stroke-width: 4; stroke-linecap: round",
    # Shapes for entering turns on the page.
    ".chosen": "fill: none; stroke: {mark}; stroke-width: 4",
    ".next": "fill: {offered}; fill-opacity: 0.85",
    ".named .next": "fill-opacity: 0.35",  # the name of the cell is read through it
    # Four arcs: the circumference has eight of these lengths.
    ".next.ring": f"fill: none; stroke: {{offered}}; stroke-width: 3.4; stroke-dasharray: {_ARC} {_ARC}",
    ".cursor": "fill: none; stroke: {mark}; stroke-width: 3; stroke-dasharray: 7 4",
}


def classes_in(drawn: str) -> set[str]:
    """Return the classes of the shapes of a drawing."""
    return {name for names in _CLASSES.findall(drawn) for name in names.split()}


def gradient_id(theme: Theme, name: str) -> str:
    """Return the id of a gradient, unique among themes."""
    return f"hexrec-{theme}-{name}"


def css(theme: Theme, classes: Collection[str] | None = None) -> str:
    """Return the style sheet of a theme for some classes and the tones of their gradients, or for all classes.

    Its rules apply only to pictures of that theme.
    """
    rules = {name: rule for name, rule in _RULES.items() if classes is None or _applies(name, classes)}
    text = f".hexrec-{theme} text {{ font-family: {FONT} }}\n"
    text += _sheet(theme, rules, dark=theme == "dark")
    if theme == "auto":
        # Only rules with colors of the theme differ in the dark.
        themed = {name: "; ".join(part for part in rule.split("; ") if "{" in part) for name, rule in rules.items()}
        themed = {name: rule for name, rule in themed.items() if rule}
        text += f"@media (prefers-color-scheme: dark) {{\n{_sheet(theme, themed, dark=True)}}}\n"
    return text


def definitions(theme: Theme, classes: Collection[str]) -> str:
    """Return the gradients for some classes."""
    drawn = []
    for name, (kind, attributes, tones) in GRADIENTS.items():
        if name in classes:
            stops = "".join(element("stop", class_=f"{name}-{tone}", offset=offset) for offset, tone in tones)
            drawn.append(element(kind, stops, id=gradient_id(theme, name), **attributes))
    return element("defs", "".join(drawn))


def page_color(theme: Theme) -> str:
    """Return the background color of a theme other than `auto`."""
    return _PALETTE["page"][theme == "dark"]


def _applies(rule: str, classes: Collection[str]) -> bool:
    """Return whether a rule applies to some classes or to a tone of their gradients."""
    name = rule[1:].partition(".")[0]
    return name in classes or name.rstrip("0123456789").rstrip("-") in classes


def _sheet(theme: Theme, rules: Mapping[str, str], *, dark: bool) -> str:
    colors = {name: pair[dark] for name, pair in _PALETTE.items()}
    lines = []
    for name, rule in rules.items():
        gradient = f"url(#{gradient_id(theme, name[1:])})"
        lines.append(f".hexrec-{theme} {name} {{ {rule.format(gradient=gradient, **colors)} }}\n")
    return "".join(lines)
