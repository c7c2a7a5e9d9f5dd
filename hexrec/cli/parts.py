"""Runs of a command on all shards of its input, on a Dask cluster. Each shard becomes a part with a manifest."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexrec.cli import PROCESSES, given_arguments, option
from hexrec.cli.console import echo_totals, exit_on_os_error, note, refuse
from hexrec.cli.runs import ArchiveRun
from hexrec.errors import RunError, extra
from hexrec.io.discovery import STANDARD_INPUT
from hexrec.io.outputs import Target
from hexrec.parallel.chunks import total_size
from hexrec.rules.terms import pluralize

if TYPE_CHECKING:  # most runs have no parts
    from hexrec.parallel.parts import Part

#: Runs a command that ends with its parent. A record that ends its process ends neither the command nor the parent.
_PROGRAM = (
    "import sys; end = sys.argv.index('--'); parent, *sys.path[:] = sys.argv[1:end]; del sys.argv[1:end + 1]; "
    "from hexrec.parallel.child import end_with; end_with(int(parent)); "
    "from hexrec.cli import runs; runs.SEPARATE = True; from hexrec.__main__ import main; main()"
)


@dataclass(eq=False, repr=False)
class DividedRun(ArchiveRun):
    """A run that a cluster may do, shard by shard, by the options of a command."""

    dask: str | None = option("--dask ADDRESS", "Run shards on a Dask cluster; 'local' starts one.", PROCESSES)

    def use_cluster(self, command: str, target: Target | None, suffix: str, about: Mapping[str, Any]) -> None:
        """With --dask, run this command on each shard, write the parts to the directory `target`, and exit.

        The parts that an earlier run finished are not written again. `about` has the arguments of `describe_run`.
        Raises BadParameter, RunError.
        """
        if not self.dask:
            return
        if target is None or self.shard:
            refuse("give -o DIRECTORY, and no --shard", "--dask")
        if STANDARD_INPUT in self.paths:
            refuse("stdin cannot be divided: name files", "--dask")
        with extra("dask", "for --dask, install", "dask", "distributed"):
            from hexrec.parallel import cluster
        from hexrec.parallel.parts import Part, describe_run, finished_parts

        size = total_size(self.discovery)
        count = cluster.count_shards(size)
        run = describe_run(command, count, size, **about)
        directory = target if not isinstance(target, Path) else target.absolute()
        with exit_on_os_error(target, "written"):
            directory.mkdir(parents=True, exist_ok=True)
            finished = finished_parts(directory, run)
            for part in finished.values():
                self.summary.add_all(part.totals)
            names = {number: f"part-{number:04}-of-{count:04}{suffix}" for number in range(1, count + 1)}
            missing = {n: Part(directory / name, run, n) for n, name in names.items() if n not in finished}
            for part in missing.values():
                part.manifest.unlink(missing_ok=True)
            tasks = {number: _arguments(part) for number, part in missing.items()}
            running = cluster.run_tasks(self.dask, self.processes, _run_shard, tasks)
            with self.progress(streamed=False) as advance, closing(running) as done:
                for number, message in done:
                    if (written := missing[number].finished()) is None:
                        reason = message or "its part is not there: all machines must write to the same directory"
                        raise RunError(f"shard {number}/{count}: {reason}")
                    self.summary.add_all(written.totals)
                    advance(0)
        if finished:
            note(f"finished by an earlier run: {pluralize(len(finished), 'part')}")
        echo_totals(*self.summary.lines())
        raise SystemExit(self.summary.exit_code)


def _arguments(part: Part) -> list[str]:
    """Return the arguments of this command for one part. Of options given twice, the last one counts."""
    command, *arguments = given_arguments()
    end = arguments.index("--") if "--" in arguments else len(arguments)
    own = [f"--shard={part.number}/{part.run['parts']}", f"--output={part.file}", "--jobs=1", "--dask=", "--quiet"]
    return [command, *arguments[:end], *own, *arguments[end:]]


def _run_shard(arguments: list[str]) -> str:
    """Run a command on a shard in a process of its own. Return the last line that it writes to stderr, if any.

    Raises RuntimeError if the process is killed.
    """
    import subprocess  # on the cluster

    from hexrec.parallel.workers import import_paths, interpreter_options

    program = [sys.executable, *interpreter_options(), "-c", _PROGRAM, str(os.getpid()), *import_paths(), "--"]
    pipes: Any = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    ran: subprocess.CompletedProcess[bytes] = subprocess.run([*program, *arguments], check=False, **pipes)
    if ran.returncode < 0:
        raise RuntimeError(f"the process was ended by signal {-ran.returncode}")
    *_, last = ["", *ran.stdout.decode(errors="replace").splitlines()]
    return last.removeprefix("hexrec: ")
