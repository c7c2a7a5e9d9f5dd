"""Translates modules in the subset to JavaScript, and refuses everything else: nothing is translated on a guess.

Arrays are plain arrays of numbers, which engines keep as small integers; dictionaries are maps; constants are put where
they are used; other names stay as they are. Indices, operands of bits and divisors depend on values, which nothing but
a run can check: *checked* translations, for tests, throw where Python and JavaScript would differ.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from hexrec.javascript.subset import (
    METHODS,
    SIMPLE,
    TOO_LARGE,
    Class,
    Function,
    Method,
    Module,
    NotInSubset,
    accepts,
    element_of,
    family,
    find_methods,
)

#: Functions that the translation calls.
RUNTIME = """\
const $filled = (length, value) => new Array(length).fill(value);
const $modulo = (a, b) => ((a % b) + b) % b;
"""
#: Functions that checked translations call.
CHECKS = """\
const $index = (values, index) => {
  if (!Number.isInteger(index) || index < 0 || index >= values.length) throw new RangeError(`index ${index}`);
  return index;
};
const $at = (values, index) => values[$index(values, index)];
const $get = (values, key) => {
  if (!values.has(key)) throw new RangeError(`key ${key}`);
  return values.get(key);
};
const $bits = (value) => {
  if ((value | 0) !== value) throw new RangeError(`bits of ${value}`);
  return value;
};
const $left = (value, by) => {
  if ($count(by) !== by || (value << by) !== value * 2 ** by) throw new RangeError(`${value} << ${by}`);
  return value << by;
};
const $count = (by) => {
  if (!Number.isInteger(by) || by < 0 || by > 31) throw new RangeError(`shift by ${by}`);
  return by;
};
const $natural = (value) => {
  if (value < 0) throw new RangeError(`negative index ${value}`);
  return value;
};
const $divisor = (value) => {
  if (value === 0) throw new RangeError("division by zero");
  return value;
};
"""
_OPERATORS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.BitOr: "|",
    ast.BitAnd: "&",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.And: "&&",
    ast.Or: "||",
}
_BITS = (ast.BitOr, ast.BitAnd, ast.BitXor, ast.LShift, ast.RShift)
_ORDER = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
#: The place of the value in the template of an assignment.
_VALUE = "\0"
_SIMPLE_ASSIGNMENT = f" = {_VALUE};"
#: Statements that have no translation, with the remedy.
_REMEDIES = {
    "Assert": "return a code",
    "AsyncFor": "use for",
    "ClassDef": "move the class to the top of the module",
    "Delete": "set another value",
    "FunctionDef": "move the function to the top of the module",
    "Global": "use an attribute",
    "Match": "use if",
    "Nonlocal": "use an attribute",
    "Raise": "return a code",
    "Try": "test first, and return a code",
    "With": "leave it out",
}


class Value(NamedTuple):
    """A translated expression, in parentheses where it has an operator, and its type."""

    code: str
    kind: str


#: Methods that are checked, and left out: in Python alone random turns are drawn, and copies keep lists.
_PYTHON_ONLY = ("count_moves", "move_at", "restore_lists")


class Translation(NamedTuple):
    """A translated module, without imports: its lines of JavaScript, and its names."""

    code: str
    names: list[str]


def translate(module: Module, *, checked: bool = False) -> Translation:
    """Translate a module. Raises NotInSubset; from then on, the module knows the attributes of its classes."""
    translator = _Translator(module, checked)
    for node in module.tree.body:
        if isinstance(node, ast.ClassDef):
            translator.find_attributes(node)
    lines: list[str] = []
    names: list[str] = []
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef):
            lines += translator.function(node, module.functions[node.name], f"function {node.name}")
            names.append(node.name)
        elif isinstance(node, ast.ClassDef):
            lines += translator.class_lines(node)
            names.append(node.name)
    return Translation("\n".join(lines) + "\n", names)


class _Translator:
    """Translates one module.

    Attributes:
        module: the module.
        checked: whether the translation checks indices and operands.
        this: the class of the current method, or None; and its name.
        result: the type of the result of the current function.
        variables: the types of the variables of the current function.
        assigned: those of them that certainly have a value at this point.
        stored: all variables of the current function.
        loops: the variables of its loops.
        declares: whether assignments to `self` declare attributes.
    """

    def __init__(self, module: Module, checked: bool) -> None:
        self.module = module
        self.checked = checked
        self.this: Class | None = None
        self.this_name = ""
        self.result = "None"
        self.variables: dict[str, str] = {}
        self.assigned: set[str] = set()
        self.stored: set[str] = set()
        self.loops: set[str] = set()
        self.declares = False

    def refuse(self, node: ast.AST, problem: str) -> NotInSubset:
        """Return the error for a node."""
        return self.module.refuse(node, problem)

    # Classes and functions.

    def find_attributes(self, node: ast.ClassDef) -> None:
        """Add the attributes that the constructor of a class sets to the module."""
        base = self.module.classes[node.name].base
        if base:
            self.module.classes[node.name].attributes.update(self.module.classes[base].attributes)
        self.declares = True
        for method in find_methods(self.module, node):
            if method.name == "__init__":
                self.method(node.name, method)
        self.declares = False

    def class_lines(self, node: ast.ClassDef) -> Iterator[str]:
        """Yield the lines of a class."""
        base = self.module.classes[node.name].base
        yield f"class {node.name}{f' extends {base}' if base else ''} {{"
        for method in find_methods(self.module, node):
            lines = self.method(node.name, method)
            if method.name not in _PYTHON_ONLY:
                yield from _indent(lines)
        yield "}"

    def method(self, name: str, node: ast.FunctionDef) -> list[str]:
        """Return the lines of a method of a class."""
        self.this_name, self.this = name, self.module.classes[name]
        known = self.this.methods[node.name]
        head = "constructor" if node.name == "__init__" else "static " * known.is_static + node.name
        if node.name == "__init__":
            first = next((part for part in node.body if not _is_docstring(part)), node)
            if self.this.base and not ast.unparse(first).startswith("super().__init__("):
                raise self.refuse(first, "a constructor calls that of the base class first: begin with super()")
            for part in ast.walk(node):
                if isinstance(part, ast.Return):
                    raise self.refuse(part, "a constructor sets all attributes: leave return out")
        if known.is_static:
            self.this = None
        lines = self.function(node, known, head)
        self.this_name, self.this = "", None
        return lines

    def function(self, node: ast.FunctionDef, known: Function, head: str) -> list[str]:
        """Return the lines of a function or method."""
        self.result = known.result
        self.variables = dict(known.parameters)
        self.assigned = {*known.parameters}
        self._find_loops(node)
        body, ends = self.block(node.body)
        if not ends and self.result != "None":
            raise self.refuse(node, f"{node.name} may end without a result: return one in all branches")
        own = [name for name in self.variables if name not in known.parameters and name not in self.loops]
        for name in own:
            self.module.check_name(name, node)
        declared = [f"  let {', '.join(own)};"] if own else []
        return [f"{head}({', '.join(known.parameters)}) {{", *declared, *_indent(body), "}"]

    def _find_loops(self, function: ast.FunctionDef) -> None:
        """Find the variables of loops. Refuse one that is changed, used outside of its loops, or used again within."""
        loops = [each for each in ast.walk(function) if isinstance(each, ast.For)]
        self.loops = {loop.target.id for loop in loops if isinstance(loop.target, ast.Name)}
        inside: dict[str, set[int]] = {name: set() for name in self.loops}
        for loop in loops:
            if isinstance(loop.target, ast.Name):
                inside[loop.target.id] |= {id(part) for line in loop.body for part in ast.walk(line)}
        names = [part for part in ast.walk(function) if isinstance(part, ast.Name)]
        self.stored = {part.id for part in names if isinstance(part.ctx, ast.Store)}
        targets = {id(loop.target) for loop in loops}
        declared = {
            id(part.target) for part in ast.walk(function) if isinstance(part, ast.AnnAssign) and not part.value
        }
        for name in self.loops & {parameter.arg for parameter in function.args.args}:
            raise self.refuse(function, f"{name} is a parameter and the variable of a loop: give the loop another one")
        for part in names:
            if part.id not in self.loops or id(part) in declared:
                continue
            is_inside = id(part) in inside[part.id]
            if is_inside and isinstance(part.ctx, ast.Store):
                raise self.refuse(
                    part, f"{part.id} is the variable of a loop, whose body may not change it: rename one"
                )
            if not is_inside and id(part) not in targets:
                raise self.refuse(part, f"{part.id} is the variable of a loop, and used outside of it: rename one")

    # Statements. Each returns whether the flow of control never gets behind it.

    def block(self, statements: Iterable[ast.stmt]) -> tuple[list[str], bool]:
        """Return the lines of statements, and whether the flow of control never gets behind them."""
        lines: list[str] = []
        ends = False
        for statement in statements:
            if ends:
                raise self.refuse(statement, "the program never gets here: leave it out")
            more, ends = self.statement(statement)
            lines += more
        return lines, ends

    def statement(self, node: ast.stmt) -> tuple[list[str], bool]:
        """Return the lines of a statement, and whether the flow of control never gets behind it."""
        match node:
            case ast.Pass():
                return [], False
            case ast.Expr() if _is_docstring(node):
                return [], False
            case ast.Expr(value=ast.Call() as call):
                return [f"{self.call(call).code};"], False
            case ast.AnnAssign(target=target, value=value):
                return self.annotated(node, target, value), False
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=value):
                return self.unpack(targets, value), False
            case ast.Assign(targets=[target], value=value):
                return self.assign(target, value), False
            case ast.AugAssign():
                return [self.augmented(node)], False
            case ast.Return(value=value):
                if value is None and self.result == "None":
                    return ["return;"], True
                if value is None:
                    raise self.refuse(node, f"the result is {self.result}: return one")
                return [f"return {self.given(value, self.result, 'the result')};"], True
            case ast.If():
                return self.branches(node, "if")
            case ast.While(test=test, body=body, orelse=[]):
                return [f"while ({self.condition(test)}) {{", *self.inner(body), "}"], False
            case ast.For(target=ast.Name(id=name), orelse=[]):
                return self.loop(name, node), False
            case ast.Break() | ast.Continue():
                return [f"{type(node).__name__.lower()};"], True
            case ast.Raise(exc=ast.Name(id="NotImplementedError"), cause=None):
                return ['throw new Error("not implemented");'], True
        name = type(node).__name__
        remedy = _REMEDIES.get(name, "write it in another way")
        raise self.refuse(node, f"{name} is not in the subset in this form: {remedy}")

    def inner(self, statements: list[ast.stmt]) -> list[str]:
        """Return the lines of the body of a loop. Variables that it assigns may have no value after it."""
        before, declares = set(self.assigned), self.declares
        self.declares = False
        lines, _ = self.block(statements)
        self.assigned, self.declares = before, declares
        return list(_indent(lines))

    def branches(self, node: ast.If, word: str) -> tuple[list[str], bool]:
        """Return the lines of a condition with its other branches."""
        head = f"{word} ({self.condition(node.test)}) {{"
        before, declares = set(self.assigned), self.declares
        self.declares = False
        body, body_ends = self.block(node.body)
        after, self.assigned = self.assigned, before
        lines = [head, *_indent(body)]
        other_ends = False
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            others, other_ends = self.branches(node.orelse[0], "} else if")
            lines += others
        else:
            others, other_ends = self.block(node.orelse)
            lines += ["} else {", *_indent(others), "}"] if others else ["}"]
        self.declares = declares
        if other_ends:
            self.assigned = after
        elif not body_ends:
            self.assigned &= after
        return lines, body_ends and other_ends

    def loop(self, name: str, node: ast.For) -> list[str]:
        """Return the lines of a loop over a range, an array or a list."""
        self.module.check_name(name, node)
        values = node.iter
        stored = {
            part.id
            for line in node.body
            for part in ast.walk(line)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
        }
        for part in ast.walk(values):
            if isinstance(part, ast.Name) and part.id in stored:
                raise self.refuse(node, f"the loop changes {part.id}, over which it runs: compiled, it runs otherwise")
        if isinstance(values, ast.Call) and isinstance(values.func, ast.Name) and values.func.id == "range":
            kind, head = "int", self.range_head(name, values)
        else:
            whole = self.expression(values)
            if family(whole.kind) not in ("Cells", "list"):
                raise self.refuse(node, f"a loop over {whole.kind} is not in the subset: loop over an array or a list")
            self._check_unchanged(values, node)
            kind, head = element_of(whole.kind), f"for (const {name} of {whole.code}) {{"
        if self.variables.setdefault(name, kind) != kind:
            raise self.refuse(node, f"{name} is {self.variables[name]}, and of type {kind} here: choose another name")
        before = set(self.assigned)
        self.assigned.add(name)
        lines = self.inner(node.body)
        self.assigned = before
        return [head, *lines, "}"]

    def range_head(self, name: str, values: ast.Call) -> str:
        """Return the head of a loop over a range. The end is found once, before the loop."""
        if not 1 <= len(values.args) <= 3 or values.keywords:
            raise self.refuse(values, "a range has an end, or a start, an end and a step: pass them by position")
        step = self.module.constant(values.args[2]) if len(values.args) == 3 else 1
        if step not in (1, -1):
            raise self.refuse(values, "the step of a range is 1 or -1: use while for others")
        first, *rest = [self.given(value, "int", "an end of a range") for value in values.args[:2]]
        start, end = (first, rest[0]) if rest else ("0", first)
        test, change = ("<", "++") if step == 1 else (">", "--")
        if self.module.constant(values.args[len(rest)]) is not None:
            return f"for (let {name} = {start}; {name} {test} {end}; {name}{change}) {{"
        return f"for (let {name} = {start}, {name}$end = {end}; {name} {test} {name}$end; {name}{change}) {{"

    def _check_unchanged(self, values: ast.expr, node: ast.For) -> None:
        """Refuse a loop that changes the length or order of the list over which it runs."""
        text = ast.unparse(values)
        for line in node.body:
            for part in ast.walk(line):
                if (
                    isinstance(part, ast.Call)
                    and isinstance(part.func, ast.Attribute)
                    and ast.unparse(part.func.value) == text
                    and part.func.attr in ("append", "sort", "reverse")
                ):
                    raise self.refuse(part, f"the loop changes {text}, over which it runs: loop over a copy")

    # Assignments.

    def annotated(self, node: ast.AnnAssign, target: ast.expr, value: ast.expr | None) -> list[str]:
        """Return the lines of an assignment with a type, or of a declaration."""
        kind = self.module.type_of(node.annotation, node)
        match target:
            case ast.Name(id=name):
                if self.variables.setdefault(name, kind) != kind:
                    raise self.refuse(node, f"{name} is {self.variables[name]}, not {kind}: choose another name")
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if self.declares and self.this and value:
                self._declare(name, kind, node)
        return [] if value is None else self.assign(target, value)

    def _declare(self, name: str, kind: str, node: ast.AST) -> None:
        """Declare an attribute."""
        assert self.this is not None
        self.module.check_name(name, node)
        if name in self.this.methods:
            raise self.refuse(node, f"{name} is a method of {self.this_name} too: choose another name")
        if not accepts(self.this.attributes.setdefault(name, kind), kind, self.module.classes):
            raise self.refuse(node, f"{name} is {self.this.attributes[name]}, not {kind}: choose another name")

    def assign(self, target: ast.expr, value: ast.expr) -> list[str]:
        """Return the lines of an assignment."""
        given = self.expression(value)
        if given.kind == "None":
            raise self.refuse(value, f"{ast.unparse(value)} has no result: write it in a line of its own")
        left = self.target(target, given.kind)
        is_direct = isinstance(target, ast.Name) or (
            isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)
        )
        if _has_call(value) and not is_direct:
            # Python finds the value first: it may change the attributes that the target reads.
            return ["{", f"  const $value = {given.code};", f"  {left.replace(_VALUE, '$value')}", "}"]
        return [left.replace(_VALUE, given.code)]

    def target(self, node: ast.expr, kind: str) -> str:
        """Return the template of an assignment to a target of a value of a type."""
        match node:
            case ast.Name(id=name):
                self._bind(name, kind, node)
                known, template = self.variables[name], f"{name}{_SIMPLE_ASSIGNMENT}"
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if self.declares and self.this:
                if name not in self.this.attributes:
                    self._declare(name, kind, node)
                    if "?" in kind:
                        raise self.refuse(node, f"the type of {name} is not known: annotate it")
                known, template = self.this.attributes[name], f"this.{name}{_SIMPLE_ASSIGNMENT}"
            case ast.Attribute():
                place = self.expression(node)
                known, template = place.kind, f"{place.code}{_SIMPLE_ASSIGNMENT}"
            case ast.Subscript(value=whole, slice=index) if not isinstance(index, ast.Slice) and not _has_call(node):
                values = self.expression(whole)
                if family(values.kind) == "dict":
                    known, template = element_of(values.kind), f"{values.code}.set({self.index(node)}, {_VALUE});"
                elif family(values.kind) in ("Cells", "list"):
                    place_of = f"$index({values.code}, {self.index(node)})" if self.checked else self.index(node)
                    known, template = element_of(values.kind), f"{values.code}[{place_of}]{_SIMPLE_ASSIGNMENT}"
                else:
                    raise self.refuse(node, f"a {values.kind} cannot be changed: make a new one")
            case _:
                raise self.refuse(node, f"an assignment to {ast.unparse(node)} is not in the subset: use a variable")
        if not accepts(known, kind, self.module.classes):
            raise self.refuse(node, f"{ast.unparse(node)} is {known}, and is assigned {kind}: use a value of that type")
        return template

    def _bind(self, name: str, kind: str, node: ast.AST) -> None:
        """Note that a variable has a value from now on."""
        if name not in self.variables and "?" in kind:
            raise self.refuse(node, f"the type of {name} is not known: annotate it")
        self.variables.setdefault(name, kind)
        self.assigned.add(name)

    def unpack(self, targets: list[ast.expr], value: ast.expr) -> list[str]:
        """Return the lines of an assignment to several targets."""
        are_names = all(isinstance(target, ast.Name) for target in targets)
        lines: list[str] = []
        right = ""
        if isinstance(value, ast.Tuple) and len(value.elts) == len(targets):
            values = [self.expression(each) for each in value.elts]
            if all(known.kind != "None" for known in values):
                lines = [self.target(each, known.kind) for each, known in zip(targets, values, strict=True)]
            read = {part.id for part in ast.walk(value) if isinstance(part, ast.Name)}
            if lines and are_names and not read & {ast.unparse(target) for target in targets}:
                return [line.replace(_VALUE, known.code) for line, known in zip(lines, values, strict=True)]
            right = f"[{', '.join(known.code for known in values)}]"
        if not lines or not all(line.endswith(_SIMPLE_ASSIGNMENT) for line in lines):
            raise self.refuse(value, "this assignment to several targets is not in the subset: write single ones")
        return [f"[{', '.join(line.removesuffix(_SIMPLE_ASSIGNMENT) for line in lines)}] = {right};"]

    def augmented(self, node: ast.AugAssign) -> str:
        """Return the line of an assignment such as ``+=``."""
        if _has_call(node.target):
            raise self.refuse(node, "a call in the target of this assignment: put its result into a variable")
        whole = self.operation(ast.copy_location(ast.BinOp(node.target, node.op, node.value), node))
        if isinstance(node.target, ast.Subscript) and family(self.expression(node.target.value).kind) == "dict":
            raise self.refuse(node, "an assignment such as += to an entry of a dictionary: use =")
        line = self.target(node.target, whole.kind)
        if isinstance(node.op, ast.FloorDiv | ast.Mod) or self.checked:
            return line.replace(_VALUE, whole.code)
        if isinstance(node.op, ast.Add | ast.Sub) and self.module.constant(node.value) == 1:
            return line.replace(_SIMPLE_ASSIGNMENT, "++" if isinstance(node.op, ast.Add) else "--")
        given = self.expression(node.value).code
        return line.replace(_SIMPLE_ASSIGNMENT, f" {_OPERATORS[type(node.op)]}= {given};")

    # Expressions.

    def given(self, node: ast.expr, kind: str, meant: str) -> str:
        """Return the code of an expression that must have a type."""
        value = self.expression(node)
        if not accepts(kind, value.kind, self.module.classes):
            raise self.refuse(
                node, f"{meant} is {kind}, not {value.kind} ({ast.unparse(node)}): use a value of that type"
            )
        return value.code

    def condition(self, node: ast.expr) -> str:
        """Return the code of a condition, which may be a number instead of a boolean."""
        if isinstance(node, ast.BoolOp):
            return f"({f' {_OPERATORS[type(node.op)]} '.join(map(self.condition, node.values))})"
        return self.boolean(node).removeprefix("!!")

    def boolean(self, node: ast.expr) -> str:
        """Return the code of a boolean."""
        value = self.expression(node)
        if value.kind != "bool":
            hint = (
                "its length with 0"
                if family(value.kind) in ("Cells", "list", "dict")
                else "it with 0 or an empty string"
            )
            raise self.refuse(node, f"a condition is a bool ({ast.unparse(node)} is {value.kind}): compare {hint}")
        return value.code

    def expression(self, node: ast.expr) -> Value:
        """Return an expression."""
        match node:
            case ast.Constant(value=bool() | int() | float() | str() as value):
                if type(value) is int and value >= TOO_LARGE:
                    raise self.refuse(
                        node, "integers of 2**31 or more are not exact in all operations: use smaller ones"
                    )
                return Value(json.dumps(value), type(value).__name__)
            case ast.Name(id=name):
                return self.name(name, node)
            case ast.Attribute(value=value, attr=name):
                return self.attribute(value, name, node)
            case ast.Subscript():
                return self.subscript(node)
            case ast.Call():
                return self.call(node)
            case ast.BinOp():
                return self.operation(node)
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return Value(f"!{self.condition(operand)}", "bool")
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                number = self.expression(operand)
                if number.kind in ("int", "float"):
                    return Value(f"(-{number.code})", number.kind)
                raise self.refuse(node, f"the negative of {number.kind} is not in the subset: use a number")
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                return Value(f"(~{self.bits(operand)})", "int")
            case ast.Compare():
                return self.comparison(node)
            case ast.BoolOp(op=op, values=values):
                return Value(f"({f' {_OPERATORS[type(op)]} '.join(map(self.boolean, values))})", "bool")
            case ast.IfExp(test=test, body=body, orelse=other):
                first, second = self.expression(body), self.expression(other)
                if first.kind != second.kind or first.kind == "None":
                    raise self.refuse(node, f"the values are {first.kind} and {second.kind}: use values of one type")
                return Value(f"({self.condition(test)} ? {first.code} : {second.code})", first.kind)
            case ast.List(elts=values):
                return self.list_of(values, node)
            case ast.Dict(keys=[]):
                return Value("new Map()", "dict[?]")
            case ast.JoinedStr(values=values):
                return Value("(" + " + ".join(['""', *map(self.part, values)]) + ")", "str")
        kind = type(node).__name__
        raise self.refuse(node, f"{ast.unparse(node)} ({kind}) is not in the subset: write it with loops and variables")

    def name(self, name: str, node: ast.AST) -> Value:
        """Return a variable or a constant."""
        if name == "self" and self.this is not None:
            return Value("this", self.this_name)
        if name in self.variables:
            if name not in self.assigned:
                raise self.refuse(node, f"{name} may have no value here: set it before")
            return Value(name, self.variables[name])
        constant = self.module.constants.get(name)
        if constant is None or name in self.stored:
            raise self.refuse(node, f"{name} is no variable or constant here: set it before, or annotate it")
        code = json.dumps(constant)
        return Value(
            f"(/* {name} */ {code})" if code.startswith("-") else f"/* {name} */ {code}", type(constant).__name__
        )

    def attribute(self, value: ast.expr, name: str, node: ast.AST) -> Value:
        """Return an attribute."""
        whole = self.expression(value)
        known = self.module.classes.get(whole.kind)
        if known is None or name not in known.attributes:
            raise self.refuse(
                node,
                f"{name} is no attribute that {whole.kind} sets in __init__: set it there, before all ifs and loops",
            )
        return Value(f"{whole.code}.{name}", known.attributes[name])

    def part(self, node: ast.expr) -> str:
        """Return a part of a formatted string."""
        if not isinstance(node, ast.FormattedValue):
            return self.expression(node).code
        if node.format_spec is not None or node.conversion != -1:
            raise self.refuse(node, "formats in strings are not in the subset: put the value alone between the braces")
        value = self.expression(node.value)
        if value.kind not in ("int", "str"):
            raise self.refuse(node, f"a {value.kind} has another form in JavaScript strings: use an int or a str")
        return value.code

    def list_of(self, values: list[ast.expr], node: ast.AST) -> Value:
        """Return a list with given elements."""
        known = [self.expression(value) for value in values]
        kinds = {value.kind for value in known}
        kind = next((each for each in sorted(kinds) if "?" not in each), min(kinds, default="?"))
        if "None" in kinds or any(each != kind and ("?" not in each or not accepts(kind, each, {})) for each in kinds):
            raise self.refuse(node, f"the elements are {', '.join(sorted(kinds))}: use elements of one type")
        return Value(f"[{', '.join(value.code for value in known)}]", f"list[{kind}]")

    def subscript(self, node: ast.Subscript) -> Value:
        """Return an element, or a slice."""
        whole = self.expression(node.value)
        kind = family(whole.kind)
        if isinstance(node.slice, ast.Slice):
            if node.slice.step is not None or kind not in ("Cells", "list", "str"):
                raise self.refuse(node, "slices are of arrays, lists and strings, without step: use a loop")
            lower, upper = node.slice.lower, node.slice.upper
            for bound in (lower, upper):
                if isinstance(bound, ast.UnaryOp):
                    raise self.refuse(node, "a slice begins and ends at an index that is not negative: use the length")
            ends = [] if lower is None and upper is None else [lower or ast.Constant(0), *([upper] if upper else [])]
            return Value(
                f"{whole.code}.slice({', '.join(self.given(each, 'int', 'an index') for each in ends)})", whole.kind
            )
        index = self.index(node)
        if kind == "dict":
            code = f"$get({whole.code}, {index})" if self.checked else f"{whole.code}.get({index})"
        else:
            code = f"$at({whole.code}, {index})" if self.checked else f"{whole.code}[{index}]"
        return Value(code, "str" if kind == "str" else element_of(whole.kind))

    def index(self, node: ast.Subscript) -> str:
        """Return an index or a key."""
        kind = family(self.expression(node.value).kind)
        if kind not in ("Cells", "list", "str", "dict"):
            raise self.refuse(node, f"{kind} has no elements: use an array, a list or a dictionary")
        if isinstance(node.slice, ast.UnaryOp):
            raise self.refuse(node, "JavaScript has no negative indices: subtract from the length")
        return self.given(node.slice, "str" if kind == "dict" else "int", "a key" if kind == "dict" else "an index")

    # Operators.

    def bits(self, node: ast.expr) -> str:
        """Return the operand of an operation on bits."""
        code = self.given(node, "int", "an operand of bits")
        constant = self.module.constant(node)
        if constant is not None:
            if not -TOO_LARGE <= int(constant) < TOO_LARGE:
                raise self.refuse(node, "bits from 2**31 on are lost in JavaScript: use several numbers")
            return code
        return self.check("$bits", code)

    def operation(self, node: ast.BinOp) -> Value:
        """Return an operation on numbers, a list of equal elements, or the concatenation of strings."""
        if isinstance(node.op, _BITS):
            return self.bit_operation(node)
        left, right = self.expression(node.left), self.expression(node.right)
        kinds = (left.kind, right.kind)
        match node.op:
            case ast.Mult() if isinstance(node.left, ast.List) and len(node.left.elts) == 1 and right.kind == "int":
                element = element_of(left.kind)
                if element not in SIMPLE:
                    raise self.refuse(node, "all elements of this list would be the same object: append new ones")
                return Value(f"$filled({right.code}, {left.code[1:-1]})", left.kind)
            case ast.Add() if kinds == ("str", "str"):
                return Value(f"({left.code} + {right.code})", "str")
            case ast.FloorDiv() if kinds == ("int", "int"):
                return Value(f"Math.floor({left.code} / {self.check('$divisor', right.code)})", "int")
            case ast.Mod() if kinds == ("int", "int"):
                return Value(f"$modulo({left.code}, {self.check('$divisor', right.code)})", "int")
            case ast.Add() | ast.Sub() | ast.Mult() | ast.Div() if {*kinds} <= {"int", "float"}:
                is_float = "float" in kinds or isinstance(node.op, ast.Div)
                second = self.check("$divisor", right.code) if isinstance(node.op, ast.Div) else right.code
                return Value(f"({left.code} {_OPERATORS[type(node.op)]} {second})", "float" if is_float else "int")
        raise self.refuse(
            node, f"{ast.unparse(node)}, of {left.kind} and {right.kind}, is not in the subset: use numbers"
        )

    def check(self, check: str, code: str) -> str:
        """Return the code of a value that a checked translation checks."""
        return f"{check}({code})" if self.checked else code

    def bit_operation(self, node: ast.BinOp) -> Value:
        """Return an operation on bits."""
        left, right = self.bits(node.left), self.bits(node.right)
        is_shift = isinstance(node.op, ast.LShift | ast.RShift)
        by, whole = self.module.constant(node.right), self.module.constant(node)
        if is_shift and by is not None and not 0 <= int(by) < 31:
            raise self.refuse(node, "JavaScript shifts by 0 to 31 bits, with a sign: use several numbers")
        if whole is not None and not -TOO_LARGE <= int(whole) < TOO_LARGE:
            raise self.refuse(node, "bits from 2**31 on are lost in JavaScript: use several numbers")
        if self.checked and is_shift:
            is_left = isinstance(node.op, ast.LShift)
            return Value(f"$left({left}, {right})" if is_left else f"({left} >> $count({right}))", "int")
        return Value(f"({left} {_OPERATORS[type(node.op)]} {right})", "int")

    def comparison(self, node: ast.Compare) -> Value:
        """Return a comparison."""
        if len(node.ops) > 1:
            raise self.refuse(node, "a chain of comparisons is not in the subset: write two, with `and`")
        operator, left, right = node.ops[0], self.expression(node.left), self.expression(node.comparators[0])
        if isinstance(operator, ast.In | ast.NotIn):
            sign = "!" * isinstance(operator, ast.NotIn)
            if family(right.kind) == "dict" and left.kind == "str":
                return Value(f"{sign}{right.code}.has({left.code})", "bool")
            if right.kind in ("list[int]", "list[str]") and left.kind == element_of(right.kind):
                return Value(f"{sign}{right.code}.includes({left.code})", "bool")
            raise self.refuse(node, f"`in` is for lists and dictionaries, not {left.kind} in {right.kind}: use a loop")
        kinds = {left.kind, right.kind}
        is_equality = isinstance(operator, ast.Eq | ast.NotEq)
        if not isinstance(operator, _ORDER):
            raise self.refuse(node, "`is` compares objects: use == or !=")
        if not (kinds <= {"int", "float"} or kinds == {"str"} or (kinds == {"bool"} and is_equality)):
            raise self.refuse(
                node, f"a comparison of {left.kind} with {right.kind} differs in JavaScript: compare numbers or strings"
            )
        if is_equality and kinds == {"int"} and self.module.constant(node.comparators[0]) == 0:
            return Value(f"{'!' if isinstance(operator, ast.Eq) else '!!'}{left.code}", "bool")
        # The types are the same, so `==` converts nothing.
        return Value(f"({left.code} {_OPERATORS[type(operator)]} {right.code})", "bool")

    # Calls.

    def arguments(self, node: ast.Call, known: Iterable[str], name: str) -> list[str]:
        """Return the arguments of a call, for parameters of known types."""
        types = list(known)
        if node.keywords or any(isinstance(value, ast.Starred) for value in node.args):
            raise self.refuse(node, "arguments are passed one by one, by position: write them so")
        if len(types) != len(node.args):
            raise self.refuse(node, f"{name} has {len(types)} parameters, not {len(node.args)}: pass each one")
        return [self.given(value, kind, f"an argument of {name}") for value, kind in zip(node.args, types, strict=True)]

    def call(self, node: ast.Call) -> Value:
        """Return a call."""
        match node.func:
            case ast.Subscript(value=ast.Name(id="vec"), slice=ast.Name(id="i64")):
                return self.array(node)
            case ast.Name(id="len"):
                return self.length(node)
            case ast.Name(id="min" | "max" as name):
                kinds = [self.expression(value).kind for value in node.args]
                if kinds not in (["int", "int"], ["float", "float"]):
                    raise self.refuse(node, "min and max are for two integers, or two floats: use a loop for more")
                return Value(f"Math.{name}({', '.join(self.arguments(node, kinds, name))})", kinds[0])
            case ast.Name(id=name) if name in self.module.functions and name not in self.stored:
                known = self.module.functions[name]
                return Value(
                    f"{name}({', '.join(self.arguments(node, known.parameters.values(), name))})", known.result
                )
            case ast.Name(id=name) if name in self.module.classes and name not in self.stored:
                constructor = self.module.classes[name].methods.get("__init__", Function({}, "None"))
                codes = ", ".join(self.arguments(node, constructor.parameters.values(), name))
                return Value(f"new {name}({codes})", name)
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super"), args=[]), attr=name) if self.this:
                known_base = self.module.classes.get(self.this.base)
                if known_base is None or name not in known_base.methods:
                    raise self.refuse(node, f"{name} is no method of the base class: define it there")
                codes = ", ".join(self.arguments(node, known_base.methods[name].parameters.values(), name))
                called = "super" if name == "__init__" else f"super.{name}"
                return Value(f"{called}({codes})", known_base.methods[name].result)
            case ast.Attribute(value=value, attr=name):
                return self.method_call(node, value, name)
        raise self.refuse(node, f"a call of {ast.unparse(node.func)} is not in the subset: use functions of the subset")

    def array(self, node: ast.Call) -> Value:
        """Return an array with the values of a list or an array. A new list needs no copy."""
        values = [self.expression(value) for value in node.args]
        are_arrays = [value.kind == "Cells" or accepts("list[int]", value.kind, {}) for value in values]
        if node.keywords or are_arrays != [True]:
            raise self.refuse(node, "vec[i64](…) takes a list of integers: pass one")
        is_new = isinstance(node.args[0], ast.BinOp | ast.List)
        return Value(values[0].code if is_new else f"{values[0].code}.slice()", "Cells")

    def length(self, node: ast.Call) -> Value:
        """Return the length of a list, an array, a string or a dictionary."""
        values = [self.expression(value) for value in node.args]
        if len(values) != 1 or node.keywords or family(values[0].kind) not in ("Cells", "list", "str", "dict"):
            raise self.refuse(node, "len is for a list, an array, a string or a dictionary: pass one")
        return Value(f"{values[0].code}.{'size' if family(values[0].kind) == 'dict' else 'length'}", "int")

    def method_call(self, node: ast.Call, value: ast.expr, name: str) -> Value:
        """Return a call of a method."""
        whole = self.expression(value)
        if whole.kind in self.module.classes:
            known = self.module.classes[whole.kind].methods.get(name)
            if known is None or known.is_static or name == "__init__":
                raise self.refuse(node, f"{name} is no method of {whole.kind} that takes self: define one")
            codes = ", ".join(self.arguments(node, known.parameters.values(), name))
            return Value(f"{whole.code}.{name}({codes})", known.result)
        forms: tuple[Method, ...] = METHODS.get((family(whole.kind), name)) or METHODS.get((whole.kind, name), ())
        for form in forms:
            if len(form.arguments) == len(node.args):
                types = [element_of(whole.kind) if kind == "?" else kind for kind in form.arguments]
                codes_of = self.arguments(node, types, name)
                if name == "get" and _has_call(node.args[1]):
                    raise self.refuse(node, "the default of get is not called if there is a value: use a variable")
                if name == "split" and not self.module.constant(node.args[0]):
                    raise self.refuse(node, "split takes a constant string that is not empty: pass one")
                if name == "find":
                    codes_of[1:] = [self.check("$natural", code) for code in codes_of[1:]]
                result = {"=": whole.kind, "?": element_of(whole.kind) if form.result == "?" else ""}
                return Value(form.template.format(whole.code, *codes_of), result.get(form.result, form.result))
        raise self.refuse(node, f"the method {name} of {whole.kind} is not in the subset in this form: use a loop")


def _has_call(node: ast.AST) -> bool:
    """Return whether an expression calls anything."""
    return any(isinstance(part, ast.Call) for part in ast.walk(node))


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def _indent(lines: Iterable[str]) -> Iterator[str]:
    return (f"  {line}" for line in lines)
