"""Files have the same encoding whatever that of the locale is: the beginnings of what `test_determinism` compares.

Only the locale of this process changes, which is what files without an encoding of their own would follow.
"""

from __future__ import annotations

import json
import locale
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import pytest

from hexrec import code_registry
from tests.cli.conftest import Run, game, hexrec

__all__ = ["game", "hexrec"]


@pytest.fixture(autouse=True)
def ascii_locale() -> Iterator[None]:
    usual = locale.setlocale(locale.LC_CTYPE)
    locale.setlocale(locale.LC_CTYPE, "C")
    try:
        if TextIOWrapper(BytesIO()).encoding.lower().replace("-", "") == "utf8":
            pytest.skip("here files are in UTF-8 in every locale")
        yield
    finally:
        locale.setlocale(locale.LC_CTYPE, usual)


@pytest.fixture
def archive(tmp_path: Path, game: dict[str, Any]) -> Path:
    path = tmp_path / "games.jsonl"
    records = [{**game, "id": "\u00e9"}, {**game, "id": "\u00e8", "moves": ["a1", "a1"]}]
    path.write_bytes("".join(json.dumps(each, ensure_ascii=False) + "\n" for each in records).encode())
    return path


@pytest.mark.parametrize("name", ["json", "junit", "text", "sarif"])
def test_reports(hexrec: Run, archive: Path, tmp_path: Path, name: str) -> None:
    out = tmp_path / "report"
    assert hexrec("validate", archive, "--jobs", "1", "-o", f"{name}={out}").code == 1
    assert "\u00e8" in out.read_text(encoding="utf-8")


def test_baselines(hexrec: Run, archive: Path, tmp_path: Path) -> None:
    known = tmp_path / "known.json"
    assert hexrec("validate", archive, "--jobs", "1", "--write-baseline", known).code == 0
    assert "\u00e8" in known.read_text(encoding="utf-8")
    assert hexrec("validate", archive, "--jobs", "1", "--baseline", known).code == 0


def test_explanations() -> None:
    code_registry.own_sections.cache_clear()
    assert "\\u{\u2026}" in code_registry.own_sections("notations")["hgn"].codes["syntax/hgn-escape"].rule


def test_schemas_that_are_not_ascii(hexrec: Run, tmp_path: Path) -> None:
    assert hexrec("schema", "--write", "--folder", tmp_path).code == 0
    (tmp_path / "nadraz.schema.json").write_text('{"title": "\u00e9"}', encoding="utf-8")
    ran = hexrec("schema", "--check", "--folder", tmp_path)
    assert (ran.code, ran.err) == (1, f"out of date: {tmp_path / 'nadraz.schema.json'}\n")
