"""Measure the import of games: `python benchmarks/posts.py`. Prints the tables of the docs.

Reference games are written in layouts of posts and tables, from a fixed seed, and imported without hints. Those of
`HELD` played no part while the readers were written.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

from hexrec.record.identity import game_hash
from hexrec.record.record import Record
from hexrec.record.validation import read_record
from hexrec.rules import games
from hexrec.tools.importing import import_bytes

FIXTURES = Path(__file__).parent.parent / "fixtures/suite"
NAMES = ("Ada", "Ben", "Cleo", "Dov", "Ewa", "Finn", "Gil", "Hana")
Game = dict[str, Any]
#: A layout: a name of a file, and a function from games, all of one file, and a generator to its text.
Layout = tuple[str, Callable[[list[Game], Random], str]]


def reference_games(rng: Random, count: int) -> list[Game]:
    """Return games of all kinds and sizes: half of them to the end, the others resigned, lost on time or drawn."""
    known: list[Game] = []
    for name in games.BUILT_IN:
        for line in (FIXTURES / name / "reference" / "games.jsonl").read_text(encoding="utf-8").splitlines():
            record = json.loads(line)
            if (
                "setup" not in record
                and "variant" not in record
                and all(isinstance(move, str) for move in record["moves"])
            ):
                known.append(record)
    chosen = []
    for _ in range(count):
        game = json.loads(json.dumps(rng.choice(known)))
        black, white = rng.sample(NAMES, 2)
        game["players"] = {"black": {"name": black}, "white": {"name": white}}
        game["date"] = f"20{rng.randint(23, 26)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
        if rng.random() < 0.4 and len(game["moves"]) > 12:
            del game["moves"][rng.randrange(8, len(game["moves"]) - 3) :]
            while game["moves"][-1] == "pass":
                game["moves"].pop()
            how = rng.choice(("resignation", "resignation", "time"))
            game["result"] = {"winner": rng.choice(("black", "white")), "termination": how}
        chosen.append(game)
    return chosen


def title(game: Game) -> str:
    return games.get(game["game"]).title


def name(game: Game, color: str) -> str:
    return str(game["players"][color]["name"])


def pairs(moves: list[str]) -> Iterator[tuple[int, list[str]]]:
    for index in range(0, len(moves), 2):
        yield index // 2 + 1, moves[index : index + 2]


def outcome(game: Game, rng: Random) -> str:
    """Return the result in words."""
    result = game.get("result")
    if result is None:
        return "(unfinished)"
    winner = result["winner"]
    if winner == "draw":
        return rng.choice(("Draw", "The game is a draw.", "Drawn"))
    black, white = winner.capitalize(), ("White" if winner == "black" else "Black")
    if result.get("termination") == "resignation":
        return rng.choice((f"{white} resigns", f"{black} wins by resignation", f"{white} resigned."))
    if result.get("termination") == "time":
        return rng.choice((f"{white} lost on time", f"{black} won on time"))
    return rng.choice((f"{black} won", f"{black} wins.", f"Result: {black} wins"))


def forum(found: list[Game], rng: Random) -> str:
    """Return a post with a heading a game, and numbered rounds in one paragraph."""
    parts = ["Hi all, here are our games from the club night.\n"]
    for number, game in enumerate(found, 1):
        lines = [f"Game {number}: {title(game)}, board {game['size']}"]
        opening = game.get("opening")
        if opening:
            lines.append("Opening: " + ", ".join(f"{color.capitalize()} {cell}" for color, cell in opening.items()))
        moves = game["moves"]
        lines.append(" ".join(f"{n}. {' '.join(turns)}" for n, turns in pairs(moves)))
        lines.append(outcome(game, rng))
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def markdown(found: list[Game], rng: Random) -> str:
    """Return headings with key and value lists, and a Markdown table of rounds."""
    parts = ["# Tournament games\n"]
    for game in found:
        parts.append(f"## {title(game)}: {name(game, 'black')} vs {name(game, 'white')}\n")
        parts.append(
            f"* **Size:** {game['size']}\n* **Black:** {name(game, 'black')}\n* **White:** {name(game, 'white')}"
        )
        for color, cell in game.get("opening", {}).items():
            parts.append(f"* **Opening {color}:** {cell}")
        parts.append(f"* **Result:** {outcome(game, rng).removeprefix('Result: ')}\n")
        parts.append("| # | Black | White |\n|---|---|---|")
        parts += [f"| {n} | {turns[0]} | {turns[1] if len(turns) > 1 else ''} |" for n, turns in pairs(game["moves"])]
        parts.append("")
    return "\n".join(parts)


def csv_games(found: list[Game], rng: Random) -> str:
    lines = ["date,game,size,black,white,opening,moves,result"]
    for game in found:
        opening = " ".join(game.get("opening", {}).values())
        moves = " ".join(game["moves"])
        lines.append(
            f"{game['date']},{title(game)},{game['size']},{name(game, 'black')},{name(game, 'white')},"
            f"{opening},{moves},"
            f"{outcome(game, rng).removeprefix('Result: ')}"
        )
    return "\n".join(lines) + "\n"


def csv_turns(found: list[Game], rng: Random) -> str:
    lines = []
    for game in found:
        lines += [f"Game,{title(game)}", f"Size,{game['size']}"]
        lines += [f"Opening {color},{cell}" for color, cell in game.get("opening", {}).items()]
        lines.append("ply,player,move")
        lines += [f"{ply},{('Black', 'White')[(ply - 1) % 2]},{turn}" for ply, turn in enumerate(game["moves"], 1)]
        lines += [f"Result,{outcome(game, rng).removeprefix('Result: ')}", ""]
    return "\n".join(lines)


def notes(found: list[Game], rng: Random) -> str:
    """Return notes: a line of facts, the opening as the first turns, one turn a line, comments after semicolons."""
    lines = []
    for game in found:
        players = f"{name(game, 'black')} (black) - {name(game, 'white')} (white)"
        lines.append(f"[{game['date']}] {title(game)} {game['size']}, {players}")
        turns = [*game.get("opening", {}).values(), *game["moves"]]
        for ply, turn in enumerate(turns, 1):
            note = rng.choice(("", "", "", "", " ; hmm, not sure", " {a good one}", " (only move)"))
            lines.append(f"{ply}) {turn.upper() if rng.random() < 0.1 else turn}{note}")
        lines += [outcome(game, rng), ""]
    return "\n".join(lines)


def colors(found: list[Game], rng: Random) -> str:
    """Return turns with the letters of colors, several a line."""
    lines = []
    for game in found:
        lines.append(f"--- {title(game)}, hex{game['size']} ---")
        if "opening" in game:
            lines.append("Start: " + " ".join(f"{color[0].upper()}:{cell}" for color, cell in game["opening"].items()))
        spelled = [f"{'BW'[ply % 2]} {turn}" for ply, turn in enumerate(game["moves"])]
        lines += ["; ".join(spelled[at : at + 6]) for at in range(0, len(spelled), 6)]
        lines += [outcome(game, rng), ""]
    return "\n".join(lines)


def story(found: list[Game], rng: Random) -> str:
    """Return a story by one of the players."""
    parts = []
    for game in found:
        me = rng.choice(("black", "white"))
        other = name(game, "white" if me == "black" else "black")
        lines = [f"Yesterday I had a lovely game of {title(game)} (size {game['size']}) against {other}, I was {me}."]
        if opening := game.get("opening"):
            lines.append(
                "The opening stones were " + " and ".join(f"{cell} ({color})" for color, cell in opening.items()) + "."
            )
        for ply, turn in enumerate(game["moves"]):
            mine = (ply % 2 == 0) == (me == "black")
            turn = "passed" if turn == "pass" else turn
            if mine:
                lines.append(
                    rng.choice(
                        (f"I went {turn}.", f"Then I tried {turn},", f"I decided on {turn}, hoping for the best.")
                    )
                )
            else:
                lines.append(
                    rng.choice((f"{other} replied {turn}.", f"he answered with {turn}.", f"{turn} was the answer."))
                )
        lines.append(outcome(game, rng).removeprefix("Result: ") + ".")
        parts.append(" ".join(lines) if rng.random() < 0.5 else "\n".join(lines))
    return "\n\n---\n\n".join(parts)


def log(found: list[Game], rng: Random) -> str:
    """Return the log of a server: a line for each action, with times and names."""
    lines = []
    for number, game in enumerate(found, 1001):
        lines += [f"== Table {number}: {title(game)} (board size {game['size']}) =="]
        lines += [f"{name(game, color)} plays {color}" for color in ("black", "white")]
        for color, cell in game.get("opening", {}).items():
            lines.append(f"Opening {color}: {cell}")
        clock = 43200
        for ply, turn in enumerate(game["moves"]):
            clock += rng.randrange(5, 90)
            who = name(game, ("black", "white")[ply % 2])
            action = f"{who} passes" if turn == "pass" else f"{who} plays {turn}"
            lines.append(f"[{clock // 3600:02}:{clock // 60 % 60:02}:{clock % 60:02}] {action}")
        lines += [outcome(game, rng), ""]
    return "\n".join(lines)


def tags(found: list[Game], rng: Random) -> str:
    """Return games as PGN has them, with comments and a variation."""
    parts = []
    for game in found:
        lines = [
            f'[Event "Club"]\n[Date "{game["date"].replace("-", ".")}"]',
            f'[Game "{title(game)}"]\n[Size "{game["size"]}"]',
        ]
        lines += [f'[{color.capitalize()} "{name(game, color)}"]' for color in ("black", "white")]
        if opening := game.get("opening"):
            lines.append(f'[Opening "{" ".join(opening.values())}"]')
        text = []
        for n, turns in pairs(game["moves"]):
            text.append(f"{n}. {' '.join(turns)}{rng.choice(('', '', '', ' {interesting}', ' (better is a1)', '!?'))}")
        ended = game.get("result", {}).get("termination") == "rules"
        score = (
            {"black": "1-0", "white": "0-1", "draw": "1/2-1/2"}[game["result"]["winner"]]
            if ended
            else outcome(game, rng)
        )
        parts.append("\n".join(lines) + "\n\n" + " ".join(text) + f"\n{score}\n")
    return "\n".join(parts)


def by_color(found: list[Game], rng: Random) -> str:
    """Return the turns of each color in a list."""
    parts = []
    for game in found:
        parts.append(f"{title(game)} {game['size']}x{game['size']}")
        if opening := game.get("opening"):
            parts.append(f"Start: {', '.join(opening.values())}")
        parts.append(f"Black: {', '.join(game['moves'][0::2])}\nWhite: {', '.join(game['moves'][1::2])}")
        parts.append(outcome(game, rng) + "\n")
    return "\n".join(parts)


def wide(found: list[Game], rng: Random) -> str:  # noqa: ARG001
    """Return a game a row and a turn a column, by tabs."""
    most = max(len(game["moves"]) for game in found)
    rows = [["Game", "Size", "Black", "White", "Start B", "Start W", "Winner", *(f"m{n + 1}" for n in range(most))]]
    for game in found:
        opening = game.get("opening", {})
        ended = game.get("result", {})
        how = "" if ended.get("termination") == "rules" or not ended else f" ({ended['termination']})"
        winner = ended.get("winner", "").capitalize() + how
        rows.append(
            [
                title(game),
                str(game["size"]),
                name(game, "black"),
                name(game, "white"),
                opening.get("black", ""),
                opening.get("white", ""),
                winner,
                *game["moves"],
            ]
        )
    return "\n".join("\t".join(row) for row in rows)


def long(found: list[Game], rng: Random) -> str:  # noqa: ARG001
    """Return all turns of all games in one table, with the number of the game."""
    lines = ["game_id;game;size;opening black;opening white;turn;color;move;winner"]
    for number, game in enumerate(found, 1):
        opening, ended = game.get("opening", {}), game.get("result", {})
        how = "" if ended.get("termination") == "rules" or not ended else f" by {ended['termination']}"
        for ply, turn in enumerate(game["moves"], 1):
            lines.append(
                f"{number};{title(game)};{game['size']};{opening.get('black', '')};{opening.get('white', '')};{ply};"
                f"{'bw'[(ply - 1) % 2]};{turn};{ended.get('winner', '')}{how}"
            )
    return "\n".join(lines)


def columns(found: list[Game], rng: Random) -> str:
    """Return a game a column."""
    heads = ["", *(f"Game {n}" for n in range(1, len(found) + 1))]
    rows = [heads, ["Type", *map(title, found)], ["Size", *(str(game["size"]) for game in found)]]
    rows += [["Opening black", *(game.get("opening", {}).get("black", "") for game in found)]]
    rows += [["Opening white", *(game.get("opening", {}).get("white", "") for game in found)]]
    for ply in range(max(len(game["moves"]) for game in found)):
        rows.append([str(ply + 1), *(game["moves"][ply] if ply < len(game["moves"]) else "" for game in found)])
    rows.append(["Result", *(outcome(game, rng).removeprefix("Result: ") for game in found)])
    return "\n".join(",".join(row) for row in rows)


def aligned(found: list[Game], rng: Random) -> str:
    """Return columns of spaces, with the names of the players above them."""
    lines = []
    for number, game in enumerate(found, 1):
        black, white = name(game, "black"), name(game, "white")
        lines += [f"Round {number}  {title(game)}  size: {game['size']}", f"{'':5}{black:12}{white}"]
        if opening := game.get("opening"):
            lines.append(f"{'0':5}" + "".join(f"{cell:12}" for cell in opening.values()))
        lines += [f"{n:<5}{turns[0]:12}{turns[1] if len(turns) > 1 else ''}" for n, turns in pairs(game["moves"])]
        ended = game.get("result", {})
        loser = name(game, "white" if ended.get("winner") == "black" else "black")
        lines += [f"{loser} resigns" if ended.get("termination") == "resignation" else outcome(game, rng), ""]
    return "\n".join(lines)


def arena(found: list[Game], rng: Random) -> str:
    """Return the log of a site of games, as players copy it: moves, clocks and sentences in lines of their own."""
    lines = []
    for game in found:
        black, white = name(game, "black"), name(game, "white")
        table = rng.randrange(10**8, 10**9)
        lines += [
            f"{title(game)} #{table}",
            f"Board: {game['size']} cells per side",
            f"{black} plays Black, {white} plays White",
        ]
        number, hour, minute = 1, rng.randrange(1, 12), rng.randrange(60)
        if opening := game.get("opening"):
            stones = " and ".join(
                f"a {color} {games.get(game['game']).piece} on {cell.upper()}" for color, cell in opening.items()
            )
            lines += [f"Move {number}:", f"{hour}:{minute:02} PM", f"{white} sets {stones}"]
            number += 1
            lines += [f"Move {number}:", f"{black} keeps Black"] if rng.random() < 0.5 else []
            number += 1
        for ply, turn in enumerate(game["moves"]):
            minute = (minute + rng.randrange(3)) % 60
            who = (black, white)[ply % 2]
            said = f"{who} passes" if turn == "pass" else f"{who} plays {turn.upper()}"
            lines += [f"Move {number}:", f"{hour}:{minute:02} PM", said]
            number += 1
        result = game.get("result", {})
        loser = white if result.get("winner") == "black" else black
        winner = black if result.get("winner") == "black" else white
        if result.get("termination") == "resignation":
            lines.append(f"{loser} concedes the game")
        elif result.get("termination") == "time":
            lines.append(f"{loser} ran out of time")
        elif result.get("winner") == "draw":
            lines.append("The game ends in a draw")
        elif result:
            lines.append(f"End of game: {winner} wins")
        lines += ["", ""]
    return "\n".join(lines)


def abstract(found: list[Game], rng: Random) -> str:  # noqa: ARG001
    """Return the list of moves of a site of abstract games: the names once, two turns a line by tabs and a number."""
    parts = []
    for game in found:
        black, white = name(game, "black"), name(game, "white")
        variants = f"size-{game['size']}"
        lines = [f"{title(game)} ({variants})", f"1: {black}", f"2: {white}"]
        turns = [*game["moves"]]
        opening = game.get("opening")
        if opening:
            lines.append("Pregame: " + ",".join(opening.values()))
        for n, pair in pairs(turns):
            lines.append(f"{n}.\t" + "\t".join(pair))
        result = game.get("result", {})
        how = {"resignation": " (resignation)", "time": " (timeout)"}.get(result.get("termination"), "")
        who = {"black": black, "white": white, "draw": "draw"}.get(result.get("winner"))
        lines += [f"Winner: {who}{how}" if result.get("winner") != "draw" else "Result: draw"] if result else []
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def reddit(found: list[Game], rng: Random) -> str:
    """Return posts with a title, quoted rounds in bold, and talk between them."""
    parts = []
    talk = (
        "I thought this was the critical moment.",
        "What would you have played here?",
        "The left side is getting hot.",
        "In hindsight I should have looked at the corner first.",
        "My opponent took ten minutes for that one!",
    )
    for game in found:
        black, white = name(game, "black"), name(game, "white")
        lines = [
            f"## [Game report] {title(game)}: {black} (B) v {white} (W)",
            "",
            f"Hey r/abstractgames, here is our game from last weekend. We used the {game['size']}-per-side board.",
        ]
        if opening := game.get("opening"):
            lines.append(
                "Before the first turn there were stones at "
                + " and ".join(f"{cell} ({color[0].upper()})" for color, cell in opening.items())
                + "."
            )
        lines.append("")
        chunk: list[str] = []
        for n, turns in pairs(game["moves"]):
            chunk.append(f"**{n}.** {' '.join(turns)}")
            if rng.random() < 0.15:
                lines += ["> " + " ".join(chunk), "", rng.choice(talk), ""]
                chunk = []
        if chunk:
            lines += ["> " + " ".join(chunk), ""]
        lines += [outcome(game, rng).removeprefix("Result: "), "", "Thanks for reading!", ""]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def dated(found: list[Game], rng: Random) -> str:  # noqa: ARG001
    """Return a sheet with dates: a game a row, columns in another order and with other words."""
    rows = [
        [
            "When",
            "Rules",
            "Hex",
            "First player",
            "Second player",
            "B stone",
            "W stone",
            "Who won",
            "How",
            "Moves played",
        ]
    ]
    for game in found:
        opening, result = game.get("opening", {}), game.get("result", {})
        year, month, day = game["date"].split("-")
        how = {"resignation": "resigned", "time": "on time", "rules": "by the rules"}.get(
            result.get("termination", ""), ""
        )
        rows.append(
            [
                f"{day}/{month}/{year}",
                title(game),
                str(game["size"]),
                name(game, "black"),
                name(game, "white"),
                opening.get("black", ""),
                opening.get("white", ""),
                result.get("winner", "").capitalize(),
                how,
                "; ".join(game["moves"]),
            ]
        )
    return "\n".join("\t".join(row) for row in rows)


def wiki(found: list[Game], rng: Random) -> str:
    """Return pages of a wiki, with a table of rounds each."""
    parts = []
    for number, game in enumerate(found, 1):
        black, white = name(game, "black"), name(game, "white")
        lines = [
            f"== Match {number}: {title(game)} on size {game['size']} ==",
            f"'''Date:''' {game['date']}",
            '{| class="wikitable"',
        ]
        lines += [f"! Round !! {black} (Black) !! {white} (White)"]
        if opening := game.get("opening"):
            lines += ["|-", "| Opening || " + " || ".join([*opening.values(), ""][:2])]
        for n, turns in pairs(game["moves"]):
            lines += ["|-", f"| {n} || {turns[0]} || {turns[1] if len(turns) > 1 else ''}"]
        lines += ["|}", f"'''Result:''' {outcome(game, rng).removeprefix('Result: ')}", ""]
        parts.append("\n".join(lines))
    return "\n".join(parts)


def german(found: list[Game], rng: Random) -> str:  # noqa: ARG001
    """Return notes in German, with dashes, semicolons and commas of their own."""
    parts = []
    for number, game in enumerate(found, 1):
        black, white = name(game, "black"), name(game, "white")
        year, month, day = game["date"].split("-")
        lines = [
            f"{number}. Partie ({day}.{month}.{year}): {title(game)}, {game['size']}er-Brett",
            f"Schwarz = {black}; Weiß = {white}",
        ]
        if opening := game.get("opening"):
            lines.append(
                "Anfangssteine: "
                + ", ".join(
                    f"{'Schwarz' if color == 'black' else 'Weiß'} auf {cell}" for color, cell in opening.items()
                )
            )
        text = []
        for n, turns in pairs(game["moves"]):
            spelled = ["passt" if turn == "pass" else turn.replace("-", "–").replace("/", " + ") for turn in turns]
            text.append(f"{n}.) {'; '.join(spelled)}")
        lines += [", ".join(text[at : at + 4]) for at in range(0, len(text), 4)]
        result = game.get("result", {})
        loser, winner = ("Weiß", "Schwarz") if result.get("winner") == "black" else ("Schwarz", "Weiß")
        lines.append(
            {"resignation": f"{loser} gibt auf.", "time": f"{winner} gewinnt durch Zeitüberschreitung."}.get(
                result.get("termination", ""),
                "" if not result else "Unentschieden." if result["winner"] == "draw" else f"{winner} gewinnt.",
            )
        )
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def chat(found: list[Game], rng: Random) -> str:  # noqa: ARG001
    """Return a transcript of a chat, in which the players type their turns."""
    lines = []
    for game in found:
        black, white = name(game, "black"), name(game, "white")
        lines += [
            f"[20:00] <{black}> {title(game).lower()}? board {game['size']}",
            f"[20:00] <{white}> ok, you have black",
        ]
        opening = game.get("opening", {})
        if opening:
            lines.append(
                f"[20:01] <{white}> i put " + ", ".join(f"{color} on {cell}" for color, cell in opening.items())
            )
        for ply, turn in enumerate(game["moves"]):
            lines.append(f"[20:{ply // 4 + 2:02}] <{(black, white)[ply % 2]}> {turn}")
        result = game.get("result", {})
        loser = white if result.get("winner") == "black" else black
        if result.get("termination") in ("resignation", "time"):
            lines.append(
                f"[22:59] <{loser}> "
                + ("i resign, gg" if result["termination"] == "resignation" else "oh no, lost on time")
            )
        lines.append("")
    return "\n".join(lines)


def french(found: list[Game], rng: Random) -> str:  # noqa: ARG001
    """Return notes in French, with spaces before colons and slashes between turns."""
    parts = []
    for number, game in enumerate(found, 1):
        lines = [
            f"Partie n° {number} : {title(game)}, plateau de {game['size']}",
            f"Noirs : {name(game, 'black')}",
            f"Blancs : {name(game, 'white')}",
        ]
        opening = game.get("opening", {})
        if opening:
            lines.append(
                "Position initiale : "
                + " ; ".join(f"{'noir' if color == 'black' else 'blanc'} {cell}" for color, cell in opening.items())
            )
        sign = " ; " if any("/" in turn for turn in game["moves"]) else " / "
        spelled = ["passe" if turn == "pass" else turn for turn in game["moves"]]
        lines += [f"{n}. {sign.join(turns)}" for n, turns in pairs(spelled)]
        result = game.get("result", {})
        loser, winner = ("Les blancs", "Les noirs") if result.get("winner") == "black" else ("Les noirs", "Les blancs")
        how = result.get("termination")
        lines.append(
            ""
            if not result
            else f"{loser} abandonnent."
            if how == "resignation"
            else f"{winner} gagnent au temps."
            if how == "time"
            else "Match nul."
            if result["winner"] == "draw"
            else f"{winner} gagnent."
        )
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def keys(found: list[Game], rng: Random) -> str:
    """Return indented keys and lists, which are no records."""
    parts = []
    for game in found:
        lines = [
            f"game: {title(game)}",
            f"board size: {game['size']}",
            "players:",
            f"  black: {name(game, 'black')}",
            f"  white: {name(game, 'white')}",
        ]
        if "opening" in game:
            lines += ["opening:", *(f"  {color}: {cell}" for color, cell in game["opening"].items())]
        lines += ["moves:", *(f"  - {turn}" for turn in game["moves"])]
        lines.append("result: " + outcome(game, rng).removeprefix("Result: "))
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def match_sheet(found: list[Game], rng: Random) -> str:
    """Return a sheet with semicolons: a block of facts and a table of rounds for each game."""
    lines = []
    for number, game in enumerate(found, 1):
        black, white = name(game, "black"), name(game, "white")
        lines += [f"Match game {number};;", f"{title(game)};;", f"Board;{game['size']};", f"Date;{game['date']};"]
        if "opening" in game:
            lines.append("Start;" + ";".join([*game["opening"].values(), ""][:2]))
        lines.append(f"Round;{black} (Black);{white} (White)")
        lines += [f"{n};{turns[0]};{turns[1] if len(turns) > 1 else ''}" for n, turns in pairs(game["moves"])]
        lines += [f"Result;{outcome(game, rng).removeprefix('Result: ')};", ";;"]
    return "\n".join(lines)


def bulletin(found: list[Game], rng: Random) -> str:  # noqa: ARG001
    """Return a bulletin: a game a paragraph, players and game in front of the turns."""
    parts = []
    for game in found:
        black, white = name(game, "black"), name(game, "white")
        opening = game.get("opening", {})
        stones = f" from {' and '.join(opening.values())}" if opening else ""
        turns = " ".join(f"{n} {' '.join(pair)}" for n, pair in pairs(game["moves"]))
        result = game.get("result", {})
        winner = {"black": black, "white": white}.get(result.get("winner", ""))
        loser = white if winner == black else black
        end = {"resignation": f"{loser} resigned", "time": f"{loser} exceeded the time, {winner} wins on time"}.get(
            result.get("termination", ""), "" if not result else "drawn" if winner is None else f"{winner} won"
        )
        parts.append(
            f"{black} (Black) – {white} (White), {title(game)} on {game['size']} cells a side{stones}: {turns}. {end}"
        )
    return "\n\n".join(parts)


def bbcode(found: list[Game], rng: Random) -> str:
    """Return a post with the tags of forums and a list of turns."""
    parts = []
    for number, game in enumerate(found, 1):
        lines = [
            f"[b]Game {number}[/b]: [i]{title(game)}[/i] ({game['size']} per side)",
            f"[b]Black:[/b] {name(game, 'black')}  [b]White:[/b] {name(game, 'white')}",
        ]
        if "opening" in game:
            lines.append(
                "[b]Opening stones:[/b] " + ", ".join(f"{cell} ({color})" for color, cell in game["opening"].items())
            )
        lines += [
            "[list=1]",
            *(f"[*]{turn}" for turn in game["moves"]),
            "[/list]",
            f"[color=red]{outcome(game, rng)}[/color]",
        ]
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


LAYOUTS: dict[str, Layout] = {
    "forum post": ("forum.txt", forum),
    "Markdown tables": ("games.md", markdown),
    "CSV, a game a row": ("games.csv", csv_games),
    "CSV, a turn a row": ("turns.csv", csv_turns),
    "notes": ("notes.txt", notes),
    "colors before turns": ("colors.txt", colors),
    "story": ("story.txt", story),
    "log": ("log.txt", log),
    "tags": ("tags.txt", tags),
    "lists by color": ("lists.txt", by_color),
    "TSV, a turn a column": ("wide.tsv", wide),
    "CSV, all games": ("long.csv", long),
    "CSV, a game a column": ("columns.csv", columns),
    "aligned": ("aligned.txt", aligned),
    "log of a game site": ("arena.txt", arena),
    "list of a game site": ("abstract.txt", abstract),
    "post with talk": ("reddit.md", reddit),
    "sheet with dates": ("dated.tsv", dated),
    "wiki": ("wiki.txt", wiki),
    "notes in German": ("german.txt", german),
}
HELD: dict[str, Layout] = {
    "chat": ("chat.txt", chat),
    "notes in French": ("french.txt", french),
    "indented keys": ("keys.txt", keys),
    "sheet of one game after the other": ("match.csv", match_sheet),
    "bulletin": ("bulletin.txt", bulletin),
    "forum with tags": ("bbcode.txt", bbcode),
}


def truth(game: Game) -> Record:
    """Return the record of a game without its result."""
    return read_record({key: value for key, value in game.items() if key != "result"})


def measure(layouts: dict[str, Layout], rng: Random, count: int, *, shown: bool) -> None:
    """Print a row for each layout: games, right, right with the whole result, wrong, and the time of a game.

    A record is right if it has the game, the size, the opening and all turns, and no other winner.
    """
    print("| layout | games | right | with the result | wrong | time a game |")
    print("|---|---|---|---|---|---|")
    totals = [0, 0, 0]
    for label, (file, write) in layouts.items():
        found = reference_games(rng, count)
        text = write(found, rng)
        start = process_time()
        imported = [*import_bytes(text.encode(), file)]
        spent = (process_time() - start) / count * 1000
        true = {game_hash(truth(game)): game.get("result", {}).get("winner") for game in found}
        outcomes = [_compare(one.data, true) for one in imported if one.data is not None]
        right, complete = sum(good for good, _ in outcomes), sum(whole for _, whole in outcomes)
        wrong = len(outcomes) - right
        print(f"| {label} | {count} | {right} | {complete} | {wrong} | {spent:.0f} ms |")
        totals = [sum(pair) for pair in zip(totals, (count, right, wrong), strict=True)]
        for one in imported if shown else ():
            for diagnostic in one.report.diagnostics:
                print("   ", str(diagnostic)[:250])
            if one.data is not None and not _compare(one.data, true)[0]:
                print("    wrong:", json.dumps(one.data)[:600])
    print(f"\n{totals[1]} of {totals[0]} right, {totals[2]} wrong.")


def _compare(data: dict[str, Any], true: dict[str, str | None]) -> tuple[bool, bool]:
    """Return whether a record is right, and whether it has the true winner too, given the winners by game hash."""
    digest, winner = game_hash(read_record(data)), data.get("result", {}).get("winner")
    known = digest in true and winner in (None, true[digest])
    return known, known and winner == true[digest]


def main() -> None:
    """Measure the layouts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=10, help="games in each layout [default: 10]")
    parser.add_argument("--seed", default="posts")
    parser.add_argument("--held", action="store_true", help="measure the held layouts")
    parser.add_argument("--show", action="store_true", help="print the work lists")
    given = parser.parse_args()
    measure(HELD if given.held else LAYOUTS, Random(given.seed), given.games, shown=given.show)


if __name__ == "__main__":
    main()
