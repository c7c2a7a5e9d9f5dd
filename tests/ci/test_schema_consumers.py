"""What other programs make of the schemas: Ajv, the JSON service of Visual Studio Code, check-jsonschema."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from hexrec.record.json_schema import schema_files
from hexrec.rules import games
from hexrec.util.diagnostics import steps_of
from tests.formats.helpers import read
from tests.processes import PATIENCE
from tests.properties import sample
from tests.record.helpers import ROOT, diagnostics, fixture_data

#: A folder of packages from npm; `.ci/others` says which they are.
NODE_MODULES = os.environ.get("NODE_MODULES")
#: What JavaScript reads otherwise than JSON Schema has it: the JSON service takes 9.0 for no whole number, and numbers
#: of more than 308 digits are none for Ajv.
OTHERWISE = re.compile(r"[0-9]\.0\b|[0-9]{309}")

#: What is proposed at the cursor, among others.
PROPOSALS = {
    '{"hexrec":"1","game":"nadraz",§}': {"variant", "size", "opening", "setup", "time_control", "result"},
    '{"game":"sunspot","moves":[{§}]}': {"turn", "eval", "marks", "taken_back"},
    '{"game":"nadraz","variant":§}': {'"reverse"'},
    '{"game":"frasvel","result":{"termination":§}}': {'"rules"', '"time"', '"abandoned"'},
    '{"game":"frasvel","moves":[{"turn":"e5","marks":[{"kind":§}]}]}': {'"arrow"', '"area"'},
    '{"game":§}': {f'"{name}"' for name in games.names()},
}


@cache
def texts() -> dict[bool, dict[str, list[str]]]:
    """Return some records of the fixtures as JSON by their games, by whether the models accept them."""
    found: dict[bool, dict[str, list[str]]] = {True: {}, False: {}}
    for folder, kind in product(("record", *games.names()), ("valid", "invalid")):
        for data in fixture_data(f"{folder}/{kind}"):
            if isinstance(data, dict) and data.get("game") in games.names():
                found[not diagnostics(data)].setdefault(data["game"], []).append(json.dumps(data))
    return {which: {game: some(each) for game, each in by_game.items()} for which, by_game in found.items()}


def some(texts: list[str]) -> list[str]:
    """Return a sample of texts, and those with all fields."""
    kept = {*sample(texts, 3)}
    return [text for text in texts if text in kept or '"all-fields-' in text]


def for_node(accepted: bool) -> dict[str, list[str]]:
    return {game: [text for text in each if not OTHERWISE.search(text)] for game, each in texts()[accepted].items()}


@cache
def schemas() -> dict[str, Any]:
    files = schema_files()
    return {name: json.loads(files[f"{name}.schema.json"]) for name in (*games.names(), "record")}


@cache
def fields() -> dict[str, tuple[str, str]]:
    """Return every field of a record with all of them: by its pointer, its description and a text with the cursor."""
    (text, *_) = (text for text in texts()[True]["nadraz"] if '"id": "all-fields-nadraz"' in text)
    found = {}
    for pointer, span in read("json", text)[0].places().keys.items():
        if "x-" not in pointer:
            marked = f"{text[: span.column]}§{text[span.column :]}"
            found[re.sub("/[0-9]+", "/0", pointer)] = _description(pointer, json.loads(text)), marked
    return found


def _description(pointer: str, data: Any) -> str:
    """Return what the schema says of the field at a pointer of a record of Nadraz."""
    definitions = schemas()["record"]["$defs"]
    part = definitions["NadrazRecord"]
    for step in steps_of(pointer):
        data = data[int(step)] if isinstance(data, list) else data[step]
        part = part["items"] if "items" in part else part["properties"][step]
        if "anyOf" in part:
            part = part["anyOf"][isinstance(data, dict)]
        if "$ref" in part:
            part = definitions[part["$ref"].rpartition("/")[2]]
    return str(part["description"])


def answer() -> dict[str, Any]:
    """Return what the script says to all that the tests ask: one process does it."""
    both = [text for accepted in (True, False) for several in for_node(accepted).values() for text in several]
    asked = {
        "schemas": schemas(),
        "texts": {**for_node(True), "record": both},
        "cursors": [*(marked for _, marked in fields().values()), *PROPOSALS],
    }
    ran = subprocess.run(
        ["node", Path(__file__).with_name("json_consumers.cjs")],
        input=json.dumps(asked).encode(),
        env={**os.environ, "NODE_PATH": str(NODE_MODULES)},
        capture_output=True,
        check=False,
        timeout=PATIENCE,
    )
    assert ran.returncode == 0, ran.stderr.decode()
    return dict(json.loads(ran.stdout))


@pytest.mark.skipif(not NODE_MODULES, reason="NODE_MODULES names no folder of packages from npm")
def test_ajv_and_the_json_service() -> None:
    """They accept what the models accept; fields are explained at the cursor, and fields and values are proposed."""
    said = answer()
    accepted, refused = (sum(map(len, for_node(which).values())) for which in (True, False))
    assert accepted > 100
    assert refused > 20
    for program in ("ajv", "service"):
        assert said[program].pop("record") == [True] * accepted + [False] * refused
        assert said[program] == {game: [True] * len(for_node(True)[game]) for game in games.names()}
    assert len(fields()) > 60
    for (pointer, (description, _)), shown in zip(fields().items(), said["hovers"], strict=False):
        assert description in shown.replace("\\", ""), pointer
    for (marked, wanted), proposed in zip(PROPOSALS.items(), said["proposals"][len(fields()) :], strict=True):
        assert wanted <= set(proposed), marked


def test_check_jsonschema_accepts_what_the_models_accept(tmp_path: Path) -> None:
    files: dict[str, bool] = {}
    for accepted, by_game in texts().items():
        for number, text in enumerate(text for several in by_game.values() for text in several):
            path = tmp_path / f"{accepted}-{number}.json"
            path.write_text(text, encoding="utf-8")
            files[str(path)] = accepted
    files[str(ROOT / "fixtures/suite/nadraz/valid/cut-and-merge.yaml")] = True
    schema = ROOT / "schemas" / "record.schema.json"
    program = [sys.executable, "-m", "check_jsonschema", "--schemafile", str(schema), "--output-format", "json"]
    ran = subprocess.run([*program, *files], capture_output=True, text=True, check=False, timeout=PATIENCE)
    refused = {error["filename"] for error in json.loads(ran.stdout)["errors"]}
    assert refused == {file for file, accepted in files.items() if not accepted}
    assert len(files) > len(refused) > 20
