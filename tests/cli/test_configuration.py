from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Run

PAGE = Path(__file__).parent.parent.parent / "docs/configuration.md"


@pytest.fixture
def archive(tmp_path: Path, game: dict[str, Any]) -> Path:
    """Folders of games: the old ones have an illegal turn, the new one has no result."""
    illegal = json.dumps({**game, "moves": ["a1", "c3"]})
    for name, text in {
        "old/1999/a.json": illegal,
        "old/b.json": illegal,
        "old/c.yaml": illegal,
        "new/d.json": json.dumps(game),
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def found(hexrec: Run, *arguments: str | Path) -> list[str]:
    """Return the name of the file, the severity and the code of every diagnostic."""
    records = hexrec("validate", *arguments, "--format", "json").report["records"]
    return [
        f"{Path(record['file']).name} {diagnostic['severity']} {diagnostic['code']}"
        for record in records
        for diagnostic in record["diagnostics"]
    ]


A, B, C = (f"{name} error move/occupied" for name in ("a.json", "b.json", "c.yaml"))
D = "d.json error result/missing"


def test_settings_are_found_upward_from_the_first_path(hexrec: Run, archive: Path) -> None:
    (archive / "hexrec.toml").write_text('ignore = ["move"]')
    assert found(hexrec, archive) == []
    assert found(hexrec, archive / "old/1999/a.json") == []
    assert found(hexrec, archive, "--no-config") == [A, B, C]
    (archive / "old/pyproject.toml").write_text('[tool.hexrec]\nwarn = ["move"]')
    assert found(hexrec, archive / "old/1999", archive / "new") == ["a.json warning move/occupied"]
    assert found(hexrec, archive / "new", archive / "old/1999") == []


def test_standard_input_looks_above_the_current_folder(
    hexrec: Run, archive: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    illegal = (archive / "old/b.json").read_bytes()
    (archive / "hexrec.toml").write_text('[per-path-ignores]\n"**" = ["move"]')
    monkeypatch.chdir(archive / "new")
    assert hexrec("validate", "-", stdin=illegal).code == 1
    (archive / "hexrec.toml").write_text('ignore = ["move"]')
    (archive / "new" / "-").mkdir()
    (archive / "new" / "-" / "hexrec.toml").write_text("finished = 1")
    assert hexrec("validate", "-", stdin=illegal).code == 0


def test_which_file_of_a_folder_counts(hexrec: Run, archive: Path) -> None:
    (archive / "hexrec.toml").write_text('warn = ["move"]')
    (archive / "old/pyproject.toml").write_text('[project]\nname = "x"')
    assert found(hexrec, archive / "old/b.json") == ["b.json warning move/occupied"]
    (archive / "pyproject.toml").write_text('[tool.hexrec]\nignore = ["move"]')
    assert found(hexrec, archive / "old/b.json") == ["b.json warning move/occupied"]
    (archive / "hexrec.toml").unlink()
    assert found(hexrec, archive / "old/b.json") == []


def test_finished(hexrec: Run, archive: Path) -> None:
    (archive / "hexrec.toml").write_text("finished = true")
    assert found(hexrec, archive / "new") == [D]
    assert found(hexrec, archive / "new", "--no-finished") == []
    assert found(hexrec, archive / "new", "--no-config") == []


def test_options_go_before_settings(hexrec: Run, archive: Path) -> None:
    (archive / "hexrec.toml").write_text(
        'finished = true\nignore = ["move/occupied"]\n[per-path-ignores]\n"new" = ["result"]'
    )
    assert found(hexrec, archive) == []
    assert found(hexrec, archive, "--select", "move") == [A, B, C]
    assert found(hexrec, archive, "--warn", "result") == ["d.json warning result/missing"]


@pytest.mark.parametrize(
    ("pattern", "left"),
    [
        ("old", []),
        ("old/", []),
        ("old/*", []),
        ("old/1999", [B, C]),
        ("old/*.json", [A, C]),
        ("**/*.json", [C]),
        ("**/1999/**", [B, C]),
        ("old/**/[ab].json", [C]),
        ("*.json", [A, B, C]),
        ("1999", [A, B, C]),
        ("OLD", [A, B, C]),
        ("**", []),
    ],
)
def test_ignores_by_path(hexrec: Run, archive: Path, pattern: str, left: list[str]) -> None:
    (archive / "hexrec.toml").write_text(f'[per-path-ignores]\n"{pattern}" = ["move/occupied"]')
    assert found(hexrec, archive) == left


def test_ignores_by_path_leave_other_codes_and_other_folders_alone(hexrec: Run, archive: Path) -> None:
    (archive / "new/hexrec.toml").write_text('finished = true\n[per-path-ignores]\n"**" = ["move"]')
    assert found(hexrec, archive / "new", archive / "old/1999") == [D, A]


def test_a_pattern_keeps_all_but_the_slashes_around_it(hexrec: Run, archive: Path) -> None:
    (archive / "old/X").mkdir()
    (archive / "old/b.json").rename(archive / "old/X/b.json")
    (archive / "hexrec.toml").write_text('[per-path-ignores]\n"/old/X/" = ["move/occupied"]')
    assert found(hexrec, archive) == [A, C]


def test_what_cannot_be_ignored_may_be_selected(hexrec: Run, archive: Path) -> None:
    (archive / "hexrec.toml").write_text('select = ["syntax/unreadable"]')
    assert found(hexrec, archive, archive / "none.json") == ["none.json error syntax/unreadable"]


def test_scores_follow_the_settings(hexrec: Run, archive: Path) -> None:
    (archive / "hexrec.toml").write_text('ignore = ["move"]')
    assert hexrec("score", archive).code == 0
    assert hexrec("score", archive, "--no-config").code == 1


@pytest.mark.parametrize("command", ["validate", "score"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('ignroe = ["move"]', "hexrec.toml: ignroe: unknown key: perhaps ignore"),
        ("[tool.hexrec]", "hexrec.toml: tool: unknown key: there are select, ignore, warn"),
        ('ignore = "move"', "hexrec.toml: ignore: should be a list of codes"),
        ("warn = [3]", "hexrec.toml: warn: should be a list of codes"),
        ('select = ["move/ocupied"]', "hexrec.toml: select: unknown code 'move/ocupied': perhaps move/occupied"),
        ('warn = ["syntax/unreadable"]', "hexrec.toml: warn: syntax/unreadable is always an error"),
        ("finished = 1", "hexrec.toml: finished: should be true or false"),
        ("per-path-ignores = []", "hexrec.toml: per-path-ignores: should be a table"),
        ('[per-path-ignores]\n"old/*" = ["mvoe"]', "hexrec.toml: per-path-ignores.\"old/*\": unknown code 'mvoe'"),
        ("ignore =", "hexrec.toml: this is not TOML"),
    ],
)
def test_settings_that_cannot_be_followed(hexrec: Run, archive: Path, command: str, text: str, message: str) -> None:
    (archive / "hexrec.toml").write_text(text)
    ran = hexrec(command, archive)
    assert (ran.code, ran.out) == (2, "")
    assert f"{archive}/{message}" in ran.err
    assert hexrec(command, archive, "--no-config").code == 1


def test_keys_of_a_table_are_named_with_it(hexrec: Run, archive: Path) -> None:
    (archive / "pyproject.toml").write_text("[tool.hexrec]\nselct = []")
    assert "pyproject.toml: tool.hexrec.selct: unknown key: perhaps select" in hexrec("validate", archive).err
    (archive / "pyproject.toml").write_text("[tool]\nhexrec = 1")
    assert "pyproject.toml: tool.hexrec: should be a table" in hexrec("validate", archive).err


@pytest.mark.parametrize("file", ["hexrec.toml", "pyproject.toml"])
def test_examples_of_the_page(hexrec: Run, archive: Path, file: str) -> None:
    text = PAGE.read_text(encoding="utf-8")
    example = re.search(rf"```toml\n# {file}\n(.*?)```", text, flags=re.DOTALL)
    assert example is not None
    (archive / file).write_text(example[1])
    (archive / "archive").mkdir()
    (archive / "new").rename(archive / "archive/before-2010")
    assert hexrec("validate", archive / "archive").code == 0
    assert found(hexrec, archive, "--warn", "move")[-1:] == ["c.yaml warning move/occupied"]
    (archive / "archive/before-2010").rename(archive / "new")
    assert found(hexrec, archive / "new") == [D]
