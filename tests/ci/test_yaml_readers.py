"""What hexrec writes as YAML is the same to readers of YAML 1.1 and 1.2: PyYAML, and `yaml` and `js-yaml` of npm."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings

from hexrec import formats
from tests import properties
from tests.formats.test_yaml_quoting import DISPUTED, QUOTED, UNQUOTED, objects
from tests.processes import PATIENCE
from tests.record.strategies import HOSTILE_TEXTS

#: A folder of packages from npm; `.ci/others` says which they are.
NODE_MODULES = os.environ.get("NODE_MODULES")
pytestmark = pytest.mark.skipif(not NODE_MODULES, reason="NODE_MODULES names no folder of packages from npm")


def examples() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []

    @settings(max_examples=properties.examples(40))
    @given(data=objects)
    def collect(data: dict[str, Any]) -> None:
        found.append(data)

    collect()
    texts = [*HOSTILE_TEXTS, *QUOTED, *DISPUTED, *UNQUOTED]
    return [*found, *({"comment": text, "x-a": [text, {text or "k": text}], f"x-{text}": 1} for text in texts)]


def test_every_reader_reads_what_was_written() -> None:
    several = examples()
    assert len(several) > 40
    written = ["".join(formats.get("yaml").write([data])) for data in several]
    for data, text in zip(several, written, strict=True):
        assert yaml.load(text, Loader=yaml.CSafeLoader) == data
    ran = subprocess.run(
        ["node", Path(__file__).with_name("yaml_readers.cjs")],
        input=json.dumps([(text, json.dumps(data)) for data, text in zip(several, written, strict=True)]).encode(),
        env={**os.environ, "NODE_PATH": str(NODE_MODULES)},
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    assert ran.returncode == 0, ran.stderr.decode()
    assert [(reader, written[number], read) for reader, number, read in json.loads(ran.stdout)] == []
