"""`score` and `validate` write the same bytes with kernels and without, in one process and in two.

The archive is a mixed one: a tenth of it is broken, in every way that the fixtures know.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import BytesIO
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Any

import pytest

from hexrec import games, kernel, notations
from tests.cli.conftest import Run
from tests.cli.conftest import hexrec as hexrec
from tests.fixtures import FIXTURES

pytestmark = pytest.mark.slow

#: The reports in which a difference could show: places, excerpts, results, totals.
REPORTS = ("json", "text", "sarif")


def faulty() -> Iterator[bytes]:
    """Yield lines with what the fixtures hold besides recorded games: with what is broken, and what is warned of."""
    for path in chain(FIXTURES.glob("*/invalid/*"), FIXTURES.glob("*/lint/*")):
        for document in notations.read(path.suffix.lstrip("."), BytesIO(path.read_bytes())):
            if document.error is None:
                yield json.dumps(document.data).encode()
    for path in FIXTURES.glob("notations/json/invalid/*"):
        yield path.read_bytes().replace(b"\n", b" ").replace(b"\0", b" ")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    broken = sorted(faulty())
    paths = [FIXTURES / name / "reference" / "games.jsonl" for name in games.names()]
    # Short ones: the engines alone take their time.
    whole = cycle(chain.from_iterable(sorted(path.read_bytes().splitlines(), key=len)[:3] for path in paths))
    lines = chain.from_iterable((line, *islice(whole, 9)) for line in broken)
    path = tmp_path_factory.mktemp("archive") / "archive.jsonl"
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


def written(hexrec: Run, archive: Path, jobs: int) -> list[Any]:
    """Return all that both commands say and write."""
    out = archive.with_name("out")
    targets = [f"{name}={out}.{name}" for name in REPORTS]
    validated = hexrec("validate", archive, "--jobs", str(jobs), *chain.from_iterable(("-o", each) for each in targets))
    scored = hexrec("score", archive, "--jobs", str(jobs))
    return [validated, scored, *(Path(f"{out}.{name}").read_bytes() for name in REPORTS)]


@pytest.fixture(scope="module")
def usual(archive: Path) -> Iterator[list[Any]]:
    with pytest.MonkeyPatch.context() as patch:
        yield written(hexrec.__wrapped__(patch), archive, 1)  # type: ignore[attr-defined]


def test_the_engines_alone(hexrec: Run, archive: Path, usual: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "get", lambda *_: None)
    assert written(hexrec, archive, 1) == usual


def test_two_processes(hexrec: Run, archive: Path, usual: list[Any]) -> None:
    assert written(hexrec, archive, 2) == usual


def test_the_archive_is_mixed(usual: list[Any]) -> None:
    report = json.loads(usual[-len(REPORTS)])
    assert len({each["code"] for record in report["records"] for each in record["diagnostics"]}) > 70
    assert 0.08 < report["summary"]["invalid"] / report["summary"]["records"] < 0.12
