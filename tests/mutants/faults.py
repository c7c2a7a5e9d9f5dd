"""The faults that mutmut knows how to make in a module, as code objects ready to take the place of functions."""

from __future__ import annotations

import ast
import gc
import inspect
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from itertools import accumulate
from types import CodeType, FunctionType, ModuleType
from typing import Any, NamedTuple

from libcst.metadata import MetadataWrapper, WhitespaceInclusivePositionProvider
from mutmut.mutation.file_mutation import create_mutations

#: By package, the beginnings of the names of modules that keep what they have got from it.
_ASKING = {
    "hexrec.games": ("hexrec.games.",),
    "hexrec.board": ("hexrec.board.", "hexrec.games."),
    "hexrec.kernel": ("hexrec.kernel.", "tests.kernel.", "__main__"),
    "hexrec.record": ("hexrec.record.",),
    "hexrec.cli": ("hexrec.cli",),
}
#: What `zip` is told of `strict`, last among its arguments, or what is left if it is told nothing.
_STRICT = re.compile(r", *(?:strict=\w+)?\)")


class Mutant(NamedTuple):
    """A fault in a function.

    Attributes:
        module: the module's name.
        function: the function's qualified name.
        line: the line in the module, from 1.
        lines: those of the statement, or of its head if others are in it.
        before, after: the text there, without and with the fault.
        source: the whole module with the fault.
    """

    module: str
    function: str
    line: int
    lines: range
    before: str
    after: str
    source: str

    def __str__(self) -> str:
        return f"{self.function}: {self.before} → {self.after}"


def mutants(module: str) -> list[Mutant]:
    """Return the faults in the functions of a module, in the order of their lines.

    Faults in `strict` of `zip` are left out: it guards against mistakes and does nothing else, as `assert` does.
    """
    path = import_module(module).__file__
    assert path is not None
    with open(path, encoding="utf-8") as file:
        text = file.read()
    tree, mutations, *_ = create_mutations(path, _undecorated(text))
    spans = MetadataWrapper(tree, unsafe_skip_copy=True).resolve(WhitespaceInclusivePositionProvider)
    lines = text.splitlines(keepends=True)
    offsets = [0, *accumulate(map(len, lines))]
    parsed = ast.parse(text)
    names, statements = dict(_functions(parsed)), list(_statements(parsed))
    found = []
    for mutation in mutations:
        span = spans[mutation.original_node]
        start, end = (offsets[place.line - 1] + place.column for place in (span.start, span.end))
        function = next((name for name, its in names.items() if span.start.line in its), None)
        if function is not None:
            source = text[:start] + tree.code_for_node(mutation.mutated_node) + text[end:]
            before, after = _difference(lines, source.splitlines(keepends=True))
            if _STRICT.sub(")", before) == _STRICT.sub(")", after):
                continue
            _, its = min((pair for pair in statements if span.start.line in pair[0]), key=lambda pair: len(pair[0]))
            found.append(Mutant(module, function, span.start.line, its, before, after, source))
    return sorted(found, key=lambda mutant: mutant.line)


def _undecorated(text: str) -> str:
    """Return source as long as some source, line by line, in which the decorators of functions are comments.

    mutmut leaves functions with decorators as they are; here a fault is put into the function that is decorated.
    """
    lines = text.splitlines(keepends=True)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef):
            for decorator in node.decorator_list:
                for number in range(decorator.lineno - 1, decorator.end_lineno or decorator.lineno):
                    lines[number] = "#" + lines[number][1:]
    return "".join(lines)


def _statements(tree: ast.Module) -> Iterator[tuple[range, range]]:
    """Yield the lines of each statement, of those that hold others without these, and where tests come to it.

    That is the same, but for the head of a function, which does its work when the function is called.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.stmt | ast.excepthandler | ast.match_case):
            start = node.pattern.lineno if isinstance(node, ast.match_case) else node.lineno
            whole = range(start, (getattr(node, "end_lineno", None) or start) + 1)
            body = getattr(node, "body", None)
            own = range(start, max(start + 1, body[0].lineno)) if body else whole
            yield own, whole if isinstance(node, ast.FunctionDef) else own


def _functions(tree: ast.Module) -> Iterator[tuple[str, range]]:
    """Yield the outermost functions and methods of a module by name, each with its lines."""
    for node in tree.body:
        for child in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(child, ast.FunctionDef):
                name = f"{node.name}.{child.name}" if isinstance(node, ast.ClassDef) else child.name
                yield name, range(child.lineno, (child.end_lineno or child.lineno) + 1)


def _difference(old: list[str], new: list[str]) -> tuple[str, str]:
    """Return the lines that differ, as one line each."""
    start = next(
        (n for n, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), min(len(old), len(new))
    )
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return tuple(" ".join(line.strip() for line in text[start : len(text) - end]) for text in (old, new))  # type: ignore[return-value]


def functions_of(module: ModuleType) -> Iterator[tuple[str, Any, FunctionType]]:
    """Yield each function and method of a module: its name, what holds it (a cache, a property, itself), and itself."""
    for name, value in vars(module).items():
        if isinstance(value, type) and value.__module__ == module.__name__:
            for own, member in vars(value).items():
                yield from ((f"{name}.{own}", *both) for both in _plain(member, module))
        else:
            yield from ((name, *both) for both in _plain(value, module))


def _plain(value: Any, module: ModuleType) -> Iterator[tuple[Any, FunctionType]]:
    inner = value
    if isinstance(inner, staticmethod | classmethod):
        inner = inner.__func__
    elif isinstance(inner, property):
        inner = inner.fget
    elif hasattr(inner, "func") and not isinstance(inner, FunctionType):  # functools.cached_property
        inner = inner.func
    inner = inspect.unwrap(inner) if callable(inner) else inner
    if isinstance(inner, FunctionType) and inner.__module__ == module.__name__:
        yield value, inner


def put_in(mutant: Mutant) -> bool:
    """Let the function of this process do what the mutant does; return whether that was possible."""
    module = sys.modules[mutant.module]
    code = compile(mutant.source, module.__file__ or mutant.module, "exec", dont_inherit=True)
    wanted = _code_of(code, mutant.function.split("."))
    for name, holder, function in functions_of(module):
        if name == mutant.function and wanted is not None:
            if function.__code__.co_freevars != wanted.co_freevars:
                return False
            if not _replace_inner(function.__code__, wanted):
                return False
            function.__code__ = wanted
            function.__defaults__, function.__kwdefaults__ = _defaults(mutant, module)
            if hasattr(holder, "cache_clear"):
                holder.cache_clear()
            return True
    return False


def _replace_inner(old: CodeType, new: CodeType) -> bool:
    """Let functions that a function has made before do what those do that it makes with the new code.

    Return whether that was possible.
    """
    before, after = ([const for const in code.co_consts if isinstance(const, CodeType)] for code in (old, new))
    if [code.co_name for code in before] != [code.co_name for code in after]:
        return True
    for one, other in zip(before, after, strict=True):
        if one == other:
            continue
        gc.unfreeze()
        made = [holder for holder in gc.get_referrers(one) if isinstance(holder, FunctionType)]
        if made and one.co_freevars != other.co_freevars:
            return False
        for function in made:
            function.__code__ = other
        if not _replace_inner(one, other):
            return False
    return True


def _defaults(mutant: Mutant, module: ModuleType) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Return what the arguments of the function are without being given."""
    body: list[ast.stmt] = ast.parse(mutant.source).body
    *owner, name = mutant.function.split(".")
    for each in owner:
        body = next(node.body for node in body if isinstance(node, ast.ClassDef) and node.name == each)
    arguments = next(node.args for node in reversed(body) if isinstance(node, ast.FunctionDef) and node.name == name)

    def value(node: ast.expr) -> Any:
        return eval(compile(ast.Expression(node), mutant.module, "eval"), vars(module))

    keywords = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    given = {argument.arg: value(default) for argument, default in keywords if default is not None}
    return tuple(value(default) for default in arguments.defaults), given


def _code_of(code: CodeType, path: list[str]) -> CodeType | None:
    for part in path:
        inner = [const for const in code.co_consts if isinstance(const, CodeType) and const.co_name == part]
        if not inner:
            return None
        code = inner[-1]
    return code


def clear_caches(module: str) -> None:
    """Forget what a module has worked out, and what others have that may have asked it for that."""
    others = _ASKING.get(module.rpartition(".")[0], ())
    for name, loaded in list(sys.modules.items()):
        if name == module or name.startswith(others):
            for value in list(vars(loaded).values()):
                if getattr(value, "__module__", None) == name and hasattr(value, "cache_clear"):
                    value.cache_clear()
