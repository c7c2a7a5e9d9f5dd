"""The tables and plots of the pages on speed, large archives and statistics, made from what is in `results`.

`python benchmarks/figures.py` writes them, `--check` only says which are out of date. On the pages, a table stands
between `<!-- NAME -->` and `<!-- /NAME -->`, a number in a sentence between `<!--=NAME-->` and `<!--/-->`.
"""

from __future__ import annotations

import argparse
import csv
import re
import sys
from collections.abc import Iterator, Sequence
from math import ceil
from pathlib import Path

from charts import Cell, Line, bars, boards, lines

from hexrec.parallel.chunks import CHUNK_LIMITS
from hexrec.parallel.cluster import MOST_SHARDS
from hexrec.rules import games
from hexrec.tools.analysis.search import VALUES

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "benchmarks" / "results"
DOCS = ROOT / "docs"
PAGES = (
    ROOT / "README.md",
    DOCS / "performance.md",
    DOCS / "bots.md",
    DOCS / "batch.md",
    DOCS / "statistics.md",
    ROOT / "benchmarks/capacity.md",
)
#: The bytes of a record in the archive of `huge.txt`.
RECORD_BYTES = 220
#: The runs that it is calculated from, by their names in `huge.txt`.
ALONE, SHARED, WHOLE = "1 worker", "2 workers", "2 workers, all records"
#: What shards cost, by the same.
BEFORE, BEGIN, TASK = "a gigabyte that comes before", "a run without records", "a task without records, over Dask"

#: The ways in which the rules run.
WAYS = ("compiled", "interpreted")

#: Black's share of the points in the games between programs.
BLACK = "Black's points %"

#: Markdown takes a line that begins with a comment for the end of a paragraph, so that none begins with a number.
NUMBER = re.compile(r"(?<=\S )<!--=(.*?)-->.*?<!--/-->")
Row = dict[str, str]


def main() -> None:
    """Write what is out of date, or say so."""
    parser = argparse.ArgumentParser(description="Make the tables and plots of the pages on speed and capacity.")
    parser.add_argument("--check", action="store_true", help="write nothing; end with 1 if something is out of date")
    options = parser.parse_args()
    stale = [(path, text) for path, text in made() if not path.exists() or path.read_text(encoding="utf-8") != text]
    for path, text in stale:
        print(path.relative_to(ROOT))
        if not options.check:
            path.write_text(text, encoding="utf-8")
    sys.exit(1 if stale and options.check else 0)


def made() -> Iterator[tuple[Path, str]]:
    """Yield every file that is made, with its text."""
    speed, rules, sizes, start = (read(RESULTS / f"{name}.txt") for name in ("speed", "rules", "sizes", "start"))
    formats, commands, huge, plan = (read(RESULTS / f"{name}.txt") for name in ("formats", "commands", "huge", "plan"))
    corpus = read(RESULTS / "corpus.txt")
    tables = {
        "speed": _speed(speed[0]) + _measured("speed"),
        "rules": _rules(rules[0]) + _measured("rules"),
        "playouts": _playouts(rules[0]),
        "actions": _actions(read(RESULTS / "actions.txt")[0]) + _measured("actions"),
        "starting": _table(
            ("command", "processor time, ms", "times `python -c pass`"),
            _columns(start[0], "command", "CPU", "CPU ratio"),
        )
        + _measured("start"),
        "commands": _table(
            ("command", "µs a record", "records/s", "times `json.loads` and the rules"),
            _columns(commands[1], "command", "µs a record", "records/s", "to least"),
        )
        + _measured("commands"),
        "workers": _table(
            (
                "command",
                "main process, µs a record",
                "workers, µs a record",
                "cores",
                "main process, MB",
                "a worker, MB",
            ),
            _columns(commands[1], "command", "parent µs", "workers µs", "full at", "MB parent", "MB worker"),
        )
        + _measured("commands"),
        "formats": _table(
            ("game", "format", "µs a record", "records/s", "times JSON Lines", "times its parser"),
            [
                (games.get(row["game"]).title, *cells)
                for row, cells in zip(
                    formats[0],
                    _columns(formats[0], "format", "µs a record", "records/s", "to JSON Lines", "to parser"),
                    strict=True,
                )
            ],
        )
        + _measured("formats"),
        "least": _table(
            ("game", "validate", "records/s", "score", "records/s"),
            [
                (_title(row), row["validate"], row["records/s"], row["score"], row["score records/s"])
                for row in speed[2]
                if row["set"] == "reference"
            ],
        ),
        "sizes": _sizes(sizes[0]) + _measured("sizes"),
        "archives": _archives(huge[0]) + _measured("huge"),
        "chunks": _table(("runner", "a chunk besides its records, ms"), _chunks(huge[1])),
        "parts": _whole(plan[0]) + _measured("plan"),
        "plan": _whole(plan[1]),
        "simulated": _whole(plan[2]),
        "rehearsed": _whole(plan[3]),
        **_corpus(*corpus),
    }
    numbers = _of_rules(rules[0])
    numbers |= _of_commands(commands) | _of_start(start[0]) | _of_corpus(corpus[0])
    numbers |= _of_speed(speed[0], [row for row in speed[2] if row["set"] == "reference"]) | _of_capacity(huge)
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for name, table in tables.items():
            begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->\n"
            if begin in text:
                before, _, rest = text.partition(begin)
                text = f"{before}{begin}\n{table}\n\n{end}{rest.partition(end)[2]}"
        if text.count("<!--=") != len(NUMBER.findall(text)):
            sys.exit(f"{page.name}: a line begins with a number from the results")
        yield page, NUMBER.sub(lambda place: f"<!--={place[1]}-->{numbers[place[1]]}<!--/-->", text)
    for name in games.BUILT_IN:
        if len(games.get(name).opening) == 2:
            yield _picture(f"openings-{name}"), _openings(RESULTS / "openings" / f"{name}.csv")
    random = [row for row in speed[0] if row["set"] == "random"]
    yield (
        _picture("speed"),
        bars(
            "Plies per second, from a file to reports, on one core",
            {
                _title(row): {
                    "hexrec": _number(row["validate"]),
                    "hexrec, interpreted rules": _number(row["interpreted"]),
                    "python-chess (chess)": _number(row["python-chess"]),
                    "pgn-extract (chess)": _number(row["pgn-extract"]),
                }
                for row in random
            },
        ),
    )
    shares = [row for row in speed[1] if row["set"] == "random"]
    parts = {"JSON and fields": "read", "replay": "replay", "result and report": "rest"}
    shown = {_title(row): {word: float(row[part].rstrip("%")) for word, part in parts.items()} for row in shares}
    yield _picture("shares"), bars("Where the time of validating goes, in per cent", shown, stacked=True)
    yield (
        _picture("rules"),
        bars("Microseconds to play a turn, list the legal turns and undo it, on one core", _shown_rules(rules[0])),
    )
    for way in WAYS:
        drawn = [
            Line(games.get(name).title, [(_number(row["cells"]), _number(row[f"{way} 100%"])) for row in rows])
            for name in games.names()
            if (rows := [row for row in sizes[0] if row["game"] == name])
        ]
        yield _picture(way), lines(f"Microseconds per ply, {way}", "cells of the board", drawn)
    runs = {row["run"]: {"records/s": _number(row["records/s"])} for row in huge[0]}
    yield _picture("archives"), bars("Records scored per second", runs)


def read(file: Path) -> list[list[Row]]:
    """Return the tables in a file of results: rows, by the names of their columns.

    The name of a column of ratios, and one that comes again, has that of the column before it in front.
    """
    found = []
    parts = re.findall(r"^(.+)\n((?:-+ +)+-+)\n((?:.+\n)+)", file.read_text(encoding="utf-8"), re.MULTILINE)
    for heading, rule, body in parts:
        spans = [match.span() for match in re.finditer("-+", rule)]
        names: list[str] = []
        for start, end in spans:
            name = heading[start:end].strip()
            names.append(f"{names[-1]} {name}" if name in names or name == "ratio" else name)
        found.append(
            [
                dict(zip(names, (line[start:end].strip() for start, end in spans), strict=True))
                for line in body.splitlines()
            ]
        )
    return found


def _measured(name: str) -> str:
    """Return when and where the figures in a file of results were measured, as its first lines say."""
    said = (RESULTS / f"{name}.txt").read_text(encoding="utf-8").partition("\n\n")[0]
    return f"\n\n*Measured {'; '.join(said.splitlines())}.*"


def _speed(rows: Sequence[Row]) -> str:
    heading = (
        "game",
        "validate, plies/s",
        "to python-chess",
        "to pgn-extract",
        "score",
        "validate, interpreted",
        "to python-chess",
        "replay alone",
    )
    cells = [
        (
            f"{_title(row)} {row['size'].replace('-', '–')}",
            _round(row["validate"]),
            row["validate ratio"],
            f"{_number(row['validate']) / _number(row['pgn-extract']):.2f}",
            _round(row["score"]),
            _round(row["interpreted"]),
            row["interpreted ratio"],
            _round(row["rules"]),
        )
        for row in rows
        if row["set"] == "random"
    ]
    return _table(heading, cells)


def _rules(rows: Sequence[Row]) -> str:
    """Return the table of costs of a ply, in microseconds; compiled and, in brackets, interpreted."""
    compiled, interpreted = ({row["game"]: row for row in rows if row["rules"] == way} for way in WAYS)
    cells = []
    for name, row in compiled.items():
        costs = [_both(row[task], interpreted[name][task]) for task in ("list", "undo", "replay")]
        cells.append((_title_of_rules(row), *costs, _times(row["list ratio"])))
    heading = ("game", "play, list, undo, µs", "play, undo, µs", "replay, µs", "times as fast as chess")
    return _table(heading, cells)


def _of_rules(rows: Sequence[Row]) -> dict[str, str]:
    """Return the number in a sentence about rules."""
    times = [1 / _number(row["list ratio"]) for row in rows if row["rules"] == "compiled" and row["game"] != "chess"]
    return {"times": f"{min(times):.2g} to {max(times):.2g}"}


def _both(compiled: str, interpreted: str) -> str:
    return "" if compiled == "-" else f"{_significant(compiled)} ({_significant(interpreted)})"


def _significant(number: str) -> str:
    """Return a number with two significant digits: no two runs agree in more."""
    return f"{float(f'{_number(number):.2g}'):g}"


def _times(ratio: str) -> str:
    return _significant(str(1 / _number(ratio)))


def _title_of_rules(row: Row) -> str:
    return "chess (python-chess)" if row["game"] == "chess" else f"{_title(row)} {row['size']}"


def _playouts(rows: Sequence[Row]) -> str:
    compiled, interpreted = ([row for row in rows if row["rules"] == way and row["game"] != "chess"] for way in WAYS)
    cells = [
        (_title(row), row["size"], _significant(row["playouts"]), _significant(other["playouts"]))
        for row, other in zip(compiled, interpreted, strict=True)
    ]
    return _table(("game", "size", *WAYS), cells)


def _actions(rows: Sequence[Row]) -> str:
    """Return the table of actions and plies a second, and their ratios to Hex of OpenSpiel."""
    cells = []
    for row in rows:
        cells.append([f"{_title(row)} {row['size']}", row["cells"]])
        for task in ("actions", "planes", "plies"):
            ratio = row[f"Hex {task} ratio"]
            cells[-1] += [f"{_number(row[task]) * 1000:,.0f}", ratio if ratio == "-" else _significant(ratio)]
    heading = ("game", "cells", "actions/s", "to Hex", "with planes", "to Hex", "plies/s", "to Hex")
    return _table(heading, cells)


def _shown_rules(rows: Sequence[Row]) -> dict[str, dict[str, float]]:
    return {
        _title_of_rules(row): {"compiled rules": _number(row["list"])}
        if row["game"] != "chess"
        else {"chess": _number(row["list"])}
        for row in rows
        if row["rules"] == "compiled"
    }


def _sizes(rows: Sequence[Row]) -> str:
    cells = []
    for name in games.names():
        own = [row for row in rows if row["game"] == name]
        if own:
            small, large = own[0], own[-1]
            ways = [f"{small[way]} to {large[way]}" for way in ("compiled 100%", "interpreted 100%")]
            times = f"{_number(large['cells']) / _number(small['cells']):.1f}"
            cells.append((_title(small), f"{small['size']} to {large['size']}", times, *ways))
    return _table(("game", "sizes", "times the cells", "compiled", "interpreted"), cells)


def _archives(rows: Sequence[Row]) -> str:
    names = ("run", "records", "seconds", "records/s")
    memory = [[f"{row['MB first']}, {row['MB last']}", f"{row['worker first']}, {row['worker last']}"] for row in rows]
    cells = [
        [*(row[name] for name in names), _round(row["plies/s"]), *used, row["parent CPU"], row["workers CPU"]]
        for row, used in zip(rows, memory, strict=True)
    ]
    return _table((*names, "plies/s", "parent, MB", "worker, MB", "parent, cores", "workers, cores"), cells)


def _chunks(rows: Sequence[Row]) -> list[tuple[str, str]]:
    return [(row["runner"], f"{_number(row['µs']) / 1000:.2f}") for row in rows]


def _openings(file: Path) -> str:
    """Return the picture of the openings of a game with two opening stones, from what `hexrec openings` writes."""
    game = games.get(file.stem)
    board = game.board(min(game.ruleset(None).sizes))
    names = board.names()
    values: dict[tuple[int, ...], float] = {}
    rows = [*csv.DictReader(file.read_text(encoding="utf-8").splitlines())]
    for row in rows:
        stones = names.cells[row["black"]], names.cells[row["white"]]
        value = VALUES[row["winner"]] if row["winner"] else float(row["estimate"])
        values |= {tuple(symmetry[cell] for cell in stones): value for symmetry in board.symmetries}
    kind = "proved values" if rows[0]["winner"] else "estimates (the paler, the closer)"
    title = f"{game.title} {board.size}: {kind} of the openings"
    drawn = {
        f"Black on {first}": [
            Cell(*board.position(cell), values.get((names.cells[first], cell))) for cell in board.cells
        ]
        for first in sorted({row["black"] for row in rows})
    }
    return boards(title, ("Black wins", "White wins"), drawn)


def _corpus(games_played: Sequence[Row], by_opening: Sequence[Row], ratings: Sequence[Row]) -> dict[str, str]:
    """Return the tables of the games between programs."""
    lengths = ("plies", "longest", "legal turns")
    strengths = ("weakest", "second", "third", "strongest")
    recipe = (RESULTS / "corpus.txt").read_text(encoding="utf-8").partition("\n\n")[0]
    return {
        "advantage": _table(
            ("game", "size", "games", "Black's points", "95 % interval", "draws"),
            [(_title(row), row["size"], row["games"], *_advantage(row), f"{row['draws %']} %") for row in games_played],
        )
        + f"\n\n*{'; '.join(recipe.splitlines())}.*",
        "lengths": _table(
            ("game", "size", "plies, median", "longest game", "legal turns, mean"),
            [(_title(row), row["size"], *(row[name] for name in lengths)) for row in games_played],
        ),
        "by opening": _table(
            ("game", "size", "opening", "games", "Black's points", "95 % interval"),
            [(_title(row), row["size"], row["opening"], row["games"], *_advantage(row)) for row in by_opening],
        ),
        "ratings": _table(
            ("game", "size", "random turns", *strengths[1:]),
            [(_title(row), row["size"], *(row[name] for name in strengths)) for row in ratings],
        ),
    }


def _advantage(row: Row) -> tuple[str, str]:
    return f"{row[BLACK]} %", f"{row['from']} to {row['to']} %"


def _of_corpus(rows: Sequence[Row]) -> dict[str, str]:
    """Return the numbers in sentences about the games between programs, by game, size and column."""
    numbers: dict[str, str] = {}
    for row in rows:
        points, interval = _advantage(row)
        words = {"points": points, "interval": interval, "plies": row["plies"], "legal": row["legal turns"]}
        numbers |= {f"{row['game']} {row['size']} {name}": number for name, number in words.items()}
    return numbers


def _of_speed(rows: Sequence[Row], leasts: Sequence[Row]) -> dict[str, str]:
    """Return the numbers in sentences about speed."""
    random, reference = ([row for row in rows if row["set"] == name] for name in ("random", "reference"))
    ranges: dict[str, list[float]] = {
        "python-chess": [round(_number(row["python-chess"]), -3) for row in random],
        "pgn-extract": [round(_number(row["pgn-extract"]), -5) for row in random],
        "record": [_micros(row, "validate", "rules") for row in reference],
        "row": [_micros(row, "score", "validate") for row in reference],
        "turns": [round(_number(row["plies"]) / _number(row["games"])) for row in reference],
        "reference": [round(_number(row["validate ratio"])) for row in reference],
        "records": [round(_number(row["records/s"]), -3) for row in leasts],
    }
    millions = [_number(row["validate"]) / 1e6 for row in random]
    numbers = {name: f"{min(values):,.0f} to {max(values):,.0f}" for name, values in ranges.items()}
    return numbers | {"plies": f"{min(millions):.1f} to {max(millions):.1f} million"}


def _micros(row: Row, task: str, part: str) -> float:
    """Return the microseconds of a record by which a task takes longer than another that is part of it."""
    seconds = _number(row["plies"]) / _number(row["games"]) * (1 / _number(row[task]) - 1 / _number(row[part]))
    return max(1, seconds * 1e6)


def _of_start(rows: Sequence[Row]) -> dict[str, str]:
    """Return the number in a sentence about the start."""
    spent = {row["command"]: _number(row["CPU"]) for row in rows}
    settings = [milliseconds for command, milliseconds in spent.items() if "settings" in command]
    return {"settings": f"{max(1, max(settings) - spent['validate']):.0f}"}


def _of_capacity(huge: Sequence[Sequence[Row]]) -> dict[str, str]:
    """Return the numbers in sentences about capacity."""
    rates = {row["run"]: _number(row["records/s"]) for row in huge[0]}
    cores, workers = next(
        (_number(row["parent CPU"]), _number(row["workers CPU"])) for row in huge[0] if row["run"] == WHOLE
    )
    parent = cores / rates[WHOLE]
    pool = next(_number(row["µs"]) for row in huge[1] if row["runner"] == SHARED)
    costs = {row["cost"]: _number(row["seconds"]) for row in huge[2]}
    records = CHUNK_LIMITS.size / RECORD_BYTES
    work = records / rates[ALONE] * 1e6
    return {
        "speedup": f"{rates[SHARED] / rates[ALONE]:.2f}",
        "parent": f"{parent * 1e6:.0f}",
        "parent cores": f"{cores * 100:.0f} %",
        "full": f"{workers / cores:.0f}",
        "chunk records": f"{round(records, -2):,.0f}",
        "chunk work": f"{round(work / 1000, -1):.0f}",
        "chunk pool": f"{pool / work * 100:.1g}",
        "shards": f"{MOST_SHARDS}",
        "begin": f"{costs[BEGIN]:.1f}",
        "before": f"{costs[BEFORE]:.1f}",
        "task": f"{costs[TASK] * 1000:.0f}",
        "dask share": f"{rates['Dask, 2 workers'] / rates[SHARED]:.1f}",
    }


def _of_commands(tables: Sequence[Sequence[Row]]) -> dict[str, str]:
    """Return the numbers in sentences about the commands on an archive."""
    rows = {row["command"]: row for row in tables[1]}
    usual = [rows[name] for name in ("validate", "score, CSV")]
    full = [_number(row["full at"]) for row in usual if row["full at"] != "-"]
    memory = {
        "main MB": max(_number(row["MB parent"]) for row in usual),
        "worker MB": max(_number(row["MB worker"]) for row in rows.values()),
        "Parquet MB": _number(rows["score, Parquet"]["MB parent"]),
        "dedupe MB": _number(rows["dedupe"]["MB parent"]),
    }
    return {
        "core": f"{round(_number(rows['score, CSV']['records/s']), -2):,.0f}",
        "cores": f"{min(full):.0f}",
        "dedupe times": f"{_number(rows['dedupe']['µs a record']) / _number(rows['validate']['µs a record']):.1f}",
        **{name: f"{ceil(number / 10) * 10}" for name, number in memory.items()},
    }


def _whole(rows: Sequence[Row]) -> str:
    return _table([*rows[0]], [[*row.values()] for row in rows])


def _columns(rows: Sequence[Row], *names: str) -> list[tuple[str, ...]]:
    return [
        tuple(f"`{row[name]}`" if row[name].startswith(("hexrec ", "python ")) else row[name] for name in names)
        for row in rows
    ]


def _table(heading: Sequence[str], cells: Sequence[Sequence[str]]) -> str:
    rows = [heading, ["---"] * len(heading), *cells]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows).replace("| --- ", "|---").replace("|--- |", "|---|")


def _title(row: Row) -> str:
    return games.get(row["game"]).title


def _round(number: str) -> str:
    """Return a number of plies per second to the nearest thousand: no two runs agree in more."""
    return f"{round(_number(number), -3):,.0f}"


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def _picture(name: str) -> Path:
    return DOCS / "figures" / f"{name}.svg"


if __name__ == "__main__":
    main()
