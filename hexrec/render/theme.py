"""How pictures look: what the user chooses, and the colours of the two themes as CSS.

The colours of the marks are from the palette of Okabe and Ito, which people with any kind of colour vision can
distinguish. No mark rests on its colour alone: each role has a shape of its own.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

Theme = Literal["auto", "light", "dark"]
THEMES: tuple[Theme, ...] = get_args(Theme)
Labels = Literal["ends", "all", "none"]
LABELS: tuple[Labels, ...] = get_args(Labels)

#: The first is for browsers, the others for renderers that find fonts by their names only.
FONT = "system-ui, 'Segoe UI', 'DejaVu Sans', 'Liberation Sans', 'Noto Sans', Verdana, Arial, Helvetica, sans-serif"


@dataclass(frozen=True)
class Style:
    """What the user chooses.

    Attributes:
        theme: light, dark, or auto: whichever the reader's system prefers.
        labels: the names of cells: at the ends of the rows, on all empty cells, or none.
        marks: whether the parts of the last turn and what decided the game are pointed out.
        caption: whether the words below the board are there.
        width: the width in pixels; None for the natural one.
    """

    theme: Theme = "auto"
    labels: Labels = "ends"
    marks: bool = True
    caption: bool = True
    width: int | None = None


_COLOURS: Mapping[str, Mapping[str, str]] = {
    "light": {
        "page": "#ffffff",
        "board": "#f4ead5",
        "rim": "#dcc8a0",
        "line": "#9c8760",
        "ink": "#222222",
        "muted": "#5c5240",
        "black": "#1d1d1f",
        "white": "#ffffff",
        "edge": "#1d1d1f",
        "shine": "#85858c",
        "placed": "#c04a00",
        "changed": "#0072b2",
        "chain": "#009e73",
        "mark": "#b0247e",
        "shade0": "#0072b2",
        "shade1": "#c04a00",
        "shade2": "#00795a",
        "shade3": "#a3357c",
        "shade4": "#806000",
        "shade5": "#5a4fcf",
        "illegal": "#d92b25",
    },
    "dark": {
        "page": "#16181c",
        "board": "#454b55",
        "rim": "#2f343c",
        "line": "#7d8694",
        "ink": "#f0f0ee",
        "muted": "#c3c9d2",
        "black": "#08080a",
        "white": "#f2f2ee",
        "edge": "#5a6069",
        "shine": "#a4aab4",
        "placed": "#f0a630",
        "changed": "#6cc0f2",
        "chain": "#1ed6a4",
        "mark": "#f08cc8",
        "shade0": "#6cc0f2",
        "shade1": "#f0a630",
        "shade2": "#1ed6a4",
        "shade3": "#f08cc8",
        "shade4": "#d8c84a",
        "shade5": "#b0a8ff",
        "illegal": "#ff6a5e",
    },
}

#: How many bodies have each a colour of their own.
SHADES = 6

#: Classes and what they look like; names in braces are colours of the theme.
_RULES: Mapping[str, str] = {
    ".page": "fill: {page}",
    ".cell": "fill: {board}; stroke: {line}; stroke-width: 1.2",
    ".rim": "fill: {rim}",
    ".plate": "fill: {board}",
    ".grid": "fill: none; stroke: {line}; stroke-width: 1.2",
    ".label": "fill: {muted}; font-size: 12px",
    ".name": "fill: {muted}; font-size: 10px",
    ".over-grid": "stroke: {board}; stroke-width: 4; paint-order: stroke",
    ".caption": "fill: {ink}; font-size: 13px",
    ".legend": "fill: {muted}; font-size: 12px",
    ".black": "fill: {black}; stroke: {shine}; stroke-width: 1.2",
    ".white": "fill: {white}; stroke: {edge}; stroke-width: 1.2",
    ".on-black": "fill: {white}; font-size: 15px; font-weight: 700",
    ".on-white": "fill: {black}; font-size: 15px; font-weight: 700",
    ".dead": "opacity: 0.4",
    ".cross": "fill: none; stroke: {ink}; stroke-width: 3; stroke-linecap: round",
    ".forbidden": "fill: none; stroke: {muted}; stroke-width: 2.4; stroke-linecap: round",
    ".placed": "fill: none; stroke: {placed}; stroke-width: 3.2",
    ".changed": "fill: none; stroke: {changed}; stroke-width: 3.2; stroke-dasharray: 6 3.2",
    ".cut": "fill: none; stroke: {placed}; stroke-width: 3.2",
    ".removed": "fill: none; stroke: {muted}; stroke-width: 1.8; stroke-dasharray: 2.5 3",
    ".path": "fill: none; stroke: {placed}; stroke-width: 5; stroke-linecap: round; opacity: 0.75",
    ".halo": "fill: none; stroke: {page}; stroke-width: 8; stroke-linecap: round; stroke-linejoin: round",
    ".chain": "fill: none; stroke: {chain}; stroke-width: 4.6; stroke-linecap: round; stroke-linejoin: round",
    ".body": "opacity: 0.55",
    **{f".shade-{number}": f"fill: {{shade{number}}}" for number in range(SHADES)},
    ".area-black": "fill: {black}; opacity: 0.38",
    ".area-white": "fill: {white}; opacity: 0.6",
    ".secure-black": "fill: none; stroke: {white}; stroke-width: 1.8",
    ".secure-white": "fill: none; stroke: {black}; stroke-width: 1.8",
}
#: The same for the marks of records; those without a colour of their own are `plain`.
_MARKUP_RULES: Mapping[str, str] = {
    ".mark-halo": "fill: none; stroke: {page}; stroke-width: 5.6; stroke-linecap: round; stroke-linejoin: round",
    ".mark": "fill: none; stroke-width: 3; stroke-linecap: round; stroke-linejoin: round",
    ".mark-text": "font-size: 14px; font-weight: 700; stroke: {page}; stroke-width: 4; paint-order: stroke",
    ".mark-area": "opacity: 0.4",
    ".mark.plain": "stroke: {mark}",
    ".mark-text.plain": "fill: {mark}",
    ".mark-area.plain": "fill: {mark}",
}
#: The same for the cells of an illegal turn.
_ILLEGAL_RULES: Mapping[str, str] = {
    ".illegal": "fill: none; stroke: {illegal}; stroke-width: 4; stroke-linecap: round"
}


def css(theme: Theme, *, markup: bool = True, illegal: bool = True) -> str:
    """Return the style sheet of a theme, with the marks of records and the cross on illegal turns or without.

    It reaches only into pictures of that theme, wherever they are put.
    """
    scope = f".hexrec-{theme}"
    rules = {**_RULES, **(_MARKUP_RULES if markup else {}), **(_ILLEGAL_RULES if illegal else {})}
    text = f"{scope} text {{ font-family: {FONT} }}\n"
    text += _sheet(scope, "light" if theme == "auto" else theme, rules)
    if theme == "auto":
        text += f"@media (prefers-color-scheme: dark) {{\n{_sheet(scope, 'dark', rules)}}}\n"
    return text


def page_colour(theme: Theme) -> str:
    """Return the colour that a picture is on, of a theme that is not `auto`."""
    return _COLOURS[theme]["page"]


def _sheet(scope: str, theme: str, rules: Mapping[str, str]) -> str:
    return "".join(f"{scope} {name} {{ {rule.format(**_COLOURS[theme])} }}\n" for name, rule in rules.items())
