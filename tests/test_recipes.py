"""The recipes in SQL: each query gives the result that the page shows."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import duckdb
import pytest

from tests.cli.conftest import Run, hexrec

__all__ = ["hexrec"]  # a fixture

ROOT = Path(__file__).parent.parent
RECIPE = re.compile(r"^## (.+?)$.*?^```sql\n(.*?)^```\n\n```csv\n(.*?)^```$", re.MULTILINE | re.DOTALL)
RECIPES = RECIPE.findall((ROOT / "docs" / "recipes.md").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("query", "result"), [each[1:] for each in RECIPES], ids=[each[0] for each in RECIPES])
def test_a_recipe(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, query: str, result: str) -> None:
    (tmp_path / "fixtures").symlink_to(ROOT / "fixtures")
    monkeypatch.chdir(tmp_path)
    for command in ("score", "positions"):
        hexrec(command, "fixtures/recipes/games.jsonl", "-o", f"{command}s.parquet".replace("ss", "s"))
    found = duckdb.sql(query)
    assert found is not None
    written = io.StringIO()
    writer = csv.writer(written, lineterminator="\n")
    writer.writerow(found.columns)
    writer.writerows(found.fetchall())
    assert written.getvalue() == result


def test_all_recipes_have_results() -> None:
    page = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")
    assert len(RECIPES) == page.count("```sql") == page.count("```csv")
