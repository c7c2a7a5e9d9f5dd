"""SGF: what is written comes back, through other programs too; what others write is read, and its slips are told."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import sgf as sgf_package
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sgfmill import sgf_grammar as sgfmill

from hexrec.formats.base import Document
from hexrec.formats.sgf.properties import result_meaning, result_text
from hexrec.record.canonical import canonical_form, in_coordinates
from hexrec.record.record import order_move, order_record
from hexrec.record.validation import read_record
from hexrec.rules import games
from hexrec.rules.board import System
from hexrec.util.limits import MAX_DEPTH, MAX_RECORD_BYTES
from tests.examples.hex import HEX
from tests.formats.helpers import check, cut_out, read, read_one, write
from tests.properties import examples, sample
from tests.record.helpers import FIXTURES, exact, fixture_data
from tests.record.strategies import HOSTILE_TEXTS, records

HEAD = "(;FF[4]CA[UTF-8]GM[5001]SZ[5]HX[sunspot]"
GAME = f"{HEAD};B[e5])"
RECORD: dict[str, Any] = {"hexrec": "1", "game": "sunspot", "size": 5, "moves": ["e5"]}
canonical_records = st.sampled_from(games.names()).flatmap(records).map(read_record).map(canonical_form)
raw_values = st.text(st.sampled_from("ab :;()[\n\r\t\\]\u00e9\u65e5"), max_size=8).map(
    lambda text: re.sub(r"[\\\]]", lambda found: "\\" + found[0], text)
)
properties = st.dictionaries(
    st.sampled_from(["KM", "TM", "C", "GN", "RE", "AP", "RU", "TR", "BL", "WL", "TE", "DT", "BR", "HJ", "XYZ", "LB"]),
    st.lists(raw_values, min_size=1, max_size=2),
    min_size=1,
    max_size=3,
)
many = settings(max_examples=examples(40), suppress_health_check=list(HealthCheck))


def raw_read(raw: str | bytes) -> list[Document]:
    return read("sgf", raw)


def through_package(text: str) -> str:
    out = io.StringIO()
    sgf_package.parse(text).output(out)
    return out.getvalue()


def through_sgfmill(text: str) -> str:
    trees = sgfmill.parse_sgf_collection(text.encode())
    return b"".join(map(sgfmill.serialise_game_tree, trees)).decode()


def with_kept(data: dict[str, Any], kept: dict[str, list[str]]) -> dict[str, Any]:
    """Return a record and its first move with properties kept from elsewhere."""
    moves = [{"turn": "e5", "x-sgf": kept}, *data["moves"][1:]]
    return canonical_form(read_record({**data, "game": "sunspot", "moves": moves, "x-sgf": kept}))


class TestRoundTrip:
    @pytest.mark.slow
    @many
    @given(data=canonical_records)
    def test_a_record_is_read_back_as_it_was_written(self, data: dict[str, Any]) -> None:
        (document,) = raw_read(write("sgf", data))
        assert document.error is None
        assert exact(document.data) == exact(data)

    @pytest.mark.slow
    @settings(parent=many, max_examples=examples(10))
    @given(several=st.lists(canonical_records, min_size=2, max_size=3))
    def test_several_are_too(self, several: list[dict[str, Any]]) -> None:
        assert [exact(each.data) for each in raw_read(write("sgf", *several))] == list(map(exact, several))

    @pytest.mark.slow
    @many
    @given(data=canonical_records, through=st.sampled_from([through_package, through_sgfmill]))
    def test_other_programs_pass_it_on(self, data: dict[str, Any], through: Any) -> None:
        (document,) = raw_read(through(write("sgf", data)))
        assert document.data == data

    @pytest.mark.parametrize("text", HOSTILE_TEXTS, ids=ascii)
    def test_a_text_survives_wherever_it_stands(self, text: str) -> None:
        player = {"name": text, "id": text, f"x-{text}": text}
        move = {"turn": "e5", "comment": text, "variations": [[{"turn": "e6", "comment": text}, "e7"]], "x-a": [text]}
        names = ("event", "site", "round", "annotator", "source", "comment", "id", "x-sgf", f"x-{text}")
        data = canonical_form(
            read_record(
                {**RECORD, "players": {"black": player, "white": player}, "moves": [move], **dict.fromkeys(names, text)}
            )
        )
        written = write("sgf", data)
        assert exact(read_one("sgf", written)) == exact(data)
        assert read_one("sgf", through_package(written)) == data
        assert read_one("sgf", through_sgfmill(written)) == data

    @many
    @given(kept=properties)
    def test_properties_from_elsewhere_come_back(self, kept: dict[str, list[str]]) -> None:
        data = with_kept(RECORD, kept)
        (document,) = raw_read(write("sgf", data))
        assert document.error is None
        assert exact(document.data) == exact(data)

    @pytest.mark.parametrize(
        "kept",
        [
            *({}, [], "a", {"B": ["e5"]}, {"KM": []}, {"KM": "6"}, {"km": ["6"]}, {"KM": ["]"]}, {"KM": ["\\"]}),
            *({"KM": [1]}, {"FF": ["3"]}, {"HJ": ["{}"]}, {"KM": ["\n(;FF[4"]}, {"KM": ["\0"]}, {"PB": ["a"]}),
        ],
        ids=ascii,
    )
    def test_what_is_no_property_comes_back_as_well(self, kept: Any) -> None:
        data = canonical_form(read_record({**RECORD, "moves": [{"turn": "e5", "x-sgf": kept}], "x-sgf": kept}))
        assert exact(read_one("sgf", write("sgf", data))) == exact(data)

    @pytest.mark.parametrize(
        "texts",
        [
            *([";C[a]"], [";C[a]", ";TR[e5]LB[e6:a]"], ["(;C[a];B[e5])"], ["(;C[a](;B[e5])(;B[e6]))"], [";AB[e5]"]),
            *([""], [";"], ["C[a]"], [";B[e5]"], [";C[a] "], [";c[a]"], [";C[a];C[b]"], [";C[a"], ["(;C[a]"]),
            *([")"], ["(;FF[4]GM[1])"], ["(;C[a](;FF[4]))"], ["(;B[e5])"], ["(;C[a]))"], [1], "a", [], [["a"]]),
            *([";C[\n(;FF[4]"], [";C[a\0]"], [";"], ["()"]),
        ],
        ids=ascii,
    )
    @pytest.mark.parametrize("name", ["x-sgf-nodes", "x-sgf-trees"])
    @pytest.mark.parametrize("others", [[], ["e6"], [{"turn": "e6", "variations": [["e7", "e8"]]}]], ids=len)
    def test_what_nodes_without_moves_are_kept_in_comes_back(self, texts: Any, name: str, others: list[Any]) -> None:
        for moves in ([{"turn": "e5", name: texts}, *others], others):
            data = canonical_form(read_record({**RECORD, "moves": moves, name: texts}))
            assert exact(read_one("sgf", write("sgf", data))) == exact(data)

    def test_records_among_the_fixtures_survive(self) -> None:
        count = 0
        for plain in sample(fixture_data(), 3):
            try:
                data = canonical_form(read_record(plain))
            except ValueError:
                continue
            count += 1
            text = write("sgf", data)
            assert exact(read_one("sgf", text)) == exact(data)
            assert write("sgf", read_one("sgf", text)) == text
        assert count > 30

    @pytest.mark.parametrize(
        "text",
        [
            f"{HEAD};B[e5](;W[e6];B[d4])(;W[e7](;B[d5])(;B[d6])))",
            f"{HEAD}(;B[e5];W[d4])(;B[e6]))",
            f"{HEAD}KM[6.5]TM[60];B[e5]TR[a1][b2]LB[c3:x\\:y])",
            f"{HEAD};C[a];B[e5];C[b];TR[e5];W[e6](;B[d4])(;C[c];B[d5])(;B[d6]))",
            f"{HEAD}DT[1996-12,1997]BR[2d]RE[W+Resign]RU[house rules];B[e5]WL[12]BL[7.5]BM[3]TE[1]DO[])",
        ],
    )
    def test_what_others_write_comes_home(self, text: str) -> None:
        data = read_one("sgf", text)
        assert canonical_form(read_record(data)) == data
        again = write("sgf", data)
        for part in re.findall(r"[A-Z]+(?:\[(?:[^\\\]]|\\.)*\])+", text):
            assert part in again
        assert exact(read_one("sgf", again)) == exact(data)


class TestWriting:
    def test_what_stands_in_the_root(self) -> None:
        data = {
            **RECORD,
            "game": "nadraz",
            "variant": "reverse",
            "players": {"black": {"name": "Ada ]", "rating": 1850}, "white": {"name": "B\\en"}},
            "event": "Open",
            "date": "2026-11-20",
            "opening": {"black": "e5", "white": "a1"},
            "moves": ["e6", {"turn": "a2-a3", "clock": 7.5, "comment": "a\nb", "nag": [4]}],
            "result": {"winner": "black", "termination": "resignation"},
        }
        (tree,) = sgfmill.parse_sgf_collection(write("sgf", data).encode())
        root, first, second = (
            {name: [value.decode() for value in values] for name, values in node.items()} for node in tree.sequence
        )
        assert root.pop("AP")[0].startswith("hexrec:")
        fixed = {"FF": "4", "CA": "UTF-8", "GM": "5004", "SZ": "5", "PL": "B"}
        private = {"HX": "nadraz", "HV": "2023", "HT": "reverse"}
        people = {"PB": "Ada \\]", "BR": "1850", "PW": "B\\\\en", "EV": "Open", "DT": "2026-11-20"}
        others = {"RU": "Nadraz 2023 reverse", "AB": "e5", "AW": "a1", "RE": "B+R"}
        assert root == {name: [value] for name, value in (fixed | private | people | others).items()}
        assert first == {"B": ["e6"]}
        assert second == {"W": ["a2-a3"], "WL": ["7.5"], "C": ["a\nb"], "BM": ["2"], "HJ": ['{"nag":[4\\]}']}

    def test_names_of_properties_are_what_every_reader_takes(self) -> None:
        for plain in fixture_data("record"):
            try:
                text = write("sgf", canonical_form(read_record(plain)))
            except ValueError:
                continue
            for game in sgf_package.parse(text):
                assert all(re.fullmatch("[A-Z]{1,2}", name) for node in game for name in node.properties)

    def test_every_game_has_its_number(self) -> None:
        """Numbers are never given to another game: files in the world bear them."""
        numbers = {name: games.get(name).sgf_number for name in games.BUILT_IN}
        assert numbers == {"sundraval": 5000, "sunspot": 5001, "frasvel": 5002, "valaturna": 5003, "nadraz": 5004}
        for name, number in numbers.items():
            assert read_one("sgf", f"(;FF[4]GM[{number}]SZ[5])")["game"] == name

    def test_fields_stand_in_the_order_of_records_with_the_places_asked_for(self) -> None:
        (document,) = raw_read(f"{HEAD}KM[6]RE[W+3];B[e5]KM[6]C[x]CR[a1]BL[5];W[e6])")
        move = document.data["moves"][0]
        assert list(move) == list(order_move(move))
        assert list(document.data) == list(order_record(document.data))
        assert document.margin is None
        assert set(document.places(["/size"]).values) == {"", "/size"}
        (document,) = raw_read(f"{GAME[:-1]}C[x]BL[5];N[a];W[e6])")
        move = document.data["moves"][0]
        assert list(move) == list(order_move(move))
        assert document.margin is None
        assert {"/moves/0", "/moves/0/turn"} < set(document.places(["/moves/0/turn"]).values)

    def test_a_game_of_a_package_is_named_without_a_number(self) -> None:
        games.register(HEX)
        try:
            text = write("sgf", RECORD | {"game": "hex"})
            assert read_one("sgf", text) == RECORD | {"game": "hex"}
            (document,) = raw_read(text.replace("HX[hex]", "GM[7]HX[hex]"))
            assert (document.error, document.warnings) == (None, ())
        finally:
            games.unregister("hex")
        assert "GM" not in text
        assert "HX[hex]HV[1942]RU[Hex 1942]" in text

    @pytest.mark.parametrize(
        ("result", "text"),
        [
            ({"winner": "black", "termination": "resignation"}, "B+R"),
            ({"winner": "white", "termination": "time"}, "W+T"),
            ({"winner": "white", "termination": "forfeit"}, "W+F"),
            ({"winner": "black", "score": {"black": 7.5, "white": 4}}, "B+3.5"),
            ({"winner": "black", "score": {"black": [7], "white": [4]}}, "B+"),
            ({"winner": "black", "termination": "adjudication"}, "B+"),
            ({"winner": "draw"}, "0"),
            ({"winner": "draw", "termination": "agreement"}, "0"),
            ({"termination": "abandoned"}, "Void"),
            ({"termination": "adjudication"}, "?"),
            ({}, "?"),
            (None, None),
        ],
    )
    def test_results(self, result: dict[str, Any] | None, text: str | None) -> None:
        assert result_text(result) == text
        data = RECORD if result is None else {**RECORD, "result": result}
        written = write("sgf", data)
        assert read_one("sgf", written) == data
        assert ("HR[" in written) == (result is not None and result != result_meaning(text or ""))

    def test_lines_are_short(self) -> None:
        text = write("sgf", {**RECORD, "moves": ["e5", "(0,1)-(0,3)", {"turn": "e7", "variations": [["e8"]]}] * 60})
        assert max(map(len, text.split("\n"))) <= 80

    def test_lines_are_filled_after_a_text_of_several(self) -> None:
        moves = [{"turn": "e5", "comment": f"one\n{'two ' * 9}\nthree"}, *["e6", "e7"] * 60]
        _, after = write("sgf", {**RECORD, "moves": moves}).split("\nthree")
        first, *lines, _ = after.splitlines()
        assert {len(f"three{first}"), *map(len, lines)} <= set(range(73, 79))

    @pytest.mark.parametrize("size", range(60, 80))
    def test_no_line_begins_with_a_variation(self, size: int) -> None:
        """Games begin so, and where one is not closed, what begins like another ends it."""
        moves = [{"turn": "e5", "comment": "a" * size}, {"turn": "e6", "variations": [["e7"]]}]
        assert "\n(" not in write("sgf", {**RECORD, "moves": moves})


#: The properties that belong into the first node alone: those of the file and those about the game.
OF_THE_ROOT = set(re.findall("..", "FFCAGMAPSZSTANBRBTCPDTEVGNGCONOTPBPCPWRERORUSOTMUSWRWT" + "HXHVHTHCHPHR"))
#: What SGFC takes out of every game but Go, as it finds no move beside it.
DELETED = {"TE", "BM", "DO", "IT"}


def through_checker(text: str) -> str:
    """Return a game as SGFC writes it: without glyphs, empty values, blanks at the ends of texts, in another order."""
    (tree,) = sgfmill.parse_sgf_collection(text.encode())
    nodes = [tree]
    while nodes:
        here = nodes.pop()
        nodes += here.children
        for node in here.sequence:
            kept = {
                name: [value.strip() for value in values]
                for name, values in reversed(node.items())
                if name not in DELETED and (name in ("B", "W") or any(map(bytes.strip, values)))
            }
            node.clear()
            node.update(kept)
    return str(sgfmill.serialise_game_tree(tree), "utf-8")


class TestOtherPrograms:
    """SGFC, the reference checker, is in no registry of packages: the tests have its rules for games unknown to it."""

    def nodes(self, text: str) -> Iterator[tuple[bool, dict[str, list[bytes]]]]:
        (tree,) = sgfmill.parse_sgf_collection(text.encode())
        waiting = [tree]
        while waiting:
            here = waiting.pop()
            waiting += here.children
            yield from ((here is tree and not index, node) for index, node in enumerate(here.sequence))

    @pytest.mark.parametrize("name", ["every-game", "variations", "all-fields", "margin"])
    def test_what_is_written_follows_their_rules(self, name: str) -> None:
        for document in raw_read((FIXTURES / f"formats/sgf/valid/{name}.sgf").read_bytes()):
            text = write("sgf", document.data)
            (again,) = raw_read(text)
            assert again.warnings == ()  # which tell of a property that is twice in a node
            for is_root, node in self.nodes(text):
                assert is_root or not OF_THE_ROOT & node.keys()
                assert not (is_root and {"B", "W"} & node.keys())
                assert len(DELETED & node.keys()) <= 1
                assert all(value.strip() for name, values in node.items() for value in values if name not in DELETED)
                points = [value for name in ("CR", "SQ", "TR", "MA", "SL") for value in node.get(name, ())]
                assert len(points) == len(set(points))

    @pytest.mark.parametrize("name", ["every-game", "all-fields"])
    def test_what_is_written_says_the_same_when_they_have_written_it(self, name: str) -> None:
        for document in raw_read((FIXTURES / f"formats/sgf/valid/{name}.sgf").read_bytes()):
            there = through_checker(write("sgf", document.data))
            assert not any(DELETED & node.keys() for _, node in self.nodes(there))
            assert exact(read_one("sgf", there)) == exact(document.data)

    @pytest.mark.parametrize("text", ["", " ", " a", "a ", "\n", "a\n", "\ta", "a]\\:b", "]", "\\"], ids=ascii)
    def test_texts_say_the_same_too(self, text: str) -> None:
        moves = [{"turn": "e5", "comment": text, "nag": [6]}, {"turn": "d4", "nag": [1]}]
        data = {**RECORD, "players": {"black": {"name": text}}, "event": text, "comment": text, "moves": moves}
        assert exact(read_one("sgf", through_checker(write("sgf", data)))) == exact(order_record(data))

    def test_another_annotation_in_the_place_of_a_glyph_counts(self) -> None:
        text = write("sgf", {**RECORD, "moves": [{"turn": "e5", "nag": [1]}]})
        assert read_one("sgf", text.replace("TE[1]", "DO[]"))["moves"] == [{"turn": "e5", "nag": [6]}]
        assert read_one("sgf", text.replace("TE[1]", ""))["moves"] == [{"turn": "e5", "nag": [1]}]


SETUPS = [
    ("sunspot", 4, "4/1b3/6/2w4/6/5/4 w 0", "PL[W]AB[f2]AW[d3]", True),
    ("sunspot", 4, "4/5/6/7/6/5/4 w 0", "PL[W]", True),
    ("frasvel", 3, "3/1w2/b4/4/2b b 0", "PL[B]AB[a3][c1]AW[d2]", True),
    ("frasvel", 3, "3/1w2/b4/4/2b*2 b 0", "", False),
    ("frasvel", 3, "3/4/b4/4/3 b 0", "", False),
    ("frasvel", 3, "3/4/b4/4/3 w 0", "PL[W]AB[c1]", True),
    ("valaturna", 4, "4/5/2b3/7/2w3/5/4 b 0", "", False),
    ("valaturna", 4, "4/5/2b3/7/2w3/5/4 w 1", "PL[W]AB[e3]AW[c3]", False),
    ("nadraz", 4, "4/5/2bb2/7/2w3/5/4 b 0 -", "PL[B]AB[e3][e4]AW[c3]", True),
    ("nadraz", 4, "4/5/2bb2/7/2w3/5/4 b 0 w", "PL[B]AB[e3][e4]AW[c3]", False),
    ("nadraz", 4, "no text of a position", "", False),
]


@pytest.mark.parametrize(("game", "size", "setup", "properties", "says_all"), SETUPS)
@pytest.mark.parametrize("system", ["row", "skew", "axial"])
def test_a_setup_is_in_the_properties_for_stones_where_they_suffice(
    game: str, size: int, setup: str, properties: str, says_all: bool, system: System
) -> None:
    data = {"hexrec": "1", "game": game, "size": size, "setup": setup, "moves": []}
    text = write("sgf", in_coordinates(data, system))
    assert ("HJ" not in text) == says_all
    if system == "row":
        assert "".join(re.findall(r"(?:PL|AB|AW)(?:\[\w+\])+", text)) == properties
    assert in_coordinates(read_one("sgf", text), "row") == data


def test_a_result_that_is_none_is_unknown_to_other_programs_and_comes_back() -> None:
    text = write("sgf", {**RECORD, "result": "black"})
    assert "RE[?]" in text
    assert read_one("sgf", text)["result"] == "black"
    assert "RE[" not in write("sgf", RECORD)


def test_a_property_kept_from_elsewhere_does_not_replace_that_of_a_field() -> None:
    kept = {"DT": ["2026-11-20,21"]}
    data = {**RECORD, "date": "2026-11-20", "x-sgf": kept}
    text = write("sgf", data)
    assert "DT[2026-11-20]" in text
    assert read_one("sgf", text) == data


def test_that_the_game_is_not_named_is_said_of_the_beginning() -> None:
    (document,) = raw_read("(;FF[4]XXXX[foo]SZ[5];B[e5])")
    error = document.error
    assert error is not None
    assert (error.code, error.line, error.column) == ("syntax/sgf-game", 1, 1)


def test_fields_of_a_turn_are_in_order_whatever_the_order_of_the_properties() -> None:
    (turn,) = read_one("sgf", f"{HEAD};C[x]B[e5])")["moves"]
    assert [*turn.items()] == [("turn", "e5"), ("comment", "x")]


def test_stones_are_set_under_the_ruleset_of_the_record() -> None:
    """By the revision of Valaturna a game with this position would be over."""
    setup = "7/8/9/10/11/12/13/12/11/10/9/8/b6 w 0"
    data = {"hexrec": "1", "game": "valaturna", "ruleset": "2023-first", "size": 7, "setup": setup, "moves": []}
    assert "PL[W]AB[a1]" in write("sgf", data)
    assert "AB[" not in write("sgf", {**data, "ruleset": "2023"})


def test_no_stones_are_set_on_a_board_of_another_size() -> None:
    data = {"hexrec": "1", "game": "sunspot", "size": 5, "setup": "4/1b3/6/2w4/6/5/4 w 0", "moves": []}
    assert "AB[" not in write("sgf", data)


@pytest.mark.parametrize(("value", "kept"), [("1", False), ("-0.5", False), ("1.5", True), ("", True), ("x", True)])
def test_a_value_is_an_evaluation_if_it_can_be_one(value: str, kept: bool) -> None:
    (turn,) = read_one("sgf", f"{HEAD};B[e5]V[{value}])")["moves"]
    assert turn == {"turn": "e5"} | ({"x-sgf": {"V": [value]}} if kept else {"eval": {"value": float(value)}})
    assert f"V[{value}]" in write("sgf", {**RECORD, "moves": [turn]})


class TestReading:
    @pytest.mark.parametrize(
        ("raw", "meant"),
        [
            ("a\\]b\\\\c\\:d\\", "a]b\\c:d"),
            ("a\\\nb\\\r\nc", "abc"),
            ("a\nb\r\nc\rd\n\re", "a\nb\nc\nd\ne"),
            ("a\tb\vc\fd\\\te", "a b c d e"),
            ("[(;", "[(;"),
        ],
    )
    def test_texts_mean_what_the_standard_says(self, raw: str, meant: str) -> None:
        raw = raw.removesuffix("\\") if raw.endswith("d\\") else raw
        data = read_one("sgf", f"{HEAD}EV[{raw}];B[e5]C[{raw}])")
        assert data["moves"][0]["comment"] == meant
        assert data["event"] == meant.replace("\n", " ")

    @pytest.mark.parametrize(
        "name", ["UTF-8", "utf8", "ISO-8859-1", "windows-1252", "KOI8-R", "Shift_JIS", "GBK", "Big5", "EUC-KR", "hz"]
    )
    def test_encodings(self, name: str) -> None:
        codec = name.replace("windows-", "cp")
        every = map(chr, [*range(0xC0, 0x100), *range(0x410, 0x450), *range(0x3041, 0x30F0), *range(0x4E00, 0x9FA0)])
        text = "".join(char for char in every if char.encode(codec, "ignore"))
        assert text
        games_text = f"(;FF[4]CA[{name}]GM[5001]SZ[5]HX[sunspot]EV[{text}];B[e5])" * 2
        documents = raw_read(games_text.encode(codec))
        assert [document.data["event"] for document in documents] == [text] * 2

    @pytest.mark.parametrize(
        "name",
        [
            *("UTF-16", "utf-32-le", "cp037", "idna", "punycode", "undefined", "unicode_escape", "raw_unicode_escape"),
            *("hex", "rot13", "zip", "", "-", "x" * 50, "\u00e9", "../utf-8", "none such"),
        ],
    )
    def test_encodings_that_are_refused(self, name: str) -> None:
        text = f"(;FF[4]CA[{name}]GM[5001]SZ[5]HX[sunspot];B[e5])"
        bad, good = raw_read(f"{text}\n{GAME}")
        assert bad.error
        assert (bad.error.code, bad.error.line, bad.error.column) == ("syntax/encoding", 1, 11)
        assert good.error is None

    def test_a_pass_may_be_empty_where_the_game_has_passes(self) -> None:
        assert read_one("sgf", f"{HEAD};B[];W[pass])")["moves"] == ["pass", "pass"]
        assert read_one("sgf", "(;FF[4]SZ[5]HX[frasvel];B[])")["moves"] == [""]

    def test_variations_are_where_the_record_has_them(self) -> None:
        text = f"{HEAD};B[e5](;W[e6];B[d4](;W[a1])(;W[a2];B[a3]))(;W[e7](;B[d5])(;B[d6]))(;W[e8]))"
        assert read_one("sgf", text)["moves"] == [
            "e5",
            {"turn": "e6", "variations": [["e7", {"turn": "d5", "variations": [["d6"]]}], ["e8"]]},
            "d4",
            {"turn": "a1", "variations": [["a2", "a3"]]},
        ]

    def test_a_branch_where_the_game_ends_without_a_move_is_kept(self) -> None:
        data = read_one("sgf", f"{HEAD};B[e5](;C[end])(;W[e6];B[e7]))")
        assert data["moves"] == [{"turn": "e5", "x-sgf-nodes": [";C[end]"], "x-sgf-trees": ["(;W[e6];B[e7])"]}]
        assert exact(read_one("sgf", write("sgf", data))) == exact(canonical_form(read_record(data)))

    def test_places(self) -> None:
        text = f'{HEAD[:-1]}]PB[\u00c5da]RE[W+R]\n;B[e5]C[a]BL[7](;W[e6]HJ[{{"seconds":3}}])(;W[\u00e9\u00e9]))'
        (document,) = raw_read(text)
        places = document.places()
        found = {pointer: cut_out(text, span) for pointer, span in places.values.items()}
        assert found[""] == text
        assert found["/players/black/name"] == found["/players"] == "\u00c5da"
        assert found["/size"] == "5"
        assert found["/result"] == "W+R"
        assert (found["/moves/0"], found["/moves/0/comment"], found["/moves/0/clock"]) == ("e5", "a", "7")
        assert found["/moves/1/seconds"] == '{"seconds":3}'
        assert found["/moves/1/variations/0/0"] == "\u00e9\u00e9"

    def test_places_after_other_games_on_the_line(self) -> None:
        text = f"{GAME} {HEAD}PB[\u00c5\U0001f600];B[e5]){GAME}"
        for document in raw_read(text):
            assert cut_out(text, document.places().values["/moves/0"]) == "e5"
            assert document.text is not None
            span = document.places().values["/game"]
            assert document.text.excerpt(span.line, span.column).column <= span.column


class TestLimits:
    def test_a_large_game_is_not_read_and_the_others_are(self) -> None:
        large = f"{HEAD}GC[{'a' * MAX_RECORD_BYTES}];B[e5])"
        documents = raw_read("\n".join([GAME, large, GAME, large, GAME]))
        faults = [document.error and (document.error.code, document.error.line) for document in documents]
        assert faults == [None, ("syntax/too-large", 2), None, ("syntax/too-large", 4), None]

    def test_what_has_too_many_values_is_said_where_they_are_too_many(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("hexrec.formats.sgf.grammar.MAX_VALUES", 20)
        moves = ";B[e5];W[e6]" * 6
        within, beyond = raw_read(f"{HEAD}{moves})\n{HEAD}{moves}XX[a])")
        assert within.error is None
        assert beyond.error
        assert (beyond.error.code, beyond.error.line) == ("syntax/too-large", 2)
        assert beyond.error.message == "a record of more than 250,000 values and brackets: not read"
        assert (beyond.error.column, beyond.error.end_column) == (
            len(f"{HEAD}{moves}XX[a])"),
            len(f"{HEAD}{moves}XX[a])") + 1,
        )

    @pytest.mark.slow
    @pytest.mark.parametrize("depth", [32, 33, 20_000])
    def test_variations_are_as_deep_as_records(self, depth: int) -> None:
        text = HEAD + ";B[e5]" + "(;W[e6])(;W[e7];B[e8]" * depth + ")" * depth + ")"
        (document,) = raw_read(text)
        if depth > 32:
            assert document.error
            assert document.error.code == "syntax/too-deep"
        else:
            assert document.error is None
            assert read("json", json.dumps(document.data))[0].error is None

    def test_branches_along_the_game_are_not_deep(self) -> None:
        text = HEAD + "(;B[e5](;W[e6]" * 5000 + ")(;W[e7]))" * 5000 + ")"
        data = read_one("sgf", text)
        assert len(data["moves"]) == 10_000
        assert read_one("sgf", write("sgf", data)) == data

    @pytest.mark.parametrize("text", ["[" * (MAX_DEPTH + 1), '{"x":' * 10_000])
    def test_extra_data_are_not_deep(self, text: str) -> None:
        (document,) = raw_read(f"{HEAD};B[e5]HJ[{text}])")
        assert document.error
        assert document.error.code == "syntax/sgf"


tokens = st.sampled_from(
    [
        *(
            "(",
            ")",
            ";",
            "[",
            "]",
            "\\",
            "\n",
            " ",
            "(;",
            ";B[e5]",
            ";W[]",
            "C[a]",
            "\n(;FF[4]",
            GAME,
            HEAD,
            "B",
            "ab[",
        ),
        *("CA[Shift_JIS]", "CA[UTF-16]", "CA[x]", "GM[1]", "HX[frasvel]", "SZ[x]", "AB[a1][b2]", "PL[W]", "HJ[{]", "-"),
        *('HJ[{"moves":5,"variations":3,"turn":1,"x-sgf-nodes":2,"x-sgf-trees":0,"x-sgf":4}]', "HR[3]", "RE[B+]"),
        *('HJ[{"game":[\\],"players":1}]', "(;C[a];B[e5])", ";;", "BL[x]", "\0", "\u00e9", "\ufeff", "\u8868", "DT[x]"),
    ]
)
mutations = st.lists(tokens, max_size=12).map("".join)


def _written() -> Iterator[str]:
    yield write("sgf", RECORD)
    yield write("sgf", next(fixture_data("record/valid/all-fields.yaml")), RECORD)
    yield f"{HEAD};B[e5];C[a](;W[e6]HJ[{{}}])(;C[b];W[e7])(;W[e8](;B[a1])(;B[a2])))\n"


class TestThereIsAlwaysAVerdict:
    def verdict(self, folder: Path, raw: bytes) -> None:
        reports = check(folder / "file.sgf", raw)
        assert reports
        for report in reports:
            # What begins like compressed data and is none cannot be read, and has no place.
            for diagnostic in (each for each in report.diagnostics if each.code != "syntax/unreadable"):
                assert (diagnostic.line or 0) >= 1
                assert (diagnostic.column or 0) >= 1

    @many
    @given(raw=st.binary(max_size=100) | mutations.map(str.encode))
    def test_on_anything(self, tmp_path: Path, raw: bytes) -> None:
        self.verdict(tmp_path, raw)

    @pytest.mark.slow
    @settings(parent=many, max_examples=examples(160))
    @given(text=st.sampled_from(list(_written())), change=mutations, data=st.data())
    def test_on_a_game_with_something_put_in(self, tmp_path: Path, text: str, change: str, data: st.DataObject) -> None:
        start = data.draw(st.integers(0, len(text)))
        end = data.draw(st.integers(start, min(len(text), start + 20)))
        self.verdict(tmp_path, (text[:start] + change + text[end:]).encode())

    @pytest.mark.slow
    @pytest.mark.parametrize("text", list(_written()), ids=len)
    def test_on_every_beginning_of_a_game(self, tmp_path: Path, text: str) -> None:
        for length in range(len(text)):
            self.verdict(tmp_path, text[:length].encode())

    @many
    @given(change=mutations.filter(lambda text: "(;FF" not in text))
    def test_games_around_a_bad_one_are_found(self, change: str) -> None:
        documents = raw_read(f"{GAME}\n{HEAD};B[e5]C[{change}\n{GAME}\n".replace("\0", ""))
        assert documents[0].data == documents[-1].data
        assert documents[-1].error is None


def test_a_margin_is_checked_where_the_result_as_json_has_no_score(tmp_path: Path) -> None:
    result = 'HR[{"winner":"black"}]'
    text = (
        (FIXTURES / "formats/sgf/valid/margin.sgf")
        .read_text(encoding="utf-8")
        .replace("RE[b+0.50]", f"RE[B+77.5]{result}")
    )
    (report,) = check(tmp_path / "game.sgf", text.encode())
    assert [each.code for each in report.errors] == ["result/score-mismatch"]


CONTRADICTIONS = [
    "RE[W+]RE[B+]",
    "RE[W+R][W+T]",
    "RE[W+]RE[W+R]",
    "RE[?]RE[B+]",
    "RE[0]RE[Void]",
    "RE[W+1.5]RE[W+2.5]",
    'RE[B+]HR[{"winner":"white"}]',
    'RE[0]HR[{"winner":"white"}]',
    'RE[B+R]HR[{"winner":"black","termination":"time"}]',
    'RE[Void]HR[{"winner":"black","termination":"time"}]',
    'RE[W+2.5]HR[{"winner":"white","score":{"black":0,"white":1.5}}]',
    'RE[W+R]HJ[{"result":{"winner":"black"}}]',
    'HR[{"winner":"white"}]HR[{"winner":"black"}]',
]
AGREEMENTS = [
    "RE[W+]RE[w+]",
    "RE[W+R]RE[W+Resign]",
    "RE[W+]RE[?]",
    'RE[W+]HR[{"winner":"white","termination":"time"}]',
    'RE[0]HR[{"winner":"draw","termination":"agreement"}]',
    'RE[Void]HR[{"termination":"abandoned"}]',
    'RE[W+1.50]HR[{"winner":"white","score":{"black":0,"white":1.5}}]',
    'HR[{"winner":"white"}]HR[{"winner": "white"}]',
]


@pytest.mark.parametrize(
    ("results", "contradict"),
    [*((results, True) for results in CONTRADICTIONS), *((results, False) for results in AGREEMENTS)],
)
def test_results_contradict_each_other(tmp_path: Path, results: str, contradict: bool) -> None:
    text = f"(;FF[4]GM[5000]SZ[3]HX[sundraval]AB[c3]AW[b2]{results};B[a1];W[a2];B[pass];W[pass])"
    (report,) = check(tmp_path / "game.sgf", text.encode())
    assert ("syntax/sgf-result" in [error.code for error in report.errors]) == contradict


@pytest.mark.parametrize(
    ("kept", "result"),
    [
        ({"RE": ["B+Resign"]}, None),
        ({"RE": ["B+Resign"]}, {"winner": "white", "termination": "resignation"}),
        ({"RE": ["B+1", "B+2"]}, {"winner": "black"}),
        ({"HR": ["black"]}, {"winner": "black"}),
    ],
    ids=["no result", "another result", "two margins", "no JSON"],
)
def test_a_result_that_is_kept_is_no_other_result(kept: dict[str, list[str]], result: Any) -> None:
    record = {**RECORD, "x-sgf": kept} | ({"result": result} if result else {})
    assert read_one("sgf", write("sgf", record)) == record


MARKS = [
    {"kind": "label", "cells": ["e5"], "text": "a:b]"},
    {"kind": "circle", "cells": ["e6", "e7"]},
    {"kind": "arrow", "cells": ["e5", "e8"]},
    {"kind": "line", "cells": ["a1", "e8"]},
    {"kind": "area", "cells": ["a1", "b1"]},
    {"kind": "area", "cells": ["c1"], "colour": "black"},
]


def marked(marks: list[dict[str, Any]]) -> dict[str, Any]:
    moves = ["e5", {"turn": "e6", "marks": marks}]
    return {"hexrec": "1", "game": "sunspot", "size": 5, "marks": marks, "moves": moves}


def test_markup_is_the_marks_of_a_record() -> None:
    text = write("sgf", marked(MARKS))
    for value in ("LB[e5:a\\:b\\]]", "CR[e6][e7]", "AR[e5:e8]", "LN[a1:e8]", "SL[a1][b1]", "TB[c1]"):
        assert text.count(value) == 2
    assert "HJ" not in text
    (document,) = read("sgf", text)
    assert document.data == marked(MARKS)


@pytest.mark.parametrize(
    ("marks", "properties"),
    [
        ([{"kind": "circle", "cells": ["e5"]}, {"kind": "square", "cells": ["e5", "e6"]}], "CR[e5]SQ[e6]"),
        ([{"kind": "area", "cells": ["e5"]}, {"kind": "triangle", "cells": ["e5"]}], "SL[e5]"),
        ([{"kind": "area", "cells": ["e5"], "colour": color} for color in ("black", "white")], "TB[e5]"),
        ([{"kind": "label", "cells": ["e5"], "text": text} for text in "AB"], "LB[e5:A]"),
        ([{"kind": "arrow", "cells": cells} for cells in (["e5", "e6"], ["e6", "e5"])], "AR[e5:e6][e6:e5]"),
        ([{"kind": "line", "cells": cells} for cells in (["e5", "e6"], ["e6", "e5"])], "LN[e5:e6]"),
        ([{"kind": "arrow", "cells": ["e5", "e5"]}], ""),
    ],
)
def test_no_point_is_twice_in_a_node_where_sgf_forbids_it(marks: list[dict[str, Any]], properties: str) -> None:
    text = write("sgf", marked(marks))
    assert re.search(rf"W\[e6\]{re.escape(properties)}(HJ|\))", text)
    assert read_one("sgf", text) == marked(marks)


@pytest.mark.parametrize(
    "marks",
    [
        [{"kind": "circle", "cells": ["e5"]}, {"kind": "circle", "cells": ["e6"]}],
        [{"kind": "circle", "cells": ["e5"], "text": "t", "colour": "red"}],
        [{"kind": "arrow", "cells": ["e5", "e6", "e7"]}],
        [{"kind": "label", "cells": ["e5", "e6"], "text": "A"}],
        [{"kind": "label", "cells": ["e5"]}],
        [{"kind": "label", "cells": ["e5"], "text": "two\nlines"}],
    ],
)
def test_marks_of_which_sgf_says_less_come_back_whole(marks: list[dict[str, Any]]) -> None:
    (document,) = read("sgf", write("sgf", marked(marks)))
    assert document.data == marked(marks)


def test_markup_follows_the_coordinates() -> None:
    (document,) = read("sgf", f"{HEAD}LB[e6:x]TR[a1:c3];B[e5]AR[e1:i1])")
    skew = in_coordinates(canonical_form(read_record(document.data)), "skew")
    text = write("sgf", skew)
    assert "LB[f5:x]TR[a1:c3]" in text  # a rectangle of points means nothing on a hexagon: it stays as it is
    assert "AR[a5:e9]" in text


TIMES: list[tuple[str, list[dict[str, Any]]]] = [
    ("TM[600]", [{"seconds": 600}]),
    ("TM[600]OT[30 fischer]", [{"seconds": 600, "increment": 30}]),
    ("TM[600.5]OT[5 delay]", [{"seconds": 600.5, "delay": 5}]),
    ("TM[600]OT[3x30 byo-yomi]", [{"seconds": 600}, {"seconds": 30, "periods": 3}]),
    ("TM[600]OT[25/300 canadian]", [{"seconds": 600}, {"turns": 25, "seconds": 300}]),
    ("OT[86400 simple]", [{"per_turn": 86400}]),
]


@pytest.mark.parametrize(("properties", "stages"), TIMES)
def test_time_and_overtime_are_the_time_control(properties: str, stages: list[dict[str, Any]]) -> None:
    (document,) = read("sgf", f"{HEAD}{properties};B[e5])")
    assert document.data["time_control"] == stages
    assert "x-sgf" not in document.data
    text = write("sgf", canonical_form(read_record(document.data)))
    assert properties in text
    assert "HJ" not in text


@pytest.mark.parametrize(
    "properties", ["TM[an hour]", "TM[600]OT[as usual]", "TM[600]OT[0x30 byo-yomi]", "OT[5 fischer]"]
)
def test_other_texts_about_time_are_kept(properties: str) -> None:
    (document,) = read("sgf", f"{HEAD}{properties};B[e5])")
    assert "time_control" not in document.data
    assert properties in write("sgf", canonical_form(read_record(document.data)))


@pytest.mark.parametrize(
    ("stages", "main"),
    [
        ([{"turns": 40, "seconds": 5400, "increment": 30}, {"seconds": 900, "increment": 30}], []),
        ([{"turns": 40, "seconds": 5400}, {"seconds": 900}], []),
        ([{"seconds": 30, "periods": 3}, {"seconds": 900}], []),
        ([{"seconds": 600, "increment": 30, "delay": 5}], ["TM[600]"]),
        ([{"seconds": 600}, {"seconds": 30, "periods": 10**9}], ["TM[600]"]),
        ([{"seconds": 10**20}, {"per_turn": 1e-9}], []),
        ([{"seconds": 60, "increment": 1e-9}], ["TM[60]"]),
        ([{"seconds": 60, "x-a": 1}], ["TM[60]"]),
    ],
)
def test_time_controls_of_which_sgf_says_less_come_back_whole(stages: list[dict[str, Any]], main: list[str]) -> None:
    data = {"hexrec": "1", "game": "sunspot", "size": 5, "time_control": stages, "moves": ["e5"]}
    text = write("sgf", data)
    assert re.findall(r"TM\[.*?\]", text) == main
    (document,) = read("sgf", text)
    assert exact(document.data) == exact(data)


@pytest.mark.parametrize(
    ("setup", "columns"),
    [
        ("x", (45, 46)),
        ("x" * 9_999, (45, 46)),
        ("x" * 10_000, (45, 46)),
        ("x" * 10_001, (35, 10_048)),
    ],
    ids=["a character", "9,999", "10,000", "10,001"],
)
def test_a_character_of_a_text_in_JSON_is_found(setup: str, columns: tuple[int, int], tmp_path: Path) -> None:  # noqa: N802
    text = f'(;FF[4]GM[5001]SZ[5]HX[sunspot]HJ[{{"setup":"{setup}"}}];B[e5])'
    (report,) = check(tmp_path / "a.sgf", text.encode())
    assert [(each.column, each.end_column) for each in report.diagnostics] == [columns]
