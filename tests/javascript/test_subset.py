"""Each construct of the subset means the same in Python and JavaScript; all others are refused, with the remedy."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from hexrec.javascript import read_rules
from hexrec.javascript.runtime import CHECKS, RUNTIME
from hexrec.javascript.subset import NotInSubset, read_module
from hexrec.javascript.translator import translate
from tests.cases import all_of
from tests.javascript import accepted

needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="there is no Node")
SOURCE = Path(accepted.__file__)
HEAD = "from __future__ import annotations\nfrom typing import Final\nfrom hexrec.rules.cells import Cells, i64, vec\n"

CALLS: list[tuple[str, list[Any]]] = [
    *[("numbers", [first, second]) for first in (0, 7, -7, 1000) for second in (3, -3, 1, 500)],
    *[("fractions", [first, second]) for first in (0, 3, 8) for second in (0.25, 2.0)],
    *[("conditions", [first, second, flag]) for first in (1, 2) for second in (1, 2) for flag in (False, True)],
    *[("strings", [text]) for text in ("c4-c6", "pass", "h8xi3xj2", "xx-x", "ab")],
    *[("branches", [value]) for value in (-1, 0, 1, 2, 3, 7, 8, 101)],
    *[("loops", [values, limit]) for values in ([], [1, 2, 3], [-1, 5, 9, 2]) for limit in (0, 1, 4, 9)],
    *[("lists", [values]) for values in ([10, 9, 1], [7, 30, 4], [99, 98])],
    ("sorted_names", [["b10", "b2", "(0,-1)", "a1", "aa1", "(0,1)"]]),
    ("arrays", [3]),
    ("arrays", [5]),
    ("dictionaries", [["a", "b", "a"]]),
    ("dictionaries", [["c", "d"]]),
    ("objects", [3]),
    ("calls", [4]),
]


def in_javascript(code: str, calls: list[tuple[str, list[Any]]]) -> list[Any]:
    """Return the results of calls in Node; an error is its name."""
    program = (
        f"{code}\nconst $names = {{ {', '.join({name for name, _ in calls})} }};\n"
        f"const $calls = {json.dumps(calls)};\n"
        "const $results = $calls.map(([name, values]) => {\n"
        "  try { return $names[name](...values); } catch (error) { return error.name; }\n"
        "});\nconsole.log(JSON.stringify($results));"
    )
    done = subprocess.run(["node", "-"], input=program, capture_output=True, encoding="utf-8", check=False)
    assert not done.stderr
    results: list[Any] = json.loads(done.stdout)
    return results


@needs_node
@pytest.mark.parametrize("checked", [False, True])
def test_the_same_results(checked: bool) -> None:
    module = read_module(SOURCE.read_text(encoding="utf-8"), "accepted.py", {})
    code = RUNTIME + CHECKS * checked + translate(module, checked=checked).code
    expected = [getattr(accepted, name)(*json.loads(json.dumps(values))) for name, values in CALLS]
    for call, here, there in zip(CALLS, expected, in_javascript(code, CALLS), strict=True):
        assert there == here, call


def test_every_function_is_called() -> None:
    functions = {*read_module(SOURCE.read_text(encoding="utf-8"), "accepted.py", {}).functions}
    assert functions - {name for name, _ in CALLS} == {"total"}


#: Bodies of functions that differ in the two languages for some values, with the arguments that show it.
DYNAMIC = [
    ("read", "values: list[int], at: i64", "return values[at]", [[1, 2], -1]),
    ("read", "values: list[int], at: i64", "return values[at]", [[1, 2], 2]),
    ("write", "values: list[int], at: i64", "values[at] = 5\n    return 0", [[1, 2], 2]),
    ("write", "values: list[int], at: i64", "values[at] += 5\n    return 0", [[1, 2], -1]),
    ("find", "text: str, at: i64", "return text.find('a', at)", ["banana", -1]),
    ("bits", "first: i64, second: i64", "return first & second", [2**40, 1]),
    ("invert", "first: i64, second: i64", "return ~first", [2**31, 1]),
    ("shift", "first: i64, second: i64", "return first << second", [1, 31]),
    ("shift", "first: i64, second: i64", "return first << second", [1, 40]),
    ("shift", "first: i64, second: i64", "return first >> second", [1, -1]),
    ("divide", "first: i64, second: i64", "return first // second", [1, 0]),
    ("rest", "first: i64, second: i64", "return first % second", [1, 0]),
]


@needs_node
@all_of(("name", "parameters", "body", "values"), DYNAMIC)
def test_a_checked_translation_refuses_values(name: str, parameters: str, body: str, values: list[Any]) -> None:
    module = read_module(f"{HEAD}def {name}({parameters}) -> i64:\n    {body}\n", "x.py", {})
    code = RUNTIME + CHECKS + translate(module, checked=True).code
    assert in_javascript(code, [(name, values)]) == ["RangeError"]


#: Constructs that are not in the subset, with a word of the message. A body of a method of a class with the attributes
#: `at`, `values` and `side`, and the parameters `cell`, `flag`, `text` and `known`.
REFUSED = [
    # Truth, comparison and types.
    ("if self.at:\n    return 1", "length"),
    ("if cell:\n    return 1", "compare it with 0"),
    ("while self.values:\n    return 1", "length"),
    ("if not self.values:\n    return 1", "length"),
    ("if self.values == self.values:\n    return 1", "differs"),
    ("if self.at < self.at:\n    return 1", "differs"),
    ("if flag == cell:\n    return 1", "differs"),
    ("if text == cell:\n    return 1", "differs"),
    ("if flag < flag:\n    return 1", "differs"),
    ("if 0 < cell < 5:\n    return 1", "chain"),
    ("if self is self:\n    return 1", "=="),
    ("if self.side is None:\n    return 1", "None"),
    ("if cell in self.at:\n    return 1", "`in`"),
    ("if flag in self.values:\n    return 1", "`in`"),
    ("if text in text:\n    return 1", "`in`"),
    ("value = cell or 4\nreturn value", "compare it"),
    ("value = flag + 1\nreturn value", "use numbers"),
    ("value = -flag\nreturn value", "negative"),
    ("value = text * 3\nreturn 0", "use numbers"),
    ("value = self.values + self.values\nreturn 0", "use numbers"),
    ("value = [1, 2] * cell\nreturn 0", "use numbers"),
    ("value = [self.values] * cell\nreturn 0", "same object"),
    ("value = [1, flag]\nreturn 0", "one type"),
    ("value = 1 if flag else flag\nreturn value", "one type"),
    ("value = cell\nvalue = flag\nreturn value", "is int"),
    ("value = 1\nvalue = 0.5\nreturn value", "is int"),
    ("value = 7.0 // 2\nreturn 0", "use numbers"),
    ("value = 7.5 % 2\nreturn 0", "use numbers"),
    ("value = cell ** 2\nreturn value", "use numbers"),
    ("self.values.append(flag)\nreturn 0", "an argument"),
    ("self.at[cell] = flag\nreturn 0", "is int"),
    ("self.side = flag\nreturn 0", "is int"),
    ("return flag", "the result"),
    ("return None", "not in the subset"),
    ("return", "the result"),
    # Indices.
    ("return self.at[-1]", "negative"),
    ("return self.at[flag]", "an index"),
    ("return len(self.values[-2:])", "not negative"),
    ("return len(self.values[::2])", "step"),
    ("self.values[1:2] = [1]\nreturn 0", "not in the subset"),
    ("text[0] = text\nreturn 0", "cannot be changed"),
    ("return cell[0]", "no elements"),
    ("known['a'] += 1\nreturn 0", "dictionary"),
    ("return known[cell]", "a key"),
    ("self.at[self.find(1, flag, text, known)] = 2\nreturn 0", "use a variable"),
    ("self.at[self.find(1, flag, text, known)] += 2\nreturn 0", "a call"),
    # Bits.
    ("return 1 << 31", "bits"),
    ("return cell << 32", "shifts"),
    ("return cell >> -1", "shifts"),
    ("return cell | 4294967296", "2**31"),
    ("return cell & (1 << 20 << 20)", "2**31"),
    ("return LARGE | cell", "2**31"),
    ("return flag | flag", "operand"),
    # Loops and variables.
    ("for index in range(cell):\n    cell = 1\nreturn 0", "loop changes cell"),
    ("for index in range(3):\n    index = 1\nreturn 0", "variable of a loop"),
    ("for index in range(3):\n    index += 1\nreturn 0", "variable of a loop"),
    ("for index in range(3):\n    pass\nreturn index", "outside of it"),
    ("for cell in range(3):\n    pass\nreturn 0", "parameter"),
    ("for index in range(3):\n    for index in range(2):\n        pass\nreturn 0", "variable of a loop"),
    ("for index in range(0, 9, 2):\n    pass\nreturn 0", "step"),
    ("for value in self.values:\n    self.values.append(1)\nreturn 0", "loop over a copy"),
    ("values = self.values\nfor value in values:\n    values = [1]\nreturn 0", "loop changes values"),
    ("for index in range(3):\n    pass\nelse:\n    return 1\nreturn 0", "For"),
    ("while cell > 0:\n    return 1\nelse:\n    return 2\nreturn 0", "While"),
    ("for first, second in self.values:\n    pass\nreturn 0", "For"),
    ("for letter in text:\n    pass\nreturn 0", "a loop over str"),
    ("for name in known:\n    pass\nreturn 0", "a loop over dict"),
    ("if flag:\n    value = 1\nreturn value", "no value"),
    ("while flag:\n    value = 1\nreturn value", "no value"),
    ("for index in range(cell):\n    value = 1\nreturn value", "no value"),
    ("value: i64\nreturn value", "no value"),
    ("value = value + 1\nreturn value", "no variable"),
    ("value = ONE\nONE = 2\nreturn value", "no variable"),
    ("if flag:\n    return 1", "without a result"),
    ("return 1\nreturn 2", "leave it out"),
    ("return self.missing", "no attribute"),
    ("self.missing = 1\nreturn 0", "no attribute"),
    ("return missing", "no variable"),
    ("values = []\nreturn 0", "annotate"),
    ("delete = 1\nreturn delete", "another one"),
    ("arguments = 1\nreturn arguments", "another one"),
    ("länge = 1\nreturn länge", "another one"),
    ("value = self.nothing()\nreturn 0", "no result"),
    ("value: tuple[int] = 1\nreturn 0", "type tuple"),
    # Calls.
    ("return self.find(1)", "parameters"),
    ("return self.find(1, flag, text, known=known)", "by position"),
    ("return self.find(*[1])", "by position"),
    ("return self.find(flag, flag, text, known)", "an argument"),
    ("return len(self.codes())", "takes self"),
    ("return max(1, 2, 3)", "two integers"),
    ("return max(self.values)", "two integers"),
    ("return max(1, 0.5)", "two integers"),
    ("value = 1 if flag else 0.5\nreturn 0", "one type"),
    ("return abs(cell)", "a call of abs"),
    ("return sum(self.values)", "a call of sum"),
    ("return int(text)", "a call of int"),
    ("return len(sorted(self.values))", "a call of sorted"),
    ("self.values.sort(reverse=True)\nreturn 0", "by position"),
    ("self.values.pop()\nreturn 0", "method pop"),
    ("self.at.append(1)\nreturn 0", "method append"),
    ("return len(text.strip())", "method strip"),
    ("return len(text.split())", "method split"),
    ("return known.get(text)", "method get"),
    ("return len(text.split(''))", "not empty"),
    ("return known.get(text, self.find(1, flag, text, known))", "default"),
    ("print(text)\nreturn 0", "a call of print"),
    ("find = self.find\nreturn 0", "no attribute"),
    ("kind = Rules\nreturn 0", "no variable"),
    ("return len(f'{cell:03}')", "formats"),
    ("return len(f'{cell!r}')", "formats"),
    ("return len(f'{flag}')", "another form"),
    # Statements and expressions.
    ("return len([value for value in self.values])", "ListComp"),
    ("return len({1, 2})", "Set"),
    ("return len({'a': 1})", "Dict"),
    ("pair = (1, 2)\nreturn 0", "Tuple"),
    ("first, second = self.values\nreturn 0", "single ones"),
    ("first, second = text.split('x')\nreturn 0", "single ones"),
    ("first, second = 1, 2, 3\nreturn 0", "single ones"),
    ("first, second = self.nothing(), 1\nreturn 0", "single ones"),
    ("first, known['a'] = 1, 2\nreturn 0", "single ones"),
    ("self = self\nreturn 0", "another one"),
    ("self.at = vec[i64]()\nreturn 0", "pass one"),
    ("self.at = vec[i64]([flag])\nreturn 0", "pass one"),
    ("first = second = 1\nreturn first", "Assign"),
    ("if (value := cell) > 1:\n    return value\nreturn 0", "NamedExpr"),
    ("key = lambda: 1\nreturn 0", "Lambda"),
    ("try:\n    return 1\nexcept ValueError:\n    return 2", "Try"),
    ("with self as other:\n    return 1", "With"),
    ("raise ValueError", "Raise"),
    ("assert cell > 0\nreturn 0", "Assert"),
    ("del self.values[0]\nreturn 0", "Delete"),
    ("global ONE\nreturn 0", "Global"),
    ("def inner() -> None:\n    pass\nreturn 0", "FunctionDef"),
    ("match cell:\n    case 1:\n        return 2\nreturn 0", "Match"),
    ("import math\nreturn 0", "Import"),
    ("value = yield 1\nreturn 0", "Yield"),
    ("cell\nreturn 0", "Expr"),
    ("return 1j", "Constant"),
]

CLASS = f"""{HEAD}ONE: Final = 1
LARGE: Final = 1 << 33

class Rules:
    def __init__(self, size: i64) -> None:
        self.at: Cells = vec[i64]([0] * size)
        self.values: list[int] = []
        self.side: i64 = 0

    @staticmethod
    def codes() -> list[str]:
        return []

    def nothing(self) -> None:
        pass

    def find(self, cell: i64, flag: bool, text: str, known: dict[str, int]) -> i64:
"""


@all_of(("body", "problem"), REFUSED)
def test_refused_in_methods(body: str, problem: str) -> None:
    source = CLASS + "".join(f"        {line}\n" for line in body.splitlines())
    with pytest.raises(NotInSubset, match=re.escape(problem)) as refused:
        translate(read_module(source, "rules.py", {}))
    first = CLASS.count("\n") + 1
    assert first - 1 <= refused.value.line < first + body.count("\n") + 1
    assert re.fullmatch(rf"rules\.py:{refused.value.line}: [^\n]+: [^\n]+", str(refused.value)), (
        "a problem and a remedy"
    )


#: Whole modules that are not in the subset.
MODULES = [
    ("import math", "Import"),
    ("from math import pi", "ImportFrom"),
    ("from hexrec.rules.grid import BLACK as B", "another name"),
    ("from hexrec.rules.grid import MISSING", "not in"),
    ("X = 1", "Assign"),
    ("X: Final = [1]", "constant"),
    ("X: Final = len('a')", "constant"),
    ("X: Final = 1 << 53", "2**53"),
    ("if True:\n    pass", "If"),
    ("def f(a) -> i64:\n    return 1", "annotate"),
    ("def f(a: i64):\n    pass", "annotate"),
    ("def f(a: i64 = 1) -> None:\n    pass", "defaults"),
    ("def f(*a: i64) -> None:\n    pass", "by position"),
    ("def f(*, a: i64) -> None:\n    pass", "by position"),
    ("def f(new: i64) -> None:\n    pass", "another one"),
    ("def len(a: i64) -> None:\n    pass", "another one"),
    ("@cache\ndef f() -> None:\n    pass", "decorator"),
    ("async def f() -> None:\n    pass", "AsyncFunctionDef"),
    ("def f() -> None:\n    pass\ndef f() -> None:\n    pass", "twice"),
    ("class A(B):\n    pass", "base class"),
    ("class A(metaclass=B):\n    pass", "base class"),
    ("@dataclass\nclass A:\n    pass", "decorator"),
    ("class A:\n    x = 1", "only methods"),
    ("class A:\n    def __eq__(self, other: i64) -> bool:\n        return True", "another one"),
    ("class A:\n    @property\n    def f(self) -> i64:\n        return 1", "decorator"),
    ("class A:\n    def f() -> i64:\n        return 1", "self"),
    ("class A:\n    def f(self) -> None:\n        pass\n    def f(self) -> None:\n        pass", "twice"),
    (
        "class A:\n    def __init__(self) -> None:\n        self.f = 1\n    def f(self) -> None:\n        pass",
        "a method",
    ),
    (
        "class A:\n    def __init__(self, a: bool) -> None:\n        if a:\n            self.x = 1",
        "no attribute",
    ),
    ("class A:\n    def __init__(self) -> None:\n        self.y = self.x\n        self.x = 1", "no attribute"),
    ("class A:\n    def __init__(self) -> None:\n        self.x = []", "annotate"),
    (
        "class A:\n    def __init__(self, a: bool) -> None:\n        if a:\n            return\n        self.x = 1",
        "return",
    ),
    (
        "class A:\n    pass\nclass B(A):\n    def __init__(self) -> None:\n        self.x = 1\n"
        "        super().__init__()",
        "first",
    ),
    ("def f(:", "not Python"),
]


@all_of(("source", "problem"), MODULES)
def test_refused_modules(source: str, problem: str, tmp_path: Path) -> None:
    path = tmp_path / "rules.py"
    path.write_text(HEAD + source + "\n", encoding="utf-8")
    with pytest.raises(NotInSubset, match=re.escape(problem)) as refused:
        translate(read_rules(path, "rules.py"))
    assert HEAD.count("\n") < refused.value.line <= HEAD.count("\n") + source.count("\n") + 1
