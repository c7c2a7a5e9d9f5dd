"""What all layers share: JSON Pointers, extras, dates."""

from __future__ import annotations

from typing import Any

import pytest

from hexrec.errors import MissingExtraError, extra
from hexrec.record.schema import first_day
from hexrec.util.diagnostics import pointer_to, steps_of, value_at


@pytest.mark.parametrize(
    ("pointer", "path"),
    [
        ("", []),
        ("/moves/0", ["moves", 0]),
        ("/", [""]),
        ("/a~1b/m~0n/ ", ["a/b", "m~n", " "]),
        ("/~01/~10/~0~0", ["~1", "/0", "~~"]),
    ],
)
def test_pointers_are_those_of_the_standard(pointer: str, path: list[int | str]) -> None:
    data: Any = "here"
    for step in reversed(path):
        data = [data] if step == 0 else {step: data}
    assert pointer_to(path) == pointer
    assert steps_of(pointer) == [str(step) for step in path]
    assert value_at(data, pointer) == "here"


def test_an_extra_that_is_not_installed() -> None:
    def needs(module: str) -> None:
        with extra("arrow", "to write that, install", "pyarrow", "numpy"):
            raise ModuleNotFoundError(name=module)

    for module in ("pyarrow", "numpy.core"):
        with pytest.raises(MissingExtraError, match=r"^to write that, install hexrec-games\[arrow\]$"):
            needs(module)
    for module in ("yaml", ""):
        with pytest.raises(ModuleNotFoundError):
            needs(module)


@pytest.mark.parametrize(
    ("text", "day"),
    [("2026", "2026-01-01"), ("2026-11", "2026-11-01"), ("2026-11-20", "2026-11-20"), ("2026-11-20T12:00:00Z",) * 2],
)
def test_the_first_day_of_a_date(text: str, day: str) -> None:
    assert first_day(text) == day
