"""Where the documents are on the web: the address of the site."""

from __future__ import annotations

import os
import re
from functools import cache

from hexrec.limits import EnvironmentVariableError

#: Names the site's address, in the place of the one that the package was built with.
VARIABLE = "HEXREC_SITE"
#: What the address is called in the package's metadata: `[project.urls]` in pyproject.toml.
LABEL = "Documentation"
_ADDRESS = re.compile(r"https?://[^\s?#]+")


def is_address(text: str) -> bool:
    """Return whether a text is the absolute address of a folder."""
    return _ADDRESS.fullmatch(text) is not None


def address() -> str:
    """Return the address of the site, with a slash at its end; an empty text if it is not known.

    Raises EnvironmentVariableError for a variable that holds something else.
    """
    found = os.environ.get(VARIABLE, "")
    if found and not is_address(found):
        raise EnvironmentVariableError(f"{VARIABLE} should be an address such as https://example.org/, not {found!r}")
    found = found or _built_in()
    return found if not found or found.endswith("/") else f"{found}/"


@cache
def _built_in() -> str:
    """Return the address in the package's metadata."""
    from importlib.metadata import PackageNotFoundError, metadata  # slow to import, and seldom used

    try:
        addresses = metadata("hexrec-games").get_all("Project-URL") or []
    except PackageNotFoundError:
        return ""
    named: dict[str, str] = dict(each.split(", ", 1) for each in addresses)
    return named.get(LABEL, "")
