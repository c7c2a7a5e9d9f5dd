"""The diagnostics in the examples of explained codes."""

from __future__ import annotations

from functools import partial
from io import BytesIO

from hexrec import formats
from hexrec.tools.duplicates import Duplicates
from hexrec.util.diagnostics import Code, Diagnostic
from hexrec.validation.verdict import check_document


def diagnostic_in_example(code: str, explained: Code) -> Diagnostic | None:
    """Return the diagnostic that the example of a code produces, or None if it has none, or not that of this code."""
    if not explained.example or not formats.is_known(explained.format):
        return None
    file = f"example.{explained.format}"
    documents = enumerate(formats.read(explained.format, BytesIO(explained.example.encode())))
    strict = partial(check_document, finished=True, lint=True)
    reports = Duplicates().find(strict(document, file, index) for index, document in documents)
    diagnostics = (diagnostic for report in reports for diagnostic in report.diagnostics)
    return next((diagnostic for diagnostic in diagnostics if diagnostic.code == code), None)
