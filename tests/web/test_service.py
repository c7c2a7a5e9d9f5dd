"""What the service hands out for the page, and what it tells the page of records."""

from __future__ import annotations

from collections.abc import Callable

import httpx

from hexrec.web.assembly import ASSETS, CONTENT_SECURITY_POLICY
from tests.cases import try_all
from tests.web.conftest import Shown


def test_the_page_is_handed_out_with_its_policy(site: str) -> None:
    def check(path: str) -> None:
        answer = httpx.get(site + path)
        kind, make = ASSETS[path]
        assert answer.text == make()
        assert answer.headers["Content-Type"] == kind + "; charset=utf-8" * (kind != "application/json")
        assert answer.headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
        assert answer.headers["X-Content-Type-Options"] == "nosniff"

    try_all(check, ASSETS)


def test_the_policy_allows_no_code_within_the_page() -> None:
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert CONTENT_SECURITY_POLICY.startswith("default-src 'none'; script-src 'self';")


def test_the_reference_is_drawn_and_reaches_no_other_host(opened: Callable[..., Shown], site: str) -> None:
    page = opened(f"{site}/docs")
    # Redoc asks for its maker's logo, which the policy of the page does not let it do.
    page.until(lambda: page.page.locator("h2").count() > 10 and page.errors != [])
    assert "hexrec" in page.text("body")
    assert all("logo" in error and "blocked" in error for error in page.errors)
    page.errors.clear()
