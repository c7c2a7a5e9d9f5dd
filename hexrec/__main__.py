"""Entry point of the program `hexrec`. Every uncaught error is printed as one line, with exit code 2.

`--version` is handled before other imports. `hexrec validate` on a few small valid JSON files, as in commit hooks, is
handled before the import of the command line.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable

_Code = str | int | None

#: The maximum size in bytes without the full command, which shows progress and can use several workers.
_SMALL = 256 * 1024


def main() -> None:
    """Run the command line and exit with its code."""
    gc.disable()  # nothing that is imported is garbage; the command enables it
    from hexrec.util.streams import take_over

    take_over()
    code = _guarded(_run, 0)
    # Output may still be in the buffer. A run that a signal ended keeps its exit code.
    written = _guarded(sys.stdout.flush, code)
    gc.freeze()  # the interpreter would search all objects for garbage before it ends
    sys.exit(code if isinstance(code, int) and code > 128 else written)


def _run() -> None:
    if sys.argv[1:] in (["--version"], ["-V"]):
        from hexrec.util.version import __version__

        print(f"hexrec {__version__}")
        return
    from hexrec.util import limits

    limits.check_environment()
    _check_rules()
    if sys.argv[1:2] == ["validate"] and (line := _validate_small(sys.argv[2:])) is not None:
        print(line)
        return
    from hexrec.cli import run

    run(sys.argv[1:])


def _check_rules() -> None:
    """Raise EnvironmentVariableError if HEXREC_REQUIRE_COMPILED is set and the rules are not compiled."""
    import os

    # `hexrec --version --verbose` says why.
    if os.environ.get("HEXREC_REQUIRE_COMPILED") and sys.argv[1:2] != ["--version"]:
        from hexrec.rules import compiled

        compiled.require()


def _validate_small(paths: list[str]) -> str | None:
    """Return the totals of small files of clean records, or None if the full command must validate the files."""
    import os

    from hexrec.validation.clean import read_each
    from hexrec.validation.configuration import Settings
    from hexrec.validation.report import Summary

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
            with open(path, "rb") as stream:
                data = stream.read()
            lines = [data] if path.endswith(".json") else data.split(b"\n")
            files = summary.files
            for _, index, clean in read_each(lines, path, finished=demanded.finished):
                if clean is None:
                    return None
                summary.add(index, len(clean.turns), valid=True)
            if summary.files == files:  # without records
                return None
    except (OSError, ValueError):  # the full command reports the error
        return None
    return summary.line()


def _leave_current_directory() -> None:
    """Remove the current directory from the import path, unless hexrec is there. Call it before any other import."""
    import os

    home = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    if not sys.flags.safe_path and os.path.realpath(sys.path[0]) != home:
        del sys.path[0]


def _guarded(work: Callable[[], object], code: _Code) -> _Code:
    """Call a function and return its exit code, or `code` if it returns normally."""
    from hexrec.util.streams import OutputLost, give_up

    try:
        work()
    except SystemExit as ended:
        return ended.code
    except KeyboardInterrupt:  # raised before the command line installs its signal handlers
        return _ended(130, "interrupted")
    except OutputLost as lost:
        give_up()
        # 141 is the exit code of a program ended by SIGPIPE, in shells.
        return 141 if lost.reader_gone else _ended(2, str(lost))
    except Exception as error:
        from hexrec.util.limits import EnvironmentVariableError

        if isinstance(error, EnvironmentVariableError):
            return _ended(2, str(error))
        from hexrec.util.diagnostics import diagnose_error

        found = diagnose_error(error, "run")
        return _ended(2, f"{found.code}: {found.message}")
    return code


def _ended(code: int, why: str) -> int:
    from hexrec.util.escaping import visible

    print(visible(f"hexrec: {why}"), file=sys.stderr)
    return code


if __name__ == "__main__":
    _leave_current_directory()
    main()
