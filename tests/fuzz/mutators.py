"""Mutations of bytes, of tokens and of parts of records, with others from the inputs that a target starts with."""

from __future__ import annotations

import io
import json
import pickle
import random
import re
from collections.abc import Sequence
from copy import deepcopy
from functools import lru_cache
from typing import Any

from hexrec import formats
from tests.fuzz.target import Target

_TOKEN = re.compile(rb'"(?:[^"\\\n]|\\.)*"?|[A-Za-z_][\w-]*|[0-9.]+|[ \t]+|\r?\n|.', re.DOTALL)
_MOST_STEPS = 4
_MOST_WORDS = 3_000
#: How many inputs are not read again when they are mutated again.
_REMEMBERED = 4_000
_HOSTILE = (
    *(b"", b"\0", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\r", b"\xc2\x85", b"\xe2\x80\xa8", b"\x1b[31m", b"\\ud800"),
    *(b"null", b"-1", b"0", b"1e999", b"NaN", b"9" * 20, b"9" * 5_000, b"0.0", b"true", b'""', b"[]", b"{}"),
    *(b"---\n", b"...\n", b"&a", b"*a", b"!!str ", b"<<: ", b"? ", b"%TAG ! x\n", b"(;", b"\\", b"\n[", b"; "),
)
_ODD: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        1,
        1.5,
        1e300,
        2**70,
        "",
        " ",
        "x",
        "e5",
        "pass",
        "0,0",
        "\0",
        "\ud83d\ude00",
        "é" * 50,
    ),
    *([], {}, [[]], {"": None}, {"turn": "e5"}, ["e5"], {"x-a": 1}, "1w2/5/2b*2w2/7/6/5/4 b 0", "2026-02-30"),
)


class Mutator:
    """Mutates the inputs of one target."""

    def __init__(self, target: Target) -> None:
        self._target = target
        self._seeds = list(target.seeds())
        words = {word for seed in self._seeds for word in _TOKEN.findall(seed[target.selectors :]) if len(word) < 40}
        self._read = lru_cache(_REMEMBERED)(self._first_record)
        self._words = [*_HOSTILE, *target.words, *sorted(words)[:: len(words) // _MOST_WORDS + 1]]

    def mutate(self, data: bytes, most: int, seed: int) -> bytes:
        """Return another input of so many bytes at most, which follows from the arguments."""
        chance = random.Random(seed)
        head, body = data[: self._target.selectors], data[self._target.selectors :]
        if head and chance.random() < 0.1:
            head = chance.randbytes(len(head))
        choice = chance.random()
        if choice < 0.2:
            body = _changed_bytes(body, chance)
        elif self._target.format is not None and choice < 0.4:
            body = self._changed_record(body, chance)
        else:
            body = self._changed_tokens(body, chance)
        return (head + body)[:most]

    def _changed_tokens(self, body: bytes, chance: random.Random) -> bytes:
        tokens = _TOKEN.findall(body)
        for _ in range(chance.randint(1, _MOST_STEPS)):
            at = chance.randrange(len(tokens) + 1)
            end = min(len(tokens), at + chance.choice((1, 1, 2, 5, 20)))
            match chance.randrange(7):
                case 0:
                    del tokens[at:end]
                case 1:
                    tokens[at:at] = tokens[at:end]
                case 2:
                    tokens[at:end] = [chance.choice(self._words)]
                case 3:
                    tokens.insert(at, chance.choice(self._words))
                case 4:
                    tokens[at:end] = reversed(tokens[at:end])
                case 5:
                    tokens[at:at] = tokens[at:end] * chance.choice((3, 10, 100))
                case _:
                    other = _TOKEN.findall(chance.choice(self._seeds)[self._target.selectors :])
                    start = chance.randrange(len(other) + 1)
                    tokens[at:end] = other[start : start + chance.randint(1, 20)]
        return b"".join(tokens)

    def _changed_record(self, body: bytes, chance: random.Random) -> bytes:
        """Return the text of a record of which parts were changed; other bytes if there is none to be written."""
        name = self._target.format
        assert name is not None
        records = [record for text in (body, chance.choice(self._seeds)) if (record := self._record(name, text))]
        if not records:
            return self._changed_tokens(body, chance)
        data = records[0]
        for _ in range(chance.randint(1, _MOST_STEPS)):
            _change(data, records[-1], chance)
        try:
            return "".join(formats.get(name).write([data], lambda _: None)).encode(errors="surrogatepass")
        except Exception:  # writers are given valid records only
            return json.dumps(data).encode()

    def _record(self, name: str, text: bytes) -> Any:
        return pickle.loads(self._read(name, text))  # a copy

    def _first_record(self, name: str, text: bytes) -> bytes:
        for document in formats.get(name).read(io.BytesIO(text[self._target.selectors :])):
            if isinstance(document.data, dict):
                return pickle.dumps(document.data)
        return pickle.dumps(None)


def _changed_bytes(body: bytes, chance: random.Random) -> bytes:
    changed = bytearray(body)
    for _ in range(chance.randint(1, _MOST_STEPS)):
        at = chance.randrange(len(changed) + 1)
        end = min(len(changed), at + chance.choice((1, 1, 1, 2, 4, 8, 100)))
        match chance.randrange(6):
            case 0:
                del changed[at:end]
            case 1:
                changed[at:end] = chance.randbytes(end - at)
            case 2:
                changed[at:at] = chance.randbytes(chance.randint(1, 4))
            case 3:
                changed[at:at] = changed[at:end]
            case 4 if at < len(changed):
                changed[at] ^= 1 << chance.randrange(8)
            case _:
                changed[at:end] = chance.choice((0, 1, -1, 2**31 - 1)).to_bytes(4, "little", signed=True)
    return bytes(changed)


def _change(data: Any, other: Any, chance: random.Random) -> None:
    """Change a part of some data: leave it out, put in something odd or a part of other data, repeat it, rename it."""
    container, key = chance.choice(_places(data) or [({"": data}, "")])
    match chance.randrange(6):
        case 0:
            del container[key]
        case 1 | 2:
            container[key] = deepcopy(chance.choice(_ODD))
        case 3:
            donor, name = chance.choice(_places(other) or [([1], 0)])
            container[key] = deepcopy(donor[name])
        case 4 if isinstance(container, list):
            container[key:key] = [container[key]] * chance.choice((1, 2, 50))
        case _ if isinstance(container, dict):
            donor, name = chance.choice(_places(other) or [({"x-a": 1}, "x-a")])
            container[name if isinstance(name, str) else "x-a"] = container[key]
        case _:
            chance.shuffle(container)


def _places(data: Any) -> list[tuple[Any, Any]]:
    """Return where each part of some data is: what holds it, and its key or index there."""
    found: list[tuple[Any, Any]] = []
    waiting = [data]
    while waiting and len(found) < 500:
        container = waiting.pop()
        items = container.items() if isinstance(container, dict) else enumerate(container)
        for key, value in items:
            found.append((container, key))
            if isinstance(value, dict | list):
                waiting.append(value)
    return found


def mutations(target: Target, count: int, seed: int = 0) -> Sequence[bytes]:
    """Return inputs that follow from a seed alone, each from one of those that a target starts with."""
    chance = random.Random(seed)
    mutator, seeds = Mutator(target), target.seeds()
    return [mutator.mutate(chance.choice(seeds), 8_000, chance.getrandbits(32)) for _ in range(count)]
