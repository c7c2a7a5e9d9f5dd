"""Whole games: at every moment the animation shows what the still picture of that view shows."""

from __future__ import annotations

import re
from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image, ImageChops, ImageSequence

from hexrec.render import views
from hexrec.render.animation import animated_svg
from hexrec.render.pixels import gif, rasterize, with_concrete_theme
from hexrec.render.svg import picture, svg
from hexrec.render.theme import Style, page_color
from hexrec.render.views import View
from tests.render.conftest import played, record

SVG = "{http://www.w3.org/2000/svg}"
UNSEEN = {f"{SVG}{name}" for name in ("title", "desc", "style", "defs")}
STYLE = Style("light", width=100)


@pytest.fixture(params=["frasvel/valid/lowers-a-stack.yaml", "sunspot/valid/stone-just-placed-flipped-back.yaml"])
def turns(request: pytest.FixtureRequest) -> list[View]:
    return list(views(record(request.param)))


def drawn(element: ElementTree.Element) -> str:
    text = ElementTree.tostring(element, encoding="unicode")
    return re.sub(r' xmlns:ns0="[^"]*"|ns0:', "", text).strip()


def shown_at(root: ElementTree.Element, share: float) -> list[str]:
    """Return what is to be seen after a share of the time, in per cent, by the rules of the style sheet."""
    sheet = root.findtext(f"{SVG}style") or ""
    seen: list[str] = []
    for group in root:
        names = group.get("class", "").split()
        if "frame" in names:
            (own,) = set(names) - {"frame", "last"}
            (animation,) = re.findall(rf"\.{own} {{ animation: (\S+) \S+ step-end infinite }}", sheet)
            (frames,) = re.findall(rf"@keyframes {animation} {{ (.*) }}", sheet)
            steps = re.findall(r"([\d.]+)% { visibility: (\w+) }", frames)
            state = [state for at, state in steps if float(at) <= share][-1]
            if state == "visible":
                seen += map(drawn, group)
        elif group.tag not in UNSEEN and group.get("class") != "page":
            seen.append(drawn(group))
    return seen


def test_every_view_in_its_turn(turns: list[View]) -> None:
    root = ElementTree.fromstring(animated_svg(turns, STYLE))
    total = len(turns) - 1 + 4
    for index, view in enumerate(turns):
        items = ElementTree.fromstring(f"<g>{''.join(item.markup for item in picture(view, STYLE).items)}</g>")
        assert sorted(shown_at(root, 100 * (index + 0.5) / total)) == sorted(map(drawn, items))


def test_without_motion_the_last_view_is_left(turns: list[View]) -> None:
    text = animated_svg(turns, STYLE)
    root = ElementTree.fromstring(text)
    assert "@media (prefers-reduced-motion: reduce) { .hexrec-light .frame { animation: none } }" in text
    assert ".hexrec-light .frame { visibility: hidden }\n.hexrec-light .last { visibility: visible }\n" in text
    still = [group for group in root if "frame" not in group.get("class", "").split()]
    last = [group for group in root if "last" in group.get("class", "").split()]
    seen = [drawn(part) for group in last for part in group] + [drawn(group) for group in still[5:]]
    items = ElementTree.fromstring(f"<g>{''.join(item.markup for item in picture(turns[-1], STYLE).items)}</g>")
    assert sorted(seen) == sorted(map(drawn, items))


def test_time() -> None:
    turns = list(views(record("sunspot/valid/loop.json")))
    text = animated_svg(turns, seconds=0.5)
    assert {float(time) for time in re.findall(r"animation: \S+ (\S+)s step-end", text)} == {0.5 * (len(turns) + 3)}


def test_two_animations_in_one_page_do_not_disturb_each_other() -> None:
    """Two of one game as well, at different speeds: no rule of one but those that both have reaches into the other."""
    turns = list(views(record("sunspot/valid/loop.json")))
    animations = [animated_svg(turns, seconds=0.5), animated_svg(turns), animated_svg(turns[:4])]
    own = [set(re.findall(r"(?:@keyframes |\.)(hexrec-[0-9a-f]{8}-\d+)", text)) for text in animations]
    assert all(own)
    assert not own[0] & own[1]
    assert not own[1] & own[2]


def test_a_game_without_turns_stands_still() -> None:
    text = animated_svg(list(views(record("sunspot/valid/no-turns-yet.yaml"))))
    assert "@keyframes" not in text
    assert 'class="plate"' in text


def whole(game: str) -> list[View]:
    """Return the views of the longest of some games."""
    return list(views(max(played(game), key=lambda record: len(record.moves))))


def frames(raw: bytes) -> list[Image.Image]:
    """Return the frames of a GIF as it shows them."""
    found = []
    for frame in ImageSequence.Iterator(Image.open(BytesIO(raw))):
        found.append(frame.convert("RGB"))
        found[-1].info = dict(frame.info)
    return found


@pytest.mark.parametrize("seconds", [0.05, 0.5, 5])
def test_a_gif_has_a_frame_for_every_view(seconds: float) -> None:
    turns = list(views(record("sunspot/valid/stone-just-placed-flipped-back.yaml")))[-4:]
    raw = gif(turns, STYLE, seconds=seconds)
    shown = frames(raw)
    assert raw.startswith(b"GIF89a")
    assert shown[0].info["loop"] == 0
    assert [frame.info["duration"] for frame in shown] == [
        *(round(1000 * seconds) for _ in turns[1:]),
        round(1000 * max(seconds, 4)),
    ]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "style"),
    [
        pytest.param("nadraz", Style(width=120), id="usual"),
        pytest.param("sunspot", Style(width=161, labels="all", theme="dark"), id="dark"),
        pytest.param("frasvel", Style(width=100, labels="none", marks=False, caption=False), id="bare"),
    ],
)
def test_the_frames_of_a_gif_are_the_pictures_of_the_views(game: str, style: Style) -> None:
    turns = whole(game)
    turns = turns[:2] + turns[-1:]
    style = with_concrete_theme(style)
    height = max(picture(view, style).height for view in turns)
    shown = frames(gif(turns, style))
    assert len(shown) == len(turns)
    for frame, view in zip(shown, turns, strict=True):
        raw = rasterize(svg(view, style, height), background=page_color(style.theme))
        expected = Image.open(BytesIO(raw)).convert("RGB")
        assert frame.size == expected.size
        counts = ImageChops.difference(frame, expected).convert("L").histogram()
        # The palette has 255 colors, and edges that lie on the border between two pixels may be taken to either.
        assert sum(counts[32:]) <= frame.width * frame.height / 500
        assert sum(counts[100:]) == 0
