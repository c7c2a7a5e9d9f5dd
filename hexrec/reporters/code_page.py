"""The page that explains every code, with what hexrec says of the examples."""

from __future__ import annotations

from functools import partial
from io import BytesIO

from hexrec import notations
from hexrec.code_registry import sections
from hexrec.dedup.duplicates import Duplicates
from hexrec.diagnostics import Code, Diagnostic
from hexrec.validation import lint, verdict

_HEAD = """# Diagnostic codes

Every diagnostic of `hexrec validate` has one of these codes. They are stable: programs may rely on them. What a game
refuses depends on its rules, so the same code may be explained for more than one game.

Each code comes with the rule that is broken, and most with a small file in which it is, in YAML unless it says
otherwise, and with what hexrec says of that file. The rulings that rules name are explained on [the games'
pages](games/README.md), and the parts of the record format in [format.md](format.md).

This page is written by `python -m hexrec.reporters.code_page`; the texts are in `hexrec/codes/`.
"""


def diagnostic_in_example(code: str, explained: Code) -> Diagnostic | None:
    """Return the diagnostic of that code in its example, as in a file of its own; None if it has no example."""
    if not explained.example:
        return None
    file = f"example.{explained.notation}"
    documents = enumerate(notations.read(explained.notation, BytesIO(explained.example.encode())))
    strict = partial(verdict.check_document, finished=True, lint=lint.Lint())
    reports = Duplicates().find(strict(document, file, index) for index, document in documents)
    return next(diagnostic for report in reports for diagnostic in report.diagnostics if diagnostic.code == code)


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
