"""A fault in the rules of a game is noticed by its fixtures, by the conformance kit, or by the transcription.

Ten lines of each `rules.py` have a fault, one at a time. The suite tries one of them for each game, `nox -s properties`
all. `python -m tests.rules.test_faults [NAME]` prints how each is noticed.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

from hexrec.rules import games
from tests.mutants import ROOT, Mutant, source_of
from tests.properties import sample

#: Lines with a fault, for each game.
LINES = 10
#: A fault may make a search endless: more CPU seconds than this are noticed, too.
MOST_SECONDS = 20
_COMPARISONS = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
}
#: Faults that change no result, by game: the line with the fault, and the reason.
HARMLESS: dict[str, dict[str, str]] = {
    "frasvel": {
        "self.stamp += 2": "any other number is as good for a search",
        "sign = 1 - 3 * self.side": "only the sign counts",
        "lead[cell - step] += change": "the opposite of a step is a step",
    },
    "valaturna": {
        "self.summit[PROVED] += 2": "the number is only compared with 0",
        "self.summit[FRESH] += 2": "the proof looks around a place without a stack, too, which changes nothing",
    },
    "sundraval": {
        "self.firm = zeros(1)": "`settle` makes the array again",
        "self.is_linked = zeros(1)": "`settle` makes the array again",
        "self.strangled[group] = 2": "any number but 0 is a mark",
        "regions: i64 = 1": "regions only have different numbers",
    },
    "sunspot": {
        "self.stamp += 2": "any other number is as good for a search",
        "self.put(placed, self.side, 2)": "stones have no heights",
        "changes[cell] = 1": "a placement that is tried without need has the same flips",
        "if self.changes[placed] & EXPOSED_BIT != 1:": "stones that are not exposed are left out, too",
    },
    "nadraz": {
        "self.stamp += 2": "any other number is as good for a search",
        "return pack(first, first, 2)": "turns of a cell are played as those that are not in canonical form",
        "while index >= 0 and ends[index - 1] > key:": "the interpreter takes the last entry, which is 0",
        "if self.touched_count > 1 and self.count[ways] >= 2 and self.is_merge_crowded(last):": "the method counts too",
    },
}


def faults(text: str) -> Iterator[Mutant]:
    """Yield modules with a fault in a method: a comparison, constant, guard, sign, or `and` for `or`."""
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))

    def place(line: int | None, column: int | None) -> int:
        assert line is not None
        assert column is not None
        return starts[line - 1] + column

    for method in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)):
        for node in (each for statement in method.body for each in ast.walk(statement)):
            begin: ast.expr | None
            end: ast.expr
            match node:
                case ast.Compare(left=left, ops=[operator], comparators=[right]):
                    begin, end, new = left, right, _COMPARISONS.get(type(operator), "")
                case ast.BoolOp(op=operator, values=[left, right, *_]):
                    begin, end, new = left, right, "or" if isinstance(operator, ast.And) else "and"
                case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as operator, right=right):
                    begin, end, new = left, right, "-" if isinstance(operator, ast.Add) else "+"
                case ast.AugAssign(target=target, op=ast.Add() | ast.Sub() as operator, value=value):
                    begin, end, new = target, value, "-=" if isinstance(operator, ast.Add) else "+="
                case ast.Constant(value=int() as number) if not isinstance(number, bool):
                    begin, end, new = None, node, str(number + 1)
                case ast.If(test=test):
                    begin, end, new = None, test, f"not ({ast.get_source_segment(text, test)})"
                case _:
                    continue
            if begin is None:
                span = place(end.lineno, end.col_offset), place(end.end_lineno, end.end_col_offset)
            else:
                span = place(begin.end_lineno, begin.end_col_offset), place(end.lineno, end.col_offset)
                old = text[slice(*span)]
                # Brackets around an operand stay.
                new = old.replace(old.strip("() \n"), new)
            changed = text[: span[0]] + new + text[span[1] :]
            number = node.lineno
            if changed != text:
                yield Mutant(number, lines[number - 1].strip(), changed.splitlines()[number - 1].strip(), changed)


def chosen(name: str) -> list[Mutant]:
    """Return faults in ten lines of the rules of a game, one in each, the same in every run."""
    text = (ROOT / source_of(f"hexrec.rules.games.{name}.rules")).read_text(encoding="utf-8")
    found = [*faults(text)]
    Random(name).shuffle(found)
    by_line = {fault.line: fault for fault in reversed(found) if fault.after not in HARMLESS.get(name, {})}
    return sorted(by_line.values(), key=found.index)[:LINES]


def judge(name: str, fault: Mutant) -> str:
    """Return the judge that notices a fault; an empty string if none does."""
    with TemporaryDirectory() as folder:
        file = Path(folder, "rules.py")
        file.write_text(fault.text, encoding="utf-8")
        # The limit is one of CPU time: how busy the machine is does not matter.
        limit = f'ulimit -t {MOST_SECONDS}; exec "$@"'
        command = ["sh", "-c", limit, "sh", sys.executable, "-m", "tests.rules.judge", name, str(file)]
        environment = os.environ | {"HEXREC_PURE": "1"}
        ran = subprocess.run(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True, check=False)
    return "" if ran.returncode == 0 else ran.stdout.strip() or "endless"


@pytest.mark.slow
@pytest.mark.parametrize("name", games.BUILT_IN)
def test_judges_notice_faults(name: str) -> None:
    unnoticed = [
        (fault.line, fault.before, fault.after) for fault in sample(chosen(name), LINES) if not judge(name, fault)
    ]
    assert unnoticed == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sample(games.BUILT_IN, len(games.BUILT_IN)))
def test_judges_agree_with_the_rules(name: str) -> None:
    text = (ROOT / source_of(f"hexrec.rules.games.{name}.rules")).read_text(encoding="utf-8")
    assert judge(name, Mutant(0, "", "", text)) == ""


def main() -> None:
    """Print the faults and their judges."""
    for name in sys.argv[1:] or games.BUILT_IN:
        for fault in chosen(name):
            noticed = judge(name, fault) or "SURVIVED"
            print(f"{name}:{fault.line}: {fault.before} → {fault.after}: {noticed}", flush=True)


if __name__ == "__main__":
    main()
