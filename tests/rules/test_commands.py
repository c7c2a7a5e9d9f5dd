"""With kernels and without, commands write the same bytes, on records that are broken in every way that is known."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from hexrec.rules import kernels
from tests.fixtures import FIXTURES
from tests.properties import sample


def run(arguments: list[str], *, pure: bool) -> tuple[int, bytes, bytes]:
    environment = {**os.environ, "HEXREC_PURE": "1" if pure else "0"}
    ran = subprocess.run([sys.executable, "-m", "hexrec", *arguments], capture_output=True, env=environment)
    return ran.returncode, ran.stdout, ran.stderr


@pytest.mark.slow
def test_the_same_bytes() -> None:
    arguments = ["--format", "json", "--lint"]
    # The reference games, which take the engines long, are compared one by one in `test_kernels.py`.
    files = sample(
        [str(path) for kind in ("valid", "invalid", "lint") for path in sorted(FIXTURES.glob(f"*/{kind}/*"))], 13
    )
    with_kernels = run(["validate", *files, *arguments], pure=False)
    assert with_kernels == run(["validate", *files, *arguments], pure=True)
    assert with_kernels[0] in (1, 2)
    assert with_kernels[1].count(b"\n") > 50


@pytest.mark.parametrize("pure", [False, True])
def test_the_version_says_whether_they_are_used(pure: bool) -> None:
    code, said, _ = run(["--version", "--verbose"], pure=pure)
    used = kernels.compiled.are_current() and not pure
    (line,) = (line for line in said.decode().splitlines() if line.startswith("kernels: "))
    assert (code, line.partition(" (")[0]) == (0, f"kernels: {'compiled' if used else 'none'}")
