"""What `fmt` and `fix` have in common: the walk over files, what is said on the way, the exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copyfileobj
from tempfile import SpooledTemporaryFile
from typing import Any

from hexrec import internal_error
from hexrec.commands.console import echo_findings, say
from hexrec.commands.shared import say_skipped
from hexrec.diagnostics import Diagnostic
from hexrec.escaping import visible_name
from hexrec.formats.documents import Document
from hexrec.formats.editing import Change, EditError, Piece
from hexrec.formats.mending import NotMended, OpenFile, OutOfReach, Way, dialect, own_file, pieces
from hexrec.formats.packing import PackingError, unpacked
from hexrec.formats.sources import STANDARD_INPUT, Finder, Source, unreadable
from hexrec.reports.diff import unified
from hexrec.validation.crashes import NOT_JUDGED
from hexrec.validation.mending import Mended
from hexrec.validation.verdict import failed, unjudged

#: Says what should become of a document, given the name of its file and its index there.
Mend = Callable[[Document, str, int], Mended]


@dataclass
class Run:
    """One run over some paths. Standard input is edited to standard output.

    Attributes:
        way: how the files are edited.
        mend: what becomes of the records.
        write: whether files are written.
        diff: whether what is not written is shown as a unified diff.
        files: how many files there were.
        changed: the names of those that are changed, or would be.
        records, broken: how many records there were, and how many of them could not be mended.
        failed: whether something could not be read or written, or hexrec failed on it.
        follow_links: whether files are changed to which links lead out of the folders given.
    """

    way: Way
    mend: Mend
    write: bool
    diff: bool
    files: int = 0
    changed: list[str] = field(default_factory=list)
    records: int = 0
    broken: int = 0
    failed: bool = False
    follow_links: bool = False
    _done: set[Path] = field(default_factory=set)
    _archives: set[str | None] = field(default_factory=set)

    @property
    def exit_code(self) -> int:
        """2 if something could not be read or written or hexrec failed, else 1 if a record is left invalid, else 0."""
        return 2 if self.failed else 1 if self.broken else 0

    def over(self, paths: Iterable[str], notation: str | None, *, follow_links: bool = False) -> None:
        """Go over the files of some paths; what goes wrong with one does not touch the others."""
        self.follow_links = follow_links
        for path in paths:
            finder = Finder([path], notation, follow_links=follow_links)
            folder = path if path != STANDARD_INPUT and os.path.isdir(path) else None
            for found in finder:
                if isinstance(found, Diagnostic):
                    self._find(found)
                else:
                    self._mend(found, folder)
            say_skipped(finder)

    def _mend(self, found: Source, folder: str | None) -> None:
        try:
            changed = self._filter(found) if found.name == STANDARD_INPUT else self._change_file(found, folder)
        except OutOfReach as reason:
            if found.archive is None or found.archive not in self._archives:
                say(f"passed over {visible_name(found.archive or found.name)}: {reason}")
            self._archives.add(found.archive)
            self.failed = self.failed or folder is None
        except NotMended as reason:
            say(f"{visible_name(found.name)}: left as it is: {reason}")
            self.failed = True
        except EditError as reason:
            say(f"{visible_name(found.name)}: left as it is: {reason}")
            self.broken += 1
        except PackingError as error:
            self._find(unreadable(found.name, error))
        except OSError as error:
            say(f"{visible_name(found.name)}: cannot be changed: {error.strerror or error}")
            self.failed = True
        except Exception as error:
            self._find(internal_error.diagnostic(error, "file").at(file=found.name))
        else:
            if changed:
                self.changed.append(found.name)

    def _change_file(self, found: Source, folder: str | None) -> bool:
        path = own_file(found, folder, follow_links=self.follow_links)
        if path in self._done:
            return False
        self._done.add(path)
        self.files += 1
        try:
            file = OpenFile(path)
        except OSError as error:
            self._find(unreadable(found.name, error))
            return False
        with file:
            edited = pieces(found, file.stream, self.way, self._change(found.name))
            return file.write(edited) if self.write else self._show(edited, found.name)

    def _filter(self, found: Source) -> bool:
        """Edit standard input: what comes out does so whole or not at all."""
        self.files += 1
        edited = pieces(found, unpacked(sys.stdin.buffer), self.way, self._change(found.name))
        if not self.write:
            return self._show(edited, found.name)
        changed = False
        with SpooledTemporaryFile(max_size=2**23) as made:
            for piece in edited:
                made.write(piece.new)
                changed = changed or piece.old != piece.new
            made.seek(0)
            copyfileobj(made, sys.stdout.buffer)
        return changed

    def _show(self, edited: Iterator[Piece], name: str) -> bool:
        """Show what would change, if that is wished. Return whether anything would."""
        if not self.diff:
            return sum(piece.old != piece.new for piece in edited) > 0
        changed = False
        for text in unified(edited, name):
            sys.stdout.buffer.write(text)
            changed = True
        return changed

    def _change(self, name: str) -> Change:
        """Return what asks for the new data of the records of a file, one by one, and reports on them."""
        index = -1

        def change(document: Document) -> dict[str, Any] | None:
            nonlocal index
            index += 1
            self.records += 1
            if (notation := dialect(document)) is not None:
                place = f"{visible_name(name)}: record {index}"
                say(f"{place}: left as it is: records in the notation {notation} are not mended")
                return None
            try:
                mended = self.mend(document, name, index)
            except MemoryError:
                raise
            except Exception as error:
                mended = Mended(findings=failed(unjudged(document, name, index), error).diagnostics)
            if mended.findings:
                self._find(*mended.findings)
            return mended.data

        return change

    def _find(self, *findings: Diagnostic) -> None:
        """Report why something cannot be mended."""
        echo_findings(*findings)
        if any(finding.code in NOT_JUDGED for finding in findings):
            self.failed = True
        else:
            self.broken += 1
