"""`hexrec dedupe`: each game once; the others reported."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import Annotated, Any, BinaryIO, NoReturn, TypeVar

import typer

from hexrec.check import Report, check_sources
from hexrec.cli.console import echo
from hexrec.cli.options import (
    FollowLinks,
    Force,
    From,
    LeaveOutInvalid,
    Paths,
    To,
    fail,
    join,
    one_of,
    output,
    refuse_to_overwrite,
    reserved,
    say_findings,
    say_skipped,
)
from hexrec.convert.conversion import Conversion, Converted
from hexrec.dedup.filter import Repeat, Sieve
from hexrec.diagnostics import Diagnostic
from hexrec.escaping import visible_name
from hexrec.files.discovery import STANDARD_INPUT, Discovery, Source, notation_of
from hexrec.files.stamps import Stamps
from hexrec.reporters import Summary

T = TypeVar("T")


def command(
    paths: Paths,
    to: To = None,
    target: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="OUT", help="Write to a file; it appears whole or not at all."),
    ] = None,
    mirrored: Annotated[
        bool, typer.Option("--mirrored", help="Drop games that are turned or mirrored too, not only report them.")
    ] = False,
    prefixes: Annotated[
        str,
        typer.Option(
            "--prefixes",
            metavar="HOW",
            callback=one_of(("report", "drop", "ignore")),
            help="What to do with a game that stops where another goes on: report it, drop it too if its record has no "
            "result (all is read twice), or ignore it (which is quicker).",
        ),
    ] = "report",
    report: Annotated[
        Path | None,
        typer.Option(
            "--report", metavar="FILE", help="Write what is found to a file as JSON Lines, not to the terminal."
        ),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Write no records; exit with 1 if one would be dropped.")
    ] = False,
    validate: LeaveOutInvalid = True,
    force: Force = False,
    notation: From = None,
    follow_links: FollowLinks = False,
) -> None:
    """Write each game once: the first of those that are the same; report the others.

    Games are the same if game, rules, board, opening and all turns are. Exit code: 0 all written or dropped, 1 a record
    was left out or is invalid, or would be dropped (--check), 2 an input could not be read at all.
    """
    to = to or (notation_of(target) if target else None)
    if check and target:
        raise typer.BadParameter("--check writes no records", param_hint="-o")
    if not check and to is None:
        raise typer.BadParameter("say which notation to write", param_hint="--to")
    if target and target.is_dir():
        raise typer.BadParameter(f"{target} is a folder", param_hint="-o")
    if target and report and target.resolve() == report.resolve():
        raise typer.BadParameter(f"{report}: twice the same file", param_hint="--report")
    twice = prefixes == "drop" and not check
    if twice and STANDARD_INPUT in paths:
        raise typer.BadParameter("standard input cannot be read twice: name a file", param_hint="--prefixes drop")
    summary = Summary()
    discovery = Discovery(paths, notation, follow_links=follow_links)
    stamps = Stamps()
    new_sieve = partial(Sieve, mirrored=mirrored, invalid=not validate)
    with (
        reserved(target),
        _reporting(report, "would be dropped" if check else "dropped") as told,
        _file_for_turns(prefixes != "ignore") as file,
    ):
        refuse_to_overwrite(target, force)
        survey = None
        shorter: set[int] = set()
        if twice:
            survey = new_sieve(lambda _: None, file=file)
            first = _stamped(Discovery(paths, notation, follow_links=follow_links), stamps)
            for _ in _guarded(survey.different(check_sources(first))):
                pass
            shorter = {number for number, found in _guarded(survey.beginnings(drop=True)) if told(found).dropped}
        sieve = new_sieve(told, file=None if twice else file)
        reports = _guarded(sieve.different(summary.count(check_sources(_stamped(discovery, stamps))), shorter))
        if survey:
            reports = _as_before(reports, sieve, survey)
        written = 0
        if check or to is None:
            for each in reports:
                say_findings(each)
        else:
            written = join(_said(Conversion(to, invalid=not validate).joined(reports), summary), target)
        if file and not twice:
            for _, found in _guarded(sieve.beginnings(drop=prefixes == "drop")):
                told(found)
    dropped = told.counts[True]
    if check:
        echo(f"{dropped} of {summary.records} records would be dropped")
        wrong = dropped
    else:
        wrong = summary.records - written - dropped
        sums = f"{written} of {summary.records} records written, {dropped} dropped, {wrong} left out"
        echo(f"{sums}; {told.counts[False]} reported and kept")
    say_skipped(discovery)
    raise typer.Exit(summary.exit_code or (1 if wrong else 0))


class _Told:
    """Says what is found and counts it, by whether it is dropped."""

    def __init__(self, say: Callable[[Repeat], object]) -> None:
        self.counts: Counter[bool] = Counter()
        self._say = say

    def __call__(self, found: Repeat) -> Repeat:
        self.counts[found.dropped] += 1
        self._say(found)
        return found


@contextmanager
def _reporting(file: Path | None, dropped: str) -> Iterator[_Told]:
    """Say what is found: as JSON Lines to a file or, without one, on standard error. `dropped` says what is done."""
    if file is not None:
        with output(file) as out:
            yield _Told(lambda found: out.write(json.dumps(_entry(found), ensure_ascii=False) + "\n"))
        return

    def say(found: Repeat) -> None:
        done = dropped if found.dropped else "kept"
        echo(f"{visible_name(found.file or STANDARD_INPUT)}: record {found.record}: {done}: {found.statement}")

    yield _Told(say)


def _entry(found: Repeat) -> dict[str, Any]:
    return {
        "file": found.file,
        "record": found.record,
        "kind": "beginning" if found.beginning else "same",
        "mirrored": found.mirrored,
        "dropped": found.dropped,
        "of": {"file": found.other_file, "record": found.other_record},
    }


@contextmanager
def _file_for_turns(wanted: bool) -> Iterator[BinaryIO | None]:
    if not wanted:
        yield None
        return
    try:
        # Not a context: on a full disk closing the file fails too, which matters no longer.
        file = TemporaryFile()  # noqa: SIM115
    except OSError as error:
        _no_room(error)
    try:
        yield file
    finally:
        with suppress(OSError):
            file.close()


def _guarded(found: Iterator[T]) -> Iterator[T]:
    """Pass on what a sieve gives. It reports itself what cannot be read: its errors are of the file for turns."""
    try:
        yield from found
    except OSError as error:
        _no_room(error)


def _no_room(error: OSError) -> NoReturn:
    fail(f"a temporary file for turns cannot be written: {error.strerror or error}")


def _stamped(found: Iterable[Source | Diagnostic], stamps: Stamps) -> Iterator[Source | Diagnostic]:
    """Pass sources on, as long as none differs from what it was in an earlier pass. Raises InputChanged."""
    for source in found:
        if isinstance(source, Source):
            stamps.check(source.archive or source.name)
        yield source


def _as_before(reports: Iterator[Report], sieve: Sieve, survey: Sieve) -> Iterator[Report]:
    """Pass reports on. If in the end the games are not those of the survey, no file takes its name."""
    yield from reports
    if sieve.fingerprint != survey.fingerprint:
        fail("an input was changed while it was read: nothing is certain of what was found")


def _said(converted: Iterable[Converted], summary: Summary) -> Iterator[Converted]:
    """Pass on what was converted, saying what was found; what hexrec failed on is added to the sums."""
    for each in converted:
        say_findings(each.report)
        summary.unreadable += each.report.unreadable
        yield each
