"""The report for CI servers that show tests: JUnit's XML, a test suite a file, a test case a record."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from shutil import copyfileobj
from typing import TextIO
from xml.etree.ElementTree import Element, SubElement, tostring

from hexrec.check import Report
from hexrec.check.summary import Summary
from hexrec.escaping import escaped
from hexrec.reporters.spool import waiting_room
from hexrec.reporters.text import line

#: What XML 1.0 cannot hold, not even as a reference.
_IMPOSSIBLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write(reports: Iterable[Report], summary: Summary, out: TextIO) -> Iterator[Report]:
    """Write the whole report. Sums stand before what they count, so records wait for the end of their file."""
    with waiting_room() as suites:
        for file, group in groupby(reports, key=lambda report: report.file):
            records = failures = 0
            with waiting_room() as cases:
                for report in group:
                    records += 1
                    failures += not report.valid
                    cases.write(tostring(_case(report), "unicode") + "\n")
                    yield report
                _wrap(cases, _element("testsuite", name=file or "", **_counts(records, failures)), suites)
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n')
        _wrap(suites, _element("testsuites", name="hexrec", **_counts(summary.records, summary.invalid)), out)


def _counts(records: int, failures: int) -> dict[str, str]:
    return {"tests": str(records), "failures": str(failures), "errors": "0", "skipped": "0"}


def _case(report: Report) -> Element:
    name = f"record {report.index}" + (f" ({report.id})" if report.id else "")
    case = _element("testcase", name=name, classname=report.file or "")
    text = "\n".join(_possible(line(finding)) for finding in report.diagnostics)
    if report.errors:
        first = report.errors[0]
        case.append(_element("failure", type=first.code, message=first.message))
        case[0].text = text
    elif text:
        SubElement(case, "system-out").text = text
    return case


def _element(tag: str, **attributes: str) -> Element:
    return Element(tag, {name: _possible(value) for name, value in attributes.items()})


def _possible(text: str) -> str:
    return _IMPOSSIBLE.sub(lambda found: escaped(found[0]), text)


def _wrap(content: TextIO, element: Element, out: TextIO) -> None:
    """Write an element around what waits."""
    element.text = "\n"
    end = f"</{element.tag}>"
    out.write(tostring(element, "unicode").removesuffix(end))
    content.seek(0)
    copyfileobj(content, out)
    out.write(end + "\n")
