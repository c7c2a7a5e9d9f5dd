"""The codes that a layer raises are those that its file explains; the file is read only for explanations."""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from hexrec_col import COL
from hexrec_oneline import ONELINE

from hexrec import formats
from hexrec.codes import LAYERS, all_codes, built_in_codes, explain_code, game_codes, own_sections, sections
from hexrec.rules import games
from hexrec.rules.games import BUILT_IN
from hexrec.tools.importing.solver import MAX_ITEMS
from hexrec.util.diagnostics import DEBUG
from hexrec.util.limits import MAX_DEPTH, MAX_DIAGNOSTICS, MAX_RECORD_BYTES, MAX_VALUES
from hexrec.validation.report import INVALID_MARK
from tests.cli.conftest import SHORT_GAME
from tests.sources import PACKAGE, nodes

CODE = re.compile("(?:batch|convert|import|internal|lint|move|opening|result|schema|setup|syntax|variation)/[a-z-]+")
#: Where the codes of a layer are raised; those of games are in the games' modules.
ROOMS = {
    "formats": ("formats/**/*.py", "io/*.py"),
    "record": ("record/*.py",),
    "check": ("validation/*.py", "record/side_lines.py", "tools/duplicates.py"),
    "import": ("tools/importing/*.py",),
    "convert": ("tools/convert.py", "record/canonical.py", "record/canonical_bytes.py"),
    "failures": ("util/diagnostics.py", "validation/report.py"),
}
LOADED = (
    "import sys; from hexrec.__main__ import main\ntry: main()\n"
    "finally: from hexrec.codes import own_sections; print(own_sections.cache_info().currsize)"
)


def raised(*modules: Path) -> set[str]:
    """Return the codes that stand in modules as whole strings: docstrings and messages only mention codes."""
    found = (node for path in modules for node in nodes(path))
    texts = (node.value for node in found if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return set(filter(CODE.fullmatch, texts))


def test_every_section_belongs_to_a_game_or_a_format() -> None:
    assert set(own_sections("games")) <= {"every", *BUILT_IN}
    assert set(own_sections("formats")) <= {"every", *formats.names()}
    for name in own_sections("games").keys() - {"every"}:
        assert own_sections("games")[name].title == f"Turns of {games.get(name).title}"
    for name in own_sections("formats").keys() - {"every"}:
        assert own_sections("formats")[name].title == f"Syntax of {formats.get(name).title}"


def test_codes_of_every_game() -> None:
    shared = [*(PACKAGE / "rules").glob("*.py")]
    assert raised(*shared) == set(own_sections("games")["every"].codes)


@pytest.mark.parametrize("game", BUILT_IN)
def test_codes_of_one_game(game: str) -> None:
    modules = (PACKAGE / "rules" / "games" / game).glob("*.py")
    found = raised(*modules) - set(own_sections("games")["every"].codes)
    assert found == set(game_codes(game))


@pytest.mark.parametrize("layer", ROOMS)
def test_every_explained_code_is_raised_in_its_layer(layer: str) -> None:
    modules = [path for room in ROOMS[layer] for path in PACKAGE.glob(room)]
    assert {code for section in own_sections(layer).values() for code in section.codes} <= raised(*modules)


def test_every_code_that_is_raised_is_explained() -> None:
    assert raised(*PACKAGE.rglob("*.py")) == all_codes() == built_in_codes()


def test_a_code_is_explained_in_one_layer() -> None:
    assert {*ROOMS, "games"} == set(LAYERS)
    listed = [{code for section in own_sections(layer).values() for code in section.codes} for layer in LAYERS]
    listed[LAYERS.index("games")] |= {code for name in BUILT_IN for code in game_codes(name)}
    assert sum(map(len, listed)) == len(all_codes())


def test_explanations_agree_with_the_constants_that_they_mention() -> None:
    explained = {code: text for section in sections() for code, text in section.codes.items()}
    for code, mentioned in {
        "syntax/more": MAX_DIAGNOSTICS,
        "schema/more": MAX_DIAGNOSTICS,
        "syntax/too-large": f"{MAX_RECORD_BYTES // 1024**2} MiB and {MAX_VALUES:,}",
        "convert/too-large": f"{MAX_RECORD_BYTES // 1024**2} MiB and {MAX_VALUES:,}",
        "syntax/too-deep": MAX_DEPTH,
        "import/limit": f"{MAX_RECORD_BYTES // 1024**2} MiB, and a game at most {MAX_ITEMS:,}",
        "convert/invalid": INVALID_MARK,
        "convert/mark": INVALID_MARK,
        "internal/error": DEBUG,
    }.items():
        assert str(mentioned) in explained[code].rule + explained[code].fix, code


def test_codes_of_games_and_formats_from_elsewhere_are_explained_after_ours() -> None:
    before = [section.title for section in sections()]
    games.register(COL)
    formats.register(ONELINE)
    try:
        found = {section.title: section.codes for section in sections()}
        explanation = explain_code(next(iter(COL.refusals)), "col")
    finally:
        games.unregister("col")
        formats.unregister("oneline")
    syntax, turns = f"Syntax of {ONELINE.title}", f"Turns of {COL.title}"
    assert (found[syntax], found[turns]) == (ONELINE.codes, COL.refusals)
    assert explanation == next(iter(COL.refusals.values()))
    titles = list(found)
    own = [[section.title for section in own_sections(layer).values()] for layer in LAYERS]
    after = {titles.index(syntax) - 1: own[0][-1], titles.index(turns) - 1: f"Turns of {games.get(BUILT_IN[-1]).title}"}
    assert all(titles[place] == title for place, title in after.items())
    assert [title for title in titles if title not in (syntax, turns)] == before


def test_a_code_is_explained_as_the_game_means_it() -> None:
    for name in ("sunspot", "frasvel", "valaturna"):
        assert explain_code("setup/over", name) == game_codes(name)["setup/over"]
    assert game_codes("sunspot")["setup/over"] != game_codes("valaturna")["setup/over"]
    for game in (None, "sundraval", "chess"):
        assert explain_code("result/winner-mismatch", game).meaning
    assert explain_code("move/none", "nadraz").meaning.endswith("does not explain this code.")


def test_a_layer_without_a_file() -> None:
    with pytest.raises(OSError, match=r"no-such-layer\.toml"):
        own_sections("no-such-layer")


@pytest.mark.parametrize(("command", "files"), [("validate", 0), ("explain", 7)])
def test_explanations_are_read_only_where_they_are_wanted(command: str, files: int, tmp_path: Path) -> None:
    path = tmp_path / "one.json"
    path.write_text(json.dumps({**SHORT_GAME, "moves": ["a1", "a1"]}))
    argument = str(path) if command == "validate" else "move/no-path"
    ran = subprocess.run([sys.executable, "-c", LOADED, command, argument], capture_output=True, text=True)
    assert (ran.stdout.splitlines()[-1], ran.returncode) == (str(files), int(command == "validate")), ran.stderr
