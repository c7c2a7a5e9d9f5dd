"""The grammar of HGN: a game into tags and tokens, escapes both ways. Knows no record.

`docs/formats/hgn.md` has the grammar in full. Four things keep it free of doubt:

* A tag stands on one line, and a tag line after moves begins the next game, whatever is still open before it.
* `(`, a whole number, a comma, a whole number and `)`, with no blanks in it, is a cell; any other `(` begins a
  variation.
* A text that could be taken for something else is written with escapes.
* A comment may be broken at any single blank: a line end, with the blanks around it, reads as one blank.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from hexrec.formats.base import TOO_MANY, FormatError, LocatedText, beyond
from hexrec.formats.places import Places
from hexrec.util.diagnostics import Diagnostic, FirstFew, shorten
from hexrec.util.limits import MAX_DEPTH, MAX_VALUES

#: The width that lines of moves are wrapped to.
WIDTH = 80
BLANKS = " \t\r\n"

TAG_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
TAG = re.compile(rf'\[(?P<name>{TAG_NAME.pattern})[ \t]+"(?P<value>[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+)"[ \t]*\]')
#: The end of a tag: a quote that nothing escapes.
_TAG_END = re.compile(r'(?<!\\)"\]')
#: One token of the moves, with the blanks before it.
TOKEN = re.compile(
    r"[ \t\r\n]*+(?:"
    r"(?P<number>[0-9]+\.+)"
    r"|(?P<line>(?:;|(?<![^\n])%)[^\n]*)"
    r"|(?P<word>(?:\(-?[0-9]+,-?[0-9]+\)|[^ \t\r\n(){}\[\]\"$;%])(?:\(-?[0-9]+,-?[0-9]+\)|[^ \t\r\n(){}\[\]\"$])*+)"
    r"|(?P<comment>\{[^\\}]*+(?:\\(?:u\{[0-9A-Fa-f]{1,6}\}|.)[^\\}]*+)*+\})"
    r"|(?P<glyph>\$[0-9]+)"
    r"|(?P<open>\()"
    r"|(?P<close>\))"
    r'|(?P<text>"[^"\\\n]*+(?:\\[^\n][^"\\\n]*+)*+")'
    r")",
    re.DOTALL,
)
#: Turn texts that stand for themselves; others are written in quotes.
PLAIN_TURN = re.compile(r"(?:[A-Za-z]|\(-?[0-9]+,-?[0-9]+\))(?:[A-Za-z0-9/-]|\(-?[0-9]+,-?[0-9]+\))*")
SUFFIXES = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}
_SUFFIXED = re.compile(r"(.*?[^!?])([!?]{1,2})")

_COMMAND = re.compile(
    rf"\\.|\[%(?P<name>{TAG_NAME.pattern})(?:[ \t\r\n]++(?P<value>(?:[^\\\[\]]|\\.)*+))?\]", re.DOTALL
)
_ESCAPE = re.compile(r"[ \t\r\n]+|\\(?:u\{([0-9A-Fa-f]{1,6})\}|(.?))", re.DOTALL)
_UNESCAPED = {"n": "\n", "r": "\r", "t": "\t", **{char: char for char in '\\"{}[]'}}
_ESCAPED = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}
#: What could be taken for a command or, at the start of a line, for a tag.
_RISKY_BRACKET = re.compile(rf'\[(?=%|{TAG_NAME.pattern} +")')
_ONE_BLANK = re.compile(r"(?<=[^ ]) (?=[^ ])")


class EscapeError(ValueError):
    """An escape that stands for nothing: `start` and `end` are its offsets in the text that it stands in."""

    def __init__(self, message: str, start: int, end: int) -> None:
        super().__init__(message)
        self.start = start
        self.end = end


class Command(NamedTuple):
    """A command in a comment, such as ``[%clk 0:20:00]``, and its offsets."""

    name: str
    value: str
    start: int
    end: int


class Located:
    """The text of one game, and the places of its parts and of its errors.

    Attributes:
        located, text: the text.
        end: the offset after its last character that is no blank.
        places: where its parts are; None where nobody asks.
        warnings: what was read although the grammar does not have it.
    """

    def __init__(self, located: LocatedText, places: Places | None) -> None:
        self.located = located
        self.text = located.text
        self.end = len(self.text.rstrip(BLANKS))
        self.places = places
        self.warnings = FirstFew[Diagnostic]()
        self._values = 0
        self.span = located.span
        self.error = located.error

    def place(self, pointer: str, start: int, end: int) -> None:
        """Note where a value is, if places are asked for."""
        if self.places is not None:
            self.places.put(pointer, self.span(start, end))

    def warn(self, code: str, message: str, start: int, end: int) -> None:
        """Add a warning of something that was read although it is not as it should be."""
        if self.places is None:
            self.warnings.add(self.located.warning(code, message, start, end))

    def count(self, at: int) -> None:
        """Count a tag, a token or a command. Raises FormatError if there are too many."""
        self._values += 1
        if self._values > MAX_VALUES:
            raise self.error("syntax/too-large", TOO_MANY, at)

    def check_moves(self, at: int) -> None:
        """Raise FormatError if too many tokens follow an offset: to find them is quicker than to read them."""
        left = MAX_VALUES - self._values
        if len(self.text) - at > left:
            excess = beyond(TOKEN, self.text, at, left)
            if excess is not None:
                raise self.error("syntax/too-large", TOO_MANY, excess)

    def too_deep(self, start: int, end: int) -> FormatError:
        """Return the error of what makes the record too deep."""
        message = f"more than {MAX_DEPTH} levels of lists and objects"
        return self.error("syntax/too-deep", message, start, end)

    def unclosed(self, at: int, message: str) -> FormatError:
        """Return the error of a tag or a turn in quotes: on the last line, its end may be missing."""
        rest = self.text[at : self.end]
        cut = "\n" not in rest and _TAG_END.search(rest) is None
        return self.error("syntax/truncated" if cut else "syntax/hgn", message, at)

    def stray(self, at: int) -> FormatError:
        """Return the error of the first character that begins no token, blanks aside."""
        at += len(self.text) - at - len(self.text[at:].lstrip(BLANKS))
        char = self.text[at]
        if char == "{":
            message = "this comment is not closed: the rest of the game is missing"
            return self.error("syntax/truncated", message, at)
        if char == '"':
            return self.unclosed(at, "this text has no closing quote on its line")
        if char == "[":
            return self.error("syntax/hgn", "a tag is not allowed among the turns of a game", at)
        if at == self.end - 1:
            return self.error("syntax/truncated", "the game ends here: the rest of it is missing", at)
        hint = " (inside a comment, write \\} for a closing brace)" if char in "]}" else ""
        return self.error("syntax/hgn", f'not HGN: "{shorten(char)}" has no meaning here{hint}', at)


def split_suffix(word: str) -> tuple[str, int | None]:
    """Return a turn without the sign (``!``, ``?``, …) at its end, and the number that stands for the sign."""
    found = _SUFFIXED.fullmatch(word)
    return (found[1], SUFFIXES[found[2]]) if found else (word, None)


def unescape(raw: str, offset: int) -> str:
    """Return what a text with escapes stands for; a line end in it, with the blanks around it, is one blank.

    Raises EscapeError, with offsets that count from where `raw` has the given one.
    """

    def meaning(found: re.Match[str]) -> str:
        text, code, char = found[0], found[1], found[2]
        if text[0] != "\\":
            return " " if "\n" in text else text
        if code is not None:
            number = int(code, 16)
            if number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF:
                return chr(number)
        elif char in _UNESCAPED:
            return _UNESCAPED[char]
        end = found.end() if code is not None else found.start() + 2
        raise EscapeError(
            "this backslash begins no escape: for a backslash, write two", offset + found.start(), offset + end
        )

    return _ESCAPE.sub(meaning, raw) if "\\" in raw or "\n" in raw else raw


def comment_parts(body: str, offset: int, names: Container[str] | None = None) -> tuple[str | None, list[Command]]:
    """Return what the text between two braces says, None if it holds commands alone, and its commands.

    With `names`, only these are commands, and others text. Raises EscapeError. Offsets count from where `body` has the
    given one.
    """
    if "[%" not in body:
        return comment_text(body, offset), []
    commands = []
    said = []
    at = 0
    for found in _COMMAND.finditer(body):
        if found["name"] and (names is None or found["name"] in names):
            value = comment_text(found["value"] or "", offset + found.start("value"))
            commands.append(Command(found["name"], value, offset + found.start(), offset + found.end()))
            said.append(comment_text(body[at : found.start()], offset + at))
            at = found.end()
    said.append(comment_text(body[at:], offset + at))
    text = " ".join(filter(None, said))
    return (text if text or not commands else None), commands


def comment_text(raw: str, offset: int) -> str:
    """Return what a text between two braces says, taking nothing for a command. Raises EscapeError."""
    begun = raw.lstrip(BLANKS)
    return unescape(begun.rstrip(BLANKS), offset + len(raw) - len(begun))


def quote(text: str) -> str:
    """Return a text in quotes, as tags have it."""
    return f'"{_escape(text, chr(34))}"'


def comment_words(text: str, closing: str = "}") -> list[str]:
    """Return the words of a comment, with escapes; a line may end between any two.

    `closing` are the characters that would end the text.
    """
    text = _escape(text, closing)
    if "[" not in closing:
        text = _RISKY_BRACKET.sub(r"\\[", text)
    begun = text.lstrip(" ")
    kept = begun.rstrip(" ")
    before, after = len(text) - len(begun), len(begun) - len(kept)
    return _ONE_BLANK.split("\\u{20}" * before + kept + "\\u{20}" * after)


def _escape(text: str, closing: str) -> str:
    special = f"\\{closing}"
    if text.isprintable() and not any(char in text for char in special):
        return text
    return "".join(_escaped(char, special) for char in text)


def _escaped(char: str, special: str) -> str:
    if char in special:
        return f"\\{char}"
    return char if char.isprintable() else _ESCAPED.get(char) or f"\\u{{{ord(char):X}}}"


def wrap(words: Iterable[str]) -> Iterator[str]:
    """Yield lines of words, each as long as it may be."""
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    if line:
        yield line
