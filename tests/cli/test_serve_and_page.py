"""`hexrec serve` and `hexrec page`: what their options come to. What serves and what is written have other tests."""

from __future__ import annotations

import os
import socket
import sys
from collections.abc import Iterator
from errno import EACCES, EADDRINUSE, EADDRNOTAVAIL
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from hexrec.errors import RunError
from hexrec.server.limits import MEBIBYTE, Limits
from tests.cli.conftest import Ran, Run

SERVICE = "hexrec.server.app"


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """What a service would have begun with; its sockets are where they listen."""
    found: list[tuple[Any, ...]] = []
    monkeypatch.setattr(f"{SERVICE}.listen", lambda *place: place)
    monkeypatch.setattr(f"{SERVICE}.create", lambda *given: given)
    monkeypatch.setattr(f"{SERVICE}.serve", lambda app, *place: found.append((*place, *app)))
    monkeypatch.setattr("hexrec.cli.serve.cores", lambda: 5)
    return found


def test_serve_with_all_options(hexrec: Run, served: list[tuple[Any, ...]]) -> None:
    place = ["--host", "::1", "--port", "0", "--workers", "3"]
    sizes = ["--max-body", "64", "--max-records", "11", "--max-plies", "12", "--max-memory", "2000"]
    rest = ["--max-seconds", "1.5", "--max-requests", "13", "--cors-origin", "https://a", "--cors-origin", "https://b"]
    names = ["--allow-host", "a.example", "--allow-host", "b.example"]
    assert hexrec("serve", *place, *sizes, *rest, *names).code == 0
    limits = Limits(body=64 * MEBIBYTE, records=11, plies=12, seconds=1.5, memory=2000 * MEBIBYTE, requests=13)
    assert served == [("::1", ("::1", 0), limits, 3, ["https://a", "https://b"], ("::1", "a.example", "b.example"))]


@pytest.mark.parametrize(
    ("option", "least", "most"),
    [
        ("--port", "0", "65535"),
        ("--workers", "1", None),
        ("--max-body", "1", None),
        ("--max-records", "1", None),
        ("--max-plies", "1", None),
        ("--max-seconds", "0.1", None),
        ("--max-memory", "256", None),
        ("--max-requests", "1", None),
    ],
)
def test_the_least_and_the_most_that_serve_takes(
    hexrec: Run, served: list[tuple[Any, ...]], option: str, least: str, most: str | None
) -> None:
    step = 0.05 if "." in least else 1
    for value, fits in ((least, True), (str(float(least) - step).removesuffix(".0"), False)):
        ran = hexrec("serve", option, value)
        assert (bool(served), option in ran.err) == (fits, not fits)
        served.clear()
    if most is not None:
        assert hexrec("serve", option, most).err == ""
        assert option in hexrec("serve", option, str(int(most) + 1)).err


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (OSError(EADDRINUSE, "Address already in use"), "address already in use; choose another with --port"),
        (OSError(EACCES, "Permission denied (for 80)"), "permission denied; choose another with --port"),
        (OSError(EADDRNOTAVAIL, os.strerror(EADDRNOTAVAIL)), "cannot assign requested address; choose another with "),
        (socket.gaierror(-2, "Name or service not known"), "name or service not known; choose another with --host"),
        (OSError("NOTHING is known"), "nOTHING is known; choose another with --host"),
    ],
    ids=["taken", "forbidden", "elsewhere", "unknown", "no number"],
)
def test_where_serve_cannot_listen(hexrec: Run, monkeypatch: pytest.MonkeyPatch, error: OSError, said: str) -> None:
    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(f"{SERVICE}.listen", refuse)
    ran = hexrec("serve", "--host", "there", "--port", "80")
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"hexrec: cannot listen on there at port 80: {said}")
    assert ran.err.count("\n") == 1


SERVERS = {
    "serve": (SERVICE, "to serve, install hexrec-games[server]"),
    "lsp": ("hexrec.lsp.server", "to run the language server, install hexrec-games[lsp]"),
}


@pytest.mark.parametrize(
    ("command", "name"),
    [
        *(("serve", name) for name in ("fastapi", "prometheus_client", "starlette", "uvicorn")),
        *(("lsp", name) for name in ("pygls", "lsprotocol")),
    ],
)
def test_servers_without_their_extra(hexrec: Run, monkeypatch: pytest.MonkeyPatch, command: str, name: str) -> None:
    module, said = SERVERS[command]

    class Lacking(ModuleType):
        def __getattr__(self, _: str) -> None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=f"{name}.part")

    monkeypatch.setitem(sys.modules, module, Lacking(module))
    assert hexrec(command) == Ran(2, "", f"hexrec: {said}\n")


def test_page(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It says how much it has written, and leaves other files alone."""
    asked: list[Path] = []

    def files(runtime: Path, _: str | None) -> Iterator[tuple[str, bytes]]:
        asked.append(runtime)
        yield "index.html", b"<html>"
        yield "large", b"a" * 1_249_990
        yield "small", b"abcd"
        if len(asked) == 2:
            yield "more", b"a" * 100_000

    monkeypatch.setattr("hexrec.cli.page.site", files)
    folder = tmp_path / "deep/site"
    assert hexrec("page", "--static", folder, "--runtime", "there") == Ran(0, "", f"{folder}: 1.2 MB\n")
    (folder / "mine").write_text("mine")
    (folder / "small").write_text("old")
    assert hexrec("page", "--static", folder, "--runtime", "there") == Ran(0, "", f"{folder}: 1.4 MB\n")
    assert asked == [Path("there")] * 2
    sizes = {"index.html": 6, "large": 1_249_990, "small": 4, "mine": 4, "more": 100_000}
    assert {path.name: path.stat().st_size for path in folder.iterdir()} == sizes


def test_page_that_cannot_be_written(hexrec: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lacking(_: Path, __: str | None) -> Iterator[tuple[str, bytes]]:
        raise RunError("something is not there")

    (tmp_path / "file").write_text("")
    folder = tmp_path / "file/site"
    ran = hexrec("page", "--static", folder, "--runtime", tmp_path)
    assert ran == Ran(2, "", f"hexrec: {folder}: cannot be written: not a directory\n")
    monkeypatch.setattr("hexrec.cli.page.site", lacking)
    ran = hexrec("page", "--static", tmp_path / "site", "--runtime", tmp_path)
    assert ran == Ran(2, "", "hexrec: something is not there\n")
