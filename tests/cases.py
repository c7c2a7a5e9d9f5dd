"""A table of cases in one test, where a test for each would cost more than what it tries and no one selects one."""

from __future__ import annotations

import functools
import inspect
import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest


def try_all(check: Callable[[Any], None], cases: Iterable[Any], ids: Callable[[Any], str] = repr) -> None:
    """Call a function with each case; fail with the tracebacks of all that fail, each below what it is about."""
    count, failed = 0, []
    for case in cases:
        count += 1
        try:
            check(case)
        except (Exception, pytest.fail.Exception) as error:
            within = error.__traceback__ and error.__traceback__.tb_next
            shown = "".join(traceback.format_exception(type(error), error, within))
            failed.append(f"with {ids(case)}:\n{shown}")
    assert count, "there are no cases"
    if failed:
        pytest.fail("\n".join([f"{len(failed)} of {count} cases", *failed]), pytrace=False)


def all_of(
    names: str | Sequence[str], cases: Iterable[Any], ids: Callable[[Any], str] = repr
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Try all cases in one test. It is written as `pytest.mark.parametrize` is.

    Fixtures are made once: they should be the same after each case.
    """
    known = [names] if isinstance(names, str) else [*names]
    table = [*cases]

    def decorate(test: Callable[..., None]) -> Callable[..., None]:
        @functools.wraps(test)
        def tried(*args: Any, **fixtures: Any) -> None:
            def check(case: Any) -> None:
                values = [case] if isinstance(names, str) else case
                test(*args, **fixtures, **dict(zip(known, values, strict=True)))

            try_all(check, table, ids)

        signature = inspect.signature(test)
        fixed = [each for each in signature.parameters.values() if each.name not in known]
        tried.__signature__ = signature.replace(parameters=fixed)  # type: ignore[attr-defined]
        return tried

    return decorate
