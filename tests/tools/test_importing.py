"""Games are imported from layouts, from texts with every kind of fact, and never invented.

`fixtures/import/layouts` has files in the layouts of `benchmarks/posts.py`, each with the games that it was made from;
`python -m tests.tools.test_importing` writes them anew. `fixtures/import/texts.yaml` has short texts,
`sentences.yaml` lines about one game.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from email.message import EmailMessage
from pathlib import Path
from random import Random
from textwrap import fill
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

import hexrec
from hexrec.codes import own_sections
from hexrec.io.discovery import Discovery
from hexrec.record.validation import read_record
from hexrec.rules.terms import COLORS
from hexrec.tools.importing import SUFFIXES, import_bytes, import_sources
from hexrec.tools.importing.spelling import plain
from tests.cases import all_of
from tests.fixtures import FIXTURES
from tests.properties import examples, sample

sys.path.insert(0, str(FIXTURES.parent.parent / "benchmarks"))
import posts

LAYOUTS = FIXTURES.parent / "import/layouts"
SENTENCES = yaml.safe_load((FIXTURES.parent / "import/sentences.yaml").read_text(encoding="utf-8"))
TEXTS: list[dict[str, Any]] = yaml.safe_load((FIXTURES.parent / "import/texts.yaml").read_text(encoding="utf-8"))
ALL = posts.LAYOUTS | posts.HELD


def game_of(record: dict[str, Any]) -> tuple[str, str | None, str]:
    """Return what an import must not get wrong: the game, and how it ended."""
    result = record.get("result", {})
    known = {name: value for name, value in record.items() if name != "result"}
    return hexrec.game_hash(read_record(known)), result.get("winner"), result.get("termination", "rules")


@pytest.mark.parametrize("label", ALL)
def test_layouts(label: str) -> None:
    file, _ = ALL[label]
    truth = (LAYOUTS / f"{file}.jsonl").read_text(encoding="utf-8").splitlines()
    imported = [*import_bytes((LAYOUTS / file).read_bytes(), file)]
    assert [str(error) for one in imported for error in one.report.errors] == []
    made, true = [game_of(one.data or {}) for one in imported], [game_of(json.loads(line)) for line in truth]
    if label == "chat":  # it has no results of games that the rules end
        true = [(digest, known[1], known[2]) for (digest, _, _), known in zip(true, made, strict=True)]
    assert made == true


@pytest.mark.parametrize("seed", sample(range(2), 2))
def test_what_is_written_is_the_truth(seed: int) -> None:
    """Other games in the same layouts: most are imported, and none is another game than was written."""
    rng = Random(seed)
    for file, write in ALL.values():
        games = posts.reference_games(rng, 4)
        made = [game_of(one.data) for one in import_bytes(write(games, rng).encode(), file) if one.data is not None]
        assert {digest for digest, _, _ in made} <= {game_of(game)[0] for game in games}, file
        assert len(made) >= 3, file


#: Other ways to write the same games, as people and programs do; a text may then be left, but is no other game.
OTHER_WAYS: dict[str, Callable[[str, Random], str]] = {
    "signs between cells": lambda text, rng: re.sub(
        r"(?<=[a-z]\d)-(?=[a-z]\d)", rng.choice((" -> ", " to ", "–", "~")), text
    ),
    "numbers of turns": lambda text, rng: re.sub(
        r"(?<![\w.])(\d{1,2})\.(?=\s?[a-z])", rng.choice((r"\1)", r"(\1)", r"\1:", r"#\1")), text
    ),
    "words of headings": lambda text, _: re.sub(
        r"(?i)\b(?:game|opening|size|result)\b", lambda word: f"{word[0]}ling", text
    ),
    "words for colors": lambda text, _: text.replace("Black", "Dark").replace("White", "Light"),
    "quotation": lambda text, _: re.sub(r"(?m)^", "> ", text),
    "bullets": lambda text, _: re.sub(r"(?m)^(?=\S)", "- ", text),
    "indented": lambda text, _: re.sub(r"(?m)^", "      ", text),
    "no blank lines": lambda text, _: re.sub(r"\n{2,}", "\n", text),
    "blank lines": lambda text, _: text.replace("\n", "\n\n"),
    "wrapped": lambda text, rng: "\n".join(
        fill(line, rng.choice((40, 60)), break_on_hyphens=False) for line in text.split("\n")
    ),
    "a remark": lambda text, rng: text.replace(
        "\n", rng.choice(("\nI prefer d4 to e5.\n", "\nMy rating is 1432 now, 12 more.\n")), 2
    ),
    "no heading": lambda text, rng: re.sub(rf"(?mi)^.*\bgame {rng.randint(1, 3)}\b.*\n", "", text),
    "no results": lambda text, _: re.sub(r"(?mi)^.*\b(?:won|wins|result|resigns?)\b.*\n", "", text),
    "other columns": lambda text, rng: _shuffle(text, rng),
}


def _shuffle(text: str, rng: Random) -> str:
    """Return a table with its columns in another order."""
    rows = [line.split("\t" if "\t" in text else ",") for line in text.split("\n")]
    order = rng.sample(range(len(rows[0])), len(rows[0]))
    return "\n".join(",".join(row[at] for at in order) if len(row) == len(order) > 2 else ",".join(row) for row in rows)


@all_of("way", sample(OTHER_WAYS, 14))
def test_the_same_games_in_other_words(way: str) -> None:
    for file, _ in ALL.values():
        text, rng = (LAYOUTS / file).read_text(encoding="utf-8"), Random(file)
        truth = [json.loads(line) for line in (LAYOUTS / f"{file}.jsonl").read_text(encoding="utf-8").splitlines()]
        known = {digest: {winner, None} for game in truth for digest, winner, _ in [game_of(game)]}
        for one in import_bytes(OTHER_WAYS[way](text, rng).encode(), file):
            if one.data is not None:
                digest, winner, _ = game_of(one.data)
                assert winner in known.get(digest, ()), (file, one.data)


@all_of("sentence", SENTENCES["players"])
def test_players(sentence: str) -> None:
    (report,) = hexrec.import_text(f"Sunspot, size 4\n{sentence}\n\n1. d4 a1 2. b1 c1\n")
    assert report.record is not None, report.diagnostics
    players = report.record.data.get("players", {})
    assert [players.get(color, {}).get("name") for color in COLORS] == SENTENCES["players"][sentence]


@all_of("sentence", SENTENCES["left_out"])
def test_facts_that_are_left_out(sentence: str) -> None:
    (report,) = hexrec.import_text(f"Sunspot, size 4\n{sentence}\n\n1. d4 a1 2. b1 c1\n")
    assert report.record is not None, report.diagnostics
    assert any(SENTENCES["left_out"][sentence] in warning.message for warning in report.diagnostics), report.diagnostics
    assert not {"players", "date"} & report.record.data.keys()


_NADRAZ = "Nadraz, size 4, opening: Black d4, White e5\n1. "
_LISTS = {
    "black": f"{_NADRAZ}e3-f3 d5 2. e2-b3 c5-b4 3. f4 pass 4. c2-d2 pass 5. pass",
    "white": f"{_NADRAZ}c3-b2 d6-b4 2. e3-f2 e4-f3 3. c2-d2 b3-b1 4. d5-c4 pass 5. pass",
    "resigned": "Sunspot, size 4\n1. d4 a1 2. b1 c1",
}


@all_of("case", [(kind, line) for kind in ("results", "resignations") for line in SENTENCES[kind]])
def test_results(case: tuple[str, str]) -> None:
    """A winner is written only if each statement names the same one; a contradiction to the rules is refused."""
    kind, sentence = case
    winner = SENTENCES[kind][sentence]
    for name in ("black", "white") if kind == "results" else ("resigned",):
        (report,) = hexrec.import_text(f"Black: Ann Lee\nWhite: Noor\n{_LISTS[name]}\n\n{sentence}\n")
        result = report.record.data.get("result") if report.record is not None else None
        assert (result or {}).get("winner") == (winner if name in (winner, "resigned") else None), report.diagnostics
        assert result is not None or report.diagnostics


@all_of("case", TEXTS, ids=lambda case: case["text"][:40])
def test_texts(case: dict[str, Any]) -> None:
    reports = hexrec.import_text(case["text"], file=case.get("file"), **case.get("hints", {}))
    records = case.get("records") or ([case["record"]] if "record" in case and "code" not in case else [])
    found = [report.record.data for report in reports if report.record is not None]
    if "code" in case:
        assert [diagnostic.code for diagnostic in reports[0].diagnostics] == [case["code"]]
    else:
        made = [{name: value for name, value in data.items() if name not in ("hexrec", "source")} for data in found]
        assert [{**record, "moves": record["moves"]} for record in made] == records
        assert all(data["source"] for data in found)


@pytest.mark.parametrize("encoding", ["quoted-printable", "base64", "8bit"])
def test_mails(encoding: str) -> None:
    mail = EmailMessage()
    mail["From"], mail["Date"] = "Ada <ada@example.org>", "Mon, 24 Nov 2025 19:12:00 +0100"
    mail["Subject"] = "Sunspot, Größe 4"
    mail.set_content("Schöne Grüße,\n1. d4 a1\n2. b1\nWeiß gibt auf\n-- \nb2", charset="iso-8859-1", cte=encoding)
    mail.add_alternative("<p>1. a1<br>2. b1</p>", subtype="html")
    [imported] = import_bytes(bytes(mail), "game.eml")
    assert imported.data is not None
    assert imported.data["moves"] == ["d4", "a1", "b1"]


def test_ratings() -> None:
    text = "Sunspot, size 4, Ann Lee (1850) as Black, Bo Li [1700] as White\n1. d4 a1\nnot finished\n"
    (report,) = hexrec.import_text(text)
    assert report.record is not None
    assert [report.record.data["players"][color].get("rating") for color in COLORS] == [1850, 1700]


def test_repairs_are_of_the_attempt() -> None:
    """The pointer of an edit finds the turn in the attempt, also beside a comment."""
    (imported,) = import_bytes(b"Sunspot, size 4\n1. d4 a1 2. b1 c1 3. a1 (a slip of the pen) d1 4. e1")
    assert imported.attempt is not None
    assert imported.attempt["moves"][4] == {"turn": "a1", "comment": "a slip of the pen"}
    assert imported.report.diagnostics[0].suggestions[0].edits[0].pointer == "/moves/4/turn"


def test_mailboxes() -> None:
    """Each mail has a turn of its author; quotations have none."""
    parts: list[bytes] = []
    for name, text in (("Ada", "d4"), ("Ben", "a1\n\nAda wrote:\n> d4"), ("Ada", "b1"), ("Ben", "I resign")):
        mail = EmailMessage()
        mail["From"], mail["Subject"] = f"{name} <{name}@example.org>", "Re: " * bool(parts) + "Sunspot, size 4"
        mail["Date"] = f"Mon, 24 Nov 2025 19:1{len(parts)}:00 +0100"
        mail.set_content(text, cte="base64")
        parts.append(b"From somebody Mon Nov 24\n" + bytes(mail))
    [imported] = import_bytes(b"".join(parts), "game.mbox")
    assert imported.data is not None
    assert imported.data["players"] == {"black": {"name": "Ada"}, "white": {"name": "Ben"}}
    assert imported.data["moves"] == ["d4", "a1", "b1"]
    assert imported.data["result"] == {"winner": "black", "termination": "resignation"}


FIRST = "Sunspot, size 4, Ada (Black) vs Ben (White)\n1. c3 a1 2. c4 a4 3. d3 d1\n4. d5 d7\nto be continued\n"
SECOND = "Ada (Black) vs Ben (White), continued from the other file\n5. e3 g1 6. e4\nBlack won\n"


@pytest.mark.parametrize(
    ("first", "second", "joins"),
    [
        (FIRST, SECOND, True),
        (FIRST.replace("to be continued", ""), SECOND.replace("Ada", "Cleo"), False),
        (FIRST, SECOND.replace("5.", "6.").replace("6. e4", "7. e4"), False),
        (FIRST, SECOND.replace("e3", "a1"), False),
    ],
)
def test_games_in_two_files(first: str, second: str, joins: bool, tmp_path: Path) -> None:
    (tmp_path / "b.txt").write_text(second)
    (tmp_path / "c.txt").write_text(first)
    imported = [*import_sources(Discovery([str(tmp_path)], suffixes=SUFFIXES))]
    if joins:
        [game] = imported
        assert game.data is not None
        assert game.data["moves"] == ["c3", "a1", "c4", "a4", "d3", "d1", "d5", "d7", "e3", "g1", "e4"]
        assert game.data["source"] == "c.txt, lines 1 to 4; b.txt, lines 1 to 3"
    else:
        assert all(game.data is None or game.report.diagnostics for game in imported)
        assert {code.code for game in imported for code in game.report.diagnostics} & {"import/order", "import/turn"}


def test_a_table_of_games_is_in_another_file(tmp_path: Path) -> None:
    """Its rows state the facts of games by their numbers; numbers of a file with a table of its own are others."""
    (tmp_path / "games.csv").write_text(
        "id,game,size,black,white,black_stone,white_stone,winner\n"
        "7,sundraval,4,Ada,Ben,d4,e5,black\n8,sunspot,4,Cleo,Dan,,,\n"
    )
    (tmp_path / "turns.csv").write_text("game_id,ply,move\n8,1,d4\n7,1,a1\n8,2,a1\n7,2,resign\n")
    (tmp_path / "x.sql").write_text(
        "INSERT INTO games (id, game, size) VALUES (8, 'Sunspot', 5), (9, 'Sunspot', 6);\n"
        "INSERT INTO moves (game_id, ply, move) VALUES (8, 1, 'e5'), (8, 2, 'a1'), (9, 1, 'f6');\n"
    )
    imported = [*import_sources(Discovery([str(tmp_path)], suffixes=SUFFIXES))]
    assert [str(error) for one in imported for error in one.report.errors] == []
    games = {(data["game"], data["size"]): data for one in imported if (data := one.data)}
    assert games.keys() == {("sundraval", 4), ("sunspot", 4), ("sunspot", 5), ("sunspot", 6)}
    assert games["sundraval", 4]["opening"] == {"black": "d4", "white": "e5"}
    assert games["sunspot", 4]["players"] == {"black": {"name": "Cleo"}, "white": {"name": "Dan"}}
    assert games["sunspot", 5]["moves"] == ["e5", "a1"]


def test_a_long_line_beside_a_game_takes_no_longer_than_it_is() -> None:
    text = f"Sunspot, size 4\n1. d4 a1 2. b1\n{'nice game ' * 9_000}"
    (imported,) = import_bytes(text.encode(), "post.txt")
    assert (imported.data or {})["moves"] == ["d4", "a1", "b1"]


def test_every_code_has_a_text() -> None:
    """The limits have tests with the command."""
    shown = {case["code"] for case in TEXTS if "code" in case}
    assert shown | {"import/limit"} == set(own_sections("import")["import"].codes)


@given(
    st.text()
    | st.lists(
        st.sampled_from(["a1", "b2", "1.", "\n", " ", "(", "{", "|", ",", "Sunspot 4", "pass", "-", "Black", "Moves"])
    ).map("".join)
)
@settings(max_examples=examples(60), deadline=None)
def test_any_text_gets_a_report(text: str) -> None:
    for report in hexrec.import_text(text):
        assert report.valid == (report.record is not None)
        assert all(diagnostic.code.startswith("import/") for diagnostic in report.diagnostics)
    assert len(plain(text)) == len(text)


def write_layouts() -> None:
    """Write a file in each layout with short games, and the games."""
    for label, (file, write) in ALL.items():
        rng = Random(label)
        games = [game for game in posts.reference_games(rng, 60) if 12 < len(game["moves"]) < 40][:3]
        (LAYOUTS / file).write_text(write(games, rng), encoding="utf-8")
        lines = "".join(json.dumps(game, separators=(",", ":")) + "\n" for game in games)
        (LAYOUTS / f"{file}.jsonl").write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    write_layouts()
