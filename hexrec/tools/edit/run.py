"""Run of `fmt` or `fix` over files: edits, messages, totals and exit code."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import Any, BinaryIO, cast

from hexrec import formats
from hexrec.formats.base import Document
from hexrec.io.compression import CompressionError, decompress_stream
from hexrec.io.discovery import STANDARD_INPUT, Discovery, Source, unreadable
from hexrec.io.stamps import InputChanged, stamp
from hexrec.tools.edit.diff import unified_diff
from hexrec.tools.edit.editor import EditError, EditorBug, Segment
from hexrec.tools.edit.fixes import Fix, Fixer
from hexrec.tools.edit.in_place import NotEdited, OutOfReach, edit_stream, replace, resolve_file
from hexrec.util import internal_error
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.streams import OutputLost, prepend
from hexrec.validation.report import NOT_VALIDATED, UNREADABLE, add_internal_error, new_report
from hexrec.validation.summary import Outcomes, count_of

#: The outcomes of records, in addition to those that a run names.
UNCHANGED, LEFT = "unchanged", "skipped"
#: The maximum number of bytes of an edited file, and of stdin, in memory; larger ones go to a temporary file.
_IN_MEMORY = 2**23


@dataclass
class _FileResult:
    """The result of one file.

    Attributes:
        outcomes: the number of records by outcome.
        waiting: the outcomes of the records in the current segment, if it changes.
        message, more: the message on the first changed record, if any, and the number of further changed records.
        changed: whether the file changes.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    waiting: list[str] = field(default_factory=list)
    message: str = ""
    more: int = 0
    changed: bool = False


@dataclass
class EditRun:
    """One run over some paths. Stdin is edited to stdout.

    Attributes:
        say, report: the functions that print messages and diagnostics.
        fixer: returns the change to a record.
        verb: the participle for changed records in the summary.
        failing: the words for records that cannot be edited in the summary.
        dry: whether to write no file.
        diff: whether to print a unified diff.
        canonical: whether changed records in JSON get their canonical form.
        describe: returns the message on a changed record, printed once per file; empty for no message.
        follow_links: whether to follow symbolic links that leave the given directories.
        changing: `verb`, in the future tense if nothing is written.
        summary: the outcomes of the records.
        changed: the names of changed files, or of files that would change.
        broken: whether any record or file could not be edited.
        failed: whether an input or output failed, or an internal error occurred.
    """

    say: Callable[[str], object]
    report: Callable[..., object]
    fixer: Fixer
    verb: str
    failing: str
    dry: bool
    diff: bool
    canonical: bool
    describe: Callable[[Fix], str] = lambda _: ""
    follow_links: bool = False
    changing: str = field(init=False)
    summary: Outcomes = field(init=False)
    changed: list[str] = field(default_factory=list)
    broken: bool = False
    failed: bool = False
    _done: set[Path] = field(default_factory=set)
    _archives: set[str | None] = field(default_factory=set)
    _dialects: dict[str, tuple[int, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.changing = f"to be {self.verb}" if self.dry else self.verb
        names = dict.fromkeys((self.changing, UNCHANGED, self.failing, LEFT))
        self.summary = Outcomes(tuple(names), rare=() if self.failing == LEFT else (LEFT,))

    @property
    def exit_code(self) -> int:
        """2 after a failure of an input or output or an internal error, else 1 if a record stays invalid, else 0."""
        return 2 if self.failed else 1 if self.broken else 0

    def over(self, paths: Iterable[str], format: str | None) -> Iterator[Discovery]:
        """Edit the files of some paths, yielding the discovery of each path when its files are done.

        An error in one file does not affect the others.
        """
        for path in paths:
            discovery = Discovery([path], format, follow_links=self.follow_links)
            folder = path if path != STANDARD_INPUT and os.path.isdir(path) else None
            for found in discovery:
                if isinstance(found, Source):
                    self._edit_source(found, folder)
                elif found.code == UNREADABLE:
                    self._unread(found)
                else:
                    self._find(found)
                    self._count(Counter({self.failing: 1}))
            yield discovery
        for title, (count, first) in self._dialects.items():
            records = count_of(count, "record is", "records are")
            example = first if count == 1 else f"{first}, …"
            self.say(f"{records} left in the format of {title}, which is not edited ({example}): see hexrec convert")

    def _edit_source(self, found: Source, folder: str | None) -> None:
        here = _FileResult()
        try:
            if found.name == STANDARD_INPUT:
                self._filter(found, here)
            else:
                path = resolve_file(found, folder, follow_links=self.follow_links)
                if path in self._done:
                    return
                self._done.add(path)
                self._change_file(found, path, here)
        except OutOfReach as reason:
            if found.archive is None or found.archive not in self._archives:
                self.say(f"skipped {found.archive or found.name}: {reason}")
            self._archives.add(found.archive)
            self.failed = self.failed or folder is None
        except (InputChanged, OutputLost):
            raise
        except NotEdited as reason:
            self._leave(here, found.name, f"skipped: {reason}")
        except EditError as reason:
            self._leave(here, found.name, f"skipped: {reason}", broken=not isinstance(reason, EditorBug))
        except CompressionError as error:
            self._unread(unreadable(found.name, error))
            if here.outcomes or here.waiting:
                self._leave(here, found.name)
        except OSError as error:
            self._leave(here, found.name, f"cannot be changed: {error.strerror or error}")
        except Exception as error:
            self._find(internal_error.diagnostic(error, "file").at(file=found.name))
            self._leave(here, found.name)
        else:
            self._count(here.outcomes)
            if here.changed:
                self.changed.append(found.name)
                self.summary.written += not self.dry
                if here.message:
                    self.say(here.message + (f"; and {count_of(here.more, 'record')} more" if here.more else ""))

    def _leave(self, here: _FileResult, name: str, reason: str = "", *, broken: bool = False) -> None:
        """Print the reason for skipping a file, and count its records as such."""
        if reason:
            self.say(f"{name}: {reason}")
        self.broken = self.broken or broken
        self.failed = self.failed or not broken
        here.outcomes += Counter(here.waiting)
        here.outcomes[LEFT] += here.outcomes.pop(self.changing, 0)
        if not here.outcomes.total():
            here.outcomes[LEFT] += 1
        self._count(here.outcomes)

    def _count(self, outcomes: Counter[str]) -> None:
        self.summary.files += outcomes.total() > 0
        self.summary.records += outcomes

    def _change_file(self, found: Source, path: Path, here: _FileResult) -> None:
        try:
            raw = open(path, "rb")  # noqa: SIM115
        except OSError as error:
            self._unread(unreadable(found.name, error))
            return
        # The file system of the file is the most likely to have space for the edited copy.
        with raw, SpooledTemporaryFile(_IN_MEMORY, dir=str(path.parent) if not self.dry else None) as spooled:
            before, made = stamp(raw), cast(BinaryIO, spooled)
            stream = decompress_stream(raw)
            self._edit(found, stream, made, here)
            if here.changed and not self.dry:
                replace(path, made, before, was_compressed=stream is not raw)

    def _filter(self, found: Source, here: _FileResult) -> None:
        """Edit stdin to stdout. Copy the input unchanged if it cannot be edited."""
        with SpooledTemporaryFile(_IN_MEMORY) as given, SpooledTemporaryFile(_IN_MEMORY) as made:
            copyfileobj(sys.stdin.buffer, given)
            given.seek(0)
            try:
                self._edit(found, decompress_stream(prepend(b"", cast(BinaryIO, given))), cast(BinaryIO, made), here)
            except Exception:
                self._put_out(given)
                raise
            self._put_out(made)

    def _put_out(self, spooled: Any) -> None:
        if not self.dry:
            spooled.seek(0)
            copyfileobj(spooled, sys.stdout.buffer)
            sys.stdout.flush()  # raise errors of stdout before the summary

    def _edit(self, found: Source, stream: BinaryIO, made: BinaryIO, here: _FileResult) -> None:
        """Write the edited file to `made`, print the diff if requested, and count the outcomes."""

        def segments() -> Iterator[Segment]:
            change = partial(self._change, found.name, here)
            for segment in edit_stream(found, stream, made, change, canonical=self.canonical):
                for outcome in here.waiting:
                    stays = outcome == self.changing and not segment.changed
                    here.outcomes[UNCHANGED if stays else outcome] += 1
                here.waiting.clear()
                here.changed = here.changed or segment.changed
                yield segment

        if self.diff:
            sys.stdout.buffer.writelines(unified_diff(segments(), found.name))
        else:
            for _ in segments():
                pass

    def _change(self, name: str, here: _FileResult, document: Document) -> dict[str, Any] | None:
        """Return the new data of the next record of a file, and print diagnostics and messages on it."""
        index = here.outcomes.total() + len(here.waiting)
        place = f"{name}: record {index}"
        format = formats.dialect_of(document)
        try:
            fix = self.fixer(formats.translate(document) if format else document, name, index)
        except MemoryError:
            raise
        except Exception as error:
            fix = Fix(diagnostics=add_internal_error(new_report(document, name, index), error).diagnostics)
        reasons = fix.diagnostics or (fix.fixed if format else ())
        if reasons:
            self._find(*reasons)
            here.waiting.append(self.failing)
        elif fix.data is None:
            here.waiting.append(UNCHANGED)
        elif format is not None:
            here.waiting.append(LEFT)
            count, first = self._dialects.get(format.title, (0, place))
            self._dialects[format.title] = count + 1, first
        else:
            here.waiting.append(self.changing)
            where = name if fix.line is None else f"{name}:{fix.line}"
            if fix.warning:
                self.say(f"{where}: record {index}: check this repair: {fix.warning}")
            elif here.message:
                here.more += 1
            elif description := self.describe(fix):
                here.message = f"{where}: record {index}: {description}"
            return fix.data
        return None

    def _unread(self, diagnostic: Diagnostic) -> None:
        """Report an input that could not be read."""
        self._find(diagnostic)
        self.summary.unreadable += 1

    def _find(self, *diagnostics: Diagnostic) -> None:
        """Report the reasons why a record or a file cannot be edited."""
        self.report(*diagnostics)
        if any(diagnostic.code in NOT_VALIDATED for diagnostic in diagnostics):
            self.failed = True
        else:
            self.broken = True
