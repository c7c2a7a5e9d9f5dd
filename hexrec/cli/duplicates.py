"""Written records and reported duplicates of `hexrec dedupe`, also of its merged parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from functools import lru_cache
from pathlib import Path

from hexrec.cli import outputs
from hexrec.cli.console import echo_diagnostics, echo_totals
from hexrec.io.discovery import STANDARD_INPUT
from hexrec.output import to_text
from hexrec.tools.convert import Conversion
from hexrec.tools.dedupe import Duplicate, SortedGames
from hexrec.validation.report import Summary


def write_unique(
    games: SortedGames, conversion: Conversion | None, target: Path | None, report: Path | None, summary: Summary
) -> int:
    """Write the records to keep, and their duplicates to a report or else to stderr. Return the exit code.

    Without a conversion, write no records. Failures of hexrec are added to the totals.
    """
    counts: Counter[bool] = Counter()
    done = "dropped" if conversion else "would be dropped"
    with outputs.text(report) if report else nullcontext() as lines:

        def log(duplicate: Duplicate) -> None:
            counts[duplicate.dropped] += 1
            if lines:
                lines.write(_entry(duplicate))
            else:
                place = f"{duplicate.file or STANDARD_INPUT}: record {duplicate.record}"
                echo_totals(f"{place}: {done if duplicate.dropped else 'kept'}: {duplicate.statement}")

        def texts() -> Iterator[str]:
            for text, about in games.decide(log):
                if about is not None:
                    echo_diagnostics(*about.diagnostics)
                    summary.failed += about.failed
                if text is not None:
                    yield text

        written = outputs.join_texts(map(conversion.joiner(), texts()), target) if conversion else len([*texts()])
    dropped = counts[True]
    wrong = summary.records - written - dropped if conversion else dropped
    totals = f"{written} of {summary.records} records written, {dropped} dropped, {wrong} left out"
    totals = f"{totals}; {counts[False]} reported and kept"
    echo_totals(totals if conversion else f"{dropped} of {summary.records} records would be dropped")
    return summary.exit_code or (1 if wrong else 0)


#: Returns a string as JSON. Most records of an archive are in the same few files.
_quote = lru_cache(maxsize=1024)(to_text)


def _entry(duplicate: Duplicate) -> str:
    """Return the line of a duplicate in a report."""
    mirrored, dropped = ("true" if flag else "false" for flag in (duplicate.mirrored, duplicate.dropped))
    return (
        f'{{"file": {_quote(duplicate.file)}, "record": {duplicate.record}, '
        f'"kind": "{"beginning" if duplicate.prefix else "same"}", "mirrored": {mirrored}, "dropped": {dropped}, '
        f'"of": {{"file": {_quote(duplicate.other_file)}, "record": {duplicate.other_record}}}}}\n'
    )
