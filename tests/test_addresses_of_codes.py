"""What hexrec says of a code leads to its place on the page of its group."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from codes import pages
from hexrec_col import COL

from hexrec import codes as code_registry
from hexrec.codes import address, all_codes, anchor, game_codes, site_address
from hexrec.rules import games
from hexrec.server.app import create
from hexrec.util.limits import EnvironmentVariableError
from tests.cli.conftest import Run
from tests.cli.conftest import hexrec as run

__all__ = ["run"]

ROOT = Path(__file__).parent.parent
WRONG = ROOT / "fixtures/suite/sunspot/invalid/move.occupied~own-stone.yaml"
SITE = "https://example.org/hexrec/"


@pytest.fixture
def published(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(code_registry.SITE, SITE)


@pytest.fixture
def packaged(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """The metadata of the package, to be written; no other is found."""
    metadata = tmp_path / "hexrec_games-1.0.0.dist-info" / "METADATA"
    metadata.parent.mkdir()
    monkeypatch.setattr("sys.path", [str(tmp_path)])
    monkeypatch.delenv(code_registry.SITE, raising=False)
    code_registry._built_in_address.cache_clear()
    yield metadata
    code_registry._built_in_address.cache_clear()


@pytest.mark.parametrize(
    ("urls", "site"),
    [
        (["Changelog, https://example.org/changes", "Documentation, https://example.org/hexrec"], SITE),
        (["Source, https://example.org/?a, b", f"Documentation, {SITE}?a, b"], f"{SITE}?a, b/"),
        (["Changelog, https://example.org/changes"], ""),
    ],
)
def test_the_address_is_that_of_the_package(packaged: Path, urls: list[str], site: str) -> None:
    lines = "".join(f"Project-URL: {url}\n" for url in urls)
    packaged.write_text(f"Name: hexrec-games\n{lines}\nProject-URL: Documentation, https://example.org/readme\n")
    assert site_address() == site
    assert (address("move/occupied") is None) == (not site)


def test_a_package_that_is_not_installed_has_no_address(packaged: Path) -> None:
    assert not packaged.exists()
    assert site_address() == ""


def slug(heading: str) -> str:
    """Return the anchor that GitHub and the site make of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_every_code_has_an_anchor_of_its_own_on_the_page_of_its_group() -> None:
    anchors = {code: anchor(code) for code in all_codes()}
    assert len(set(anchors.values())) == len(anchors)
    for name, page in pages().items():
        group = name.removeprefix("codes/").removesuffix(".md")
        headings = set(re.findall(r"^### (.+)$", page, re.MULTILINE))
        assert headings == {f"`{code}`" for code in anchors if code.startswith(f"{group}/")}
        assert {slug(heading) for heading in headings} == {anchors[heading.strip("`")] for heading in headings}


@pytest.mark.usefixtures("published")
@pytest.mark.parametrize("name", games.BUILT_IN)
def test_the_codes_of_a_built_in_game_have_addresses(name: str) -> None:
    codes = game_codes(name)
    assert codes
    assert all(address(code) for code in codes)


@pytest.mark.usefixtures("published")
def test_sarif_refers_to_the_site(run: Run) -> None:
    report = json.loads(run("validate", WRONG, "--format", "sarif").out)
    (rule,) = report["runs"][0]["tool"]["driver"]["rules"]
    assert rule["helpUri"] == f"{SITE}codes/move.html#moveoccupied"


@pytest.mark.usefixtures("published")
def test_explain_names_the_page(run: Run) -> None:
    assert run("explain", "move/occupied").out.endswith(f"\n  Page: {SITE}codes/move.html#moveoccupied\n")


def test_explain_names_no_page_where_there_is_no_site(run: Run, packaged: Path) -> None:
    """A path such as docs/format.md leads nowhere for users of the installed package."""
    assert not packaged.exists()
    said = run("explain", "move/occupied").out
    assert "Page:" not in said
    assert "docs/" not in said


@pytest.mark.usefixtures("published")
def test_the_service_names_the_page() -> None:
    app = create()

    async def codes() -> list[dict[str, str]]:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://localhost") as client:
            return list((await client.get("/v1/codes")).json())

    pages = {each["code"]: each["page"] for each in asyncio.run(codes())}
    assert pages["move/occupied"] == f"{SITE}codes/move.html#moveoccupied"


@pytest.mark.usefixtures("published")
def test_the_site_says_nothing_of_the_codes_of_other_packages(run: Run) -> None:
    games.register(COL)
    try:
        assert address("move/next-to-own") is None
        assert "Page:" not in run("explain", "move/next-to-own").out
    finally:
        games.unregister("col")


def test_the_variable_holds_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(code_registry.SITE, "example.org")
    with pytest.raises(EnvironmentVariableError, match=r"HEXREC_SITE should be a URL such as .*'example.org'"):
        site_address()
