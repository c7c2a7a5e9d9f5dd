"""What notebooks show."""

from __future__ import annotations

import subprocess
import sys

import hexrec
from hexrec.render import svg
from tests.render.conftest import record


def test_records_and_positions_have_pictures() -> None:
    each = record("sunspot/valid/loop.json")
    assert each._repr_svg_() == svg(each)
    assert each.start()._repr_svg_() == svg(each.start())


def test_a_record_that_cannot_start_has_none() -> None:
    text = '{"hexrec": "1", "game": "nadraz", "size": 4, "opening": {"black": "e4", "white": "e4"}, "moves": []}'
    assert hexrec.loads(text, "json")._repr_svg_() is None


def test_whatever_was_imported() -> None:
    """A position has its picture however it was come by; nothing that draws is imported before."""
    program = (
        "import sys; from hexrec.games.sunspot import SUNSPOT; position = SUNSPOT.start(4);"
        "print('hexrec.render' in sys.modules, position._repr_svg_()[:4])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["False", "<svg"]
