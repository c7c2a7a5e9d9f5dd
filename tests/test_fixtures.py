"""The example files under `fixtures/` become tests by lying there.

* `…/valid/<anything>`: every record of the file is valid.
* `…/invalid/<code>@<line>-<column>[~what-it-shows].<suffix>`: the first error is the one that the name says, with
  a full stop for the code's slash: `move.occupied@9-14~own-stone.yaml`. A file without a place (`@`) expects none.
* `…/lint/<code>@<line>-<column>[~what-it-shows].<suffix>`: the same for the first warning that `--lint` gives; the file
  is valid, except for the errors that some warnings stand beside.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hexrec import games
from hexrec.check import Report, check_sources
from hexrec.check.code_page import all_codes
from hexrec.check.lint import Lint
from hexrec.dedup.duplicates import Duplicates
from hexrec.files.discovery import Discovery
from tests.completeness import COMPLETE

FIXTURES = Path(__file__).parent.parent / "fixtures"
NAME = re.compile(r"(?P<stage>[a-z]+)\.(?P<code>[a-z-]+)(?:@(?P<line>\d+)-(?P<column>\d+))?(?:~[a-z0-9-]+)?\.\w+")
#: Codes that no file of a decent size can produce: `syntax/unreadable` takes a file that cannot be opened,
#: `syntax/changed` one that changes while it is read, `syntax/too-large` one of more than 8 MiB, `result/missing` an
#: option, the last two an error in the program. Tests elsewhere produce them.
NOT_IN_FILES = {"syntax/unreadable", "syntax/changed", "syntax/too-large", "result/missing", "batch/crashed"}
NOT_IN_FILES.add("internal/error")
#: What counts findings that are more than a hundred.
NOT_IN_FILES |= {"syntax/more", "schema/more", "convert/more"}
#: What is said of records that are written.
NOT_IN_FILES |= {"convert/abstractplay-lost", "convert/abstractplay-coordinates", "convert/cell", "convert/invalid"}
#: The errors beside which warnings may stand.
BESIDE = {"lint/extra-passes": {"move/game-over"}, "lint/missing-passes": {"result/not-over"}}


def files(kind: str) -> list[Path]:
    return sorted(path for path in FIXTURES.glob(f"*/**/{kind}/*") if path.is_file())


def check(path: Path) -> list[Report]:
    return list(check_sources(Discovery([str(path)])))


@pytest.mark.parametrize("path", files("valid"), ids=lambda path: str(path.relative_to(FIXTURES)))
def test_valid(path: Path) -> None:
    reports = check(path)
    assert reports
    assert [finding for report in reports for finding in report.diagnostics] == []


@pytest.mark.parametrize("path", files("invalid"), ids=lambda path: str(path.relative_to(FIXTURES)))
def test_invalid(path: Path) -> None:
    name = NAME.fullmatch(path.name)
    assert name is not None, "the name should be <stage>.<code>@<line>-<column>~<what-it-shows>.<suffix>"
    findings = [finding for report in check(path) for finding in report.diagnostics]
    assert findings
    first = findings[0]
    place = (int(name["line"]), int(name["column"])) if name["line"] else (None, None)
    assert (first.code, (first.line, first.column)) == (f"{name['stage']}/{name['code']}", place)
    assert first.severity == "error"
    assert first.file == str(path)
    assert (first.ply is not None) == first.code.startswith("move/")


@pytest.mark.parametrize("path", files("lint"), ids=lambda path: str(path.relative_to(FIXTURES)))
def test_lint(path: Path) -> None:
    name = NAME.fullmatch(path.name)
    assert name is not None, "the name should be <stage>.<code>@<line>-<column>~<what-it-shows>.<suffix>"
    reports = Duplicates().find(check_sources(Discovery([str(path)]), lint=Lint()))
    findings = [finding for report in reports for finding in report.diagnostics]
    warnings = [finding for finding in findings if finding.code.startswith("lint/")]
    assert {finding.severity for finding in warnings} == {"warning"}
    first = warnings[0]
    assert (first.code, first.file) == (f"{name['stage']}/{name['code']}", str(path))
    assert (str(first.line), str(first.column)) == (name["line"], name["column"])
    errors = [finding for finding in findings if finding not in warnings]
    assert errors == [finding for report in check(path) for finding in report.diagnostics]
    assert {finding.code for finding in errors} <= BESIDE.get(first.code, set())


def test_every_code_has_a_fixture() -> None:
    named = [NAME.fullmatch(path.name) for path in files("invalid") + files("lint") + files("lenient")]
    produced = {f"{name['stage']}/{name['code']}" for name in named if name}
    assert produced == all_codes() - NOT_IN_FILES


@pytest.mark.parametrize("game", COMPLETE)
def test_every_game_refuses_its_own_codes_in_its_own_folder(game: str) -> None:
    produced = {path.name.partition("@")[0].replace(".", "/", 1) for path in files("invalid") if game in path.parts}
    assert produced >= set(games.get(game).codes)


@pytest.mark.parametrize("game", COMPLETE)
def test_every_game_has_valid_games_that_end(game: str) -> None:
    reports = [report for path in files("valid") if game in path.parts for report in check(path)]
    endings = {(report.result.winner, report.result.termination) for report in reports if report.result}
    assert {("black", "rules"), ("white", "rules")} <= endings
