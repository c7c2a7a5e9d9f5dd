"""Run of `fmt` or `fix` over files: edits, messages, totals and exit code."""

from __future__ import annotations

import os
import sys
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from hexrec import formats
from hexrec.cli import OUTPUT, flag
from hexrec.cli.console import echo_diagnostics, echo_totals, note, say
from hexrec.cli.inputs import Inputs, print_skipped
from hexrec.errors import reason_of
from hexrec.formats.base import Document
from hexrec.io.compression import CompressionError
from hexrec.io.discovery import STANDARD_INPUT, Discovery, Source, unreadable
from hexrec.rules.terms import pluralize
from hexrec.tools.edit.files import EditError, Segment
from hexrec.tools.edit.fixes import Fix, Fixer, select_records
from hexrec.tools.edit.in_place import OutOfReach, edit_copy, edit_file, resolve_file, unified_diff
from hexrec.util.diagnostics import Diagnostic, diagnose_error
from hexrec.util.streams import OutputLost
from hexrec.validation.report import NOT_VALIDATED, add_internal_error, new_report

#: The outcomes of records, in addition to those that a run names.
UNCHANGED, LEFT = "unchanged", "skipped"


@dataclass(eq=False, repr=False)
class _EditedFile:
    """A file of a run, and its result.

    Attributes:
        outcomes: the number of records by outcome.
        pending: the number of changed records in the current segment, if it changes.
        message, more: the message on the first changed record, if any, and the number of further changed records.
    """

    source: Source
    outcomes: Counter[str] = field(default_factory=Counter)
    pending: int = 0
    message: str = ""
    more: int = 0
    changed: bool = False


@dataclass(eq=False, repr=False)
class EditRun(Inputs):
    """A run that edits files in place, or stdin to stdout, by the options of a command."""

    check: bool = flag("--check", "Change nothing; exit with 1 if a file would change.", OUTPUT)
    diff: bool = flag("--diff", "Change nothing; print a diff.", OUTPUT)

    def edit(self, fixer: Fixer, *, verb: str, failing: str, canonical: bool = False) -> None:
        """Edit the files and print messages on them.

        Args:
            fixer: returns the change to a record.
            verb: the participle for changed records.
            failing: the words for records that cannot be edited in the summary.
            canonical: whether changed records in JSON get their canonical form, and the names of changed files are
                printed.
        """
        self._fixer = select_records(fixer, self.selected)
        self._failing = failing
        self._canonical = canonical
        self._dry = self.check or self.diff
        self._changing = f"to be {verb}" if self._dry else verb
        self._records: Counter[str] = Counter()
        self._exit_code = 0
        self._changed: list[str] = []
        self._done: set[Path] = set()
        self._archives: set[str | None] = set()
        self._dialects: dict[str, tuple[int, str]] = {}
        for path in self.paths:
            discovery = Discovery([path], self.source_format, follow_links=self.follow_links)
            folder = path if path != STANDARD_INPUT and os.path.isdir(path) else None
            for source in discovery:
                if isinstance(source, Source):
                    self._edit_source(source, folder)
                else:
                    self._report_unreadable(source)
            print_skipped(discovery)
        for title, (count, first) in self._dialects.items():
            records = pluralize(count, "record is", "records are")
            example = first if count == 1 else f"{first}, …"
            note(f"{records} left in the format of {title}, which is not edited ({example}): see hexrec convert")
        for name in self._changed if canonical else ():
            note(f"{'would change' if self._dry else 'changed'}: {name}")
        self.print_unmatched()

    def finish(self) -> NoReturn:
        """Print the totals and exit: 2 if an input or output failed or hexrec did, 1 if a record was not edited."""
        names = (self._changing, UNCHANGED, self._failing, *([LEFT] if self._records[LEFT] else ()))
        end = "nothing written" if self._dry else f"{pluralize(len(self._changed), 'file')} written"
        outcomes = {name: self._records[name] for name in names}
        echo_totals(self.summary.line_of(outcomes, end))
        raise SystemExit(max(self._exit_code, 1 if self.check and self._changed else 0))

    def _edit_source(self, source: Source, folder: str | None) -> None:
        here = _EditedFile(source)
        try:
            segments = self._count_changes(here, self._segments(here, folder))
            if self.diff:
                sys.stdout.buffer.writelines(unified_diff(segments, source.name))
            else:
                deque(segments, 0)
        except OutOfReach as reason:
            if source.archive is None or source.archive not in self._archives:
                say(f"skipped {source.archive or source.name}: {reason}")
            self._archives.add(source.archive)
            if folder is None:
                self._exit_code = 2
        except OutputLost:
            raise
        except EditError as reason:
            self._leave(here, f"skipped: {reason}", 1 if type(reason) is EditError else 2)
        except CompressionError as error:
            self._report_unreadable(unreadable(source.name, error))
            if here.outcomes.total():
                self._leave(here)
        except OSError as error:
            self._leave(here, f"cannot be changed: {reason_of(error)}")
        except Exception as error:
            self._report(diagnose_error(error, "file").at(file=source.name))
            self._leave(here)
        else:
            self._count(here.outcomes)
            if here.changed:
                self._changed.append(source.name)
                if here.message:
                    note(here.message + (f"; and {pluralize(here.more, 'record')} more" if here.more else ""))

    def _leave(self, here: _EditedFile, reason: str = "", code: int = 2) -> None:
        """Print the reason for skipping a file, and count its records as such."""
        if reason:
            say(f"{here.source.name}: {reason}")
        self._exit_code = max(self._exit_code, code)
        here.outcomes[LEFT] += here.outcomes.pop(self._changing, 0)
        if not here.outcomes.total():
            here.outcomes[LEFT] += 1
        self._count(here.outcomes)

    def _count(self, outcomes: Counter[str]) -> None:
        self.summary.files += outcomes.total() > 0
        self._records += outcomes

    def _segments(self, here: _EditedFile, folder: str | None) -> Iterator[Segment]:
        """Yield the segments of a file while it is edited; none if it was edited before. Raises OSError, EditError."""
        source, change = here.source, partial(self._change, here)
        if source.name == STANDARD_INPUT:
            out = None if self._dry else sys.stdout.buffer
            yield from edit_copy(source, sys.stdin.buffer, out, change, canonical=self._canonical)
            return
        path = resolve_file(source, folder, follow_links=self.follow_links)
        if path in self._done:
            return
        self._done.add(path)
        try:
            raw = open(path, "rb")  # noqa: SIM115
        except OSError as error:
            self._report_unreadable(unreadable(source.name, error))
            return
        with raw:
            yield from edit_file(source, path, raw, change, canonical=self._canonical, dry=self._dry)

    def _count_changes(self, here: _EditedFile, segments: Iterable[Segment]) -> Iterator[Segment]:
        """Yield segments, and count the outcomes of their records."""
        for segment in segments:
            if not segment.changed:
                here.outcomes.update({self._changing: -here.pending, UNCHANGED: here.pending})
            here.pending = 0
            here.changed = here.changed or segment.changed
            yield segment

    def _change(self, here: _EditedFile, document: Document) -> dict[str, Any] | None:
        """Return the new data of the next record of a file, and print diagnostics and messages on it."""
        name, index = here.source.name, here.outcomes.total()
        place = f"{name}: record {index}"
        format = formats.dialect_of(document)
        try:
            fix = self._fixer(formats.translate(document) if format else document, name, index)
        except Exception as error:
            report = add_internal_error(new_report(document, name, index), error, memory=False)
            fix = Fix(diagnostics=report.diagnostics)
        reasons = fix.diagnostics or (fix.fixed if format else ())
        if reasons:
            for reason in reasons:
                # No option edits records in the format of another program: repairs remain, without hints at options.
                repairs = tuple(suggestion for suggestion in reason.suggestions if suggestion.edits or not format)
                self._report(reason.at(suggestions=repairs))
            here.outcomes[self._failing] += 1
        elif fix.data is None:
            here.outcomes[UNCHANGED] += 1
        elif format is not None:
            here.outcomes[LEFT] += 1
            count, first = self._dialects.get(format.title, (0, place))
            self._dialects[format.title] = count + 1, first
        else:
            here.outcomes[self._changing] += 1
            here.pending += 1
            where = name if fix.line is None else f"{name}:{fix.line}"
            for text in fix.notes:
                note(f"{where}: record {index}: {text}")
            if fix.summary and here.message:
                here.more += 1
            elif fix.summary:
                here.message = f"{where}: record {index}: {fix.summary}"
            return fix.data
        return None

    def _report_unreadable(self, diagnostic: Diagnostic) -> None:
        self._report(diagnostic)
        self.summary.unreadable += 1

    def _report(self, diagnostic: Diagnostic) -> None:
        """Report the reason why a record or a file cannot be edited."""
        echo_diagnostics(diagnostic)
        self._exit_code = max(self._exit_code, 2 if diagnostic.code in NOT_VALIDATED else 1)
