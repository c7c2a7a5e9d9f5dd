"""The marks of records: drawn on the position that they are on, in every kind of picture, and said in words."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageChops

import hexrec
from hexrec.record.validation import read_record
from hexrec.render import svg, views
from hexrec.render.animation import animated_svg
from hexrec.render.pixels import gif, rasterize
from hexrec.render.svg import picture
from hexrec.render.terminal import color_view
from hexrec.render.theme import Style
from hexrec.render.views import view_of
from tests.cli.conftest import Run
from tests.cli.conftest import hexrec as run
from tests.render.conftest import FIXTURES, record

__all__ = ["run"]

FILE = FIXTURES / "valaturna/valid/marks-of-every-kind.yaml"
SAID = """\
circle (a ring): a1, d3
square: a2, d4
red triangle: a3, d5
#08f cross: a4, e3
label A: b1, e4
label a long label: b3
Green arrow (threat): c1 to c4
puce arrow: e1 to d3
line: f1 to f3 to e5
yellow area: g1, g2, g3, d4
area: c6, b5
"""
SHORT: dict[str, Any] = {
    "hexrec": "1",
    "game": "valaturna",
    "size": 4,
    "opening": {"black": "d4", "white": "c3"},
    "moves": [],
}


def marked(*marks: dict[str, Any]) -> hexrec.Record:
    return read_record({**SHORT, "marks": [*marks]})


@pytest.mark.parametrize("options", [[], ["--marks"]], ids=str)
def test_they_are_mentioned_below_the_board(run: Run, options: list[str]) -> None:
    assert run("show", FILE, "--ply", "0", *options).out.endswith(f"\n\n{SAID}")
    assert run("show", FILE, "--ply", "1", *options).out.endswith("circle: f1\nlabel here: a1\n")
    for ply in ("0", "1"):
        assert "circle" not in run("show", FILE, "--ply", ply, "--no-marks").out
    assert "circle" not in run("show", FILE, *options).out
    assert SAID in color_view(view_of(record(str(FILE)), 0)).plain


def test_they_are_drawn_where_they_are_and_nowhere_else() -> None:
    game = record(str(FILE))
    drawn = [svg(view) for view in views(game)]
    assert [text.count('class="mark plain"') for text in drawn] == [7, 1, 0]
    assert [view.markup for view in views(game)] == [view_of(game, ply).markup for ply in range(3)]
    assert ".mark" not in drawn[2]
    assert 'class="mark plain"' not in svg(view_of(game, 0), Style(marks=False))
    assert 'class="mark plain"' in animated_svg(list(views(game)))
    for line in SAID.splitlines():
        assert line in drawn[0]


@pytest.mark.parametrize(
    ("color", "drawn"),
    [
        ("red", 'stroke="#d62728"'),
        (" ReD ", 'stroke="#d62728"'),
        ("#08F", 'stroke="#08f"'),
        ("#aBcDeF", 'stroke="#abcdef"'),
        ("#0088", 'class="mark plain"'),
        ("puce", 'class="mark plain"'),
        ('red" onload="alert(1)', 'class="mark plain"'),
        ("url(https://example.org)", 'class="mark plain"'),
    ],
)
def test_colors(color: str, drawn: str) -> None:
    """What is no known color is said, and does not reach the markup."""
    text = svg(marked({"kind": "circle", "cells": ["a1"], "color": color}))
    assert drawn in text
    shape = next(line for line in text.splitlines() if "mark-halo" in line and "<circle" in line)
    assert "onload" not in shape
    assert "url" not in shape


def test_texts_are_texts() -> None:
    """Also where they are cut: an escape is not split."""
    labels = ({"kind": "label", "cells": ["a1"], "text": text} for text in ("<&", "\0&<"))
    text = svg(marked(*labels))
    assert ">&lt;&amp;</text>" in text
    assert "\0" not in text
    assert "<&" not in text


def test_cells_that_are_not_on_the_board_are_passed_over(run: Run, tmp_path: Path) -> None:
    """Lint warns of them. A line needs two cells."""
    marks = [
        {"kind": "circle", "cells": ["z9", "a1"]},
        {"kind": "square", "cells": ["z9"]},
        {"kind": "line", "cells": ["a1", "z9"]},
    ]
    game = marked(*marks)
    assert [(mark.kind, len(mark.cells)) for mark in view_of(game).markup] == [("circle", 1)]
    file = tmp_path / "game.json"
    file.write_text(json.dumps({**SHORT, "marks": marks}))
    assert run("show", file).out.endswith("\ncircle: a1\n")
    assert run("show", file, "--coordinates", "skew").out.endswith("\ncircle: a1\n")


def test_a_gif_has_them_in_its_frames() -> None:
    """What is drawn anew from one frame to the next reaches as far as the marks do."""
    style = Style("light", width=200)
    turns = list(views(record(str(FILE))))[:2]
    animation = Image.open(BytesIO(gif(turns, style)))
    height = max(picture(view, style).height for view in turns)
    for number, view in enumerate(turns):
        animation.seek(number)
        drawn = Image.open(BytesIO(rasterize(svg(view, style, height), background="#ffffff")))
        counts = ImageChops.difference(animation.convert("RGB"), drawn.convert("RGB")).convert("L").histogram()
        assert sum(counts[100:]) == 0
