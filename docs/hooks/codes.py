"""The pages that explain the diagnostic codes: one a group, and the table for the page that leads to them."""

from __future__ import annotations

from collections.abc import Iterator

from hexrec import codes as code_registry
from hexrec import formats
from hexrec.tools.code_examples import diagnostic_in_example
from hexrec.util.diagnostics import Code

#: Names of the groups, in the order of validation.
_TITLES = {
    "syntax": "Syntax",
    "schema": "Fields",
    "opening": "Opening stones",
    "setup": "Positions to start from",
    "move": "Turns",
    "variation": "Variations",
    "result": "Results",
    "lint": "Likely mistakes",
    "import": "Import",
    "convert": "Conversion",
    "batch": "Archives",
    "internal": "Errors in hexrec",
}


def pages() -> dict[str, str]:
    """Return the page of each group of codes, in Markdown, by its path in docs/."""
    return {f"codes/{group}.md": _page(group) for group in _groups()}


def table() -> str:
    """Return the table of all codes, each once."""
    rows = {}
    for _, codes in code_registry.sections():
        for code, explained in codes.items():
            group, anchor = code.partition("/")[0], code_registry.anchor(code)
            rows[code] = f"| [`{code}`](codes/{group}.md#{anchor}) | {explained.meaning} | {explained.severity} |"
    ordered = [row for group in _groups() for code, row in sorted(rows.items()) if code.startswith(f"{group}/")]
    return "\n".join(["| code | meaning | severity |", "|---|---|---|", *ordered])


def _groups() -> list[str]:
    """Return the groups of all codes; those of other packages last."""
    return list(_TITLES | dict.fromkeys(code.partition("/")[0] for code in sorted(code_registry.all_codes())))


def _page(group: str) -> str:
    """Return the page of a group, by sections if the codes of several belong to it."""
    sections = {
        title: own
        for title, codes in code_registry.sections()
        if (own := {code: codes[code] for code in sorted(codes) if code.startswith(f"{group}/")})
    }
    parts = [f"# {_TITLES.get(group, group)}: `{group}/…`"]
    for title, codes in sections.items():
        parts += [f"## {title}"] if len(sections) > 1 else []
        parts += [part for code, explained in codes.items() for part in _entry(code, explained)]
    return "\n\n".join(parts) + "\n"


def _entry(code: str, explained: Code) -> Iterator[str]:
    yield f"### `{code}`"
    yield f"*{explained.severity.capitalize()}.* {explained.meaning}"
    yield f"**Rule:** {explained.rule}"
    diagnostic = diagnostic_in_example(code, explained)
    if diagnostic is not None:
        format = "" if explained.format == "yaml" else f", in {formats.get(explained.format).title}"
        yield f"**Example{format}:**"
        yield f"```\n{explained.example.rstrip()}\n```"
        yield f"hexrec reports, at line {diagnostic.line}, column {diagnostic.column}:"
        yield f"```\n{diagnostic.message}\n```"
    yield f"**To fix it:** {explained.fix}"
