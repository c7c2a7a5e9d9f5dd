"""Each system call of a command fails, or ends it: `python -m tests.faults.system_calls` prints what was tried.

Arguments name commands, of the table below; `--changing` leaves out the calls that only read.

`strace` makes the n-th call of a kind fail, or kills the process at it, for every n that the undisturbed run has. Then
every file must be the old one or the new one, whole; what failed must have said so and cleaned up; and after a kill the
same command, run again, must give what it always gives.
"""

from __future__ import annotations

import csv
import ctypes
import gzip
import importlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import traceback
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NoReturn

import pyarrow.ipc

ROOT = Path(__file__).parent.parent.parent
#: Calls that are about files and what is open.
_CALLS = "%file,%desc"
#: Those of them that no disk makes fail: they are about memory, or about what the process knows of an open file.
_INWARD = {"mmap", "munmap", "lseek", "fcntl", "ioctl", "dup", "dup2", "dup3", "getcwd"}
#: Those that need room on a disk.
_NEED_ROOM = {"openat", "write", "writev", "pwrite64", "fsync", "fdatasync", "ftruncate", "rename", "mkdir"}
#: Those that change what is on the disk, or who may.
CHANGING = {"chmod", "flock", "fsync", "ftruncate", "mkdir", "rename", "unlink", "write"}
_WHAT = ("SIGKILL", "SIGTERM", "SIGINT", "EIO", "ENOSPC")
#: What a run says that one of them has ended, or made fail; a file that cannot be looked up again may have changed.
_REASONS = {
    "SIGTERM": ("ended by SIGTERM",),
    "SIGINT": ("interrupted",),
    "EIO": ("nput/output error", "changed it in the meantime", "changed while it was read", "not found when the run"),
    "ENOSPC": ("o space left on device", "not found when the run"),
}
_LINE = re.compile(r"[0-9]+ +(?P<name>[a-z0-9_]+)\(")
#: What only a run that was killed may leave behind.
_LEFTOVER = re.compile(r"\.hexrec-.+\.part|\..+\.hexrec-lock")
#: Tells a process that it may go on; waiting for it is no call that counts.
_GO_ON = signal.SIGUSR1
_ALLOW_ANY_TRACER = (0x59616D61, ctypes.c_ulong(-1))

Prepare = Callable[[Path], object]
Files = dict[str, bytes]
Codes = Callable[[bytes], list[str | None]]


@dataclass(frozen=True)
class Fault:
    """What happens at the `number`-th call of a kind: an error, or a signal."""

    call: str
    number: int
    what: str

    def __str__(self) -> str:
        """Return it as `strace` takes it."""
        return f"{self.call}:{'signal' if self.signal else 'error'}={self.what}:when={self.number}"

    @property
    def signal(self) -> int:
        """The number of the signal, 0 for an error."""
        return signal.Signals[self.what] if self.what.startswith("SIG") else 0


@dataclass(frozen=True)
class Command:
    """A command that writes files.

    Attributes:
        name: what it is called in the table.
        arguments: those of hexrec, in a folder of its own.
        prepare: makes that folder.
        outputs: a pattern for the files that it writes.
        again: what is given besides when it is run again after a kill.
        codes: reads the codes in an output that says what is wrong with each record; raises ValueError if it is torn.
    """

    name: str
    arguments: tuple[str, ...]
    prepare: Prepare
    outputs: str
    again: tuple[str, ...] = ()
    codes: Codes | None = None


@dataclass(frozen=True)
class Ended:
    """How a run ended: with the exit code of a process, what it said, and the names of the calls that were traced."""

    code: int
    said: str
    calls: tuple[str, ...]


class NoTracing(Exception):
    """`strace` is not there, or may not trace here; the message says which."""


class Tracer:
    """Runs hexrec under `strace`, in forks of one process that has imported it all: only the command's calls count."""

    def __init__(self, process: subprocess.Popen[str], folder: Path) -> None:
        self._process = process
        self._folder = folder

    def run(self, where: Path, arguments: Iterable[str], fault: Fault | None = None, *, traced: bool = True) -> Ended:
        """Run a command in a folder. Raises NoTracing."""
        log, said = self._folder / "log", self._folder / "said"
        log.unlink(missing_ok=True)
        trace = ["-e", f"trace={fault.call}", "-e", f"inject={fault}"] if fault else ["-e", f"trace={_CALLS}"]
        job = {
            "where": str(where),
            "arguments": list(arguments),
            "said": str(said),
            "strace": ["strace", "-f", "-o", str(log), *trace] if traced else None,
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps(job), file=self._process.stdin, flush=True)
        answer = self._process.stdout.readline()
        if not answer:
            raise RuntimeError("the process that runs hexrec has ended")
        code = json.loads(answer)
        if isinstance(code, str):
            raise NoTracing(code)
        lines = log.read_text(errors="replace").splitlines() if log.exists() else []
        names = [found["name"] for found in map(_LINE.match, lines) if found]
        return Ended(code, said.read_text(), tuple(names))


@contextmanager
def tracer() -> Iterator[Tracer]:
    """Start the process in whose forks commands run. Raises NoTracing."""
    if shutil.which("strace") is None:
        raise NoTracing("there is no strace")
    program = [sys.executable, "-c", "from tests.faults.system_calls import serve; serve()"]
    with (
        TemporaryDirectory() as folder,
        subprocess.Popen(program, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process,
    ):
        try:
            yield Tracer(process, Path(folder))
        finally:
            assert process.stdin is not None
            process.stdin.close()


def serve() -> None:
    """Run a command for each line of standard input; answer with its exit code, or why it could not be traced."""
    modules = Path(os.environ.get("TMPDIR", "/tmp"), f"hexrec-modules-{os.getpid()}")
    for line in sys.stdin:
        job = json.loads(line)
        signal.pthread_sigmask(signal.SIG_BLOCK, [_GO_ON])
        prepared, ready = os.pipe()
        if (child := os.fork()) == 0:
            _become(job, modules, ready)
        os.close(ready)
        os.read(prepared, 1)
        os.close(prepared)
        refused = None
        strace = None
        if job["strace"]:
            strace = subprocess.Popen([*job["strace"], "-p", str(child)], stderr=subprocess.PIPE, text=True)
            assert strace.stderr is not None
            said = strace.stderr.readline()
            refused = None if "attached" in said else said or "strace has ended"
        os.kill(child, _GO_ON)
        code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if strace:
            strace.communicate()
        for name in json.loads(modules.read_text()) if modules.exists() else []:
            if name not in sys.modules:
                with suppress(ImportError):
                    importlib.import_module(name)
        modules.unlink(missing_ok=True)
        print(json.dumps(refused or code), flush=True)


def _become(job: dict[str, Any], modules: Path, ready: int) -> NoReturn:
    """Be hexrec, once somebody says so; if nobody traces it, note at the end what it has imported."""
    with suppress(OSError, AttributeError):  # Linux alone has it, and not everywhere
        ctypes.CDLL(None).prctl(*_ALLOW_ANY_TRACER, 0, 0, 0)
    from hexrec.__main__ import main

    os.chdir(job["where"])
    os.environ["XDG_CACHE_HOME"] = job["where"]
    said = os.open(job["said"], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number, stream in enumerate((nothing, said, said)):
        os.dup2(stream, number)
    sys.argv = ["hexrec", *job["arguments"]]
    os.close(ready)
    signal.sigwait([_GO_ON])
    code: Any = 1
    try:
        main()
    except SystemExit as ended:
        code = ended.code
    except BaseException:
        traceback.print_exc()
    if not job["strace"]:
        modules.write_text(json.dumps(sorted(sys.modules)))
    sys.stderr.flush()
    os._exit(code or 0)  # what it holds need not be taken apart


def files(folder: Path, pattern: str) -> Files:
    """Return the files of a folder that a pattern names."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob(pattern) if path.is_file()}


def leftovers(folder: Path) -> list[str]:
    """Return the names of the files that only a killed run may leave behind."""
    return sorted(path.name for path in folder.rglob(".*") if _LEFTOVER.fullmatch(path.name))


class Trial:
    """One command, undisturbed at first, then with one fault at a time.

    Attributes:
        calls: how many calls of each kind the undisturbed run makes.
    """

    def __init__(self, command: Command, tracer: Tracer, folder: Path) -> None:
        """Run the command undisturbed. Raises NoTracing."""
        self._command, self._tracer, self._folder = command, tracer, folder
        self._count = 0
        self._old = files(self._fresh(), command.outputs)
        for traced in (False, True):  # the first run is the one that imports
            where = self._fresh()
            ended = tracer.run(where, command.arguments, traced=traced)
            self._new = files(where, command.outputs)
            assert self._new != self._old, f"{command.name} wrote nothing: {ended.said}"
            assert not leftovers(where)
        self._usual = ended
        self.calls = Counter(call for call in ended.calls if call not in _INWARD)

    def faults(self) -> Iterator[Fault]:
        """Yield a fault for each call of the undisturbed run and each way to fail."""
        for call, count in sorted(self.calls.items()):
            for what in _WHAT:
                if what in ("SIGKILL", "EIO") or call in (_NEED_ROOM if what == "ENOSPC" else CHANGING):
                    yield from (Fault(call, number, what) for number in range(1, count + 1))

    def try_out(self, fault: Fault) -> str | None:
        """Run the command with a fault; return what is wrong with what comes of it, None if nothing is."""
        where = self._fresh()
        ended = self._tracer.run(where, self._command.arguments, fault)
        wrong = self._judge(where, ended, fault)
        if wrong is None and fault.signal:
            ended = self._tracer.run(where, [*self._command.arguments, *self._command.again], traced=False)
            if files(where, self._command.outputs) != self._new:
                wrong = "run again, it left other files than usual"
        shutil.rmtree(where)
        return wrong and f"{self._command.name}, {fault}: {wrong}\nexit code {ended.code}: {ended.said}"

    def _judge(self, where: Path, ended: Ended, fault: Fault) -> str | None:
        now = files(where, self._command.outputs)
        for name in self._old | self._new | now:
            whole = now.get(name) in (self._old.get(name), self._new.get(name))
            if not whole and not (ended.code == 2 and name in now and self._tells(name, now[name])):
                return f"{name} is neither the old file nor the new one"
        if ended.code < 0 and fault.what == "SIGKILL":
            return None
        if ended.code not in ({128 + fault.signal, self._usual.code} if fault.signal else range(128)):
            return "it has ended by a signal, or with another exit code than that of the signal"
        if ended.code == self._usual.code and now != self._new:
            return "it failed and the exit code does not say so"
        if (
            self._command.codes is None
            and ended.code != self._usual.code
            and now != self._new
            and not any(map(ended.said.__contains__, _REASONS[fault.what]))
        ):
            return "it does not say why it failed"
        if "Traceback" in ended.said or "please report it" in ended.said:
            return "it took that for an error of its own"
        if fault.call != "unlink" and (left := leftovers(where)):
            return f"it left {left} behind"
        return None

    def _tells(self, name: str, output: bytes) -> bool:
        """Return whether an output is whole and says after the usual records that the input could not be read on."""
        codes = self._command.codes
        with suppress(ValueError):
            if codes is not None:
                *before, last = codes(output)
                return last == "syntax/unreadable" and before == codes(self._new[name])[: len(before)]
        return False

    def _fresh(self) -> Path:
        self._count += 1
        where = self._folder / f"{self._count}"
        where.mkdir()
        self._command.prepare(where)
        return where


@cache
def _games() -> bytes:
    """Return a few records in JSON Lines: `fmt` takes the blanks out, and `fix` adds the results."""
    lines = (ROOT / "fixtures/suite" / "nadraz" / "reference" / "games.jsonl").read_bytes().splitlines()[:3]
    records = [{name: value for name, value in json.loads(line).items() if name != "result"} for line in lines]
    return "".join(json.dumps(record) + "\n" for record in records).encode()


def _records(name: str, pack: Callable[[bytes], bytes] = bytes) -> Prepare:
    """Return a function that makes a folder with a few records, and old outputs beside them."""

    def prepare(folder: Path) -> None:
        (folder / name).write_bytes(pack(_games()))
        for output in ("out.csv", "out.hgn", "out.json", "out.jsonl", "out.svg", "out.arrow"):
            (folder / output).write_bytes(b"old\n")

    return prepare


def _yaml(folder: Path) -> None:
    source = ROOT / "fixtures/suite" / "sundraval" / "valid" / "result-without-score.yaml"
    (folder / "a.yaml").write_text("# kept\n" + source.read_text().replace("[a1,", "[A1,  # kept too\n  "))


def _mixed(folder: Path) -> None:
    """Make a folder with files of several kinds, and one of old outputs."""
    for name in ("in/more", "out"):
        (folder / name).mkdir(parents=True)
    _yaml(folder / "in")
    (folder / "in/b.jsonl").write_bytes(_games())
    (folder / "in/more/c.jsonl.gz").write_bytes(gzip.compress(_games(), mtime=0))
    # Its repair is clear.
    (folder / "in/d.hgn").write_text('[Game "Sunspott"]\n[Ruleset "2024"]\n[Size "4"]\n\n1. e6 f1 *\n')
    with zipfile.ZipFile(folder / "in/e.zip", "w") as archive:
        archive.writestr(zipfile.ZipInfo("f.jsonl"), _games())
    for name in ("a.sgf", "b.sgf"):
        (folder / "out" / name).write_bytes(b"old\n")


@cache
def _parts() -> Files:
    """Return the files of two shards."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        _JSONL(folder)
        (folder / "parts").mkdir()
        for number in ("1", "2"):
            run = ("score", "a.jsonl", "-o", f"parts/{number}.csv", "--shard", f"{number}/2")
            subprocess.run([sys.executable, "-m", "hexrec", *run], cwd=folder, check=True, capture_output=True)
        return files(folder / "parts", "*")


def _shards(folder: Path) -> None:
    _JSONL(folder)
    (folder / "parts").mkdir()
    for name, data in _parts().items():
        (folder / "parts" / name).write_bytes(data)


def _post(folder: Path) -> None:
    (folder / "a.txt").write_text("Sunspot, size 5\n\n1. e5 e6 2. d4 c3\n")
    (folder / "out.jsonl").write_bytes(b"old\n")


def _schemas(folder: Path) -> None:
    (folder / "out").mkdir()
    for name in ("record.schema.json", "catalog.json"):
        (folder / "out" / name).write_text("{}\n")


def _in_report(data: bytes) -> list[str | None]:
    return [each["code"] for record in json.loads(data)["records"] for each in record["diagnostics"]]


def _in_csv(data: bytes) -> list[str | None]:
    if not data.endswith(b"\n"):
        raise ValueError("the last row has no end")
    return [row["code"] for row in csv.DictReader(data.decode().splitlines())]


def _in_arrow(data: bytes) -> list[str | None]:
    codes: list[str | None] = pyarrow.ipc.open_file(data).read_all()["code"].to_pylist()
    return codes


_JSONL = _records("a.jsonl")
_SPLIT = ("convert", "a.jsonl", "-o", ".", "--split", "{index}.yaml", "--to", "yaml")
_REPORT = ("validate", "a.jsonl", "-o", "json=out.json")
COMMANDS = (
    Command("fmt, JSON Lines", ("fmt", "a.jsonl"), _JSONL, "a.*"),
    Command("fmt, YAML", ("fmt", "a.yaml"), _yaml, "a.*"),
    Command(
        "fmt, gzip", ("fmt", "a.jsonl.gz"), _records("a.jsonl.gz", lambda data: gzip.compress(data, mtime=0)), "a.*"
    ),
    Command("fix, JSON Lines", ("fix", "a.jsonl"), _JSONL, "a.*"),
    Command("fix, YAML", ("fix", "a.yaml"), _yaml, "a.*"),
    Command("fix, folder", ("fix", "in", "--suggestions", "--replace-results"), _mixed, "[!.]*"),
    Command("convert -o", ("convert", "a.jsonl", "-o", "out.hgn", "--force"), _JSONL, "[!.]*"),
    Command("convert -o, zstd", ("convert", "in/e.zip", "-o", "out.yaml.zst", "--force"), _mixed, "[!.]*"),
    Command("convert -o OUT/", ("convert", "in", "--to", "sgf", "-o", "out/", "--force"), _mixed, "[!.]*"),
    Command("convert --split", _SPLIT, _JSONL, "[!.]*", ("--force",)),
    Command("score -o", ("score", "a.jsonl", "-o", "out.csv", "-j1"), _JSONL, "out.csv", ("--resume",), _in_csv),
    Command("score -o, Arrow", ("score", "a.jsonl", "-o", "out.arrow", "-j1"), _JSONL, "out.arrow", codes=_in_arrow),
    Command("validate -o", (*_REPORT, "-j1"), _JSONL, "out.json", codes=_in_report),
    Command("validate --cache", (*_REPORT, "--cache"), _JSONL, "out.json", codes=_in_report),
    Command("validate --write-baseline", ("validate", "a.jsonl", "--write-baseline", "out.json"), _JSONL, "out.json"),
    Command("dedupe -o", ("dedupe", "a.jsonl", "-o", "out.jsonl", "--force"), _JSONL, "out.jsonl"),
    Command("turns", ("turns", "a.jsonl", "-o", "out"), _JSONL, "*.parquet", ("--force",)),
    Command("merge", ("merge", "parts", "-o", "out.csv", "--force"), _shards, "out.csv"),
    Command("import", ("import", "a.txt", "-o", "out.jsonl", "--force"), _post, "out.jsonl"),
    Command("random -o", ("random", "nadraz", "--size", "4", "--seed", "1", "-o", "out.json"), _JSONL, "out.json"),
    Command("show --svg", ("show", "a.jsonl", "--record", "0", "--svg", "out.svg"), _JSONL, "out.svg"),
    Command("schema --write", ("schema", "--write", "--directory", "out"), _schemas, "*.json"),
)


def main() -> None:
    """Try every fault in every command, or in those that are named; print how many there were of each kind."""
    begun = time.perf_counter()
    named = {argument for argument in sys.argv[1:] if argument != "--changing"}
    tried: Counter[str] = Counter()
    wrong = 0
    with tracer() as running, TemporaryDirectory() as folder:
        print(f"| command | calls | {' | '.join(_WHAT)} |\n|---|---{'|---' * len(_WHAT)}|", flush=True)
        for command in COMMANDS:
            if named and command.name not in named:
                continue
            own = Path(folder, command.name)
            own.mkdir()
            trial = Trial(command, running, own)
            here: Counter[str] = Counter()
            for fault in trial.faults():
                if "--changing" in sys.argv and fault.call not in CHANGING:
                    continue
                here[fault.what] += 1
                if (found := trial.try_out(fault)) is not None:
                    print(found, file=sys.stderr)
                    wrong += 1
            tried += here
            print(
                f"| {command.name} | {trial.calls.total()} | {' | '.join(str(here[what]) for what in _WHAT)} |",
                flush=True,
            )
    print(f"{tried.total()} faults, {wrong} of them harmful; {time.perf_counter() - begun:.0f} s")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
