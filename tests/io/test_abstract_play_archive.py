"""The archive of Abstract Play, a list of records at a URL, as its page describes it: a generated copy is served."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import hexrec as library
from hexrec.record.random import random_record
from hexrec.rules import games
from tests.cli.conftest import Run, hexrec

__all__ = ["hexrec"]  # a fixture

pytestmark = pytest.mark.skipif(find_spec("aiohttp") is None, reason="fsspec reads HTTP by aiohttp")


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing of requests."""


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    """Serve three games, one of which the site judged otherwise, and one of a game that hexrec does not know."""
    made = [random_record(games.get("sunspot"), 4, None, f"archive/{number}", 200, "row") for number in range(3)]
    players = {"black": {"name": "Ada"}, "white": {"name": "Ben"}}
    more = {"readings": ["P-1b"], "players": players, "date": "2026-11-20"}
    texts = [library.dumps(library.loads(json.dumps({**data, **more})), "abstractplay") for data in made]
    records = [json.loads(text) for text in texts]
    for player in records[1]["header"]["players"]:
        player["result"] = 1 - player["result"]
    records.append(json.loads(texts[0]) | {"header": {**records[0]["header"], "game": {"name": "Hex"}}})
    (tmp_path / "sunspot.json").write_text(json.dumps(records))
    handler = partial(_Quiet, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/sunspot.json"
        server.shutdown()


def test_one_command_validates_it(hexrec: Run, address: str) -> None:
    ran = hexrec("validate", address, "--format", "json")
    codes = [[each["code"] for each in record["diagnostics"]] for record in ran.report["records"]]
    assert codes == [[], ["result/winner-mismatch"], [], ["schema/unknown-game"]]
    ignoring = hexrec("validate", address, "--ignore", "schema/unknown-game")
    assert ignoring.out.splitlines()[-2].startswith("4 records in 1 file: 2 valid, 2 invalid")
    assert ignoring.out.splitlines()[-1] == "1 invalid record accepted by the options"


def test_its_rows_have_both_results_and_the_players(hexrec: Run, address: str) -> None:
    rows = [json.loads(line) for line in hexrec("score", address, "--format", "jsonl").out.splitlines()]
    assert [row["agrees"] for row in rows] == [True, False, True, None]
    assert rows[1]["claimed_winner"] != rows[1]["winner"]
    assert {(row["black_name"], row["white_name"], row["date"]) for row in rows[:3]} == {("Ada", "Ben", "2026-11-20")}
