"""hexrec as a process of its own: started as from a shell, and waited for by what it does, not by the clock."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from time import monotonic, sleep

PROGRAM = [sys.executable, "-m", "hexrec"]
#: How many seconds a process may take for anything. Only what has failed takes so long.
PATIENCE = 300

_WITH_SIGNALS = """\
import os, signal, sys
for name in ("SIGINT", "SIGTERM", "SIGHUP"):
    signal.signal(getattr(signal, name), signal.SIG_DFL)
os.execv(sys.argv[1], sys.argv[1:])
"""


def with_signals(program: list[str]) -> list[str]:
    """Return the command that runs a program which signals end, though this process may ignore some (`nohup`)."""
    return [sys.executable, "-c", _WITH_SIGNALS, *program]


def wait_until(condition: Callable[[], object], process: subprocess.Popen[bytes]) -> None:
    """Wait until something is true; fail if a process ends before it is."""
    end = monotonic() + PATIENCE
    while not condition():
        assert process.poll() is None, f"it has ended with the exit code {process.returncode}"
        assert monotonic() < end, "it takes too long"
        sleep(0.01)


def feed(process: subprocess.Popen[bytes], data: bytes) -> None:
    """Write to the standard input of a process, and wait until it has read all of that."""
    import fcntl
    import termios

    assert process.stdin is not None
    process.stdin.write(data)
    process.stdin.flush()
    left = process.stdin.fileno()
    wait_until(lambda: not any(fcntl.ioctl(left, termios.FIONREAD, bytes(4))), process)
