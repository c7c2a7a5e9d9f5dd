"""Signals that end a run: it says so, cleans up, and exits with 128 and the number of the signal."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any

from hexrec.cli.console import say_last

_SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
#: For so many seconds after the first signal no other disturbs the cleaning: a closed terminal sends several.
_GRACE = 2.0


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let signals end what is within by SystemExit. Those that the caller ignores (`nohup`) stay ignored."""
    ended: list[float] = []

    def end(number: int, _frame: object) -> None:
        now = monotonic()
        if ended and now - ended[-1] < _GRACE:
            return
        ended.append(now)
        say_last("interrupted" if number == signal.SIGINT else f"ended by {signal.Signals(number).name}")
        raise SystemExit(128 + number)

    usual: dict[int, Any] = {}
    for number in _SIGNALS:
        if number == signal.SIGINT or signal.getsignal(number) is not signal.SIG_IGN:
            usual[number] = signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in usual.items():
            # A run that was ended keeps its exit code: another signal on the way out would take that away.
            signal.signal(number, signal.SIG_IGN if ended else handler)
