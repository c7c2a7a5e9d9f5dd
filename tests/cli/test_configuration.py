from __future__ import annotations

import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest

from hexrec.parallel import chunks
from tests.cli.conftest import Run
from tests.parallel.conftest import SMALL

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
    """Return the name of the file, the severity and the code of every diagnostic of the text report.

    The severity of an error that is reported although it is ignored is `ignored`.
    """
    line = re.compile(
        r"(?P<file>\S+?)(:\d+)*: (?P<severity>error|warning) (?P<code>\S+?)(?P<ignored> \(ignored .*?\))?: "
    )
    matches = filter(None, map(line.match, hexrec("validate", *arguments, "--suggest", "0").out.splitlines()))
    return [
        f"{Path(match['file']).name} {'ignored' if match['ignored'] else match['severity']} {match['code']}"
        for match in matches
    ]


A, B, C = (f"{name} error move/occupied" for name in ("a.json", "b.json", "c.yaml"))
D = "d.json error result/missing"


def test_settings_are_found_upward_from_each_file(hexrec: Run, archive: Path) -> None:
    (archive / "hexrec.toml").write_text('ignore = ["move"]')
    assert found(hexrec, archive) == []
    assert found(hexrec, archive / "old/1999/a.json") == []
    assert found(hexrec, archive, "--no-config") == [A, B, C]
    (archive / "old/pyproject.toml").write_text('[tool.hexrec]\nwarn = ["move"]')
    assert found(hexrec, archive / "old/1999", archive / "new") == ["a.json ignored move/occupied"]
    assert found(hexrec, archive / "new", archive / "old/1999") == ["a.json ignored move/occupied"]
    assert found(hexrec, archive) == [
        "a.json ignored move/occupied",
        *(f"{name} ignored move/occupied" for name in ("b.json", "c.yaml")),
    ]
    (archive / "old/1999/hexrec.toml").write_text("")
    assert found(hexrec, archive) == [A, "b.json ignored move/occupied", "c.yaml ignored move/occupied"]


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_every_file_has_the_settings_nearest_above_it(
    hexrec: Run, tmp_path: Path, game: dict[str, Any], monkeypatch: pytest.MonkeyPatch, jobs: str
) -> None:
    """Files side by side, in folders within each other, in an archive, and large enough for several chunks."""
    monkeypatch.setattr(chunks.split, "__defaults__", (SMALL,))
    record = {**game, "moves": ["A1", "a2"]}  # not canonical, and without a result
    for folder, settings in {
        ".": "",
        "a": "finished = true",
        "a/b": "lint = true",
        "a/b/c": 'finished = true\nwarn = ["result"]',
        "d": 'select = ["lint/not-canonical"]',
        "e": 'finished = true\nlint = true\n[per-path-ignores]\n"x.json" = ["result"]',
    }.items():
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "hexrec.toml").write_text(settings)
        (tmp_path / folder / "x.json").write_text(json.dumps(record))
        with zipfile.ZipFile(tmp_path / folder / "z.zip", "w") as packed:
            packed.writestr("y/x.json", json.dumps(record))
    (tmp_path / "a/many.jsonl").write_text(f"{json.dumps(record)}\n" * 10)
    report = hexrec("validate", tmp_path, "--format", "json", "--jobs", jobs).report
    codes: dict[str, list[str]] = {}
    for each in report["records"]:
        name = Path(each["file"]).relative_to(tmp_path).as_posix()
        said = [
            f"{'ignored' if 'ignored' in d else d['severity']} {d['code']}"
            for d in each["diagnostics"]
            if "lint/not" in d["code"] or "lint" not in d["code"]
        ]
        assert codes.setdefault(name, said) == said
    missing, spelled, ignored = "error result/missing", "warning lint/not-canonical", "ignored result/missing"
    assert codes == {
        "a/b/c/x.json": [ignored],
        "a/b/c/z.zip/y/x.json": [ignored],
        "a/b/x.json": [spelled],
        "a/b/z.zip/y/x.json": [spelled],
        "a/many.jsonl": [missing],
        "a/x.json": [missing],
        "a/z.zip/y/x.json": [missing],
        "d/x.json": [spelled],
        "d/z.zip/y/x.json": [spelled],
        "e/x.json": [ignored, spelled],
        "e/z.zip/y/x.json": [missing, spelled],
        "x.json": [],
        "z.zip/y/x.json": [],
    }
    paths = sorted(tmp_path.rglob("x.json"), reverse=True)
    alone = {path: found(hexrec, path) for path in paths}
    records = hexrec("validate", *paths, "--format", "json", "--ignore", "lint/duplicate").report["records"]
    assert {path: each["accepted"] for path, each in zip(paths, records, strict=True)} == {
        path: not any("error" in line for line in alone[path]) for path in paths
    }


def test_options_go_before_the_settings_of_every_file(hexrec: Run, archive: Path) -> None:
    (archive / "new/hexrec.toml").write_text("finished = true")
    (archive / "old/hexrec.toml").write_text("lint = true\nignore = ['move', 'lint']")
    assert found(hexrec, archive) == [D]
    assert found(hexrec, archive, "--no-finished") == []
    assert found(hexrec, archive, "--select", "move,result") == [D, A, B, C]
    assert found(hexrec, archive, "--no-config") == [A, B, C]


def test_settings_of_a_folder_below_that_cannot_be_followed(hexrec: Run, archive: Path) -> None:
    (archive / "old/1999/hexrec.toml").write_text("finished = 1")
    for command in ("validate", "score"):
        ran = hexrec(command, archive, "-o", archive / "out", "--format", "jsonl")
        assert (ran.code, (archive / "out").exists()) == (2, False)
        assert f"{archive}/old/1999/hexrec.toml: finished: should be true or false" in ran.err
        assert hexrec(command, archive / "new").code == 0


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
    assert found(hexrec, archive / "old/b.json") == ["b.json ignored move/occupied"]
    (archive / "pyproject.toml").write_text('[tool.hexrec]\nignore = ["move"]')
    assert found(hexrec, archive / "old/b.json") == ["b.json ignored move/occupied"]
    (archive / "hexrec.toml").unlink()
    assert found(hexrec, archive / "old/b.json") == []


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


def test_what_cannot_be_ignored_may_be_selected(hexrec: Run, archive: Path) -> None:
    (archive / "hexrec.toml").write_text('select = ["syntax/unreadable"]')
    assert found(hexrec, archive, archive / "none.json") == ["none.json error syntax/unreadable"]


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_scores_follow_the_settings(hexrec: Run, archive: Path, jobs: str) -> None:
    (archive / "hexrec.toml").write_text('ignore = ["move"]')
    assert hexrec("score", archive).code == 0
    assert hexrec("score", archive, "--no-config").code == 1
    (archive / "old/1999/hexrec.toml").write_text("")
    rows = [json.loads(line) for line in hexrec("score", archive, "--format", "jsonl", "--jobs", jobs).out.splitlines()]
    ignored = ("move/occupied", str(archive / "hexrec.toml"))
    assert {Path(row["file"]).name: (row["code"], row["accepted_by"]) for row in rows} == {
        "a.json": ("move/occupied", None),
        "b.json": ignored,
        "c.yaml": ignored,
        "d.json": (None, None),
    }


@pytest.mark.parametrize("command", ["validate", "score"])
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('ignroe = ["move"]', "hexrec.toml: ignroe: unknown key: perhaps ignore"),
        ("[tool.hexrec]", "hexrec.toml: tool: unknown key: there are select, ignore, warn"),
        ('ignore = "move"', "hexrec.toml: ignore: should be an array of codes"),
        ("warn = [3]", "hexrec.toml: warn: should be an array of codes"),
        ('select = ["move/ocupied"]', "hexrec.toml: select: unknown code 'move/ocupied': perhaps move/occupied"),
        ('warn = ["syntax/unreadable"]', "hexrec.toml: warn: syntax/unreadable is always an error"),
        ('select = ["xyzzy"]', "hexrec.toml: select: unknown code 'xyzzy'; `hexrec explain` lists all codes"),
        ("baseline = 5", "hexrec.toml: baseline: should be the path of a file"),
        ('baseline = ["known.json"]', "hexrec.toml: baseline: should be the path of a file"),
        ("finished = 1", "hexrec.toml: finished: should be true or false"),
        ("per-path-ignores = []", "hexrec.toml: per-path-ignores: should be a table"),
        ('[per-path-ignores]\n"old/*" = ["mvoe"]', "hexrec.toml: per-path-ignores.\"old/*\": unknown code 'mvoe'"),
        ("ignore =", "hexrec.toml: not TOML"),
    ],
)
def test_settings_that_cannot_be_followed(hexrec: Run, archive: Path, command: str, text: str, message: str) -> None:
    (archive / "hexrec.toml").write_text(text)
    ran = hexrec(command, archive)
    assert (ran.code, ran.out) == (2, "")
    assert f"{archive}/{message}" in ran.err
    assert hexrec(command, archive, "--no-config").code == 1


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("reslt", "result"),
        ("move/flip-frend", "move/flip-edge or move/flips-head or move/flip-own"),
        ("unknown/type", "schema/type"),
        ("unknowable/flip-", "move/flip-own or move/flip-edge or move/flips-head"),
    ],
)
def test_at_most_three_similar_codes_are_named(hexrec: Run, archive: Path, name: str, near: str) -> None:
    (archive / "hexrec.toml").write_text(f'ignore = ["{name}"]')
    said = hexrec("validate", archive).err
    assert said.endswith(f"hexrec.toml: ignore: unknown code '{name}': perhaps {near}\n")


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
    assert found(hexrec, archive, "--warn", "move")[-1:] == ["c.yaml ignored move/occupied"]
    (archive / "archive/before-2010").rename(archive / "new")
    assert found(hexrec, archive / "new") == [D]
