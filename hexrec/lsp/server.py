"""Requests and notifications of the Language Server Protocol, with pygls.

Edits change open files at once, and validate them when no edit follows. All work on a whole file stops every few
milliseconds for other messages, among them the next edit, which ends a validation, and the cancellation of a request.
"""

from __future__ import annotations

import asyncio
import logging
import os
import sys
from collections.abc import AsyncIterator, Callable, Iterable
from time import perf_counter
from typing import Any, TypeVar

from lsprotocol import types
from pygls.exceptions import JsonRpcInternalError
from pygls.lsp.server import LanguageServer

from hexrec.lsp import answers
from hexrec.lsp.completion import complete
from hexrec.lsp.files import OpenFile
from hexrec.lsp.settings import SettingsProblems
from hexrec.tools.edit.files import EditError
from hexrec.util.limits import SETTINGS_FILES
from hexrec.util.version import __version__

#: The request of an editor for the record and the turn at a position, to draw a board.
RECORD = "hexrec/record"
#: Seconds without an edit before a file is validated.
_PAUSE = 0.005
#: Seconds of work on a whole file before other messages are read.
_SLICE = 0.01

Step = TypeVar("Step")


async def pause_between(steps: Iterable[Step]) -> AsyncIterator[Step]:
    """Yield steps of work, and let the server read messages in between."""
    until = perf_counter() + _SLICE
    for step in steps:
        yield step
        if perf_counter() > until:
            await asyncio.sleep(0)
            until = perf_counter() + _SLICE


class HexrecServer(LanguageServer):
    """The server and the files that are open in its editor."""

    def __init__(self) -> None:
        super().__init__("hexrec", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Incremental)
        # pygls would keep a copy of each file, in which lines end at more characters than in editors.
        for method in (types.TEXT_DOCUMENT_DID_OPEN, types.TEXT_DOCUMENT_DID_CHANGE, types.TEXT_DOCUMENT_DID_CLOSE):
            self.protocol.fm.builtin_features.pop(method)
        self.files: dict[str, OpenFile] = {}
        self.problems = SettingsProblems(self)
        self._validations: dict[str, asyncio.Task[None]] = {}

    def validate(self, file: OpenFile) -> None:
        """Validate a file soon, and publish its diagnostics."""
        if (earlier := self._validations.get(file.uri)) is not None:
            earlier.cancel()
        self._validations[file.uri] = asyncio.ensure_future(self._validate(file))

    async def _validate(self, file: OpenFile) -> None:
        await asyncio.sleep(_PAUSE)
        try:
            async for _ in pause_between(file.read()):
                pass
            diagnostics = answers.list_diagnostics(file)
        except Exception as error:
            self.report_server_error(error, JsonRpcInternalError)
            return
        self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(file.uri, diagnostics, file.version))

    def forget(self, uri: str) -> None:
        """End the work on a file that was closed, and remove its diagnostics."""
        if self.files.pop(uri, None) is not None:
            self._validations.pop(uri).cancel()
            self.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    async def find(self, document: types.TextDocumentIdentifier) -> OpenFile | None:
        """Return an open file once it is validated; None for a file that is not open."""
        while (task := self._validations.get(document.uri)) is not None and not task.done():
            await asyncio.wait([task])
        return self.files.get(document.uri)

    async def collect(
        self, document: types.TextDocumentIdentifier, work: Callable[[OpenFile], Iterable[Step]]
    ) -> list[Step]:
        """Return all steps of work on an open file, which begins again after an edit; none for another file."""
        while (file := await self.find(document)) is not None:
            done, version = [], file.version
            async for step in pause_between(work(file)):
                if file.version != version:
                    break
                done.append(step)
            else:
                return done
        return []


def make_server() -> LanguageServer:
    """Return the server."""
    server = HexrecServer()

    @server.feature(types.INITIALIZED)
    async def watch_settings(_: types.InitializedParams) -> None:
        workspace = server.client_capabilities.workspace
        watching = workspace and workspace.did_change_watched_files
        if watching and watching.dynamic_registration:
            watchers = [types.FileSystemWatcher(f"**/{name}") for name in SETTINGS_FILES]
            options = types.DidChangeWatchedFilesRegistrationOptions(watchers)
            method = types.WORKSPACE_DID_CHANGE_WATCHED_FILES
            registration = types.Registration("settings", method, options)
            await server.client_register_capability_async(types.RegistrationParams([registration]))

    @server.feature(types.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def follow_settings(_: types.DidChangeWatchedFilesParams) -> None:
        for file in server.files.values():
            file.follow_settings()
            server.validate(file)
        server.problems.publish(server.files.values())

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def open_file(params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        file = OpenFile(document.uri, document.language_id, document.text, document.version)
        server.files[document.uri] = file
        server.problems.publish(server.files.values())
        server.validate(file)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def change_file(params: types.DidChangeTextDocumentParams) -> None:
        file = server.files.get(params.text_document.uri)
        if file is not None:
            file.version = params.text_document.version
            for change in params.content_changes:
                file.change(getattr(change, "range", None), change.text)
            server.validate(file)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def close_file(params: types.DidCloseTextDocumentParams) -> None:
        server.forget(params.text_document.uri)
        server.problems.publish(server.files.values())

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hover(params: types.HoverParams) -> types.Hover | None:
        file = await server.find(params.text_document)
        return answers.find_hover(file, params.position) if file else None

    @server.feature(
        types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=['"', "[", ",", " ", "("])
    )
    async def completion(params: types.CompletionParams) -> types.CompletionList | None:
        file = await server.find(params.text_document)
        return types.CompletionList(True, complete(file, params.position)) if file else None

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, answers.FIX_ALL]),
    )
    async def code_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        document, context = params.text_document, params.context
        actions: list[types.CodeAction | None] = []
        if answers.is_wanted(types.CodeActionKind.QuickFix, context):
            actions += await server.collect(document, lambda file: answers.list_quick_fixes(file, params.range))
        # Some editors ask for actions of any kind whenever the cursor moves.
        is_automatic = context.trigger_kind is types.CodeActionTriggerKind.Automatic and not context.only
        if answers.is_wanted(answers.FIX_ALL, context) and not is_automatic:
            edits = await server.collect(document, OpenFile.completions)
            actions.append(answers.make_fix_all(document.uri, edits))
        return [action for action in actions if action is not None]

    @server.feature(types.TEXT_DOCUMENT_FORMATTING)
    async def formatting(params: types.DocumentFormattingParams) -> list[types.TextEdit]:
        try:
            return answers.make_edits(await server.collect(params.text_document, OpenFile.formatting))
        except EditError as error:
            message = types.ShowMessageParams(types.MessageType.Warning, f"hexrec: not formatted: {error}")
            server.window_show_message(message)
            return []

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    async def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        return await server.collect(params.text_document, answers.list_symbols)

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_LINK)
    async def links(params: types.DocumentLinkParams) -> list[types.DocumentLink]:
        return await server.collect(params.text_document, answers.list_links)

    @server.feature(RECORD)
    async def record(params: Any) -> dict[str, Any] | None:
        asked = params.position
        file = await server.find(types.TextDocumentIdentifier(params.textDocument.uri))
        return answers.find_record(file, types.Position(asked.line, asked.character)) if file else None

    return server


def serve() -> None:
    """Answer an editor over stdin and stdout until it ends the session."""
    # pygls also sends its log messages, with tracebacks, to the editor.
    logging.getLogger("pygls").setLevel(logging.CRITICAL + 1)
    # pygls closes its output stream, but the program still flushes stdout at exit.
    with open(os.dup(sys.stdout.fileno()), "wb") as out:
        make_server().start_io(sys.stdin.buffer, out)
