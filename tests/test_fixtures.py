"""The example files under `fixtures/`: those of lint, and whether all codes and games have theirs.

* The files of the suite, with an expectation of each: see tests/suite.
* `lint/…/<code>[~what-it-shows].<suffix>`: the first warning that `--lint` gives; the file is valid, except for the
  errors that some warnings are given beside.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from hexrec.codes import all_codes, game_codes
from hexrec.io.discovery import Discovery
from hexrec.tools.duplicates import Duplicates
from hexrec.validation.report import Report
from hexrec.validation.sources import check_sources
from tests.cases import all_of
from tests.completeness import COMPLETE
from tests.fixtures import expected, files

#: Codes that no file of a decent size can produce: `syntax/unreadable` takes a file that cannot be opened,
#: `syntax/changed` one that changes while it is read, `syntax/too-large` one of more than 8 MiB, `result/missing` an
#: option, the last two an error in the program. Tests elsewhere produce them.
NOT_IN_FILES = {"syntax/unreadable", "syntax/changed", "syntax/too-large", "result/missing", "batch/crashed"}
NOT_IN_FILES |= {"internal/error", "internal/plug-in"}
#: What counts diagnostics that are more than a hundred.
NOT_IN_FILES |= {"syntax/more", "schema/more", "convert/more", "variation/more"}
#: What is said of records that are written.
NOT_IN_FILES |= {"convert/abstractplay-lost", "convert/abstractplay-coordinates", "convert/cell", "convert/invalid"}
NOT_IN_FILES |= {
    "convert/too-large",
    "convert/error-lost",
    "convert/setup",
    "convert/abstractplay-date",
    "convert/abstractplay-draw",
    "convert/abstractplay-reading",
    "convert/kept-cell",
    "convert/number",
}
#: What is said of texts that are imported: their files are in `fixtures/import`, see tests/tools/test_importing.py.
NOT_IN_FILES |= {code for code in all_codes() if code.startswith("import/")}
#: The errors beside which warnings may stand.
BESIDE = {"lint/extra-passes": {"move/game-over"}, "lint/missing-passes": {"result/not-over"}}


def check(path: Path) -> list[Report]:
    return list(check_sources(Discovery([str(path)])))


@all_of("path", files("lint"))
def test_lint(path: Path) -> None:
    reports = Duplicates().find(check_sources(Discovery([str(path)]), lint=True))
    diagnostics = [diagnostic for report in reports for diagnostic in report.diagnostics]
    warnings = [diagnostic for diagnostic in diagnostics if diagnostic.code.startswith("lint/")]
    assert {diagnostic.severity for diagnostic in warnings} == {"warning"}
    first = warnings[0]
    assert (first.code, first.line, first.column) == expected(path)
    assert first.file == str(path)
    errors = [diagnostic for diagnostic in diagnostics if diagnostic not in warnings]
    assert errors == [diagnostic for report in check(path) for diagnostic in report.diagnostics]
    assert {diagnostic.code for diagnostic in errors} <= BESIDE.get(first.code, set())


def test_every_code_has_a_fixture() -> None:
    produced = {expected(path).code for path in files("invalid") + files("lint") + files("lenient")}
    assert produced == all_codes() - NOT_IN_FILES


@pytest.mark.parametrize("game", COMPLETE)
def test_every_game_refuses_its_own_codes_in_its_own_folder(game: str) -> None:
    produced = {expected(path).code for path in files("invalid") if game in path.parts}
    assert produced >= set(game_codes(game))


@pytest.mark.parametrize("game", COMPLETE)
def test_every_game_has_valid_games_that_end(game: str) -> None:
    reports = [report for path in files("valid") if game in path.parts for report in check(path)]
    endings = {(report.result.winner, report.result.termination) for report in reports if report.result}
    assert {("black", "rules"), ("white", "rules")} <= endings
