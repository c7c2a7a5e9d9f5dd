"""Settings and baselines that are nested, joined or long beyond reason are refused before they are parsed."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from hexrec.util.limits import MAX_BASELINE_BYTES, MAX_SETTINGS_BYTES
from hexrec.validation.baseline import Baselines, parse
from hexrec.validation.configuration import Configuration, Misconfigured, Settings, read_configuration
from hexrec.validation.report import Report

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

    with monkeypatch.context() as system:
        system.setattr("os.open", refuse)
        with pytest.raises(Misconfigured) as refused:
            Settings().find(str(tmp_path))
    assert str(refused.value) == f"{path}: cannot be read: permission denied"


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
        parse(file.read_bytes(), file)


def _refusal(call: Callable[[], object]) -> str:
    with pytest.raises(Misconfigured) as refused:
        call()
    return str(refused.value)


def test_a_baseline_in_the_settings_that_is_too_large_is_refused(tmp_path: Path) -> None:
    file, known = tmp_path / "a.json", tmp_path / "known.json"
    (tmp_path / "hexrec.toml").write_text('baseline = "known.json"', encoding="utf-8")
    text = '{"hexrec-baseline": 1, "diagnostics": []}'
    known.write_text(text.ljust(MAX_BASELINE_BYTES), encoding="utf-8")
    report = Report((), file=str(file))
    assert Baselines(Settings(), None).apply(report) == report
    known.write_text(text.ljust(MAX_BASELINE_BYTES + 1), encoding="utf-8")
    assert _refusal(lambda: Baselines(Settings(), None).apply(report)) == f"{known}: larger than 8 MiB: not read"
    assert Baselines(Settings(), known).apply(report) == report


def _pipe(content: bytes) -> Path:
    """Return the path of a pipe with some content, as a shell names it in `<(command)`: a link to a pipe."""
    reading, writing = os.pipe()
    os.write(writing, content)
    os.close(writing)
    return Path(f"/dev/fd/{reading}")


@pytest.mark.skipif(not Path("/dev/fd").exists(), reason="pipes have no names on this system")
def test_files_that_a_user_names_may_be_pipes_and_links() -> None:
    assert read_configuration(_pipe(b"finished = true")).finished
    known = Baselines(Settings(), _pipe(b'{"hexrec-baseline": 1, "diagnostics": []}'))
    assert known.apply(Report(())) == Report(())


@pytest.mark.parametrize(
    ("patterns", "count"),
    [
        ([str(number) for number in range(1_001)], "1,001 of 2,894"),
        (["a" * 20_001], "1 of 20,001"),
        (["a" * 10_000, "b" * 10_001], "2 of 20,001"),
    ],
)
def test_too_many_patterns_are_refused(patterns: list[str], count: str, tmp_path: Path) -> None:
    file = tmp_path / "hexrec.toml"
    file.write_text("[per-path-ignores]\n" + "".join(f'"{pattern}" = ["move"]\n' for pattern in patterns))
    most = "should have at most 1,000 patterns of 20,000 characters together"
    assert _refusal(lambda: Settings().find(str(tmp_path))) == (
        f"{file}: per-path-ignores: {most} ({count}): name directories"
    )
