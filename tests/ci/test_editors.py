"""What editors make of the schemas: yaml-language-server itself, spoken to as an editor does."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import which
from threading import Thread, Timer
from typing import Any

import pytest

from tests.ci.conftest import ROOT
from tests.cli.conftest import Run
from tests.processes import PATIENCE

#: `.ci/run` says how to get it.
SERVER = os.environ.get("YAML_LANGUAGE_SERVER") or which("yaml-language-server")
pytestmark = pytest.mark.skipif(
    not SERVER, reason="yaml-language-server is neither in YAML_LANGUAGE_SERVER nor on PATH"
)

RECORD = "hexrec: '1'\ngame: nadraz\nsize: 4\nopening: {black: d3, white: d5}\nmoves: []\n"


class Editor:
    """The client's side of the Language Server Protocol, as far as it is needed here."""

    def __init__(self, process: subprocess.Popen[bytes], settings: dict[str, Any]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._to, self._from = process.stdin, process.stdout
        self._settings = settings
        self._requests = 0
        capabilities = {"workspace": {"configuration": True}}
        self.ask("initialize", {"processId": None, "rootUri": None, "capabilities": capabilities})
        self._send(method="initialized", params={})

    def open(self, path: Path, wanted: Callable[[list[Any]], bool] = lambda _: True) -> list[tuple[int, str]]:
        """Open a file and return the lines and texts of the diagnostics: the first list of them that is wanted."""
        document = {"uri": path.as_uri(), "languageId": "yaml", "version": 1, "text": path.read_text(encoding="utf-8")}
        self._send(method="textDocument/didOpen", params={"textDocument": document})
        while True:
            message = self._receive()
            if message.get("method") == "textDocument/publishDiagnostics":
                said = message["params"]
                if said["uri"] == path.as_uri() and wanted(said["diagnostics"]):
                    return [(each["range"]["start"]["line"] + 1, each["message"]) for each in said["diagnostics"]]

    def complete(self, path: Path, line: int) -> set[str]:
        """Return what is proposed at the beginning of a line, counted from 1."""
        position = {"line": line - 1, "character": 0}
        found = self.ask("textDocument/completion", {"textDocument": {"uri": path.as_uri()}, "position": position})
        return {item["label"] for item in found["items"]}

    def hover(self, path: Path, line: int, column: int) -> str:
        """Return what is shown of the place at a line and a column, counted from 1."""
        position = {"line": line - 1, "character": column - 1}
        return str(self.ask("textDocument/hover", {"textDocument": {"uri": path.as_uri()}, "position": position}))

    def ask(self, method: str, params: object) -> Any:
        """Return the result of a request."""
        self._requests += 1
        self._send(id=self._requests, method=method, params=params)
        while "result" not in (message := self._receive()) or message["id"] != self._requests:
            pass
        return message["result"]

    def _send(self, **message: object) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._to.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self._to.flush()

    def _receive(self) -> dict[str, Any]:
        """Return the next message that is no question to the editor; those are answered."""
        while True:
            length = 0
            while line := self._from.readline().strip():
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            assert length, "the server has ended"
            message = dict(json.loads(self._from.read(length)))
            if "method" not in message or "id" not in message:
                return message
            items = message["params"].get("items", []) if message["method"] == "workspace/configuration" else []
            self._send(id=message["id"], result=[self._settings.get(item.get("section")) for item in items])


@pytest.fixture
def edit() -> Iterator[Callable[..., Editor]]:
    """Start an editor, with an address for SchemaStore's catalog or without that catalog."""
    with subprocess.Popen([str(SERVER), "--stdio"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        # A server that has nothing to say any more must not make the tests wait for ever.
        timer = Timer(PATIENCE, process.kill)
        timer.start()

        def start(catalog: str = "") -> Editor:
            store = {"enable": bool(catalog), "url": catalog}
            options = {"validate": True, "completion": True, "schemaStore": store}
            return Editor(process, {"yaml": options})

        yield start
        timer.cancel()
        process.kill()


def test_records_that_name_their_schema(
    hexrec: Run, edit: Callable[..., Editor], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor = edit()
    assert_led_to_the_schema(hexrec, editor, tmp_path, monkeypatch)
    assert_as_in_python(editor, tmp_path)


def assert_led_to_the_schema(hexrec: Run, editor: Editor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The line that leads to the schema works in every document, for files in any folder."""
    monkeypatch.chdir(tmp_path)
    assert hexrec("schema", "--write").code == 0
    path = tmp_path / "a b" / "games.yaml"
    path.parent.mkdir()
    assert hexrec("random", "nadraz", "--size", "4", "--count", "2", "-o", path).code == 0
    assert editor.open(path) == []

    broken = path.with_name("broken.yaml")
    broken.write_text(path.read_text().replace("size: 4", "size: 40"))
    lines = [number for number, line in enumerate(broken.read_text().splitlines(), 1) if line == "size: 40"]
    assert len(lines) == 2
    assert [line for line, _ in editor.open(broken)] == lines

    begun = path.with_name("begun.yaml")
    begun.write_text(path.read_text().partition("---\n")[0] + "\n")
    editor.open(begun)
    assert {"ruleset", "players", "date"} <= editor.complete(begun, len(begun.read_text().splitlines()))


def assert_as_in_python(editor: Editor, tmp_path: Path) -> None:
    """JavaScript reads the patterns of the schemas as Python does."""
    path = tmp_path / "record.yaml"
    record = (ROOT / "fixtures/suite" / "record" / "valid" / "all-fields.yaml").read_text(encoding="utf-8")
    schema = (ROOT / "schemas" / "record.schema.json").as_uri()
    path.write_text(f"# yaml-language-server: $schema={schema}\n{record}", encoding="utf-8")
    assert editor.open(path) == []
    lines = path.read_text(encoding="utf-8").splitlines()
    number = next(number for number, line in enumerate(lines, 1) if line.startswith("time_control:"))
    assert "The time control: stages in order" in editor.hover(path, number, 3)
    assert "Time of each player for the stage" in editor.hover(path, number + 1, lines[number].index("sec") + 2)


def test_catalog(hexrec: Run, edit: Callable[..., Editor], tmp_path: Path) -> None:
    """With the catalog at an address, the names of files lead to the schemas."""

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=tmp_path)) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_port}"
        assert hexrec("schema", "--write", "--directory", tmp_path, "--base-url", address).code == 0
        editor = edit(f"{address}/catalog.json")
        for kind in ("hexrec", "nadraz"):
            path = tmp_path / f"game.{kind}.yaml"
            path.write_text(RECORD + "pie: {chosen: green}\n")
            # What is said before the catalog has been read is nothing; the server says more when it has.
            ((line, message),) = editor.open(path, wanted=bool)
            assert (line, "black" in message) == (6, True)
        server.shutdown()
