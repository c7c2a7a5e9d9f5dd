"""Signals: which of them end a run, what is said then, and what they do afterwards."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from hexrec.cli.console import ended_by_signals

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals of another system")
ALL = ("SIGINT", "SIGTERM", "SIGHUP")


def number_of(name: str) -> signal.Signals:
    return signal.Signals[name]


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    """Give all signals back to whoever had them."""
    usual = {number_of(name): signal.getsignal(number_of(name)) for name in ALL}
    for number in usual:
        signal.signal(number, signal.SIG_DFL)
    yield
    for number, handler in usual.items():
        signal.signal(number, handler)


@pytest.mark.parametrize(
    ("name", "code", "said"),
    [("SIGINT", 130, "interrupted"), ("SIGTERM", 143, "ended by SIGTERM"), ("SIGHUP", 129, "ended by SIGHUP")],
)
def test_a_run_that_is_ended(capsys: pytest.CaptureFixture[str], name: str, code: int, said: str) -> None:
    """No other signal takes its exit code away."""
    with pytest.raises(SystemExit) as ended, ended_by_signals():
        signal.raise_signal(number_of(name))
    assert ended.value.code == code
    assert capsys.readouterr() == ("", f"hexrec: {said}\n")
    assert [signal.getsignal(number_of(each)) for each in ALL] == [signal.SIG_IGN] * 3


def test_a_run_that_comes_to_its_end() -> None:
    with ended_by_signals():
        assert len({signal.getsignal(number_of(name)) for name in ALL} - {signal.SIG_DFL, signal.SIG_IGN}) == 1
    assert [signal.getsignal(number_of(name)) for name in ALL] == [signal.SIG_DFL] * 3


def test_what_the_caller_ignores_stays_ignored() -> None:
    """An interrupt does not: shells let programs in the background ignore it."""
    for name in ALL:
        signal.signal(number_of(name), signal.SIG_IGN)
    codes = []
    with ended_by_signals():
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            try:
                signal.raise_signal(number)
            except SystemExit as ended:
                codes.append((number, ended.code))
    assert codes == [(signal.SIGINT, 130)]
    assert [signal.getsignal(number_of(name)) for name in ALL] == [signal.SIG_IGN] * 3


def test_no_signal_disturbs_the_cleaning_for_two_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each that ends the run begins them anew."""
    times = iter([10.0, 10.0, 11.9, 12.0, 13.9, 14.5])
    monkeypatch.setattr("hexrec.cli.console.monotonic", lambda: next(times))
    with ended_by_signals():
        codes: list[object] = []
        for name in ("SIGHUP", "SIGINT", "SIGTERM", "SIGTERM", "SIGINT", "SIGINT"):
            try:
                signal.raise_signal(number_of(name))
            except SystemExit as ended:
                codes.append(ended.code)
            else:
                codes.append(None)
    assert codes == [129, None, None, 143, None, 130]
    assert capsys.readouterr().err == "hexrec: ended by SIGHUP\nhexrec: ended by SIGTERM\nhexrec: interrupted\n"
