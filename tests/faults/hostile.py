"""Inputs that hurt, of every kind that is known, all of them small."""

from __future__ import annotations

import gzip
import io
import json
import os
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from tests.properties import sample

FIXTURES = Path(__file__).parent.parent.parent / "fixtures/suite"
SUFFIXES = ("json", "jsonl", "yaml", "sgf", "hgn")
GAME = '{"hexrec":"1","game":"sunspot","size":5,"moves":["e5"]}\n'
_SGF = "(;FF[4]GM[5001]SZ[5]HX[sunspot]"
_PLAYERS = '"players":[{"name":"Ada"},{"name":"Ben"}]'


def texts() -> Iterator[tuple[str, str | bytes]]:
    """Yield names of files, and what they hold."""
    variants = ",".join(['"a"'] * 300)
    yield (
        "variants.json",
        f'{{"header":{{"game":{{"name":"Sunspot","variants":[{variants}]}},{_PLAYERS}}},"moves":[["g7"]]}}',
    )
    yield (
        "null-date.json",
        f'{{"header":{{"game":{{"name":"Sunspot"}},"date-start":null,{_PLAYERS}}},"moves":[["g7"]]}}',
    )
    yield "list.json", f"[{GAME},{GAME}]"
    yield "splice.sgf", f"{_SGF}C[" + "\n(;A[" * 300 + "\\\\])"
    yield "roots.sgf", "\n(;FF[4" * 300
    yield "nodes.sgf", ";A[" * 300
    yield "no-size.sgf", f"{_SGF};B[E5])\n(;FF[4]GM[5001]HX[sunspot];B[e5])\n"
    yield "kept.sgf", f'{_SGF}RE[0]HR[{{"winner":"black"}}]HJ[{{"x-sgf":1}}];B[e5])\n'
    yield "deep.sgf", f"{_SGF};B[e5]" + "(;W[a1](;B[a2]" * 300 + ")" * 601
    yield "deep.hgn", '[Game "Sunspot"]\n[Size "5"]\n\n1. e5 ' + "(1. e5 " * 300 + ")" * 300 + " *\n"
    yield "extra.hgn", '[Game "Sunspot"]\n[Size "5"]\n[Extra "{\\"moves\\": 1, \\"x-hgn\\": []}"]\n\n1. E5 *\n'
    yield "moves.json", f'{{"hexrec":"1","game":"sunspot","size":5,"moves":[{",".join("1" * 2000)}]}}'
    yield "loses.jsonl", f"\n \n{GAME}\n"
    for name, depth in (("deep", 2_000), ("deeper", 200_000)):
        for suffix in ("json", "yaml"):
            yield f"{name}.{suffix}", '{"x-a":' * depth
            yield f"{name}-list.{suffix}", "[" * depth + "]" * depth
        yield f"{name}-indented.yaml", "".join(" " * (level % 300) + "a:\n" for level in range(min(depth // 10, 1_000)))
    yield "aliases.yaml", "a: &a [x]\n" + "".join(f"b{index}: [*a, *a]\n" for index in range(100))
    yield "digits.json", f'{{"hexrec":"1","game":"sunspot","size":{"9" * 5_000},"moves":[]}}'
    yield "digits.yaml", f"hexrec: '1'\ngame: sunspot\nsize: {'9' * 5_000}\nmoves: []\n"
    yield "digits.hgn", f'[Game "Sunspot"]\n[Size "{"9" * 5_000}"]\n\n1. e5 *\n'
    yield "half.json", '{"hexrec":"1","game":"sunspot","size":5,"event":"\\ud83d","moves":[]}'
    yield "constants.jsonl", '{"size":NaN}\n{"size":1e999}\n{"size":-Infinity}\n'
    yield "keys.json", '{"":{"~/":1,"~/":2},"hexrec":"1","game":"\\u0000","moves":[{"":[]}]}'
    for suffix in SUFFIXES:
        yield f"empty.{suffix}", ""
        yield f"blank.{suffix}", " \n\n\t\n"
        yield f"mark.{suffix}", b"\xef\xbb\xbf"
        yield f"binary.{suffix}", bytes(range(256)) * 4
        yield f"zero.{suffix}", GAME.replace("e5", "\0")
        yield f"latin.{suffix}", GAME.replace("e5", "\u00e9").encode("latin-1")
        yield f"utf-16.{suffix}", GAME.encode("utf-16")
        yield f"controls.{suffix}", GAME.replace("e5", "\x1b[31m\x07\u202e\u2028")
        yield f"gzipped.{suffix}", gzip.compress(GAME.encode())
        yield f"half-gzipped.{suffix}", gzip.compress(GAME.encode())[:-9]
        kinds = ("null", "1", "[]", "{}", '"text"', "[[1]]", '{"hexrec":1}', '{"header":{},"moves":{}}', "- a\n- b")
        for number, kind in enumerate(kinds):
            yield f"kind-{number}.{suffix}", kind


def mutated(random: Random, count: int) -> Iterator[tuple[str, bytes]]:
    """Yield fixtures with some bytes cut off, taken out, doubled, changed or put in."""
    files = sorted(path for path in FIXTURES.rglob("*") if path.suffix[1:] in (*SUFFIXES, "yml") and path.is_file())
    for number in range(count):
        file = random.choice(files)
        data = bytearray(file.read_bytes()[:20_000])
        for _ in range(random.randint(1, 4)):
            at = random.randrange(len(data) + 1)
            end = min(len(data), at + random.randint(1, 30))
            match random.randrange(5):
                case 0:
                    del data[at:]
                case 1:
                    del data[at:end]
                case 2:
                    data[at:at] = data[at:end]
                case 3:
                    data[at:end] = random.randbytes(end - at)
                case 4:
                    data[at:at] = random.choice(
                        [b"\0", b'"', b"[", b"{", b"]", b"(", b"\\", b"\n---\n", b"null", b"-1"]
                    )
        yield f"mutated-{number}{file.suffix}", bytes(data)


def archives() -> Iterator[tuple[str, bytes]]:
    """Yield archives that are damaged, or say what they should not."""
    good = _tar(("a.json", GAME.encode()))
    yield "good.tar", good
    yield "cut.tar", good[:700]
    yield "long-name.tar", _tar((f"{'a' * 100_000}.json", GAME.encode()))
    yield "long-name.tar.gz", gzip.compress(_tar((f"{'a/' * 5_000}b.json", GAME.encode())))
    yield "odd-names.tar", _tar(*((name, GAME.encode()) for name in ("", "..", "../a.json", "/a.json", "a\n::b.json")))
    holes = bytearray(good)
    holes[156:157] = b"S"
    holes[483:495] = b"\x80" + b"\0" * 5 + b"\x01" + b"\0" * 5
    holes[148:156] = b" " * 8
    holes[148:156] = b"%06o\0 " % sum(holes[:512])
    yield "holes.tar", bytes(holes)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.json", GAME)
        archive.writestr("Q", "x")
    whole = packed.getvalue()
    yield "good.zip", whole
    yield "cut.zip", whole[:-30]
    yield "no-name.zip", whole.replace(b"Q", b"\0")
    yield "empty.zip", b""
    yield "no.tar.gz", b"text"
    yield "no.zip", b"PK\x05\x06"


def _tar(*members: tuple[str, bytes]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode="w") as archive:
        for name, content in members:
            about = tarfile.TarInfo(name)
            about.size = len(content)
            archive.addfile(about, io.BytesIO(content))
    return made.getvalue()


def names() -> Iterator[bytes]:
    """Yield odd names of files."""
    yield from (b"line\nend.json", b"\x1b[31mred.json", b"\xff\xfe.json", "\u202egnp.json".encode(), b"-o.json")
    yield from (
        b"::set-output name=x::y.json",
        b"a b'c\"d$(e).json",
        b"*.json",
        b"[a].json",
        b"=1+1.json",
        b"a" * 250 + b".json",
    )


def write(folder: Path, seed: int, mutations: int, step: int = 1) -> list[Path]:
    """Write everything into a folder, or of the inputs one of every `step`; return the files."""
    folder.mkdir()
    found = [*texts(), *mutated(Random(seed), mutations), *archives()]
    for name, content in sample(found, step):
        (folder / name).write_bytes(content.encode(errors="surrogatepass") if isinstance(content, str) else content)
    for odd, record in zip(names(), records("name", 99), strict=False):
        (folder / os.fsdecode(odd)).write_text(record)
    (folder / "nowhere.json").symlink_to("missing")
    (folder / "round.json").symlink_to("round.json")
    nested = folder
    for _ in range(20):
        nested = nested / ("d" * 40)
    nested.mkdir(parents=True)
    (nested / "a.json").write_text(GAME)
    return sorted(path for path in folder.iterdir() if path.is_file())


def records(prefix: str, count: int) -> list[str]:
    """Return the lines of good records, whose identities begin with a text."""
    data = json.loads(GAME)
    return [json.dumps({**data, "id": f"{prefix}{number}"}) for number in range(count)]
