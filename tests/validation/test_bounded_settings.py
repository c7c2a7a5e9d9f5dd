"""Settings and baselines that are nested, joined or long beyond reason are refused before they are parsed."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import pytest

from hexrec.limits import MAX_DEPTH, MAX_SETTINGS_BYTES
from hexrec.settings.baseline import read
from hexrec.settings.configuration import Configuration, Misconfigured, Settings

JUST = MAX_DEPTH
DEEP = {
    "dotted name": (1, "ignore = []\n" + ".".join("a" * 50_000) + " = 1"),
    "quoted dotted name": (0, ".".join(['"a"'] * 50_000) + " = 1"),
    "header": (0, "[" + ".".join("a" * 50_000) + "]"),
    "lists": (0, "ignore = " + "[" * 50_000),
    "closed lists": (0, "ignore = " + "[" * 50_000 + "]" * 50_000),
    "tables": (0, "x = " + "{a = " * 50_000),
    "behind a text": (2, "'''\n'''\nx = " + "[" * 50_000),
    "lists, one too many": (0, "x = " + "[" * (JUST + 1) + "]" * (JUST + 1)),
    "lists on lines": (JUST + 1, "\nx = " + "[\n" * (JUST + 1) + "]\n" * (JUST + 1)),
    "tables, one too many": (1, "[a]\nx = " + "{a = " * (JUST + 1) + "1" + "}" * (JUST + 1)),
    "tables in lists": (0, "x = " + "[{a = " * 51 + "1" + "}]" * 51),
    "name of one part too many": (1, "\n" + "a." * (JUST + 1) + "a = 1"),
    "name of texts, one too many": (1, "\n" + "'a'." * (JUST + 1) + "a = 1"),
}


@pytest.mark.parametrize(("line", "text"), DEEP.values(), ids=DEEP)
@pytest.mark.parametrize("name", ["hexrec.toml", "pyproject.toml"])
def test_settings_that_are_nested_too_deep_are_refused(name: str, line: int, text: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(Misconfigured) as refused:
        Settings().find(str(tmp_path))
    assert str(refused.value) == (f"{tmp_path / name}: line {line + 1}: more than 100 levels of tables and lists")


@pytest.mark.parametrize(
    "text",
    [
        "x = " + "[" * JUST + "]" * JUST,
        "x = " + "[\n" * JUST + "]\n" * JUST,
        "x = " + "{a = " * JUST + "1" + "}" * JUST,
        "x = " + "[{a = " * 50 + "1" + "}]" * 50,
        "a." * JUST + "a = 1",
        "'a'." * JUST + "a = 1",
        "\nx = 1\n" + "a." * JUST + "a = 1",
        "\n".join(f"[t{number}]\na.b = {{c = [1]}}" for number in range(2 * JUST)),
        "x = [" + "{a.b.c = 1}, " * JUST + "]",
    ],
)
def test_settings_may_be_nested_deep(text: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    assert Settings().find(str(tmp_path)) == Configuration()


def test_how_large_settings_may_be(tmp_path: Path) -> None:
    (tmp_path / "hexrec.toml").write_text("finished = true\n".ljust(MAX_SETTINGS_BYTES, "#"), encoding="utf-8")
    assert Settings().find(str(tmp_path)).finished


def test_settings_behind_a_link_that_leads_out_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "elsewhere").mkdir()
    real = tmp_path / "elsewhere/other.toml"
    real.write_text("finished = true", encoding="utf-8")
    link = tmp_path / "sub/hexrec.toml"
    link.symlink_to(real)
    with pytest.raises(Misconfigured) as refused:
        Settings().find(str(link.parent))
    hint = "--follow-links follows it, --no-config ignores it"
    assert str(refused.value) == f"{link}: a link out of its folder, to {real}: {hint}"
    assert Settings(follow_links=True).find(str(link.parent)).finished


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
    assert str(refused.value) == f"{tmp_path / 'hexrec.toml'}: larger than 1 MiB: not read"


def test_no_more_is_read_of_settings_than_they_may_have(tmp_path: Path) -> None:
    with open(tmp_path / "hexrec.toml", "wb") as file:
        file.truncate(32 * MAX_SETTINGS_BYTES)
    tracemalloc.start()
    try:
        with pytest.raises(Misconfigured):
            Settings().find(str(tmp_path))
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 4 * MAX_SETTINGS_BYTES


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
    assert Settings().find(str(tmp_path)).lint


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000, "[" * 5_000 + "]" * 5_000])
def test_baselines_that_are_nested_too_deep_are_refused(text: str, tmp_path: Path) -> None:
    file = tmp_path / "known.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError, match="this is not a baseline written by hexrec: more than 100 levels of brackets"):
        read(file)
