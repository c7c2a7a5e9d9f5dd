"""`hexrec explain`: explain diagnostic codes: meaning, rule, example and fix."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from shutil import get_terminal_size
from textwrap import fill, indent

from hexrec import formats
from hexrec.cli import argument, options
from hexrec.cli.console import refuse, say
from hexrec.codes import UnknownCode, address, codes_named, games_with, sections
from hexrec.tools.code_examples import diagnostic_in_example
from hexrec.util.diagnostics import Code

#: The maximum width of prose, in characters; terminals may be narrower.
_WIDTH = 100

EXAMPLES = (
    ("hexrec explain move/occupied", "Explain a code: meaning, rule, example and fix."),
    ("hexrec explain schema/", "List the codes of a group."),
)


def command(
    codes: list[str] | None = argument(
        "CODE", "Codes such as move/occupied, or groups such as move/.", None, autocompletion=options.codes
    ),
) -> None:
    """Explain diagnostic codes. A group is listed, one code per line; without arguments, all codes are listed."""
    known: dict[str, list[Code]] = {}
    for _, group in sections():
        for code, explained in group.items():
            known.setdefault(code, []).append(explained)
    parts = []
    try:
        for name in codes or ():
            group_codes = codes_named(name)
            if group_codes == (name,):
                parts += [_format_code(name, explained) for explained in known[name]]
                if page := address(name):
                    parts[-1] += f"\n  Page: {page}"
            else:
                parts.append(_list_codes(group_codes, known))
    except UnknownCode as error:
        refuse(str(error), "CODE")
    print("\n\n".join(parts) if codes else _list_codes(known, known))


def _format_code(code: str, explained: Code) -> str:
    parts = [code, f"  In: {games_with(code, explained)}", _wrap(explained.meaning), _wrap(f"Rule: {explained.rule}")]
    diagnostic = diagnostic_in_example(code, explained)
    if diagnostic is not None:
        format = "" if explained.format == "yaml" else f", in {formats.get(explained.format).title}"
        parts.append(f"  Example{format}:")
        parts.append(indent(explained.example.rstrip(), "    "))
        parts.append(f"  hexrec reports:\n    {diagnostic}")
    elif explained.example:
        say(
            f"{code} has an example that is not reported with {code}: its authors find the cause with hexrec check-game"
        )
    parts.append(_wrap(f"To fix it: {explained.fix}"))
    return "\n".join(parts)


def _wrap(text: str) -> str:
    width = min(_WIDTH, get_terminal_size((_WIDTH, 0)).columns)
    return fill(text, width, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False)


def _list_codes(codes: Collection[str], known: Mapping[str, list[Code]]) -> str:
    width = max(map(len, codes))
    return "\n".join(f"{code:<{width}}  {known[code][-1].meaning}" for code in codes)
