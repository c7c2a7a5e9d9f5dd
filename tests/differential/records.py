"""Files of records of every odd kind: reference games with parts that are wrong, rare or written in a rare way."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, NamedTuple

import hexrec
from hexrec.formats import by_suffix
from tests.fixtures import FIXTURES, files
from tests.properties import examples, sample


class Input(NamedTuple):
    """A file of records; its name begins with the kind of oddity."""

    name: str
    raw: bytes

    @property
    def kind(self) -> str:
        """The kind of oddity."""
        return re.split(r"-\d|\.\w+$", self.name)[0]

    @property
    def format(self) -> str:
        """The format that the name tells."""
        return by_suffix("." + self.name.rpartition(".")[2]) or ""


#: JSON texts of values, also those that JSON does not have and those that no field takes.
VALUES = (
    *("null", "true", "false", "0", "-0", "-0.0", "1", "3", "3.0", "3.5", "3e0", "1e400", "-1e400", "1e-400", "1E2"),
    *("NaN", "Infinity", "-Infinity", "1_000", "01", "+1", ".5", "0x10", "9007199254740993", "9" * 30, "9" * 5000),
    *('""', '" "', '"3"', '"null"', '"1"', '"2023"', '"2024-02-30"', '"2024-13"', '"20240101"', '"2024-01-01T10:00"'),
    *('"2024"', '"2024-05-06T07:08:09Z"', '"black"', '"Black"', '"draw"', '"resignation"', '"abandoned"', '"rules"'),
    *('"skew"', '"axial"', '"ROW"', '"Sunspot"', '"sunspott"', '"reverse"', '"2023-first"', '"2019"', '"c3"', '"0,0"'),
    *('"\\ud800"', '"\\udc00\\ud800"', '"\\ud83d\\ude00"', '"\\u0000"', '"a\\tb\\n\\"\\\\\\/"', '"\\x41"', '"\\u12"'),
    *('"\t"', '"é\u0085\u2028\u00a0"', '"ｃ３"', '"' + "long " * 400 + '"', "'c3'", "undefined", "[1,]", '{"a":1,}'),
    *("{}", "[]", "[[]]", "[null]", '["a1","a1"]', "[3,2,1]", '{"black":1,"white":2}', '{"black":[1.0],"white":[2]}'),
    *('{"x-a":{"b":[1e5,null]}}', '{"black":{"name":null}}', '{"turn":"c3"}', '{"turn":"c3","nag":[true],"clock":-1}'),
    *("[" * depth + "]" * depth for depth in (98, 99, 120, 3000)),
    '{"a":' * 110 + "1" + "}" * 110,
)
#: Paths through a record to the places for them; a field that is missing there is added.
PLACES = (
    *("hexrec", "game", "ruleset", "variant", "size", "coordinates", "opening", "setup", "moves", "result", "date"),
    *("id", "event", "rated", "tags", "players", "pie", "marks", "time_control", "language", "x-any", "X-any", "extra"),
    *("opening.black", "opening.white", "moves.0", "moves.-1", "result.winner", "result.termination", "result.score"),
    *("result.score.black", "result.score.white", "result.by", "result.x-why", "players.black", "players.black.name"),
    *("players.white.rating", "players.white.bot", "pie.chosen", "opening.x-set"),
)
#: Values of one field each, which fit some games and not others.
FITTING = {
    "result": (
        *(
            f'{{"winner":"{who}","termination":"{how}"}}'
            for who in ("black", "draw")
            for how in ("rules", "resignation")
        ),
        *('{"winner":"white","termination":"time"}', '{"winner":"draw","termination":"agreement"}', "{}"),
        *('{"winner":"black","score":{"black":1,"white":0}}', '{"score":{"black":[9],"white":[1,9]}}'),
        *('{"winner":"white","score":{"black":-0.0,"white":1e25}}', '{"termination":"rules"}', '{"winner":"black"}'),
    ),
    "opening": (
        *("{}", '{"black":"a1"}', '{"white":"b2","black":"c3"}', '{"black":"C3 ","white":"b2"}', '{"black":"ｃ3"}'),
        *('{"black":"z9","white":"b2"}', '{"black":"c3","white":"c3"}', '{"black":"0,0","white":"(0,1)"}'),
        *('{"black":"c3-b3","white":"pass"}', '{"black":"c3","white":"\u00a0b2"}', '{"black":"c3","black":"c3"}'),
    ),
    "setup": (
        *('"4/5/6/7/6/5/4 b 0"', '"4/5/6/7/6/5/4 w 1 -"', '"4/5/6/7/6/5/4 b 3"', '"4//4"', '"b3/5/6/7/6/5/4 b 0 w"'),
    ),
    "coordinates": ('"skew"', '"axial"', '"row"', '"Row"'),
}
#: Patterns in a turn and what takes their places: it may be the same turn then, another one, or none.
SPELLINGS = (
    *(("^", " "), ("$", "\t "), ("^|$", "\r\n"), ("^", "\u00a0"), ("$", "\u3000"), ("$", "\u2028"), ("^", "\ufeff")),
    *(("$", "\0"), ("([-x/])", r" \1 "), ("(.)", r"\1 "), (r"(\d)", r"0\1"), (r"(\d)", r"-\1"), ("-", "–"), ("x", "×")),
    *(
        (r"\d", "３"),
        (r"\d", "٣"),
        ("[a-h]", "ｃ"),
        ("^[a-h]", "C"),
        ("^(.*)$", r"(\1)"),
        ("^(.*)$", r"\1-\1"),
        ("$", "\u0301"),
    ),
    *(
        ("^.*$", each)
        for each in ("pass", "PASS ", "", "a1", "K1", "\u212a1", "ſ1", "İ1", "z99", "(0,0)", "a1-a2/a3", "-")
    ),
    *(("^(.*)$", r"\1-" * 300), ("^.*$", "c" + "9" * 4500)),
)
#: What a turn may be with another one, which stands for the @.
ANNOTATIONS = (
    *('"@"', '{"turn":"@"}', '{"variations":[["@"],[]]}', '{"taken_back":["@"]}', '{"eval":{"value":1,"line":["@"]}}'),
    *('{"variations":[[{"turn":"@","variations":[["@"]]}]]}', '{"marks":[{"kind":"label","cells":["@"]}],"nag":[1]}'),
)
#: Lines that are blank for some readers; for JSON only if they have no more than spaces, tabs and carriage returns.
BLANKS = (" ", "", "\t\r", "\u00a0", "\u0085", "\x1c", "\u3000", "\ufeff", "\x0b", "\x0c", "\r", "\u2029")

#: Values that parsers of YAML read in different ways, or refuse.
YAML = (
    *("{name: who?, b: why? not}", "[a ? b, c?]", "[? a]", "[a:?b]", "{a:}", "{a:[b]}", '{"a":[b]}', "[:a]", "[a\tb]"),
    *("a\tb\t# c", "|\n   a\tb", "|\n   \ta", "|2\n\ta", "a\n\t b", "\n  a\tb: c", "! {a: b}", "\n%A b"),
    *('"\\ud83d\\ude00 \\ud83d"', '"\\U00110000"', '"a\n\ufeffb"', "\n\ufeff", "\n\ufeffb: c", "a\ufeffb # \ufeff"),
    *("[" * 1200, "[a" + "[" * 1200),
)


def inputs(seed: int) -> list[Input]:
    """Return the files: small ones with an odd record each, and large ones with many of these."""
    random = Random(seed)
    odd = [*_values(random), *_keys(random), *_turns(random)]
    small = [*odd, *_texts(random)]
    # After a first line that is binary nothing is read, and a NUL byte among the first 8192 makes it so.
    lines = [
        text for text in [*map(_raw, bases()), *(text for _, text in odd)] if len(text) < 9999 and b"\0" not in text
    ]
    spaced = [
        part for text in sample(lines, 9) for part in (text, random.choice(BLANKS).encode(), b" " + text + b"\t\r")
    ]
    return [
        *(Input(f"{kind}-{n}.{random.choice(('json', 'jsonl'))}", text) for n, (kind, text) in enumerate(small)),
        *(
            Input(f"blank-line-{n}.jsonl", _raw(bases()[n % 9]) + f"\n{line}\n".encode())
            for n, line in enumerate(BLANKS)
        ),
        *_other_formats(random),
        Input("foreign.json", b'{"header": {"game": {"name": "Sunspot"}}, "moves": [["a1", null]]}'),
        Input("foreign-second-line.json", b'{"header":\n{"game": {"name": "Sunspot"}}, "moves": [["a1", null]]}'),
        Input("second-line.json", b'{"hexrec": "1", "game": "sunspot", "size": 4, "moves": [\n{"turn": "a1"}, "a2"]}'),
        Input("many.jsonl", b"\n".join(sample(lines, 3)) + b"\n"),
        Input("many-with-blank-lines.jsonl", b"\xef\xbb\xbf\r\n" + b"\n".join(spaced)),
        Input("many-with-nul.ndjson", b"\n".join([*lines[:40], *(text + b"\0" for text in lines[:9])])),
        Input(
            "many-odd.yaml",
            "\n---\n".join(f"hexrec: '1'\ngame: sunspot\nsize: 4\nmoves: []\nx-a: {value}" for value in YAML).encode(),
        ),
        Input("many.yaml", b"\n--- ".join([b"", *sample(lines, 6)]) + b"\n"),
    ]


@cache
def bases() -> list[dict[str, Any]]:
    """Return valid records of all games: short ones, and some that are annotated, have a setup or other coordinates."""
    texts = []
    for path in sorted(FIXTURES.glob("*/reference/games.jsonl")):
        texts += sorted(path.read_text("utf-8").splitlines(), key=len)[:2]
    texts += (FIXTURES / "engine/records.jsonl").read_text("utf-8").splitlines()
    texts += [path.read_text("utf-8") for path in sorted(FIXTURES.glob("*/valid/from-a-setup-*.json"))]
    return [json.loads(text) for text in texts]


def _base(random: Random) -> dict[str, Any]:
    return copy.deepcopy(random.choice(bases()))


def _raw(record: object, value: str = "") -> bytes:
    """Return a record as JSON, with a text in the place of the value "@"."""
    return json.dumps(record, ensure_ascii=False).replace('"@"', value).encode()


def _values(random: Random) -> Iterator[tuple[str, bytes]]:
    """Yield records with a value in the place of another: each value somewhere, and something in each place."""
    pairs = [(value, place) for value in VALUES for place in random.sample(PLACES, min(examples(1), len(PLACES)))]
    pairs += [(random.choice(VALUES), place) for place in PLACES * examples(1)]
    pairs += [(value, place) for place, values in FITTING.items() for value in values * examples(2)]
    for value, place in pairs:
        record = _base(random)
        *path, last = place.split(".")
        part: Any = record
        for step in path:
            part = part.setdefault(step, {})
        part[int(last) if isinstance(part, list) else last] = "@"
        if place == "setup":
            record.pop("opening", None)
        yield f"value-{place}", _raw(record, value)
    for end in ("{}", "{ }"):
        without = next(record for record in bases() if not record.keys() & {"opening", "setup"})
        yield "opening-of-none", _raw({**without, "opening": "@"}, end)


def _keys(random: Random) -> Iterator[tuple[str, bytes]]:
    """Yield records with keys that appear twice, are escaped, missing, misspelled, or in another order."""
    for field in ('hexrec":"1"', 'moves":[]', 'size":4', 'x-a":1', 'game":"sunspot"') * examples(1):
        for spelled in (field, f"\\u{ord(field[0]):04x}{field[1:]}"):
            text = _raw(_base(random)).decode()
            yield "key-twice", f'{{"{spelled},{text[1:]}'.encode()
            yield "key-twice", f'{text[:-1]},"{spelled}}}'.encode()
            yield "key-twice", f'{text[:-1]},"x-b":[{{"{spelled},"{field}}}]}}'.encode()
    for _ in range(examples(6)):
        record = _base(random)
        key = random.choice(list(record))
        yield "key-escaped", _raw(record).replace(f'"{key}"'.encode(), f'"\\u{ord(key[0]):04X}{key[1:]}"'.encode(), 1)
        yield "key-missing", _raw({name: value for name, value in record.items() if name != key})
        for other in (key.upper(), f"{key}s", f" {key}"):
            yield "key-misspelled", _raw({other if name == key else name: value for name, value in record.items()})
        turned = [(name, dict([*v.items()][::-1]) if isinstance(v, dict) else v) for name, v in record.items()]
        yield "key-order", _raw(dict(turned[::-1]))


def _turns(random: Random) -> Iterator[tuple[str, bytes]]:
    """Yield records with a turn in another spelling, played or in an annotation, and with turns left out or added."""
    for number, (pattern, other) in enumerate(SPELLINGS * examples(2)):
        record = _base(random)
        moves = record["moves"]
        ply = random.choice((0, len(moves) - 1, random.randrange(len(moves))))
        turn = moves[ply] if isinstance(moves[ply], str) else moves[ply]["turn"]
        annotation = json.loads(ANNOTATIONS[0 if number % 2 else number // 2 % len(ANNOTATIONS)])
        moves[ply] = annotation if annotation == "@" else {"turn": turn, "comment": "!", **annotation}
        yield "turn", _raw(record, json.dumps(re.sub(pattern, other, turn), ensure_ascii=number % 3 == 0))
    longer = [record for record in bases() if len(record["moves"]) > 2]
    for number in range(examples(18)):
        record = copy.deepcopy(longer[number % len(longer)])
        moves = record["moves"]
        ply = random.randrange(len(moves) - 1)
        before, (one, two, *after) = moves[:ply], moves[ply:]
        others = [before, [*before, one, one, two, *after], [*before, two, one, *after], [*before, two, *after]]
        record["moves"] = [*others, [*moves, one, two], moves * 30][number % 6]
        if number % 2:
            record.pop("result", None)
        yield "moves", _raw(record)


def _texts(random: Random) -> Iterator[tuple[str, bytes]]:
    """Yield records that are encoded, cut, laid out or put together in an odd way."""
    for _ in range(examples(1)):
        record = _base(random)
        text, pretty = _raw(record).decode(), json.dumps(record, indent=1)
        at = random.randrange(len(text))
        for end in ("\r\n", "\r", "\n\r\n", "\u2028", "\u0085", "\n\u00a0"):
            yield "line-ends", pretty.replace("\n", end).encode()
        for around in (*BLANKS, "\ufeff\ufeff", "\ufeff\r\n", "\0", " \n", "//", "#\n", "\n\n\n"):
            yield from (("before", f"{around}{text}".encode()), ("after", f"{text}{around}".encode()))
        for added in ("\0", "\x1f", "\u00a0", "\n", "\\", '"', "{", "]", ",", "\udcff"):
            yield "within", f"{text[:at]}{added}{text[at:]}".encode(errors="surrogateescape")
        yield from (("encoding", text.encode(name)) for name in ("utf-16", "utf-16-le", "utf-32", "utf-8-sig"))
        yield "encoding", text.replace('"game"', '"event": "café", "game"', 1).encode("latin-1")
        yield from (("cut", text[:end].encode()) for end in (0, 1, 9, at, -1))
        yield from (("two", f"{text}{between}{text}".encode()) for between in ("", " ", ",", "\n", "\r", "\u2028"))
        yield from (("list", f"[{inner}]".encode()) for inner in ("", text, f"{text},{text}", f"{pretty},"))
        yield from (
            ("scalar", inner.encode()) for inner in ("null", "1", '"a"', "[]", "{}", " ", "[[]]", "NaN", "--- a")
        )
        yield "many-fields", (text[:-1] + "".join(f',"f{n}":{n}' for n in range(150)) + "}").encode()
        yield "long", _raw({**record, "comment": "c" * 100_000, "x-list": [0] * 20_000})


def _other_formats(random: Random) -> Iterator[Input]:
    """Yield fixtures of all formats, and records in YAML, SGF and HGN, as they are written and with a part changed."""
    paths = [path for kind in ("valid", "invalid", "lint", "lenient") for path in files(kind) if by_suffix(path.suffix)]
    for number, path in enumerate(sample(paths, 12)):
        yield Input(f"fixture-{number}-{path.name}", path.read_bytes())
    for number, record in enumerate(bases() * examples(1)):
        format = random.choice(("yaml", "sgf", "hgn"))
        text = hexrec.dumps(hexrec.loads(json.dumps(record)), format, on_loss=lambda _: None)
        if number % 2:
            at = random.randrange(len(text))
            added = random.choice(("\r\n", "\0", "\u00a0", "\ufeff", "ｃ", "9" * 30, *"](;'\":x"))
            text = text[:at] + added + text[at + random.randrange(3) :]
        yield Input(f"written-{number}.{format}", text.encode())
