"""Settings that cannot be followed: a message to the user, and a diagnostic on their file until they can be."""

from __future__ import annotations

import re
from collections.abc import Iterable

from lsprotocol import types
from pygls import uris
from pygls.lsp.server import LanguageServer

from hexrec.lsp.files import OpenFile
from hexrec.validation.configuration import Misconfigured

#: The place of an error in the messages of tomllib.
_PLACE = re.compile(r"\(at line (?P<line>[0-9]+), column (?P<column>[0-9]+)\)")


class SettingsProblems:
    """The problems with settings that an editor has been told."""

    def __init__(self, server: LanguageServer) -> None:
        self._server = server
        self._told: dict[str, str] = {}

    def publish(self, files: Iterable[OpenFile]) -> None:
        """Tell the editor the problems with the settings of its open files, each once, and which are no more."""
        problems = {file.problem.file or "": file.problem for file in files if file.problem}
        for name, problem in problems.items():
            if self._told.get(name) != str(problem):
                message = f"hexrec: {problem}: the records are validated without these settings"
                self._server.window_show_message(types.ShowMessageParams(types.MessageType.Error, message))
                self._publish(name, [_make_diagnostic(problem)])
        for name in self._told.keys() - problems.keys():
            self._publish(name, [])
        self._told = {name: str(problem) for name, problem in problems.items()}

    def _publish(self, name: str, diagnostics: list[types.Diagnostic]) -> None:
        if uri := uris.from_fs_path(name):
            self._server.text_document_publish_diagnostics(types.PublishDiagnosticsParams(uri, diagnostics))


def _make_diagnostic(problem: Misconfigured) -> types.Diagnostic:
    """Return a diagnostic at the error in the TOML, or else on the first line."""
    place = _PLACE.search(str(problem))
    start = types.Position(int(place["line"]) - 1, int(place["column"]) - 1) if place else types.Position(0, 0)
    message = str(problem).removeprefix(f"{problem.file}: ")
    end = types.Position(start.line + 1, 0)
    return types.Diagnostic(types.Range(start, end), message, types.DiagnosticSeverity.Error, source="hexrec")
