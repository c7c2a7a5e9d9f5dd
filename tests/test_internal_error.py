"""What is said of exceptions that nobody expected: what failed, where in the package, and what to do."""

from __future__ import annotations

import errno
import inspect
from pathlib import Path

import pytest

from hexrec.util import diagnostics
from hexrec.util.diagnostics import INTERNAL_ERROR, diagnose_error
from hexrec.util.version import __version__

REPORT = "please report it, with the command and this record"


class Failing:
    """Data that fails when somebody looks at it, which is called from the package and not in it."""

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def __getitem__(self, _: object) -> None:
        raise self.error


def caught(error: BaseException) -> BaseException:
    """Return an exception as it is caught after it has passed through the package."""
    with pytest.raises(type(error)) as raised:
        diagnostics.value_at(Failing(error), "/a")
    return raised.value


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another folder than that of the source tree."""
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (KeyError("oops"), "KeyError: 'oops'"),
        (ValueError(), "ValueError"),
        (ValueError("a" * 100), "ValueError: " + "a" * 100),
        (ValueError("a" * 101), "ValueError: " + "a" * 99 + "…"),
        (OSError(errno.ENOENT, "No such file or directory"), "FileNotFoundError: [Errno 2] No such file or directory"),
    ],
    ids=repr,
)
def test_what_failed_and_where(error: BaseException, kind: str) -> None:
    lines, first = inspect.getsourcelines(diagnostics.value_at)
    line = first + next(number for number, text in enumerate(lines) if "data[step]" in text)
    said = f"an error in hexrec {__version__}, {kind} in value_at (hexrec/util/diagnostics.py, line {line}): {REPORT}"
    found = diagnose_error(caught(error))
    assert (found.code, found.message, found.severity) == (INTERNAL_ERROR, said, "error")


@pytest.mark.parametrize("number", [errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, errno.EROFS])
def test_what_is_the_matter_with_the_machine(number: int) -> None:
    said = f"the system failed in the work on this record: [Errno {number}] oops"
    assert diagnose_error(caught(OSError(number, "oops"))).message == said


def test_the_traceback_is_there_for_those_who_ask(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    diagnose_error(caught(KeyError("oops")))
    assert capsys.readouterr() == ("", "")
    monkeypatch.setenv("HEXREC_DEBUG", "1")
    diagnose_error(caught(KeyError("oops")))
    _, err = capsys.readouterr()
    assert err.startswith("Traceback")
    assert err.endswith("KeyError: 'oops'\n")
