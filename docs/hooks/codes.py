"""The page that explains every code, with what hexrec says of the examples.

`python docs/hooks/codes.py > docs/codes.md` writes it.
"""

from __future__ import annotations

from hexrec import notations
from hexrec.cli.explain import diagnostic_in_example
from hexrec.code_registry import sections
from hexrec.diagnostics import Code

_HEAD = """# Diagnostic codes

Every diagnostic of `hexrec validate` has one of these codes. They are stable: programs may rely on them. What a game
refuses depends on its rules, so the same code may be explained for more than one game.

Each code comes with the rule that is broken, and most with a small file in which it is, in YAML unless it says
otherwise, and with what hexrec says of that file. The rulings that rules name are explained on [the games'
pages](games/README.md), and the parts of the record format in [format.md](format.md).

This page is written by `python docs/hooks/codes.py`; the texts are in `hexrec/codes/`.
"""


def page() -> str:
    """Return the page that explains every code, in Markdown."""
    parts = [_HEAD]
    for title, codes in sections():
        parts.append(f"## {title}\n")
        parts.extend(_entry(code, codes[code]) for code in sorted(codes))
    return "\n".join(parts)


def _entry(code: str, explained: Code) -> str:
    parts = [f"### `{code}`", explained.meaning, f"**Rule:** {explained.rule}"]
    diagnostic = diagnostic_in_example(code, explained)
    if diagnostic is not None:
        notation = "" if explained.notation == "yaml" else f", in {notations.get(explained.notation).title}"
        parts.append(f"**Example{notation}:**\n\n```\n{explained.example.rstrip()}\n```")
        place = f"line {diagnostic.line}, column {diagnostic.column}"
        parts.append(f"hexrec says, at {place}:\n\n```\n{diagnostic.message}\n```")
    parts.append(f"**To fix it:** {explained.fix}\n")
    return "\n\n".join(parts)


if __name__ == "__main__":
    print(page(), end="")
