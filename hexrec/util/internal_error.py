"""Convert unexpected exceptions to diagnostics, so that a run continues with the next record.

Such an exception is an error in hexrec or in a package that extends it. Loops over records or files catch `Exception`
around each one and report its `diagnostic`. `hexrec/__main__.py` catches all other exceptions.
"""

from __future__ import annotations

import errno
import os

from hexrec.util import plugins
from hexrec.util.diagnostics import Diagnostic, shorten
from hexrec.util.version import __version__

CODE = "internal/error"
#: Environment variable that, if not empty, prints the tracebacks of such exceptions to stderr.
DEBUG = "HEXREC_DEBUG"

#: Errors of the machine rather than of the program.
_MACHINE = {errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, errno.EROFS}
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def diagnostic(error: BaseException, what: str = "record") -> Diagnostic:
    """Return the diagnostic for an unexpected exception.

    `what` names the object of the work: a record, a file or a run. With HEXREC_DEBUG set, print the traceback.
    """
    if os.environ.get(DEBUG):
        import traceback

        traceback.print_exception(error)
    if isinstance(error, MemoryError):
        return Diagnostic(CODE, f"there was not enough memory for this {what}")
    if isinstance(error, OSError) and error.errno in _MACHINE:
        return Diagnostic(CODE, f"the system failed in the work on this {what}: {error}")
    message = shorten(str(error), 100)
    kind = f"{type(error).__name__}: {message}" if message else type(error).__name__
    package, place = _origin(error)
    if package:
        problem, authors = f"an error in {package}, {kind}{place}", " to its authors"
    else:
        problem, authors = f"an error in hexrec {__version__}, {kind}{place}", ""
    return Diagnostic(CODE, f"{problem}: please report it{authors}, with the command and this {what}")


def _origin(error: BaseException) -> tuple[str | None, str]:
    """Return the last extension package in a traceback and its place there, else None and the place in hexrec.

    A package comes first because hexrec may raise for the arguments of its calls.
    """
    from traceback import walk_tb

    package, place = None, ""
    for frame, line in walk_tb(error.__traceback__):
        code = frame.f_code
        if os.path.abspath(code.co_filename).startswith(_PACKAGE + os.sep):
            if not package:
                file = os.path.relpath(code.co_filename, os.path.dirname(_PACKAGE)).replace(os.sep, "/")
                place = f" in {code.co_name} ({file}, line {line})"
        elif extension := plugins.package_of(frame.f_globals.get("__name__", "")):
            package, place = extension, f" in {code.co_name} ({code.co_filename}, line {line})"
    return package, place
