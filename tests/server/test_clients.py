"""Clients of others: the examples of the documents, and a client that a generator makes of the OpenAPI document."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.processes import PATIENCE

SERVICE = Path(__file__).parents[2] / "docs/service.md"
EXAMPLE = re.compile(r"^```(bash|py|js)\n(.*?)^```\n\n```text\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLES = {language: (text, shown) for language, text, shown in EXAMPLE.findall(SERVICE.read_text(encoding="utf-8"))}
PROGRAMS = {"bash": ["bash", "-c"], "py": [sys.executable, "-c"], "js": ["node", "--input-type=module", "--eval"]}

#: What is asked through the generated client, named after the operation ids.
ASKED = """
import sys
sys.path.insert(0, sys.argv[2])
from io import BytesIO
from made import Client
from made.api.positions import describe_position, list_legal_turns
from made.api.records import convert, score, validate
from made.api.reference import list_games
from made.models import (
    ConvertedRecords, ConvertToType0, PositionDescription, PositionData, Reports, ScoreFromType0, ServiceProblem,
    SundravalOpening, SundravalRecord, SunspotRecord,
)
from made.types import UNSET, File

client = Client(base_url=sys.argv[1])
games = list_games.sync(client=client)
assert "sunspot" in [game.name for game in games], games
record = SunspotRecord(hexrec="1", game="sunspot", size=4, moves=["d4", "d4"])
report = validate.sync(client=client, body=record)
assert isinstance(report, Reports), report
(diagnostic,) = report.records[0].diagnostics
assert (diagnostic.code, diagnostic.ply, report.summary.invalid) == ("move/occupied", 2, 1)
refused = list_legal_turns.sync(client=client, body=record)
assert isinstance(refused, ServiceProblem), refused
assert refused.records[0].diagnostics[0].code == "move/occupied", refused
asked = PositionDescription.from_dict({"game": "sunspot", "size": 4, "moves": ["d4"]})
position = describe_position.sync(client=client, body=asked, drawing=True)
assert isinstance(position, PositionData), position
assert len(position.legal) == 36, position.legal
assert position.drawing.board.size == 4, position.drawing

opening = SundravalOpening(black="c3", white="b2")
game = SundravalRecord(hexrec="1", game="sundraval", size=3, opening=opening, moves=["a1", "a2", "pass", "pass"])
read = SundravalRecord.from_dict(game.to_dict())
assert (read.opening.white, read.setup) == ("b2", UNSET), read
texts = {}
for name in ("sgf", "yaml", "hgn", "jsonl", "json"):
    made = convert.sync(client=client, body=game, to=ConvertToType0(name), report=True)
    assert isinstance(made, ConvertedRecords), made
    texts[name] = made.records[0].text.encode()
texts["array"] = b"[" + texts["json"] + b"," + texts["json"] + b"]"
texts["lines"] = texts["jsonl"] * 2
for name, text in texts.items():
    count = 2 if name in ("array", "lines") else 1
    rows = score.sync(client=client, body=File(payload=BytesIO(text)))
    assert [row.winner for row in rows] == ["white"] * count, (name, rows)
    if count == 1:
        told = score.sync(client=client, body=File(payload=BytesIO(text)), from_=ScoreFromType0(name))
        assert [row.to_dict() for row in told] == [row.to_dict() for row in rows], name
"""


@pytest.mark.parametrize("language", PROGRAMS)
def test_examples_print_what_is_shown(client: httpx.Client, language: str) -> None:
    text, shown = EXAMPLES[language]
    address = str(client.base_url).rstrip("/")
    assert text.count("http://127.0.0.1:8000/") == 1
    program = PROGRAMS[language]
    if shutil.which(program[0]) is None or (language == "bash" and shutil.which("curl") is None):
        pytest.skip("what runs it is not installed")
    command = [*program, text.replace("http://127.0.0.1:8000", address)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (ran.stdout, ran.stderr) == (shown, "")


@pytest.mark.slow
def test_a_generated_client(client: httpx.Client, tmp_path: Path) -> None:
    pytest.importorskip("openapi_python_client")
    document = tmp_path / "openapi.json"
    document.write_bytes(client.get("/openapi.json").content)
    generate = [sys.executable, "-m", "openapi_python_client", "generate", "--path", str(document), "--meta", "none"]
    made = [*generate, "--output-path", str(tmp_path / "made")]
    ran = subprocess.run(made, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert (tmp_path / "made/client.py").exists(), ran.stdout + ran.stderr
    address = str(client.base_url).rstrip("/")
    asked = [sys.executable, "-c", ASKED, address, str(tmp_path)]
    ran = subprocess.run(asked, capture_output=True, text=True, check=False, timeout=PATIENCE)
    assert ran.returncode == 0, ran.stderr
