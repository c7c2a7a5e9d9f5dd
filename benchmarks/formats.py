"""Measure `hexrec validate` on the same games in every format, next to the parsers of the formats, in one run.

`python benchmarks/formats.py` prints the table. Figures are processor time of whole processes, without their start.
"""

from __future__ import annotations

import argparse
import json
import platform
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any

import sgfmill
import yaml
from processes import Measured, describe_spread
from run import FIXTURES, print_table
from sgfmill import sgf_grammar

from hexrec import formats
from hexrec.rules import games
from hexrec.util.version import __version__

#: A file has so many times the records of a part of it.
_TIMES = 4
#: The formats, each with the suffix of its file.
_FORMATS = {"jsonl": "jsonl", "yaml": "yaml", "sgf": "sgf", "hgn": "hgn", "abstractplay": "ap.jsonl"}


def _parse_yaml(text: str) -> None:
    for _ in yaml.load_all(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        pass


#: What other parsers take for the same text. No other program reads HGN.
_PARSERS: dict[str, tuple[str, Callable[[str], object]]] = {
    "jsonl": ("json.loads", lambda text: [json.loads(line) for line in text.splitlines()]),
    "yaml": ("PyYAML, C", _parse_yaml),
    "sgf": ("sgfmill", lambda text: sgf_grammar.parse_sgf_collection(text.encode())),
    "abstractplay": ("json.loads", lambda text: [json.loads(line) for line in text.splitlines()]),
}


def main() -> None:
    """Measure the formats in turn, and print the least time of each."""
    parser = argparse.ArgumentParser(description="Measure hexrec validate in every format.")
    parser.add_argument("--rounds", type=int, default=3, metavar="N", help="validate every file N times")
    parser.add_argument("--records", type=int, default=6_000, metavar="N", help="write N records to each file")
    options = parser.parse_args()
    rows = []
    commands: list[Measured] = []
    with TemporaryDirectory() as name:
        for game in games.names():
            texts = _write(game, options.records, Path(name))
            measured = {format: _prepare(Path(name), f"{game}.{_FORMATS[format]}", options.records) for format in texts}
            commands += measured.values()
            parsed: dict[str, list[float]] = {format: [] for format in _PARSERS}
            for _ in range(options.rounds):
                for format, text in texts.items():
                    measured[format].measure()
                    if format in _PARSERS:
                        parsed[format].append(_time(format, text) / options.records)
            base = measured["jsonl"].seconds
            for format, command in measured.items():
                spent = command.seconds
                row = [game, format, f"{spent * 1e6:.1f}", f"{1 / spent:,.0f}", f"{spent / base:.2f}"]
                if format in _PARSERS:
                    other = min(parsed[format])
                    row += [f"{other * 1e6:.1f}", f"{spent / other:.2f}", _PARSERS[format][0]]
                else:
                    row += ["-", "-", "-"]
                rows.append(row)
    print(f"{platform.python_implementation()} {platform.python_version()}, hexrec {__version__}", end=", ")
    print(f"PyYAML {yaml.__version__}, sgfmill {sgfmill.__version__}", describe_spread(commands), sep="; ", end="\n\n")
    heading = ["game", "format", "µs a record", "records/s", "to JSON Lines", "parser µs", "to parser", "parser"]
    print_table("Validating the reference games in every format", heading, rows)


def _write(game: str, count: int, folder: Path) -> dict[str, str]:
    """Write reference games in every format, all and a part of them; return the texts of all."""
    lines = (FIXTURES / game / "reference" / "games.jsonl").read_text(encoding="utf-8").splitlines()
    records: list[Any] = [json.loads(lines[n % len(lines)]) for n in range(count)]
    texts = {}
    for format, suffix in _FORMATS.items():
        for prefix, some in (("part-", records[: count // _TIMES]), ("", records)):
            text = "".join(formats.get(format).write(some, lambda _: None))
            (folder / f"{prefix}{game}.{suffix}").write_text(text, encoding="utf-8")
        texts[format] = text
    return texts


def _prepare(folder: Path, name: str, count: int) -> Measured:
    words = "validate", "-q", "-j1", "--no-config"
    return Measured((*words, folder / f"part-{name}"), (*words, folder / name), count - count // _TIMES)


def _time(format: str, text: str) -> float:
    begin = process_time()
    _PARSERS[format][1](text)
    return process_time() - begin


if __name__ == "__main__":
    main()
