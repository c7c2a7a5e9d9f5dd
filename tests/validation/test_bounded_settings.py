"""Settings and baselines that are nested, joined or long beyond reason are refused before they are parsed."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexrec.util.limits import MAX_SETTINGS_BYTES
from hexrec.validation.baseline import read
from hexrec.validation.configuration import Configuration, Misconfigured, Settings

DOTS, DEEP = "more than 300 dots in a line", "arrays or tables are nested too deep"


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("ignore = []\n" + "a." * 50_000 + "a = 1", f"line 2: {DOTS}"),
        ("x = {" + "'a'." * 301 + "a = 1}", f"line 1: {DOTS}"),
        ("[" + "a." * 301 + "a]", f"line 1: {DOTS}"),
        ("x = " + "[" * 50_000, DEEP),
        ("x = " + "[" * 50_000 + "]" * 50_000, DEEP),
        ("x = " + "{a = " * 50_000, DEEP),
    ],
)
@pytest.mark.parametrize("name", ["hexrec.toml", "pyproject.toml"])
def test_settings_that_are_nested_too_deep_are_refused(name: str, text: str, problem: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(Misconfigured) as refused:
        Settings().find(str(tmp_path))
    assert str(refused.value) == f"{tmp_path / name}: {problem}"


@pytest.mark.parametrize("text", ["a." * 300 + "a = 1", "x = " + "[" * 100 + "]" * 100, "x = '" + "[" * 50_000 + "'"])
def test_settings_may_be_nested_deep(text: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    assert Settings().find(str(tmp_path)) == Configuration()


def test_how_large_settings_may_be(tmp_path: Path) -> None:
    (tmp_path / "hexrec.toml").write_text("finished = true\n".ljust(MAX_SETTINGS_BYTES, "#"), encoding="utf-8")
    assert Settings().find(str(tmp_path)).finished


def test_settings_that_the_system_does_not_give(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "hexrec.toml"
    path.touch()

    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(Misconfigured) as refused:
        Settings().find(str(tmp_path))
    assert str(refused.value) == f"{path}: cannot be read: Permission denied"


def test_settings_that_are_too_large_are_refused(tmp_path: Path) -> None:
    (tmp_path / "hexrec.toml").write_text("#" * (MAX_SETTINGS_BYTES + 1), encoding="utf-8")
    with pytest.raises(Misconfigured) as refused:
        Settings().find(str(tmp_path))
    assert str(refused.value) == f"{tmp_path / 'hexrec.toml'}: larger than 256 KiB: not read"


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 100_000 + "]" * 100_000])
def test_baselines_that_are_nested_too_deep_are_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "known.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="this is not a baseline written by hexrec"):
        read(file)
