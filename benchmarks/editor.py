"""How long `hexrec lsp` takes from an edit to its diagnostics, and other answers about a file of 5,000 records.

The first table is of a file of 200 records in each format: an edit changes one turn of a record in the middle and back.
The second is of 5,000 records in JSON Lines. Edits are sent over stdin as an editor sends them: the change alone if the
server takes changes, else the whole text. Processor time is that of the server, and does not depend on other programs.
`json.loads` of all lines, in the same run, tells how fast the machine is.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Callable
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from lsprotocol import types
from pygls.lsp.client import LanguageClient

import hexrec

FIXTURES = Path(__file__).parent.parent / "fixtures/suite"
RECORDS, MANY = 200, 5_000
EDITS, QUEUED = 60, 60


class Editor:
    """A client with one file open.

    Attributes:
        text: the content of the file.
        published: the diagnostics as they arrive.
    """

    def __init__(self, name: str, text: str) -> None:
        self.uri = f"untitled:{name}"
        self.text = text
        self.version = 0
        self.client = LanguageClient("benchmark", "1")
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self._incremental = False

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def _(found: types.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(found)

    async def start(self) -> None:
        """Start the server, open the file and wait for its diagnostics."""
        await self.client.start_io(sys.executable, "-m", "hexrec", "lsp")
        began = await self.client.initialize_async(types.InitializeParams(capabilities=types.ClientCapabilities()))
        kind = began.capabilities.text_document_sync
        kind = kind.change if isinstance(kind, types.TextDocumentSyncOptions) else kind
        self._incremental = kind is types.TextDocumentSyncKind.Incremental
        self.client.initialized(types.InitializedParams())
        opened = types.TextDocumentItem(self.uri, "plaintext", 0, self.text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(opened))
        await self.published.get()

    async def stop(self) -> None:
        """End the server."""
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()  # type: ignore[no-untyped-call]

    def replace(self, at: int, old: str, new: str) -> None:
        """Send an edit of ASCII text without carriage returns."""
        line, start = self.text.count("\n", 0, at), self.text.rfind("\n", 0, at) + 1
        place = types.Range(types.Position(line, at - start), types.Position(line, at - start + len(old)))
        self.text = f"{self.text[:at]}{new}{self.text[at + len(old) :]}"
        self.version += 1
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        change: Any = types.TextDocumentContentChangeWholeDocument(self.text)
        if self._incremental:
            change = types.TextDocumentContentChangePartial(place, new)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))

    async def diagnostics(self) -> types.PublishDiagnosticsParams:
        """Return the diagnostics of the current version, after those of earlier ones."""
        while True:
            found = await self.published.get()
            if found.version == self.version:
                return found

    async def edits(self, count: int) -> list[float]:
        """Return the seconds that each of some edits takes."""
        at = self.text.rindex("d4", 0, len(self.text) // 2)
        seconds = []
        for old, new in islice(cycle((("d4", "zz"), ("zz", "d4"))), count):
            begun = perf_counter()
            self.replace(at, old, new)
            found = await self.diagnostics()
            seconds.append(perf_counter() - begun)
            assert any("zz" in each.message for each in found.diagnostics) == (new == "zz")
        return seconds

    def processor(self) -> float:
        """Return the seconds of processor time that the server has used; only on Linux."""
        server = self.client._server
        assert server is not None
        tasks = Path(f"/proc/{server.pid}/task").glob("*/schedstat")
        return sum(int(task.read_text().split()[0]) for task in tasks) / 1e9


async def measure(format: str, text: str) -> tuple[float, float]:
    """Return the median and the maximum of seconds from an edit to its diagnostics."""
    editor = Editor(f"games.{format}", text)
    await editor.start()
    seconds = await editor.edits(EDITS)
    await editor.stop()
    return median(seconds), max(seconds)


async def measure_many(text: str) -> None:
    """Print a row for each task with a file of many records."""
    editor = Editor("games.hexrec.jsonl", text)

    async def row(name: str, task: Callable[[], Any], divisor: int = 1) -> None:
        used, begun = editor.processor() if editor.client._server else 0, perf_counter()
        note = await task()
        seconds, used = perf_counter() - begun, editor.processor() - used
        each = f"{seconds / divisor * 1000:.0f} | {used / divisor * 1000:.0f}"
        print(f"| {name} | {each} | {note or ''} |", flush=True)

    async def queued() -> str:
        count = 0
        at = editor.text.rindex("d4", 0, len(editor.text) // 2)
        for old, new in islice(cycle((("d4", "zz"), ("zz", "d4"))), QUEUED):
            editor.replace(at, old, new)
        while (await editor.published.get()).version != editor.version:
            count += 1
        return f"{count + 1} times diagnostics"

    async def edits() -> None:
        await editor.edits(EDITS)

    async def symbols() -> str:
        document = types.TextDocumentIdentifier(editor.uri)
        found = await editor.client.text_document_document_symbol_async(types.DocumentSymbolParams(document))
        return f"{len(found or ())} symbols"

    async def edit_and_symbols() -> str:
        await editor.edits(1)
        return await symbols()

    async def fix_all() -> str:
        start = types.Range(types.Position(0, 0), types.Position(0, 0))
        document = types.TextDocumentIdentifier(editor.uri)
        only = types.CodeActionContext([], ["source.fixAll.hexrec"])
        params = types.CodeActionParams(document, start, only)
        asked = asyncio.ensure_future(editor.client.text_document_code_action_async(params))
        await asyncio.sleep(0)
        begun = perf_counter()
        hovered = types.HoverParams(document, types.Position(1, 1))
        await editor.client.text_document_hover_async(hovered)
        waited = perf_counter() - begun
        count = 0
        for action in await asked or ():
            assert isinstance(action, types.CodeAction)
            assert action.edit is not None
            count = len((action.edit.changes or {})[editor.uri])
        return f"{count} results; a hover meanwhile took {waited * 1000:.0f} ms"

    await row("open", editor.start)
    await row("a single edit", edits, EDITS)
    await row(f"{QUEUED} queued edits", queued)
    await row("symbols", symbols)
    await row("an edit and symbols", edit_and_symbols)
    await row("fix all", fix_all)
    await editor.stop()


def main() -> None:
    """Print both tables."""
    every = (FIXTURES / "valaturna/reference/games.jsonl").read_text(encoding="utf-8").splitlines()
    records = [*islice(cycle(every), RECORDS)]
    texts = {"jsonl": "\n".join(records) + "\n"}
    texts |= {name: hexrec.dumps([hexrec.loads(line) for line in records], name) for name in ("yaml", "sgf", "hgn")}
    begun = perf_counter()
    for line in records:
        json.loads(line)
    print(f"json.loads of {RECORDS} lines: {(perf_counter() - begun) * 1000:.1f} ms")
    print("| format | kB | median, ms | longest, ms |\n|---|---|---|---|")
    for name, text in texts.items():
        usual, longest = asyncio.run(measure(name, text))
        print(f"| {name} | {len(text) / 1000:.0f} | {usual * 1000:.0f} | {longest * 1000:.0f} |", flush=True)
    text = "\n".join(islice(cycle(without_results()), MANY)) + "\n"
    for what, many in (("all valid", text), ("each with an error", text.replace(',"moves"', ',"extra":0,"moves"'))):
        print(f"\n{MANY:,} records in JSON Lines, {what}, {len(many) / 1000:.0f} kB:")
        print("\n| task | ms | processor, ms | |\n|---|---|---|---|")
        asyncio.run(measure_many(many))


def without_results() -> list[str]:
    """Return the reference games of all five games up to size 5 without their results, one a line."""
    lines = [line for path in sorted(FIXTURES.glob("*/reference/games.jsonl")) for line in path.open(encoding="utf-8")]
    records = [json.loads(line) for line in lines]
    return [
        json.dumps({key: value for key, value in record.items() if key != "result"}, separators=(",", ":"))
        for record in records
        if len(record["moves"]) < 80
    ]


if __name__ == "__main__":
    main()
