"""Report for CI servers that show tests: JUnit XML with a test suite per file and a test case per record."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import TextIO
from xml.etree.ElementTree import Element, SubElement, tostring

from hexrec.output.report_formats import copy_spooled, new_spool
from hexrec.output.report_text import helps
from hexrec.util.escaping import escape
from hexrec.validation.report import Report, Summary

#: The characters that XML 1.0 does not allow, not even as character references.
_IMPOSSIBLE = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(reports: Iterable[Report], _: Summary, out: TextIO) -> Iterator[Report]:
    """Write the document. The totals of a file come before its records, so the records are spooled.

    It follows Jenkins's schema, by which only single suites count skipped tests.

    The summary is not used: it does not count unreadable inputs as test cases.
    """
    with new_spool() as suites:
        totals = Counter[str]()
        for file, reports_on_file in groupby(reports, lambda report: report.file):
            with new_spool() as cases:
                counts = Counter[str]()
                for report in reports_on_file:
                    counts["tests"] += 1
                    if not report.valid:
                        counts[_outcome(report)] += 1
                    cases.write(tostring(_case(report), "unicode") + "\n")
                    yield report
                attributes = {**_count_attributes(counts), "skipped": str(counts["skipped"])}
                suite = _element("testsuite", name=file or "", **attributes)
                _wrap(cases, suite, suites)
            totals += counts
        out.write('<?xml version="1.0" encoding="UTF-8"?>\n')
        _wrap(suites, _element("testsuites", name="hexrec", **_count_attributes(totals)), out)


def _count_attributes(counts: Counter[str]) -> dict[str, str]:
    return {name: str(counts[name]) for name in ("tests", "failures", "errors")}


def _case(report: Report) -> Element:
    record = f"record {report.index}" + (f" ({report.id})" if report.id else "")
    name = "input" if report.unreadable else record
    case = _element("testcase", name=name, classname=report.file or "")
    lines = (line for diagnostic in report.diagnostics for line in (str(diagnostic), *helps(diagnostic)))
    text = "\n".join(map(_replace_impossible, lines))
    if report.errors:
        first = min(report.errors, key=lambda error: error.ignored)
        if report.accepted:
            message = f"ignored by {', '.join(report.accepted_by)}: {first.code}: {first.message}"
            case.append(_element("skipped", message=message))
        else:
            kind = "error" if report.unreadable else "failure"
            case.append(_element(kind, type=first.code, message=first.message))
        case[0].text = text
    elif text:
        SubElement(case, "system-out").text = text
    return case


def _outcome(report: Report) -> str:
    """Return the attribute that counts an invalid record or an unreadable input."""
    return "errors" if report.unreadable else "skipped" if report.accepted else "failures"


def _element(tag: str, **attributes: str) -> Element:
    return Element(tag, {name: _replace_impossible(value) for name, value in attributes.items()})


def _replace_impossible(text: str) -> str:
    return _IMPOSSIBLE.sub(lambda found: escape(found[0]), text)


def _wrap(content: TextIO, element: Element, out: TextIO) -> None:
    """Write an element around a spooled file."""
    element.text = "\n"
    end = f"</{element.tag}>"
    out.write(tostring(element, "unicode").removesuffix(end))
    copy_spooled(content, out)
    out.write(end + "\n")
