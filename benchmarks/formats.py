"""Measure `hexrec validate` on the same games in every format, next to the parsers of the formats, in one run.

`python benchmarks/formats.py` prints the table. Figures are processor time of whole processes minus their start.
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
from processes import run
from run import FIXTURES, print_table
from sgfmill import sgf_grammar

from hexrec import formats
from hexrec.rules import games
from hexrec.util.version import __version__

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
    parser.add_argument("--records", type=int, default=3_000, metavar="N", help="write N records to each file")
    options = parser.parse_args()
    print(f"{platform.python_implementation()} {platform.python_version()}, hexrec {__version__}", end=", ")
    print(f"PyYAML {yaml.__version__}, sgfmill {sgfmill.__version__}", end="\n\n")
    rows = []
    with TemporaryDirectory() as name:
        for game in games.names():
            texts = _write(game, options.records, Path(name))
            files = {format: Path(name, f"{game}.{suffix}") for format, suffix in _FORMATS.items()}
            least: dict[str, list[float]] = {format: [float("inf")] * 3 for format in files}
            for _ in range(options.rounds):
                for format, file in files.items():
                    one = file.with_name(f"one-{file.name}")
                    spent = _validate(file), _validate(one), _time(format, texts[format])
                    least[format] = [*map(min, least[format], spent)]
            base = least["jsonl"][0] - least["jsonl"][1]
            for format, (whole, start, parsing) in least.items():
                spent_once = (whole - start) / (options.records - 1)
                parser_name = _PARSERS[format][0] if format in _PARSERS else "-"
                other = f"{parsing / options.records * 1e6:.1f}" if format in _PARSERS else "-"
                ratio = f"{spent_once / parsing * options.records:.2f}" if format in _PARSERS else "-"
                rows.append(
                    [
                        game,
                        format,
                        f"{spent_once * 1e6:.1f}",
                        f"{1 / spent_once:,.0f}",
                        f"{(whole - start) / base:.2f}",
                        other,
                        ratio,
                        parser_name,
                    ]
                )
    heading = ["game", "format", "µs a record", "records/s", "to JSON Lines", "parser µs", "to parser", "parser"]
    print_table("Validating the reference games in every format", heading, rows)


def _write(game: str, count: int, folder: Path) -> dict[str, str]:
    """Write reference games in every format, all and one; return the texts."""
    lines = (FIXTURES / game / "reference" / "games.jsonl").read_text(encoding="utf-8").splitlines()
    records: list[Any] = [json.loads(lines[n % len(lines)]) for n in range(count)]
    texts = {}
    for format, suffix in _FORMATS.items():
        for prefix, some in (("one-", records[:1]), ("", records)):
            text = "".join(formats.get(format).write(some, lambda _: None))
            (folder / f"{prefix}{game}.{suffix}").write_text(text, encoding="utf-8")
        texts[format] = text
    return texts


def _validate(file: Path) -> float:
    """Return the processor time of `hexrec validate` in seconds."""
    return run("validate", "-q", "-j1", "--no-config", file).total


def _time(format: str, text: str) -> float:
    if format not in _PARSERS:
        return 0.0
    begin = process_time()
    _PARSERS[format][1](text)
    return process_time() - begin


if __name__ == "__main__":
    main()
