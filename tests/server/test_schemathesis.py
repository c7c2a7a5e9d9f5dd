"""The service keeps to its OpenAPI document, whatever it is asked: schemathesis makes the requests."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.properties import FACTOR, examples

HOOKS = Path(__file__).parent / "schemathesis_hooks.py"
#: Bodies that hold no valid record are judged, not refused; a body of any schema may be unfit for a conversion.
NOT_PROMISED = "positive_data_acceptance,negative_data_rejection"


@pytest.mark.slow
def test_the_service_keeps_to_its_document(client: httpx.Client, tmp_path: Path) -> None:
    paths = client.get("/openapi.json").json()["paths"]
    # To prepare records takes longer than all else, and so does every combination of examples; in the suite
    # `test_openapi.py` sends each body of the document once.
    with_records = [path for path, operations in paths.items() if re.search("/(Record|EditRequest)", str(operations))]
    left_out = with_records if FACTOR == 1 else []
    phases, count = ("fuzzing", 1) if FACTOR == 1 else ("examples,fuzzing", examples(3))
    options = ["--seed", "1", "--phases", phases, "--max-examples", str(count), "--no-shrink", "--warnings", "off"]
    checks = ["--checks", "all", "--exclude-checks", NOT_PROMISED, "--suppress-health-check", "all"]
    checks += [part for path in left_out for part in ("--exclude-path", path)]
    ran = subprocess.run(
        [Path(sys.executable).with_name("schemathesis"), "run", *options, *checks, f"{client.base_url}/openapi.json"],
        cwd=tmp_path,
        env={**os.environ, "SCHEMATHESIS_HOOKS": str(HOOKS)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert f"Tested: {sum(map(len, paths.values())) - len(left_out)}" in ran.stdout
