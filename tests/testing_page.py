"""The figures of docs/testing.md that follow from files of the repository: `python -m tests.testing_page` renews them.

On the page, a figure stands between `<!--=NAME-->` and `<!--/-->`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from hexrec import code_registry, notations
from tests.completeness import COMPLETE
from tests.fixtures import FIXTURES
from tests.fuzz import counts
from tests.rulings import Reading, readings

PAGE = Path(__file__).parent.parent / "docs" / "testing.md"
_FIGURE = re.compile(r"<!--=(.*?)-->.*?<!--/-->")


def page(text: str) -> str:
    """Return the text of the page with the figures of today. Raises KeyError for one that does not exist."""
    of_today = dict(_figures())
    return _FIGURE.sub(lambda place: f"<!--={place[1]}-->{of_today[place[1]]}<!--/-->", text)


def _figures() -> Iterator[tuple[str, str]]:
    every = [reading for game in COMPLETE for reading in readings(game)]
    yield "readings", str(sum(isinstance(reading, Reading) for reading in every))
    yield "games", str(_lines("games.jsonl", "cycles.jsonl", "first.jsonl"))
    yield "positions", str(_lines("legal.jsonl", "first.legal.jsonl"))
    yield "codes", str(len(code_registry.all_codes()))
    yield "notations", str(len(notations.BUILT_IN))
    counted = counts.read(counts.COUNTED)
    runs = [run for target in counted.values() for run in target]
    yield "inputs", f"{sum(run.inputs for run in runs):,}"
    yield "minutes", f"{sum(run.seconds for run in runs) / 60:,.0f}"
    yield "broken", str(sum(run.broken for run in runs))


def _lines(*names: str) -> int:
    paths = (path for name in names for path in FIXTURES.glob(f"*/reference/{name}"))
    return sum(len(path.read_text("utf-8").splitlines()) for path in paths)


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
