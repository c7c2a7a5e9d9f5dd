"""What is too deep, too large or stands for too much is refused, at once and alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from hexrec.util.limits import MAX_DEPTH
from tests.formats.helpers import FORMATS, check, codes, read, read_one

BOMBS = ["[" * 30_000, '{"a":' * 30_000, "[{'a':" * 15_000, "[" * 30_000 + "]" * 30_000]


def nested(levels: int, inmost: str = "1") -> str:
    """Return a record with so many levels, itself included."""
    return '{"x-a": ' + "[" * (levels - 1) + inmost + "]" * (levels - 1) + "}"


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("bomb", BOMBS, ids=["lists", "objects", "both", "closed"])
def test_depth_bombs_are_refused(name: str, bomb: str) -> None:
    if "'" in bomb and name != "yaml":
        bomb = bomb.replace("'", '"')
    # An array in JSON is one of records, and goes on after the bomb.
    found = codes(read(name, bomb))
    assert found == ["syntax/too-deep"] + ["syntax/truncated"] * (len(found) - 1)


@pytest.mark.parametrize("bomb", ["- " * 100_000, "? " * 100_000, "".join(" " * n + "a:\n" for n in range(500))])
def test_depth_bombs_of_yaml_blocks_are_refused(bomb: str) -> None:
    (code,) = codes(read("yaml", bomb))
    assert code in ("syntax/too-deep", "syntax/yaml-key")


@pytest.mark.parametrize("suffix", ["", ".txt"])
@pytest.mark.parametrize("bomb", BOMBS, ids=["lists", "objects", "both", "closed"])
def test_depth_bombs_are_refused_where_the_format_is_looked_for(tmp_path: Path, suffix: str, bomb: str) -> None:
    report, *_ = check(tmp_path / f"bomb{suffix}", bomb.replace("'", '"').encode())
    assert [diagnostic.code for diagnostic in report.diagnostics] == ["syntax/too-deep"]


@pytest.mark.parametrize("name", FORMATS)
def test_the_limit_of_depth_is_the_same_everywhere(name: str) -> None:
    assert codes(read(name, nested(MAX_DEPTH)) + read(name, nested(MAX_DEPTH, ""))) == [None, None]
    assert codes(read(name, nested(MAX_DEPTH + 1))) == ["syntax/too-deep"]


@pytest.mark.parametrize("levels", [10, 1000])
def test_alias_bombs_are_refused(levels: int) -> None:
    lines = ["x-0: &x0 [a, a]", *(f"x-{n}: &x{n} [*x{n - 1}, *x{n - 1}]" for n in range(1, levels))]
    (document,) = read("yaml", "\n".join(lines))
    assert document.error
    assert (document.error.code, document.error.line) == ("syntax/yaml-alias", 2)


@pytest.mark.parametrize("name", FORMATS)
def test_the_limit_of_digits_is_the_same_everywhere(name: str) -> None:
    assert read_one(name, '{"x-a": %s}' % ("7" * 4300)) == {"x-a": int("7" * 4300)}
    assert codes(read(name, '{"x-a": %s}' % ("7" * 4301))) == ["syntax/number"]
