"""Translates modules in the subset to JavaScript, and refuses everything else: nothing is translated on a guess.

Arrays are plain arrays of numbers, which engines keep as small integers; dictionaries are maps; constants are put where
they are used; other names stay as they are. Indices, operands of bits and divisors depend on values, which nothing but
a run can check: *checked* translations, for tests, throw where Python and JavaScript would differ.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from hexrec.javascript.expressions import Scope
from hexrec.javascript.loops import loop_variables, stored_names
from hexrec.javascript.statements import Statements, indent, is_docstring
from hexrec.javascript.subset import Function, Module, find_methods

#: Methods that are checked, and left out: in Python alone random turns are drawn, and copies keep lists.
_PYTHON_ONLY = ("count_moves", "move_at", "restore_lists")


class Translation(NamedTuple):
    """A translated module, without imports: its lines of JavaScript, and its names."""

    code: str
    names: list[str]


def translate(module: Module, *, checked: bool = False) -> Translation:
    """Translate a module. Raises NotInSubset; from then on, the module knows the attributes of its classes."""
    for node in module.tree.body:
        if isinstance(node, ast.ClassDef):
            _find_attributes(module, node, checked)
    lines: list[str] = []
    names: list[str] = []
    for node in module.tree.body:
        if isinstance(node, ast.FunctionDef):
            lines += _function(module, node, module.functions[node.name], f"function {node.name}", checked)
            names.append(node.name)
        elif isinstance(node, ast.ClassDef):
            lines += _class(module, node, checked)
            names.append(node.name)
    return Translation("\n".join(lines) + "\n", names)


def _find_attributes(module: Module, node: ast.ClassDef, checked: bool) -> None:
    """Add the attributes that the constructor of a class sets to the module."""
    base = module.classes[node.name].base
    if base:
        module.classes[node.name].attributes.update(module.classes[base].attributes)
    for method in find_methods(module, node):
        if method.name == "__init__":
            _method(module, node.name, method, checked, declares=True)


def _class(module: Module, node: ast.ClassDef, checked: bool) -> Iterator[str]:
    """Yield the lines of a class."""
    base = module.classes[node.name].base
    yield f"class {node.name}{f' extends {base}' if base else ''} {{"
    for method in find_methods(module, node):
        lines = _method(module, node.name, method, checked)
        if method.name not in _PYTHON_ONLY:
            yield from indent(lines)
    yield "}"


def _method(module: Module, this: str, node: ast.FunctionDef, checked: bool, *, declares: bool = False) -> list[str]:
    """Return the lines of a method of a class, which `declares` the attributes that it sets."""
    known = module.classes[this].methods[node.name]
    if known.is_static:
        return _function(module, node, known, f"static {node.name}", checked)
    if node.name != "__init__":
        return _function(module, node, known, node.name, checked, this)
    first = next((part for part in node.body if not is_docstring(part)), node)
    if module.classes[this].base and not ast.unparse(first).startswith("super().__init__("):
        raise module.refuse(first, "a constructor calls that of the base class first: begin with super()")
    for part in ast.walk(node):
        if isinstance(part, ast.Return):
            raise module.refuse(part, "a constructor sets all attributes: leave return out")
    return _function(module, node, known, "constructor", checked, this, declares=declares)


def _function(
    module: Module,
    node: ast.FunctionDef,
    known: Function,
    head: str,
    checked: bool,
    this: str = "",
    *,
    declares: bool = False,
) -> list[str]:
    """Return the lines of a function, or of a method of the class `this`."""
    loops = loop_variables(module, node)
    variables = dict(known.parameters)
    scope = Scope(this, variables, {*known.parameters}, stored_names([node]))
    body, ends = Statements(module, scope, known.result, checked=checked, declares=declares).block(node.body)
    if not ends and known.result != "None":
        raise module.refuse(node, f"{node.name} may end without a result: return one in all branches")
    own = [name for name in variables if name not in known.parameters and name not in loops]
    for name in own:
        module.check_name(name, node)
    declared = [f"  let {', '.join(own)};"] if own else []
    return [f"{head}({', '.join(known.parameters)}) {{", *declared, *indent(body), "}"]
