"""Spreadsheets: the sheets of an `.xlsx` file as rows."""

from __future__ import annotations

import io
from collections.abc import Iterator
from datetime import date, datetime, time
from typing import Any
from zipfile import ZipFile

from hexrec.errors import Error, extra
from hexrec.tools.importing.layouts import SourceLine, TableCell

#: The maximum number of bytes of an unpacked workbook, and of cells in its sheets, empty ones included.
_MAX_BYTES = 64 * 1024 * 1024
_MAX_CELLS = 1_000_000


class WorkbookError(Error):
    """A file that is no workbook, or too large a one."""


def sheets(data: bytes) -> Iterator[tuple[str, list[SourceLine]]]:
    """Yield the name and the rows of each sheet of a workbook. Raises WorkbookError and MissingExtraError."""
    with extra("xlsx", "to import spreadsheets, install", "openpyxl"):
        from openpyxl import load_workbook
    try:
        with ZipFile(io.BytesIO(data)) as packed:
            size = sum(member.file_size for member in packed.infolist())
        if size > _MAX_BYTES:
            raise WorkbookError(f"the workbook has {size:,} bytes when unpacked: split it, or save its sheets as CSV")
        book = load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    except WorkbookError:
        raise
    except Exception:  # openpyxl has no base class of its exceptions
        raise WorkbookError("this is no workbook of the format .xlsx: save it as .xlsx, CSV or text") from None
    left = _MAX_CELLS
    for sheet in book.worksheets:
        rows: list[SourceLine] = []
        sheet.reset_dimensions()
        try:
            for number, cells in enumerate(sheet.iter_rows(values_only=True), 1):
                left -= len(cells) + 1
                if left < 0:
                    raise WorkbookError("the workbook has too many cells: split it, or save its sheets as CSV")
                fields = tuple(TableCell(_text(value), number, column) for column, value in enumerate(cells, 1))
                if any(part.text for part in fields):
                    rows.append(SourceLine(number, "", fields))
                elif rows and rows[-1].fields:
                    rows.append(SourceLine(number, ""))
        except WorkbookError:
            raise
        except Exception:
            raise WorkbookError(f"the sheet {sheet.title} cannot be read: save it as CSV") from None
        yield sheet.title, rows


def _text(value: Any) -> str:
    """Return a cell as a person reads it: whole numbers without a fraction, dates in the form of records."""
    if value is None:
        return ""
    if isinstance(value, datetime):
        return value.date().isoformat() if value.time() == time() else value.isoformat(" ", "seconds")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()
