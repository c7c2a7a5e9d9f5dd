"""The documents tell the truth: their commands print what they show, their Python examples run, their links lead on."""

from __future__ import annotations

import doctest
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import NamedTuple

import duckdb
import pytest
from hexrec_col import COL
from hexrec_oneline import ONELINE

from hexrec import formats, loads, validate
from hexrec.rules import games
from hexrec.rules.terms import join_words
from tests.cases import all_of, try_all
from tests.cli.conftest import Run, hexrec
from tests.completeness import COMPLETE

__all__ = ["hexrec"]  # a fixture

ROOT = Path(__file__).parent.parent
DOCUMENTS = sorted(
    [
        *ROOT.glob("*.md"),
        *(path for path in ROOT.glob("docs/**/*.md") if ".pytest_cache" not in path.parts),
        *ROOT.glob("benchmarks/*.md"),
        ROOT / "hexrec/web/README.md",
        *ROOT.glob("tests/**/*.md"),
        ROOT / "fixtures/suite/engine/README.md",
    ]
)
#: Files that readers of a document paste, into a shell.
PASTED = re.compile(r"^cat > (?P<name>\S+) <<'END'\n(?P<text>.*?)^END\n", re.MULTILINE | re.DOTALL)
FENCED = re.compile(r"^```(?P<language>\w*)\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL)
#: A link to a file of the repository, with the fragment that follows it; one of them may be empty.
LINK = re.compile(r"\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]+))?\)")
HEADING = re.compile(r"^#+ (.+)$", re.MULTILINE)
ANCHOR = re.compile(r'<a id="([^"]+)"></a>')


class Example(NamedTuple):
    document: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{shown_as(self.document)}:{self.line}"


def shown_as(document: Path) -> str:
    return document.relative_to(ROOT).as_posix()


@cache
def examples(*languages: str) -> list[Example]:
    found = []
    for document in DOCUMENTS:
        content = document.read_text(encoding="utf-8")
        found += [
            Example(document, content.count("\n", 0, match.start()) + 1, match["language"], match["text"])
            for match in FENCED.finditer(content)
            if match["language"] in languages
        ]
    return found


@contextmanager
def packages(document: Path) -> Iterator[None]:
    """The page on packages shows what commands do where its examples are installed."""
    if document.name != "adding-games.md":
        yield
        return
    games.register(COL)
    formats.register(ONELINE)
    try:
        yield
    finally:
        games.unregister("col")
        formats.unregister("oneline")


@pytest.fixture
def in_copy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples run in a copy of the repository."""
    for name in ("docs", "fixtures", "schemas", "tests"):
        (tmp_path / name).symlink_to(ROOT / name)
    monkeypatch.chdir(tmp_path)


#: Lines that need a network, a repository or another program, or do not end by themselves.
ELSEWHERE = re.compile(r"://|origin/|reviewdog|^hexrec (?:serve|lsp|page)\b")
#: Programs that examples run besides hexrec. All others install something, or need another machine.
PROGRAMS = ("cp", "mv", "mkdir", "python", "sed")
#: In the documents of tests and benchmarks, lines for a shell start long runs.
DOCUMENTS_FOR_USERS = [*ROOT.glob("docs/**/*.md"), ROOT / "README.md"]


def run_shell(hexrec: Run, text: str) -> None:
    """Run the lines of an example for a shell, and write the files that readers paste."""
    pasted = {match["name"]: match["text"] for match in PASTED.finditer(text)}
    for line in PASTED.sub(r"cat \g<name>\n", text).replace("\\\n", " ").splitlines():
        program, *arguments = shlex.split(line, comments=True) or [""]
        if program == "cat":
            Path(arguments[0]).write_text(pasted[arguments[0]], encoding="utf-8")
        elif program == "duckdb" and arguments[:1] == ["-c"]:
            duckdb.sql(arguments[1])
        elif ELSEWHERE.search(line) or (
            program == "python" and not (arguments[0] == "-c" or os.path.exists(arguments[0]))
        ):
            continue
        elif program in PROGRAMS or (program == "hexrec" and re.search("[|<>$;]", line)):
            path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
            subprocess.run(["bash", "-c", line], check=True, env={**os.environ, "PATH": path}, capture_output=True)
        elif program == "hexrec":
            ran = hexrec(*arguments)
            assert ran.code in (0, 1), f"{line}\n{ran.err}"


def run_console(hexrec: Run, text: str) -> None:
    """Run commands, each after `$`, and compare their output; `…` alone on a line stands for lines left out."""
    commands = re.split(r"^\$ (?=hexrec |python )", text, flags=re.MULTILINE)
    assert commands.pop(0) == "", "a console block begins with `$ hexrec` or `$ python`"
    for command in commands:
        line, _, shown = command.partition("\n")
        program, *arguments = shlex.split(line)
        if program == "hexrec":
            ran = hexrec(*arguments)
            output = ran.out + ran.err
        else:
            output = subprocess.check_output([sys.executable, *arguments], encoding="utf-8")
        parts = [re.escape(part) for part in re.split(r"^…\n", shown, flags=re.MULTILINE)]
        assert re.fullmatch(r"(?:.*\n)*?".join(parts), output), output


def run_python(example: Example) -> None:
    test = doctest.DocTestParser().get_doctest(example.text, {}, str(example), str(example.document), example.line)
    assert test.examples
    failed: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=failed.append)
    assert "".join(failed) == ""


RUNNING = examples("console", "python", "sh")


@pytest.mark.usefixtures("in_copy")
@pytest.mark.parametrize("document", dict.fromkeys(example.document for example in RUNNING), ids=shown_as)
def test_examples(hexrec: Run, document: Path) -> None:
    """The examples of a document run one after the other, as its readers run them, on files that it makes."""

    def check(example: Example) -> None:
        if example.language == "python":
            run_python(example)
        elif example.language == "console":
            with packages(document):
                run_console(hexrec, example.text)
        elif document in DOCUMENTS_FOR_USERS:
            run_shell(hexrec, example.text)

    try_all(check, [example for example in RUNNING if example.document == document], ids=str)


@all_of("example", examples("yaml"), ids=str)
def test_yaml(example: Example) -> None:
    """A record in a document is a valid one."""
    assert validate(loads(example.text, "yaml")).valid


@pytest.mark.parametrize("module", ["hexrec", "hexrec.api"])
def test_docstrings(module: str) -> None:
    __import__(module)
    failed, tried = doctest.testmod(sys.modules[module], extraglobs={"hexrec": sys.modules["hexrec"]})
    assert (failed, tried > 0) == (0, True)


@cache
def anchors(document: Path) -> set[str]:
    """Return the fragments that a document has, on GitHub and on the site; headings with the same text share one."""
    text = FENCED.sub("", document.read_text(encoding="utf-8"))
    headings = (re.sub(r"\]\([^)]*\)|<[^>]*>", "", heading).strip().lower() for heading in HEADING.findall(text))
    return {*ANCHOR.findall(text), *(re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in headings)}


@all_of("document", DOCUMENTS, ids=str)
def test_links_lead_to_files_and_their_headings(document: Path) -> None:
    for link, fragment in LINK.findall(FENCED.sub("", document.read_text(encoding="utf-8"))):
        target = document.parent / link if link else document
        assert target.exists(), link
        assert not fragment or fragment in anchors(target), f"{link}#{fragment}"


def test_links_of_the_readme_are_the_headings_of_pages() -> None:
    """Which the navigation shows, too."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    links = re.findall(r"(?<!!)\[([^\]]+)\]\(([^)#:\s]+\.md)\)", text)
    headings = {link: HEADING.findall((ROOT / link).read_text(encoding="utf-8"))[0] for _, link in links}
    assert len(links) > 20
    assert [(name, link) for name, link in links if " ".join(name.split()).lower() != headings[link].lower()] == []


def test_tables_and_plots_of_speed_are_up_to_date() -> None:
    """`python benchmarks/figures.py` makes them from `benchmarks/results`."""
    check = [sys.executable, str(ROOT / "benchmarks/figures.py"), "--check"]
    ran = subprocess.run(check, capture_output=True, text=True, check=False)
    assert (ran.stdout, ran.stderr, ran.returncode) == ("", "", 0)


def test_rulings_are_documented() -> None:
    """Every ruling that the code, or the rule of a code, names has a heading, an anchor of that name and a board."""
    files = [path for kind in ("*.py", "*.toml") for path in (ROOT / "hexrec").rglob(kind)]
    named = {ruling for path in files for ruling in re.findall(r"\b(?:[SPFN]|V1?)-\d\b", path.read_text())}
    documented = set()
    for path in (ROOT / "docs/games").glob("*.md"):
        headings = re.findall(r'^##+ (?:<a id="(.*)"></a>)?(\w+-\d):', path.read_text(), flags=re.MULTILINE)
        assert [anchor for anchor, _ in headings] == [ruling.lower() for _, ruling in headings]
        for section in re.split(r"^#+ ", path.read_text(), flags=re.MULTILINE):
            if section.startswith("<a id="):
                parts = ("*Another reading.*", "*Decision.*", "\n$ hexrec show ")
                assert [part for part in parts if part not in section] == [], section.splitlines()[0]
        documented |= {ruling for _, ruling in headings}
    assert "V1-1" in named
    assert named <= documented


def test_the_page_of_all_games_has_their_goals() -> None:
    page = (ROOT / "docs/games/README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(.*)\]\((.*)\.md\) \| (.*?) \|", page, flags=re.MULTILINE)
    known = [(game.title, name, game.brief.goal) for name in COMPLETE if (game := games.get(name)).brief]
    assert rows == known


@pytest.mark.parametrize("name", COMPLETE)
def test_pages_name_the_designers(name: str) -> None:
    game = games.get(name)
    contributors = f", with contributions by {join_words(game.contributors)}" if game.contributors else ""
    credit = f"*Designed by {join_words(game.designers)}{contributors}. Published on the web in {game.year}.*"
    assert f"\n{credit}\n" in (ROOT / f"docs/games/{name}.md").read_text(encoding="utf-8")
    row = f"{join_words(game.designers)}{contributors} | web, {game.year} |"
    assert row in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", COMPLETE)
def test_pages_of_games_state_what_the_games_are(name: str) -> None:
    game = games.get(name)
    page = (ROOT / f"docs/games/{name}.md").read_text(encoding="utf-8")
    facts = dict(re.findall(r"^\| (\w[\w ]*) \| (.*) \|$", page, flags=re.MULTILINE))
    smallest, largest, recommended, *_ = map(int, re.findall(r"\d+", facts["sizes"]))
    assert (range(smallest, largest + 1), recommended in game.recommended) == (game.sizes, True)
    assert re.findall("black|white", facts["opening"]) == list(game.opening)
    assert re.findall(r"`([\d]{4}[^`]*)`", facts.get("rulesets") or facts["ruleset"]) == list(game.rulesets)
    assert re.findall(r"`(.*?)`", facts.get("variant", "")) == list(game.variants)
    assert f"`{game.example}`" in facts["turns"]
    assert ("pass" in game.turn) == ("`pass`" in facts["turns"])
    assert (game.score is None) == facts["scores"].startswith("none")
