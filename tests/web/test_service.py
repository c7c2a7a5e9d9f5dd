"""What the service hands out for the page, and what it tells the page of records."""

from __future__ import annotations

import json
from collections.abc import Callable

import httpx
import pytest

from hexrec.web import CONTENT_SECURITY_POLICY, assets
from tests.cli.conftest import SHORT_GAME
from tests.web.conftest import Shown
from tests.web.games import GAMES, good


@pytest.mark.parametrize("path", assets())
def test_the_page_is_handed_out_with_its_policy(site: str, path: str) -> None:
    answer = httpx.get(site + path)
    assert answer.text == assets()[path].text
    assert answer.headers["Content-Type"] == f"{assets()[path].media_type}; charset=utf-8"
    assert answer.headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_the_policy_allows_no_code_within_the_page() -> None:
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert CONTENT_SECURITY_POLICY.startswith("default-src 'none'; script-src 'self';")


def test_the_reference_is_drawn_and_reaches_no_other_host(opened: Callable[..., Shown], site: str) -> None:
    page = opened(f"{site}/docs")
    page.until(lambda: "hexrec" in page.text("body") and page.page.locator("h2").count() > 10)
    # Redoc asks for its maker's logo, which the policy of the page does not let it do.
    assert all("logo" in error and "blocked" in error for error in page.errors)
    page.errors.clear()


@pytest.mark.parametrize("index", range(len(GAMES)))
def test_a_record_of_several_is_told(site: str, index: int) -> None:
    body = "\n".join(map(good, GAMES))
    told = httpx.post(f"{site}/v1/replay", params={"record": index}, content=body, headers=_TEXT).json()
    assert told["records"] == len(GAMES)
    assert told["report"]["index"] == index
    assert told["record"]["moves"] == json.loads(good(GAMES[index]))["moves"]


def test_a_record_that_is_not_there(site: str) -> None:
    answer = httpx.post(f"{site}/v1/replay", params={"record": 1}, content=json.dumps(SHORT_GAME), headers=_TEXT)
    assert (answer.status_code, answer.json()["type"]) == (422, "urn:hexrec:problem:no-such-record")


def test_a_record_that_cannot_be_read_is_no_problem(site: str) -> None:
    told = httpx.post(f"{site}/v1/replay", content="{", headers=_TEXT).json()
    assert told["report"]["valid"] is False
    assert told["record"] is None


_TEXT = {"Content-Type": "text/plain"}
