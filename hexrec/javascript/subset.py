"""The subset of Python in which rules are written: its types, functions and methods. CONTRIBUTING.md describes it.

A type is a string: ``int``, ``float``, ``bool``, ``str``, ``None``, ``Cells``, ``list[int]``, ``dict[str,int]``, or the
name of a class. ``list[?]`` is an empty list. Types come from annotations and from the values that are assigned first.
They decide the meaning of operators, which differs between Python and JavaScript for some types.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from hexrec.errors import Error

#: Modules whose names are types or decorators, or are built into the translation.
BUILT_IN = ("__future__", "typing", "hexrec.rules.cells")
#: Methods that only Python calls, and what they are made of, have no translation.
UNTRANSLATED = ("__reduce__", "play_random")
COPIES = ("hexrec.rules", "copies")
#: Integers from here on are not exact in the bit operations of JavaScript.
TOO_LARGE = 1 << 31
#: The greatest integer that is exact in JavaScript.
MOST = (1 << 53) - 1
SIMPLE = ("int", "float", "bool", "str")

_WORDS = """
arguments await case catch const constructor debugger default delete do enum eval export extends function implements
instanceof interface let new null package private protected public static super switch this throw try typeof undefined
var void with yield Array Error Infinity Map Math NaN Number Object String i64 len max min range self vec
"""
#: Names that are words of JavaScript, or built into the translation.
RESERVED = frozenset(_WORDS.split())


class Method(NamedTuple):
    """A method of a type of Python: the types of its arguments, its result, and a template of its translation.

    ``=`` stands for the type itself, ``?`` for the type of its elements or values.
    """

    arguments: tuple[str, ...]
    result: str
    template: str


METHODS: dict[tuple[str, str], tuple[Method, ...]] = {
    ("str", "find"): (
        Method(("str",), "int", "{}.indexOf({})"),
        Method(("str", "int"), "int", "{}.indexOf({}, {})"),
    ),
    ("str", "split"): (Method(("str",), "list[str]", "{}.split({})"),),
    ("list", "append"): (Method(("?",), "None", "{}.push({})"),),
    ("list", "copy"): (Method((), "=", "{}.slice()"),),
    ("list", "reverse"): (Method((), "None", "{}.reverse()"),),
    ("list[int]", "sort"): (Method((), "None", "{}.sort((a, b) => a - b)"),),
    ("list[str]", "sort"): (Method((), "None", "{}.sort()"),),
    ("dict", "get"): (Method(("str", "?"), "?", "({}.get({}) ?? {})"),),
}

_ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.BitOr: operator.or_,
    ast.BitAnd: operator.and_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}


class NotInSubset(Error):
    """A construct that is not in the subset; the message has its file and line, and the remedy."""

    def __init__(self, file: str, line: int, problem: str) -> None:
        super().__init__(f"{file}:{line}: {problem}")
        self.file = file
        self.line = line


@dataclass(frozen=True)
class Function:
    """The types of a function or method: those of its parameters by name, without `self`, and that of its result."""

    parameters: Mapping[str, str]
    result: str
    is_static: bool = False


@dataclass
class Class:
    """A class, with the attributes and methods that it inherits."""

    base: str
    attributes: dict[str, str] = field(default_factory=dict)
    methods: dict[str, Function] = field(default_factory=dict)


@dataclass
class Module:
    """Names of a module, with those that it imports.

    Attributes:
        file: the file in messages.
        tree: the syntax tree.
        constants: the values of constants.
        functions, classes: the types of its functions and classes.
    """

    file: str
    tree: ast.Module
    constants: dict[str, int | float | str] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    classes: dict[str, Class] = field(default_factory=dict)

    def refuse(self, node: ast.AST, problem: str) -> NotInSubset:
        """Return the error for a node."""
        return NotInSubset(self.file, getattr(node, "lineno", 1), problem)

    def type_of(self, annotation: ast.expr | None, node: ast.AST) -> str:
        """Return the type that the annotation of a node means. Raises NotInSubset."""
        if annotation is None:
            raise self.refuse(node, "the type of a parameter or result is missing: annotate it")
        kind = ast.unparse(annotation).replace(" ", "").replace("i64", "int").replace("vec[int]", "Cells")
        if not self._is_type(kind):
            raise self.refuse(node, f"the type {kind} is not in the subset: use int, bool, str, Cells, list or dict")
        return kind

    def _is_type(self, kind: str) -> bool:
        if kind.startswith("dict[str,"):
            return self._is_type(kind[len("dict[str,") : -1])
        if kind.startswith("list["):
            return self._is_type(kind[len("list[") : -1])
        return kind in (*SIMPLE, "None", "Cells") or kind in self.classes

    def check_name(self, name: str, node: ast.AST) -> None:
        """Refuse a name that JavaScript does not allow, or that means something else there."""
        if name in RESERVED or (name.startswith("__") and name != "__init__") or not name.isascii():
            raise self.refuse(node, f"the name {name} has a meaning in Python or JavaScript: choose another one")

    def constant(self, node: ast.expr) -> int | float | str | None:
        """Return the value of a constant expression, or None."""
        match node:
            case ast.Constant(value=int() | float() | str() as known):
                return known
            case ast.Name(id=name):
                return self.constants.get(name)
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                value = self.constant(operand)
                return -value if isinstance(value, int | float) else None
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
                first, second = self.constant(left), self.constant(right)
                if type(first) is not int or type(second) is not int or (isinstance(op, ast.LShift) and second > 64):
                    return None
                return (
                    _ARITHMETIC[type(op)](first, second) if second >= 0 or isinstance(op, ast.Add | ast.Sub) else None
                )
        return None


def read_module(source: str, file: str, known: Mapping[str, Module]) -> Module:
    """Return a module with the types of its functions and methods; attributes of classes are found later.

    `known` has the modules that it may import, by their full names. Raises NotInSubset.
    """
    try:
        module = Module(file, ast.parse(source))
    except SyntaxError as error:
        raise NotInSubset(file, error.lineno or 1, f"this is not Python ({error.msg}): correct it") from None
    for node in module.tree.body:
        match node:
            case ast.Expr(value=ast.Constant(value=str())):
                pass
            case ast.ImportFrom(module=name) if name in BUILT_IN:
                pass
            case ast.ImportFrom(module=name, names=[ast.alias(name=part, asname=None)]) if (name, part) == COPIES:
                pass
            case ast.ImportFrom(module=str(name), names=names) if name in known:
                # Other classes of the module are the types of attributes.
                module.classes.update(known[name].classes)
                for alias in names:
                    _import(module, known[name], alias, node)
            case ast.AnnAssign(target=ast.Name(id=name), annotation=ast.Name(id="Final"), value=ast.expr() as value):
                constant = module.constant(value)
                if constant is None:
                    raise module.refuse(node, f"{name} is not a constant number or string: make it an attribute")
                if isinstance(constant, int | float) and abs(constant) > MOST:
                    raise module.refuse(node, f"{name} is 2**53 or more, which is not exact in JavaScript: use less")
                module.check_name(name, node)
                module.constants[name] = constant
            case ast.FunctionDef():
                _declare(module, node.name, node)
                module.functions[node.name] = read_function(module, node)
            case ast.ClassDef():
                _read_class(module, node)
            case _:
                raise module.refuse(
                    node,
                    f"{type(node).__name__} is not in the subset at the top of a module: it has imports of names "
                    "from the subset, constants (NAME: Final = …), functions and classes",
                )
    return module


def _import(module: Module, source: Module, alias: ast.alias, node: ast.AST) -> None:
    if alias.asname:
        raise module.refuse(node, f"the import of {alias.name} has another name: import it under its own")
    if alias.name in source.constants:
        module.constants[alias.name] = source.constants[alias.name]
    elif alias.name in source.functions:
        module.functions[alias.name] = source.functions[alias.name]
    elif alias.name not in source.classes:
        raise module.refuse(node, f"{alias.name} is not in {source.file}: import it from where it is defined")


def _declare(module: Module, name: str, node: ast.AST) -> None:
    module.check_name(name, node)
    if name in module.functions or name in module.classes or name in module.constants:
        raise module.refuse(node, f"{name} is defined twice: choose another name")


def _read_class(module: Module, node: ast.ClassDef) -> None:
    """Add a class with its methods to a module."""
    _declare(module, node.name, node)
    base = ast.unparse(node.bases[0]) if node.bases else ""
    if len(node.bases) > 1 or node.keywords or (base and base not in module.classes):
        raise module.refuse(node, "a class has at most one base class, from the subset: leave out the others")
    for decorator in node.decorator_list:
        if not (isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "mypyc_attr"):
            raise module.refuse(node, f"the decorator {ast.unparse(decorator)} is not in the subset: leave it out")
    inherited = module.classes[base] if base else Class("")
    known = module.classes[node.name] = Class(base, dict(inherited.attributes), dict(inherited.methods))
    own: set[str] = set()
    for method in find_methods(module, node):
        if method.name in own or method.name in known.attributes:
            raise module.refuse(method, f"{method.name} is defined twice in {node.name}: choose another name")
        own.add(method.name)
        known.methods[method.name] = read_function(module, method, is_method=True)


def find_methods(module: Module, node: ast.ClassDef) -> Iterator[ast.FunctionDef]:
    """Yield the methods of a class. Raises NotInSubset if it has anything else but a docstring."""
    for part in node.body:
        if isinstance(part, ast.FunctionDef):
            if part.name not in UNTRANSLATED:
                module.check_name(part.name, part)
                yield part
        elif not isinstance(part, ast.Pass) and not (
            isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)
        ):
            raise module.refuse(part, "a class of the subset has only methods: set attributes in __init__")


def read_function(module: Module, node: ast.FunctionDef, *, is_method: bool = False) -> Function:
    """Return the types of a function."""
    decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
    for decorator in decorators:
        if decorator not in ("final", "staticmethod") or not is_method:
            raise module.refuse(node, f"the decorator {decorator} is not in the subset: leave it out")
    given = node.args
    if given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs or given.defaults:
        raise module.refuse(node, "parameters are passed by position and have no defaults: pass each one")
    parameters = given.args
    is_static = "staticmethod" in decorators
    if is_method and not is_static:
        if not parameters or parameters[0].arg != "self":
            raise module.refuse(node, "the first parameter of a method is self: add it")
        parameters = parameters[1:]
    for parameter in parameters:
        module.check_name(parameter.arg, node)
    types = {parameter.arg: module.type_of(parameter.annotation, parameter) for parameter in parameters}
    return Function(types, module.type_of(node.returns, node), is_static)


def element_of(kind: str) -> str:
    """Return the type of the elements of an array or list, or of the values of a dictionary."""
    if kind == "Cells":
        return "int"
    return kind[kind.index(",") + 1 : -1] if kind.startswith("dict") else kind[kind.index("[") + 1 : -1]


def family(kind: str) -> str:
    """Return a type without its parameters: ``list`` for ``list[int]``."""
    return kind.partition("[")[0]


def accepts(target: str, kind: str, classes: Mapping[str, Class]) -> bool:
    """Return whether a value of a type can be assigned to a target of a type."""
    if "?" in kind:
        return family(target) == family(kind) and (
            kind in ("list[?]", "dict[?]") or accepts(element_of(target), element_of(kind), classes)
        )
    if kind in classes and kind != target:
        return accepts(target, classes[kind].base, classes)
    return target == kind or (target == "float" and kind == "int")
