"""Settings and baselines that are nested, joined or long beyond reason are refused before they are parsed."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexrec.limits import MAX_DEPTH, MAX_SETTINGS_BYTES
from hexrec.settings.baseline import read
from hexrec.settings.configuration import Misconfigured, find

DEEP = {
    "dotted name": "ignore = []\n" + ".".join("a" * 50_000) + " = 1",
    "quoted dotted name": ".".join(['"a"'] * 50_000) + " = 1",
    "header": "[" + ".".join("a" * 50_000) + "]",
    "lists": "ignore = " + "[" * 50_000,
    "closed lists": "ignore = " + "[" * 50_000 + "]" * 50_000,
    "tables": "x = " + "{a = " * 50_000,
    "behind a text": "'''\n'''\nx = " + "[" * 50_000,
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
@pytest.mark.parametrize("name", ["hexrec.toml", "pyproject.toml"])
def test_settings_that_are_nested_too_deep_are_refused(name: str, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(Misconfigured, match=f"{name}: line [0-9]: more than 100 levels of tables and lists"):
        find(str(tmp_path))


def test_settings_that_are_too_large_are_refused(tmp_path: Path) -> None:
    (tmp_path / "hexrec.toml").write_text("#" * (MAX_SETTINGS_BYTES + 1), encoding="utf-8")
    with pytest.raises(Misconfigured, match="larger than 1 MiB: not read"):
        find(str(tmp_path))


def test_what_only_looks_nested_is_read(tmp_path: Path) -> None:
    texts = [
        '"' + "[" * 200 + '"',
        "'" + ".a" * 200 + "'",
        '"""\n\\"' + "{" * 200 + '\n"""',
        "'''\n" + "[" * 200 + "'''",
    ]
    lines = [f"a{number} = {text}  # {'[' * 200}" for number, text in enumerate(texts)]
    numbers = f"b = [{', '.join(['1.5'] * 200)}]"
    lists = f"c = {'[' * MAX_DEPTH}{']' * MAX_DEPTH}"
    text = "\n".join(["[tool.other]", *lines, numbers, lists, "[tool.hexrec]", "lint = true"])
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    assert find(str(tmp_path)).lint


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 5_000 + "]" * 5_000])
def test_baselines_that_are_nested_too_deep_are_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "known.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="this is not a baseline written by hexrec: more than 100 levels of brackets"):
        read(file)
