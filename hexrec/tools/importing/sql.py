"""Dumps of databases: the tables that SQL statements fill, or that PostgreSQL copies, as rows."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from hexrec.tools.importing.layouts import SourceLine, TableCell

_NAME = r"(?:[`\"\[]?\w+[`\"\]]?\s?\.\s?)?[`\"\[]?(?P<{}>\w+)[`\"\]]?\s*"
#: A table that is made or filled, with the names of its columns.
_STATEMENT = re.compile(
    rf"^[ \t]*(?:create\s+table\s+(?:if\s+not\s+exists\s+)?{_NAME.format('made')}\("
    rf"|(?:insert|replace)\s+(?:or\s+\w+\s+|ignore\s+)?into\s+{_NAME.format('filled')}(?:\((?P<columns>[^()]*)\)\s*)?values\b"
    rf"|copy\s+{_NAME.format('copied')}(?:\((?P<copies>[^()]*)\)\s*)?from\s+stdin\b[^;\n]*;[ \t]*\n)",
    re.IGNORECASE | re.MULTILINE,
)
#: The name of a column, type and all; keys and other constraints are no columns.
_COLUMN = re.compile(
    r"\s*(?!(?:primary|foreign|unique|key|constraint|check|index)\b)[`\"\[]?(?P<name>\w+)", re.IGNORECASE
)
#: A part of the definition of columns: a string, a pair of parentheses, a sign.
_PART = re.compile(r"'[^']*'|\([^()]*\)|[(),]|[^'(),]+")
#: A value of a row, and the sign after it.
_VALUE = re.compile(
    r"\s*(?:[NEne]?'(?P<text>(?:[^'\\]|''|\\.)*)'|(?P<bare>[^\s,()';]*))(?:::\w+)?\s*(?P<end>[,)])", re.DOTALL
)
_ROW = re.compile(r"\s*,?\s*\(")
_ESCAPE = re.compile(r"\\(.)|''", re.DOTALL)


def sql_tables(text: str) -> list[list[SourceLine]]:
    """Return the rows of each table of a dump, below the names of its columns; none for another text."""
    starts = [0, *(end.end() for end in re.finditer("\n", text))]
    columns: dict[str, list[str]] = {}
    tables: dict[str, list[SourceLine]] = {}
    at = 0
    while (statement := _STATEMENT.search(text, at)) is not None:
        at, line = statement.end(), bisect_right(starts, statement.start())
        if (name := statement["made"]) is not None:
            columns[name] = [*_columns(text, at)]
            continue
        name = statement["filled"] or statement["copied"]
        stated = re.findall(r"\w+", statement["columns"] or statement["copies"] or "") or columns.get(name, [])
        names = columns.setdefault(name, stated)
        head = SourceLine(line, "", tuple(TableCell(column, line, 1) for column in names))
        rows = tables.setdefault(name, [head])
        own = len(rows)
        if statement["copied"]:
            number = line + 1
            while (copied := text[at : text.find("\n", at) + 1]) and not copied.startswith("\\."):
                rows.append(_row(number, [(value, at) for value in copied.rstrip("\n").split("\t")], starts))
                at, number = at + len(copied), number + 1
        while statement["filled"] and (begin := _ROW.match(text, at)) is not None:
            values, at = _values(text, begin.end())
            rows.append(_row(bisect_right(starts, begin.end()), values, starts))
        if stated != names:
            rows[own:] = (_arranged(row, stated, names) for row in rows[own:])
    return [rows for rows in tables.values() if rows[0].fields]


def _arranged(row: SourceLine, stated: Sequence[str], names: Sequence[str]) -> SourceLine:
    """Return a row with its cells in the order of the columns of the table."""
    cells = dict(zip(stated, row.fields, strict=False))
    blank = TableCell("", row.number, 1)
    return row._replace(fields=tuple(cells.get(name, blank) for name in names))


def _columns(text: str, at: int) -> Iterator[str]:
    """Yield the names of columns in a definition that begins at a place."""
    begins = True
    while (part := _PART.match(text, at)) is not None and part[0] not in "()":
        if begins and (column := _COLUMN.match(part[0])) is not None:
            yield column["name"]
        begins, at = part[0] == ",", part.end()


def _values(text: str, at: int) -> tuple[list[tuple[str, int]], int]:
    """Return the values of a row, each with its place, and the end of the row."""
    values: list[tuple[str, int]] = []
    while (value := _VALUE.match(text, at)) is not None:
        quoted = value["text"] is not None
        shown = _ESCAPE.sub(lambda sign: sign[1] or "'", value["text"]) if quoted else value["bare"]
        values.append((shown, value.start("text" if quoted else "bare")))
        at = value.end()
        if value["end"] == ")":
            break
    return values, at


def _row(number: int, values: list[tuple[str, int]], starts: list[int]) -> SourceLine:
    fields = tuple(TableCell(" ".join(value.split()), number, at - starts[number - 1] + 1) for value, at in values)
    return SourceLine(number, "", fields)
