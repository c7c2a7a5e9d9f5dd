"""Exceptions that nobody expected: each is an error in hexrec or in a package that extends it, and becomes one
diagnostic, so that the rest goes on.

Whoever works on one record or file after the other catches `Exception` around that work and reports what `diagnostic`
makes of it. What catches all that is left is in `hexrec/__main__.py`.
"""

from __future__ import annotations

import errno
import os

from hexrec.util import plugins
from hexrec.util.diagnostics import Diagnostic, shorten
from hexrec.util.version import __version__

CODE = "internal/error"
#: The environment variable that, set to anything, has the tracebacks of such exceptions printed to standard error.
DEBUG = "HEXREC_DEBUG"

#: What is the matter with the machine then, and not with the program.
_MACHINE = {errno.EIO, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ENOSPC, errno.EROFS}
_PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def diagnostic(error: BaseException, what: str = "record") -> Diagnostic:
    """Return the diagnostic for an exception that nobody expected, in the work on a record, a file, or the whole run.

    With HEXREC_DEBUG in the environment, the traceback is printed as well.
    """
    if os.environ.get(DEBUG):
        import traceback

        traceback.print_exception(error)
    if isinstance(error, MemoryError):
        return Diagnostic(CODE, f"there was not enough memory for this {what}")
    if isinstance(error, OSError) and error.errno in _MACHINE:
        return Diagnostic(CODE, f"the system failed in the work on this {what}: {error}")
    said = shorten(str(error), 100)
    kind = f"{type(error).__name__}: {said}" if said else type(error).__name__
    package, place = _origin(error)
    if package:
        said_of, authors = f"an error in {package}, {kind}{place}", " to its authors"
    else:
        said_of, authors = f"an error in hexrec {__version__}, {kind}{place}", ""
    return Diagnostic(CODE, f"{said_of}: please report it{authors}, with the command and this {what}")


def _origin(error: BaseException) -> tuple[str | None, str]:
    """Return the package that extends hexrec through which an exception passed last, and where; else where in hexrec.

    What a package calls in hexrec may raise for its arguments, so the package comes first.
    """
    from traceback import walk_tb

    package, place = None, ""
    for frame, line in walk_tb(error.__traceback__):
        code = frame.f_code
        if os.path.abspath(code.co_filename).startswith(_PACKAGE + os.sep):
            if not package:
                file = os.path.relpath(code.co_filename, os.path.dirname(_PACKAGE)).replace(os.sep, "/")
                place = f" in {code.co_name} ({file}, line {line})"
        elif found := plugins.package_of(frame.f_globals.get("__name__", "")):
            package, place = found, f" in {code.co_name} ({code.co_filename}, line {line})"
    return package, place
