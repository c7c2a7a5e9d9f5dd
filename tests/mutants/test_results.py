"""What is kept of mutation testing fits together."""

from __future__ import annotations

from tests.mutants import results


def test_the_page_is_up_to_date() -> None:
    assert results.PAGE.read_text(encoding="utf-8") == results.page(), "run python -m tests.mutants.results"


def test_only_mutants_that_survived_are_called_equivalent() -> None:
    found = results.read()
    claimed = {(module, key) for module, reasons in results.equivalents().items() for key in reasons}
    assert claimed <= {(module, key) for module in found for key in found[module]["survivors"]}
