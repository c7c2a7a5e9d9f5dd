"""PNG: the right size, the right colors in the right places; what is said where a package is missing."""

from __future__ import annotations

import sys
from io import BytesIO

import pytest
from PIL import Image

import hexrec
from hexrec.errors import MissingExtraError
from hexrec.render.pixels import gif, png
from hexrec.render.theme import Style
from hexrec.render.views import View

PLAIN = Style(caption=False, labels="none", marks=False)


@pytest.fixture
def view() -> View:
    return View(hexrec.games.get("nadraz").start(4, {"black": "d4", "white": "d5"}))


@pytest.mark.parametrize(("theme", "light"), [("auto", True), ("light", True), ("dark", False)])
def test_stones_are_where_they_are(view: View, theme: str, light: bool) -> None:
    style = Style(theme, "none", marks=False, caption=False)  # type: ignore[arg-type]
    image = Image.open(BytesIO(png(view, style))).convert("L")

    def brightness(x: int, y: int) -> int:
        return image.crop((x, y, x + 1, y + 1)).tobytes()[0]

    middle, right = image.width // 2, 80  # a pixel is half a unit
    assert brightness(middle, image.height // 2) < 70
    assert brightness(middle + right, image.height // 2) > 230
    assert (brightness(40, 40) > 230) == light


def test_width(view: View) -> None:
    assert Image.open(BytesIO(png(view, Style(width=333)))).width == 333


def test_texts_are_there(view: View) -> None:
    """Fonts are found: without its words the same picture differs."""
    named = Image.open(BytesIO(png(view, Style(labels="all", caption=False)))).convert("L")
    bare = Image.open(BytesIO(png(view, PLAIN))).convert("L")
    assert named.size == bare.size
    assert named.tobytes() != bare.tobytes()


def test_missing_renderers(view: View, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    with pytest.raises(MissingExtraError, match=r"to write PNG, install hexrec-games\[pictures\]"):
        png(view)
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtraError, match="to write GIF, install"):
        gif([view])
