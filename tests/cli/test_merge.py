"""`hexrec merge`: the parts of all shards become what one run writes, and what does not belong together is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from tests.cli.conftest import Ran, Run
from tests.cli.test_dedupe import cut, image
from tests.cli.test_shards import inputs
from tests.parallel.conftest import record
from tests.tools.test_duplicates import references

__all__ = ["inputs"]  # a fixture

COUNT = 3
#: For each command, the names of parts, and the options of the merge.
DIVIDED = [
    ("score", "csv", ""),
    ("score", "jsonl", ""),
    ("score", "json", ""),
    ("score", "parquet", ""),
    ("score", "arrow", ""),
    ("score --no-header", "csv", "--no-header"),
    ("validate --suggest 0", "jsonl", ""),
    ("validate --suggest 0", "json", ""),
    ("validate --suggest 0", "txt", ""),
    ("hash", "txt", ""),
    ("positions", "parquet", ""),
    ("turns", "tables", ""),
    ("stats", "json", ""),
    ("dedupe", "jsonl", "--report"),
    ("dedupe", "jsonl.gz", "--report"),
    ("dedupe --no-validate --mirrored drop --prefixes drop", "jsonl", "--report"),
    ("dedupe --mirrored ignore --prefixes ignore --to yaml", "jsonl", "--report"),
]


def divide(hexrec: Run, command: str, folder: Path, suffix: str, parts: Path, *, count: int = COUNT) -> list[int]:
    parts.mkdir(exist_ok=True)
    names = ((number, parts / f"{number}.{suffix}") for number in range(1, count + 1))
    return [
        hexrec(*command.split(), folder, "-j1", "-o", file, "--shard", f"{number}/{count}").code
        for number, file in names
    ]


def content(output: Path) -> Any:
    """Return the bytes of a file, or the rows of the tables in a directory by their files."""
    if output.is_file():
        return output.read_bytes()
    files = sorted(output.rglob("*.parquet"))
    return [(file.relative_to(output), parquet.read_table(file, partitioning=None).to_pylist()) for file in files]


def totals(ran: Ran) -> list[str]:
    return [line for line in ran.err.splitlines() if " records " in line]


@pytest.mark.parametrize(("command", "suffix", "option"), DIVIDED)
def test_merged_parts_are_the_output_of_one_run(
    hexrec: Run, inputs: Path, tmp_path: Path, command: str, suffix: str, option: str
) -> None:
    """With the same totals and exit code."""
    games = [game for name in ("frasvel", "sunspot") for game in references(name)[:2]]
    games = [*games, *(cut(game, 5) for game in games), *(image(game, 3) for game in games), *games]
    (inputs / "k.jsonl").write_text("".join(json.dumps(game) + "\n" for game in games))
    suffix_of_records = "yaml" if "yaml" in command else suffix
    whole, merged = (tmp_path / f"{name}.{suffix_of_records}" for name in ("whole", "merged"))
    reports = [tmp_path / "whole.reported.jsonl", tmp_path / "merged.reported.jsonl"]
    options: list[list[Any]] = [["--report", report] for report in reports] if option == "--report" else [[], []]
    ran = hexrec(*command.split(), inputs, "-j1", "-o", whole, *options[0])
    codes = divide(hexrec, command, inputs, suffix, tmp_path / "parts")
    assert max(codes) == ran.code == 2  # some files cannot be read
    again = hexrec("merge", tmp_path / "parts", "-o", merged, *(options[1] or option.split()))
    assert (again.code, totals(again)) == (ran.code, totals(ran))
    assert content(merged) == content(whole) != []
    if option == "--report":
        assert reports[1].read_text() == reports[0].read_text() != ""


def test_statistics_are_folded_and_printed_when_they_are_merged(hexrec: Run, inputs: Path, tmp_path: Path) -> None:
    divide(hexrec, "stats", inputs, "json", tmp_path / "parts")
    whole = hexrec("stats", inputs, "-j1", "--fold")
    assert hexrec("merge", tmp_path / "parts", "--fold").out == whole.out


def test_equal_positions_keep_the_order_of_the_input(hexrec: Run, tmp_path: Path) -> None:
    """Parts are sorted by key, and equal keys are in several parts."""
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(6):
        (folder / f"{number}.jsonl").write_text(record(0) + record(4))
    divide(hexrec, "positions", folder, "parquet", tmp_path / "parts", count=3)
    assert hexrec("merge", tmp_path / "parts", "-o", tmp_path / "merged.parquet").code == 0
    rows = parquet.read_table(tmp_path / "merged.parquet").to_pylist()
    places = [(row["key"], row["file"], row["index"], row["ply"]) for row in rows]
    assert places == sorted(places) != []


def test_parts_that_do_not_make_a_run(hexrec: Run, inputs: Path, tmp_path: Path) -> None:
    """Each of them is named."""
    parts = tmp_path / "parts"
    parts.mkdir()

    def assert_refused(message: str) -> None:
        ran = hexrec("merge", parts, "-o", tmp_path / "merged.csv")
        assert (ran.code, ran.out) == (2, "")
        assert message in ran.err
        assert not (tmp_path / "merged.csv").exists()

    assert_refused(f"{parts}: no parts")
    divide(hexrec, "score", inputs, "csv", parts)
    for number in (1, 3):
        (parts / f"{number}.csv.hexrec-part").unlink()
    assert_refused("2 shards of 3 missing (1, 3)")
    divide(hexrec, "score", inputs, "csv", parts)
    (parts / "3.csv").write_text("cut off")
    assert_refused("missing, or not as it was written: 3.csv")
    (parts / "3.csv").unlink()
    assert_refused("missing, or not as it was written: 3.csv")
    hexrec("score", inputs, "-j1", "-o", parts / "3.csv", "--shard", "3/3", "--ignore", "move/")
    assert_refused("another run wrote 3.csv (compare selection)")
    hexrec("score", inputs, "-j1", "-o", parts / "3.csv", "--shard", "3/3")
    hexrec("score", inputs, "-j1", "-o", parts / "copy.csv", "--shard", "3/3")
    assert_refused("the same shard twice: 3.csv, copy.csv")
    (parts / "copy.csv.hexrec-part").write_text("{")
    assert_refused("copy.csv.hexrec-part: not the manifest of a part: remove it")


def test_tables_that_miss_a_file(hexrec: Run, inputs: Path, tmp_path: Path) -> None:
    """Complete parts are a data set as they are, and are then only checked."""
    parts = tmp_path / "parts"
    divide(hexrec, "turns", inputs, "tables", parts, count=2)
    before = content(parts)
    whole = hexrec("merge", parts)
    assert (whole.code, whole.out, content(parts)) == (2, "", before)  # some files cannot be read
    assert len(totals(whole)) == 1
    assert hexrec("merge", parts, "-o", tmp_path / "merged").code == 2
    again = hexrec("merge", parts, "-o", tmp_path / "merged")
    assert "has tables already: --force overwrites them" in again.err
    next(parts.glob("2.tables/turns/*/*/*.parquet")).unlink()
    assert "missing, or not as it was written: 2.tables: run these shards again" in hexrec("merge", parts).err
    (parts / "2.tables.hexrec-part").unlink()
    assert "1 shard of 2 missing (2)" in hexrec("merge", parts).err


def test_a_part_of_another_input_is_foreign(hexrec: Run, inputs: Path, tmp_path: Path) -> None:
    divide(hexrec, "hash", inputs, "txt", tmp_path / "parts")
    (inputs / "more.jsonl").write_text(record(0))
    hexrec("hash", inputs, "-j1", "-o", tmp_path / "parts/2.txt", "--shard", "2/3")
    ran = hexrec("merge", tmp_path / "parts")
    assert (ran.code, ran.out) == (2, "")
    assert "another run wrote 2.txt (compare size)" in ran.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("dedupe", "--shard", "1/2"), "give -o for the parts"),
        (("dedupe", "--shard", "1/2", "-o", "a.jsonl", "--check"), "--check writes no records"),
        (("dedupe", "--shard", "1/2", "-o", "a.jsonl", "--report", "b.jsonl"), "duplicates are known when"),
        (("stats", "--shard", "1/2", "--fold"), "hexrec merge draws, folds and prints"),
    ],
)
def test_what_only_the_merge_can_do(hexrec: Run, tmp_path: Path, arguments: tuple[str, ...], message: str) -> None:
    (tmp_path / "in.jsonl").write_text(record(0))
    command, *options = arguments
    ran = hexrec(command, tmp_path / "in.jsonl", *options)
    assert ran.code == 2
    assert message in " ".join(ran.err.split())
