"""The notebook runs from its first cell to its last, and the outputs kept in it are those that it is about."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from hexrec import Record
from hexrec.rules.position import Position

NOTEBOOK = Path(__file__).parent.parent / "docs/notebooks/archive.ipynb"
CELLS = [cell for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]


def run(source: str, names: dict[str, Any]) -> Any:
    """Run a cell and return the value of its last expression, as a notebook does."""
    *statements, last = ast.parse(source).body
    if not isinstance(last, ast.Expr):
        statements, last = [*statements, last], ast.Expr(ast.Constant(None))
    exec(compile(ast.Module(statements, []), str(NOTEBOOK), "exec"), names)
    return eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names)


@pytest.mark.slow
def test_every_cell_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(NOTEBOOK.parent)
    monkeypatch.setenv("MPLBACKEND", "agg")
    names: dict[str, Any] = {}
    shown = [run("".join(cell["source"]), names) for cell in CELLS]
    names["pyplot"].close("all")
    assert len(names["valid"]) > 100
    assert set(names["counts"].index) == set(names["valid"].game)
    assert isinstance(shown[-2], Record)
    assert isinstance(shown[-1], Position)


def test_what_is_kept_in_it() -> None:
    kinds = [set(output.get("data", ())) for cell in CELLS for output in cell["outputs"]]
    assert sum("image/png" in each for each in kinds) == 3
    assert {"text/html", "image/svg+xml"} in [each - {"text/plain"} for each in kinds]
    assert all(cell["execution_count"] == number for number, cell in enumerate(CELLS, 1))
    assert NOTEBOOK.stat().st_size < 200_000
