"""The options that mean the same in several commands, and what follows from them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any

import typer

from hexrec import formats
from hexrec.cli.console import fail
from hexrec.cli.help import DIAGNOSTICS, INPUT, OUTPUT, PROCESSES
from hexrec.codes import sections
from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.validation.configuration import Misconfigured, Settings
from hexrec.validation.selection import Rules


def one_of(names: Collection[str]) -> Callable[[str | None], str | None]:
    """Return an option's callback that refuses values other than the names."""

    def check(value: str | None) -> str | None:
        if value is not None and value not in names:
            raise typer.BadParameter(f"{value!r} is not one of {', '.join(names)}{nearest(value, names)}")
        return value

    return check


def nearest(value: str, names: Collection[str]) -> str:
    """Return the end of a message on a name that is none of those: the nearest, if one is near."""
    near = get_close_matches(value.lower(), names, 1, 0.5)
    return f": did you mean {near[0]}?" if near else ""


def listed(names: Collection[str]) -> str:
    """Return names as a choice, in words."""
    *most, last = names
    return f"{', '.join(most)} or {last}"


def option(usage: str, help: str, panel: str | None = None, **settings: Any) -> Any:
    """Return an option, given as its help shows it: ``-o, --output FILE``. `panel` is the group that lists it."""
    *flags, last = usage.split(", ")
    name, _, metavar = last.partition(" ")
    return typer.Option(*flags, name, metavar=metavar or None, help=help, rich_help_panel=panel, **settings)


def choice(usage: str, names: Collection[str], help: str, panel: str | None = None) -> Any:
    """Return an option that takes one of some names; ``{names}`` in its help lists them."""
    said = help.format(names=listed(names))
    return option(usage, said, panel, callback=one_of(names), autocompletion=lambda: names)


def format(usage: str, help: str, panel: str) -> Any:
    """Return an option that takes the name of a format; ``{names}`` in its help lists hexrec's own."""
    said = help.format(names=", ".join(formats.BUILT_IN))
    return option(usage, said, panel, callback=known_format, autocompletion=formats.names)


def codes(incomplete: str) -> Iterator[tuple[str, str]]:
    """Yield what completes a list of codes: groups and codes, with what they mean, after those that are there."""
    before = incomplete[: incomplete.rfind(",") + 1]
    meanings = {code: explained.meaning for _, section in sections() for code, explained in section.items()}
    for group in sorted({code.partition("/")[0] + "/" for code in meanings}):
        yield before + group, f"all codes that begin with {group}"
    for code, meaning in sorted(meanings.items()):
        yield before + code, meaning


def rulesets(context: typer.Context) -> list[str]:
    """Return the rulesets of the game on the command line, for completion; those of all games if it names none."""
    return sorted({ruleset for game in _games(context) for ruleset in game.rulesets})


def variants(context: typer.Context) -> list[str]:
    """Return the variants of the game on the command line, as for rulesets."""
    return sorted({variant for game in _games(context) for variant in game.variants})


def _games(context: typer.Context) -> list[Game]:
    # Arguments before an option whose value is missing are not assigned to parameters.
    given = {*context.args, context.params.get("game"), context.params.get("file")}
    return [games.get(name) for name in [each for each in games.BUILT_IN if each in given] or games.BUILT_IN]


def known_game(value: str | None) -> str | None:
    """Refuse what is not the name of a game; installed packages are looked through only for names that are not ours."""
    return value if games.is_known(value) else one_of(games.names())(value)


def known_format(value: str | None) -> str | None:
    """Refuse what is not the name of a format; installed packages are looked through as for games."""
    return value if value is None or formats.is_known(value) else one_of(formats.names())(value)


def _no_empty_path(paths: list[str]) -> list[str]:
    if "" in paths:
        raise typer.BadParameter("a path is empty: name a file or folder (is a variable of the shell not set?)")
    return paths


Paths = Annotated[
    list[str],
    typer.Argument(
        metavar="PATH...",
        callback=_no_empty_path,
        help="Files, folders, patterns or addresses of records; - is standard input.",
    ),
]
OneFile = Annotated[str, typer.Argument(metavar="FILE", help="A file of records; - is standard input.")]
GameName = Annotated[
    str, typer.Argument(metavar="GAME", callback=known_game, autocompletion=games.names, help=", ".join(games.BUILT_IN))
]

From = Annotated[str | None, format("--from FORMAT", "Read every file as {names}, whatever its name.", INPUT)]
FollowLinks = Annotated[
    bool,
    option(
        "--follow-links",
        "Also follow links that lead out of the given folders; by default they are skipped with a message.",
        INPUT,
    ),
]
RecordIndex = Annotated[int, option("--record INDEX", "Which record of the file, counted from 0.", INPUT, min=0)]
Ply = Annotated[int | None, option("--ply N", "The position after N turns; by default after the last.", INPUT, min=0)]
PositionText = Annotated[
    str | None,
    option("--position TEXT", "The text of a position, instead of a file: FILE is then the name of its game.", INPUT),
]
Variant = Annotated[
    str | None, option("--variant VARIANT", "With --position: its variant.", INPUT, autocompletion=variants)
]
Ruleset = Annotated[
    str | None,
    option(
        "--ruleset RULESET",
        "With --position: a ruleset of the game; by default its first.",
        INPUT,
        autocompletion=rulesets,
    ),
]

Output = Annotated[Path | None, option("-o, --output FILE", "Write to a file; it appears whole or not at all.", OUTPUT)]
To = Annotated[
    str | None, format("--to FORMAT", "The format: {names}; by default chosen by the output file's name.", OUTPUT)
]
LeaveOutInvalid = Annotated[
    bool, option("--validate/--no-validate", "Leave out invalid records, or write them too, marked as invalid.", OUTPUT)
]
Force = Annotated[bool, option("--force", "Overwrite existing files.", OUTPUT)]
Check = Annotated[bool, option("--check", "Change nothing; exit with 1 if a file would change.", OUTPUT)]
Diff = Annotated[bool, option("--diff", "Change nothing; print what would change.", OUTPUT)]
Quiet = Annotated[bool, option("-q, --quiet", "Show no progress and no totals on standard error.", OUTPUT)]


def _codes(flag: str, help: str) -> Any:
    return option(f"{flag} CODES", help, DIAGNOSTICS, autocompletion=codes)


Select = Annotated[
    list[str] | None, _codes("--select", "Report only these diagnostics: codes or groups (move/), separated by commas.")
]
Ignore = Annotated[list[str] | None, _codes("--ignore", "Do not report these diagnostics.")]
Warn = Annotated[
    list[str] | None, _codes("--warn", "Report these diagnostics as warnings: they make no record invalid.")
]
NoConfig = Annotated[bool, option("--no-config", "Ignore hexrec.toml and pyproject.toml.", DIAGNOSTICS)]

Suggest = Annotated[
    int, option("--suggest N", "Suggest repairs for the first N invalid records; 0 for none.", DIAGNOSTICS, min=0)
]
Replays = Annotated[
    int, option("--replays N", "Try at most N replays to find the repairs of a record.", DIAGNOSTICS, min=1)
]
Jobs = Annotated[
    int | None, option("-j, --jobs N", "How many processes share the work; by default one per core.", PROCESSES, min=1)
]
ChunkTimeout = Annotated[
    float | None,
    option(
        "--chunk-timeout SECONDS",
        "End a process that has worked on one chunk for this long; the record at fault is found and reported. "
        "Default 1800. Only with several processes.",
        PROCESSES,
        min=1,
        max=1_000_000,
    ),
]
Dask = Annotated[
    str | None,
    option(
        "--dask ADDRESS",
        "Run shards on a Dask cluster, given its scheduler's address; 'local' starts one on this machine. "
        "Each writes a file of its own into the directory of -o.",
        PROCESSES,
    ),
]
Keep = Annotated[
    Path | None,
    option(
        "--keep FILE",
        "Keep only the records that the rows of a file name by file and index, hash or id: CSV, JSON Lines, Parquet.",
        INPUT,
    ),
]
Drop = Annotated[Path | None, option("--drop FILE", "Drop the records that the rows of a file name.", INPUT)]
ShardName = Annotated[
    str | None,
    option(
        "--shard I/N",
        "Read part I of N of the input, the same on every machine; all parts together are the whole.",
        INPUT,
    ),
]


def check(settings: Settings, paths: list[str]) -> None:
    """End the command if settings cannot be followed for the files and folders of some paths."""
    try:
        for path in paths:
            settings.find(path)
    except Misconfigured as error:
        fail(str(error))


def rules(select: list[str] | None, ignore: list[str] | None, warn: list[str] | None) -> Rules:
    """Return the rules that the three options give."""
    try:
        return Rules(
            *([name.strip() for names in given or () for name in names.split(",")] for given in (select, ignore, warn))
        )
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
