from __future__ import annotations

import io
import re
import sys
import threading
from pathlib import Path

import pytest

from hexrec.cli.progress import Progress, total_size


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    return Clock()


def test_a_terminal_has_one_line_that_goes_away(clock: Clock) -> None:
    out = Terminal()
    progress = Progress(out, 4_000, clock)
    progress.add(100, 1, 10)
    assert out.getvalue() == ""
    clock.now += 2
    progress.add(1_900, 2, 990)
    assert "2,000 records, 1,000 a second, 3 invalid, 25 %, 0:06 left" in out.getvalue()
    shown = out.getvalue()
    progress.add(1, 0, 10)
    assert out.getvalue() == shown
    progress.end()
    # The line is erased and the cursor is there again.
    assert out.getvalue().endswith("\x1b[2K")
    assert out.getvalue().rindex("\x1b[?25h") > len(shown)


def test_a_log_has_a_line_now_and_then(clock: Clock) -> None:
    out = io.StringIO()
    progress = Progress(out, None, clock)
    for _ in range(40):
        clock.now += 1
        progress.add(10, 0, 10)
    progress.end()
    assert out.getvalue() == (
        "hexrec: 150 records, 10 a second, 0 invalid\nhexrec: 300 records, 10 a second, 0 invalid\n"
    )


def test_a_terminal_that_cannot_draw_has_the_lines_of_a_log(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "dumb")
    out = Terminal()
    progress = Progress(out, None, clock)
    clock.now += 15
    progress.add(150, 0, 10)
    progress.end()
    assert out.getvalue() == "hexrec: 150 records, 10 a second, 0 invalid\n"


def test_what_was_done_before_does_not_count_as_fast(clock: Clock) -> None:
    out = Terminal()
    progress = Progress(out, 3_000, clock)
    progress.add(1_000, 0, 1_000, before=True)
    clock.now += 10
    progress.add(1_000, 0, 1_000)
    assert "2,000 records, 100 a second, 0 invalid, 66 %, 0:10 left" in out.getvalue()


def test_long_runs(clock: Clock) -> None:
    out = Terminal()
    progress = Progress(out, 10_000, clock)
    clock.now += 60
    progress.add(1, 0, 100)
    assert "1 %, 1:39:00 left" in out.getvalue()


def test_the_total_is_known_of_plain_files_only(tmp_path: Path) -> None:
    one, other, compressed = (tmp_path / name for name in ("a.jsonl", "b.yaml", "c.jsonl.gz"))
    for path in (one, other, compressed):
        path.write_text("1234")
    assert total_size([str(one), str(other)]) == 8
    for unknown in (str(compressed), str(tmp_path), str(tmp_path / "none.json"), "-"):
        assert total_size([str(one), unknown]) is None


@pytest.mark.parametrize("total", [1_000, None])
def test_the_line_has_a_bar_as_wide_as_the_terminal(
    clock: Clock, monkeypatch: pytest.MonkeyPatch, total: int | None
) -> None:
    """With a total; it is drawn when there is something new, by nobody else, and nothing is taken from others."""
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setattr(sys, "stderr", Terminal())
    out = Terminal()
    progress = Progress(out, total, clock)
    clock.now += 0.5
    before = sys.stdout, sys.stderr, threading.active_count()
    progress.add(10, 1, 250)
    assert (sys.stdout, sys.stderr, threading.active_count()) == before
    clock.now += 0.25
    progress.add(5, 0, 250)
    progress.end()
    drawn = re.sub(r"\x1b\[[0-9;]*m|\x1b\[[?]25[lh]", "", out.getvalue())
    frames = [frame for frame in re.split(r"\r(?:\x1b\[1A)?\x1b\[2K", drawn.replace("\n", "")) if frame]
    texts = ["10 records, 20 a second, 1 invalid", "15 records, 20 a second, 1 invalid"]
    if total is None:
        assert list(dict.fromkeys(frames)) == [f"{text:<80}" for text in texts]
    else:
        texts = [f"{text}, {share}" for text, share in zip(texts, ("25 %, 0:02 left", "50 %, 0:01 left"), strict=True)]
        empty, *begun = dict.fromkeys(frames)
        assert empty == f"{texts[0]} {'━' * 28}"
        assert begun == [f"{texts[0]} {'━' * 7}╺{'━' * 20}", f"{texts[1]} {'━' * 14}╺{'━' * 13}"]


@pytest.mark.parametrize("name", ["dumb", "unknown"])
def test_terminals_that_can_only_write_lines(clock: Clock, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv("TERM", name)
    out = Terminal()
    progress = Progress(out, None, clock)
    clock.now += 15
    progress.add(150, 0, 10)
    assert out.getvalue() == "hexrec: 150 records, 10 a second, 0 invalid\n"


@pytest.mark.parametrize(
    ("total", "size", "shown"),
    [
        (1_000, 999, "99 %, 0:00 left"),
        (1_000, 1_000, "99 %, 0:00 left"),
        (1_000, 2_000, "99 %, 0:00 left"),
        (1_000, 15, "1 %, 16:25 left"),
        (1, 1, "99 %, 0:00 left"),
    ],
)
def test_a_run_is_never_said_to_be_done(clock: Clock, total: int, size: int, shown: str) -> None:
    out = io.StringIO()
    progress = Progress(out, total, clock)
    clock.now += 15
    progress.add(15, 0, size)
    assert out.getvalue() == f"hexrec: 15 records, 1 a second, 0 invalid, {shown}\n"


def test_what_an_earlier_run_has_done_takes_no_time(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexrec.cli.progress._IN_LOG", (0.0, 15.0))
    out = io.StringIO()
    progress = Progress(out, 1_000, clock)
    progress.add(15, 2, 500, before=True)
    assert out.getvalue() == "hexrec: 15 records, 0 a second, 2 invalid\n"
    progress = Progress(out, 1_000, clock)
    progress.add(15, 2, 500)
    assert out.getvalue().endswith("\nhexrec: 15 records, 0 a second, 2 invalid, 50 %, 0:00 left\n")
