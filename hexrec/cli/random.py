"""`hexrec random`: write games of random legal turns."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

from hexrec import formats
from hexrec.cli import OUTPUT, option, options, outputs, runs
from hexrec.cli.console import echo, refuse
from hexrec.parallel.run import spread
from hexrec.record.json_schema import FOLDER, schema_address
from hexrec.record.random import Choose, random_records
from hexrec.rules import games
from hexrec.rules.board import SYSTEMS
from hexrec.tools.analysis.search import choose

EXAMPLES = (
    ("hexrec random nadraz --size 4 --count 10 -o games.jsonl", "Write ten games on a small board."),
    ("hexrec random valaturna --size 5 --playouts 10,100 --count 50", "Let tree searches of two strengths play."),
    (
        "hexrec random sunspot --size 5 --seed 7 | hexrec show - --from jsonl",
        "Draw the end of a game on a small board.",
    ),
)

#: The number of games that a process plays at a time.
_PORTION = 20


def command(
    game: str = options.GAME,
    size: int | None = option("--size N", "Set the cells per side [default: the recommended size]."),
    variant: str | None = options.of_game("--variant VARIANT", "Choose a variant of the game."),
    ruleset: str | None = options.of_game("--ruleset RULESET", "Choose a ruleset [default: the game's first]."),
    readings: list[str] | None = options.of_game("--reading NAME", "Replace a ruling by a reading; repeatable."),
    seed: int = option("--seed N", "Seed the random numbers.", default=0),
    count: int = option("--count N", "Write N games.", default=1, min=1),
    playouts: str | None = option(
        "--playouts N[,N...]", "Choose turns by tree search with N random games each; 0 for a random turn."
    ),
    plies: int = option("--plies N", "Stop a game after N turns.", default=10_000, min=0),
    coordinates: str = options.choice("--coordinates SYSTEM", SYSTEMS, "Name cells in {names}.", OUTPUT, default="row"),
    to: str | None = options.format("--to FORMAT", "Write {names} [default: by file name, else jsonl].", OUTPUT),
    schema: str | None = option("--schema URL", f"Set the schema URL in YAML files [default: in {FOLDER}/].", OUTPUT),
    jobs: int | None = options.JOBS,
    target: Path | None = options.TARGET,
) -> None:
    """Write games of random legal turns. In each position, every legal turn is equally likely.

    With --playouts, two programs play that search the tree of turns (UCT). With several numbers, each game draws two
    different ones. The strength of a program grows with the number.
    """
    rules = games.get(game)
    try:
        edition = rules.ruleset(ruleset)
    except ValueError as error:
        refuse(str(error), "--ruleset")
    cells = size or rules.usual_size(edition.name)
    if cells not in edition.sizes:
        refuse(rules.size_refusal(edition, cells), "--size")
    if variant is not None and variant not in rules.variants:
        known = f"the variants of {rules.title}: {', '.join(rules.variants)}" if rules.variants else "it has none"
        refuse(f"no variant {variant!r} ({known})", "--variant")
    wrong = edition.find_wrong_reading(readings or ())
    if wrong is not None:
        refuse(wrong[1], "--reading")
    format = outputs.record_format(target, to or ("jsonl" if target is None else None))
    if format == "json" and count > 1:
        refuse("hexrec writes one record to a JSON file: write jsonl or yaml", "--count")
    if schema is not None and format != "yaml":
        refuse("only YAML files name their schema", "--schema")
    if schema is not None and schema.split() != [schema]:
        refuse("a URL has no whitespace: write %20 for a space", "--schema")
    kind: dict[str, Any] = {
        "size": cells,
        "variant": variant,
        "ruleset": edition.name,
        "readings": readings or [],
        "coordinates": coordinates,
        "bots": _bots(playouts) if playouts else None,
    }
    make = partial(random_records, game, seed=str(seed), plies=plies, **kind)
    portions = [range(first, min(first + _PORTION, count)) for first in range(0, count, _PORTION)]
    records = spread(make, portions, min(jobs or runs.cores(), len(portions)))
    with outputs.text(target) as out:
        if format == "yaml":
            from hexrec.formats.yaml.writer import write_with_schema  # which other formats do not need

            texts = write_with_schema(records, schema or schema_address(game, target.parent if target else Path()))
        else:
            texts = formats.get(format).write(records, lambda loss: echo(str(loss)))
        for text in texts:
            out.write(text)


def _bots(playouts: str) -> dict[str, Choose]:
    """Return the programs that play, by name. Raises BadParameter."""
    try:
        numbers = sorted({int(number) for number in playouts.split(",")})
    except ValueError:
        numbers = [-1]
    if numbers[0] < 0:
        refuse(f"give whole numbers from 0, separated by commas, not {playouts!r}", "--playouts")
    return {f"UCT {number}" if number else "random": partial(choose, playouts=number) for number in numbers}
