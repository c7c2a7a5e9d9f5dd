"""Layouts of files: bytes to lines, and lines to the cells of tables (CSV, TSV, Markdown) with their places."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import unescape
from itertools import chain, takewhile, zip_longest
from typing import NamedTuple

#: A line between the rows of a table: strokes, with signs where they meet.
_RULE = re.compile(r"(?=.*[|+])(?=.*(?:--|==))[\s|+:=-]+$")
#: The strokes of tables in boxes, and the signs of Markdown for them.
_BOX = str.maketrans(
    dict.fromkeys(map(chr, range(0x2500, 0x2570)), "+") | dict.fromkeys("│┃║┆┊", "|") | dict.fromkeys("─━═", "-")
)
_TAG = re.compile(
    r"</?(?:html|head|body|title|div|span|p|br|hr|b|i|u|s|em|strong|code|pre|tt|font|center|small|big|sub|sup|blockquote|a"
    r"|img|ul|ol|li|dl|dt|dd|h[1-6]|table|thead|tbody|tfoot|caption|tr|td|th)\b[^<>]{0,200}>",
    re.IGNORECASE,
)
#: The end of a term before its description.
_TERM = re.compile(r"(?<=[^\s:])</dt>(?=\s*<dd)", re.IGNORECASE)
#: A link of a wiki, or of Markdown, and the text that it shows.
_LINK = re.compile(r"\[\[(?:[^\[\]|]*\|)?(?P<wiki>[^\[\]|]*)\]\]|\[(?P<text>[^\[\]\n]+)\]\((?:https?:|/)[^()\s]*\)")
#: A tag of a bulletin board, and a quotation there.
_FORUM_TAG = re.compile(
    r"\[/?(?:b|i|u|s|code|url|quote|color|colour|size|img|list|center|spoiler|\*)(?:=[^\[\]\n]{0,200})?\]", re.I
)
_QUOTATION = re.compile(r"\[quote[^\]\n]{0,200}\].*?\[/quote\]", re.I | re.DOTALL)
_CLOSING_TAG = re.compile(r"\[/(?:b|i|code|url|quote)\]", re.I)
#: A line with several boxes, and a choice whose box is not marked.
_BOXES = re.compile(r"(?m)^.*\[[ x]?\].*\[[ x]?\].*$", re.IGNORECASE)
_UNMARKED = re.compile(r"\[ ?\][^\[\n(]*")
#: The parts of a page that it does not show.
#: The line before a signature.
_SIGNATURE = re.compile(r"(?<=\n\n)-- ?(?=\n[^\n]*[^\W\d_]{3})")
_HIDDEN = re.compile(r"<(script|style|template)\b.*?</\1\s*>|<!--.*?-->", re.IGNORECASE | re.DOTALL)
#: A row of a table of a page, and a cell of it, which may be as wide as several.
_ROW = re.compile(r"<tr\b[^<>]*>(.*?)(?:</tr\s*>|(?=<tr\b|</t(?:able|head|body)\b)|$)", re.IGNORECASE | re.DOTALL)
_CELL = re.compile(r"<t[dh]\b(?P<tag>[^<>]*)>(?P<text>.*?)(?=</?t[dh]\b|$)", re.IGNORECASE | re.DOTALL)
_SPAN = re.compile(r"\bcolspan\s*=\s*[\"']?(\d{1,2})\b", re.IGNORECASE)
#: A line of a table in MediaWiki: cells, or the end of a row or of the table.
_MEDIAWIKI = re.compile(r"\s*(?:\|-|(?P<end>\|\})|[|!](?P<cells>(?!\+).*))")
#: The attributes of a cell in MediaWiki, and the sign after them.
_ATTRIBUTES = re.compile(r"(?:(?<=^)|(?<=\|\||!!))\s*(?:[a-z]+\s*=\s*(?:\"[^\"]*\"|\w+)\s*)+\|(?!\|)", re.IGNORECASE)
#: The signs between the cells of a row in MediaWiki.
_WIKI_SIGNS = re.compile(r"!!|\|\|")

#: A pair of axial coordinates with a colon, of which one is negative, and any.
_AXIAL = re.compile(r"(?<![\w:.])(?:-\d{1,2}:-?\d{1,2}|\d{1,2}:-\d{1,2})(?![\w:])")
_PAIR = re.compile(r"(?<![\w:.-])-?\d{1,2}:-?\d{1,2}(?![\w:])")
_MANY_PAIRS = 3
#: The maximum number of lines of the headings of a grid.
_HEADINGS = 9
#: The minimum length of a wrapped line, and the minimum number of words in one.
_WRAPPED, _SENTENCE = 55, 5
#: A part of a line with columns of its own, as in "1  d4  e5 | 20  a1  b2 | 39  c3  d3".
_COLUMNED = re.compile(r"\S\s{2,}\S")
#: A line that is no part of a paragraph: of a list, or with columns.
_APART = re.compile(r"^\s*[#*>|\[{;=-]|\S\s{4,}\S")
#: The maximum number of characters by which a wrapped line is shorter than the longest.
_RAGGED = 18
#: The beginning of a turn; a line of a list of turns with a number, or with two in columns.
_TURN = r"(?:[a-z]{1,2}\d|pass|swap|--)"
_COLUMNS = re.compile(
    rf"(?P<left>\s*(?P<first>\d{{1,3}})[.):]?\s+{_TURN}.*?)(?:\s{{2,}}(?P<right>(?P<second>\d{{1,3}})[.):]?\s+{_TURN}.*))?",
    re.IGNORECASE,
)
#: The maximum number of characters of a line in columns.
_LONGEST = 200
#: The key at the beginning of a line, which no sentence goes on in.
_KEY = re.compile(r"\s*[^\W\d_]+(?: [^\W\d_]+)?\s*:(?!\S)")
_LONG_WORD = re.compile(r"\b[^\W\d_]{2,}\b")


class TableCell(NamedTuple):
    """A cell of a table.

    Attributes:
        text: the text.
        line: the 1-based line in which it begins, or the row of a sheet.
        column: the 1-based column of its first character in the line, or its column in a sheet.
    """

    text: str
    line: int
    column: int


class SourceLine(NamedTuple):
    """A line of text, or a row of a table.

    Attributes:
        number: the 1-based line, or row.
        text: the text; of a row of HTML, its cells separated by tabs; empty for a row of a sheet or dump.
        fields: the cells of a row of a table; empty for a line of text.
        column: the 1-based column of the first character.
    """

    number: int
    text: str
    fields: tuple[TableCell, ...] = ()
    column: int = 1

    @property
    def filled(self) -> list[TableCell]:
        """The cells that are not empty."""
        return [part for part in self.fields if part.text]


def plain_marks(text: str) -> str:
    """Return a text with spaces for quotations and tags of bulletin boards, and for choices with empty boxes."""
    if _CLOSING_TAG.search(text):
        for marks in (_QUOTATION, _FORUM_TAG):
            text = marks.sub(blank, text)
    return _BOXES.sub(lambda line: _UNMARKED.sub(blank, line[0]), text)


def blank(match: re.Match[str]) -> str:
    """Return spaces and newlines for a part of a text."""
    return re.sub(r"[^\n]", " ", match[0])


def mark_axial(text: str) -> str:
    """Return a text with commas in pairs such as ``0:2``, if it names cells by pairs some of which are negative."""
    if len(_AXIAL.findall(text)) < _MANY_PAIRS:
        return text
    return _PAIR.sub(lambda pair: pair[0].replace(":", ","), text)


def decode(data: bytes) -> str:
    """Return the text of a file in UTF-8, UTF-16 with a mark, or else Windows-1252; lines end in a newline."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = data.decode("utf-16", errors="replace")
    else:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            text = data.decode("cp1252", errors="replace")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def text_lines(text: str) -> Iterator[SourceLine]:
    """Yield the lines of a text; rows of tables in Markdown, wikis and HTML, and lines with tabs, with their cells."""
    text = _HIDDEN.sub(blank, text) if "<" in text else text
    text = _SIGNATURE.sub(blank, text)
    number, at = 1, 0
    for row in _ROW.finditer(text):
        between = text[at : row.start()]
        if _TAG.sub("", between).strip() or "</table" in between.lower() or not at:
            yield from _lines(" " * (at - text.rfind("\n", 0, at) - 1) + between, number)
        number += between.count("\n")
        fields: list[TableCell] = []
        for cell in _CELL.finditer(row[1]):
            start = row.start(1) + cell.start("text")
            place = number + text.count("\n", row.start(), start), start - text.rfind("\n", 0, start)
            fields.append(TableCell(" ".join(unescape(_TAG.sub(" ", cell["text"])).split()), *place))
            if span := _SPAN.search(cell["tag"]):
                fields += [TableCell("", *place)] * (int(span[1]) - 1)
        if fields:
            yield _row_of(fields)
        number += row[0].count("\n")
        at = row.end()
    yield from _lines(" " * (at - text.rfind("\n", 0, at) - 1) + text[at:], number)


def _lines(text: str, first: int) -> Iterator[SourceLine]:
    """Yield the lines of a text without tables of HTML."""
    row: list[TableCell] | None = None  # the cells of a row of MediaWiki, which can have a line each
    grid: list[TableCell] | None = None  # the cells of a row between rules, each with a part in every line
    lines = text.split("\n")
    for number, line in enumerate(lines, first):
        if not line.isascii():
            line = line.translate(_BOX)
        line = line.replace("'''", "   ")
        if "[" in line:
            line = _LINK.sub(_shown_text, line)
        if "<" in line:
            line = unescape(_TAG.sub(blank, _TERM.sub(lambda end: f":{blank(end)[1:]}", line)))
        if line.startswith("^") and line.rstrip().endswith(("^", "|")):  # headings in DokuWiki
            line = line.replace("^", "|")
        if row is not None and (mark := _MEDIAWIKI.match(line)):
            if mark["cells"] is None:
                if row:
                    yield _row_of(row)
                row = [] if mark["end"] is None else None
            else:
                cells = _WIKI_SIGNS.sub(" |", _ATTRIBUTES.sub(blank, mark["cells"]))
                row += _split(line[: mark.start("cells")].replace("!", "|") + cells, "|", number)
        elif line.lstrip().startswith("{|"):
            row = []
        elif _RULE.match(line):
            if grid:
                yield _row_of(grid)
            headings = takewhile(
                lambda line: line.lstrip()[:1] in ("+", "|"), lines[number - first : number - first + _HEADINGS]
            )
            grid = [] if grid is not None or any("+==" in line for line in headings) else None
        elif line.count("|") >= 2 and not all(_COLUMNED.search(part) for part in line.split("|")):
            fields = [*_split(line, "|", number)]
            if grid is None:
                yield SourceLine(number, line, tuple(fields))
            else:
                parts = zip_longest(grid or fields, fields if grid else (), fillvalue=TableCell("", number, 1))
                grid = [cell._replace(text=f"{cell.text} {more.text}".strip()) for cell, more in parts]
        elif "\t" in line.strip():
            yield SourceLine(number, line, tuple(_split(line, "\t", number)))
        else:
            if grid:
                yield _row_of(grid)
            grid = None
            yield SourceLine(number, line)


def _row_of(fields: Sequence[TableCell]) -> SourceLine:
    return SourceLine(fields[0].line, "\t".join(cell.text for cell in fields), tuple(fields))


def unfold(lines: Iterable[SourceLine]) -> Iterator[SourceLine]:
    """Yield lines, those of a list of turns in two columns one column after the other, by the numbers of the turns."""
    run: list[tuple[SourceLine, re.Match[str]]] = []
    for line in chain(lines, (None,)):
        is_short = line is not None and not line.fields and len(line.text) < _LONGEST
        match = _COLUMNS.fullmatch(line.text) if line is not None and is_short else None
        if match and (not run or _goes_on(run[-1][1], match)) and line is not None:
            run.append((line, match))
            continue
        rows = len([match for _, match in run if match["second"]])
        is_folded = rows > 2 and int(run[0][1]["second"] or 0) >= int(run[0][1]["first"]) + len(run)
        yield from (known._replace(text=found["left"]) if is_folded else known for known, found in run)
        if is_folded:
            right = [known._replace(text=" " * found.start("right") + found["right"]) for known, found in run[:rows]]
            yield from unfold(right)
        run = [(line, match)] if line is not None and match else []
        if line is not None and not match:
            yield line


def _goes_on(before: re.Match[str], after: re.Match[str]) -> bool:
    """Return whether the numbers of a line in columns follow those of the line before; the last column may end."""
    steps = [int(after[key]) - int(before[key]) for key in ("first", "second") if after[key] and before[key]]
    return {*steps} == {1} and not (after["second"] and not before["second"])


def join_wrapped(lines: Iterable[SourceLine]) -> Iterator[SourceLine]:
    """Yield lines, with the lines of a paragraph that begins with a sentence as one, whose text has newlines."""
    block: list[SourceLine] = []
    for line in chain(lines, (None,)):
        if line is not None and line.text.strip() and not line.fields and not _APART.search(line.text):
            block.append(line)
            continue
        yield from _join(block)
        block = []
        if line is not None:
            yield line


def _join(block: list[SourceLine]) -> Iterator[SourceLine]:
    """Yield the lines of a block: all as one if they are as long as the page is wide, else sentences that go on."""
    width = max((len(line.text) for line in block), default=0)
    is_wrapped = width >= _WRAPPED and all(len(line.text) >= width - _RAGGED for line in block[:-1])
    paragraph: list[SourceLine] = []
    for line in block:
        goes_on = is_wrapped if paragraph else True
        if paragraph and not is_wrapped:
            goes_on = _is_sentence(paragraph[-1].text) and _has_words(line.text) and not _KEY.match(line.text)
        if paragraph and not (goes_on and _is_sentence(paragraph[0].text)):
            yield _joined(paragraph)
            paragraph = []
        paragraph.append(line)
    if paragraph:
        yield _joined(paragraph)


def _is_sentence(text: str) -> bool:
    return (
        "=" not in text
        and len(text.strip()) >= _WRAPPED
        and len(_LONG_WORD.findall(text)) >= _SENTENCE
        and _has_words(text)
    )


def _has_words(text: str) -> bool:
    """Return whether a line has more words than turns."""
    return len(_LONG_WORD.findall(text)) > sum(any(map(str.isdigit, part)) for part in text.split())


def _joined(lines: Sequence[SourceLine]) -> SourceLine:
    return lines[0] if len(lines) == 1 else lines[0]._replace(text="\n".join(line.text for line in lines))


def _shown_text(link: re.Match[str]) -> str:
    """Return the text of a link at its place, and spaces around it."""
    start, end = link.span(link.lastgroup or 0)
    return " " * (start - link.start()) + link.string[start:end] + " " * (link.end() - end)


def _split(line: str, sign: str, number: int) -> Iterator[TableCell]:
    """Yield the cells of a line between signs; the signs around the whole line begin no cell."""
    at = 0
    parts = line.split(sign)
    for index, part in enumerate(parts):
        start = at + len(part) - len(part.lstrip())
        at += len(part) + 1
        if part.strip() or (0 < index < len(parts) - 1) or sign == "\t":
            yield TableCell(part.strip(), number, start + 1)


def delimiter_of(text: str, suffix: str) -> str | None:
    """Return the delimiter of a table in a file, by its suffix or its first lines; None for a text."""
    if suffix in (".tsv", ".tab"):
        return "\t"
    if suffix != ".csv":
        return None
    head = [line for line in text[:20_000].split("\n") if line.strip()][:20]

    def fits(sign: str) -> tuple[int, int]:
        """Return the number of rows that are as wide as most with a delimiter, and their width."""
        widths = Counter(len(row) for row in csv.reader(head, delimiter=sign) if len(row) > 1)
        width, count = (widths.most_common(1) or [(0, 0)])[0]
        return count, width

    return max((",", ";", "\t"), key=fits)


def delimited_rows(text: str, delimiter: str) -> Iterator[SourceLine]:
    """Yield the rows of a CSV or TSV file, with the place of each cell."""
    lines = text.split("\n")
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, strict=False)
    before = 0
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error:  # a cell beyond the limit of the module
            before = reader.line_num
            continue
        number = before + 1
        before = reader.line_num
        line, at = lines[number - 1] if number <= len(lines) else "", 0
        if line.startswith("# "):  # a comment
            row = [line.removeprefix("# ")]
        fields = []
        for value in row:
            found = line.find(value, at) if value and "\n" not in value else at
            at = found + len(value) if found >= 0 else at
            fields.append(TableCell(value.strip(), number, max(found, 0) + 1))
        yield SourceLine(number, line, tuple(fields))
