"""Run all benchmarks whose figures are on pages, keep what they print in `results`, and make the pages from it.

`python benchmarks/everything.py "a virtual machine with two cores"` takes up to 25 minutes. Nothing else should
run meanwhile.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from time import monotonic

HERE = Path(__file__).parent
#: By name in `results`, the program, and its options for a quick run.
PROGRAMS = {
    "speed": ("run.py", "--quick"),
    "commands": ("on_archives.py", "--records 20000 --rounds 1"),
    "formats": ("formats.py", "--records 2600 --rounds 1"),
    "start": ("start.py", "--rounds 3"),
    "rules": ("rules.py", "--seconds 0.2"),
    "actions": ("actions.py", "--seconds 0.1"),
    "sizes": ("sizes.py", "--seconds 0.05"),
    "plan": ("plan.py", "--measured 8000 --rehearsed 2000 --shards 100"),
    "huge": ("huge.py", "--records 100000 --dask 60000"),
}


def main() -> None:
    """Run the programs one after the other. A program that fails leaves its old results."""
    parser = argparse.ArgumentParser(description="Run all benchmarks whose figures are on pages.")
    parser.add_argument("machine", help="the machine, and whether it was busy: 'a virtual machine with two cores'")
    parser.add_argument("--quick", action="store_true", help="fewer games and repetitions: a look, not a result")
    parser.add_argument("--only", nargs="+", choices=PROGRAMS, default=[*PROGRAMS], help="run only these")
    options = parser.parse_args()
    failed = []
    for name in options.only:
        program, quick = PROGRAMS[name]
        begun = monotonic()
        words = [sys.executable, program, *(quick.split() if options.quick else ())]
        ran = subprocess.run(words, cwd=HERE, stdout=subprocess.PIPE, text=True)
        print(f"{program}: {(monotonic() - begun) / 60:.1f} minutes", file=sys.stderr)
        if ran.returncode:
            failed.append(program)
            continue
        about = f"{datetime.now(UTC):%Y-%m-%d} on {options.machine}"
        (HERE / "results" / f"{name}.txt").write_text(f"{about}\n{ran.stdout.lstrip()}", encoding="utf-8")
    subprocess.run([sys.executable, "figures.py"], cwd=HERE, check=True)
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
