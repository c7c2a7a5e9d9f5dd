"""Pictures that have been looked at, compared as XML.

After a change that is meant, `python -m tests.render.test_golden` draws them anew; then look at each.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from xml.etree.ElementTree import canonicalize

import pytest

from hexrec.render import svg, views
from hexrec.render.animation import animated_svg
from hexrec.render.theme import Style
from hexrec.render.views import view_of
from tests.cli.conftest import Run, hexrec
from tests.render.conftest import record

__all__ = ["hexrec"]

GOLDEN = Path(__file__).parent / "golden"
ROOT = GOLDEN.parent.parent.parent


def still(path: str, ply: int | None = None, style: Style | None = None, index: int = 0) -> Callable[[], str]:
    return lambda: svg(view_of(record(path, index), ply), style)


PICTURES: dict[str, Callable[[], str]] = {
    "sundraval-territories": still("sundraval/valid/strangled-groups-of-both-colors.yaml"),
    "sundraval-placed": still("sundraval/valid/recommended-size.yaml", 5, Style("dark")),
    "sunspot-loops": still("sunspot/reference/games.jsonl", index=8),
    "sunspot-flips": still("sunspot/valid/choice-among-three-subgroups.yaml", style=Style("dark", caption=False)),
    "frasvel-move": still("frasvel/valid/lowers-a-stack.yaml", 6, Style("light")),
    "frasvel-end": still("frasvel/reference/games.jsonl", index=3, style=Style("dark")),
    "valaturna-capture": still("valaturna/valid/flank-in-two-directions.yaml", 7, Style("light")),
    "valaturna-end": still("valaturna/reference/games.jsonl", index=2),
    "nadraz-cut": still("nadraz/valid/cut-across-two-runs.yaml", 4),
    "nadraz-end": still("nadraz/reference/games.jsonl", index=1, style=Style("dark", width=600)),
    "no-marks": still("nadraz/valid/cut-across-two-runs.yaml", 4, Style("light", "none", False, False, 200)),
    "all-names": still("sunspot/valid/loop.json", 4, Style("light", "all")),
    "axial": lambda: svg(
        view_of(record("nadraz/valid/cut-across-two-runs.yaml"), system="axial"), Style("dark", "all")
    ),
    "markup": still("valaturna/valid/marks-of-every-kind.yaml", 0),
    "markup-dark": still("valaturna/valid/marks-of-every-kind.yaml", 1, Style("dark")),
    "largest": still("nadraz/valid/largest-board.yaml"),
    "animation": lambda: animated_svg(list(views(record("frasvel/valid/lowers-a-stack.yaml"))), seconds=0.8),
}


def comparable(drawn: str) -> str:
    return canonicalize(drawn, strip_text=True)


@pytest.mark.parametrize("name", PICTURES)
def test_golden(name: str) -> None:
    expected = (GOLDEN / f"{name}.svg").read_text(encoding="utf-8")
    assert comparable(PICTURES[name]()) == comparable(expected)


def test_no_golden_picture_is_left_over() -> None:
    assert {path.stem for path in GOLDEN.iterdir()} == set(PICTURES)


def test_pictures_of_the_page_on_pictures(hexrec: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are as the command on the page draws the records next to them, and there are no others."""
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs/pictures.md").read_text(encoding="utf-8")
    records = dict(re.findall(r"^\| !\[.+\]\((pictures/\S+)\) \| `(\S+)` \|$", page, re.MULTILINE))
    (command,) = re.findall(r"^hexrec (show fixtures/.* --svg \S+)$", page, re.MULTILINE)
    show, first, *options, picture = shlex.split(command)
    assert records[picture.removeprefix("docs/")] == first
    assert {ROOT / "docs" / path for path in records} == set((ROOT / "docs/pictures").iterdir())
    for path, source in records.items():
        drawn = hexrec(show, source, *options, "-").out
        assert comparable(drawn) == comparable((ROOT / "docs" / path).read_text(encoding="utf-8")), path


if __name__ == "__main__":
    for name, draw in PICTURES.items():
        (GOLDEN / f"{name}.svg").write_text(draw(), encoding="utf-8")
