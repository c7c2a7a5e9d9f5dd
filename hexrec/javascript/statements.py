"""Statements of the subset as lines of JavaScript."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from hexrec.javascript.expressions import OPERATORS, Expressions, Scope, has_call
from hexrec.javascript.loops import check_loop
from hexrec.javascript.subset import Module, NotInSubset, accepts, element_of, family

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


class Statements:
    """Translates the statements of a function.

    Attributes:
        values: the expressions of the function.
        result: the type of its result.
        declares: whether assignments to `self` declare attributes.
    """

    def __init__(self, module: Module, scope: Scope, result: str, *, checked: bool, declares: bool) -> None:
        self.module = module
        self.scope = scope
        self.values = Expressions(module, scope, checked)
        self.result = result
        self.checked = checked
        self.declares = declares

    def refuse(self, node: ast.AST, problem: str) -> NotInSubset:
        """Return the error for a node."""
        return self.module.refuse(node, problem)

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
            case ast.Expr() if is_docstring(node):
                return [], False
            case ast.Expr(value=ast.Call() as call):
                return [f"{self.values.call(call).code};"], False
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
                return [f"return {self.values.given(value, self.result, 'the result')};"], True
            case ast.If():
                return self.branches(node, "if")
            case ast.While(test=test, body=body, orelse=[]):
                return [f"while ({self.values.condition(test)}) {{", *self.inner(body), "}"], False
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
        before, declares = set(self.scope.assigned), self.declares
        self.declares = False
        lines, _ = self.block(statements)
        self.scope.assigned, self.declares = before, declares
        return list(indent(lines))

    def branches(self, node: ast.If, word: str) -> tuple[list[str], bool]:
        """Return the lines of a condition with its other branches."""
        head = f"{word} ({self.values.condition(node.test)}) {{"
        before, declares = set(self.scope.assigned), self.declares
        self.declares = False
        body, body_ends = self.block(node.body)
        after, self.scope.assigned = self.scope.assigned, before
        lines = [head, *indent(body)]
        other_ends = False
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            others, other_ends = self.branches(node.orelse[0], "} else if")
            lines += others
        else:
            others, other_ends = self.block(node.orelse)
            lines += ["} else {", *indent(others), "}"] if others else ["}"]
        self.declares = declares
        if other_ends:
            self.scope.assigned = after
        elif not body_ends:
            self.scope.assigned &= after
        return lines, body_ends and other_ends

    def loop(self, name: str, node: ast.For) -> list[str]:
        """Return the lines of a loop over a range, an array or a list."""
        self.module.check_name(name, node)
        check_loop(self.module, node)
        values = node.iter
        if isinstance(values, ast.Call) and isinstance(values.func, ast.Name) and values.func.id == "range":
            kind, head = "int", self.range_head(name, values)
        else:
            whole = self.values.expression(values)
            if family(whole.kind) not in ("Cells", "list"):
                raise self.refuse(node, f"a loop over {whole.kind} is not in the subset: loop over an array or a list")
            kind, head = element_of(whole.kind), f"for (const {name} of {whole.code}) {{"
        known = self.scope.variables.setdefault(name, kind)
        if known != kind:
            raise self.refuse(node, f"{name} is {known}, and of type {kind} here: choose another name")
        before = set(self.scope.assigned)
        self.scope.assigned.add(name)
        lines = self.inner(node.body)
        self.scope.assigned = before
        return [head, *lines, "}"]

    def range_head(self, name: str, values: ast.Call) -> str:
        """Return the head of a loop over a range. The end is found once, before the loop."""
        if not 1 <= len(values.args) <= 3 or values.keywords:
            raise self.refuse(values, "a range has an end, or a start, an end and a step: pass them by position")
        step = self.module.constant(values.args[2]) if len(values.args) == 3 else 1
        if step not in (1, -1):
            raise self.refuse(values, "the step of a range is 1 or -1: use while for others")
        first, *rest = [self.values.given(value, "int", "an end of a range") for value in values.args[:2]]
        start, end = (first, rest[0]) if rest else ("0", first)
        test, change = ("<", "++") if step == 1 else (">", "--")
        if self.module.constant(values.args[len(rest)]) is not None:
            return f"for (let {name} = {start}; {name} {test} {end}; {name}{change}) {{"
        return f"for (let {name} = {start}, {name}$end = {end}; {name} {test} {name}$end; {name}{change}) {{"

    def annotated(self, node: ast.AnnAssign, target: ast.expr, value: ast.expr | None) -> list[str]:
        """Return the lines of an assignment with a type, or of a declaration."""
        kind = self.module.type_of(node.annotation, node)
        match target:
            case ast.Name(id=name):
                if self.scope.variables.setdefault(name, kind) != kind:
                    raise self.refuse(node, f"{name} is {self.scope.variables[name]}, not {kind}: choose another name")
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if self.declares and value:
                self._declare(name, kind, node)
        return [] if value is None else self.assign(target, value)

    def _declare(self, name: str, kind: str, node: ast.AST) -> None:
        """Declare an attribute."""
        this = self.module.classes[self.scope.this]
        self.module.check_name(name, node)
        if name in this.methods:
            raise self.refuse(node, f"{name} is a method of {self.scope.this} too: choose another name")
        if not accepts(this.attributes.setdefault(name, kind), kind, self.module.classes):
            raise self.refuse(node, f"{name} is {this.attributes[name]}, not {kind}: choose another name")

    def assign(self, target: ast.expr, value: ast.expr) -> list[str]:
        """Return the lines of an assignment."""
        given = self.values.expression(value)
        if given.kind == "None":
            raise self.refuse(value, f"{ast.unparse(value)} has no result: write it in a line of its own")
        left = self.target(target, given.kind)
        is_direct = isinstance(target, ast.Name) or (
            isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)
        )
        if has_call(value) and not is_direct:
            # Python finds the value first: it may change the attributes that the target reads.
            return ["{", f"  const $value = {given.code};", f"  {left.replace(_VALUE, '$value')}", "}"]
        return [left.replace(_VALUE, given.code)]

    def target(self, node: ast.expr, kind: str) -> str:
        """Return the template of an assignment to a target of a value of a type."""
        match node:
            case ast.Name(id=name):
                self._bind(name, kind, node)
                known, template = self.scope.variables[name], f"{name}{_SIMPLE_ASSIGNMENT}"
            case ast.Attribute(value=ast.Name(id="self"), attr=name) if self.declares:
                known_attributes = self.module.classes[self.scope.this].attributes
                if name not in known_attributes:
                    self._declare(name, kind, node)
                    if "?" in kind:
                        raise self.refuse(node, f"the type of {name} is not known: annotate it")
                known, template = known_attributes[name], f"this.{name}{_SIMPLE_ASSIGNMENT}"
            case ast.Attribute():
                place = self.values.expression(node)
                known, template = place.kind, f"{place.code}{_SIMPLE_ASSIGNMENT}"
            case ast.Subscript(value=whole, slice=index) if not isinstance(index, ast.Slice) and not has_call(node):
                values = self.values.expression(whole)
                if family(values.kind) not in ("Cells", "list", "dict"):
                    raise self.refuse(node, f"a {values.kind} cannot be changed: make a new one")
                known, at = element_of(values.kind), self.values.index(node)
                if family(values.kind) == "dict":
                    template = f"{values.code}.set({at}, {_VALUE});"
                else:
                    at = f"$index({values.code}, {at})" if self.checked else at
                    template = f"{values.code}[{at}]{_SIMPLE_ASSIGNMENT}"
            case _:
                raise self.refuse(node, f"an assignment to {ast.unparse(node)} is not in the subset: use a variable")
        if not accepts(known, kind, self.module.classes):
            raise self.refuse(node, f"{ast.unparse(node)} is {known}, and is assigned {kind}: use a value of that type")
        return template

    def _bind(self, name: str, kind: str, node: ast.AST) -> None:
        """Note that a variable has a value from now on."""
        if name not in self.scope.variables and "?" in kind:
            raise self.refuse(node, f"the type of {name} is not known: annotate it")
        self.scope.variables.setdefault(name, kind)
        self.scope.assigned.add(name)

    def unpack(self, targets: list[ast.expr], value: ast.expr) -> list[str]:
        """Return the lines of an assignment to several targets."""
        are_names = all(isinstance(target, ast.Name) for target in targets)
        lines: list[str] = []
        right = ""
        if isinstance(value, ast.Tuple) and len(value.elts) == len(targets):
            values = [self.values.expression(each) for each in value.elts]
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
        if has_call(node.target):
            raise self.refuse(node, "a call in the target of this assignment: put its result into a variable")
        whole = self.values.operation(ast.copy_location(ast.BinOp(node.target, node.op, node.value), node))
        if isinstance(node.target, ast.Subscript) and family(self.values.expression(node.target.value).kind) == "dict":
            raise self.refuse(node, "an assignment such as += to an entry of a dictionary: use =")
        line = self.target(node.target, whole.kind)
        if isinstance(node.op, ast.FloorDiv | ast.Mod) or self.checked:
            return line.replace(_VALUE, whole.code)
        if isinstance(node.op, ast.Add | ast.Sub) and self.module.constant(node.value) == 1:
            return line.replace(_SIMPLE_ASSIGNMENT, "++" if isinstance(node.op, ast.Add) else "--")
        given = self.values.expression(node.value).code
        return line.replace(_SIMPLE_ASSIGNMENT, f" {OPERATORS[type(node.op)]}= {given};")


def is_docstring(node: ast.AST) -> bool:
    """Return whether a statement is a string."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def indent(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines of a block."""
    return (f"  {line}" for line in lines)
