"""Patterns for paths: what the standard library finds, each path once; folders of any depth."""

from __future__ import annotations

import os
from collections.abc import Iterator
from glob import glob
from pathlib import Path

import pytest

from hexrec.io.discovery import Discovery, Source, fixed_directory, matching_paths
from hexrec.util.diagnostics import Diagnostic
from tests.formats.helpers import LINE

NAMES = [
    *("a.json", "b.json", ".hidden.json", "a/a.json", "a/b/a.json", "a/b/c/x.txt", "a/a/a/a.json", "a[1]/b.json"),
    *("b/.git/a.json", "b/a/.x.json", "c/d/e/f/g.json", "\u00e9/\u00e9.json"),
]
PATTERNS = [
    *("*", "*.json", "?.json", "[ab].json", "[!a].json", ".*", "*/*.json", "a/*", "a*/b.json", "*/b/../*.json"),
    *("**", "**/*.json", "a/**", "**/a/*.json", "**/a/**/a.json", "**/**/a.json", "a/**/**/*", "**/.*", "b/.*/*"),
    *("./*.json", "a//*.json", "*/", "**/b/", "*/none/*", "none/*", "a[[]1]/*", "**/c/d/**/g.json", "*/./a.json"),
    *("*/**", "*/*", "*/*/*"),
]


#: The name of folders within each other.
LONG = "d" * 9


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in NAMES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(LINE)
    (tmp_path / "a" / "up").symlink_to("..")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def files(names: list[str], pattern: str) -> set[str]:
    """Return the paths of a set that are not reached through the link; of patterns with `**`, files alone."""
    plain = {os.path.normpath(name) for name in names if "up" not in Path(name).parts}
    return {name for name in plain if "**" not in pattern or os.path.isfile(name)}


@pytest.mark.parametrize("pattern", PATTERNS)
def test_what_the_standard_library_finds(tree: Path, pattern: str) -> None:
    found = matching_paths(pattern)
    assert found == sorted(set(found))
    assert matching_paths(os.path.join(str(tree), pattern)) == [os.path.join(str(tree), name) for name in found]
    # The library would go through the link dozens of times.
    (tree / "a" / "up").unlink()
    expected = files(glob(pattern, recursive=True), pattern)
    assert files(found, pattern) == (set() if pattern.endswith("**/b/") else expected)


@pytest.mark.usefixtures("tree")
def test_links_stand_for_names_but_not_for_any_number_of_folders() -> None:
    assert matching_paths("a/*/b.json") == ["a/up/b.json"]
    assert not [name for name in matching_paths("**/*.json") if "up" in name]


@pytest.mark.parametrize("pattern", ["*/b.json", "[ax]/a.json", "x/*.json", "*/*/x.txt"])
def test_a_folder_with_two_names_is_found_under_both(tree: Path, pattern: str) -> None:
    (tree / "x").symlink_to("a")
    (tree / "a[1]" / "a").symlink_to("../a/b/c")
    assert set(matching_paths(pattern)) == set(glob(pattern))


@pytest.mark.parametrize("pattern", ["**/" * 50 + "*.json", "**/a/**/a/x.json"])
def test_a_file_that_a_pattern_matches_in_several_ways_is_found_once(tmp_path: Path, pattern: str) -> None:
    folder = tmp_path / ("a/" * 30)
    folder.mkdir(parents=True)
    (folder / "x.json").write_text(LINE)
    assert matching_paths(str(tmp_path / pattern)) == [str(folder / "x.json")]


@pytest.mark.parametrize(
    ("pattern", "folder"), [("*", "."), ("a/*", "a"), ("/x/y*/z", "/x"), ("a/b/**/c", "a/b"), ("a[b]/..", ".")]
)
def test_the_fixed_part(pattern: str, folder: str) -> None:
    assert fixed_directory(pattern) == folder


@pytest.fixture
def deep(tmp_path: Path) -> Iterator[tuple[Path, int]]:
    """A folder whose folders are deeper than paths may be long, with a file in each of them, and one beside it."""
    depth = 500
    back = os.open(".", os.O_RDONLY)
    os.chdir(tmp_path)
    try:
        for _ in range(depth):
            Path("a.json").write_text(LINE)
            os.mkdir(LONG)
            os.chdir(LONG)
        os.chdir(tmp_path)
        Path("z.json").write_text(LINE)
        os.fchdir(back)
        yield tmp_path, depth
    finally:
        # Whoever clears up after tests would not reach the bottom.
        os.chdir(tmp_path)
        for _ in range(depth):
            os.chdir(LONG)
        for _ in range(depth):
            os.chdir("..")
            os.rmdir(LONG)
            os.unlink("a.json")
        os.fchdir(back)
        os.close(back)


@pytest.mark.skipif(os.name != "posix", reason="other limits on paths")
def test_folders_may_be_deeper_than_paths_are_long(deep: tuple[Path, int]) -> None:
    folder, depth = deep
    longest = os.pathconf(folder, "PC_PATH_MAX")
    found = list(Discovery([str(folder)]))
    sources = [item for item in found if isinstance(item, Source)]
    refused = [item for item in found if isinstance(item, Diagnostic)]
    assert 300 < len(sources) < depth
    assert sources[-1].name == str(folder / "z.json")
    assert [item.code for item in refused] == ["syntax/unreadable"]
    assert len(str(refused[0].file)) >= longest - 2 * len(LONG)
    assert "name too long" in refused[0].message.lower()
    names = [name for name in matching_paths(str(folder / "**" / "*.json")) if len(name) < longest]
    assert set(names) == {source.name for source in sources if len(source.name) < longest}
