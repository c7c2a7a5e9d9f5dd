"""`hexrec conformance`: whether another program plays by the same rules."""

from __future__ import annotations

from contextlib import closing
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

import typer

from hexrec.cli import options
from hexrec.cli.console import echo, fail, say
from hexrec.cli.help import OUTPUT
from hexrec.cli.options import option
from hexrec.conformance import kit
from hexrec.conformance.comparison import Comparison, Disagreement, is_known
from hexrec.conformance.engine import PROTOCOL, Engine, EngineFailure
from hexrec.output.report_json import to_text
from hexrec.rules import games
from hexrec.util.escaping import shorten, visible
from hexrec.util.version import __version__

#: How many disagreements the report for people shows.
_SHOWN = 10
#: How many characters of an answer, or of what is wrong with it, it shows.
_LONGEST = 400
#: The options stand before the command, whose own options are none of hexrec's.
SETTINGS = {"allow_interspersed_args": False}

EXAMPLES = (
    ("hexrec conformance --count 50 ./my-engine", "Compare a program on the kit and 50 random games of each kind."),
    ("hexrec conformance --where", "Print the folder of the kit."),
)


def command(
    engine: Annotated[
        list[str] | None,
        typer.Argument(metavar="COMMAND", help="The program and its arguments; hexrec's own options come first."),
    ] = None,
    game: Annotated[
        str | None,
        option("--game GAME", "Compare one game only.", callback=options.known_game, autocompletion=games.names),
    ] = None,
    count: Annotated[
        int, option("--count N", "Random games beyond the kit, of each game, ruleset and variant.", min=0)
    ] = 5,
    seed: Annotated[int, option("--seed N", "The same seed gives the same random games.")] = 0,
    timeout: Annotated[float, option("--timeout SECONDS", "How long an answer may take.", min=0.01, max=86_400)] = 10.0,
    format: Annotated[
        str, options.choice("--format FORMAT", ("text", "json"), "The report: {names}.", OUTPUT)
    ] = "text",
    where: Annotated[bool, option("--where", "Print the folder of the conformance kit and exit.")] = False,
    quiet: options.Quiet = False,
) -> None:
    """Play the games of the conformance kit, and random ones, with another program, and say where it disagrees.

    The program reads requests and writes answers, a line of JSON each; docs/conformance.md has the protocol. Exit code:
    0 it agrees, 1 it disagrees or fails, 2 it could not be started or knows no game to be compared.
    """
    if where:
        print(kit.folder())
        return
    if not engine:
        raise typer.BadParameter("name the program to be compared", param_hint="COMMAND")
    launch = partial(Engine, engine, timeout)
    try:
        running = launch()
    except EngineFailure as failure:
        fail(f"{engine[0]}: {failure}")
    known = [rules for rules in dict.fromkeys(running.rules) if is_known(rules)]
    comparison = Comparison(launch, running, [rules for rules in known if game in (None, rules.game)])
    with closing(comparison):
        if not comparison.rules:
            wanted = f"{game} by a ruleset" if game else "a game, ruleset and size"
            fail(f"{engine[0]}: knows nothing that could be compared: {wanted} that hexrec knows")
        if not quiet:
            for rules in running.rules:
                if rules not in known:
                    say(f"not compared: {shorten(str(rules))}, which hexrec does not know")
        found: list[Disagreement] = []
        for each in comparison.run(seed, count):
            if format == "text" and len(found) < _SHOWN:
                print(_text(each))
            found.append(each)
    if format == "json":
        print(to_text(_data(running, comparison, found)))
    elif len(found) > _SHOWN:
        print(f"… and {len(found) - _SHOWN} more disagreements; --format json has them all")
    if comparison.given_up:
        say(f"given up after {comparison.failures} failures of the engine")
    if not quiet:
        agree = comparison.games - len(found)
        totals = f"{agree} agree, {len(found)} do not; {comparison.requests} requests"
        echo(f"{comparison.games} games with {shorten(running.name)}: {totals}")
    raise typer.Exit(1 if found else 0)


def _text(each: Disagreement) -> str:
    """Return a disagreement for people."""
    lines = [
        f"{each.source}: {shorten(each.message, _LONGEST)}",
        f"  start:    {to_text(each.start)}",
        f"  turns:    {' '.join(each.turns) or 'none'}",
        f"  position: {each.position or 'none'}",
        f"  asked:    {to_text(each.request)}",
        f"  expected: {shorten(to_text(each.expected), _LONGEST)}",
    ]
    if each.got is not None:
        lines.append(f"  got:      {shorten(to_text(each.got), _LONGEST)}")
    return "\n".join(map(visible, lines)) + "\n"


def _data(engine: Engine, comparison: Comparison, found: list[Disagreement]) -> dict[str, Any]:
    """Return the report as plain data."""
    rules = [{"game": each.game, "ruleset": each.ruleset, "variant": each.variant} for each in comparison.rules]
    totals = {name: getattr(comparison, name) for name in ("requests", "failures", "given_up")}
    return {
        "hexrec": __version__,
        "protocol": PROTOCOL,
        "kit": kit.VERSION,
        "engine": engine.name,
        "rules": rules,
        "summary": {"games": comparison.games, "disagreements": len(found), **totals},
        "disagreements": [asdict(each) for each in found],
    }
