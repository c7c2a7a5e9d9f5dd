"""What is said of wrong usage, word for word; and what commands write if they are told no more than they must be."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Ran, Run

JSON, YAML = ["--to", "json", "--count", "2"], ["--to", "yaml", "--schema"]


@pytest.mark.parametrize(
    ("arguments", "usage", "said"),
    [
        (
            ["random", "nadraz", "--ruleset", "1"],
            "GAME",
            " for --ruleset: Nadraz has no ruleset '1'; known: 2023",
        ),
        (["random", "nadraz", "--size", "99"], "GAME", " for --size: Nadraz is played on sizes 4 to 14, not 99"),
        (
            ["random", "nadraz", "--variant", "odd"],
            "GAME",
            " for --variant: no variant 'odd' (the variants of Nadraz: reverse)",
        ),
        (["random", "sunspot", "--variant", "odd"], "GAME", " for --variant: no variant 'odd' (it has none)"),
        (["random", "nadraz", *JSON], "GAME", " for --count: a JSON file has one record: write jsonl or yaml"),
        (["random", "nadraz", "--schema", "a"], "GAME", " for --schema: only YAML files name their schema"),
        (["random", "nadraz", *YAML, "a b"], "GAME", " for --schema: a URL has no whitespace: write %20 for a space"),
        (
            ["explain", "move/ocupied"],
            "[CODE]...",
            " for CODE: unknown code 'move/ocupied': perhaps move/occupied or move/landing-occupied or move/no-head",
        ),
        (["schema", "nadraz", "--check"], "[GAME]", ": give one of GAME, --write and --check"),
        (["schema", "--write", "--check"], "[GAME]", ": give one of GAME, --write and --check"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage(hexrec: Run, arguments: list[str], usage: str, said: str) -> None:
    name = arguments[0]
    head = f"Usage: hexrec {name} [OPTIONS] {usage}\nTry 'hexrec {name} -h' for help.\n\n"
    assert hexrec(*arguments) == Ran(2, "", f"{head}Error: Invalid value{said}\n")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["convert", "a"], " for --to: unknown output format: name it"),
        (["convert", "a", "-o", "."], " for -o: . is a directory: name files in it with --split"),
        (["convert", "a", "--split", "{game"], " for --split: '{game': expected '}' before end of string"),
        (["dedupe", "a"], " for --to: unknown output format: name it"),
        (["dedupe", "a", "--check", "-o", "b.jsonl"], " for -o: --check writes no records"),
        (["dedupe", "a", "--to", "jsonl", "-o", "."], " for -o: . is a directory: name a file"),
        (["dedupe", "a", "-o", "b.jsonl", "--report", "./b.jsonl"], " for --report: b.jsonl: the same file twice"),
        (
            ["dedupe", "-", "--to", "jsonl", "--prefixes", "drop"],
            " for --prefixes drop: stdin cannot be read twice: name a file",
        ),
        (
            ["score", "a", "--summary", "--format", "csv"],
            " for --format: with totals, --format needs -o FILE for the rows; --summary-json prints the totals as JSON",
        ),
        (
            ["score", "a", "--summary-json", "--format", "csv"],
            " for --format: with totals, --format needs -o FILE for the rows; --summary-json prints the totals as JSON",
        ),
        (["score", "a", "--resume"], " for --resume: no output file: only a run with -o FILE can be resumed"),
        (
            ["score", "a", "--no-escape-formulas", "--format", "json"],
            " for --no-escape-formulas: only CSV has formulas",
        ),
        (["score", "a", "-o", "b.xyz"], " for -o: unknown suffix (b.xyz): give --format"),
        (
            ["validate", "a", "--baseline", "b", "--write-baseline", "c"],
            ": give one of --baseline and --write-baseline",
        ),
        (["validate", "a", "--board", "--format", "json"], " for --board: only the text report draws boards"),
        (
            ["validate", "a", "-o", "xyz=b"],
            " for -o: 'xyz' is not one of text, sarif, json, jsonl, junit, github, markdown; "
            "a file of that name is ./xyz=b",
        ),
        (["validate", "a", "-o", "b", "-o", "json=b"], " for -o: json=b: the same file twice"),
        (["validate", "a", "-o", "json="], " for -o: json=: no file"),
        (
            ["show", "sunspot", "--position", "4/5/6/7/6/5/4 b 0", "--animate", "b.mp4"],
            ": unknown suffix (b.mp4): an animation ends in .svg or .gif",
        ),
        (
            ["legal", "a", "--variant", "x"],
            " for --variant, --ruleset: a record states its own rules: give these options with --position only",
        ),
        (
            ["legal", "a", "--ruleset", "x"],
            " for --variant, --ruleset: a record states its own rules: give these options with --position only",
        ),
        (
            ["legal", "chess", "--position", "4"],
            " for FILE: with --position this is the name of a game, one of "
            "sundraval, sunspot, frasvel, valaturna, nadraz",
        ),
        (
            ["legal", "sunsopt", "--position", "4"],
            " for FILE: with --position this is the name of a game, one of "
            "sundraval, sunspot, frasvel, valaturna, nadraz: did you mean sunspot?",
        ),
        (
            ["validate", "a", ""],
            " for 'PATH...': empty path: name a file or directory (is a shell variable unset?)",
        ),
        (
            ["convert", "a", "--to", "SFG"],
            " for '--to': 'SFG' is not one of hgn, sgf, abstractplay, json, jsonl, yaml: did you mean sgf?",
        ),
        (
            ["convert", "a", "--from", "zzz"],
            " for '--from': 'zzz' is not one of hgn, sgf, abstractplay, json, jsonl, yaml",
        ),
        (
            ["random", "nadras"],
            " for 'GAME': 'nadras' is not one of sundraval, sunspot, frasvel, valaturna, nadraz: did you mean nadraz?",
        ),
        (
            ["validate", "a", "--ignore", "move/ocupied"],
            ": unknown code 'move/ocupied': perhaps move/occupied or move/landing-occupied or move/no-head",
        ),
        (
            ["show", "a", "--theme", "drak"],
            " for '--theme': 'drak' is not one of auto, light, dark: did you mean dark?",
        ),
        (["show", "a", "--labels", "qqq"], " for '--labels': 'qqq' is not one of ends, all, none"),
        (
            ["score", "a", "--format", "cvs"],
            " for '--format': 'cvs' is not one of table, csv, json, jsonl, parquet, arrow: did you mean csv?",
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_options_that_do_not_go_together(
    hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    """Nothing is read, and nothing written."""
    monkeypatch.chdir(tmp_path)
    ran = hexrec(*arguments)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.endswith(f" for help.\n\nError: Invalid value{said}\n")
    assert not [*tmp_path.iterdir()]


def test_wrong_options_are_named_in_one_line(hexrec: Run) -> None:
    ran = hexrec("validate", "--fr\nom\x1b[1m", "a.json")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.splitlines()[-1].startswith(r"Error: No such option: --fr\x0aom\x1b[1m")


def test_random_games_of_a_variant_and_of_the_usual_seed(hexrec: Run) -> None:
    usual = hexrec("random", "nadraz", "--variant", "reverse", "--plies", "3").out
    assert json.loads(usual)["variant"] == "reverse"
    assert hexrec("random", "nadraz", "--variant", "reverse", "--plies", "3", "--seed", "0").out == usual
    assert hexrec("random", "nadraz", "--plies", "3", "--seed", "1").out != usual
