"""What can stand next on a command line, for completion in shells: answered without importing any command.

What the commands take is in a table, `table.json`, which `python -m hexrec.cli.reference` makes from them. The scripts
beside it, one for each shell, ask the program with the name of the shell in the variable `VARIABLE` and the words up to
the cursor as its arguments. The first line of the answer is ``words``, and each further line is a word that can stand
there, with what is said of it in the form of that shell; or it is ``files`` or ``folders``, which shells complete
themselves, with the number of characters before the name.
"""

from __future__ import annotations

import json
import os

TYPE_CHECKING = False  # the module of that name takes long to be imported
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    #: What an option or argument takes: some words; a kind of words or files; anything (an empty text); a flag nothing.
    _Takes = str | list[str] | None
    #: What can stand in a place: ``words``, ``files`` or ``folders``; how many characters are before the name of a
    #: file; words, and what is said of them.
    _Expected = tuple[str, int, list[tuple[str, str]]]

_NOTHING: _Expected = ("words", 0, [])
#: Set by the scripts: the shell that asks.
VARIABLE = "_HEXREC_COMPLETE"
#: The scripts, by shell.
SCRIPTS = {"bash": "hexrec.bash", "zsh": "_hexrec", "fish": "hexrec.fish"}
FOLDER = os.path.dirname(__file__)
TABLE = os.path.join(FOLDER, "table.json")


def script(shell: str) -> str:
    """Return the script that makes a shell complete hexrec's command lines. Raises KeyError for an unknown shell."""
    return _text(os.path.join(FOLDER, SCRIPTS[shell]))


def answer(shell: str, words: list[str]) -> Iterator[str]:
    """Yield the lines of the answer to a shell; the last word is the one that is to be completed.

    `words` are those after the program's name, as the shell has cut them: bash cuts at ``=`` and ``:`` too, and wants
    only what is after the last of them.
    """
    words = words or [""]
    cut = 0
    if shell == "bash":
        last = "" if words[-1] in ("=", ":") else words[-1]
        words = _joined(words)
        cut = len(words[-1]) - len(last)
    *before, word = words
    kind, skipped, found = _expected(before, word)
    if kind != "words":
        yield f"{kind} {skipped}"
        return
    yield kind
    for value, said in found:
        if value.startswith(word):
            yield _line(shell, value[cut:], said)


def _joined(words: list[str]) -> list[str]:
    """Return words with those parts joined again that bash has cut them into."""
    joined: list[str] = []
    glued = False
    for word in words:
        cut = word in ("=", ":")
        if joined and (cut or glued):
            joined[-1] += word
        else:
            joined.append(word)
        glued = cut
    return joined


def _line(shell: str, value: str, said: str) -> str:
    if shell == "bash":
        return value
    if shell == "zsh":
        value = value.replace(":", "\\:")
    return f"{value}{':' if shell == 'zsh' else chr(9)}{said}" if said else value


def _expected(before: list[str], word: str) -> _Expected:
    """Return what can stand in the place of `word`."""
    table: dict[str, Any] = json.loads(_text(TABLE))
    at = next((at for at, each in enumerate(before) if not each.startswith("-")), None)
    if at is None:
        if word.startswith("-"):
            return _free(table["options"], before)
        return "words", 0, [(name, each["summary"]) for name, each in table["commands"].items()]
    command = table["commands"].get(before[at])
    if command is None:
        return _NOTHING
    options, arguments = command["options"], command["arguments"]
    takes: dict[str, _Takes] = {name: option["takes"] for option in options for name in option["names"]}
    wanting, given, over = None, 0, False  # the option whose value comes, how many arguments, whether options are over
    for each in before[at + 1 :]:
        if wanting:
            wanting = None
        elif each == "--" and not over:
            over = True
        elif each.startswith("-") and len(each) > 1 and not over:
            wanting = each if takes.get(each) is not None else None
        else:
            given += 1
            over = over or not command["interspersed"]
    if wanting:
        return _values(table, takes[wanting], before, word, 0)
    name, equals, _ = word.partition("=")
    if equals and not over and takes.get(name) is not None:
        return _values(table, takes[name], before, word, len(name) + 1)
    complete = given >= len(arguments) and not command["repeated"]
    if not over and (complete or word.startswith("-")):
        return _free(options, before)
    return _NOTHING if complete else _values(table, arguments[min(given, len(arguments) - 1)], before, word, 0)


def _free(options: list[dict[str, Any]], before: list[str]) -> _Expected:
    """Return the long names of the options that are not there yet, or may be given several times."""
    given = {word.partition("=")[0] for word in before}
    free = [option for option in options if option["multiple"] or not given.intersection(option["names"])]
    return "words", 0, [(name, each["help"]) for each in free for name in each["names"] if name.startswith("--")]


def _values(table: dict[str, Any], takes: _Takes, before: list[str], word: str, skipped: int) -> _Expected:
    """Return what an option or argument can take: `word` may hold other things before it, which are skipped."""
    if takes in ("files", "folders"):
        return str(takes), skipped, []
    found: list[tuple[str, str]]
    if takes == "codes":
        skipped += word[skipped:].rfind(",") + 1
        found = _codes()
    elif takes in ("rulesets", "variants"):
        found = [(value, "") for value in _of_game(table["games"], str(takes), before)]
    elif isinstance(takes, list):
        found = [(value, "") for value in takes]
    elif takes:
        from hexrec.plugins import names

        found = [(value, "") for value in (*table[takes], *names(f"hexrec.{takes}"))]
    else:
        return _NOTHING
    return "words", 0, [(word[:skipped] + value, said) for value, said in found]


def _of_game(games: dict[str, dict[str, list[str]]], what: str, before: list[str]) -> list[str]:
    """Return the rulesets or variants of the first game that the words name; those of all games if they name none."""
    named = [games[each][what] for each in before if each in games]
    return named[0] if named else sorted({value for own in games.values() for value in own[what]})


def _codes() -> list[tuple[str, str]]:
    """Return hexrec's own codes and their groups, with what they mean."""
    import tomllib

    folder = os.path.join(os.path.dirname(FOLDER), "codes")
    codes = {}
    for name in os.listdir(folder):
        if name.endswith(".toml"):
            for section in tomllib.loads(_text(os.path.join(folder, name))).values():
                codes.update({code: each["meaning"] for code, each in section.items() if code != "title"})
    groups = dict.fromkeys(code.partition("/")[0] + "/" for code in codes)
    return [*((group, f"all codes that begin with {group}") for group in sorted(groups)), *sorted(codes.items())]


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as stream:
        return stream.read()
