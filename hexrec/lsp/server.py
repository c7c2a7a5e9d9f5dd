"""Requests and notifications of the Language Server Protocol, with pygls."""

from __future__ import annotations

import logging
import os
import sys
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from hexrec import codes
from hexrec.errors import UnknownNameError
from hexrec.lsp.completion import complete, field_at, position_before
from hexrec.lsp.files import FilePart, OpenFile, find_place
from hexrec.render.text import describe
from hexrec.util.diagnostics import Diagnostic, Suggestion, steps_of
from hexrec.util.version import __version__
from hexrec.validation.configuration import Misconfigured
from hexrec.validation.report import Report

_SEVERITIES = {"error": types.DiagnosticSeverity.Error, "warning": types.DiagnosticSeverity.Warning}
#: The kind of the action that makes the changes of `hexrec fix`.
_FIX_ALL = f"{types.CodeActionKind.SourceFixAll.value}.hexrec"
_IGNORED = {False: types.DiagnosticSeverity.Information, True: types.DiagnosticSeverity.Warning}


def make_server() -> LanguageServer:
    """Return the server."""
    # Editors send the whole content after each change, because pygls ends lines at more characters than they do.
    server = LanguageServer("hexrec", __version__, text_document_sync_kind=types.TextDocumentSyncKind.Full)
    files: dict[str, OpenFile] = {}

    def publish(file: OpenFile, version: int | None) -> None:
        diagnostics = [_make_diagnostic(file, diagnostic) for diagnostic in file.diagnostics()]
        server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(file.uri, diagnostics, version))

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    def open_file(params: types.DidOpenTextDocumentParams) -> None:
        document = params.text_document
        try:
            files[document.uri] = file = OpenFile(document.uri, document.language_id, document.text)
        except Misconfigured as error:
            server.window_show_message(types.ShowMessageParams(types.MessageType.Error, f"hexrec: {error}"))
        else:
            publish(file, document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    def change_file(params: types.DidChangeTextDocumentParams) -> None:
        file = files.get(params.text_document.uri)
        if file is not None:
            file.update(params.content_changes[-1].text)
            publish(file, params.text_document.version)

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    def close_file(params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        if files.pop(uri, None) is not None:
            server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, []))

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    def hover(params: types.HoverParams) -> types.Hover | None:
        file = files.get(params.text_document.uri)
        return None if file is None else _make_hover(file, params.position)

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, types.CompletionOptions(trigger_characters=['"', "[", ",", " "]))
    def completion(params: types.CompletionParams) -> types.CompletionList | None:
        file = files.get(params.text_document.uri)
        return None if file is None else types.CompletionList(True, complete(file, params.position))

    @server.feature(
        types.TEXT_DOCUMENT_CODE_ACTION,
        types.CodeActionOptions(code_action_kinds=[types.CodeActionKind.QuickFix, _FIX_ALL]),
    )
    def code_actions(params: types.CodeActionParams) -> list[types.CodeAction]:
        file = files.get(params.text_document.uri)
        return _list_code_actions(file, params.range, params.context) if file else []

    @server.feature(types.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: types.DocumentSymbolParams) -> list[types.DocumentSymbol]:
        file = files.get(params.text_document.uri)
        return _list_symbols(file) if file else []

    return server


def serve() -> None:
    """Answer an editor over stdin and stdout until it ends the session."""
    # pygls also sends its log messages, with tracebacks, to the editor.
    logging.getLogger("pygls").setLevel(logging.CRITICAL + 1)
    # pygls closes its output stream, but the program still flushes stdout at exit.
    with open(os.dup(sys.stdout.fileno()), "wb") as out:
        make_server().start_io(sys.stdin.buffer, out)


def _make_diagnostic(file: OpenFile, diagnostic: Diagnostic) -> types.Diagnostic:
    address = codes.address(diagnostic.code)
    ignored = diagnostic.ignored
    return types.Diagnostic(
        range=file.range_of(diagnostic),
        message=f"ignored by {diagnostic.by}: {diagnostic.message}" if ignored else diagnostic.message,
        severity=_IGNORED[diagnostic.downgraded] if ignored else _SEVERITIES[diagnostic.severity],
        code=diagnostic.code,
        code_description=types.CodeDescription(address) if address else None,
        source="hexrec",
    )


def _make_hover(file: OpenFile, position: types.Position) -> types.Hover | None:
    located = file.part_at(position)
    if located is None:
        return None
    part, _ = located
    paragraphs, here = [], types.Range(position, position)
    for report in part.reports:
        placed = [diagnostic.shift_lines(part.shift) for diagnostic in report.diagnostics]
        touched = [diagnostic for diagnostic in placed if _overlap(file.range_of(diagnostic), here)]
        paragraphs += [_explain(diagnostic, report.game) for diagnostic in touched]
        paragraphs += _describe_place(file, part, report, position)
    if not paragraphs:
        return None
    return types.Hover(types.MarkupContent(types.MarkupKind.Markdown, "\n\n".join(paragraphs)))


def _explain(diagnostic: Diagnostic, game: str | None) -> str:
    try:
        code = codes.explain_code(diagnostic.code, game)
    except UnknownNameError:
        return f"**{diagnostic.code}**"
    return f"**{diagnostic.code}**: {code.meaning}\n\n{code.fix}\n\n{code.rule}"


def _describe_place(file: OpenFile, part: FilePart, report: Report, position: types.Position) -> list[str]:
    """Return the board before the turn at a position, or the description of the field there."""
    document = report.document
    if document is None or not isinstance(document.data, dict):
        return []
    line, column = file.text.place(file.text.offset_at(position))
    place = find_place(document, line - part.shift, column)
    if place is None:
        return []
    before = None if place.key else position_before(document.data, place.pointer)
    if before is not None:
        return [f"```text\n{describe(before)}\n\n{before}\n```"]
    field = field_at(document.data, steps_of(place.pointer))
    return [field.about.description] if field is not None and field.about.description else []


def _list_code_actions(file: OpenFile, asked: types.Range, context: types.CodeActionContext) -> list[types.CodeAction]:
    actions = _list_quick_fixes(file, asked) if _is_wanted(types.CodeActionKind.QuickFix, context) else []
    # Some editors ask for actions of any kind whenever the cursor moves.
    is_automatic = context.trigger_kind is types.CodeActionTriggerKind.Automatic and not context.only
    if _is_wanted(_FIX_ALL, context) and not is_automatic:
        edits: list[Any] = [types.TextEdit(place, text) for place, text in file.completions()]
        change = types.WorkspaceEdit(changes={file.uri: edits})
        actions += [types.CodeAction("complete results, as hexrec fix does", _FIX_ALL, edit=change)] if edits else []
    return actions


def _is_wanted(kind: str, context: types.CodeActionContext) -> bool:
    """Return whether an editor asks for code actions of a kind: for all kinds, this one, or one that includes it."""
    return not context.only or any(asked in ("", kind) or kind.startswith(f"{asked}.") for asked in context.only)


def _list_quick_fixes(file: OpenFile, asked: types.Range) -> list[types.CodeAction]:
    actions = []
    for part in file.parts:
        for index, report in enumerate(part.reports):
            for number, brief in enumerate(report.diagnostics):
                if _overlap(file.range_of(brief.shift_lines(part.shift)), asked):
                    file.suggest(part)
                    diagnostic = part.reports[index].diagnostics[number].shift_lines(part.shift)
                    actions += [
                        _make_quick_fix(file, diagnostic, suggestion)
                        for suggestion in diagnostic.suggestions
                        if all(edit.line is not None for edit in suggestion.edits)
                    ]
    return actions


def _make_quick_fix(file: OpenFile, diagnostic: Diagnostic, suggestion: Suggestion) -> types.CodeAction:
    edits: list[Any] = [types.TextEdit(file.range_of(edit), edit.text) for edit in suggestion.edits]
    return types.CodeAction(
        title=suggestion.message,
        kind=types.CodeActionKind.QuickFix,
        diagnostics=[_make_diagnostic(file, diagnostic)],
        is_preferred=suggestion.best or None,
        edit=types.WorkspaceEdit(changes={file.uri: edits}),
    )


def _list_symbols(file: OpenFile) -> list[types.DocumentSymbol]:
    symbols = []
    for part in file.parts:
        for report in part.reports:
            span = report.document and report.document.places([""]).find("")
            if span:
                moved = span._replace(line=span.line + part.shift, end_line=span.end_line + part.shift)
                here = file.range_of(moved)
                name = report.id or report.game or "record"
                detail = f"{report.game or ''} {report.plies} turns" + ("" if report.valid else ", invalid")
                symbols.append(types.DocumentSymbol(name, types.SymbolKind.Event, here, here, detail.strip()))
    return symbols


def _overlap(one: types.Range, other: types.Range) -> bool:
    return one.start <= other.end and other.start <= one.end
