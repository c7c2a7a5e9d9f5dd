"""Standard streams that are full, closed or without a reader: one message at most, and an exit code that tells."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.processes import run_each
from tests.properties import sample

posix = pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
FILE = str(Path(__file__).parent.parent.parent / "fixtures/suite" / "sunspot" / "valid" / "agreed-draw.yaml")
COMMANDS = [
    tuple(word.replace("FILE", FILE) for word in line.split())
    for line in (
        *("--version", "--help", "validate --help", "games", "schema", "explain", "explain move/occupied", "fmt -"),
        *("random sunspot", "show FILE", "show FILE --svg -", "legal FILE", "validate FILE", "stats FILE"),
        *("validate FILE --format json", f"validate FILE -o - -o {os.devnull}", "score FILE", "hash FILE", "fix -"),
        *("convert FILE --to jsonl", "dedupe FILE --to yaml"),
    )
]
#: Changes the three streams and then becomes hexrec.
SHELL = f'{sys.executable} -m hexrec "$@"'
CLOSED = "hexrec: stdout cannot be written: Bad file descriptor\n"


def run(arguments: Sequence[str], redirected: str) -> tuple[int, str]:
    """Run hexrec with a redirection of the shell's; return its exit code and what it says on standard error."""
    if arguments[-1] == "-":
        redirected = f"<'{FILE}' {redirected}"
    shell = ["sh", "-c", f"exec {SHELL} {redirected}", "hexrec", *arguments]
    ran = subprocess.run(shell, capture_output=True, text=True, check=False)
    return ran.returncode, ran.stderr


@pytest.mark.slow
@posix
@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no device that is always full")
def test_a_full_disk() -> None:
    with open("/dev/full", "wb") as full:
        ended = run_each(COMMANDS, FILE, full.fileno())
    for arguments, (code, said) in zip(COMMANDS, ended, strict=True):
        *before, last = said.splitlines()
        assert (code, last) == (2, "hexrec: stdout cannot be written: No space left on device"), arguments
        assert all(line.startswith("hexrec: ") for line in before), arguments


@pytest.mark.slow
@posix
def test_a_reader_that_is_gone() -> None:
    commands = sample(COMMANDS, 4)
    theirs, ours = os.pipe()
    os.close(theirs)
    with open(ours, "wb") as out:
        ended = run_each(commands, FILE, out.fileno())
    for arguments, (code, said) in zip(commands, ended, strict=True):
        assert code == 141, arguments
        assert all(line.startswith("hexrec: ") for line in said.splitlines()), arguments
        assert "rror" not in said, arguments


@pytest.mark.parametrize("arguments", [COMMANDS[0], ("validate", FILE)], ids=" ".join)
def test_standard_output_is_closed(arguments: Sequence[str]) -> None:
    assert run(arguments, ">&-") == (2, CLOSED)
    assert run(arguments, "<&- >&- 2>&-") == (2, "")


def test_who_writes_nothing_needs_no_standard_output(tmp_path: Path) -> None:
    copy = tmp_path / "a.yaml"
    copy.write_bytes(Path(FILE).read_bytes())
    code, _ = run(("fmt", str(copy)), ">&-")
    assert code == 0
    report = tmp_path / "report.json"
    assert run(("validate", FILE, "-o", str(report)), ">&-") == (0, "")
    assert report.read_text().startswith("{")


@pytest.mark.slow
@pytest.mark.parametrize("redirected", ["2>&-", "2>/dev/full"])
def test_what_cannot_be_said_changes_nothing(redirected: str) -> None:
    if "full" in redirected and not os.path.exists("/dev/full"):
        pytest.skip("there is no device that is always full")
    shell = ["sh", "-c", f"exec {SHELL} {redirected}", "hexrec", "validate", FILE]
    ran = subprocess.run(shell, stdout=subprocess.PIPE, text=True, check=False)
    assert ran.returncode == 0
    assert "1 record in 1 file: " in ran.stdout
    code, said = run(("convert", "no-such-file", FILE, "--to", "jsonl"), redirected)
    assert (code, said) == (2, "")
