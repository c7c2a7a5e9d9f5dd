"""Reader of conversations: chats, forum threads, mails. Each message has an author, who plays the turns in it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

from hexrec.tools.importing.facts import game_names
from hexrec.tools.importing.layouts import SourceLine
from hexrec.tools.importing.lexer import TURN_KINDS, has_tokens, lex
from hexrec.tools.importing.players import find_players
from hexrec.tools.importing.spelling import color_of, cover, plain, words_of
from hexrec.tools.importing.words import KEYS, MEANINGS

_MONTH = r"(?:jan|feb|m[aäe]r|a[pv]r|ma[iy]|jui?n|jui?l|aug|ao[uû]|sep|o[ck]t|nov|de[czc])[^\W\d_]{0,9}\.?"
_DAY = (
    r"(?:(?<!\w)(?:mon|tue|wed|thu|fri|sat|sun|mo|di|mi|do|fr|sa|so|lun|mar|mer|jeu|ven|sam|dim)[^\W\d_]{0,9}\.?,?\s+)?"
)
_DATE = (
    rf"{_DAY}(?:\d{{1,4}}[-./]\d{{1,2}}[-./]\d{{2,4}}|\d{{1,2}}\.?(?:st|nd|rd|th)?[\s-]+{_MONTH},?(?:[\s-]+\d{{2,4}}(?![\d:]))?"
    rf"|{_MONTH}\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?)"
)
_CLOCK = r"\d{1,2}[:.h]\d{2}(?::\d{2})?(?:[.,]\d+)?(?:\s?[ap]\.?m\.?|\s?uhr|z)?"
#: A date, a time, or both.
_STAMP = re.compile(
    rf"(?:[\[(]\s*)?(?:{_DATE}(?:(?:,|\s+at|\s+um|\s+à|\s+-|t)?\s*{_CLOCK})?|{_CLOCK}(?:,?\s+{_DATE})?)(?!\w)\s*[\])]?"
)
_NAME = r"[^\W\d_][\w.'-]*(?:\s[\w.'-]+){0,2}?(?:\s[\u2600-\u27bf\U0001f300-\U0001faff]\ufe0f?)?"
#: An author before the text of a message: `Ada: d4`, `<Ada> d4`.
_INLINE = re.compile(
    rf"[\s\-–—|*•]*(?:#\d+\s+)?(?:<\s?[@+%&~]?(?P<nick>{_NAME})\s?>|@?(?P<name>{_NAME})\**\s?(?P<time>[(\[][^()\[\]]{{0,24}}{_CLOCK}[)\]])?\s?:)\**(?:\s+|$)"
)
#: An author between a time and the text of a message, in columns.
_COLUMN = re.compile(rf"\s*[|·•*]?\s*(?P<name>{_NAME})(?:\s*[|·•*\t]\s*|\s{{2,}})(?=\S)")
#: The heading of a post with its number.
_NUMBERED = re.compile(
    rf"\W*(?:post|message|reply)\s+#?\d+\s+(?:by|from|von|par)\s+(?P<name>{_NAME})\W*", re.IGNORECASE
)
#: Underscores of Markdown around the time.
_EMPHASIS = re.compile(r"(?<![^\W_])_+(?=\d)|(?<=\d)_+(?!\w)")
#: Words and signs around the author and the time in the heading of a message.
_AROUND = re.compile(
    r"\b(?:post|message|reply)\s+#?\d+\b|\b(?:by|posted|post|from|von|de|par|wrote|writes|said|says|schrieb|am|on|at|um|le|à|sent|date|message|reply|re"
    r"|edited|gesendet|today|yesterday|unread|updated|published|sent|views|heute|gestern|op|utc|gmt|cest|cet)\b|(?<!\w)\#\s?\d+|[^\w\s.'-]|(?<!\w)[-.']+(?!\w)"
)
#: The end of a line before a quotation.
QUOTING = re.compile(r"\b(?:wrote|writes|said|a écrit|escribió|schrieb|schreef)\b[^:]{0,80}:\s*$")
#: The first line of a post.
_WROTE = re.compile(rf"(?P<name>{_NAME})\s(?:wrote|writes|schrieb|a écrit|escribió|schreef)\s?:$")
#: The maximum number of characters in the name of an author.
_LONGEST = 30
#: The minimum number of messages of an author.
_MESSAGES = 2
#: The minimum number of lines with the same text that is no talk.
_REPEATED = 3


#: The line of an author: a heading of a mail, or words before the name.
_BYLINE = re.compile(
    r"\s*[*_]*(?:u/|(?:(?:posted|published|written|publié|veröffentlicht|geschrieben)\b[^<>(,|\n]{1,30}?\s)?"
    r"(?:from|author|autor|auteur|op|(?:(?:posted|written|recorded|sent|submitted) )?by"
    r"|(?:(?:verfasst|geschrieben|erstellt|gepostet) )?von|(?:(?:publié|écrit|rédigé|posté) )?par|por|door)\b\s?:?\s+)"
    r"(?P<name>[^<>(,|•·»\n]{1,30}?)"
    r"\s*(?:$|[<(,|•·»]|\s[-–—@]|\s(?:on|am|le|el|at|um|op|in)\s|\s\d)",
    re.IGNORECASE,
)
#: The name of a person on a server, below the name of the author of a post.
_HANDLE = re.compile(r"@\w[\w.-]*")
#: The reader of a letter: a heading of a mail, or the name in a greeting.
_READER = re.compile(
    r"\s*(?:(?P<to>to:)|dear|hi|hello|hey|hallo|bonjour|bonsoir|ciao|moin|liebe[rs]?|chère?|salut|beste|hola|querid[oa])\s+(?P<name>[^,!:<]{1,30})\s*[,!]?\s*$",
    re.IGNORECASE,
)
_HELLO = re.compile(
    r"(?:hi|hello|hey|hallo|liebe[rs]?|dear|moin|servus|salut|bonjour|hola|dag|ciao)\b(?:\s(?:all|again))?[,!.]*"
)
#: The end of a letter, before the name of its author.
_GREETING = re.compile(
    r"(?:cheers|(?:with |kind |warm |best |many )*regards.{0,30}|best(?: wishes)?|yours(?: \w+)?|greetings|thanks"
    r"|love|bye|amicalement|cordialement|bises|à bientôt|saludos|un abrazo|abrazos|groet(?:en|jes)?|tot ziens"
    r"|(?:viele |liebe |beste |schöne )?grüße|(?:mit )?(?:freundlichen |besten )?grüßen|gruß|lg"
    r"|met vriendelijke groet|-- ?|[-–—])[,.!]*"
)


#: The author of a message, and its lines, the first without the author and the time.
Message = tuple[str, list[SourceLine]]


class Thread(NamedTuple):
    """A text, or a conversation in it.

    Attributes:
        lines: the lines of a text that is no conversation, or of a mail by itself.
        messages: the messages, in order.
        people: the authors and readers of mails.
        doubt: the reason why it is not clear which lines are of the game; or None.
    """

    lines: list[SourceLine]
    messages: list[Message]
    people: list[str]
    doubt: str | None = None


def find_conversation(lines: Sequence[SourceLine]) -> list[Message]:
    """Return the messages of a conversation, in order; none for other texts."""
    heads = [_head(line.text) for line in lines]
    for index, (name, handle, stamp) in enumerate(zip(lines, lines[1:], lines[2:], strict=False)):
        if _HANDLE.fullmatch(handle.text.strip()) and _STAMP.fullmatch(plain(stamp.text.strip())):
            heads[index : index + 3] = [(name.text.strip(), len(each.text), True) for each in (name, handle, stamp)]
    counts = Counter(head[0] for head in heads if head is not None and head[2])
    authors = {name for name, count in counts.items() if count >= _MESSAGES}
    if len(counts) == 2 and counts.total() > _MESSAGES:
        authors = {*counts}
    if len(authors) < 2:  # a talk without times
        heads = [head and (head[0], head[1], True) for head in heads]
        counts = Counter(head[0] for head in heads if head is not None)
        spoken = sum(bool(line.text.strip()) for line in lines)
        if len(counts) == 2 and min(counts.values()) > _MESSAGES and 10 * counts.total() >= 9 * spoken:
            authors = {*counts}
    spoken_lines = _messages(lines, heads, authors) if len(authors) >= 2 else ()
    return [(name, [line for _, line in said]) for name, said in groupby(spoken_lines, key=itemgetter(0))]


def find_correspondents(lines: Sequence[SourceLine]) -> list[str]:
    """Return the author of a text, and its reader; only the author, or nobody, if the text does not name them."""
    author = _find_author(lines)
    signed = words_of(author or "")
    named = (byline["name"].strip() for line in lines[:20] if (byline := _BYLINE.match(line.text)))
    author = next((name for name in named if signed < words_of(name) and _is_author(name)), author)
    greetings = (_READER.match(line.text) for line in lines[:20])
    readers = [(greeting["name"].strip(), bool(greeting["to"])) for greeting in greetings if greeting]
    reader = next((name for name, is_sure in readers if _is_author(name) and (is_sure or not name.islower())), None)
    return [name for name in (author, reader) if name] if author else []


def is_farewell(text: str, people: Sequence[str]) -> bool:
    """Return whether a line is a greeting, or the end of a letter with or without the name of one of its people."""
    if has_tokens(plain(text), *TURN_KINDS):
        return False
    low = plain(text).strip()
    begin = _HELLO.match(low) or _GREETING.match(low)
    words = _bare_words(low[begin.end() :] if begin else low)
    return bool(_READER.match(text) or ((begin or words) and words <= {*chain(*map(_bare_words, map(plain, people)))}))


def _bare_words(low: str) -> set[str]:
    return {*re.findall(r"[^\W\d_][\w'-]*", low.replace("ʹ", ""))}


def _find_author(lines: Sequence[SourceLine]) -> str | None:
    """Return the author of a text: in its first lines, with a time or the word "by", or below a greeting at its end."""
    texts = [line.text.strip() for line in lines if line.text.strip()]
    for greeting, name in [*pairwise(texts)][-4:]:
        if _GREETING.fullmatch(plain(greeting)) and _is_author(name.strip(" -–—")):
            return name.strip(" -–—")
    if texts and not texts[-1].islower() and _is_author(texts[-1]):
        return texts[-1]
    if texts and (signed := _BYLINE.match(texts[-1].lstrip("-–— "))) and _is_author(signed["name"].strip()):
        return signed["name"].strip()
    if len(texts) > 1 and (wrote := _WROTE.match(texts[0])) and _is_author(wrote["name"]) and texts[1][0] != ">":
        return wrote["name"]
    for above, below in pairwise(texts[:6]):
        if (_HANDLE.fullmatch(below) or _STAMP.fullmatch(plain(below))) and _is_author(above) and not above.islower():
            return above
    for text in texts[:6]:
        byline, head = _BYLINE.match(text), _head(text)
        name = byline["name"].strip() if byline else head[0] if head and (head[2] or "@" in text) else ""
        name = re.split(r"\s*@", name)[0].strip()
        if name and _is_author(name):
            return name
    return None


def _is_author(name: str) -> bool:
    """Return whether a text is a name of one to three words."""
    if len(name) > _LONGEST or len(name.split()) > 3 or not _can_speak(name):
        return False
    return [fact.value for fact in find_players(f"{name} (black)") if fact.kind == "black"] == [name]


def _messages(
    lines: Sequence[SourceLine], heads: Sequence[tuple[str, int, bool] | None], authors: set[str]
) -> Iterator[tuple[str, SourceLine]]:
    """Yield the lines of a conversation with their authors."""
    speaker = ""
    repeated = {text for text, count in Counter(line.text for line in lines).items() if count >= _REPEATED}
    repeated -= {text for text in repeated if has_tokens(plain(text), *TURN_KINDS)}
    known: set[str] = set()
    # "Ada wrote on 3 May:" introduces a quotation, or a post of hers, which may begin with one.
    introduce = all(
        not QUOTING.search(plain(line.text)) or _is_quoted(lines, index + 1)
        for index, (line, head) in enumerate(zip(lines, heads, strict=True))
        if head is not None and head[0] in authors
    )
    for index, (line, head) in enumerate(zip(lines, heads, strict=True)):
        text = line.text
        quoted = text.lstrip().startswith(">")
        if quoted or (introduce and QUOTING.search(plain(text)) and _is_quoted(lines, index + 1)):
            continue
        if head is not None and head[0] in authors and head[2]:
            speaker = head[0]
        elif text in repeated & known and text.strip():  # the subject of a thread, or a signature
            continue
        known.add(text)
        if head is not None and head[0] in authors and head[2]:
            text = " " * head[1] + text[head[1] :]
        yield speaker, line._replace(text=text)


def _is_quoted(lines: Sequence[SourceLine], index: int) -> bool:
    """Return whether the next line that is not blank is a quotation."""
    following = next((line.text for line in lines[index : index + 3] if line.text.strip()), "")
    return following.lstrip().startswith(">")


def _head(text: str) -> tuple[str, int, bool] | None:
    """Return the author whom a line names, the length of the heading, and whether it has a time; or None."""
    text = _EMPHASIS.sub(lambda marks: " " * len(marks[0]), text)
    low = plain(text)
    stamp = _STAMP.search(low)
    start = stamp.end() if stamp is not None and not low[: stamp.start()].strip(" -–—|*[(") else 0
    if start and (column := _COLUMN.match(text, start)) and _can_speak(column["name"]):
        return column["name"], column.end(), True
    if inline := _INLINE.match(text, start):
        name = (inline["nick"] or inline["name"]).strip()
        if _can_speak(name):
            return name, inline.end(), start > 0 or inline["time"] is not None
    if (numbered := _NUMBERED.fullmatch(text)) and _can_speak(numbered["name"]):
        return numbered["name"], len(text), True
    if stamp is None or len(text) > 120:
        return None
    around = _AROUND.sub(" ", cover(low, *stamp.span()))
    words = around.split()
    if not 1 <= len(words) <= 3:
        return None
    first = low.find(words[0])
    last = low.find(words[-1], first)
    name = text[first : last + len(words[-1])]
    return (name, len(text), True) if len(name) <= _LONGEST and _can_speak(name) else None


def _can_speak(name: str) -> bool:
    """Return whether a text can be the name of an author: no key, color or turn."""
    low = plain(name)
    return (
        low not in KEYS
        and color_of(name) is None
        and not any(word in MEANINGS for word in low.split()[:1])
        and not any(game in low for game in game_names())
        and not any(
            token.kind == "cell" or (token.kind == "pass" and len(token.value) > 1)  # but for initials
            for token in lex(low)
        )
    )
