"""TypeScript declarations of the classes of translated modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from hexrec.javascript.subset import Function, Module, find_methods

_TYPES = {"int": "number", "float": "number", "bool": "boolean", "str": "string", "None": "void", "Cells": "number[]"}


def declare(module: Module, names: Collection[str]) -> str:
    """Return interfaces of the classes of a translated module: their attributes and methods with some names."""
    classes = [node for node in module.tree.body if isinstance(node, ast.ClassDef)]
    return "\n".join(line for node in classes for line in _interface(module, node, names))


def _interface(module: Module, node: ast.ClassDef, names: Collection[str]) -> Iterator[str]:
    known = module.classes[node.name]
    yield from _comment(node, "")
    yield f"export interface {node.name} {{"
    for name, kind in known.attributes.items():
        if name in names:
            yield f"  readonly {name}: {_type(kind)};"
    for method in find_methods(module, node):
        types = known.methods[method.name]
        if method.name in names and not types.is_static:
            yield from _comment(method, "  ")
            yield f"  {method.name}({_parameters(types)}): {_type(types.result)};"
    yield "}"


def _parameters(known: Function) -> str:
    return ", ".join(f"{parameter}: {_type(kind)}" for parameter, kind in known.parameters.items())


def _comment(node: ast.ClassDef | ast.FunctionDef, indent: str) -> Iterator[str]:
    text = ast.get_docstring(node)
    if text:
        yield f"{indent}/** {text.splitlines()[0]} */"


def _type(kind: str) -> str:
    if inner := re.fullmatch(r"list\[(.*)\]", kind):
        return f"{_type(inner[1])}[]"
    if inner := re.fullmatch(r"dict\[str,(.*)\]", kind):
        return f"Map<string, {_type(inner[1])}>"
    return _TYPES.get(kind, kind)
