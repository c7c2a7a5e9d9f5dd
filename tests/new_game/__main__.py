"""`python -m tests.new_game NAME`: the session `new-game` of nox."""

from __future__ import annotations

import os
import re
import runpy
import sys
from functools import cache
from itertools import chain, groupby
from pathlib import Path

import pytest

from hexrec import formats
from hexrec.conformance.checks import mistakes
from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.rules.terms import join_words
from hexrec.util.diagnostics import describe_error
from tests.cli.conftest import Ran, hexrec
from tests.completeness import MODULES, OPTIONAL, ROOT, marks, missing, todo
from tests.new_game.lists import entries, registration
from tests.new_game.records import complete_kit, files

HERE = Path(__file__).parent
_NAME = re.compile("[a-z][a-z_]*")
_USAGE = """\
usage: nox -s new-game -- NAME
       nox -s new-game -- --package NAME FOLDER
NAME is of lower-case letters"""
#: The picture on the page of a game.
_PICTURE = ("--labels", "none", "--no-caption", "--no-background", "--width", "280", "--svg")


def main(arguments: list[str]) -> int:
    """Write the files of a game that are missing; return 0 if it has all that it needs, else 1."""
    match arguments:
        case ["--package", name, folder] if _NAME.fullmatch(name):
            return write_package(name, Path(folder))
        case [name] if _NAME.fullmatch(name):
            return complete(name)
    print(_USAGE, file=sys.stderr)
    return 2


def complete(name: str) -> int:
    """Write the files of a built-in game that are missing; return 0 if it has all that it needs, else 1."""
    for module in MODULES:
        path = ROOT / f"hexrec/rules/games/{name}/{module}.py"
        if not path.exists():
            write(path, module_text(name, module, f"hexrec.rules.games.{name}"))
    if not registration(name).is_there:
        print_changed(registration(name).add())
    if places := list(todo(name)):
        print(*places, f"Write the rules of {name} in these places, then run the command again.", sep="\n")
        return 1
    if found := mistakes_of(name):
        print(*found, f"Correct these mistakes of {name}, then run the command again.", sep="\n")
        return 1
    if any(missing(name)):
        write_files(games.get(name))
    renew(name)
    if sentences := list(missing(name)):
        print(f"{name} is not complete:", *sentences, sep="\n")
        return 1
    optional = [path.format(name=name) for path in OPTIONAL]
    if lacking := [path for path in optional if not (ROOT / path).is_file()]:
        print(f"Optional files of {name}: {', '.join(lacking)}")
    print(f"{name} is complete. Read its page, docs/games/{name}.md, look at `git status`, and run `nox`.")
    return 0


def mistakes_of(name: str) -> list[str]:
    """Return the mistakes in the package of a game: the one for which it is no game, or those that checks find."""
    try:
        games.get(name)
    except Exception as error:  # a module can fail in any way when it is imported
        return [describe_error(error)]
    return mistakes(name)


def write_package(name: str, folder: Path) -> int:
    """Write a package with a game, apart from hexrec, and print the places to fill in; return 0."""
    package = f"hexrec_{name}"
    texts = {f"{package}/{module}.py": module_text(name, module, package) for module in MODULES}
    fields = {"name": name, "package": package, "constant": name.upper(), "project": package.replace("_", "-")}
    for path, template in {"pyproject.toml": "pyproject.toml.txt", f"test_{name}.py": "test.py.txt"}.items():
        texts[path] = (HERE / template).read_text(encoding="utf-8").format(**fields)
    for path, text in texts.items():
        if not (folder / path).exists():
            write(folder / path, text)
    for path in texts:
        for mark in marks(folder / path, str(folder / path)):
            print(mark)
    print(f"Write the rules of {name} in these places. Then: pip install --editable {folder}; hexrec check-game {name}")
    return 0


def write_files(game: Game) -> None:
    """Write the fixtures, questions, entries in lists, page and picture that a game lacks."""
    for path, make in files(game):
        if not path.exists() and (text := make()) is not None:
            write(path, text)
    for path in (*complete_kit(game), *(entry.add() for entry in entries(game) if not entry.is_there)):
        print_changed(path)
    write_page(game)


def write(path: Path, text: str) -> None:
    """Write a file, and its folder if that is missing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    print("wrote", path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)


def print_changed(path: Path) -> None:
    """Print that a file has a new entry."""
    print("changed", path.relative_to(ROOT))


def module_text(name: str, module: str, package: str) -> str:
    """Return a module of a game, in a package, in which the rules are still to be written."""
    numbers = [games.get(other).sgf_number or 0 for other in games.BUILT_IN if other != name]
    template = (HERE / f"{module.strip('_')}.py.txt").read_text(encoding="utf-8")
    title = name.replace("_", " ").title().replace(" ", "")
    fields = {"name": name, "title": title, "constant": name.upper(), "package": package}
    if package.startswith("hexrec."):
        fields |= {"number": str(max(numbers) + 1), "decorator": "", "more": ""}
    else:
        decorator = "@mypyc_attr(native_class=False)  # to be compiled apart from hexrec\n"
        fields |= {"number": "None", "decorator": decorator, "more": ", mypyc_attr"}
    lines = template.format(**fields).splitlines(keepends=True)
    blocks = groupby(lines, lambda line: line.startswith("from hexrec"))
    return "".join(chain.from_iterable(sorted(block) if imports else block for imports, block in blocks))


def write_page(game: Game) -> None:
    """Write the page of a game and its picture, unless they are there or it has no example of an ending."""
    picture, page = ROOT / f"docs/pictures/{game.name}.svg", ROOT / f"docs/games/{game.name}.md"
    ending = f"fixtures/suite/{game.name}/valid/black-wins.yaml"
    if not (ROOT / ending).exists():
        return
    if not picture.exists():
        run_hexrec("show", ending, *_PICTURE, str(picture))
    if not page.exists():
        write(page, page_text(game, run_hexrec("show", ending)))


def page_text(game: Game, board: str) -> str:
    """Return the page of a game, given the board of its example as text."""
    assert game.brief is not None
    stones = join_words([f"one {color}" for color in game.opening]) if game.opening else "none"
    variants = f"| variant{'s' * (len(game.variants) > 1)} | {_code(game.variants)} |\n" if game.variants else ""
    return (
        (HERE / "page.md.txt")
        .read_text(encoding="utf-8")
        .format(
            title=game.title,
            name=game.name,
            goal=game.brief.goal,
            turn=game.brief.turn,
            end=game.brief.end,
            designers=join_words(game.designers)
            + (f", with contributions by {join_words(game.contributors)}" if game.contributors else ""),
            year=game.year,
            caption="Black wins.",
            board=board,
            smallest=game.sizes[0],
            largest=game.sizes[-1],
            recommended=join_words([str(size) for size in game.recommended]),
            opening=f"{stones} {game.piece}" if game.opening else "none",
            turn_help=game.turn_help,
            example=game.example,
            passes=", or `pass`" if "pass" in game.turn else "",
            score={"number": "a number for each color", "list": "a list for each color", None: "none"}[game.score],
            variants=variants,
            plural="s" * (len(game.rulesets) > 1),
            rulesets=_code(game.rulesets),
        )
    )


def _code(words: tuple[str, ...]) -> str:
    return join_words([f"`{word}`" for word in words])


def renew(game: str) -> None:
    """Write the generated files again, those parts of them that a game can have changed."""
    print("renewing the generated files")
    run_hexrec("schema", "--write", "--built-in")
    runpy.run_path("docs/hooks/commands.py", run_name="__main__")

    # Tests list the fixtures when they are imported: these after those of the game are written,
    from tests.formats import test_all_fields

    test_all_fields.write_fixtures()
    # and these after those in other formats.
    from tests import test_messages
    from tests.formats import test_codes, test_readings
    from tests.render import test_marks
    from tests.rules import test_explanations
    from tests.suite.__main__ import write_manifest

    write_manifest()
    test_marks.write_kinds(game)
    test_readings.write_golden(lambda what: game in what or "/every-game." in what)
    test_codes.write_fixtures()
    test_explanations.write_explanations()
    test_messages.write_messages(lambda file: file.startswith(f"fixtures/suite/{game}/"))


def run_hexrec(*arguments: str) -> str:
    """Run a command of hexrec in this process; return its output."""
    with pytest.MonkeyPatch.context() as patch:
        ran: Ran = hexrec.__wrapped__(patch)(*arguments)  # type: ignore[attr-defined]
    assert ran.code == 0, ran.err
    return ran.out


if __name__ == "__main__":
    os.chdir(ROOT)
    # The files are about built-in games, whichever packages are installed.
    games.GAMES.offered = cache(dict)
    formats.FORMATS.offered = cache(dict)
    sys.exit(main(sys.argv[1:]))
