"""The settings of a project, where they change nothing in what is said of plain, valid records without warnings.

That is so for rules about codes: such a record has no diagnostics. Settings that are wrong are left to the command
line, and so are those that ask for lint.
"""

from __future__ import annotations

import os
from stat import S_ISREG
from typing import Any

from hexrec.limits import MAX_DEPTH, MAX_SETTINGS_BYTES

_RULES = ("select", "ignore", "warn")
_PATTERNS = "per-path-ignores"
_KEYS = {"finished", "lint", _PATTERNS, *_RULES}
#: Groups with codes that no rule may name.
_SPECIAL = ("syntax", "internal", "batch")


def demands_results(path: str) -> bool:
    """Return whether the settings nearest above a path demand results.

    Raises OSError, and ValueError if they may be wrong, or say more than can be ignored here.
    """
    folder = os.path.dirname(path)
    while True:
        table = _table(os.path.join(folder, "hexrec.toml"))
        if table is None:
            tools = (_table(os.path.join(folder, "pyproject.toml")) or {}).get("tool")
            table = tools.get("hexrec") if isinstance(tools, dict) else None
        if table is not None:
            if not isinstance(table, dict) or not _is_simple(table):
                raise ValueError(path)
            return table.get("finished", False) is True
        folder, inner = os.path.dirname(folder), folder
        if folder == inner:
            return False


def content(path: str, most: int) -> str:
    """Return the text of a regular file that is not too large and has no escapes. Raises OSError, ValueError."""
    state = os.lstat(path)
    if not S_ISREG(state.st_mode) or state.st_size > most:
        raise ValueError(path)
    with open(path, "rb") as stream:
        found = stream.read(most + 1)
    if len(found) > most or b"\\u" in found:
        raise ValueError(path)
    return found.decode()


def _table(path: str) -> Any:
    """Return what a file of settings says, None if there is no such file. Raises OSError, ValueError."""
    if not os.path.lexists(path):
        return None
    text = content(path, MAX_SETTINGS_BYTES)
    depth = 0  # roughly, as brackets in texts count too: what is nested too deep is refused elsewhere
    for line in text.splitlines():
        opened = line.count("[") + line.count("{")
        if max(depth + opened, line.count(".")) > MAX_DEPTH:
            raise ValueError(path)
        depth = max(0, depth + opened - line.count("]") - line.count("}"))
    import tomllib

    return tomllib.loads(text)


def _is_simple(table: dict[str, Any]) -> bool:
    """Return whether settings are right, as far as can be seen here, and do not ask for lint."""
    finished, lint, patterns = table.get("finished", False), table.get("lint", False), table.get(_PATTERNS, {})
    if table.keys() - _KEYS or type(finished) is not bool or lint is not False or not isinstance(patterns, dict):
        return False
    lists = [*patterns.values(), *(table[name] for name in _RULES if name in table)]
    if not lists:
        return True
    if not all(isinstance(codes, list) and all(isinstance(code, str) for code in codes) for codes in lists):
        return False
    asked = [code for name in ("select", "warn") for code in table.get(name, [])]
    known = _headings()
    return all(_is_simple_code(code, known) for codes in lists for code in codes) and not any(
        code.startswith("lint") for code in asked
    )


def _is_simple_code(name: str, headings: str) -> bool:
    """Return whether a name is that of a code which rules may name, or the first word of such codes."""
    group, slash, rest = name.partition("/")
    words = [group, *(rest.split("-") if slash else ())]
    if not all(map(str.isalpha, words)) or group in _SPECIAL or rest == "more":
        return False
    return f'."{name}"]' in headings if slash else f'."{name}/' in headings


def _headings() -> str:
    """Return the files with the explanations of hexrec's own codes; each code heads a table. Raises OSError."""
    folder = os.path.join(os.path.dirname(os.path.dirname(__file__)), "codes")
    texts = []
    for name in os.listdir(folder):
        if name.endswith(".toml"):
            with open(os.path.join(folder, name), encoding="utf-8") as stream:
                texts.append(stream.read())
    return "".join(texts)
