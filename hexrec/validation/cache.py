"""Verdicts kept between runs, by what was in the file, the version of the program and the options.

The cache is a folder with one file for the verdicts on one file of records: a line of JSON a record, and a signature.
Nothing in it depends on the name of the file of records. What cannot be read from a cache, or written to it, is worked
out anew: a cache is never the reason that a run fails.

Names and signatures are made with a key that is kept in a folder of this user's, wherever the cache is: what others put
into a cache, by a checkout for example, is not believed.
"""

from __future__ import annotations

import hmac
import json
import os
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from functools import partial
from hashlib import sha256
from itertools import count, islice
from pathlib import Path
from stat import S_IMODE
from typing import BinaryIO

from hexrec._version import __version__
from hexrec.diagnostics import Diagnostic
from hexrec.files.atomic import atomic_write
from hexrec.files.discovery import STANDARD_INPUT, Source
from hexrec.files.locks import open_no_follow
from hexrec.files.stamps import Stamp, stamp
from hexrec.limits import IN_FORCE
from hexrec.validation.report import NOT_JUDGED, Report
from hexrec.validation.serialize import pack, unpack
from hexrec.validation.verdict import writable

#: Diagnostics that the next run may not have although the file stays the same.
_PASSING = {"lint/future-date", *NOT_JUDGED}
#: Changes when the lines do.
_LAYOUT = 3
_KEY_SIZE = 32


class Cache:
    """A folder of verdicts.

    Attributes:
        met: how many files were not judged anew because the verdicts on them were there.
        unkept: why no verdicts are kept; None if they are.
    """

    def __init__(self, folder: Path | None, options: Callable[[str], object] = lambda _: None) -> None:
        """Without a `folder` it is one of this user's.

        `options` returns all that the verdicts on a file depend on besides the content and the limits, given its name.
        """
        self.met = 0
        self.unkept: str | None = None
        self._options = options
        try:
            own = user_folder()
            self._key = _own_key(own)
            self._folder = own / "verdicts" if folder is None else folder
        except OSError as error:
            self.unkept = str(error)

    def reports(
        self, sources: Iterable[Source | Diagnostic], judge: Callable[[list[Source | Diagnostic]], Iterable[Report]]
    ) -> Generator[Report, None, None]:
        """Yield the verdicts on sources: those that are kept, or else what `judge` says, which is then kept."""
        for source in sources:
            if self.unkept is not None or isinstance(source, Diagnostic) or (found := self._entry(source)) is None:
                yield from judge([source])
                continue
            entry, begun = found
            if (kept := self._signed(entry)) is None:
                yield from self._keep(entry, judge([source]), source.name, begun)
            else:
                with kept[0]:
                    yield from self._recall(*kept, source, judge)

    def _entry(self, source: Source) -> tuple[Path, Stamp] | None:
        """Return where the verdicts on a source are kept, and its stamp; None for what may not be read twice."""
        if source.name == STANDARD_INPUT or not os.path.isfile(source.name):  # a file in an archive is none
            return None
        context = json.dumps([_LAYOUT, __version__, IN_FORCE, self._options(source.name), source.notation])
        key = hmac.new(self._key, f"{context}\n".encode(), sha256)
        try:
            with open(source.name, "rb") as stream:
                begun = stamp(stream)
                while block := stream.read(1 << 20):
                    key.update(block)
                if begun is None or stamp(stream) != begun:
                    return None
        except OSError:
            return None
        name = key.hexdigest()
        return self._folder / name[:2] / name[2:], begun

    def _signed(self, entry: Path) -> tuple[BinaryIO, bytes] | None:
        """Return the open file of verdicts that this user has written, and its last line; None if there are none."""
        if not entry.is_file():
            return None
        with ExitStack() as opened:
            try:
                stream = opened.enter_context(open(entry, "rb"))
                signature = self._signature(entry)
                last = b""
                for line in stream:
                    signature.update(last)
                    last = line
                stream.seek(0)
            except OSError:
                return None
            if hmac.compare_digest(last, _last_line(signature)):
                opened.pop_all()
                return stream, last
        return None

    def _recall(
        self,
        stream: BinaryIO,
        last: bytes,
        source: Source,
        judge: Callable[[list[Source | Diagnostic]], Iterable[Report]],
    ) -> Iterator[Report]:
        """Yield the verdicts that were kept; from the first that cannot be understood on, those that `judge` gives."""
        for known in count():
            try:
                line = stream.readline()
                report = None if line == last else unpack(json.loads(line), writable(source.name), known)
            except Exception:  # whatever the program that wrote it was
                yield from islice(judge([source]), known, None)
                return
            if report is None:
                self.met += 1
                return
            yield report

    def _keep(self, entry: Path, reports: Iterable[Report], file: str, begun: Stamp) -> Iterator[Report]:
        with closing(self._writer(entry)) as writer:
            next(writer)
            whole = True
            for report in reports:
                whole = whole and not any(diagnostic.code in _PASSING for diagnostic in report.diagnostics)
                if whole:
                    writer.send(_line(report))
                yield report
            if whole and stamp(file) == begun:
                writer.send(None)

    def _writer(self, entry: Path) -> Generator[None, str | None, None]:
        """Take lines up to a None and write them to a file, which appears then; give up where that is impossible."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            entry.parent.mkdir(exist_ok=True)
            with suppress(FileExistsError), open(self._folder / ".gitignore", "x", encoding="utf-8") as ignored:
                ignored.write("*\n")
            if entry.is_symlink():
                entry.unlink()  # what it leads to is not ours
            with atomic_write(entry, sync=False) as out:
                signature = self._signature(entry)
                while (line := (yield)) is not None:
                    out.write(line)
                    signature.update(line.encode())
                out.write(_last_line(signature).decode())
        except OSError:
            yield from _nowhere()
        else:
            yield

    def _signature(self, entry: Path) -> hmac.HMAC:
        return hmac.new(self._key, f"{entry.parent.name}{entry.name}\n".encode(), sha256)


def user_folder() -> Path:
    """Return the folder where this user's programs keep what can be made anew. Raises OSError if there is none."""
    named = os.environ.get("LOCALAPPDATA" if os.name == "nt" else "XDG_CACHE_HOME", "")
    if os.path.isabs(named):
        return Path(named) / "hexrec"
    try:
        home = Path.home()
    except RuntimeError as error:
        raise OSError(str(error)) from None
    return home / ("Library/Caches" if sys.platform == "darwin" else ".cache") / "hexrec"


def _own_key(folder: Path) -> bytes:
    """Return the secret with which this user's verdicts are signed; it is made if there is none that nobody else knows.

    Raises OSError.
    """
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    path = folder / "key"
    for _ in range(2):
        with suppress(FileNotFoundError), open(path, "rb", opener=open_no_follow) as stream:
            about = os.fstat(stream.fileno())
            if hasattr(os, "geteuid") and about.st_uid != os.geteuid():
                raise PermissionError(f"{path} belongs to another user")
            key = stream.read(_KEY_SIZE + 1)
            if len(key) == _KEY_SIZE and (os.name == "nt" or not S_IMODE(about.st_mode) & 0o077):
                return key
            path.unlink()
        with suppress(FileExistsError):  # another run may make one at the same time
            with open(path, "xb", opener=partial(os.open, mode=0o600)) as made:
                made.write(key := os.urandom(_KEY_SIZE))
            return key
    raise FileExistsError(f"{path} is being replaced by others")


def _nowhere() -> Generator[None, str | None, None]:
    while True:
        yield


def _line(report: Report) -> str:
    """Return a verdict as it is kept."""
    return json.dumps(pack(report), separators=(",", ":")) + "\n"


def _last_line(signature: hmac.HMAC) -> bytes:
    """Return the line that ends an entry."""
    return f"{signature.hexdigest()}\n".encode()
