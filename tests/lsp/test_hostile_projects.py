"""Opening a file in the project of a stranger does not stop the language server."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from tests.hostile_projects import DEEP, ILLEGAL, PROJECTS, RECORD, Project, limited, write_loops
from tests.lsp.test_session import Editor, session
from tests.processes import PATIENCE, PROGRAM

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="limits and kinds of files of another system")


def test_one_server_for_all_projects(tmp_path: Path) -> None:
    async def open_all(editor: Editor) -> None:
        for number, (name, project) in enumerate(PROJECTS.items()):
            uri = project.write(tmp_path / str(number)).as_uri()
            found = await editor.open(uri, RECORD)
            if project.refusal and project.in_editor:
                message = await asyncio.wait_for(editor.shown.get(), PATIENCE)
                assert project.refusal in message.message, name
                assert len(message.message) < 10_000, name
                # The settings are marked first.
                assert [diagnostic.code for diagnostic in found] == [None], name
                found = await editor.diagnostics()
            assert [diagnostic.code for diagnostic in found] == [ILLEGAL], name
        assert editor.shown.empty()

    session([open_all], limited(PROGRAM))


def test_links_and_addresses(tmp_path: Path) -> None:
    Project(write_loops).write(tmp_path)
    places = (DEEP, "self.json", "one.json", "here/here/x.json", "pipe.hexrec.json", DEEP.parent / "up" / "x.json")
    addresses = [(tmp_path / place).as_uri() for place in places]
    addresses += [f"{tmp_path.as_uri()}/a%00b.json", f"file:///{'a/' * 5_000}b.json", f"file:///{'a' * 5_000}.json"]

    async def open_all(editor: Editor) -> None:
        for address in addresses:
            assert [diagnostic.code for diagnostic in await editor.open(address, RECORD)] == [ILLEGAL], address

    session([open_all], limited(PROGRAM))
