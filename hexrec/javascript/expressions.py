"""Expressions of the subset as JavaScript, with their types."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from hexrec.javascript.subset import (
    METHODS,
    SIMPLE,
    TOO_LARGE,
    Function,
    Method,
    Module,
    NotInSubset,
    accepts,
    element_of,
    family,
)

OPERATORS: dict[type[ast.AST], str] = {
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


class Value(NamedTuple):
    """A translated expression, in parentheses where it has an operator, and its type."""

    code: str
    kind: str


@dataclass
class Scope:
    """The names of a function.

    Attributes:
        this: the class of `self`; empty outside of methods.
        variables: the types of parameters and variables, so far.
        assigned: those that certainly have a value at the current point.
        stored: all variables that the function assigns.
    """

    this: str
    variables: dict[str, str]
    assigned: set[str]
    stored: set[str]


class Expressions:
    """Translates the expressions of a function.

    Attributes:
        checked: whether the translation checks indices and operands.
    """

    def __init__(self, module: Module, scope: Scope, checked: bool) -> None:
        self.module = module
        self.scope = scope
        self.checked = checked

    def refuse(self, node: ast.AST, problem: str) -> NotInSubset:
        """Return the error for a node."""
        return self.module.refuse(node, problem)

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
            return f"({f' {OPERATORS[type(node.op)]} '.join(map(self.condition, node.values))})"
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
                return Value(f"({f' {OPERATORS[type(op)]} '.join(map(self.boolean, values))})", "bool")
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
        if name == "self" and self.scope.this:
            return Value("this", self.scope.this)
        if name in self.scope.variables:
            if name not in self.scope.assigned:
                raise self.refuse(node, f"{name} may have no value here: set it before")
            return Value(name, self.scope.variables[name])
        constant = self.module.constants.get(name)
        if constant is None or name in self.scope.stored:
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
                return Value(f"({left.code} {OPERATORS[type(node.op)]} {second})", "float" if is_float else "int")
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
        return Value(f"({left} {OPERATORS[type(node.op)]} {right})", "int")

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
        return Value(f"({left.code} {OPERATORS[type(operator)]} {right.code})", "bool")

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
            case ast.Name(id=name) if name in self.module.functions and name not in self.scope.stored:
                known = self.module.functions[name]
                return Value(
                    f"{name}({', '.join(self.arguments(node, known.parameters.values(), name))})", known.result
                )
            case ast.Name(id=name) if name in self.module.classes and name not in self.scope.stored:
                constructor = self.module.classes[name].methods.get("__init__", Function({}, "None"))
                codes = ", ".join(self.arguments(node, constructor.parameters.values(), name))
                return Value(f"new {name}({codes})", name)
            case ast.Attribute(value=ast.Call(func=ast.Name(id="super"), args=[]), attr=name) if self.scope.this:
                known_base = self.module.classes.get(self.module.classes[self.scope.this].base)
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
                if name == "get" and has_call(node.args[1]):
                    raise self.refuse(node, "the default of get is not called if there is a value: use a variable")
                if name == "split" and not self.module.constant(node.args[0]):
                    raise self.refuse(node, "split takes a constant string that is not empty: pass one")
                if name == "find":
                    codes_of[1:] = [self.check("$natural", code) for code in codes_of[1:]]
                result = {"=": whole.kind, "?": element_of(whole.kind) if form.result == "?" else ""}
                return Value(form.template.format(whole.code, *codes_of), result.get(form.result, form.result))
        raise self.refuse(node, f"the method {name} of {whole.kind} is not in the subset in this form: use a loop")


def has_call(node: ast.AST) -> bool:
    """Return whether an expression calls anything."""
    return any(isinstance(part, ast.Call) for part in ast.walk(node))
