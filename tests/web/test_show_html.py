"""`hexrec show --html`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import SHORT_GAME, Run, hexrec
from tests.web.games import broken

__all__ = ["hexrec"]


def embedded(page: str) -> dict[str, Any]:
    _, _, rest = page.partition('<script type="application/json" id="replay">')
    return dict(json.loads(rest.partition("</script>")[0]))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(SHORT_GAME), encoding="utf-8")
    return path


def test_a_page_is_written_and_no_board(hexrec: Run, file: Path) -> None:
    out = file.with_suffix(".html")
    ran = hexrec("show", file, "--html", out)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    data = embedded(out.read_text(encoding="utf-8"))
    assert data["record"] == SHORT_GAME
    assert {"json", "yaml", "sgf", "hgn"} <= data["texts"].keys()
    assert data["view"] == {"theme": "auto", "labels": "ends"}


def test_what_is_chosen_for_pictures_is_chosen_on_the_page(hexrec: Run, file: Path) -> None:
    options = ("--ply", "2", "--coordinates", "skew", "--theme", "dark", "--labels", "all")
    ran = hexrec("show", file, "--html", "-", *options)
    assert ran.code == 0
    assert embedded(ran.out)["view"] == {"ply": 2, "coordinates": "skew", "theme": "dark", "labels": "all"}
    assert len(embedded(ran.out)["record"]["moves"]) == len(SHORT_GAME["moves"])


def test_a_broken_game_has_a_page_too(hexrec: Run, tmp_path: Path) -> None:
    out = tmp_path / "game.html"
    ran = hexrec("show", broken("frasvel"), "--html", out)
    assert ran.code == 1
    assert "move/touches-higher" in ran.err
    assert embedded(out.read_text(encoding="utf-8"))["report"]["valid"] is False


def test_a_game_that_cannot_begin_has_a_page_too(hexrec: Run, tmp_path: Path) -> None:
    path, out = tmp_path / "game.json", tmp_path / "game.html"
    path.write_text(json.dumps({**SHORT_GAME, "opening": {"black": "c3", "white": "c3"}}), encoding="utf-8")
    assert hexrec("show", path, "--html", out).code == 1
    (diagnostic,) = embedded(out.read_text(encoding="utf-8"))["report"]["diagnostics"]
    assert diagnostic["code"] == "opening/same-cell"
