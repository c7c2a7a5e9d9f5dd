"""Whole games: at every moment the animation shows what the still picture of that view shows."""

from __future__ import annotations

import re
from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image

from hexrec.pictures import Style, View, animated_svg, gif, views
from hexrec.pictures.drawing import picture
from tests.pictures.conftest import record

SVG = "{http://www.w3.org/2000/svg}"
STYLE = Style("light", width=100)


@pytest.fixture(params=["frasvel/valid/lowers-a-stack.yaml", "sunspot/valid/stone-just-placed-flipped-back.yaml"])
def film(request: pytest.FixtureRequest) -> list[View]:
    return list(views(record(request.param)))


def drawn(element: ElementTree.Element) -> str:
    text = ElementTree.tostring(element, encoding="unicode")
    return re.sub(r' xmlns:ns0="[^"]*"|ns0:', "", text).strip()


def shown_at(root: ElementTree.Element, share: float) -> list[str]:
    """Return what is to be seen after a share of the time, in per cent, by the rules of the style sheet."""
    sheet = root.findtext(f"{SVG}style") or ""
    seen = []
    for group in root:
        names = group.get("class", "").split()
        if "film" in names:
            (own,) = set(names) - {"film", "last"}
            (animation,) = re.findall(rf"\.{own} {{ animation: (\S+) \S+ step-end infinite }}", sheet)
            (frames,) = re.findall(rf"@keyframes {animation} {{ (.*) }}", sheet)
            steps = re.findall(r"([\d.]+)% { visibility: (\w+) }", frames)
            state = [state for at, state in steps if float(at) <= share][-1]
            if state == "visible":
                seen += map(drawn, group)
        elif group.tag not in {f"{SVG}title", f"{SVG}desc", f"{SVG}style"} and group.get("class") != "page":
            seen.append(drawn(group))
    return seen


def test_every_view_in_its_turn(film: list[View]) -> None:
    root = ElementTree.fromstring(animated_svg(film, STYLE))
    total = len(film) - 1 + 4
    for index, view in enumerate(film):
        items = ElementTree.fromstring(f"<g>{''.join(item.markup for item in picture(view, STYLE).items)}</g>")
        assert sorted(shown_at(root, 100 * (index + 0.5) / total)) == sorted(map(drawn, items))


def test_without_motion_the_last_view_is_left(film: list[View]) -> None:
    text = animated_svg(film, STYLE)
    root = ElementTree.fromstring(text)
    assert "@media (prefers-reduced-motion: reduce) { .hexrec-light .film { animation: none } }" in text
    assert ".hexrec-light .film { visibility: hidden }\n.hexrec-light .last { visibility: visible }\n" in text
    still = [group for group in root if "film" not in group.get("class", "").split()]
    last = [group for group in root if "last" in group.get("class", "").split()]
    seen = [drawn(part) for group in last for part in group] + [drawn(group) for group in still[4:]]
    items = ElementTree.fromstring(f"<g>{''.join(item.markup for item in picture(film[-1], STYLE).items)}</g>")
    assert sorted(seen) == sorted(map(drawn, items))


def test_time() -> None:
    film = list(views(record("sunspot/valid/loop.json")))
    text = animated_svg(film, seconds=0.5)
    assert {float(time) for time in re.findall(r"animation: \S+ (\S+)s step-end", text)} == {0.5 * (len(film) + 3)}


def test_two_films_in_one_page_do_not_disturb_each_other() -> None:
    """Two of one game as well, at different speeds: no rule of one but those that both have reaches into the other."""
    turns = list(views(record("sunspot/valid/loop.json")))
    films = [animated_svg(turns, seconds=0.5), animated_svg(turns), animated_svg(turns[:4])]
    own = [set(re.findall(r"(?:@keyframes |\.)(hexrec-[0-9a-f]{8}-\d+)", text)) for text in films]
    assert all(own)
    assert not own[0] & own[1]
    assert not own[1] & own[2]


def test_a_game_without_turns_stands_still() -> None:
    text = animated_svg(list(views(record("sunspot/valid/no-turns-yet.yaml"))))
    assert "@keyframes" not in text
    assert 'class="plate"' in text


def test_gif(film: list[View]) -> None:
    images = Image.open(BytesIO(gif(film, STYLE, seconds=0.5)))
    durations = []
    for index in range(images.n_frames):
        images.seek(index)
        durations.append(images.info["duration"])
    assert images.size[0] == 100
    assert images.info["loop"] == 0
    assert durations == [500] * (len(film) - 1) + [4000]
