"""hexrec as a process of its own: started as from a shell, and waited for by what it does, not by the clock."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
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

#: Forks for each command, so that what hexrec imports is imported once. Each child ends as any program does.
_EACH = """\
import gc, json, os, sys, tempfile
from hexrec.__main__ import main
from hexrec.cli import COMMANDS, import_command
import hexrec.formats.json, hexrec.formats.yaml, hexrec.record.validation
commands = json.loads(sys.argv[1])
for name in COMMANDS.keys() & {arguments[0] for arguments in commands}:
    import_command(name)
gc.freeze()  # at its end, no child looks through what it shares with this process
ended = []
for arguments in commands:
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if child == 0:
            os.dup2(os.open(sys.argv[2], os.O_RDONLY), 0)
            os.dup2(said.fileno(), 2)
            sys.argv = ["hexrec", *arguments]
            main()
            sys.exit()
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        said.seek(0)
        ended.append((code, said.read().decode()))
print(json.dumps(ended), file=sys.stderr)
"""


def run_each(commands: Sequence[Sequence[str]], stdin: str, stdout: int) -> list[tuple[int, str]]:
    """Run hexrec once for each command, with the same two streams; return exit codes, and what standard error got."""
    program = [sys.executable, "-c", _EACH, json.dumps(commands), stdin]
    ran = subprocess.run(program, stdout=stdout, stderr=subprocess.PIPE, text=True, check=True)
    return [(code, said) for code, said in json.loads(ran.stderr)]


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
