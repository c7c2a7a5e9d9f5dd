"""With compiled rules and interpreted ones, commands write the same bytes, on records broken in every known way."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from hexrec.rules import compiled
from tests.fixtures import FIXTURES
from tests.properties import sample


def run(arguments: list[str], *, pure: bool) -> tuple[int, bytes, bytes]:
    environment = {**os.environ, "HEXREC_PURE": "1" if pure else "0"}
    ran = subprocess.run([sys.executable, "-m", "hexrec", *arguments], capture_output=True, env=environment)
    return ran.returncode, ran.stdout, ran.stderr


@pytest.mark.slow
def test_the_same_bytes() -> None:
    arguments = ["--format", "json", "--lint"]
    files = sample(
        [str(path) for kind in ("valid", "invalid", "lint") for path in sorted(FIXTURES.glob(f"*/{kind}/*"))], 13
    )
    files += map(str, sorted(FIXTURES.glob("*/reference/games.jsonl")))
    compiled_rules = run(["validate", *files, *arguments], pure=False)
    assert compiled_rules == run(["validate", *files, *arguments], pure=True)
    assert compiled_rules[0] in (1, 2)
    assert compiled_rules[1].count(b"\n") > 50


@pytest.mark.parametrize("pure", [False, True])
def test_the_version_says_whether_they_are_used(pure: bool) -> None:
    code, said, _ = run(["--version", "--verbose"], pure=pure)
    obstacle = "HEXREC_PURE is set" if pure else compiled.OBSTACLE
    line = f"rules: interpreted ({obstacle})" if obstacle else "rules: compiled"
    assert (code, line in said.decode().splitlines()) == (0, True)
