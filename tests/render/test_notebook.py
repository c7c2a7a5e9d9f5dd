"""What notebooks show."""

from __future__ import annotations

import subprocess
import sys

import hexrec
from hexrec import display
from hexrec.render import svg
from tests.render.conftest import record


def test_records_and_positions_have_pictures() -> None:
    each = record("sunspot/valid/loop.json")
    assert each._repr_svg_() == svg(each)
    assert each.start()._repr_svg_() == svg(each.start())


def test_a_record_that_cannot_start_has_none() -> None:
    text = '{"hexrec": "1", "game": "nadraz", "size": 4, "opening": {"black": "e4", "white": "e4"}, "moves": []}'
    assert hexrec.loads(text, "json")._repr_svg_() is None


def test_nobody_draws() -> None:
    """Without the front door notebooks show texts, and nothing that draws has been imported."""
    program = (
        "import sys; from hexrec.games.sunspot import SUNSPOT; print(SUNSPOT.start(4)._repr_svg_());"
        "print('hexrec.render' in sys.modules); import hexrec; hexrec.validate;"
        "print(SUNSPOT.start(4)._repr_svg_()[:4])"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["None", "False", "<svg"]


def test_the_painter_can_be_another() -> None:
    position = record("sunspot/valid/no-turns-yet.yaml").start()
    painters = list(display._painters)
    try:
        display.set_painter(lambda thing: f"a picture of {thing}")
        assert position._repr_svg_() == "a picture of <sunspot size 4, after 0 turns, black to play>"
    finally:
        display._painters[:] = painters
