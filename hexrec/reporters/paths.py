"""The names of files as CI services want them: seen from where the program runs, with forward slashes."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

from hexrec.files.discovery import STANDARD_INPUT
from hexrec.files.remote import is_address


def relative(file: str | None) -> str | None:
    """Return the path of a file below the current folder, its full path elsewhere, None for standard input.

    An address of a file on another machine stays as it is.
    """
    if file is None or file == STANDARD_INPUT:
        return None
    if is_address(file):
        return file
    path = Path(file)
    if path.is_absolute() and path.is_relative_to(Path.cwd()):
        path = path.relative_to(Path.cwd())
    return path.as_posix()


def uri(file: str | None) -> str | None:
    """Return the same as a URI: relative below the current folder, of the scheme ``file`` elsewhere."""
    path = relative(file)
    if path is None:
        return None
    if is_address(path):
        return quote(path, safe="/:@?&=%")
    return Path(path).as_uri() if Path(path).is_absolute() else quote(path)
