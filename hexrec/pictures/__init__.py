"""Pictures of positions: SVG, PNG, and whole games as animated SVG or GIF. Knows no game, only what games mark.

>>> from hexrec import games, pictures
>>> position = games.get("sunspot").start(size=5)
>>> pictures.svg(position)[:4]
'<svg'
"""

from hexrec.pictures.animated_gif import gif
from hexrec.pictures.drawing import svg
from hexrec.pictures.film import animated_svg
from hexrec.pictures.pixels import MissingRenderer, png
from hexrec.pictures.style import LABELS, THEMES, Style
from hexrec.pictures.views import View, renamed, view_of, views

__all__ = [
    "LABELS",
    "THEMES",
    "MissingRenderer",
    "Style",
    "View",
    "animated_svg",
    "gif",
    "png",
    "renamed",
    "svg",
    "view_of",
    "views",
]
