"""A game from elsewhere has what none of hexrec's own games has: two variants, and rules without any usual size."""

from __future__ import annotations

import json

from tests.cli.conftest import Run
from tests.record.test_registered_games import registered

__all__ = ["registered"]


def test_variants_and_sizes_on_the_command_line(hexrec: Run) -> None:
    """The smallest size is the usual one of a ruleset that has none of the recommended ones."""
    assert "  Big, 10-handed  b2 " in hexrec("games").out
    ran = hexrec("random", "late", "--variant", "big")
    assert (ran.code, "(the variants of Col: Big, 10-handed)" in ran.err) == (2, True)
    assert json.loads(hexrec("random", "late", "--ruleset", "2001").out)["size"] == 7
