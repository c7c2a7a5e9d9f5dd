from __future__ import annotations

from dataclasses import replace

from junitparser import Failure, JUnitXml

from tests.output.conftest import NASTY, OCCUPIED, report, written


def read_back(text: str) -> JUnitXml:
    return JUnitXml.fromstring(text.encode())


def test_counts() -> None:
    """A reader that counts for itself comes to the same sums."""
    warning = replace(OCCUPIED, severity="warning")
    of = [
        report(file="a"),
        report(OCCUPIED, OCCUPIED, file="a", index=1),
        report(warning, file="a", index=2),
        report(warning, OCCUPIED, file="b"),
        report(OCCUPIED, file="b", index=1),
    ]
    read = read_back(written("junit", *of))
    stated = [(suite.name, suite.tests, suite.failures, suite.errors) for suite in read]
    assert stated == [("a", 3, 1, 0), ("b", 2, 2, 0)]
    assert (read.tests, read.failures, read.errors) == (5, 3, 0)
    for suite in read:
        suite.update_statistics()
    assert [(suite.name, suite.tests, suite.failures, suite.errors) for suite in read] == stated
    cases = [case for suite in read for case in suite]
    assert [[type(result) for result in case.result] for case in cases] == [[], [Failure], [], [Failure], [Failure]]
    assert cases[1].result[0].text == f"{OCCUPIED}\n{OCCUPIED}"
    assert cases[2].system_out == str(warning)
    assert cases[3].result[0].text == f"{warning}\n{OCCUPIED}"
    assert cases[3].result[0].message == OCCUPIED.message


def test_no_records() -> None:
    assert list(read_back(written("junit"))) == []


def test_characters() -> None:
    impossible = "\x00\x1b\ufffe\ud800\x0b"
    diagnostic = replace(OCCUPIED, message=f"{NASTY}\n{impossible}\U0001f600\t", file='a<&>".json')
    (suite,) = read_back(written("junit", report(diagnostic, file='a<&>"\x1b.json', id="<\x00>\n'")))
    (case,) = suite
    assert (suite.name, case.classname, case.name) == ('a<&>"\\x1b.json', 'a<&>"\\x1b.json', "record 0 (<\\x00>\n')")
    shown = r"\x00\x1b\ufffe\ud800\x0b"
    assert case.result[0].message == f"{NASTY}\n{shown}\U0001f600\t"
    assert case.result[0].text.endswith(f"{NASTY}\\n{shown}\U0001f600\\t")
