"""What notebooks show."""

from __future__ import annotations

import re
import subprocess
import sys

import hexrec
from hexrec.render import svg, views
from hexrec.render.animation import slider_html
from tests.render.conftest import record


def test_records_and_positions_have_pictures() -> None:
    each = record("sunspot/valid/loop.json")
    assert each._repr_svg_() == svg(each)
    assert each.start()._repr_svg_() == svg(each.start())


def test_records_have_a_slider() -> None:
    """It has a step for every turn, and asks for nothing from elsewhere."""
    each = record("sunspot/valid/loop.json")
    shown = each._repr_html_() or ""
    assert shown == slider_html(list(views(each)))
    assert f'type="range" min="0" max="{len(each.moves)}" value="{len(each.moves)}"' in shown
    assert not re.search(r"<script|<link|<img|@import|url\((?!#)|\bsrc=|\bhref=", shown)


def test_a_record_that_cannot_start_has_none() -> None:
    text = '{"hexrec": "1", "game": "nadraz", "size": 4, "opening": {"black": "e4", "white": "e4"}, "moves": []}'
    broken = hexrec.loads(text, "json")
    assert (broken._repr_svg_(), broken._repr_html_()) == (None, None)


def test_nothing_that_draws_is_imported_before_a_picture_is_shown() -> None:
    program = (
        "import sys, hexrec; position = hexrec.games.get('sunspot').start(4);"
        "print('hexrec.render' in sys.modules, position._repr_svg_()[:4])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "<svg"]
