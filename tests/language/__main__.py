"""Check the language of hexrec: `python -m tests.language [FILE…]` prints each passage that breaks `terms.toml`.

Checked are docstrings, comments, messages and help in the package, the explanations of codes, and the pages. Prose is
checked alone: code spans and code blocks are left out. Spelling is checked in identifiers too.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
TERMS = tomllib.loads((Path(__file__).parent / "terms.toml").read_text(encoding="utf-8"))
#: Words of prose for each "what" that there may be.
WORDS_PER_WHAT = 500

_FENCE = re.compile(r"^( *)(```|~~~).*?^\1\2 *$|^---$.*?^---$", re.MULTILINE | re.DOTALL)
_CODE = re.compile(
    r"``.+?``|`[^`]+`|\]\([^)\n]*\)|<[^>\n]+>|https?://\S+|^ *(?:>>>|\.\.\.) [^\n]*$", re.MULTILINE | re.DOTALL
)
_NAME = re.compile(r"[A-Za-z][a-z]+|[A-Z]+(?![a-z])")


class Passage(NamedTuple):
    """Some prose of a file: the line where it begins, and whether it is a docstring or page, a name, or a message."""

    file: Path
    line: int
    kind: str
    text: str


def passages(path: Path) -> Iterator[Passage]:
    """Yield the prose of a file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        yield from _of_python(path, text)
    elif path.suffix == ".md":
        yield Passage(path, 1, "page", _without(_FENCE, text))
    else:
        yield Passage(path, 1, "codes", text)


def _of_python(path: Path, text: str) -> Iterator[Passage]:
    docstrings = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            body = node.body[:1]
            if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
                docstrings.add((body[0].lineno, body[0].col_offset))
                yield Passage(path, body[0].lineno, "docstring", str(body[0].value.value))
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and not token.string.startswith(("# noqa", "# type:", "#!")):
            yield Passage(path, token.start[0], "comment", token.string.lstrip("#: "))
        elif token.type == tokenize.STRING and token.start not in docstrings and " " in token.string:
            yield Passage(path, token.start[0], "message", token.string)
        elif token.type == tokenize.NAME:
            words = " ".join(_NAME.findall(token.string.replace("_", " ")))
            yield Passage(path, token.start[0], "name", words + token.line[token.end[1] : token.end[1] + 1])


def _without(pattern: re.Pattern[str], text: str) -> str:
    """Return a text with the matches of a pattern blanked, so that lines keep their numbers."""
    return pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)


def _compiled(section: str) -> list[tuple[re.Pattern[str], str]]:
    flags = re.IGNORECASE
    return [
        (re.compile(pattern if pattern.startswith("^") else rf"\b(?:{pattern})\b", flags), hint)
        for pattern, hint in TERMS[section].items()
    ]


SPELLING = _compiled("spelling")
PROSE = [*_compiled("terms"), *_compiled("patterns")]
ALLOWED = [re.compile(re.escape(phrase).replace("\\ ", r"\s+")) for phrase in TERMS.get("allowed", {})]


def problems(passage: Passage) -> Iterator[str]:
    """Yield a line for each place in a passage that breaks a rule."""
    prose = passage.text if passage.kind == "name" else _without(_CODE, passage.text)
    for phrase in ALLOWED:
        prose = _without(phrase, prose)
    for pattern, hint in SPELLING if passage.kind == "name" else [*SPELLING, *PROSE]:
        for match in pattern.finditer(prose):
            line = passage.line + prose.count("\n", 0, match.start())
            yield f"{passage.file.relative_to(ROOT)}:{line}: {match[0]!r}: say {hint}"


def files() -> list[Path]:
    """Return the files that are checked."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    package = [*(ROOT / "hexrec").rglob("*.py"), *(ROOT / "hexrec/codes").glob("*.toml")]
    return sorted(path for path in [*pages, *package] if path.name != "CHANGELOG.md")


def main() -> int:
    """Print the problems of all files, or of those that are named; return the exit code."""
    named = [Path(name).resolve() for name in sys.argv[1:]]
    found, words, whats = 0, 0, 0
    kinds: Counter[str] = Counter()
    for passage in (each for path in named or files() for each in passages(path)):
        for problem in problems(passage):
            print(problem)
            found += 1
            kinds[problem.split(": say ")[1]] += 1
        if passage.kind in ("docstring", "page"):
            prose = _without(_CODE, passage.text)
            words += len(prose.split())
            whats += len(re.findall(r"\bwhat\b", prose, re.IGNORECASE))
    print(
        f"{found} problems; {whats} times 'what' in {words} words, at most {words // WORDS_PER_WHAT}", file=sys.stderr
    )
    if "--count" in sys.argv:
        print(kinds.most_common())
    return int(found > 0 or whats > words // WORDS_PER_WHAT)


if __name__ == "__main__":
    sys.exit(main())
