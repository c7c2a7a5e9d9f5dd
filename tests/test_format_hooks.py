"""docs/format-hooks.md lists every field of formats and documents, and whatever the example uses."""

from __future__ import annotations

import ast
import re
from dataclasses import fields

from hexrec.formats import base, places
from hexrec.formats.base import Document, Format, LocatedText
from hexrec.formats.places import Places
from hexrec.util import diagnostics
from tests.test_docs import ROOT

PAGE = (ROOT / "docs/format-hooks.md").read_text(encoding="utf-8")
LISTED = {name for row in re.findall(r"^\| (`.*?) \|", PAGE, re.MULTILINE) for name in re.findall(r"`(\w+)", row)}


def test_every_field_is_listed() -> None:
    assert {field.name for kind in (Format, Document) for field in fields(kind)} <= LISTED


def test_every_listed_name_is_there() -> None:
    known = {field.name for kind in (Format, Document) for field in fields(kind)}
    assert {*known, *dir(base), *dir(LocatedText), *dir(Places)} >= LISTED


def test_the_page_names_all_that_the_example_imports() -> None:
    module = ast.parse((ROOT / "docs/examples/oneline/hexrec_oneline.py").read_text(encoding="utf-8"))
    imports = [node for node in module.body if isinstance(node, ast.ImportFrom) and str(node.module)[:6] == "hexrec"]
    assert {node.module for node in imports} == {base.__name__, places.__name__, diagnostics.__name__}
    names = {alias.name for node in imports for alias in node.names} - {"OnLoss"}  # a type
    assert {name for name in names if not re.search(rf"\b{name}\b", PAGE)} == set()
