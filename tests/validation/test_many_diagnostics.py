"""A record with very many diagnostics: the first are shown, the others counted, and it stays as invalid as it is."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from hexrec import formats
from hexrec.io.discovery import Source
from hexrec.output import report_formats
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.limits import MAX_DIAGNOSTICS
from hexrec.validation.baseline import Baseline, parse
from hexrec.validation.grading import Rules, grade
from hexrec.validation.report import Report
from hexrec.validation.sources import check_sources

HEAD: dict[str, Any] = {"hexrec": "1", "game": "sunspot", "size": 5}
SGF = "(;FF[4]GM[5001]SZ[5]HX[sunspot]"
HGN = '[Game "Sunspot"]\n[Size "5"]\n\n'


def check(folder: Path, name: str, text: str) -> Report:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    (report,) = check_sources([Source(str(file), name.partition(".")[2])])
    return report


def in_json(folder: Path, moves: list[Any], **fields: Any) -> Report:
    return check(folder, "one.json", json.dumps({**HEAD, "moves": moves, **fields}))


def counted(diagnostics: Iterable[Diagnostic]) -> str:
    """Return what is said of the diagnostics that are not shown."""
    (rest,) = [diagnostic for diagnostic in diagnostics if diagnostic.code.endswith("/more")]
    assert rest.line is not None
    return rest.message


def more(count: int) -> str:
    return f"{count:,} more diagnostics in this record after these first 100"


#: Lists of turns with 5,000 wrong ones, one diagnostic each.
WRONG_TURNS: dict[str, list[Any]] = {
    "turns that are numbers": [1] * 5_000,
    "turns without a text": [{} for _ in range(5_000)],
    "unknown fields of one turn": [{"turn": "e5", **{f"a{number}": 1 for number in range(5_000)}}],
    "a variation": [{"turn": "e5", "variations": [["e5"] * 700 + [1] * 5_000]}],
    "deep variations": [{"turn": "e5", "variations": [[{"turn": "e5", "variations": [[1] * 5_000]}]]}],
}


@pytest.mark.parametrize("moves", WRONG_TURNS.values(), ids=WRONG_TURNS)
def test_wrong_turns_beyond_the_first_are_counted(moves: list[Any], tmp_path: Path) -> None:
    report = in_json(tmp_path, moves)
    assert not report.valid
    of_fields = [diagnostic for diagnostic in report.diagnostics if diagnostic.code.startswith("schema/")]
    assert len(of_fields) == MAX_DIAGNOSTICS + 1
    assert counted(of_fields) == more(4_900)
    assert {diagnostic.severity for diagnostic in report.diagnostics} == {"error"}


def test_a_hundred_diagnostics_are_all_shown(tmp_path: Path) -> None:
    assert [diagnostic.code for diagnostic in in_json(tmp_path, [1] * 100).diagnostics] == ["schema/type"] * 100
    report = in_json(tmp_path, [1] * 101)
    assert counted(report.diagnostics) == "1 more diagnostic in this record after these first 100"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("one.sgf", SGF + ";;B[a1];W[b2]" + ";C[x]" * 2_000 + ")"),
        ("one.sgf", SGF + ";B[a1]" + ";;" * 1_000 + ")"),
        ("one.hgn", HGN + "1. a1 " + "9. " * 2_000 + "*\n"),
    ],
    ids=["nodes", "empty nodes", "numbers"],
)
def test_warnings_of_a_format_are_counted(name: str, text: str, tmp_path: Path) -> None:
    report = check(tmp_path, name, text)
    assert report.valid
    assert len(report.diagnostics) == MAX_DIAGNOSTICS + 1
    assert "1,90" in counted(report.diagnostics)


def test_losses_of_a_conversion_are_counted() -> None:
    moves = [{"turn": "a1", "comment": "!"}] * 5_000
    losses: list[Diagnostic] = []
    "".join(formats.get("abstractplay").write([{**HEAD, "moves": moves}], losses.append))
    lost = [loss.code for loss in losses if loss.pointer not in ("", None)]
    assert lost == [*["convert/abstractplay-lost"] * MAX_DIAGNOSTICS, "convert/more"]


class TestRulesAndBaselines:
    """No rule and no baseline accepts a record because errors were not shown."""

    #: A hundred wrong turns, and one that is wrong in another way.
    MOVES = (*[1] * MAX_DIAGNOSTICS, {"turn": "e5", "clock": -1})

    @pytest.fixture
    def report(self, tmp_path: Path) -> Report:
        return in_json(tmp_path, list(self.MOVES))

    @pytest.mark.parametrize(
        ("rules", "accepted", "shown"),
        [
            ({"ignore": ["schema/type"]}, False, {"schema/more": "error"}),
            ({"warn": ["schema/type"]}, False, {"schema/type": "downgraded", "schema/more": "error"}),
            ({"select": ["schema/range"]}, False, {"schema/more": "error"}),
            ({"warn": ["schema"]}, True, {"schema/type": "downgraded", "schema/more": "downgraded"}),
            ({"ignore": ["schema"]}, True, {}),
            ({"select": ["move"]}, True, {}),
            ({"ignore": ["schema"], "warn": ["schema/range"]}, True, {"schema/more": "downgraded"}),
        ],
    )
    def test_what_counts_goes_with_what_may_be_hidden(
        self, rules: dict[str, Any], accepted: bool, shown: dict[str, str], report: Report
    ) -> None:
        judged = grade(report, [Rules(**rules)])
        assert (judged.valid, judged.accepted) == (False, accepted)
        assert {each.severity for each in judged.diagnostics} == {"error"}
        assert {
            each.code: "downgraded" if each.downgraded else each.severity
            for each in judged.diagnostics
            if not each.suppressed
        } == shown

    @pytest.mark.parametrize("action", ["ignore", "warn"])
    def test_no_rule_names_it(self, action: str) -> None:
        with pytest.raises(ValueError, match="follows the codes that it counts: name schema"):
            Rules(**dict[str, Any]({action: ["schema/more"]}))

    def test_a_baseline_takes_over_what_is_shown_alone(self, report: Report, tmp_path: Path) -> None:
        file = tmp_path / "baseline.json"
        baseline = Baseline(file)
        left = baseline.add(report)
        assert [each.code for each in left.diagnostics if not each.ignored] == ["schema/more"]
        file.write_text(baseline.text(), encoding="utf-8")
        passed = parse(file.read_bytes(), file).apply(report)
        assert [each.code for each in passed.diagnostics if not each.ignored] == ["schema/more"]
        assert (passed.valid, passed.accepted) == (False, False)


@pytest.mark.parametrize("name", report_formats.names())
def test_every_report_has_the_count(name: str, tmp_path: Path) -> None:
    file = tmp_path / "one.json"
    file.write_text(json.dumps({**HEAD, "moves": [1] * 5_000}), encoding="utf-8")
    out = io.StringIO()
    report_formats.write(name, check_sources([Source(str(file), "json")]), out)
    assert "4,900 more diagnostics" in out.getvalue()
