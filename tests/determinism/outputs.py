"""What hexrec writes, as digests: `python tests/determinism/outputs.py FIXTURES JOBS` prints one for each output.

It needs hexrec and nothing else, so that any Python with any hexrec installed can run it. Pictures in pixels and Arrow
come from libraries of others, and are left out where these are missing. A third argument, STEP, takes only every so
many-th of the broken records, a tenth as sparse of those that are edited, and leaves out what others draw and pack.
"""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
from collections.abc import Iterator
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

FORMATS = ("json", "jsonl", "yaml", "sgf", "hgn", "abstractplay")
REPORTS = ("text", "json", "jsonl", "sarif", "junit", "github", "markdown")
PICTURES = {"a.svg": "--svg", "a.html": "--html", "moving.svg": "--animate"}
PIXELS = {"a.png": "--png", "moving.gif": "--animate"}
_GAMES_A_FILE = 5


def commands(jobs: int, *, whole: bool) -> Iterator[tuple[str, ...]]:
    """Yield the commands; those that several processes share, few of them if not the whole, are told how many."""
    share = f"-j{jobs}"
    others = share if whole else "-j1"
    pixels = whole and find_spec("PIL") and find_spec("resvg_py")
    plots = ("--plots", "plots") if whole and find_spec("matplotlib") else ()
    reports = (f"--output={name}=report-{name}" for name in REPORTS)
    yield ("validate", "all", "--lint", "--board", share, *(() if whole else ("--replays", "100")), *reports)
    yield ("validate", "all", others, "--suggest", "0", "--write-baseline", "baseline.json")
    more = ("jsonl", *(("arrow", "parquet") if find_spec("pyarrow") else ())) if whole else ()
    for format in ("csv", "json", *more):
        yield ("score", "all", share if format == "csv" else others, "-o", f"scores.{format}")
    yield ("score", "all", others, "--summary-json", "--quiet")
    for format in FORMATS:
        yield ("convert", "games", "--to", format, "-o", f"games-{format}", "--force")
    yield ("convert", "games", "--to", "hgn", "--coordinates", "axial", "-o", "apart", "--split", "{game}/{index}.hgn")
    yield ("dedupe", "games", share, "--mirrored", "drop", "-o", "deduped.jsonl", "--report", "duplicates.jsonl")
    yield ("stats", "games", share, "--format", "json", "--fold", *plots)
    yield ("hash", "games", "--symmetric", share)
    yield ("fmt", "edited")
    yield ("fix", "edited")
    for game in sorted(path.stem for path in Path("games").iterdir()):
        yield ("random", game, "--count", "2", "--seed", "1", "--format", "yaml")
        yield ("legal", f"games/{game}.jsonl", "--ply", "3")
        yield ("schema", game)
        for path, option in (PICTURES if game != "nadraz" or not pixels else {**PICTURES, **PIXELS}).items():
            yield ("show", f"games/{game}.jsonl", option, f"{game}-{path}", *(("--ply", "4") if "mov" in path else ()))
    yield ("schema", "--write", "--directory", "schemas")
    yield ("games",)
    yield ("explain",)


def prepare(fixtures: Path, step: int) -> None:
    """Fill the working folder with records: valid ones, broken ones, and some to be edited."""
    games = sorted(path.parent.parent.name for path in fixtures.glob("*/reference/games.jsonl"))
    broken = [path for name in (*games, "formats/*") for path in fixtures.glob(f"{name}/invalid/*") if path.is_file()]
    for path in sorted(broken)[::step]:
        folder = Path("all", path.parent.parent.name)
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder)
    for game in games:
        lines = (fixtures / game / "reference" / "games.jsonl").read_bytes().splitlines(keepends=True)
        Path("games").mkdir(exist_ok=True)
        Path("games", f"{game}.jsonl").write_bytes(b"".join(lines[:_GAMES_A_FILE]))
        Path("edited", game).mkdir(parents=True)
        for path in sorted((fixtures / game / "valid").iterdir())[:: max(1, step // 10)]:
            shutil.copy(path, Path("edited", game))
    shutil.copytree("games", "all/games")


def run(arguments: tuple[str, ...]) -> tuple[bytes, bytes]:
    """Run a command in this process; return both its outputs."""
    from hexrec.cli import run

    usual = sys.stdout, sys.stderr
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True) for _ in range(2))
    sys.stdout, sys.stderr = out, err
    try:
        run(list(arguments))
    except SystemExit as ended:
        print(f"exit code {ended.code}", file=err)
    finally:
        sys.stdout, sys.stderr = usual
    out.flush()
    err.flush()
    return out.buffer.getvalue(), err.buffer.getvalue()


def digests(jobs: int, *, whole: bool) -> dict[str, str]:
    """Return the digests of everything that is written, by what it is."""
    found = {}
    for arguments in commands(jobs, whole=whole):
        name = " ".join(argument for argument in arguments if not argument.startswith("-j"))
        for stream, data in zip(("output", "errors"), run(arguments), strict=True):
            found[f"{name}: {stream}"] = data
    for path in sorted(Path().rglob("*")):
        if path.is_file() and path.suffix != ".pyc":
            found[path.as_posix()] = path.read_bytes()
    return {name: sha256(data).hexdigest() for name, data in found.items()}


def main() -> None:
    """Print the digests as JSON."""
    fixtures, jobs = Path(sys.argv[1]).resolve(), int(sys.argv[2])
    step = int(sys.argv[3]) if sys.argv[3:] else 1
    with TemporaryDirectory() as folder:
        os.chdir(folder)
        prepare(fixtures, step)
        try:
            print(json.dumps(digests(jobs, whole=step == 1), indent=0))
        finally:
            os.chdir("/")


if __name__ == "__main__":
    main()
