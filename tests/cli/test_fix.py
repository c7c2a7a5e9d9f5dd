from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from hexrec.io.discovery import Source
from tests.cli.conftest import Run
from tests.properties import sample

FIXTURES = Path(__file__).parent.parent.parent / "fixtures/suite"
YAML = """\
# A short game.
hexrec: "1"
game: sundraval
size: 3.0           # kept
coordinates: row
opening: {black: C3, white: b2}
moves: [A1,
        a2, pass, {turn: pass}]
"""
RESULT = {"winner": "white", "score": {"black": 0, "white": 1.5}}
WHITE = "White wins, Black 0, White 1.5"


def put(path: Path, text: str = YAML) -> Path:
    path.write_bytes(text.encode())
    return path


def test_a_result_is_added(hexrec: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "a.yaml", YAML + "x-own: 1\n")
    ran = hexrec("fix", path)
    assert (ran.code, ran.out) == (0, "")
    assert ran.err.splitlines() == [
        f"hexrec: {path}:2: record 0: result added: {WHITE}",
        "1 record in 1 file: 1 fixed, 0 unchanged, 0 left invalid; 1 file written",
    ]
    assert path.read_text() == YAML + "result:\n  winner: white\n  score: {black: 0, white: 1.5}\nx-own: 1\n"
    assert hexrec("validate", "--finished", path).code == 0
    assert hexrec("fix", path).err == "1 record in 1 file: 0 fixed, 1 unchanged, 0 left invalid; 0 files written\n"


INCOMPLETE: dict[str, tuple[Any, Any]] = {
    "nothing": ({}, RESULT),
    "no score": (
        {"winner": "white", "termination": "rules"},
        {"winner": "white", "termination": "rules", "score": RESULT["score"]},
    ),
    "no winner, and fields after": (
        {"termination": "rules", "x-a": 1},
        {"winner": "white", "termination": "rules", "score": {"black": 0, "white": 1.5}, "x-a": 1},
    ),
}
#: Results that the replay contradicts: the recorded one, the computed one, and the values that are replaced.
WRONG: dict[str, tuple[Any, Any, str]] = {
    "winner": ({"winner": "black"}, RESULT, "winner white (was black)"),
    "score": (
        {"score": {"white": 2, "black": 0}},
        {**RESULT, "score": {"white": 1.5, "black": 0}},
        "score of White 1.5 (was 2)",
    ),
    "winner and termination": (
        {"winner": "black", "termination": "time"},
        RESULT,
        "winner white (was black), termination rules (was time)",
    ),
    "termination": ({"winner": "white", "termination": "time"}, RESULT, "termination rules (was time)"),
    "fields of one's own": (
        {"x-a": 1, "winner": "draw", "score": {"x-b": 2.0, "black": 0.0, "white": 1}},
        {"x-a": 1, "winner": "white", "score": {"x-b": 2.0, "black": 0.0, "white": 1.5}},
        "winner white (was draw), score of White 1.5 (was 1)",
    ),
}
NAMES = ["a.json", "a.jsonl", "a.yaml"]


@pytest.mark.parametrize(("claim", "result"), INCOMPLETE.values(), ids=INCOMPLETE)
@pytest.mark.parametrize("name", NAMES)
def test_a_result_is_completed(
    hexrec: Run, tmp_path: Path, game: dict[str, Any], name: str, claim: Any, result: Any
) -> None:
    text = json.dumps({**game, "x-before": 1.0, "result": claim, "x-after": []})
    path = put(tmp_path / name, text)
    ran = hexrec("fix", path)
    assert ran.code == 0
    assert f"{path}:1: record 0: result completed: {WHITE}" in ran.err
    assert path.read_text() == text.replace(json.dumps(claim), json.dumps(result))


@pytest.mark.parametrize(("claim", "result", "replaced"), WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("name", NAMES)
def test_a_recorded_result_is_replaced_only_on_demand(
    hexrec: Run, tmp_path: Path, game: dict[str, Any], name: str, claim: Any, result: Any, replaced: str
) -> None:
    text = json.dumps({**game, "x-before": 1.0, "result": claim, "x-after": []})
    path = put(tmp_path / name, text)
    for options in ([], ["--suggestions"]):
        ran = hexrec("fix", path, *options)
        assert (ran.code, path.read_text()) == (1, text)
        assert "error result/" in ran.err
        assert ran.err.endswith("1 record in 1 file: 0 fixed, 0 unchanged, 1 left invalid; 0 files written\n")
    assert f"help: --replace-results writes the computed result: {replaced}\n" in hexrec("fix", path).err
    ran = hexrec("fix", path, "--replace-results")
    assert ran.code == 0
    assert f"{path}:1: record 0: result replaced: {replaced}\n" in ran.err
    assert path.read_text() == text.replace(json.dumps(claim), json.dumps(result))
    assert hexrec("fix", path, "--replace-results").err.startswith("1 record in 1 file: 0 fixed, 1 unchanged")


def test_each_replaced_result_is_printed(hexrec: Run, tmp_path: Path, game: dict[str, Any]) -> None:
    lines = [json.dumps({**game, "result": {"winner": winner}}) + "\n" for winner in ("black", "draw")]
    path = put(tmp_path / "a.jsonl", "".join(lines))
    ran = hexrec("fix", path, "--replace-results", "--diff")
    assert [line for line in ran.err.splitlines() if "replaced" in line] == [
        f"hexrec: {path}:1: record 0: result replaced: winner white (was black)",
        f"hexrec: {path}:2: record 1: result replaced: winner white (was draw)",
    ]
    assert path.read_text() == "".join(lines)


def test_a_result_is_not_replaced_with_suggestions_while_the_turns_are_in_doubt(
    hexrec: Run, tmp_path: Path, game: dict[str, Any]
) -> None:
    """White wins after a1, and Black after other turns, each of which is one character away."""
    path = put(tmp_path / "a.json", json.dumps({**game, "result": {"winner": "black"}}))
    ran = hexrec("fix", path, "--replace-results", "--suggestions")
    assert "help: replace a2 with" in ran.err or "help: at ply" in ran.err
    assert (ran.code, "result replaced" in ran.err) == (1, False)


@pytest.mark.parametrize("reading", ["S-3b", "P-1b", "P-2b"])
def test_a_reading_that_explains_the_result_is_named(hexrec: Run, tmp_path: Path, reading: str) -> None:
    """The result is no error of the record where the game was played by the reading: replace it only on demand."""
    (file,) = FIXTURES.glob(f"*/valid/reading-{reading.lower()}.yaml")
    text = file.read_text(encoding="utf-8")
    named = put(tmp_path / "named.yaml", text)
    assert "result replaced" not in hexrec("fix", named, "--replace-results").err
    text = text.replace(f"readings: [{reading}]\n", "")
    path = put(tmp_path / "a.yaml", text)
    for options in ([], ["--suggestions"]):
        ran = hexrec("fix", path, *options)
        assert (ran.code, path.read_text(encoding="utf-8")) == (1, text)
        assert f"  help: the record is valid under reading {reading}\n" in ran.err
    if reading != "P-2b":  # by the rulings, that game goes on
        assert "result replaced: " in hexrec("fix", path, "--replace-results").err


def test_a_reading_alone_does_not_keep_a_result_that_is_to_be_replaced(hexrec: Run, tmp_path: Path) -> None:
    games = hexrec("random", "sundraval", "--size", "4", "--count", "3", "--seed", "3", "--reading", "S-3b").out
    path = put(tmp_path / "a.jsonl", games.splitlines()[2].replace('"readings":["S-3b"],', ""))
    assert "help: the record is valid under reading S-3b\n" in hexrec("fix", path, "--suggestions").err
    assert "result replaced: score of White" in hexrec("fix", path, "--suggestions", "--replace-results").err


def test_the_line_of_a_result_that_was_there_is_named(hexrec: Run, tmp_path: Path) -> None:
    path = put(tmp_path / "a.yaml", YAML + "x-own: 1\nresult:\n  winner: black\n")
    ran = hexrec("fix", "--replace-results", path)
    assert ran.err.startswith(f"hexrec: {path}:11: record 0: result replaced: winner white (was black)\n")
    assert path.read_text().endswith("x-own: 1\nresult:\n  winner: white\n  score: {black: 0, white: 1.5}\n")


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"moves": ["a1", "a1"]}, "move/occupied"),
        ({"moves": ["a1", "a1"], "result": {"winner": "black"}}, "move/occupied"),
        ({"moves": ["a1"], "result": {"winner": "black"}}, "result/not-over"),
        ({"size": "3"}, "schema/type"),
        ({"opening": {"black": "c3", "white": "c3"}}, "opening/same-cell"),
        ({"moves": ["a1", {"turn": "a2", "variations": [["a1"]]}, "pass", "pass"]}, "variation/illegal"),
    ],
)
def test_what_cannot_be_known_is_left(
    hexrec: Run, tmp_path: Path, game: dict[str, Any], changes: dict[str, Any], code: str
) -> None:
    text = "".join(json.dumps({**game, **each}) + "\n" for each in (changes, {}))
    path = put(tmp_path / "a.jsonl", text)
    ran = hexrec("fix", path)
    assert ran.code == 1
    assert ran.err.startswith(f"{path}:1:")
    assert f"error {code}: record 0" in ran.err
    assert ran.err.endswith("2 records in 1 file: 1 fixed, 0 unchanged, 1 left invalid; 1 file written\n")
    lines = path.read_text().splitlines(keepends=True)
    assert lines[0] == json.dumps({**game, **changes}) + "\n"
    assert json.loads(lines[1]) == {**game, "result": RESULT}


RESIGNED = {"moves": ["a1"], "result": {"winner": "black", "termination": "resignation"}}


@pytest.mark.parametrize(
    "changes",
    [{"result": RESULT}, {"result": {**RESULT, "termination": "rules"}}, {"moves": ["a1"]}, RESIGNED],
    ids=["right", "long", "unfinished", "resigned"],
)
def test_a_record_in_which_all_is_right_stays(
    hexrec: Run, tmp_path: Path, game: dict[str, Any], changes: dict[str, Any]
) -> None:
    path = put(tmp_path / "a.json", json.dumps({**game, **changes}))
    before = path.stat()
    assert hexrec("fix", path).code == 0
    now = path.stat()
    assert (now.st_ino, now.st_size, now.st_mtime_ns) == (before.st_ino, before.st_size, before.st_mtime_ns)


def test_the_first_of_several_results_is_named(hexrec: Run, tmp_path: Path, game: dict[str, Any]) -> None:
    path = put(tmp_path / "a.jsonl", (json.dumps(game) + "\n") * 4)
    ran = hexrec("fix", path)
    assert ran.err == (
        f"hexrec: {path}:1: record 0: result added: {WHITE}; and 3 records more\n"
        "4 records in 1 file: 4 fixed, 0 unchanged, 0 left invalid; 1 file written\n"
    )


def test_diff_and_check(hexrec: Run, tmp_path: Path, game: dict[str, Any]) -> None:
    path = put(tmp_path / "a.yaml")
    ran = hexrec("fix", "--diff", path)
    assert ran.code == 0
    assert hexrec("fix", "--check", path).code == 1
    assert ran.out == (
        f"--- {path}\n+++ {path}\n@@ -6,3 +6,6 @@\n opening: {{black: C3, white: b2}}\n moves: [A1,\n"
        "         a2, pass, {turn: pass}]\n+result:\n+  winner: white\n+  score: {black: 0, white: 1.5}\n"
    )
    assert ran.err.splitlines()[-1].endswith("1 to be fixed, 0 unchanged, 0 left invalid; nothing written")
    assert path.read_text() == YAML
    put(path, json.dumps({**game, "moves": ["a1", "a1"]}))
    assert hexrec("fix", "--diff", path).code == 1


def test_filter(hexrec: Run, game: dict[str, Any]) -> None:
    ran = hexrec("fix", "-", stdin=json.dumps(game).encode())
    assert (ran.code, json.loads(ran.out)) == (0, {**game, "result": RESULT})
    assert ran.err.startswith("hexrec: -:1: record 0: result added")


def test_a_file_in_canonical_form_stays_in_it(hexrec: Run, tmp_path: Path) -> None:
    """For every game: take the results out, put them back in, and nothing has changed."""
    for file in sorted(FIXTURES.glob("*/reference/games.jsonl")):
        for suffix in (".jsonl", ".json"):
            path = tmp_path / f"{file.parent.parent.name}{suffix}"
            lines = file.read_text().splitlines(keepends=True)
            put(path, "".join(lines if suffix == ".jsonl" else lines[:1]))
            assert hexrec("fmt", path).code == 0
            whole = path.read_text()
            records = [json.loads(whole)] if suffix == ".json" else [json.loads(line) for line in whole.splitlines()]
            bare = [{name: value for name, value in record.items() if name != "result"} for record in records]
            layout: dict[str, Any] = {"indent": 2} if suffix == ".json" else {"separators": (",", ":")}
            put(path, "".join(json.dumps(record, ensure_ascii=False, **layout) + "\n" for record in bare))
            assert hexrec("fix", path).code == 0
            assert path.read_text() == whole


@pytest.mark.slow
def test_every_wrong_result_among_the_fixtures_is_replaced_on_demand(hexrec: Run, tmp_path: Path) -> None:
    left = 0
    for file in sample(sorted(FIXTURES.glob("*/invalid/result.*")), 3):
        path = Path(shutil.copy(file, tmp_path))
        before = [document.data for document in Source(str(file)).documents()]
        assert (hexrec("fix", path).code, path.read_bytes()) == (1, file.read_bytes())
        ran = hexrec("fix", path, "--replace-results")
        after = [document.data for document in Source(str(path)).documents()]
        rest = [[{**data, "result": None} for data in each] for each in (before, after)]
        assert rest[0] == rest[1]
        known = not any(code in path.name for code in ("not-over", "draw-with-loser", "illegal"))
        left += not known
        assert (ran.code, hexrec("validate", path).code) == ((0, 0) if known else (1, 1))
        assert known or after == before
    assert left


def test_a_game_of_hgn_gets_the_result_that_is_missing_at_its_end(hexrec: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.hgn"
    sgf = FIXTURES / "formats/sgf/valid/margin.sgf"
    text = hexrec("convert", sgf, "--to", "hgn").out
    file.write_text(text.replace('[Result "B+"]\n', "").removesuffix(" B+\n"), encoding="utf-8")
    assert hexrec("fix", file).code == 0
    assert file.read_text(encoding="utf-8").endswith(" 9. pass pass B+\n".lstrip())
    file.write_text('[Game "Sunspot"]\n[Size "5"]\n\n 1. e5\n', encoding="utf-8")
    ran = hexrec("fmt", file)
    assert "an end that was cut off would look whole" in ran.err
    assert file.read_text(encoding="utf-8").endswith(" 1. e5\n")


@pytest.mark.parametrize("margin", ["0.5", "77.5", "0", "9" * 400])
def test_a_margin_in_sgf_is_compared_with_the_score_and_gives_way_to_it(
    hexrec: Run, tmp_path: Path, margin: str
) -> None:
    """Black wins by 3.5 to 3."""
    text = (FIXTURES / "formats/sgf/valid/margin.sgf").read_text(encoding="utf-8")
    file = tmp_path / "game.sgf"
    file.write_text(text.replace("b+0.50", f"B+{margin}"), encoding="utf-8")
    ran = hexrec("validate", "--format", "json", file)
    found = [each["code"] for each in ran.report["records"][0]["diagnostics"]]
    assert (ran.code, found) == ((0, []) if margin == "0.5" else (1, ["result/score-mismatch"]))
    if margin != "0.5":
        ran = hexrec("fix", file)
        assert (ran.code, f"B+{margin}" in file.read_text(encoding="utf-8")) == (1, True)
        assert f"writes the computed result: score Black 3.5, White 3 (was RE[B+{margin[:20]}" in ran.err
    assert hexrec("fix", file, "--replace-results").code == 0
    assert "RE[B+0.5]" in file.read_text(encoding="utf-8")
    assert hexrec("validate", "--format", "json", file).report["records"][0]["diagnostics"] == []


@pytest.mark.parametrize(("margin", "claim"), [("W+0.5", "a win for White"), ("B+0", "a margin of 0")])
def test_a_margin_in_another_format_is_replaced_on_demand(hexrec: Run, tmp_path: Path, margin: str, claim: str) -> None:
    """`x-sgf` preserves it; the winner and the score of the record are right."""
    sgf = FIXTURES / "formats/sgf/valid/margin.sgf"
    record = json.loads(hexrec("convert", sgf, "--to", "json").out)
    result = {"winner": "black", "score": {"black": 3.5, "white": 3}}
    path = put(tmp_path / "a.json", json.dumps({**record, "result": result, "x-sgf": {"RE": [margin]}}))
    ran = hexrec("fix", path)
    assert ran.code == 1
    assert f"error result/score-mismatch: record 0: the record gives RE[{margin}], {claim}, but by the rules" in ran.err
    ran = hexrec("fix", path, "--replace-results")
    assert f"result replaced: score Black 3.5, White 3 (was RE[{margin}])" in ran.err
    assert (json.loads(path.read_text())["result"], "x-sgf" in path.read_text()) == (result, False)
    assert hexrec("validate", path).code == 0


def test_one_of_several_games_in_sgf_is_put_right(hexrec: Run, tmp_path: Path) -> None:
    """What else they hold stays."""
    text = (FIXTURES / "formats/sgf/valid/margin.sgf").read_text(encoding="utf-8").replace("PL[B]", "QQ[own]PL[B]")
    file = put(tmp_path / "game.sgf", text + text.replace("b+0.50", "W+0.5"))
    assert hexrec("fix", file, "--replace-results").code == 0
    made = file.read_text(encoding="utf-8")
    assert (made.count("QQ[own]"), made.count("RE[B+0.5]")) == (2, 2)
    assert hexrec("fix", file).err.startswith("2 records in 1 file: 0 fixed, 2 unchanged")
    put(file, made + text)
    assert hexrec("fix", file).err.endswith(
        "3 records in 1 file: 1 fixed, 2 unchanged, 0 left invalid; 1 file written\n"
    )


@pytest.mark.parametrize("option", [(), ("--check",), ("--diff",)], ids=["fix", "check", "diff"])
def test_a_game_in_sgf_that_cannot_be_read_does_not_stop_the_others(
    hexrec: Run, tmp_path: Path, option: tuple[str, ...]
) -> None:
    whole = (FIXTURES / "formats/sgf/valid/margin.sgf").read_text(encoding="utf-8")
    game = whole.replace("RE[b+0.50]", "")
    broken = game.rstrip().removesuffix(")")
    file = put(tmp_path / "game.sgf", game + broken)
    ran = hexrec("fix", *option, file)
    assert ran.code == 1
    assert "record 0: result added: Black wins, Black 3.5, White 3\n" in ran.err
    after = file.read_text(encoding="utf-8")
    assert after.endswith(broken)
    assert (after == game + broken) == bool(option)
    put(file, game + game)
    assert (
        "record 0: result added: Black wins, Black 3.5, White 3; and 1 record more" in hexrec("fix", *option, file).err
    )


def test_a_wrong_result_in_a_format_that_is_not_edited_is_reported(
    hexrec: Run, tmp_path: Path, game: dict[str, Any]
) -> None:
    made = hexrec("convert", "-", "--to", "abstractplay", stdin=json.dumps({**game, "result": RESULT}).encode()).out
    document = json.loads(made)
    for player, result in zip(document["header"]["players"], (1, 0), strict=True):
        player["result"] = result
    path = put(tmp_path / "a.json", json.dumps(document))
    ran = hexrec("fix", path)
    assert (ran.code, path.read_text()) == (1, json.dumps(document))
    assert "error result/winner-mismatch: record 0" in ran.err
    assert ran.err.endswith("1 record in 1 file: 0 fixed, 0 unchanged, 1 left invalid; 0 files written\n")
