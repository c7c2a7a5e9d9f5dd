"""Functions that processes call for several tasks."""

from __future__ import annotations

from functools import partial

import pytest

from hexrec.parallel import WorkersUnavailable
from hexrec.parallel.run import spread


def test_results_come_in_the_order_of_the_tasks() -> None:
    assert list(spread(range, [3, 0, 2, *[1] * 20], 2)) == [0, 1, 2, 0, 1, *[0] * 20]


def test_an_error_ends_the_work() -> None:
    with pytest.raises(WorkersUnavailable, match="invalid literal for int"):
        list(spread(partial(map, int), ["1", "x"], 2))
