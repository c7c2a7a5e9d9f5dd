"""Finding files: folders in order, what is passed over, what cannot be read."""

from __future__ import annotations

import json
import os
import zipfile
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from hexrec.io.discovery import Discovery, Source
from hexrec.util.diagnostics import Diagnostic
from hexrec.validation.sources import check_sources
from tests.formats.helpers import LINE


def put(folder: Path, *names: str) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(LINE)


def found(folder: Path, discovery: Discovery) -> list[str]:
    """Return what a discovery finds in a folder: the names of sources, the codes of diagnostics."""
    return [
        os.path.relpath(item.name, folder) if isinstance(item, Source) else f"{item.code} {_name(folder, item)}"
        for item in discovery
    ]


def _name(folder: Path, diagnostic: Diagnostic) -> str:
    return os.path.relpath(diagnostic.file or "", folder)


@pytest.mark.parametrize(
    ("names", "paths", "expected", "skipped"),
    [
        (
            ["b.json", "a/z.yaml", "a/b/c/d.jsonl", "a.yml", "B.ndjson", "c/a.JSON", "\u00e9.json", "a/b.json"],
            [""],
            ["B.ndjson", "a/b/c/d.jsonl", "a/b.json", "a/z.yaml", "a.yml", "b.json", "c/a.JSON", "\u00e9.json"],
            [],
        ),
        (
            ["b/2.json", "b/1.json", "a.json"],
            ["b", "a.json", "b/2.json"],
            ["b/1.json", "b/2.json", "a.json"],
            [],
        ),
        (
            ["a.json", "notes.txt", "sub/README", "sub/b.json.bak"],
            [""],
            ["a.json"],
            ["notes.txt", "sub/README", "sub/b.json.bak"],
        ),
        (["a.json", ".hidden.json", ".git/b.json", "sub/.x/c.json"], [""], ["a.json"], []),
        ([".hidden.json", ".git/b.json"], [".git", ".hidden.json"], [".git/b.json", ".hidden.json"], []),
    ],
    ids=["to the bottom, by name", "in the order given", "of other suffixes", "hidden", "hidden and named"],
)
def test_files_in_folders(
    tmp_path: Path, names: list[str], paths: list[str], expected: list[str], skipped: list[str]
) -> None:
    put(tmp_path, *names)
    discovery = Discovery([str(tmp_path / path) for path in paths])
    assert found(tmp_path, discovery) == expected
    assert [os.path.relpath(path, tmp_path) for path in discovery.skipped.kept] == skipped


@pytest.mark.parametrize(("given", "formats"), [(None, ["json", "yaml", "jsonl"]), ("yaml", 3 * ["yaml"])])
def test_files_in_folders_have_the_format_that_their_names_tell(
    tmp_path: Path, given: str | None, formats: list[str]
) -> None:
    put(tmp_path, "a.json", "b.yml", "c.ndjson")
    assert [item.format for item in Discovery([str(tmp_path)], given) if isinstance(item, Source)] == formats


@pytest.mark.parametrize("names", [[], ["notes.txt"], [".a.json"], ["sub/notes.txt"]], ids=str)
def test_a_folder_without_records_is_reported(tmp_path: Path, names: list[str]) -> None:
    (tmp_path / "empty").mkdir()
    put(tmp_path, *names)
    (report,) = check_sources(Discovery([str(tmp_path)]))
    (diagnostic,) = report.diagnostics
    assert (diagnostic.code, diagnostic.file, diagnostic.line) == ("syntax/unreadable", str(tmp_path), None)
    assert diagnostic.message.startswith("the directory contains no files of records, which end in .hgn")


@pytest.mark.parametrize("within", ["", "a.zip"])
def test_an_archive_without_records_is_reported(tmp_path: Path, within: str) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("notes.txt", "no")
    (diagnostic,) = Discovery([str(tmp_path / within)])
    file = str(tmp_path / "a.zip")
    assert isinstance(diagnostic, Diagnostic)
    assert (diagnostic.code, diagnostic.file) == ("syntax/unreadable", file)
    assert diagnostic.message.startswith("the archive contains no files of records")


def test_the_format_of_files_in_archives_may_be_given(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("a.json", LINE)
    (source,) = Discovery([str(tmp_path)], "yaml")
    assert isinstance(source, Source)
    assert (source.format, source.archive) == ("yaml", str(tmp_path / "a.zip"))


class Odd:
    """An entry of a folder of which the system does not say what it is."""

    name = "b.json"
    path = "odd/b.json"

    def is_dir(self, **_: bool) -> bool:
        raise PermissionError(13, "Permission denied")


def test_an_entry_of_which_the_system_says_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "a.json", "z.json")
    with os.scandir(tmp_path) as listed:
        entries = [*listed, Odd()]
    monkeypatch.setattr(os, "scandir", lambda _: nullcontext(entries))
    first, odd, last = Discovery([str(tmp_path)])
    assert odd == Diagnostic("syntax/unreadable", "cannot be read: permission denied", file="odd/b.json")
    assert [os.path.basename(each.name) for each in (first, last) if isinstance(each, Source)] == ["a.json", "z.json"]


def test_paths_below_the_current_folder_are_named_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "a.json", "sub/b.json")
    monkeypatch.chdir(tmp_path)
    names = ["a.json", os.path.join("sub", "b.json")]
    assert [item.name for item in Discovery(["."]) if isinstance(item, Source)] == names
    assert [item.name for item in Discovery(["./a.json"]) if isinstance(item, Source)] == ["./a.json"]


def test_the_first_of_many_names_that_are_passed_over_are_kept(tmp_path: Path) -> None:
    put(tmp_path, "z.json", *(f"{number:03}.txt" for number in range(103)))
    discovery = Discovery([str(tmp_path)])
    assert found(tmp_path, discovery) == ["z.json"]
    assert discovery.skipped.total == 103
    assert [os.path.basename(name) for name in discovery.skipped.kept] == [f"{number:03}.txt" for number in range(101)]


@pytest.mark.parametrize(
    ("error", "reason"), [(PermissionError(13, "Permission denied"), "permission denied"), (OSError("odd"), "odd")]
)
def test_a_folder_that_the_system_does_not_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, reason: str
) -> None:
    put(tmp_path, "a.json", "closed/b.json", "z.json")
    scandir = os.scandir

    def refuse(path: Any) -> Any:
        if os.path.basename(path) == "closed":
            raise error
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    first, closed, last = Discovery([str(tmp_path)])
    assert isinstance(first, Source)
    assert isinstance(last, Source)
    closed_file = str(tmp_path / "closed")
    assert closed == Diagnostic("syntax/unreadable", f"cannot be read: {reason}", file=closed_file)


PLAY = '"header": {"game": {"name": "Sunspot"}},\n"moves": []}]\n'
RECOGNIZED = [
    ("json", f"\ufeff\n \n{{\n{LINE[1:]}\n"),
    ("jsonl", f"\ufeff \n{LINE}\n\n{LINE}\n"),
    ("yaml", "\n# a\n\nhexrec: '1'\n"),
    ("hgn", '\n\n[Game "Sunspot"]\n[Size "5"]\n\n1. e5 *\n'),
    ("hgn", '\ufeff\n; the file\n\n[Game "Sunspot"]\n\n1. e5 *\n'),
    ("sgf", "\n(;GM[5001]\n;B[e5])\n"),
    ("json", "[\n\n{\n\n" + " " * 5_000 + PLAY),
    ("json", "\n \n [\n{\n" + PLAY),
    ("json", "\ufeff[\n{\n" + PLAY),
]


@pytest.mark.parametrize(("format", "text"), RECOGNIZED)
def test_a_file_whose_name_says_nothing_is_recognized_and_read_whole(tmp_path: Path, format: str, text: str) -> None:
    path = tmp_path / "game"
    path.write_text(text, encoding="utf-8")
    source = Source(str(path))
    with source.open() as stream:
        name, whole = source.recognize(stream)
        assert (name, whole.read().decode()) == (format, text)


def test_links_to_files_are_followed_and_links_to_folders_are_not(tmp_path: Path) -> None:
    put(tmp_path, "folder/real/a.json", "folder/b.json")
    (tmp_path / "folder" / "file.json").symlink_to(tmp_path / "folder" / "real" / "a.json")
    (tmp_path / "folder" / "chain.json").symlink_to("file.json")
    (tmp_path / "folder" / "link").symlink_to(tmp_path / "folder" / "real")
    (tmp_path / "folder" / "round").symlink_to(tmp_path / "folder")
    discovery = Discovery([str(tmp_path / "folder")])
    assert found(tmp_path, discovery) == [f"folder/{name}.json" for name in ("b", "chain", "file", "real/a")]
    assert [os.path.relpath(path, tmp_path) for path in discovery.skipped.kept] == ["folder/link", "folder/round"]
    assert discovery.links.kept == []
    assert found(tmp_path, Discovery([str(tmp_path / "folder" / "link")])) == ["folder/link/a.json"]


def put_links(folder: Path) -> None:
    """Put a folder beside another, to which files, a folder, an archive and a chain of links in it lead."""
    put(folder, "games/z.json", "out/a.json", "out/more/b.json", "out/notes.txt", "out/c.zip")
    (folder / "games" / "chain.json").symlink_to("file.json")
    (folder / "games" / "file.json").symlink_to(folder / "out" / "a.json")
    (folder / "games" / "link").symlink_to("../out/more")
    (folder / "games" / "lost.json").symlink_to("../out/nowhere.json")
    (folder / "games" / "notes.txt").symlink_to("../out/notes.txt")
    (folder / "games" / "pack.zip").symlink_to("../out/c.zip")
    (folder / "out" / "more" / "back").symlink_to("../../games")


LEADING_OUT = [f"games/{name}" for name in ("chain.json", "file.json", "link", "lost.json", "pack.zip")]


@pytest.mark.parametrize(
    ("paths", "follow_links", "expected", "links"),
    [
        (["games"], False, ["games/z.json"], LEADING_OUT),
        # What was named itself, and what is in a folder that was named, is followed.
        (["games/chain.json", "games/link"], False, ["games/chain.json", "games/link/b.json"], ["games/link/back"]),
        (["games", "out/more"], False, ["games/z.json", "out/more/b.json"], [*LEADING_OUT[:2], *LEADING_OUT[3:]]),
        (
            ["games"],
            True,
            [
                *("games/chain.json", "games/file.json", "games/link/b.json", "games/lost.json"),
                *("syntax/unreadable games/pack.zip", "games/z.json"),
            ],
            [],
        ),
    ],
)
def test_links_out_of_the_folders(
    tmp_path: Path, paths: list[str], follow_links: bool, expected: list[str], links: list[str]
) -> None:
    put_links(tmp_path)
    discovery = Discovery([str(tmp_path / path) for path in paths], follow_links=follow_links)
    assert found(tmp_path, discovery) == expected
    assert [os.path.relpath(path, tmp_path) for path in discovery.links.kept] == links


@pytest.mark.parametrize("pattern", ["games/*", "games/**/*.json", "gam[e]s/../games/*.json"])
def test_what_a_pattern_matches_is_held_to_the_folder_that_it_names(tmp_path: Path, pattern: str) -> None:
    put_links(tmp_path)
    (tmp_path / "games" / "inside.json").symlink_to("z.json")
    discovery = Discovery([str(tmp_path / pattern)])
    names = [name for name in found(tmp_path, discovery) if not name.startswith("syntax/")]
    if pattern.startswith("games"):
        assert {"games/inside.json", "games/z.json"} <= set(names)
        assert {(tmp_path / name).resolve() for name in names} == {tmp_path / "games" / "z.json"}
        assert str(tmp_path / "games" / "file.json") in discovery.links.kept
    else:
        assert "games/file.json" in names


@pytest.mark.parametrize("target", ["nowhere.json", "link.json"], ids=["to-nothing", "to-itself"])
def test_links_that_lead_nowhere_are_reported_and_the_rest_is_read(tmp_path: Path, target: str) -> None:
    put(tmp_path, "a.json", "z.json")
    (tmp_path / "link.json").symlink_to(tmp_path / target)
    reports = list(check_sources(Discovery([str(tmp_path)])))
    assert [[diagnostic.code for diagnostic in report.diagnostics] for report in reports] == [
        [],
        ["syntax/unreadable"],
        [],
    ]
    assert reports[1].file == str(tmp_path / "link.json")


@pytest.mark.parametrize(("name", "problem"), [("b.json", "no such file"), ("a.json/b.json", "not a directory")])
def test_a_file_that_is_not_there(tmp_path: Path, name: str, problem: str) -> None:
    put(tmp_path, "a.json")
    missing, report = check_sources(Discovery([str(tmp_path / name), str(tmp_path / "a.json")]))
    assert (missing.unreadable, missing.file, missing.index, report.valid) == (True, str(tmp_path / name), 0, True)
    assert missing.diagnostics[0].message.startswith(f"cannot be read: {problem}")


def _answer(folder: Path, arguments: list[str]) -> list[Any] | str:
    os.chdir(folder)
    if os.geteuid() == 0:
        import pwd  # not there on every system

        try:
            os.setgroups([])
            os.setuid(pwd.getpwnam("nobody").pw_uid)
        except (KeyError, PermissionError) as error:
            return repr(error)
    reports = check_sources(Discovery(arguments))
    return [[report.file, [diagnostic.code for diagnostic in report.diagnostics]] for report in reports]


def _as_somebody(folder: Path, arguments: list[str]) -> list[Any]:
    """Return the files and codes found for paths in a folder by somebody whom file permissions bind.

    Permissions do not bind root: then a child process becomes the user nobody. It is forked and not started anew, for
    nobody might not be allowed to read the program either.
    """
    list(check_sources(Discovery([str(folder)])))  # imports all that is imported on first use
    receiver, sender = os.pipe()
    child = os.fork()
    if child == 0:  # pragma: no cover
        try:
            os.write(sender, json.dumps(_answer(folder, arguments)).encode())
        finally:
            os._exit(0)
    os.close(sender)
    with open(receiver, "rb") as stream:
        answer = json.loads(stream.read())
    os.waitpid(child, 0)
    if isinstance(answer, str):
        pytest.skip(f"there is nobody here whom permissions bind: {answer}")
    return list(answer)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="permissions of this kind are there on POSIX systems only")
def test_what_may_not_be_read_is_reported_and_the_rest_is_read(tmp_path: Path) -> None:
    put(tmp_path / "games", "a.json", "b.json", "blind/d.json", "closed/c.json", "z.json")
    (tmp_path / "games" / "link.json").symlink_to("closed/c.json")
    closed = {"b.json": 0, "closed": 0, "blind": 0o444}
    for name, mode in closed.items():
        (tmp_path / "games" / name).chmod(mode)
    tmp_path.chmod(0o755)
    try:
        found = _as_somebody(tmp_path, ["games", "games/closed", "games/closed/c.json"])
    finally:
        for name in closed:
            (tmp_path / "games" / name).chmod(0o755)
    assert found == [
        ["games/a.json", []],
        ["games/b.json", ["syntax/unreadable"]],
        ["games/blind/d.json", ["syntax/unreadable"]],
        ["games/closed", ["syntax/unreadable"]],
        ["games/link.json", ["syntax/unreadable"]],
        ["games/z.json", []],
        ["games/closed/c.json", ["syntax/unreadable"]],
    ]
