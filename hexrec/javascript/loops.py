"""Checks of loops, which run otherwise compiled or in JavaScript if they change their variable or their values."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from hexrec.javascript.subset import Module


def loop_variables(module: Module, function: ast.FunctionDef) -> set[str]:
    """Return the variables of loops. Refuse one that is changed, used outside of its loops, or used again within."""
    loops = [each for each in ast.walk(function) if isinstance(each, ast.For)]
    variables = {loop.target.id for loop in loops if isinstance(loop.target, ast.Name)}
    inside: dict[str, set[int]] = {name: set() for name in variables}
    for loop in loops:
        if isinstance(loop.target, ast.Name):
            inside[loop.target.id] |= {id(part) for line in loop.body for part in ast.walk(line)}
    targets = {id(loop.target) for loop in loops}
    declared = {id(part.target) for part in ast.walk(function) if isinstance(part, ast.AnnAssign) and not part.value}
    for name in variables & {parameter.arg for parameter in function.args.args}:
        raise module.refuse(function, f"{name} is a parameter and the variable of a loop: give the loop another one")
    for part in ast.walk(function):
        if not isinstance(part, ast.Name) or part.id not in variables or id(part) in declared:
            continue
        is_inside = id(part) in inside[part.id]
        if is_inside and isinstance(part.ctx, ast.Store):
            raise module.refuse(part, f"{part.id} is the variable of a loop, whose body may not change it: rename one")
        if not is_inside and id(part) not in targets:
            raise module.refuse(part, f"{part.id} is the variable of a loop, and used outside of it: rename one")
    return variables


def check_loop(module: Module, loop: ast.For) -> None:
    """Refuse a loop that changes a variable of the values over which it runs, or their length or order."""
    stored = stored_names(loop.body)
    for part in ast.walk(loop.iter):
        if isinstance(part, ast.Name) and part.id in stored:
            raise module.refuse(loop, f"the loop changes {part.id}, over which it runs: compiled, it runs otherwise")
    text = ast.unparse(loop.iter)
    for line in loop.body:
        for part in ast.walk(line):
            if (
                isinstance(part, ast.Call)
                and isinstance(part.func, ast.Attribute)
                and ast.unparse(part.func.value) == text
                and part.func.attr in ("append", "sort", "reverse")
            ):
                raise module.refuse(part, f"the loop changes {text}, over which it runs: loop over a copy")


def stored_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the variables that statements assign."""
    parts = (part for node in nodes for part in ast.walk(node))
    return {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
