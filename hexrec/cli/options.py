"""Options shared by several commands, with their callbacks and completions."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import typer

from hexrec import formats
from hexrec.cli import DIAGNOSTICS, INPUT, OUTPUT, PROCESSES, argument, flag, option
from hexrec.cli.console import refuse
from hexrec.cli.values import check_name, one_of
from hexrec.codes import sections
from hexrec.io.git import RevisionFiles
from hexrec.rules import games
from hexrec.rules.game import Game
from hexrec.rules.terms import join_words
from hexrec.tools.suggestions import MAX_REPLAYS, MAX_SUGGESTED
from hexrec.validation.configuration import Settings, read_configuration
from hexrec.validation.grading import Rules


def choice(usage: str, names: Collection[str], help: str, panel: str | None = None, default: str | None = None) -> Any:
    """Return an option that takes one of some names; ``{names}`` in its help lists them."""
    text = help.format(names=join_words([*names], "or"))
    return option(usage, text, panel, default, **one_of(names))


def format(usage: str, help: str, panel: str) -> Any:
    """Return an option that takes the name of a format; ``{names}`` in its help lists the built-in ones."""
    text = help.format(names=", ".join(formats.BUILT_IN))
    return option(usage, text, panel, callback=_parse_format, autocompletion=formats.names)


def codes(incomplete: str) -> Iterator[tuple[str, str]]:
    """Yield completions of a comma-separated list of codes: groups and codes, each with its meaning."""
    before = incomplete[: incomplete.rfind(",") + 1]
    meanings = {code: explained.meaning for _, section in sections() for code, explained in section.items()}
    for group in sorted({code.partition("/")[0] + "/" for code in meanings}):
        yield before + group, f"all codes that begin with {group}"
    for code, meaning in sorted(meanings.items()):
        yield before + code, meaning


#: The names that a game has, by the option that takes one.
_NAMES: dict[str, Callable[[Game], Iterable[str]]] = {
    "--variant VARIANT": lambda game: game.variants,
    "--ruleset RULESET": lambda game: game.rulesets,
    "--reading NAME": lambda game: [reading.name for reading in game.readings],
}


def of_game(usage: str, help: str, panel: str | None = None) -> Any:
    """Return an option that takes a name that a game has; `usage` is in `_NAMES`."""

    def complete(context: typer.Context) -> list[str]:
        # Click does not assign arguments to parameters before an option whose value is missing.
        arguments = {*context.args, context.params.get("game"), context.params.get("file")}
        chosen = [known for known in games.BUILT_IN if known in arguments] or games.BUILT_IN
        return sorted({name for game in chosen for name in _NAMES[usage](games.get(game))})

    return option(usage, help, panel, autocompletion=complete)


def _parse_game(value: str | None) -> str | None:
    """Return the name of a game. Raises BadParameter if it is unknown. Plug-ins load only for names not built in."""
    return value if games.is_known(value) else check_name(value, games.names())


def _parse_format(value: str | None) -> str | None:
    """Return the name of a format. Raises BadParameter if it is unknown. Plug-ins load as for games."""
    return value if value is None or formats.is_known(value) else check_name(value, formats.names())


def _no_empty_path(paths: list[str]) -> list[str]:
    if "" in paths:
        refuse("empty path: name a file or directory (is a shell variable unset?)")
    return paths


PATHS = argument("PATH...", "Files, directories, patterns or URLs; - is stdin.", callback=_no_empty_path)
ONE_GAME: dict[str, Any] = {"callback": _parse_game, "autocompletion": games.names}
GAME = argument("GAME", ", ".join(games.BUILT_IN), **ONE_GAME)


def game(help: str, panel: str | None = None) -> Any:
    """Return an option that takes the name of a game."""
    return option("--game GAME", help, panel, **ONE_GAME)


def report_format(names: Collection[str]) -> Any:
    """Return the option of the format of a report, which is text unless the name of a file says otherwise."""
    return choice("--format FORMAT", names, "Write {names} [default: by file name, else text].", OUTPUT)


def output(usage: str, help: str, **settings: Any) -> Any:
    """Return an option that takes the file of an output, or None for stdout."""
    return option(usage, help, OUTPUT, callback=lambda path: None if path == Path("-") else path, **settings)


FROM = format("--from FORMAT", "Read all files as {names}.", INPUT)
FOLLOW_LINKS = flag("--follow-links", "Follow symbolic links that lead out of the given directories.", INPUT)
PLY = option("--ply N", "Choose the position after N turns [default: the last].", INPUT, min=0)
VARIANT = of_game("--variant VARIANT", "Set the variant of the position.", INPUT)
RULESET = of_game("--ruleset RULESET", "Set the ruleset of the position [default: the game's first].", INPUT)
READINGS = of_game("--reading NAME", "Replace a ruling by a reading; repeatable.", INPUT)
TARGET = output("-o, --output FILE", "Write to a file, atomically; - is stdout.")
TO = format("--to FORMAT", "Write {names} [default: by file name].", OUTPUT)
VALIDATE = flag("--validate/--no-validate", "Skip invalid records, or write them marked as invalid.", OUTPUT, True)
FORCE = flag("--force", "Overwrite existing files.", OUTPUT)
JOBS = option("-j, --jobs N", "Use N processes [default: one per core].", PROCESSES, min=1, max=4096)


def _codes(flag: str, help: str) -> Any:
    return option(f"{flag} CODES", help, DIAGNOSTICS, autocompletion=codes)


def _split(lists: list[str] | None) -> list[str]:
    """Return the names in comma-separated lists."""
    return [name.strip() for names in lists or () for name in names.split(",")]


SUGGEST = option(
    "--suggest N", "Suggest repairs for the first N invalid records; 0 for none.", DIAGNOSTICS, MAX_SUGGESTED, min=0
)
REPLAYS = option(
    "--replays N", "Try at most N replays to find the repairs of a record.", DIAGNOSTICS, MAX_REPLAYS, min=1
)


@dataclass(eq=False, repr=False)
class RuleOptions:
    """The rules for diagnostics, by the options of a command."""

    select: list[str] | None = _codes(
        "--select", "Ignore all codes but these or their groups (move/), comma-separated."
    )
    ignore: list[str] | None = _codes("--ignore", "Accept these codes or groups, and do not report them.")
    warn: list[str] | None = _codes("--warn", "Accept these codes or groups, but report them.")
    config: Path | None = option("--config FILE", "Use the settings in this file, and no others.", DIAGNOSTICS)
    config_from: str | None = option(
        "--config-from GITREV", "Use the settings and baselines of a Git revision.", DIAGNOSTICS
    )
    no_config: bool = flag("--no-config", "Use no settings.", DIAGNOSTICS)

    @cached_property
    def rules(self) -> Rules:
        """The rules of --select, --ignore and --warn."""
        try:
            return Rules(_split(self.select), _split(self.ignore), _split(self.warn))
        except ValueError as error:
            refuse(str(error))

    def settings(self, paths: list[str], **options: Any) -> Settings:
        """Return the settings for some paths, in which these rules and the options come first.

        The options are those of `Settings`. Raises Misconfigured.
        """
        if (self.config is not None) + (self.config_from is not None) + self.no_config > 1:
            refuse("give one of --config, --config-from and --no-config", "--config")
        settings = Settings(
            self.rules,
            files=not self.no_config,
            given=None if self.config is None else read_configuration(self.config),
            revision=None if self.config_from is None else RevisionFiles(self.config_from),
            **options,
        )
        for path in paths:
            settings.find(path)
        return settings
