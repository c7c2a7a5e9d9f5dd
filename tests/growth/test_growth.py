"""Work grows with the size of an input and not with its square, whatever the input.

This is about time, which counts of calls do not show: an expression that goes back over a text, or a copy of a buffer,
is one call. What is compared is the CPU time of this process for inputs of one kind, of which one is four times as
large as the other. A square would make that sixteen times; ten times are allowed. What seems to grow faster is measured
again, and the shortest times count, so that other processes do not decide.
"""

from __future__ import annotations

import gc
import importlib.util
import io
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import process_time
from types import ModuleType

import pytest

from hexrec.io.discovery import Source
from hexrec.output import report_formats
from hexrec.tools import edit
from hexrec.tools.convert import Conversion
from hexrec.tools.edit.diff import unified_diff
from hexrec.tools.edit.fixes import format_record
from hexrec.validation.lint import Lint
from hexrec.validation.sources import check_sources
from tests.properties import sample

SMALL, LARGE = 3_000, 12_000
MOST = 10
#: Work that is done sooner, in seconds, says nothing of how it grows.
_TOO_SHORT = 0.05
_ROUNDS = 5


def _worst_cases() -> ModuleType:
    file = Path(__file__).parents[2] / "benchmarks/worst_cases.py"
    spec = importlib.util.spec_from_file_location("worst_cases", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


CASES = _worst_cases()


def source(format: str, raw: bytes) -> Source:
    return Source("a file", format, opener=lambda: io.BytesIO(raw))


def validate(format: str, raw: bytes) -> None:
    report_formats.write("text", check_sources([source(format, raw)], lint=Lint()), io.StringIO())


def convert(to: str, format: str, raw: bytes) -> None:
    for _ in Conversion(to, invalid=True).convert(check_sources([source(format, raw)])):
        pass


def fmt(format: str, raw: bytes) -> None:
    try:
        stream = io.BufferedReader(io.BytesIO(raw))
        segments = edit.get(format, canonical=True)(stream, lambda document: format_record(document, "a file", 0).data)
        for _ in unified_diff(segments, "a file"):
            pass
    except edit.EditError:
        pass


#: The writers take turns, as formatting does with converting: `benchmarks/growth.py` measures all for every input.
WRITERS = ("sgf", "hgn", "abstractplay")


def work_on(name: str) -> dict[str, Callable[[str, bytes], None]]:
    """Return what is done with an input."""
    number = list(CASES.WORST_CASES).index(name)
    to = WRITERS[number % len(WRITERS)]
    others: list[tuple[str, Callable[[str, bytes], None]]] = [("fmt", fmt), (f"convert to {to}", partial(convert, to))]
    first = number % len(others)
    return {"validate": validate, **dict(sample([*others[first:], *others[:first]], len(others)))}


@pytest.fixture(scope="module", autouse=True)
def _old_objects_are_left_alone() -> Iterator[None]:
    """Let collections of garbage, of which each measurement needs one, pass over what was there before."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def seconds(work: Callable[[str, bytes], None], format: str, raw: bytes) -> float:
    # A collection of garbage takes longer the more the tests before this one have left, whatever the work is.
    gc.collect()
    gc.disable()
    try:
        start = process_time()
        work(format, raw)
        return process_time() - start
    finally:
        gc.enable()


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES.WORST_CASES)
def test_work_grows_with_the_size(name: str) -> None:
    format = CASES.format(name)
    small, large = (CASES.WORST_CASES[name](size).encode() for size in (SMALL, LARGE))
    for said, work in work_on(name).items():
        work(format, CASES.WORST_CASES[name](1_000).encode())  # what is imported and built once is not measured
        more = seconds(work, format, large)
        if more < _TOO_SHORT:
            continue
        less = seconds(work, format, small)
        for _ in range(_ROUNDS):
            if more < max(_TOO_SHORT, MOST * less):
                break
            less, more = min(less, seconds(work, format, small)), min(more, seconds(work, format, large))
        assert more < max(_TOO_SHORT, MOST * less), f"{said}: {less:.3f} s for {SMALL} bytes, {more:.3f} for {LARGE}"
