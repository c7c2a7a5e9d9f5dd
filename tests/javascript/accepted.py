"""Rules in the subset, with each construct that it has. `test_subset.py` compares the results of CALLS.

This module is translated, so it is written in the subset.
"""

# ruff: noqa: B002, PERF401, PERF402, SIM108, SIM113, SIM201

from __future__ import annotations

from typing import Final

from hexrec.rules.cells import Cells, i64, mypyc_attr, vec

ONE: Final = 1
MASK: Final = ONE << 10 | 3
NEGATIVE: Final = -7
HALF: Final = 0.5
WORD: Final = "pass{}"
YES: Final = True


def numbers(first: i64, second: i64) -> list[int]:
    """Integers, signs and bits."""
    return [
        first + second,
        first - second,
        first * second,
        first // second,
        first % second,
        -first,
        --first,
        first & second,
        first | second,
        first ^ second,
        ~first,
        first << 3,
        first >> 1,
        first >> second % 8,
        MASK + NEGATIVE,
        min(first, second),
        max(first, second),
    ]


def fractions(first: i64, second: float) -> list[float]:
    """Floats, also from integers."""
    half: float = HALF
    half += first / 2
    mixed = second if first > 3 else 1.5
    return [first / 4, second * 2, half, mixed, max(half, second)]


def conditions(first: i64, second: i64, flag: bool) -> list[bool]:
    """Comparisons and their combinations."""
    return [
        first == second,
        first != second,
        first < second,
        first <= second,
        first > second,
        first >= second,
        not flag,
        not first == second and flag,
        (flag or first > second) and not (flag and YES),
        flag == YES,
        flag != (first < second),
    ]


def strings(text: str) -> list[str]:
    """Strings: parts, comparison, formats."""
    before = text.split("-")[0]
    parts = text.split("x")
    found = [before, text[0], text[1:], text[:2], text[1:3], f"{before}/{len(parts)}{WORD}", before + "!"]
    for part in parts:
        found.append(part)
    if text < "m" and text != "pass":
        found.append("early")
    at = text.find("-")
    found.append(f"{at} {text.find('x', 2)}")
    longer = ""
    longer += text
    found.append(longer)
    return found


def branches(value: i64) -> str:
    """Branches: each of them sets the variable or leaves."""
    if value < 0:
        name = "negative"
    elif value == 0:
        return "zero"
    elif value > 100:
        name = "large"
    else:
        if value % 2 == 0:
            name = "even"
        else:
            name = "odd"
    return name + ("!" if value > 5 else "" if value > 2 else "?")


def loops(values: list[int], limit: i64) -> list[int]:
    """Loops over lists and ranges, with breaks."""
    found: list[int] = []
    index: i64
    for value in values:
        if value < 0:
            continue
        if value > limit:
            break
        found.append(value)
    for index in range(len(values)):
        found.append(values[index] * index)
    for index in range(1, limit):
        found.append(index)
    for index in range(limit, 0, -1):
        found.append(-index)
    for index in range(3):
        for inner in range(index):
            found.append(10 * index + inner)
    count: i64 = 0
    while count < limit and count != 7:
        count += 2
    found.append(count)
    return found


def lists(values: list[int]) -> list[int]:
    """Lists: copies, order, membership."""
    copied = values.copy()
    copied.sort()
    turned = copied[:]
    turned.reverse()
    copied.append(len(turned))
    copied[0] = 100 if 7 in values else 200
    whole: list[list[int]] = [[], [1, 2]]
    whole[0].append(5)
    zeros = [0] * 3
    zeros[1] += 4
    same = values
    if len(same) > 1 and 99 not in same:
        same[1] = 55
    found: list[int] = []
    for each in [copied, turned, whole[0], whole[1], zeros, values, copied[1:], copied[1:2], copied[:1]]:
        for value in each:
            found.append(value)
    return found


def sorted_names(names: list[str]) -> list[str]:
    """Lists of strings."""
    ordered = names.copy()
    ordered.sort()
    return ordered


def arrays(length: i64) -> list[int]:
    """Arrays: aliases and copies."""
    first = vec[i64]([0] * length)
    alias = first
    other = first[:]
    third = vec[i64]([4, 5, 6])
    fourth = vec[i64](third)
    first[1] = 3
    alias[2] |= 6
    other[0] -= 1
    third[0] //= 3
    third[1] %= 3
    third[2] <<= 2
    first[1], first[2] = first[2], first[1]
    left, right = first[1], third[2]
    left, right = right, left
    found: list[int] = [left, right]
    for value in first:
        found.append(value)
    for value in other:
        found.append(value)
    for value in third:
        found.append(value)
    for value in fourth[1:]:
        found.append(value)
    return found


def dictionaries(names: list[str]) -> list[int]:
    """Dictionaries by name."""
    number_of: dict[str, int] = {}
    index = 0
    for name in names:
        if name not in number_of:
            number_of[name] = index
        index += 1
    missing = number_of.get("missing", -1)
    return [len(number_of), number_of.get(names[0], 9), number_of[names[1]], missing, 1 if "b" in number_of else 0]


@mypyc_attr(allow_interpreted_subclasses=True)
class Counter:
    """A base class."""

    def __init__(self, start: i64) -> None:
        self.start: i64 = start
        self.values = vec[i64]([0] * 4)
        self.place = 0
        self.names: list[str] = []

    @staticmethod
    def codes() -> list[str]:
        """A static method."""
        return ["a", "b"]

    def move_on(self) -> i64:
        """Change attributes, and return a value."""
        self.place += 1
        self.values = self.values[:]
        return self.place * self.step()

    def step(self) -> i64:
        """A method to override."""
        return self.start

    def nothing(self) -> None:
        """A method without a result."""
        return


class Double(Counter):
    """A class with a base class."""

    def __init__(self, start: i64) -> None:
        super().__init__(start)
        self.other = Counter(start + 1)
        self.is_done = False

    def step(self) -> i64:
        return super().step() * 2 + self.other.step()


class Plain(Double):
    """A class without a constructor of its own."""


def objects(start: i64) -> list[int]:
    """Objects. The value of an assignment is found before its target."""
    counter = Plain(start)
    counter.values[counter.place] = counter.move_on()
    counter.values[counter.place] += counter.move_on()
    counter.other.values[0] = start
    counter.is_done = not counter.is_done
    counter.names.append("name")
    counter.nothing()
    whole: Counter = counter
    found = [counter.place, whole.step(), len(counter.names), 1 if counter.is_done else 0, counter.other.values[0]]
    for value in counter.values:
        found.append(value)
    return found


def total(values: Cells) -> i64:
    """A function on an array."""
    number: i64 = 0
    for value in values:
        number += value
    return number


def calls(length: i64) -> i64:
    """Calls of functions."""
    return total(vec[i64]([2] * length)) + total(vec[i64]([1, 2]))
