"""The program `hexrec`, and the last boundary: no error leaves it but as one line, with the exit code 2.

`--version` is answered before anything else is imported. A few small files of valid JSON, as hooks give them to
`hexrec validate`, are reported before the command line is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

_Code = str | int | None

#: More bytes of records are worth starting the whole command for, which shows progress and may have several workers.
_SMALL = 256 * 1024


def main() -> None:
    """Run the command line and exit with its code."""
    from hexrec.util.streams import take_over

    take_over()
    code = _guarded(_run, 0)
    # What the command has written is in a buffer still. A run that a signal has ended keeps its exit code.
    written = _guarded(sys.stdout.flush, code)
    sys.exit(code if isinstance(code, int) and code > 128 else written)


def _run() -> None:
    if sys.argv[1:] == ["--version"]:
        from hexrec.util.version import __version__

        print(f"hexrec {__version__}")
        return
    from hexrec.util import limits

    limits.check_environment()
    if sys.argv[1:2] == ["validate"] and (line := _validate_small(sys.argv[2:])) is not None:
        print(line)
        return
    from hexrec.cli import run

    run(sys.argv[1:])


def _validate_small(paths: list[str]) -> str | None:
    """Return the totals of `hexrec validate` for a few small files in which all is well.

    None leaves the work to the command: there is something to report or to refuse, or more than can be checked in the
    time that it takes to import.
    """
    import os

    from hexrec.formats import by_suffix, read
    from hexrec.validation.configuration import Settings
    from hexrec.validation.summary import Summary
    from hexrec.validation.verdict import check_document

    if not paths or not all(path.endswith((".json", ".jsonl", ".ndjson")) and os.path.isfile(path) for path in paths):
        return None
    if sum(map(os.path.getsize, paths)) > _SMALL:
        return None
    settings, summary = Settings(), Summary()
    try:
        for path in paths:
            demanded = settings.find(path)
            if demanded.lint or demanded.baseline:
                return None
            name = by_suffix(os.path.splitext(path)[1])
            with open(path, "rb") as stream:
                for index, document in enumerate(read(str(name), stream)):
                    report = check_document(document, path, index, finished=demanded.finished)
                    if report.diagnostics:
                        return None
                    summary.add(index, report.plies, valid=True)
    except (OSError, ValueError):  # files or settings that the command has to speak about
        return None
    return summary.line()


def _leave_current_directory() -> None:
    """Import nothing from the current directory, where `python -m` looks first, unless hexrec itself is there.

    This module must not import anything before.
    """
    import os

    home = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    if not sys.flags.safe_path and os.path.realpath(sys.path[0]) != home:
        del sys.path[0]


def _guarded(work: Callable[[], object], code: _Code) -> _Code:
    """Return the exit code of some work: `code` if nothing else comes of it."""
    from hexrec.util.streams import OutputLost, give_up

    try:
        work()
    except SystemExit as ended:
        return ended.code
    except KeyboardInterrupt:  # before the command line has seen to signals
        return _ended(130, "interrupted")
    except OutputLost as lost:
        give_up()
        # 141 is the exit code in shells of a program that SIGPIPE ends.
        return 141 if lost.reader_gone else _ended(2, str(lost))
    except Exception as error:
        from hexrec.util.limits import EnvironmentVariableError

        if isinstance(error, EnvironmentVariableError):
            return _ended(2, str(error))
        from hexrec.util import internal_error

        found = internal_error.diagnostic(error, "run")
        return _ended(2, f"{found.code}: {found.message}")
    return code


def _ended(code: int, why: str) -> int:
    from hexrec.util.escaping import visible

    print(visible(f"hexrec: {why}"), file=sys.stderr)
    return code


if __name__ == "__main__":
    _leave_current_directory()
    main()
