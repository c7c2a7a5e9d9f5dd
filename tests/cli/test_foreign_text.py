"""What others wrote, in every command, report and stream: nothing acts on a terminal or on a CI service."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from hexrec.util.escaping import visible
from tests.cli.conftest import SHORT_GAME, Run
from tests.properties import sample

#: Texts that do something where they are not escaped.
HOSTILE = (
    "a\n::set-output name=x::y",
    "::error::a",
    "a\r  ::warning::b",
    "##[error]a ##vso[task.complete]",
    "\x1b[2J\x1b]0;title\x07",
    "\x1b[8mhidden",
    "\x9b31m\x85",
    "\u202egnp\u2066\u2069\u200f",
    "a\u2028::error::b\u2029",
    "\x00\x7f\t",
    "[red]a[/red] [link=http://a]b[/link] [/]",
    "<script>a</script> ]]> &amp; `b` | c",
    "=1+1",
)
#: What must not reach people: controls, but for line feeds, what turns the direction of reading, surrogates.
ACTING = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
COMMAND = re.compile(r"^\s*::|##\w*\[", re.MULTILINE)
#: What the report for GitHub writes itself.
OWN_COMMAND = re.compile(r"^::(?:error|warning) (?:file|title)=[^\n]*::[^\n]*$", re.MULTILINE)

FILES = [text.replace("/", "").replace("\0", "") for text in HOSTILE] + [os.fsdecode(b"\xff\xfe"), "-x", "C:\\new"]


def records(text: str) -> list[Any]:
    """Return records that hold a text, one in each place that something is said of."""
    players = {"black": {"name": text}, "white": {"name": text}}
    return [
        {**SHORT_GAME, "id": text, "players": players, "event": text, "site": text, "x-a": text},
        {**SHORT_GAME, "id": text, "moves": ["a1", text]},
        {**SHORT_GAME, "moves": ["a1", {"turn": "a1", "comment": text}]},
        {**SHORT_GAME, "game": text},
        {**SHORT_GAME, "game": text, "size": text, "moves": text, "date": text, "result": text},
        {**SHORT_GAME, text: text, "players": {text: {}}, "opening": {"black": text, "white": "b2"}},
        {**SHORT_GAME, "result": {"winner": text, "termination": text}, "id": text},
        {**SHORT_GAME, "coordinates": text, "ruleset": text, "variant": text},
        {"header": {"game": {"name": text, "variants": [text]}, "players": [{"name": text}]}, "moves": [[text]]},
    ]


def content(name: str, text: str) -> bytes:
    """Return a file that holds a text wherever its format has a place for it."""
    if name.endswith(".jsonl"):
        return "".join(json.dumps(record) + "\n" for record in records(text)).encode() + f'{{"{text}": x'.encode()
    if name.endswith(".yaml"):
        return f"hexrec: '1'\ngame: {text}\n{text}: !{text} &a [*b\n".encode()
    if name.endswith(".sgf"):
        return f"{text}(;FF[4]GM[{text}]HX[sundraval]{text}[a]PB[{text}]RE[{text}]CA[{text}];B[{text}]) {text}".encode()
    if name.endswith(".hgn"):
        return f'[Game "sundraval"]\n[{text} "a"]\n[Result "{text}"]\n\n1. {text} {{ {text} }} [%{text}] x\n'.encode()
    return json.dumps({**SHORT_GAME, "id": text, "event": text}).encode()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with files, folders, archives and links of hostile names and contents."""
    monkeypatch.chdir(tmp_path)
    # Archives and folders first; then each text as a name in each format, with another text inside.
    Path("games").mkdir()
    suffixes = (".jsonl", ".yaml", ".sgf", ".hgn", ".json")
    for number, name in enumerate(FILES):
        suffix = suffixes[number % len(suffixes)]
        (tmp_path / "games" / f"{name}{suffix}").write_bytes(content(suffix, HOSTILE[number % len(HOSTILE)]))
    for number, text in enumerate(HOSTILE):
        suffix = suffixes[(number + 1) % len(suffixes)]
        (tmp_path / "games" / f"{number}{suffix}").write_bytes(content(suffix, text))
    # Each text is in some of the places of a record, so that each place has some of the texts.
    several = (record for number, text in enumerate(HOSTILE) for record in sample(records(text)[number % 3 :], 3))
    (tmp_path / "games" / "all.jsonl").write_text("".join(json.dumps(record) + "\n" for record in several))
    os.mkdir("games/d\n::error::x")
    (tmp_path / "games" / "l\n::error::x.json").symlink_to("/etc/hosts")
    (tmp_path / "games" / "lost\n::error::x.json").symlink_to("nowhere")
    (tmp_path / "games" / "n\n::error::\x1b[2Jx.txt").write_text("")
    with zipfile.ZipFile("games/p.zip", "w") as packed:
        for name in HOSTILE:
            packed.writestr(f"{name}.json".replace("\0", ""), content(".json", name))
            packed.writestr(f"{name}.txt".replace("\0", ""), "")
    with tarfile.open("games/p.tar", "w") as tar:
        for name in HOSTILE:
            member = tarfile.TarInfo(f"{name}.hgn")
            member.size = len(data := content(".hgn", name))
            tar.addfile(member, io.BytesIO(data))
    # What the files of a folder are called begins a line only if the folder has no name of its own.
    for file in Path("games").iterdir():
        file.rename(tmp_path / file.name)
    Path("games").rmdir()
    return tmp_path


def assert_harmless(text: str, own: re.Pattern[str] | None = None) -> None:
    assert not ACTING.findall(text)
    rest = own.sub("", text) if own else text
    assert not COMMAND.findall(rest)


#: Commands over the folder; whether standard output is for people.
COMMANDS = {
    "validate-lint-board": (["validate", ".", "--lint", "--board"], True),
    "validate-jobs": (["validate", ".", "-j2"], True),
    "validate-markdown": (["validate", ".", "--format", "markdown"], True),
    "validate-cache": (["validate", ".", "--cache", "--cache-dir", "kept"], True),
    "validate-baseline": (["validate", ".", "--write-baseline", "known"], True),
    "validate-quiet": (["validate", ".", "--quiet", "-o", "r.json"], True),
    "score": (["score", "."], False),
    "score-table": (["score", ".", "--format", "table"], True),
    "score-summary": (["score", ".", "--summary"], True),
    "convert": (["convert", ".", "--to", "hgn"], False),
    "convert-all": (["convert", ".", "--to", "sgf", "--no-validate", "--strict"], False),
    "convert-split": (
        ["convert", ".", "--split", "{game}/{id}-{black}-{file}.hgn", "-o", "out", "--no-validate"],
        True,
    ),
    "dedupe": (["dedupe", ".", "--to", "jsonl", "--no-validate"], False),
    "dedupe-check": (["dedupe", ".", "--check", "--mirrored", "drop", "--prefixes", "drop"], True),
    "stats": (["stats", "."], True),
    "stats-json": (["stats", ".", "--format", "json"], True),
    "fmt-check": (["fmt", ".", "--check"], True),
    "fmt": (["fmt", "."], True),
    "fix": (["fix", "."], True),
    "fix-diff": (["fix", ".", "--diff"], False),
}


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("name", COMMANDS)
def test_commands_over_hostile_files(hexrec: Run, name: str) -> None:
    arguments, for_people = COMMANDS[name]
    ran = hexrec(*arguments)
    assert ran.code in (1, 2)
    assert_harmless(ran.err + (ran.out if for_people else ""))
    assert "Traceback" not in ran.err + ran.out
    assert all(str(path).isprintable() for path in Path("out").rglob("*"))


@pytest.mark.usefixtures("folder")
def test_what_git_says_has_changed(hexrec: Run) -> None:
    for arguments in (["init", "-q"], ["add", "all.jsonl"], ["commit", "-q", "-m", "all"]):
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(["git", *identity, *arguments], check=True, capture_output=True)
    ran = hexrec("validate", ".", "--since", "HEAD")
    assert ran.code == 2
    assert "not changed since HEAD: 1 file" in ran.err
    assert_harmless(ran.out + ran.err)


@pytest.mark.usefixtures("folder")
def test_the_report_for_github(hexrec: Run) -> None:
    ran = hexrec("validate", ".", "--format", "github")
    assert_harmless(ran.out, OWN_COMMAND)
    assert OWN_COMMAND.findall(ran.out)
    assert_harmless(ran.err)


@pytest.mark.usefixtures("folder")
def test_reports_in_files(hexrec: Run) -> None:
    reports = ["text", "json", "jsonl", "sarif", "junit", "github", "markdown"]
    outputs = (argument for report in reports for argument in ("-o", f"{report}=report-{report}"))
    assert hexrec("validate", ".", "--lint", *outputs).code == 2
    texts = {report: Path(f"report-{report}").read_bytes().decode() for report in reports}
    assert min(len(json.loads(texts[report])) for report in ("json", "sarif")) > 1
    assert all(json.loads(line)["file"] for line in texts["jsonl"].split("\n")[:-1])
    suites = ElementTree.fromstring(texts["junit"])
    assert len({suite.get("name") for suite in suites}) == len(suites)
    for report in ("text", "github", "markdown"):
        assert_harmless(texts[report], OWN_COMMAND if report == "github" else None)


@pytest.mark.usefixtures("folder")
def test_each_file_is_named_in_its_own_way(hexrec: Run) -> None:
    for name in FILES:
        for suffix in (".jsonl", ".yaml", ".sgf", ".hgn", ".json"):
            if Path(name + suffix).exists():
                Path(name + suffix).write_text("x")
    shown = [line.partition(".")[0] for line in hexrec("validate", ".", "--no-lint").out.splitlines()]
    for name in FILES:
        if "\udcff" not in name:
            assert visible(name).partition(".")[0] in shown


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
def test_rows_in_files(hexrec: Run) -> None:
    for suffix in ("json", "parquet", "txt"):
        assert hexrec("score", ".", "-j1", "-o", f"rows.{suffix}").code == 2
    assert_harmless(Path("rows.txt").read_bytes().decode())
    assert json.loads(Path("rows.json").read_bytes())


@pytest.mark.parametrize(
    "arguments",
    [
        *("TEXT", "--TEXT", "validate TEXT", "validate --TEXT", "validate a.json --format TEXT"),
        *("validate a.json --from TEXT", "validate a.json --select TEXT", "validate a.json --since TEXT"),
        *("validate a.json --baseline TEXT", "validate a.json -o TEXT/x", "validate a.json -o TEXT=x"),
        *("validate s3://TEXT", "score a.json -o TEXT", "score a.json --dask TEXT", "convert a.json --split {TEXT}"),
        *("convert a.json --split TEXT.sgf", "convert a.json --to sgf -o TEXT/x"),
        *("dedupe a.json -o a.jsonl --report TEXT/x", "stats a.json --plots a.json/TEXT", "show TEXT"),
        *("show a.json --animate TEXT", "show a.json --record TEXT", "legal TEXT", "fmt TEXT", "fix TEXT"),
        *("random TEXT", "random sunspot --variant TEXT", "schema TEXT", "schema --write --directory a.json/TEXT"),
        *("explain TEXT", "serve --port TEXT"),
    ],
)
def test_hostile_arguments(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.json").write_text(json.dumps(SHORT_GAME))
    for text in (*HOSTILE[:2], " ".join(HOSTILE[2:]).replace("\0", "")):
        ran = hexrec(*(argument.replace("TEXT", text) for argument in arguments.split()))
        assert ran.code in (0, 2), ascii(text)
        assert_harmless(ran.err + ran.out)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("arguments", [["-o", "d\n::error::x"], ["--x\u200b"]], ids=ascii)
def test_wrong_usage_is_said_on_one_line(hexrec: Run, arguments: list[str]) -> None:
    """Texts of our own and of the library that reads the command line."""
    ran = hexrec("convert", "all.jsonl", *arguments)
    assert (ran.code, ran.err.splitlines()[-1].count(ascii(arguments[-1])[1:-1])) == (2, 1)
    assert_harmless(ran.err)


@pytest.mark.slow
@pytest.mark.parametrize("command", ["show", "legal"])
def test_one_record(hexrec: Run, folder: Path, command: str) -> None:
    with open("all.jsonl", encoding="utf-8") as lines:
        several = sample(range(sum(1 for _ in lines)), 4)
    for record in several:
        ran = hexrec(command, "all.jsonl", "--record", str(record))
        assert_harmless(ran.err + ran.out)
    for file in sorted(folder.iterdir()):
        ran = hexrec(command, file.name if not file.name.startswith("-") else f"./{file.name}")
        assert_harmless(ran.err + ran.out)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_settings_and_baselines(hexrec: Run, tmp_path: Path, text: str) -> None:
    (tmp_path / "a.json").write_text(json.dumps(SHORT_GAME))
    key = json.dumps(text)
    for settings in (f"{key} = 1", f"select = [{key}]", f'[per-path-ignores]\n{key} = "x"', f"a = [ {text}"):
        (tmp_path / "hexrec.toml").write_text(settings)
        ran = hexrec("validate", tmp_path / "a.json")
        assert ran.code == 2
        assert_harmless(ran.err + ran.out)
    diagnostic = {"file": f"{text}.json", "record": text, "code": text, "place": text}
    for entry in (diagnostic, {text: 1}):
        baseline = {"hexrec-baseline": 1, "diagnostics": [entry]}
        (tmp_path / "known").write_text(json.dumps(baseline))
        assert_harmless(hexrec("validate", tmp_path / "a.json", "--no-config", "--baseline", tmp_path / "known").err)


def test_a_diff_shows_lines_as_they_are_and_names_as_messages_do(
    hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name = 'a\n::error::"\x1b\\b.yaml'
    Path(name).write_text("# \u202e\nhexrec: '1'\ngame: sunspot\nsize: 5.0\nmoves: []\n")
    ran = hexrec("fmt", "--diff", ".")
    header = 'a\\n::error::"\\x1b\\b.yaml'
    assert ran.out.splitlines()[:2] == [f"--- {header}", f"+++ {header}"]
    assert " # \u202e\n" in ran.out


def test_split_by_a_template_that_is_no_text(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.json").write_text(json.dumps(SHORT_GAME))
    ran = hexrec("convert", "a.json", "--split", "\udcff{game}.sgf")
    assert (ran.code, Path("\udcffsundraval.sgf").exists()) == (0, True)


@pytest.mark.parametrize("text", HOSTILE, ids=ascii)
def test_pictures_and_pages(hexrec: Run, tmp_path: Path, text: str) -> None:
    """What a record holds is text there, not a part of the page."""
    path = tmp_path / "a.json"
    players = {"black": {"name": text}, "white": {"name": text}}
    path.write_text(json.dumps({**SHORT_GAME, "players": players, "event": text, "id": f"</script>{text}"}))
    assert hexrec("show", path, "--svg", tmp_path / "a.svg", "--html", tmp_path / "a.html").code == 0
    ElementTree.parse(tmp_path / "a.svg")
    page = (tmp_path / "a.html").read_text()
    assert (page.count("</script>"), page.count("<script>a")) == (page.count("<script type="), 0)


@pytest.mark.slow
@pytest.mark.usefixtures("folder")
@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo-terminals here")
@pytest.mark.parametrize(
    "arguments",
    [
        ["validate", "."],
        ["convert", "all.jsonl", "--to", "json", "--no-validate", "--split", "{index}.json"],
    ],
    ids=" ".join,
)
def test_on_a_terminal(arguments: list[str]) -> None:
    import pty

    main, other = pty.openpty()
    environment = os.environ | {"TERM": "xterm-256color"}
    command = [sys.executable, "-m", "hexrec", *arguments]
    with subprocess.Popen(command, stdin=other, stdout=other, stderr=other, env=environment) as process:
        os.close(other)
        data = b""
        try:
            while block := os.read(main, 1 << 16):
                data += block
        except OSError:  # so ends a terminal that nobody writes to
            pass
    os.close(main)
    text = data.decode().replace("\r\n", "\n")
    assert "\x1b[8m" not in text
    # Colors, and the line of progress, are hexrec's own.
    own = re.compile(r"\x1b\[(?:[0-9;]*m|K)|\r(?=\x1b\[K|\d)")
    assert not ACTING.findall(own.sub("", text))
    assert process.returncode in (0, 1, 2)
