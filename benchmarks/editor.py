"""How long `hexrec lsp` takes from an edit to its diagnostics, in a file of 200 records in each format.

An edit changes one turn of a record in the middle and back. As an editor does, it is sent over stdin with the
whole text. `json.loads` of all lines, in the same run, tells how fast the machine is.
"""

from __future__ import annotations

import asyncio
import json
import sys
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from time import perf_counter

from lsprotocol import types
from pygls.lsp.client import LanguageClient

import hexrec

FIXTURES = Path(__file__).parent.parent / "fixtures/suite"
RECORDS = 200
EDITS = 60


def lines() -> list[str]:
    """Return records of Valaturna of all its sizes, one a line."""
    every = (FIXTURES / "valaturna/reference/games.jsonl").read_text(encoding="utf-8").splitlines()
    return [*islice(cycle(every), RECORDS)]


async def measure(format: str, text: str) -> tuple[float, float]:
    """Return the median and the maximum of seconds from an edit to its diagnostics."""
    client = LanguageClient("benchmark", "1")
    published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()

    @client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
    def _(found: types.PublishDiagnosticsParams) -> None:
        published.put_nowait(found)

    await client.start_io(sys.executable, "-m", "hexrec", "lsp")
    await client.initialize_async(types.InitializeParams(capabilities=types.ClientCapabilities()))
    client.initialized(types.InitializedParams())
    uri = f"untitled:games.{format}"
    client.text_document_did_open(types.DidOpenTextDocumentParams(types.TextDocumentItem(uri, "plaintext", 0, text)))
    await published.get()
    seconds = []
    for version, changed in enumerate(islice(cycle((with_wrong_turn(text), text)), EDITS), 1):
        document = types.VersionedTextDocumentIdentifier(version, uri)
        change = types.TextDocumentContentChangeWholeDocument(changed)
        begun = perf_counter()
        client.text_document_did_change(types.DidChangeTextDocumentParams(document, [change]))
        found = await published.get()
        seconds.append(perf_counter() - begun)
        assert bool(found.diagnostics) == (changed != text), found.diagnostics
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call]
    return median(seconds), max(seconds)


def with_wrong_turn(text: str) -> str:
    """Return a file with another text instead of a turn of a record near its middle."""
    at = text.rindex("d4", 0, len(text) // 2)
    return f"{text[:at]}zz{text[at + 2 :]}"


def main() -> None:
    """Print a row for each format."""
    records = lines()
    texts = {"jsonl": "\n".join(records) + "\n"}
    texts |= {name: converted(records, name) for name in ("yaml", "sgf", "hgn")}
    begun = perf_counter()
    for line in records:
        json.loads(line)
    print(f"json.loads of {RECORDS} lines: {(perf_counter() - begun) * 1000:.1f} ms")
    print("| format | kB | median, ms | longest, ms |\n|---|---|---|---|")
    for name, text in texts.items():
        usual, longest = asyncio.run(measure(name, text))
        print(f"| {name} | {len(text) / 1000:.0f} | {usual * 1000:.0f} | {longest * 1000:.0f} |", flush=True)


def converted(records: list[str], format: str) -> str:
    """Return records in another format."""
    return hexrec.dumps([hexrec.loads(line) for line in records], format)


if __name__ == "__main__":
    main()
