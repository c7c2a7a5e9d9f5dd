"""Chunks of inputs that are tried without counting branches, what is kept of them, and the page that counts them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz import counts, plain
from tests.fuzz.target import ROOM, Target
from tests.fuzz.targets import TARGETS


@pytest.mark.parametrize("name", ["hgn", "baseline"])
def test_a_chunk_is_the_same_each_time_and_unlike_the_next(name: str, tmp_path: Path) -> None:
    given = plain.corpus(name, tmp_path)
    first, again, following = (list(plain.chunk(name, given, number, 40)) for number in (0, 0, 1))
    assert first == again
    assert first != following


def test_what_atheris_has_found_is_mutated_and_changes_the_digest(tmp_path: Path) -> None:
    without = plain.corpus("hgn", tmp_path)
    found = b"found"
    (tmp_path / "found").write_bytes(found)
    (tmp_path / "seed-0").write_bytes(without.inputs[1])
    (tmp_path / "too-long").write_bytes(bytes(plain.LONGEST + 1))
    with_found = plain.corpus("hgn", tmp_path)
    assert with_found.inputs == sorted([*without.inputs, found], key=lambda data: (len(data), data))
    assert with_found.digest != without.digest


@pytest.fixture
def small_chunks(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[str]:
    """Chunks are of five inputs; the options that have a run leave its files in the test's folder."""
    monkeypatch.setattr(plain, "CHUNK", 5)
    return ["--corpus", str(tmp_path / "corpus"), "--counts", str(tmp_path / "counts.json")]


def test_counts_of_runs_add_up_to_what_was_asked_for(small_chunks: list[str], tmp_path: Path) -> None:
    for most in (10, 20):
        assert plain.main([*small_chunks, "--most", str(most), "3600", "baseline", "configuration"]) == 0
    counted = counts.read(tmp_path / "counts.json")
    assert [counts.inputs(counted, name) for name in ("baseline", "configuration")] == [20, 20]
    (run,) = counted["baseline"]
    assert (run.first, run.chunks, run.inputs, run.broken) == (0, 4, 20, 0)


def test_another_corpus_is_another_run_from_the_next_chunk_on(small_chunks: list[str], tmp_path: Path) -> None:
    plain.main([*small_chunks, "--most", "5", "3600", "baseline"])
    found = tmp_path / "corpus" / "baseline" / "found"
    found.parent.mkdir(parents=True)
    found.write_bytes(b"[]")
    plain.main([*small_chunks, "--most", "10", "3600", "baseline"])
    runs = counts.read(tmp_path / "counts.json")["baseline"]
    assert [(run.first, run.chunks) for run in runs] == [(0, 1), (1, 1)]


def test_an_input_that_breaks_a_promise_is_kept_and_can_be_made_again(
    small_chunks: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    tried: list[bytes] = []

    def run(data: bytes) -> None:
        tried.append(data)
        assert len(tried) % 3, "the third"

    monkeypatch.setitem(TARGETS, "third", Target(run, lambda: [b"abc"]))
    assert plain.main([*small_chunks, "3600", "third"]) == 1
    kept = tmp_path / "corpus" / "third-plain-0-2"
    assert kept.read_bytes() == tried[2]
    assert "the third" in capsys.readouterr().err
    (run_of_it,) = counts.read(tmp_path / "counts.json")["third"]
    assert (run_of_it.inputs, run_of_it.broken) == (3, 1)
    kept.unlink()
    assert plain.main([*small_chunks, "--again", "0", "3600", "third"]) == 1
    assert kept.read_bytes() == tried[2]


def test_one_input_of_each_kind_gets_all_that_a_target_does(monkeypatch: pytest.MonkeyPatch) -> None:
    whole: list[bytes] = []
    monkeypatch.setattr(plain, "WHOLE", 1_000)
    monkeypatch.setitem(TARGETS, "kinds", Target(whole.append, lambda: [b"abc"], kind=lambda data: len(data) % 2))
    list(plain.chunk("kinds", plain.Corpus([b"abc"], ""), 0, 50))
    assert sorted(len(data) % 2 for data in whole) == [0, 1]


def test_an_input_that_takes_too_much_memory_is_found_in_its_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain, "peak", iter([0, ROOM + 1]).__next__)
    seen: list[bytes] = []

    def run(data: bytes) -> None:
        if data not in seen:
            seen.append(data)
        bytearray(2 * ROOM if data == seen[3 % len(seen)] and len(seen) > 3 else 1).clear()

    monkeypatch.setitem(TARGETS, "large", Target(run, lambda: [b"abc" * 40]))
    with pytest.raises(plain.BrokenPromise) as found:
        list(plain.chunk("large", plain.corpus("large", Path("none")), 0, 5))
    assert found.value.index == 3
    assert found.value.data == seen[3]


def test_targets_that_there_are_not_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        plain.main(["1", "jsn"])
    assert ended.value.code == 2
    assert "no targets: jsn; there are " in capsys.readouterr().err


def test_the_page_has_the_counts() -> None:
    text = counts.PAGE.read_text("utf-8")
    assert counts.table(counts.read(counts.COUNTED)) in text
    assert counts.page(text, counts.read(counts.COUNTED)) == text
