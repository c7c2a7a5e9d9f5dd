"""One run of `fmt` or `fix` over files: which records change, what is said of them, what the exit code is."""

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
from hexrec.io.compression import CompressionError, decompressed
from hexrec.io.discovery import STANDARD_INPUT, Discovery, Source, unreadable
from hexrec.io.stamps import InputChanged, stamp
from hexrec.tools.edit.diff import unified
from hexrec.tools.edit.editor import EditError, EditorBug, Segment
from hexrec.tools.edit.fixes import Fix, Fixer
from hexrec.tools.edit.in_place import Mode, NotEdited, OutOfReach, edited, own_file, replace
from hexrec.util import internal_error
from hexrec.util.diagnostics import Diagnostic
from hexrec.util.streams import OutputLost, prepended
from hexrec.validation.report import NOT_JUDGED, UNREADABLE, failed, unjudged
from hexrec.validation.summary import Outcomes, counted

#: Says what should become of a document, given the name of its file and its index there.
#: What becomes of records, beside the names that a run has for it.
UNCHANGED, LEFT = "unchanged", "left as they are"
#: How many bytes of an edited text, and of standard input, are held in memory; more go to a temporary file.
_IN_MEMORY = 2**23


@dataclass
class _FileResult:
    """What becomes of one file and its records.

    Attributes:
        outcomes: how many records had each of the outcomes.
        waiting: the outcomes of the records whose text is being edited, for the case that it changes.
        message: what is said of the first record that changes, if anything, and how many more there are.
        changed: whether any of its text changes.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    waiting: list[str] = field(default_factory=list)
    message: str = ""
    more: int = 0
    changed: bool = False


@dataclass
class EditRun:
    """One run over some paths. Standard input is edited to standard output.

    Attributes:
        say, report: how messages and diagnostics are shown.
        mode: how the files are edited.
        fixer: what becomes of the records.
        verb: what is done to records that change, in the summary.
        failing: what the summary says of records that cannot be edited.
        dry: whether no file is written.
        diff: whether the changes are shown as a unified diff instead.
        describe: what to say of a record that changes; nothing if it is empty. It is said of one record a file.
        follow_links: whether files are changed to which links lead out of the folders given.
        changing: the same, for the future if nothing is written.
        summary: what became of the records.
        changed: the names of the files that are changed, or would be.
        broken: whether a record or a file could not be edited.
        failed: whether something could not be read or written, or hexrec was at fault.
    """

    say: Callable[[str], object]
    report: Callable[..., object]
    mode: Mode
    fixer: Fixer
    verb: str
    failing: str
    dry: bool
    diff: bool
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
        """2 if something could not be read or written or hexrec failed, else 1 if a record is left invalid, else 0."""
        return 2 if self.failed else 1 if self.broken else 0

    def over(self, paths: Iterable[str], format: str | None) -> Iterator[Discovery]:
        """Go over the files of some paths, yielding each path when its files are done.

        What goes wrong with one does not touch the others.
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
            records = counted(count, "record is", "records are")
            example = first if count == 1 else f"{first}, …"
            self.say(f"{records} left in the format of {title}, which is not edited ({example}): see hexrec convert")

    def _edit_source(self, found: Source, folder: str | None) -> None:
        here = _FileResult()
        try:
            if found.name == STANDARD_INPUT:
                self._filter(found, here)
            else:
                path = own_file(found, folder, follow_links=self.follow_links)
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
            self._leave(here, found.name, f"left as it is: {reason}")
        except EditError as reason:
            self._leave(here, found.name, f"left as it is: {reason}", broken=not isinstance(reason, EditorBug))
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
                    self.say(here.message + (f"; and {counted(here.more, 'record')} more" if here.more else ""))

    def _leave(self, here: _FileResult, name: str, reason: str = "", *, broken: bool = False) -> None:
        """Say why a file is left as it is, and count its records so."""
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
        # The file system of the file has room for the edited one, if any has.
        with raw, SpooledTemporaryFile(_IN_MEMORY, dir=str(path.parent) if not self.dry else None) as spooled:
            before, made = stamp(raw), cast(BinaryIO, spooled)
            stream = decompressed(raw)
            self._edit(found, stream, made, here)
            if here.changed and not self.dry:
                replace(path, made, before, was_compressed=stream is not raw)

    def _filter(self, found: Source, here: _FileResult) -> None:
        """Edit standard input: what comes out is all that was edited or, if that is not possible, all that came in."""
        with SpooledTemporaryFile(_IN_MEMORY) as given, SpooledTemporaryFile(_IN_MEMORY) as made:
            copyfileobj(sys.stdin.buffer, given)
            given.seek(0)
            try:
                self._edit(found, decompressed(prepended(b"", cast(BinaryIO, given))), cast(BinaryIO, made), here)
            except Exception:
                self._put_out(given)
                raise
            self._put_out(made)

    def _put_out(self, spooled: Any) -> None:
        if not self.dry:
            spooled.seek(0)
            copyfileobj(spooled, sys.stdout.buffer)
            sys.stdout.flush()  # what cannot be written is known before the run is summed up

    def _edit(self, found: Source, stream: BinaryIO, made: BinaryIO, here: _FileResult) -> None:
        """Write the edited text of a file to `made`, show the diff if that is asked for, and note the outcomes."""

        def segments() -> Iterator[Segment]:
            for segment in edited(found, stream, made, self.mode, partial(self._change, found.name, here)):
                for outcome in here.waiting:
                    stays = outcome == self.changing and not segment.changed
                    here.outcomes[UNCHANGED if stays else outcome] += 1
                here.waiting.clear()
                here.changed = here.changed or segment.changed
                yield segment

        if self.diff:
            sys.stdout.buffer.writelines(unified(segments(), found.name))
        else:
            for _ in segments():
                pass

    def _change(self, name: str, here: _FileResult, document: Document) -> dict[str, Any] | None:
        """Return the new data of the next record of a file, and report on it."""
        index = here.outcomes.total() + len(here.waiting)
        place = f"{name}: record {index}"
        format = formats.dialect_of(document)
        try:
            translate = format.dialect.translate if format and format.dialect else None
            fix = self.fixer(translate(document) if translate else document, name, index)
        except MemoryError:
            raise
        except Exception as error:
            fix = Fix(diagnostics=failed(unjudged(document, name, index), error).diagnostics)
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
            elif said := self.describe(fix):
                here.message = f"{where}: record {index}: {said}"
            return fix.data
        return None

    def _unread(self, diagnostic: Diagnostic) -> None:
        """Report an input that could not be read."""
        self._find(diagnostic)
        self.summary.unreadable += 1

    def _find(self, *diagnostics: Diagnostic) -> None:
        """Report why something cannot be edited."""
        self.report(*diagnostics)
        if any(each.code in NOT_JUDGED for each in diagnostics):
            self.failed = True
        else:
            self.broken = True
