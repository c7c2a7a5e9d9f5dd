"""What is drawn: well-formed, complete, inside the picture, readable in every theme, said in words as well."""

from __future__ import annotations

import json
import re
from itertools import combinations, product
from typing import get_args
from xml.etree import ElementTree

import pytest

import hexrec
from hexrec.record.validation import read_record
from hexrec.render import svg, views
from hexrec.render.animation import animated_svg
from hexrec.render.svg import _shape, description
from hexrec.render.theme import _PALETTE, THEMES, Style, css
from hexrec.render.views import View, view_of
from hexrec.rules.board import SYSTEMS, System
from hexrec.rules.terms import COLORS, Role
from tests.properties import sample
from tests.render.conftest import GAMES, played, record

SVG = "{http://www.w3.org/2000/svg}"


def parsed(drawn: str) -> ElementTree.Element:
    return ElementTree.fromstring(drawn)


def classes(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [element for element in root.iter() if name in element.get("class", "").split()]


def texts(root: ElementTree.Element) -> list[str]:
    return [element.text or "" for element in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_that_ends_or_not(game: str) -> None:
    """Every stone is there, the tops of stacks have their heights, and nothing lies outside."""
    style = Style("light", caption=False)
    for each in sample(played(game), 5):
        view = view_of(each)
        root = parsed(svg(view, style))
        stones = view.position.stacks()
        discs = [circle for circle in root.iter(f"{SVG}circle") if circle.get("class") in COLORS]
        tips = sum(mark.role == "end" for mark in view.position.highlights() for _ in mark.cells[bool(mark.label) :])
        assert len(discs) == sum(min(stone.height, 4) for stone in stones.values()) + tips
        heights = [stone.height for stone in stones.values() if stone.height > 1]
        lengths = [int(mark.label) for mark in view.position.highlights() if mark.label]
        written = [text for mark in view.markup for text in [mark.text] * len(mark.cells) if mark.kind == "label"]
        assert sorted(filter(str.isdecimal, texts(root))) == sorted([*map(str, heights + lengths), *written])
        left, top, width, height = map(float, root.attrib["viewBox"].split())
        for element in root.iter():
            for x, y in re.findall(r"(-?[\d.]+),(-?[\d.]+)", element.get("points", "") + element.get("d", "")):
                assert left <= float(x) <= left + width
                assert top <= float(y) <= top + height


@pytest.mark.parametrize("size", [3, 11])
def test_points_and_cells(size: int) -> None:
    """Games on cells have a polygon for each, games on points three lines through each that lie on the plate."""
    count = 3 * size * (size - 1) + 1
    grid = parsed(svg(hexrec.games.get("sundraval").start(size, {"black": "a1", "white": "a2"})))
    assert not classes(grid, "cell")
    lines = classes(grid, "grid")[0].attrib["d"]
    assert lines.count("M") == 3 * (2 * size - 1)
    assert len(classes(grid, "plate")) == 1
    if size in hexrec.games.get("nadraz").sizes:
        snakes = parsed(svg(hexrec.games.get("nadraz").start(size, {"black": "a1", "white": "a2"})))
        assert (len(classes(snakes, "cell")), len(classes(snakes, "edge-cell"))) == (count, 6 * (size - 1))
    if size in hexrec.games.get("frasvel").sizes:
        stacks = parsed(svg(hexrec.games.get("frasvel").start(size, {"black": "a1"})))
        assert (len(classes(stacks, "cell")), len(classes(stacks, "edge-cell"))) == (count, 0)


def test_a_cell_is_where_its_name_says() -> None:
    """Rows go up, numbers to the right, and neighbors are all equally far apart."""
    view = View(hexrec.games.get("nadraz").start(4, {"black": "a1", "white": "b1"}))
    root = parsed(svg(view, Style(caption=False, marks=False)))
    place = {}
    for color in COLORS:
        (stone,) = (circle for circle in root.iter(f"{SVG}circle") if circle.get("class") == color)
        place[color] = complex(float(stone.attrib["cx"]), float(stone.attrib["cy"]))
    apart = place["white"] - place["black"]
    assert apart.real < 0
    assert apart.imag < 0
    assert abs(apart) == pytest.approx(40, abs=0.01)


@pytest.mark.parametrize("system", SYSTEMS)
def test_names_of_cells(system: System) -> None:
    each = view_of(record("nadraz/valid/cut-across-two-runs.yaml"), system=system)
    position = each.position
    names = position.board.names(system)
    ends = parsed(svg(each, Style(marks=False, caption=False)))
    edge = {
        names.single(cell) for cell in position.board.cells if not all(position.board.rays[cell][d] for d in (0, 3))
    }
    assert set(texts(ends)) == edge
    every = parsed(svg(each, Style(labels="all", marks=False, caption=False)))
    empty = set(position.board.cells) - position.stacks().keys()
    assert sorted(texts(every)) == sorted(names.single(cell) for cell in empty)
    assert texts(parsed(svg(each, Style(labels="none", marks=False, caption=False)))) == []


def test_a_game_in_other_coordinates_is_the_same() -> None:
    for path in ("frasvel/valid/skew-coordinates.yaml", "sunspot/valid/axial-coordinates.yaml"):
        one = record(path)
        for system in SYSTEMS:
            other = view_of(one, system=system).position
            assert (other.names.system, other.stacks()) == (system, view_of(one).position.stacks())


def test_illegal_turns_are_left_out() -> None:
    broken = hexrec.loads('{"hexrec": "1", "game": "sunspot", "size": 4, "moves": ["d4", "a4", "d4", "c3"]}', "json")
    assert len(list(views(broken))) == 3
    assert "after ply 2 (White d1), Black to play" in svg(view_of(broken, system="skew"))
    assert "after ply 2 (White a4), Black to play" in svg(broken)


#: The cells that illegal turns go through: those that they name, and those between the ends of a line.
CROSSED = {
    "sunspot/invalid/move.flip-edge~sees-the-rim.yaml": ["e3", "e4"],
    "frasvel/invalid/move.touches-higher.yaml": ["d3", "c3", "a1"],
    "nadraz": ["a1", "b2", "c3"],
}


@pytest.mark.parametrize("path", CROSSED)
def test_the_cells_of_an_illegal_turn_are_crossed_out(path: str) -> None:
    line = {"hexrec": "1", "game": "nadraz", "size": 4, "opening": {"black": "d4", "white": "d5"}, "moves": ["a1-c3"]}
    broken = hexrec.loads(json.dumps(line)) if path == "nadraz" else record(path)
    crosses = None
    for system in (None, *SYSTEMS):
        view = view_of(broken, system=system)
        assert view.illegal is not None
        assert [broken.rules.board(broken.size).names("row").single(cell) for cell in view.illegal.cells] == CROSSED[
            path
        ]
        drawn = parsed(svg(view))
        found = [each.attrib["d"] for each in classes(drawn, "illegal")]
        assert len(found) == len(CROSSED[path])
        assert found == (crosses or found)
        crosses = found
        title = drawn.find(f"{SVG}title")
        assert title is not None
        assert str(title.text).endswith(f" to play; {view.illegal.text} is illegal here")
        film = list(views(broken, system=system))
        assert animated_svg(film).count('class="illegal"') == len(found)
        assert [each.illegal for each in film] == [None] * (len(film) - 1) + [view.illegal]
    assert 'class="illegal"' not in svg(view_of(broken), Style(marks=False))
    assert view_of(broken).illegal.text == broken.turns[-1]  # type: ignore[union-attr]


@pytest.mark.parametrize("turn", ["pass", "", "\u212a1", "z9"])
def test_an_illegal_turn_without_cells(turn: str) -> None:
    data = {"hexrec": "1", "game": "sunspot", "size": 4, "moves": [turn]}
    shown = view_of(read_record(data, turns_unchecked=True)).illegal
    assert shown is not None
    assert shown.cells == ()


def test_words() -> None:
    root = parsed(svg(record("sundraval/valid/strangled-groups-of-both-colors.yaml")))
    title, text = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert text is not None
    assert title.text == "Sundraval 3, after ply 14 (White pass), White wins, Black 1, White 1.5"
    assert text.text == (
        "Black: a2, b3, b4, e2. White: a3, c2, c3, d1, d2, d3, e3. strangled: e2, a3. black territory: a3. "
        "white territory: e1, e2."
    )
    assert root.attrib["role"] == "img"
    assert root.attrib["aria-labelledby"] == title.attrib["id"]
    assert root.attrib["aria-describedby"] == text.attrib["id"]
    assert " ".join(said for said in texts(root) if len(said) > 4).startswith(title.text)


def test_stacks_and_empty_boards_in_words() -> None:
    stacks = description(view_of(record("frasvel/valid/lowers-a-stack.yaml"), 6))
    assert stacks.startswith("Black: a3, c3. White: b3, d3 (height 4). moved: d1, d2, d3. ")
    assert description(view_of(record("sunspot/valid/no-turns-yet.yaml"))) == "Black: none. White: none."


def test_legend_names_every_mark() -> None:
    for game in GAMES:
        for each in sample(played(game), 7):
            view = view_of(each)
            said = texts(parsed(svg(view)))
            assert {mark.name for mark in view.annotations} <= set(said)


def test_nothing_is_marked_that_nobody_wants_marked() -> None:
    root = parsed(svg(record("frasvel/valid/lowers-a-stack.yaml"), Style(marks=False)))
    assert not [element for role in get_args(Role) for element in classes(root, role)]


def test_shapes_differ_without_their_colors() -> None:
    """No two roles have the same shape, where colors, and the names of classes, say nothing."""
    shapes = {}
    for role in get_args(Role):
        if role in ("path", "chain", "group"):  # lines between cells, of different widths
            continue
        drawn = _shape(role, 0, 0.0, 0.0, 10.0)
        dashed = "stroke-dasharray" in css("light").split(f".{role} {{")[-1].split("}")[0]
        shapes[role] = (re.sub(r'class="[^"]*"', "", drawn), dashed)
    for (one, shape), (other, as_well) in combinations(shapes.items(), 2):
        assert shape != as_well, (one, other)


def luminance(color: str) -> float:
    channels = [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_contrast(theme: str) -> None:
    """As WCAG asks for: 4.5 for texts, 3 for what has to be seen. It is the contrast that remains in gray."""
    colors = {name: pair[theme == "dark"] for name, pair in _PALETTE.items()}
    grounds = ("grain0", "board", "grain2", "edge_cell")
    texts = [("ink", "page"), ("label", "page"), ("black", "white"), *(("muted", ground) for ground in grounds)]
    texts += [("white", tone) for tone in ("black1", "black2")] + [("black", tone) for tone in ("white0", "white1")]
    for text, ground in texts:
        assert contrast(colors[text], colors[ground]) >= 4.5, (text, ground)
    seen = [("chain", "page"), ("mark", "page")]
    seen += [(mark, ground) for mark in ("placed", "changed", "muted", "mark", "offered") for ground in grounds]
    for mark, ground in seen:
        assert contrast(colors[mark], colors[ground]) >= 3, (mark, ground)
    # A stone is told from the board by its body or by its edge.
    for body, edge in (("black", "shine"), ("white", "edge")):
        for ground in grounds:
            assert max(contrast(colors[body], colors[ground]), contrast(colors[edge], colors[ground])) >= 3
    for one, other in product(range(3), repeat=2):
        assert contrast(colors[f"black{one}"], colors[f"white{other}"]) >= 3


def test_style_sheets_stay_in_their_pictures() -> None:
    for theme in THEMES:
        rules = re.findall(r"^([^@}\n][^{]*)\{", css(theme), re.MULTILINE)
        assert rules
        assert all(rule.startswith(f".hexrec-{theme} ") for rule in rules)
    assert css("auto").count("@media (prefers-color-scheme: dark)") == 1


def test_width() -> None:
    natural, wide = (parsed(svg(record("sunspot/valid/loop.json"), Style(width=width))) for width in (None, 1000))
    assert wide.attrib["width"] == "1000"
    assert wide.attrib["viewBox"] == natural.attrib["viewBox"]
    ratio = float(natural.attrib["height"]) / float(natural.attrib["width"])
    assert float(wide.attrib["height"]) == pytest.approx(1000 * ratio, abs=0.1)
