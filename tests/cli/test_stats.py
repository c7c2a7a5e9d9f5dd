"""`hexrec stats`: what is counted, that it adds up, and the pictures."""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from hexrec.record.record import Record
from hexrec.rules import games
from hexrec.tools.statistics import CountedGame, examine
from hexrec.util.version import __version__
from hexrec.validation.report import Report
from tests.cli.conftest import SHORT_GAME, Run
from tests.cli.test_dedupe import cut, image, written
from tests.tools.test_duplicates import references

SVG = "{http://www.w3.org/2000/svg}"
PICTURES = [f"sundraval-3-{what}" for what in ("lengths", "winners", "first-placements")]
PICTURES += ["nadraz-reverse-6-first-placements"]


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def short(game: dict[str, Any]) -> list[dict[str, Any]]:
    """Five records of the smallest board: one invalid, a win of white, a game given up, an unfinished one, a draw."""
    given_up = {"winner": "black", "termination": "resignation"}
    return [
        {**game, "moves": ["a1", "c3"]},
        game,
        {**game, "moves": ["a1"], "result": given_up},
        {**game, "moves": ["pass", "a2"]},
        {**game, "moves": ["a1", "c2", "a2", "pass", "pass"]},
    ]


def report(hexrec: Run, *arguments: str | Path) -> dict[str, Any]:
    return hexrec("stats", *arguments, "--format", "json").report


def test_what_is_counted(hexrec: Run, short: list[dict[str, Any]]) -> None:
    ran = hexrec("stats", written(Path("a.jsonl"), short), "--format", "json")
    assert ran.code == 1
    assert ran.out == json.dumps(ran.report, indent=1) + "\n"
    assert (ran.report["hexrec"], ran.report["folded"]) == (__version__, False)
    totals = {"records": 5, "valid": 4, "invalid": 1, "accepted": 0, "files": 1, "plies": 13, "unreadable": 0}
    assert ran.report["summary"] == totals
    assert ran.report["errors"] == {"move/occupied": 1}
    assert ran.report["games"] == [
        {
            "game": "sundraval",
            "ruleset": "2023",
            "variant": None,
            "size": 3,
            "games": 4,
            "finished": 3,
            "lengths": {
                "min": 1,
                "lower_quartile": 1,
                "median": 4,
                "upper_quartile": 5,
                "max": 5,
                "mean": 3.333,
                "games_by_plies": {"1": 1, "4": 1, "5": 1},
            },
            "endings": [
                {"termination": "rules", "winner": "white", "games": 1},
                {"termination": "rules", "winner": "draw", "games": 1},
                {"termination": "resignation", "winner": "black", "games": 1},
            ],
            "opening": {"black": {"c3": 4}, "white": {"b2": 4}},
            "first_placements": {"black": {"a1": 3}, "white": {"a2": 2, "c2": 1}},
        }
    ]


def test_text(hexrec: Run, short: list[dict[str, Any]]) -> None:
    short[1]["result"] = {"termination": "abandoned"}
    ran = hexrec("stats", written(Path("a.jsonl"), [*short, short[0], {**short[2], "result": {"winner": "draw"}}]))
    assert ran.code == 1
    assert ran.out == (
        "Sundraval 3: 3 games, 1 unfinished\n"
        "  plies: 1 to 5, median 3, quartiles 1 and 5, mean 3.0\n"
        "    1  1  ████████████████████████████████████████\n"
        "    2  0\n"
        "    3  0\n"
        "    4  0\n"
        "    5  1  ████████████████████████████████████████\n"
        "  ended by     Black won  White won  draw\n"
        "  resignation          1          0     0\n"
        "  rules                0          0     1\n"
        "  Black opening stones: c3 100%\n"
        "  White opening stones: b2 100%\n"
        "  Black first placements: a1 100%\n"
        "  White first placements: a2 50%, c2 50%\n"
        "\n"
        "7 records in 1 file: 3 valid, 4 invalid; 15 plies replayed\n"
        "not counted: 2 × move/occupied, 1 × result/already-over, 1 × result/not-over\n"
    )


def test_text_of_games_that_ended_in_many_ways(hexrec: Run) -> None:
    def ended(move: str, size: int, termination: str, winner: str | None = None) -> dict[str, Any]:
        result = {"termination": termination, **({"winner": winner} if winner else {})}
        return {"hexrec": "1", "game": "sunspot", "size": size, "moves": [move], "result": result}

    records = [ended(move, 4, "agreement", "draw") for move in ("d4", "a1", "a1")]
    records += [ended(move, 4, "time", "white") for move in ("a2", "a3")]
    records += [ended("b1", 4, "resignation", "black"), ended("b2", 4, "resignation", "white")]
    records += [ended("a1", 5, "abandoned")] * 12
    numbers = (
        "  plies: 1 to 1, median 1, quartiles 1 and 1, mean 1.0\n    1  {}  ████████████████████████████████████████\n"
    )
    parts = [
        "Sunspot 4: 7 games\n",
        numbers.format(7),
        "  ended by     Black won  White won  draw\n"
        "  agreement            0          0     3\n"
        "  resignation          1          1     0\n"
        "  time                 0          2     0\n",
        "  Black first placements: a1 29%, a2 14%, a3 14%, b1 14%, b2 14%, 1 more\n\n",
        "Sunspot 5: 12 games\n",
        numbers.format(12),
        "  ended by   Black won  White won  winner unknown\n  abandoned          0          0              12\n",
        "  Black first placements: a1 100%\n\n",
        "19 records in 1 file: 19 valid, 0 invalid; 19 plies replayed\n",
    ]
    assert hexrec("stats", written(Path("a.jsonl"), records)).out == "".join(parts)
    parts[3] = "  Black first placements: a2 and 11 like it 43%, a1 and 5 like it 29%, b2 and 5 like it 14%, d4 14%\n\n"
    parts[7] = "  Black first placements: a1 and 5 like it 100%\n\n"
    assert hexrec("stats", "a.jsonl", "--fold").out == "".join(parts)


def test_many_lengths_are_shown_in_ranges(hexrec: Run) -> None:
    written(Path("a.jsonl"), references("sundraval"))
    kinds = hexrec("stats", "a.jsonl").out.split("\n\n")
    for kind in kinds[:-1]:
        ranges = [line.split()[0].partition("–") for line in kind.splitlines() if line.startswith("    ")]
        assert len(ranges) <= 12
        assert len({int(last or first) - int(first) for first, _, last in ranges}) == 1
        firsts = [int(first) for first, _, _ in ranges]
        lasts = [int(last or first) for first, _, last in ranges]
        assert [last + 1 for last in lasts[:-1]] == firsts[1:]
    assert "–" in kinds[0]


@pytest.mark.parametrize("game", games.names())
def test_it_adds_up(hexrec: Run, game: str) -> None:
    references_here = references(game)
    records = [*references_here, *(cut(data, 3) for data in references_here), {"hexrec": "1"}, {"game": game}]
    found = report(hexrec, written(Path("a.jsonl"), records))
    assert found["summary"]["records"] == len(records)
    kinds = found["games"]
    assert sum(kind["games"] for kind in kinds) == found["summary"]["valid"]
    assert sum(found["errors"].values()) == found["summary"]["invalid"] == 2
    for kind in kinds:
        own = [data for data in records if (data.get("size"), data.get("variant")) == (kind["size"], kind["variant"])]
        assert kind["games"] == len(own)
        lengths = [len(data["moves"]) for data in own if "result" in data]
        assert kind["finished"] == len(lengths) == sum(ending["games"] for ending in kind["endings"])
        for color in ("black", "white"):
            won = sum(ending["games"] for ending in kind["endings"] if ending["winner"] == color)
            assert won == sum(data.get("result", {}).get("winner") == color for data in own)
            if color in games.get(game).opening:
                assert sum(kind["opening"][color].values()) == len(own)
        if not lengths:
            assert kind["lengths"] is None
            continue
        assert sum(kind["lengths"]["games_by_plies"].values()) == len(lengths)
        assert kind["lengths"]["median"] == statistics.median(lengths)
        assert kind["lengths"]["mean"] == pytest.approx(statistics.mean(lengths), abs=0.001)
        assert (kind["lengths"]["min"], kind["lengths"]["max"]) == (min(lengths), max(lengths))
        low, high = kind["lengths"]["lower_quartile"], kind["lengths"]["upper_quartile"]
        assert sum(length < low for length in lengths) <= len(lengths) / 4 <= sum(length <= low for length in lengths)
        assert sum(length > high for length in lengths) <= len(lengths) / 4 <= sum(length >= high for length in lengths)


@pytest.mark.parametrize(
    ("data", "black", "white"),
    [
        ({"game": "sunspot", "size": 5, "moves": ["E5", "a1"]}, {"e5": 1}, {"a1": 1}),
        ({"game": "sunspot", "size": 5, "moves": ["e5"]}, {"e5": 1}, {}),
        ({"game": "frasvel", "size": 5, "opening": {"black": "e5"}, "moves": ["a1", "e6"]}, {"a1": 1}, {"e6": 1}),
        (
            {"game": "valaturna", "size": 4, "opening": {"black": "d4", "white": "c1"}, "moves": ["pass", "pass"]},
            {},
            {},
        ),
        (
            {"game": "nadraz", "size": 5, "opening": {"black": "e5", "white": "a1"}, "moves": ["f5-h3", "b2"]},
            {"f5": 1, "g4": 1, "h3": 1},
            {"b2": 1},
        ),
    ],
)
def test_first_placements(hexrec: Run, data: dict[str, Any], black: dict[str, int], white: dict[str, int]) -> None:
    written(Path("a.jsonl"), [{"hexrec": "1", **data}])
    ran = hexrec("stats", "a.jsonl", "--format", "json")
    assert ran.code == 0, ran.err
    assert ran.report["games"][0]["first_placements"] == {"black": black, "white": white}


@pytest.mark.parametrize("game", games.names())
def test_folding(hexrec: Run, game: str) -> None:
    """How the board was turned is forgotten; no stone is."""
    records = references(game)[:8]
    written(Path("a.jsonl"), records)
    written(Path("b.jsonl"), [image(data, number % 12) for number, data in enumerate(records)])
    whole, turned = (report(hexrec, file)["games"] for file in ("a.jsonl", "b.jsonl"))
    folded, also = (report(hexrec, file, "--fold")["games"] for file in ("a.jsonl", "b.jsonl"))
    assert whole != turned
    assert folded == also
    for before, after in zip(whole, folded, strict=True):
        for place in ("opening", "first_placements"):
            for color, cells in after[place].items():
                assert sum(cells.values()) == sum(before[place][color].values())
    assert " like it " in hexrec("stats", "a.jsonl", "--fold").out


def test_rulesets_are_apart(hexrec: Run) -> None:
    record = {"hexrec": "1", "game": "valaturna", "size": 7, "opening": {"black": "c3", "white": "d4"}, "moves": []}
    written(Path("a.jsonl"), [record | {"ruleset": "2023-first"}, record, record | {"ruleset": "2023"}])
    found = report(hexrec, "a.jsonl")["games"]
    assert [(kind["ruleset"], kind["games"]) for kind in found] == [("2023", 2), ("2023-first", 1)]
    titles = [line for line in hexrec("stats", "a.jsonl").out.splitlines() if line.startswith("Valaturna")]
    assert [title.partition(":")[0] for title in titles] == ["Valaturna 7", "Valaturna 7, 2023-first"]


def test_games_from_a_setup_are_counted_without_their_first_stones(hexrec: Run) -> None:
    """Which of the stones were there at first, and which came with the first turns, nobody knows."""
    record = {"hexrec": "1", "game": "sundraval", "size": 3, "setup": "2b/1w2/5/4/3 b 0", "moves": ["a1", "b1"]}
    (kind,) = report(hexrec, written(Path("a.jsonl"), [record]))["games"]
    nothing: dict[str, Any] = {"black": {}, "white": {}}
    assert (kind["games"], kind["opening"], kind["first_placements"]) == (1, nothing, nothing)


def test_what_is_not_counted_most_often_comes_first(hexrec: Run, game: dict[str, Any]) -> None:
    off_board, occupied, no_move = ({**game, "moves": [turn]} for turn in ("z9", "c3", "?!"))
    ran = hexrec("stats", written(Path("a.jsonl"), [off_board, occupied, no_move, occupied, off_board, off_board]))
    assert ran.out.endswith("\nnot counted: 3 × move/off-board, 2 × move/occupied, 1 × move/malformed\n")
    ran = hexrec("stats", written(Path("a.jsonl"), [off_board, occupied, no_move, no_move]))
    assert ran.out.endswith("\nnot counted: 2 × move/malformed, 1 × move/occupied, 1 × move/off-board\n")


def test_the_five_most_frequent_cells_are_named(hexrec: Run) -> None:
    for cells, more in ("a1 a2 a3 b1 b2", ""), ("a1 a2 a3 b1 b2 b3", ", 1 more"):
        written(
            Path("a.jsonl"), ({"hexrec": "1", "game": "sunspot", "size": 4, "moves": [cell]} for cell in cells.split())
        )
        share = f"{1 / len(cells.split()):.0%}"
        shown = ", ".join(f"{cell} {share}" for cell in cells.split()[:5])
        assert f"\n  Black first placements: {shown}{more}\n" in hexrec("stats", "a.jsonl").out


def test_a_record_on_which_hexrec_fails(hexrec: Run, game: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not counted, and is told apart from what is wrong with records; the others are counted."""

    def fail(record: Record, report: Report) -> CountedGame:
        if record.id == "bad":
            raise RuntimeError("this is the test")
        return examine(record, report)

    monkeypatch.setattr("hexrec.tools.statistics.examine", fail)
    ran = hexrec("stats", written(Path("a.jsonl"), [game, {**game, "id": "bad"}, game]))
    assert ran.code == 2
    assert ran.out.startswith("Sundraval 3: 2 games\n")
    assert ran.out.endswith(
        "3 records in 1 file: 2 valid, 1 invalid; 12 plies replayed\nnot counted: 1 × internal/error\n"
    )


def test_several_processes_count_the_same(hexrec: Run, short: list[dict[str, Any]]) -> None:
    written(Path("a.jsonl"), [*short, {**short[0], "moves": ["z9"]}])
    written(Path("b.jsonl"), short)
    written(Path("rows.jsonl"), [{"file": "b.jsonl", "index": index} for index in range(len(short))])
    alone = hexrec("stats", "a.jsonl", "b.jsonl", "--drop", "rows.jsonl", "-j1")
    assert f"\n{len(short) + 1} records" in alone.out
    assert hexrec("stats", "a.jsonl", "b.jsonl", "--drop", "rows.jsonl", "-j2") == alone


def test_output_and_inputs_that_are_not_there(hexrec: Run, short: list[dict[str, Any]]) -> None:
    written(Path("a.jsonl"), short)
    ran = hexrec("stats", "a.jsonl", "none.jsonl", "-o", "out.txt")
    assert (ran.code, ran.out) == (2, "")
    assert "syntax/unreadable" in Path("out.txt").read_text()
    assert hexrec("stats", "a.jsonl", "--format", "xml").code == 2


def texts(file: Path) -> list[str]:
    """Return the texts of an SVG file, which have to be text."""
    return ["".join(node.itertext()).strip() for node in ET.parse(file).getroot().iter(f"{SVG}text")]


ARCHIVE = [
    {**SHORT_GAME, "moves": ["a1"], "result": {"winner": "black", "termination": "resignation"}},
    SHORT_GAME,
    SHORT_GAME,
    {**SHORT_GAME, "moves": ["pass", "a2"]},
    {
        "hexrec": "1",
        "game": "nadraz",
        "size": 6,
        "variant": "reverse",
        "opening": {"black": "c3", "white": "d4"},
        "moves": [],
    },
]


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("drawn")
    archive, pictures = written(folder / "a.jsonl", ARCHIVE), folder / "pictures" / "of games"
    (folder / "matplotlibrc").write_text("axes.facecolor: red\ntext.usetex: True\n")  # is read where a program runs
    program = [sys.executable, "-m", "hexrec", "stats", str(archive), "--plots", str(pictures)]
    ran = subprocess.run(program, cwd=folder, capture_output=True, text=True, check=True)
    assert ran.stderr.splitlines() == [str(pictures / f"{name}.svg") for name in PICTURES]
    return pictures


@pytest.mark.slow
def test_pictures(drawn: Path) -> None:
    assert {file.name for file in drawn.iterdir()} == {f"{name}.{kind}" for name in PICTURES for kind in ("png", "svg")}
    for name in PICTURES:
        assert (drawn / f"{name}.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


@pytest.mark.slow
def test_what_pictures_say(drawn: Path) -> None:
    lengths = texts(drawn / "sundraval-3-lengths.svg")
    assert {"Sundraval 3: lengths of 3 finished games", "length (plies)", "games", "median 4"} < set(lengths)
    winners = texts(drawn / "sundraval-3-winners.svg")
    assert {"rules", "resignation", "ended by", "games", "black (33%)", "white (67%)", "1", "2"} < set(winners)
    placements = texts(drawn / "sundraval-3-first-placements.svg")
    assert {"Sundraval 3: first placements in 4 games", "Black's opening stone", "White's first turn"} < set(placements)
    assert {"a1", "a3", "c1", "c5", "e1", "e3"} < set(placements)
    assert {"4", "3"} < set(placements)
    assert "Black's first turn" not in texts(drawn / "nadraz-reverse-6-first-placements.svg")


@pytest.mark.slow
def test_a_cell_is_drawn_for_each_cell_of_the_board(drawn: Path) -> None:
    """Two panels of 91 cells, of which one has been played on."""
    root = ET.parse(drawn / "nadraz-reverse-6-first-placements.svg").getroot()
    paths = [
        path
        for group in root.iter(f"{SVG}g")
        if group.get("id", "").startswith("PolyCollection")
        for path in group.iter(f"{SVG}path")
    ]
    assert len(paths) == 2 * 91
    fills = [path.get("style", "").partition("fill: ")[2][:7] for path in paths]
    assert sorted(fills.count(fill) for fill in set(fills)) == [2, 2 * 90]


@pytest.mark.slow
def test_pictures_are_the_same_each_time(hexrec: Run, drawn: Path) -> None:
    assert hexrec("stats", written(Path("a.jsonl"), ARCHIVE[4:]), "--plots", "again").code == 0
    for kind in ("png", "svg"):
        name = f"{PICTURES[-1]}.{kind}"
        assert (Path("again") / name).read_bytes() == (drawn / name).read_bytes()


def test_pictures_need_a_library(hexrec: Run, short: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delitem(sys.modules, "hexrec.tools.statistics_plots", raising=False)
    ran = hexrec("stats", written(Path("a.jsonl"), short), "--plots", "pictures")
    assert (ran.code, ran.out) == (2, "")
    assert "hexrec-games[plots]" in ran.err
    assert not Path("pictures").exists()
    assert hexrec("stats", "a.jsonl").code == 1


def test_a_folder_that_cannot_be_made(hexrec: Run, short: list[dict[str, Any]]) -> None:
    written(Path("a.jsonl"), short)
    ran = hexrec("stats", "a.jsonl", "--plots", "a.jsonl")
    assert ran.code == 2
    assert ran.err.startswith("hexrec: a.jsonl: cannot be created: ")
