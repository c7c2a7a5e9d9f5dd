"""What is said to people who write as other programs have it: how it is written here, in full."""

from __future__ import annotations

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

TAGS = '[Game "Sunspot"]\n[Size "5"]\n'
RESULTS = "B+ (Black won), W+ (White won), = (a draw), ? (ended without a winner) or * (unfinished)"


@pytest.mark.parametrize(
    ("format", "text", "place", "hint"),
    [
        ("sgf", "(;FF[4]GM[Nadraz]SZ[5];B[e5])", (1, 11), "write HX[nadraz] for Nadraz"),
        ("sgf", "(;FF[4]GM[sunspt]SZ[5];B[e5])", (1, 11), "write HX[sunspot] for Sunspot"),
        (
            "sgf",
            "(;FF[4]GM[Go]SZ[19])",
            (1, 11),
            "the name of the game is in HX: hexrec's games have HX or the numbers",
        ),
        ("sgf", "(;FF[4]HX[Nadraz]SZ[5]AB[e5]AW[f4];B[e6])", (1, 11), "did you mean nadraz?"),
        ("hgn", f"{TAGS}\n1. e5 d4 1-0\n", (4, 10), RESULTS),
        ("hgn", f"{TAGS}\n1. e5 d4\n0-1\n", (5, 1), RESULTS),
        ("hgn", f"{TAGS}\n1. e5 d4 1/2-1/2", (4, 10), RESULTS),
        ("hgn", f"{TAGS}\n1. e5 d4 B+R\n", (4, 10), RESULTS),
        ("hgn", f'{TAGS}[Result "1-0"]\n\n1. e5 1-0\n', (3, 10), RESULTS),
        (
            "hgn",
            '[Game "Nadraz"]\n[Size "5"]\n[Opening "e5 f4"]\n\n1. e6 *\n',
            (3, 11),
            """Opening should name the opening stones by color, such as "B:e5 W:k9": write [Opening "B:e5 W:f4"] if""",
        ),
        ("hgn", '[Game "Frasvel"]\n[Size "5"]\n[Opening "e5"]\n\n1. e6 *\n', (3, 11), 'write [Opening "B:e5"] if'),
        ("hgn", '[Game "Nadraz"]\n[Size "5"]\n[Opening "on e5"]\n\n*\n', (3, 11), 'such as "B:e5 W:k9"'),
        ("json", "[1]", (1, 1), "a record should be an object, not a list (a file of several records is JSON Lines"),
    ],
)
def test_how_it_is_written_here(hexrec: Run, format: str, text: str, place: tuple[int, int], hint: str) -> None:
    report = hexrec("validate", "--format", "json", "--from", format, "-", stdin=text.encode()).report
    (found,) = (each for record in report["records"] for each in record["diagnostics"] if hint in each["message"])
    assert (found["line"], found["column"], found["severity"]) == (*place, "error")


@pytest.fixture
def games(hexrec: Run) -> list[Any]:
    """Two records of Abstract Play, of which the second has the wrong winner."""
    made = [
        json.loads(hexrec("random", "sunspot", "--size", "4", "--seed", str(seed), "--to", "abstractplay").out)
        for seed in (7, 8)
    ]
    for player in made[1]["header"]["players"]:
        player["result"] = 1 - player["result"]
    return made


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("order", [["header", "moves"], ["moves", "header"], ["id", "header", "moves"]])
def test_a_list_of_records_of_abstract_play(
    hexrec: Run, tmp_path: Path, games: list[Any], indent: int | None, order: list[str]
) -> None:
    listed = [{name: {"id": "header", **game}[name] for name in order} for game in games]
    path = tmp_path / "a.json"
    path.write_text("\ufeff\n" + json.dumps(listed, indent=indent))
    text = path.read_bytes()
    (tmp_path / "a.json.gz").write_bytes(gzip.compress(text))
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.json", text)
    files = [[str(tmp_path / name)] for name in ("a.json", "a.json.gz", "a.zip")]
    for source in (*files, ["-"], ["--from", "json", "-"]):
        records = hexrec("validate", *source, "--format", "json", stdin=text).report["records"]
        assert [(record["index"], record["game"], record["valid"]) for record in records] == [
            (0, "sunspot", True),
            (1, "sunspot", False),
        ]
    assert hexrec("convert", path, "--to", "jsonl").out.count("\n") == 1
    assert hexrec("score", path).out.count("\n") == 3
    for command, code in (("fmt", 0), ("fix", 1)):
        assert (hexrec(command, path).code, path.read_bytes()) == (code, text)


def test_a_list_that_is_not_recognized_names_the_option(hexrec: Run, tmp_path: Path, games: list[Any]) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps([{"pad": "." * 10_000, **game} for game in games]))
    (record,) = hexrec("validate", "--format", "json", path).report["records"]
    assert "--from abstractplay" in record["diagnostics"][0]["message"]
    assert len(hexrec("validate", "--format", "json", "--from", "abstractplay", path).report["records"]) == 2
