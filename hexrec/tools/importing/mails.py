"""Mails as text, and threads of them: the own lines of each mail, and quoted lines of mails that are not there."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parseaddr, parsedate_to_datetime
from html import unescape
from itertools import chain, pairwise
from typing import NamedTuple

from hexrec.rules.terms import COLORS
from hexrec.tools.importing.facts import find_facts, game_names
from hexrec.tools.importing.layouts import SourceLine, decode
from hexrec.tools.importing.lexer import TURN_KINDS, lex
from hexrec.tools.importing.messages import QUOTING, Message, Thread, is_farewell
from hexrec.tools.importing.results import short_claim
from hexrec.tools.importing.spelling import plain, words_of
from hexrec.tools.importing.words import KEYS

_MAILBOX = re.compile(rb"^From .*\r?\n", re.MULTILINE)
#: Headers of mails that are not as they are shown.
_ENCODED = re.compile(
    rb"^Content-Transfer-Encoding:\s*(?:base64|quoted)|^Content-Type:\s*(?:multipart|text/html|.*charset=(?!.?utf|.?us-))"
    rb"|=\?[\w-]+\?[bq]\?",
    re.IGNORECASE | re.MULTILINE,
)
_BREAK = re.compile(r"<br\s*/?>|</(?:p|div|tr|li|h\d)>", re.IGNORECASE)
_BLOCK = re.compile(r"(</?blockquote\b[^<>]*>)", re.IGNORECASE)
_MARKUP = re.compile(r"<(style|script|head)\b.*?</\1>|<[^<>]{1,500}>", re.IGNORECASE | re.DOTALL)
#: A line of the heading of a mail, also of one that a mail quotes below its own text.
_HEADER = re.compile(
    r"\s*\*?(?:(?P<author>from|von|de|da|van)|(?P<reader>to|an|à|para|aan|a)|(?P<sent>sent|gesendet|envoyé|enviado|verzonden)"
    r"|(?P<date>date|datum|fecha|data)|(?P<subject>subject|betreff|objet|asunto|onderwerp|oggetto)|(?P<other>[a-z][a-z-]{1,30}))\s?:\*?"
    r"(?:\s+(?P<value>.*\S))?\s*",
    re.IGNORECASE,
)
_POSTMARK = re.compile(r"From \S+(?: at \S+)?\s+(?:mon|tue|wed|thu|fri|sat|sun)\s.*\d\s*", re.IGNORECASE)
#: The line above a mail that is quoted as a whole.
_ORIGINAL = re.compile(r"\s*(?:[-_=*]{2,}[^-_]{5,40}[-_=*]{2,}|_{10,}|begin forwarded message:)\s*", re.IGNORECASE)
_REPLY = re.compile(r"^(?:(?:re|aw|fwd?|wg|tr|sv|rif|antw?)(?:\[\d+\])?\s*:\s*)+", re.IGNORECASE)
_ADDRESS = re.compile(r"\s*<[^<>]*@[^<>]*>")
#: The sign @ as archives of lists show it.
_AT = re.compile(r"(?<=\w) at (?=\w+\.\w)")
#: One of several games of a correspondence, before its turns.
_MARKER = re.compile(
    r"\W*(?:game|board|match|partie|spiel|brett|partida|partij)\s*(?:no\.?|nr\.?|#)?\s*(?P<key>\d{1,3}|[a-d])(?!\w)\W{0,3}",
    re.IGNORECASE,
)
_FIRST = re.compile(r"\W*1\s?[.:)]")
_QUOTED = re.compile(r"\s*(?:[^\W\d_]{0,3}>\s?)+")
#: The first line of two that introduce a quotation.
_ON = re.compile(r"\s*(?:on|am|le|el|op)\s.*\d", re.IGNORECASE)


class _Part(NamedTuple):
    """Lines of an author, and whether their subject says that they answer another mail."""

    author: str
    lines: list[SourceLine]
    answers: bool = False


class _Mail(NamedTuple):
    """A mail: its heading, and its parts by depth, and by their order within one depth as negative numbers."""

    heading: list[SourceLine]
    author: str
    reader: str
    subject: str
    date: str
    parts: dict[tuple[int, int], _Part]


def mail_text(data: bytes) -> str:
    """Return the text of a mail, or of all mails of a mailbox, with From, To, Date and Subject before each body."""
    if not _ENCODED.search(data):
        return decode(data)
    parts = _MAILBOX.split(data) if data.startswith(b"From ") else [data]
    return "\n".join(_decoded(message_from_bytes(part, policy=policy.default)) for part in parts if part.strip())


def _decoded(mail: EmailMessage) -> str:
    """Return a mail as text; HTML without its markup."""
    text, body = "", mail.get_body(("plain", "html"))
    if body is not None:
        content = body.get_payload(decode=True)
        try:
            text = str(body.get_content())
        except (LookupError, UnicodeError):  # an unknown or wrong charset
            text = decode(content) if isinstance(content, bytes) else ""
        if body.get_content_subtype() == "html":
            text = unescape(_MARKUP.sub("", _BREAK.sub("\n", _mark_quotes(text))))
    headings = [f"{key}: {mail[key]}" for key in ("From", "To", "Date", "Subject") if mail[key]]
    return "\n".join([*headings, "", text.replace("\r\n", "\n"), ""])


def _mark_quotes(text: str) -> str:
    """Return HTML with the signs of quotations before the lines of blocks that are some."""
    parts, depth = [], 0
    for part in _BLOCK.split(text):
        if _BLOCK.fullmatch(part):
            depth = max(0, depth + (-1 if part[1] == "/" else 1))
        else:
            parts.append(_BREAK.sub(lambda found: found[0] + ">" * depth, ">" * depth + part))  # noqa: B023
    return "<br>".join(parts)


def find_threads(lines: Sequence[SourceLine]) -> list[Thread]:
    """Return the threads of a text of mails; none of other texts."""
    preface, mails = _split(lines)
    times = [_sent(mail) for mail in mails]
    if datetime.min.replace(tzinfo=UTC) not in times:
        mails.sort(key=_sent)
    return [thread for group in _group(mails) for thread in _part_games(_thread(preface, group))]


def _split(lines: Sequence[SourceLine]) -> tuple[list[SourceLine], list[_Mail]]:
    """Return the lines before the first mail, and the mails, in the order of the text."""
    preface: list[SourceLine] = []
    mails: list[_Mail] = []
    index, quoted, signed, is_original = 0, 0, False, False
    while index < len(lines):
        line, below = lines[index], lines[index + 1].text if index + 1 < len(lines) else ""
        heading = _heading(lines, index)
        if heading:
            index += len(heading)
            found = dict(filter(None, (_header(line.text) for line in heading)))
            author, reader = (_name(found.get(key, "")) for key in ("author", "reader"))
            quoted = quoted + 1 if mails and (is_original or "sent" in found) else 0
            signed = is_original = False
            subject = found.get("subject", "")
            part = _Part(author, [], bool(_REPLY.match(subject)))
            if quoted:
                mails[-1].parts.setdefault((quoted, 0), part)
            else:
                mails.append(
                    _Mail(heading, author, reader, _REPLY.sub("", subject), found.get("date", ""), {(0, 0): part})
                )
            continue
        index += 1
        if not mails:
            preface.append(line)
            continue
        mail = mails[-1]
        marks = _QUOTED.match(line.text)
        depth = quoted + (0 if marks is None else marks[0].count(">"))
        text = line.text if marks is None else " " * marks.end() + line.text[marks.end() :]
        is_original = bool(_ORIGINAL.fullmatch(text)) or (is_original and not text.strip())
        signed = bool(text.strip()) and (signed or text.strip() == "--")
        if QUOTING.search(plain(text)) or (_ON.match(text) and QUOTING.search(plain(below))):
            words = {*plain(text).replace(",", " ").split()}
            author = next((name for name in (mail.author, mail.reader) if words_of(name) & words), "")
            mail.parts.setdefault((depth + 1, 0), _Part(author, []))
        elif not signed and not is_original and not _POSTMARK.fullmatch(text):
            key = (depth, min((order for at, order in mail.parts if at == depth), default=0))
            part = mail.parts.setdefault(key, _Part("", []))
            if marks is not None and (header := _header(text)) is not None and header[0] == "author":
                name = _name(header[1])
                if part.author in ("", name):
                    mail.parts[key] = part._replace(author=name)
                else:
                    mail.parts[depth, key[1] - 1] = _Part(name, [])
            else:
                part.lines.append(line._replace(text=text))
    return preface, mails


def _heading(lines: Sequence[SourceLine], index: int) -> list[SourceLine]:
    """Return the lines of the heading of a mail that begins at an index; none for other lines."""
    start = index + bool(_POSTMARK.fullmatch(lines[index].text))
    kinds: set[str] = set()
    for end in range(start, len(lines)):
        header, text = _header(lines[end].text), lines[end].text
        if header is None and not (kinds and text[:1].isspace() and text.strip()):
            break
        kinds |= {header[0]} if header else set()
    return list(lines[index:end]) if "author" in kinds and kinds & {"reader", "sent", "subject"} else []


def _header(text: str) -> tuple[str, str] | None:
    """Return the kind and the value of a line of the heading of a mail; None for other lines."""
    match = _HEADER.fullmatch(text)
    if match is None or (match["other"] and plain(match["other"]) in KEYS):
        return None
    return next(kind for kind, found in match.groupdict().items() if found), match["value"] or ""


def _name(value: str) -> str:
    """Return the name in the address of a mail, or the part of the address before the sign @."""
    value = _AT.sub("@", value)
    name, address = parseaddr(value) if "@" in value else (value, "")
    return name or address.split("@")[0]


def _sent(mail: _Mail) -> datetime:
    """Return the time at which a mail was sent; one for all mails if it cannot be read."""
    try:
        sent = parsedate_to_datetime(mail.date)
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return sent if sent.tzinfo else sent.replace(tzinfo=UTC)


def _is_same(one: str, other: str) -> bool:
    """Return whether two names may be of one person, as Ada and Ada Moss are."""
    words = words_of(one), words_of(other)
    return words[0] <= words[1] or words[1] <= words[0]


def _group(mails: Iterable[_Mail]) -> Iterator[list[_Mail]]:
    """Yield the mails of each subject; those of more than two authors by the two people of each mail."""
    subjects: dict[str, list[_Mail]] = {}
    for mail in mails:
        subjects.setdefault(plain(mail.subject), []).append(mail)
    for group in subjects.values():
        authors = {mail.author for mail in group}
        pairs: dict[frozenset[str], list[_Mail]] = {}
        for mail in group:
            pair = {mail.author, mail.reader} if len(authors) > 2 and mail.reader in authors else authors
            pairs.setdefault(frozenset(pair), []).append(mail)
        yield from pairs.values()


def _thread(preface: list[SourceLine], mails: list[_Mail]) -> Thread:
    """Return the thread of mails: of each the quoted parts that no mail before has, then its own lines."""
    people: list[str] = []
    for name in (name for mail in mails for name in (mail.author, mail.reader) if name):
        same = next((index for index, known in enumerate(people) if _is_same(name, known)), None)
        if same is None:
            people.append(name)
        elif len(name) > len(people[same]):
            people[same] = name
    parts: list[_Part] = []
    known: set[tuple[str, tuple[object, ...]]] = set()  # authors, or nobody, with turns
    for mail in mails:
        told: set[tuple[str, tuple[object, ...]]] = set()
        for (depth, _), part in sorted(mail.parts.items(), reverse=True):
            turns = {turn for line in part.lines if (turn := _turns(line))}
            if depth == 0 or not known.issuperset((_full_name(part.author, people), turn) for turn in turns):
                others = [name for name in people if (depth % 2 == 1) != _is_same(name, mail.author)]
                author = part.author or (others[0] if len(others) == 1 else "")
                parts.append(part._replace(author=_full_name(author, people)))
            told |= {(_full_name(name, people), turn) for name in (part.author, "") for turn in turns}
        known |= told
    if len(parts) == 1:
        named = [line._replace(text=_ADDRESS.sub("", line.text)) for line in mails[0].heading]
        return Thread([*preface, *named, *parts[0].lines], [], people)
    heading = [
        line._replace(text=" " * (len(line.text) - len(header[1].rstrip())) + header[1])
        for line in mails[0].heading
        if (header := _header(line.text)) is not None and header[0] == "subject"
    ]
    doubt = None
    if parts[0].answers and not any(map(_begins, parts[0].lines)):
        doubt = "the first of the mails answers another one: add those before it"
    said = [(part.author, [line for line in part.lines if not is_farewell(line.text, people)]) for part in parts]
    return Thread([], [("", [*preface, *heading]), *said], people, doubt)


def _begins(line: SourceLine) -> bool:
    """Return whether a line begins a game: with the first turn, or facts about the whole."""
    return bool(_FIRST.match(line.text)) or bool(find_facts(line.text, "size", "opening", *COLORS))


def _part_games(thread: Thread) -> Iterator[Thread]:
    """Yield a thread, or one for each game that a thread of several names before its turns in mail after mail."""
    keys = [{key for line in lines if (key := _game(line.text)[0])} for _, lines in thread.messages]
    if sum(count > 1 for count in Counter(chain(*keys)).values()) < 2:
        yield thread
        return
    games: dict[str, list[Message]] = {key: [] for key in sorted(set().union(*keys))}
    doubt = thread.doubt
    for index, (author, lines) in enumerate(thread.messages):
        parts: dict[str, list[SourceLine]] = {"": []}
        key = ""
        for line in chain.from_iterable(map(_pieces, lines)):
            named, text = _game(line.text)
            key = named or key
            parts.setdefault(key, []).append(line._replace(text=text))
        loose = next((line for line in parts[""] if _turns(line) or _claims(line.text)), None)
        if index > 1 and loose is not None:  # in the first mail, it may be an opening
            doubt = f"the mails are of {len(games)} games, and line {loose.number} names none of them: add it there"
        for key, messages in games.items():
            messages.append((author, [*parts[""], *parts.get(key, ())]))
    yield from (Thread([], messages, thread.people, doubt) for messages in games.values())


def _pieces(line: SourceLine) -> Iterator[SourceLine]:
    """Yield the parts of a line about a game each, with spaces before them."""
    starts = [0, *(marker.start() for marker in _MARKER.finditer(line.text) if ":" in marker[0])]
    for start, end in pairwise([*starts, len(line.text)]):
        if start < end:
            yield line._replace(text=" " * start + line.text[start:end])


def _game(text: str) -> tuple[str, str]:
    """Return the number or name of a game at the start of a line, or nothing, and the line without the number."""
    marker = _MARKER.match(text)
    if marker is None:
        name = next((name for name in game_names() if re.match(rf"\W{{0,3}}{name}\b.{{0,30}}:", plain(text))), "")
        return name, text
    return marker["key"].lower(), " " * marker.end() + text[marker.end() :]


def _full_name(name: str, people: Sequence[str]) -> str:
    return next((known for known in people if name and _is_same(name, known)), name)


def _claims(text: str) -> bool:
    """Return whether a line states the end of a game."""
    return short_claim(text) is not None or bool(find_facts(text, "claim"))


def _turns(line: SourceLine) -> tuple[object, ...]:
    """Return the cells and passes of a line."""
    return tuple(token.value for token in lex(plain(line.text)) if token.kind in TURN_KINDS)
