"""`hexrec lsp`: the language server."""

from __future__ import annotations

from hexrec.cli import flag
from hexrec.errors import extra

EXAMPLES = (
    ("hexrec lsp", "Run a language server for the editor that started the command."),
    ("hexrec lsp --stdio", "Do the same; some editors add this option."),
)


def command(
    stdio: bool = flag("--stdio", "Use stdin and stdout, as without the option."),  # noqa: ARG001
) -> None:
    """Run a language server over stdin and stdout.

    Editors start the command: set it as the language server for YAML, JSON, JSON Lines, SGF and HGN files.
    """
    with extra("lsp", "to run the language server, install", "lsprotocol", "pygls"):
        from hexrec.lsp.server import serve
    serve()
