"""`hexrec conformance`: compare another program with hexrec's rules."""

from __future__ import annotations

from contextlib import closing
from functools import partial
from typing import NoReturn

from hexrec import conformance
from hexrec.cli import OUTPUT, argument, flag, option, options
from hexrec.cli.console import echo_totals, fail, note, refuse, say
from hexrec.conformance.comparison import Comparison, Disagreement, shared_rules, shared_sizes
from hexrec.conformance.documents import DocumentComparison, WrongAnswer
from hexrec.conformance.engine import Engine, EngineFailure
from hexrec.conformance.report import describe, describe_answer, document_data, report_data
from hexrec.output import to_text
from hexrec.util.escaping import shorten

#: The maximum number of disagreements in the text report.
_SHOWN = 10
#: Options of hexrec come before the engine's command line, which may have options too.
SETTINGS = {"allow_interspersed_args": False}

EXAMPLES = (
    ("hexrec conformance --count 50 ./my-engine", "Compare a program on the kit and 50 random games of each kind."),
    ("hexrec conformance --documents ./my-validator", "Compare a validator on the documents of the suite."),
    ("hexrec conformance --where", "Print the directory of the suite."),
)


def command(
    engine: list[str] | None = argument("COMMAND", "The program and its arguments, after hexrec's options.", None),
    game: str | None = options.game("Compare one game only."),
    size: int | None = option("--size N", "Compare boards of one size only.", min=1),
    count: int = option("--count N", "Play N random games by each ruleset and variant.", default=5, min=0),
    seed: int = option("--seed N", "Seed the random games.", default=0),
    only: str | None = option("--only NAME", "Compare only the game of this name, as in a report of a disagreement."),
    timeout: float = option("--timeout SECONDS", "Set the timeout for an answer.", default=10.0, min=0.01, max=86_400),
    format: str = options.choice(
        "--format FORMAT", ("text", "json"), "Write the report as {names}.", OUTPUT, default="text"
    ),
    documents: bool = flag("--documents", "Ask a validator about the documents of the suite instead."),
    where: bool = flag("--where", "Print the directory of the suite and exit."),
) -> None:
    """Play the conformance kit and random games with another program, and report disagreements.

    With --documents, ask a validator whether the documents of the suite are valid. The program reads requests and
    writes answers, one line of JSON each. The directory of the suite has programs that speak the protocol.

    Exit code: 0 it agrees, 1 it disagrees or fails, 2 it cannot be started or has no game in common with hexrec.
    """
    if where:
        print(conformance.suite_folder())
        return
    if not engine:
        refuse("no program: name the one to compare", "COMMAND")
    launch = partial(Engine, engine, timeout, **({"documents": True} if documents else {}))
    try:
        running = launch()
    except EngineFailure as failure:
        fail(f"{engine[0]}: {failure}")
    if documents:
        _compare_documents(DocumentComparison(launch, running), running.name, only, format)
    comparison = Comparison(launch, running, shared_rules(running.rules, game, size), setups=running.setups)
    with closing(comparison):
        if not comparison.rules:
            wanted = f"{game} by a ruleset" if game else "a game, ruleset and size"
            on_size = f" on size {size}" if size is not None else ""
            fail(f"{engine[0]}: nothing to compare: the engine needs {wanted}{on_size} that hexrec supports")
        for rules in running.rules:
            if not shared_sizes(rules):
                note(f"skipped {shorten(str(rules))}: unknown to hexrec")
        disagreements: list[Disagreement] = []
        for disagreement in comparison.run(seed, count, only):
            if format == "text" and len(disagreements) < _SHOWN:
                print(describe(disagreement, engine))
            disagreements.append(disagreement)
        if only is not None and not comparison.games:
            fail(f"no game {shorten(only)}: take the name of a game that the engine supports from a report")
    if format == "json":
        print(to_text(report_data(comparison, running.name, engine, disagreements)))
    elif len(disagreements) > _SHOWN:
        print(f"… and {len(disagreements) - _SHOWN} more disagreements: --format json lists all")
    if comparison.given_up:
        say(f"stopped after {comparison.failures} failures of the engine")
    agree = comparison.games - len(disagreements)
    totals = f"{agree} agree, {len(disagreements)} do not; {comparison.requests} requests"
    echo_totals(f"{comparison.games} games with {shorten(running.name)}: {totals}")
    raise SystemExit(1 if disagreements else 0)


def _compare_documents(comparison: DocumentComparison, name: str, only: str | None, format: str) -> NoReturn:
    """Ask a validator about the documents of the suite, and report its wrong answers."""
    wrong: list[WrongAnswer] = []
    with closing(comparison):
        for answer in comparison.run(only):
            if format == "text":
                print(describe_answer(answer))
            wrong.append(answer)
    if not comparison.requests:
        fail("nothing to compare: the suite has no such case in the formats of the validator")
    if format == "json":
        print(to_text(document_data(comparison, name, wrong)))
    if comparison.given_up:
        say(f"stopped after {comparison.failures} failures of the validator")
    right = comparison.requests - len(wrong)
    echo_totals(f"{comparison.requests} documents with {shorten(name)}: {right} agree, {len(wrong)} do not")
    raise SystemExit(1 if wrong else 0)
