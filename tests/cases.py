"""A table of cases in one test, where a test for each would cost more than what it tries and no one selects one."""

from __future__ import annotations

import functools
import inspect
import traceback
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pytest

#: How many failing cases are shown.
_SHOWN = 5


def try_all(check: Callable[[Any], None], cases: Iterable[Any], ids: Callable[[Any], str] = repr) -> None:
    """Call a function with each case; if some fail, fail with the first tracebacks, each below what it is about."""
    count = failing = 0
    shown: list[str] = []
    for case in cases:
        count += 1
        try:
            check(case)
        except (Exception, pytest.fail.Exception) as error:
            failing += 1
            if failing <= _SHOWN:
                shown.append(f"with {ids(case)}:\n{_format(error)}")
    assert count, "there are no cases"
    if failing:
        more = [f"and {failing - _SHOWN} more"] if failing > _SHOWN else []
        pytest.fail("\n".join([f"{failing} of {count} cases", *shown, *more]), pytrace=False)


def _format(error: BaseException) -> str:
    """Return an exception with its traceback, from the test on."""
    within = error.__traceback__
    while within and within.tb_next and within.tb_frame.f_code.co_filename == __file__:
        within = within.tb_next
    return "".join(traceback.format_exception(type(error), error, within))


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
