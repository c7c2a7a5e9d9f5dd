"""A whole session of an editor: a client of the protocol talks to `hexrec lsp` over standard input and output."""

from __future__ import annotations

import asyncio
import json
import subprocess
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcRequestCancelled
from pygls.lsp.client import LanguageClient

import hexrec
from hexrec import formats
from tests.fixtures import FIXTURES
from tests.processes import PATIENCE, PROGRAM

#: Files in which Black and White play e5, in each format, with what is written for the second turn.
FILES = {
    "a.yaml": 'hexrec: "1"\ngame: sunspot\nsize: 5\nevent: 😀\nmoves: [e5, e5]\n',
    "a.json": '{"hexrec": "1", "game": "sunspot", "size": 5, "event": "😀", "moves": ["e5", "e5"]}',
    "a.jsonl": '\n{"hexrec": "1", "game": "sunspot", "size": 5, "event": "😀", "moves": ["e5", "e5"]}\n',
    "a.sgf": "(;FF[4]CA[UTF-8]GM[5001]SZ[5]HX[sunspot]EV[😀];B[e5];W[e5])",
    "a.hgn": '[Game "Sunspot"]\n[Size "5"]\n\n1. e5 {😀} e5 *\n',
}
#: A game that the rules have ended, without its result.
ENDED = (
    '{"hexrec":"1","game":"valaturna","size":4,"event":"😀","opening":{"black":"b2","white":"c3"},'
    '"moves":["a1","pass","pass"]}'
)
BOARD_LINE = "e1  .   .   .   .   B   .   .   .   .   e9"


class Editor:
    """A client with one file open."""

    def __init__(self) -> None:
        self.client = LanguageClient("test", "1")
        self.published: asyncio.Queue[types.PublishDiagnosticsParams] = asyncio.Queue()
        self.shown: asyncio.Queue[types.ShowMessageParams] = asyncio.Queue()
        self.watched: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self.uri = ""
        self.version = 0

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def _(found: types.PublishDiagnosticsParams) -> None:
            self.published.put_nowait(found)

        @self.client.feature(types.WINDOW_SHOW_MESSAGE)  # type: ignore[untyped-decorator]
        def _(message: types.ShowMessageParams) -> None:
            self.shown.put_nowait(message)

        @self.client.feature(types.CLIENT_REGISTER_CAPABILITY)  # type: ignore[untyped-decorator]
        def _(asked: types.RegistrationParams) -> None:
            self.watched.set_result(asked.registrations[0].register_options)

    async def open(self, name: str, text: str) -> list[types.Diagnostic]:
        self.uri = name if ":" in name else f"untitled:{name}"
        opened = types.TextDocumentItem(self.uri, "plaintext", 0, text)
        self.client.text_document_did_open(types.DidOpenTextDocumentParams(opened))
        return await self.diagnostics()

    async def change(self, text: str) -> list[types.Diagnostic]:
        self.send(types.TextDocumentContentChangeWholeDocument(text))
        return await self.diagnostics()

    def send(self, *changes: types.TextDocumentContentChangeEvent) -> None:
        self.version += 1
        document = types.VersionedTextDocumentIdentifier(self.version, self.uri)
        self.client.text_document_did_change(types.DidChangeTextDocumentParams(document, changes))

    async def diagnostics(self) -> list[types.Diagnostic]:
        return list((await asyncio.wait_for(self.published.get(), PATIENCE)).diagnostics)

    @property
    def file(self) -> types.TextDocumentIdentifier:
        return types.TextDocumentIdentifier(self.uri)

    async def hover(self, position: types.Position) -> str:
        found = await self.client.text_document_hover_async(types.HoverParams(self.file, position))
        assert found is not None
        assert isinstance(found.contents, types.MarkupContent)
        return found.contents.value

    async def complete(self, position: types.Position) -> list[types.CompletionItem]:
        found = await self.client.text_document_completion_async(types.CompletionParams(self.file, position))
        assert isinstance(found, types.CompletionList)
        return list(found.items)

    async def actions(self, place: types.Range, *only: str) -> list[types.CodeAction]:
        asked = types.CodeActionParams(self.file, place, types.CodeActionContext([], only or None))
        found = await self.client.text_document_code_action_async(asked)
        return [each for each in found or () if isinstance(each, types.CodeAction)]


def session(talks: Sequence[Callable[[Editor], Awaitable[None]]], program: Sequence[str] = PROGRAM) -> None:
    """Start the server, let an editor talk to it, and end it as editors do."""

    async def run() -> None:
        editor = Editor()
        client = editor.client
        await client.start_io(*program, "lsp")
        watching = types.DidChangeWatchedFilesClientCapabilities(dynamic_registration=True)
        capabilities = types.ClientCapabilities(types.WorkspaceClientCapabilities(did_change_watched_files=watching))
        await client.initialize_async(types.InitializeParams(capabilities=capabilities))
        client.initialized(types.InitializedParams())
        for talk in talks:
            await talk(editor)
            assert editor.published.empty(), talk
            assert editor.shown.empty(), talk
        await client.shutdown_async(None)
        client.exit(None)
        server = client._server
        assert server is not None
        await asyncio.wait_for(server.wait(), PATIENCE)
        assert server.returncode == 0
        assert server.stderr is not None
        assert await server.stderr.read() == b""
        await client.stop()  # type: ignore[no-untyped-call]

    asyncio.run(run())


def edited(text: str, edits: Sequence[types.TextEdit]) -> str:
    """Return a text after edits, with places as the protocol counts them."""
    lines = text.encode("utf-16-le").split("\n".encode("utf-16-le"))

    def offset(position: types.Position) -> int:
        return sum(len(line) + 2 for line in lines[: position.line]) + 2 * position.character

    raw = text.encode("utf-16-le")
    for edit in sorted(edits, key=lambda edit: offset(edit.range.start), reverse=True):
        start, end = offset(edit.range.start), offset(edit.range.end)
        raw = raw[:start] + edit.new_text.encode("utf-16-le") + raw[end:]
    return raw.decode("utf-16-le")


async def repairs(editor: Editor) -> None:
    """An illegal turn, its board and its repair, in each format. The emoji before it takes two units of UTF-16."""
    for name, text in FILES.items():
        (found,) = await editor.open(name, text)
        assert (found.code, found.source, found.severity) == ("move/occupied", "hexrec", types.DiagnosticSeverity.Error)
        assert edited(text, [types.TextEdit(found.range, "e5")]).replace('"', "") == text.replace('"', "")
        said = await editor.hover(found.range.start)
        assert "A stone is placed on a cell that is not empty." in said
        assert "Sunspot 5, after ply 1, White to play" in said
        assert BOARD_LINE in said
        actions = await editor.actions(found.range)
        # Without a result, another turn than the suggested one may be wrong.
        assert not any(action.is_preferred for action in actions)
        assert actions[0].edit is not None
        assert actions[0].edit.changes is not None
        repaired = edited(text, list(actions[0].edit.changes[editor.uri]))
        assert await editor.change(repaired) == []
        assert hexrec.check_text(repaired)[0].valid
        turns = await editor.complete(found.range.end)
        assert {each.kind for each in turns} <= {types.CompletionItemKind.Event}


async def missing_turns_are_inserted(editor: Editor) -> None:
    """Numbers and colors of the turns after one change, and comments stay."""
    line = (FIXTURES / "nadraz/reference/games.jsonl").read_text(encoding="utf-8").partition("\n")[0]
    game = json.loads(line)
    turns = [*game["moves"][:13], {"turn": game["moves"][13], "comment": "😀"}, *game["moves"][14:]]
    for name in ("hgn", "sgf"):
        whole, text = (
            "".join(formats.get(name).write([{**game, "moves": moves}])) for moves in (turns, turns[:12] + turns[13:])
        )
        (found,) = await editor.open(f"missing.{name}", text)
        action, *_ = await editor.actions(found.range, "quickfix")
        assert action.title.startswith(f"insert {turns[12]}: ")
        assert action.edit is not None
        assert action.edit.changes is not None
        repaired = edited(text, list(action.edit.changes[editor.uri]))
        assert "".join(repaired.split()) == "".join(whole.split())
        assert await editor.change(repaired) == []


async def only_the_kinds_asked_for(editor: Editor) -> None:
    """An editor that fixes files when they are saved asks for one kind, and makes all edits that it gets."""
    (found,) = await editor.open("kinds.json", FILES["a.json"])
    everything = await editor.actions(found.range)
    assert everything
    for only in (["quickfix"], [""], ["source.fixAll", "quickfix"]):
        assert await editor.actions(found.range, *only) == everything, only
    others = ["source", "source.fixAll", "source.organizeImports", "refactor", "quick", "quickfix.other"]
    for kind in others:
        assert await editor.actions(found.range, kind) == [], kind


async def results_are_completed(editor: Editor) -> None:
    """Those of the whole file, by an editor that fixes files when they are saved."""
    start = types.Range(types.Position(0, 0), types.Position(0, 0))
    assert await editor.open("ended.json", ENDED) == []
    for only in (["source.fixAll.hexrec"], ["source.fixAll"], ["source"], [""], []):
        (action,) = await editor.actions(start, *only)
        assert (action.title, action.kind) == ("complete results, as hexrec fix does", "source.fixAll.hexrec")
    for kind in ("quickfix", "source.fixAll.ruff", "source.fix", "source.organizeImports"):
        assert await editor.actions(start, kind) == [], kind
    # Some editors ask for all kinds whenever the cursor moves.
    for trigger, count in ((types.CodeActionTriggerKind.Automatic, 0), (types.CodeActionTriggerKind.Invoked, 1)):
        asked = types.CodeActionParams(editor.file, start, types.CodeActionContext([], None, trigger))
        assert len(await editor.client.text_document_code_action_async(asked) or []) == count
    assert action.edit is not None
    assert action.edit.changes is not None
    completed = edited(ENDED, list(action.edit.changes[editor.uri]))
    assert await editor.change(completed) == []
    assert hexrec.loads(completed).result == {"winner": "black", "score": {"black": [1, 1], "white": [1]}}
    assert await editor.actions(start) == []


async def recorded_results_are_replaced_one_by_one(editor: Editor) -> None:
    """The action names the old and the new value."""
    wrong = ',"result":{"winner":"white","score":{"black":[1,1],"white":[1]}}}'
    (found,) = await editor.open("wrong.json", ENDED[:-1] + wrong)
    assert found.code == "result/winner-mismatch"
    titles = [each.title for each in await editor.actions(found.range)]
    assert any("result" in title and "white" in title and "black" in title for title in titles), titles
    assert await editor.actions(found.range, "source.fixAll") == []


async def a_repair_that_is_clearly_the_best_is_preferred(editor: Editor) -> None:
    """The repair that `hexrec fix --suggestions` writes, and never the computed result."""
    game = json.loads((FIXTURES / "nadraz/reference/games.jsonl").read_text(encoding="utf-8").splitlines()[0])
    wrong_score = {"winner": "white", "score": {"black": [9, 7, 4], "white": [81]}}
    for changed, preferred in (
        ({"moves": [*game["moves"][:6], "c4-c8", *game["moves"][7:]]}, True),
        ({"result": wrong_score}, None),
    ):
        (found,) = await editor.open("wrong.json", json.dumps({**game, **changed}))
        (action,) = await editor.actions(found.range, "quickfix")
        assert action.is_preferred is preferred, action.title


async def symbols_are_the_records(editor: Editor) -> None:
    text = '{"hexrec":"1","id":"x","game":"sunspot","size":5,"moves":["e5"]}\n' + FILES["a.json"]
    await editor.open("several.jsonl", text)
    asked = types.DocumentSymbolParams(editor.file)
    symbols = await editor.client.text_document_document_symbol_async(asked)
    assert symbols is not None
    found = [(each.name, each.range.start.line) for each in symbols if isinstance(each, types.DocumentSymbol)]
    assert found == [("x", 0), ("sunspot", 1)]


async def other_files_are_left_alone_and_closed_ones_forgotten(editor: Editor) -> None:
    assert await editor.open("settings.json", '{"a": ') == []
    assert await editor.open("new.hexrec.json", '{"a": ') != []
    editor.client.text_document_did_close(types.DidCloseTextDocumentParams(editor.file))
    assert await editor.diagnostics() == []


async def of_very_many_diagnostics_those_around_the_edit_are_shown(editor: Editor) -> None:
    record = FILES["a.jsonl"].strip() + "\n"
    note, *shown = await editor.open("many.jsonl", record * 2_000)
    assert note.message.startswith("500 of 2,000 diagnostics are shown, around the last edit")
    assert [each.range.start.line for each in shown] == [*range(500)]
    place = types.Range(types.Position(1_500, 0), types.Position(1_501, 0))
    editor.send(types.TextDocumentContentChangePartial(place, ""))
    note, *shown = await editor.diagnostics()
    assert note.message.startswith("500 of 1,999 ")
    assert {1_400, 1_500, 1_600} <= {each.range.start.line for each in shown}


async def a_request_that_is_cancelled_is_dropped(editor: Editor) -> None:
    """Repairs of all records of the long file take seconds, and the server reads messages every few milliseconds."""
    everywhere = types.Range(types.Position(0, 0), types.Position(2_000, 0))
    asked = types.CodeActionParams(editor.file, everywhere, types.CodeActionContext([], ["quickfix"]))
    answer = editor.client.protocol.send_request_async(types.TEXT_DOCUMENT_CODE_ACTION, asked, "asked")
    editor.client.cancel_request(types.CancelParams("asked"))
    with pytest.raises(JsonRpcRequestCancelled):
        await answer


async def positions_for_a_board(editor: Editor) -> None:
    """The record at the cursor, with the turns up to there, also those of a variation."""
    moves = '["e5",{"turn":"d4","variations":[["a1","b2"]]},"c3"]'
    head = '{"hexrec":"1","id":"x","game":"sunspot","size":5,"moves":'
    assert await editor.open("b.jsonl", f"{FILES['a.json']}\n{head}{moves}}}\n") != []
    whole = ["e5", "d4", "c3"]
    for word, ply, turns in (("id", None, whole), ("d4", 2, whole), ("c3", 3, whole), ("b2", 3, ["e5", "a1", "b2"])):
        position = {"line": 1, "character": f"{head}{moves}".index(word) + 1}
        asked = {"textDocument": {"uri": editor.uri}, "position": position}
        found = await editor.client.protocol.send_request_async("hexrec/record", asked)
        assert (found.ply, found.record.id) == (ply, "x")
        assert [getattr(move, "turn", move) for move in found.record.moves] == turns


async def files_are_formatted(editor: Editor) -> None:
    text = FILES["a.json"].replace('"e5"]', '"D4"]')
    await editor.open("a.json", text)
    options = types.FormattingOptions(4, insert_spaces=True)
    params = types.DocumentFormattingParams(editor.file, options)
    edits = await editor.client.text_document_formatting_async(params)
    assert hexrec.loads(edited(text, edits or ())).moves == ["e5", "d4"]
    unusual = 'hexrec: "1"\ngame: sunspot\n? size\n: 5\nmoves: [E5]\n'
    await editor.open("a.yaml", unusual)
    params = types.DocumentFormattingParams(editor.file, options)
    assert not await editor.client.text_document_formatting_async(params)
    message = await asyncio.wait_for(editor.shown.get(), PATIENCE)
    assert message.message.startswith("hexrec: not formatted: ")


def test_a_session(tmp_path: Path) -> None:
    good, ignoring = tmp_path / "good", tmp_path / "ignoring"
    for folder, settings in ((good, 'warn = ["move/occupied"]'), (ignoring, 'ignore = ["move"]')):
        folder.mkdir()
        (folder / "hexrec.toml").write_text(settings)

    async def the_settings_of_the_project(editor: Editor) -> None:
        """They hold for saved files. Ignored errors are shown, and their records are invalid."""
        for folder, severity in (
            (good, types.DiagnosticSeverity.Warning),
            (ignoring, types.DiagnosticSeverity.Information),
        ):
            uri = (folder / "a.yaml").as_uri()
            (found,) = await editor.open(uri, FILES["a.yaml"])
            assert found.severity == severity
            assert found.message.startswith(f"ignored by {folder / 'hexrec.toml'}: ")
            params = types.DocumentSymbolParams(types.TextDocumentIdentifier(uri))
            symbols = await editor.client.text_document_document_symbol_async(params)
            assert [str(getattr(each, "detail", "")).endswith(", invalid") for each in symbols or ()] == [True]

    others = other_files_are_left_alone_and_closed_ones_forgotten
    actions = [
        repairs,
        missing_turns_are_inserted,
        a_repair_that_is_clearly_the_best_is_preferred,
        only_the_kinds_asked_for,
        results_are_completed,
        recorded_results_are_replaced_one_by_one,
    ]
    answers = [symbols_are_the_records, positions_for_a_board, files_are_formatted]
    long = [of_very_many_diagnostics_those_around_the_edit_are_shown, a_request_that_is_cancelled_is_dropped]
    session([*actions, *answers, *long, others, the_settings_of_the_project])


def test_changes_of_settings(tmp_path: Path) -> None:
    """The server asks for them, says once when settings are broken, and validates without these until they are not."""
    settings, path = tmp_path / "hexrec.toml", tmp_path / "a.yaml"

    async def change_settings(editor: Editor) -> None:
        options = await asyncio.wait_for(editor.watched, PATIENCE)
        assert [watcher["globPattern"] for watcher in options["watchers"]] == ["**/hexrec.toml", "**/pyproject.toml"]
        (found,) = await editor.open(path.as_uri(), FILES["a.yaml"])
        assert found.severity == types.DiagnosticSeverity.Error
        for text, severity, problem, start in (
            ('warn = ["move"]', types.DiagnosticSeverity.Warning, None, None),
            ("ignore = []\n\nwarn = 1 2", types.DiagnosticSeverity.Error, "not TOML", (2, 9)),
            ("ignore = 1", types.DiagnosticSeverity.Error, "should be an array of codes", (0, 0)),
            ('ignore = ["move"]', types.DiagnosticSeverity.Information, "", None),
        ):
            settings.write_text(text)
            event = types.FileEvent(settings.as_uri(), types.FileChangeType.Changed)
            editor.client.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams([event]))
            if problem is not None:
                marks = await editor.diagnostics()
                assert [(mark.range.start.line, mark.range.start.character) for mark in marks] == [start] * bool(start)
                assert all(problem in mark.message for mark in marks)
            if problem:
                message = await asyncio.wait_for(editor.shown.get(), PATIENCE)
                assert message.message.startswith(f"hexrec: {settings}: ")
                assert problem in message.message
            assert [each.severity for each in await editor.diagnostics()] == [severity], text

    session([change_settings])


def test_edits_in_a_row() -> None:
    """Only the last state counts."""
    records = [ENDED.replace("}", f'}},"id":"{number}"', 1) for number in range(300)]

    async def type_fast(editor: Editor) -> None:
        document = types.TextDocumentItem("untitled:many.jsonl", "plaintext", 0, "\n".join(records))
        editor.uri = document.uri
        editor.client.text_document_did_open(types.DidOpenTextDocumentParams(document))
        start = types.Range(types.Position(0, 0), types.Position(0, 0))
        asked = types.CodeActionParams(editor.file, start, types.CodeActionContext([], ["source.fixAll"]))
        for number in range(9):
            column = records[number].index('"moves"')
            place = types.Range(types.Position(number, column), types.Position(number, column))
            editor.send(types.TextDocumentContentChangePartial(place, '"event":"a",'))
        (action,) = await editor.client.text_document_code_action_async(asked) or ()
        assert isinstance(action, types.CodeAction)
        assert action.edit is not None
        assert len((action.edit.changes or {})[editor.uri]) == len(records) - 9
        published = [editor.published.get_nowait() for _ in range(editor.published.qsize())]
        assert published[-1].version == 9
        codes = [(each.range.start.line, each.code) for each in published[-1].diagnostics]
        assert codes == [(number, "syntax/json") for number in range(9)]

    session([type_fast])


def test_links_to_the_pages_of_codes_and_games(monkeypatch: pytest.MonkeyPatch) -> None:
    site = "https://example.org/hexrec/"
    monkeypatch.setenv("HEXREC_SITE", site)

    async def follow_links(editor: Editor) -> None:
        (found,) = await editor.open("a.yaml", FILES["a.yaml"])
        links = await editor.client.text_document_document_link_async(types.DocumentLinkParams(editor.file))
        assert links is not None
        assert found.code_description == types.CodeDescription(f"{site}codes/move.html#moveoccupied")
        assert [link.target for link in links] == [f"{site}games/sunspot.html"]
        assert FILES["a.yaml"].splitlines()[links[0].range.start.line][links[0].range.start.character :] == "sunspot"

    session([follow_links])


def test_an_editor_that_sends_something_else_gets_no_traceback() -> None:
    ran = subprocess.run([*PROGRAM, "lsp"], input=b"Content-Length: 3\r\n\r\n{a}", capture_output=True, check=True)
    assert ran.stderr == b""
    assert b"window/showMessage" in ran.stdout
