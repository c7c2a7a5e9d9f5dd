"""Pictures of positions as SVG or PNG, and of games as animated SVG or GIF. Independent of the rules of games.

>>> from hexrec import games, render
>>> position = games.get("sunspot").start(size=5)
>>> render.svg(position)[:4]
'<svg'
"""

from hexrec.render.animation import animated_svg, notebook_picture, notebook_slider, slider_html
from hexrec.render.pixels import gif, png
from hexrec.render.svg import svg
from hexrec.render.theme import LABELS, THEMES, Style
from hexrec.render.views import View, view_of, views

__all__ = [
    "LABELS",
    "THEMES",
    "Style",
    "View",
    "animated_svg",
    "gif",
    "notebook_picture",
    "notebook_slider",
    "png",
    "slider_html",
    "svg",
    "view_of",
    "views",
]
