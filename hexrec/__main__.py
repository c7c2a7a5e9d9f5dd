"""The program `hexrec`. `--version` is answered before anything else is imported."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its code."""
    if sys.argv[1:] == ["--version"]:
        from hexrec._version import __version__

        print(f"hexrec {__version__}")
        return
    import os

    # Records need no plugins of pydantic's, and looking for some takes a tenth of the time to start.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    from hexrec.commands import run

    run(sys.argv[1:])


if __name__ == "__main__":
    main()
