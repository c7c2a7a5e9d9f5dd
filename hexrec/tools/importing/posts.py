"""Reader of texts: posts, notes, Markdown, logs. It splits a text into drafts of games, and takes the tables in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hexrec.rules.terms import COLORS
from hexrec.tools.importing.draft_lines import DraftLine, has_turns
from hexrec.tools.importing.drafts import Draft
from hexrec.tools.importing.facts import find_facts
from hexrec.tools.importing.layouts import SourceLine
from hexrec.tools.importing.lexer import TURN_KINDS, Token, lex
from hexrec.tools.importing.register import Register
from hexrec.tools.importing.repetition import drop_repeated, is_begun_by, settle
from hexrec.tools.importing.results import Claim, Fact, find_termination, short_claim
from hexrec.tools.importing.spelling import cover, plain, words_of
from hexrec.tools.importing.words import EXPLAINING, PLAYING

#: No comments, by line.
NO_COMMENTS: Mapping[int, list[Token]] = {}
#: Facts that begin another game after the turns of one.
_BEGINNING = (
    *("index", "game", "size", "opening", "black", "white", "pair"),
    *("event", "round", "site", "date", "variant", "ruleset"),
)
#: Facts that hold for the games that follow, until one of them states another.
_LASTING = ("game", "size", "variant", "ruleset", "event", "site", "coordinates", "first is")
_PLAYERS = ("black", "white", "first", "second", "pair")
_SEPARATOR = re.compile(r"\s*([-=*_~#])(?:\1{2,}|(?:\s\1){2,})\s*$")
_HEADING = re.compile(r"\s*(?:#{1,6}\s|=+\s|\*\*[^*]|\[[A-Za-z])")
_SENTENCE = re.compile(r"(?:[^.!?]|\.(?!\s))+")
#: The number of facts of which more make a line that names a game a heading.
_HEADING_FACTS = 3
#: The number of words without a meaning that make a line a sentence.
_PROSE = 6


def _words(names: str | Sequence[str]) -> set[str]:
    """Return the words of the name of a player, or of a pair of players."""
    return words_of(names if isinstance(names, str) else " ".join(names))


def _facts_of_message(text: str, facts: Sequence[Fact], speaker: str, other: str = "you") -> Iterator[Fact]:
    """Yield the facts of a message, with the names of the author and of the one before for "I" and "you"."""
    persons = {"i": speaker, "you": other}
    claims = () if any(fact.kind == "claim" for fact in facts) else _own_claims(text)
    for fact in (*claims, *facts):
        if fact.kind in (*COLORS, "first", "second") and isinstance(fact.value, str):
            yield fact._replace(value=persons.get(plain(fact.value), fact.value))
            if plain(fact.value) == "you" != other:
                yield Fact("pair", (speaker, other), fact.end, fact.end)
        elif fact.kind == "pair":
            yield fact._replace(value=tuple(persons.get(plain(name), name) for name in fact.value))
        elif fact.kind == "claim":
            winner, loser = (_spell(name, persons) for name in fact.value[:2])
            yield fact._replace(value=fact.value._replace(winner=winner, loser=loser))
        else:
            yield fact


def _spell(subject: int | str | None, persons: Mapping[str, str]) -> int | str | None:
    """Return the subject of a claim with the names of persons."""
    if not isinstance(subject, str):
        return subject
    return " / ".join(persons.get(plain(part), part) for part in subject.split(" / "))


def _own_claims(text: str) -> Iterator[Fact]:
    """Yield the result that a text states about its author in a few words."""
    if (has_won := short_claim(text)) is not None:
        termination = find_termination(plain(text))
        yield Fact("claim", Claim("I", None, termination) if has_won else Claim(None, "I", termination), 0, 0)


def _without_explanations(low: str, tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the tokens of a text, with words for the turns in sentences that explain the notation."""
    spans = [
        sentence.span()
        for sentence in _SENTENCE.finditer(low)
        if EXPLAINING.search(sentence[0]) and not PLAYING.search(sentence[0])
    ]
    for token in tokens:
        is_example = token.kind in ("number", *TURN_KINDS) and any(start <= token.start < end for start, end in spans)
        yield token._replace(kind="word") if is_example else token


class Collector:
    """Collects drafts from lines, in the order of the text."""

    def __init__(
        self,
        inherited: Sequence[Fact] = (),
        sheet: str | None = None,
        authors: Sequence[str] = (),
        persons: Sequence[str] = (),
        answers: Sequence[str] = (),
        doubt: str | None = None,
    ) -> None:
        """Begin with facts of the file, the sheet, the authors of messages, or the author and the reader of a text.

        `answers` are the people of a correspondence, each of whom plays turns of their own only; `doubt` is the reason
        why its lines may be of another game.
        """
        self.drafts: list[Draft] = []
        self.sheet = sheet
        self.register: Register = []
        self.facts: list[tuple[Fact, int]] = []  # after the last game
        self._lasting: dict[str, list[Fact]] = {}
        for fact in inherited:
            self._lasting.setdefault(fact.kind, []).append(fact)
        self._answers, self._doubt = answers, doubt
        self.draft = self._new()
        self._separated = False
        self._general = {*self._lasting}  # the kinds of facts that are stated for all games, before the heading of one
        self._authors = authors
        self._persons = persons
        self._speakers: list[str] = []

    def _new(self) -> Draft:
        return Draft(sheet=self.sheet, answers=self._answers, doubt=self._doubt)

    def begin(self) -> None:
        """Begin another draft, if the last one has turns; otherwise facts stay for the next turns."""
        if self.draft.is_prose:
            self.draft.entries.clear()
            self.draft.has_turns = False
        elif self.draft.has_turns:
            self.finish()

    def finish(self) -> None:
        """End the last draft."""
        draft, self.draft = self.draft, self._new()
        stated = {fact.value for fact, _ in draft.facts if fact.kind == "game"}
        lasting = self._lasting.get("game", [])
        other_game = bool(stated) and not stated & {fact.value for fact in lasting} and bool(lasting)
        draft.inherited = [
            fact
            for kind, facts in self._lasting.items()
            if kind not in ("size", "variant") or kind in self._general or not (other_game or stated)
            for fact in facts
        ]
        # Facts below the heading of a game hold for that game only.
        heading = next((line for fact, line in draft.facts if fact.kind == "index"), None)
        for kind in _LASTING:
            own = [fact for fact, line in draft.facts if fact.kind == kind and (heading is None or line < heading)]
            if own:
                self._lasting[kind] = own
                named = [line for fact, line in draft.facts if fact.kind in ("game", "index")]
                is_general = any(line < max(named, default=0) for fact, line in draft.facts if fact in own)
                self._general = self._general | {kind} if is_general else self._general - {kind}
        if draft.has_turns and not draft.is_prose:
            self.drafts.append(draft)

    def add_facts(self, facts: Iterable[Fact], line: int) -> None:
        """Add the facts of a line to the current draft."""
        for fact in facts:
            self.draft.facts.append((fact, line))
            self.draft.see(line)

    def add_entry(self, entry: DraftLine) -> None:
        """Add the tokens of a line to the current draft."""
        self.draft.entries.append(entry)
        self.draft.has_turns = self.draft.has_turns or has_turns(entry)
        if not self.draft.texts or self.draft.texts[-1] != entry.text:
            self.draft.texts.append(entry.text)
        self.draft.see(entry.line)
        self.draft.numbers += [token.value for token in entry.tokens if token.kind == "number"]

    def add_message(self, lines: Iterable[SourceLine], comments: Mapping[int, list[Token]], speaker: str) -> None:
        """Add the lines of a message, or those before the first message if there is no speaker."""
        before = self.draft, len(self.draft.entries)
        for line in lines:
            self.add_text(line, comments, speaker or None)
        if speaker:
            settle(self.draft, before[1] if before[0] is self.draft else 0, speaker)

    def add_text(
        self, line: SourceLine, comments: Mapping[int, list[Token]] = NO_COMMENTS, speaker: str | None = None
    ) -> None:
        """Add a line of text, of a message if it has a speaker; `comments` are tokens by line."""
        text = line.text.replace("\n", " ")
        if len(text) < 200 and _SEPARATOR.match(text):
            self._separated = True
            return
        facts = [fact for fact in find_facts(text) if not self._is_known_name(fact, text)]
        if speaker is not None:
            self._speakers = [*[name for name in self._speakers if name != speaker][-1:], speaker]
            others = [name for name in self._speakers if name != speaker] or [
                name for name in self._authors if name != speaker
            ]
            told = [fact for fact in facts if fact.kind != "date"]
            facts = [*_facts_of_message(text, told, speaker, *others[: len(others) == 1])]
        elif self._persons and text.lstrip().startswith(">"):  # "I" is another person in a quotation
            facts = [fact for fact in facts if fact.kind not in _PLAYERS or not {"i", "you"} & _words(fact.value)]
        elif self._persons:
            facts = [*_facts_of_message(text, facts, *self._persons)]
        elif not any(fact.kind == "claim" for fact in facts) and (own := [*_own_claims(text)]):
            facts = [*own, *facts] if any(fact.value == "I" for fact, _ in self.draft.facts) else facts
        low = plain(text)
        hidden = 0
        for fact in facts:
            if fact.kind in (*_PLAYERS, "claim", "unclear", "unread", "event", "site"):
                hidden += self._count_untold(low[fact.start : fact.end])
            low = cover(low, fact.start, fact.end, "\0")
        tokens = [token for token in lex(low.replace("\0", " ")) if token.kind != "space" or token.value]
        if not self.draft.has_turns:
            tokens = [*_without_explanations(low, tokens)]
        at = 0
        for number, part in enumerate(line.text.split("\n"), line.number):
            tokens += [token._replace(start=token.start + at, end=token.end + at) for token in comments.get(number, ())]
            at += len(part) + 1
        tokens.sort(key=lambda token: token.start)
        shown = [token for token in tokens if token.kind != "space"]
        if [token.kind for token in shown[:2]] in (["dash", "word"], ["dash", "filler"]):  # the mark of a list
            tokens, shown = [token for token in tokens if token is not shown[0]], shown[1:]
        is_last = bool(shown) and all(fact.end <= shown[-1].start for fact in facts)
        # "Ada: --" and "7: -" are passes, "--- Valaturna ---" is none.
        if is_last and self._is_dash_of_player(shown, speaker):
            kind = "dash" if speaker is None and shown[-2].kind == "number" else "pass"
            tokens = [*shown[:-1], shown[-1]._replace(kind=kind)]
        elif not any(token.kind in ("cell", "pass") for token in tokens) and (
            any(fact.kind != "moves" for fact in facts) or any(token.kind == "word" for token in tokens)
        ):
            tokens = [token for token in tokens if token.kind != "dash"]
        has_turns = any(token.kind in TURN_KINDS for token in tokens)
        colors = [fact for fact in facts if fact.kind in COLORS]
        if has_turns and len(colors) == 1 and all(token.start >= colors[0].end for token in shown):
            color = Token("color", COLORS.index(colors[0].kind), colors[0].start, colors[0].end)
            tokens = [color, *tokens]  # as in "Ada (Black): e5, d4"
        prose = sum(token.kind == "word" for token in tokens) > _PROSE
        heading = bool(_HEADING.match(text)) or any(fact.kind == "index" for fact in facts)
        stated = {fact.kind for fact in facts if fact.kind in _BEGINNING}
        heading = heading or (not has_turns and "game" in stated and len(stated) > _HEADING_FACTS)
        if self._begins(facts, tokens, has_turns, prose and (speaker is None or not self.draft.ended), heading):
            in_passing = speaker is not None and not self.draft.ended and not (has_turns and heading)
            self.begin()
            self.draft.mention = line.number if in_passing else 0
        elif speaker is not None and self.draft.ended and not (has_turns and all(t.kind != "word" for t in tokens)):
            return  # talk after the game
        self._separated = self._separated and not text.strip()
        if not self.draft.has_turns and heading and facts:
            self.draft.headed = self.draft.headed or any(fact.kind in ("index", "game") for fact in facts)
        if self.draft.has_turns and prose:
            unnamed = {*COLORS} - {fact.kind for fact, _ in self.draft.facts}
            facts = [fact for fact in facts if fact.kind in {"claim", "score", "pie", *unnamed}]
        self.add_facts(facts, line.number)
        self.draft.hidden += hidden
        if has_turns or (tokens and self.draft.has_turns):
            self._add_entries(line, tokens, speaker)
        else:
            self.draft.texts.append(text)
        self.draft.ended = self.draft.ended or (self.draft.has_turns and any(fact.kind == "claim" for fact in facts))

    def _count_untold(self, low: str) -> int:
        """Return the number of cells in words that no turn before has."""
        cells = {token.value for token in lex(low) if token.kind == "cell"}
        told = (token.value for entry in self.draft.entries for token in entry.tokens) if cells else ()
        return len(cells.difference(told))

    def _is_known_player(self, fact: Fact) -> bool:
        """Return whether the draft names a player, with the color if it states colors."""
        stated = [known for known, _ in self.draft.facts if known.kind in _PLAYERS]
        same = [known for known in stated if known.kind == fact.kind and fact.kind in COLORS]
        return _words(fact.value) <= {word for known in same or stated for word in _words(known.value)}

    def _is_known_name(self, fact: Fact, text: str) -> bool:
        """Return whether a pair of names with a hyphen is one name."""
        words = text[fact.start : fact.end]
        names = (known.value for known, _ in self.draft.facts if known.kind in COLORS)
        return fact.kind == "pair" and "-" in plain(words) and any(words in name for name in names)

    def _is_dash_of_player(self, tokens: list[Token], speaker: str | None) -> bool:
        """Return whether the tokens of a line are a player or a number, and a dash."""
        if not tokens or not (tokens[-1].kind == "dash" or tokens[-1][:2] == ("sign", "-")):
            return False
        names = {word for fact, _ in self.draft.facts if fact.kind in _PLAYERS for word in _words(fact.value)}
        before = [token for token in tokens[:-1] if token.kind not in ("sign", "open", "close")]
        return bool(before or speaker) and all(
            token.kind in ("number", "color") or (token.kind == "word" and token.value in names) for token in before
        )

    def _add_entries(self, line: SourceLine, tokens: list[Token], speaker: str | None) -> None:
        """Add tokens, those of each line of a paragraph by themselves."""
        at = 0
        for number, text in enumerate(line.text.split("\n"), line.number):
            end = at + len(text)
            own = [
                token._replace(start=token.start - at, end=token.end - at)
                for token in tokens
                if at <= token.start <= end
            ]
            if own:
                self.add_entry(DraftLine(number, own, text, line.column, speaker))
            at = end + 1

    def _begins(self, facts: list[Fact], tokens: list[Token], has_turns: bool, prose: bool, heading: bool) -> bool:
        """Return whether a line begins another game."""
        draft = self.draft
        if not draft.has_turns:
            return False
        kinds = {fact.kind for fact in facts}
        beginning = kinds & {*_BEGINNING}
        new = {fact.kind for fact in facts if fact.kind in _PLAYERS and not self._is_known_player(fact)}
        if not new or ("claim" in kinds and "pair" not in new):
            beginning -= {*_PLAYERS}  # of this game
        if has_turns or not (draft.ended or heading or self._separated):  # the date of a turn, or of the end
            beginning -= {"date", "event", "round", "site"}
        if draft.has_speakers:  # players choose their colors after the opening
            beginning &= {"index", "game", "event"} | ({"opening", "size"} if draft.ended else set())
            known = {(fact.kind, str(fact.value)) for fact, _ in draft.facts if draft.answers and not draft.ended}
            beginning &= {fact.kind for fact in facts if (fact.kind, str(fact.value)) not in known}
        if draft.is_start:  # the players of a game whose opening is known
            beginning -= {*_PLAYERS}
        if has_turns and len(beginning) == 1 and beginning <= {*COLORS}:  # the turns of the other player
            beginning -= {"black", "white"} - {fact.kind for fact, _ in draft.facts}
        if beginning and (heading or self._separated or (not prose and self._starts_line(facts, tokens))):
            return True
        if has_turns and not prose:
            first = next((token.value for token in tokens if token.kind == "number"), None)
            restarts = first in (0, 1) and any(number > 1 for number in draft.numbers)
            if (draft.has_speakers or draft.answers) and is_begun_by(draft, tokens):
                return False  # the list of all turns
            if restarts and draft.numbers[-1] >= 2 and (draft.ended or not draft.answers):
                return True
            if draft.ended and draft.has_speakers:
                return False
            if draft.ended or self._separated:
                return first in (0, 1)
        return False

    def _starts_line(self, facts: list[Fact], tokens: list[Token]) -> bool:
        """Return whether a line begins with facts, not with turns."""
        at = min(fact.start for fact in facts if fact.kind in _BEGINNING)
        return not any(token.kind in ("cell", "pass") and token.end <= at for token in tokens)

    def end(self) -> list[Draft]:
        """Return the drafts, with those joined that a heading or table had cut in two."""
        after = [(fact, line) for fact, line in self.draft.facts if fact.kind == "claim"]
        if self.drafts and not self.draft.has_turns and not self.drafts[-1].ended:
            self.drafts[-1].facts += after  # below what seems to begin another game
        self.facts = self.draft.facts if not self.draft.has_turns else []
        self.finish()
        joined: list[Draft] = []
        for draft in self.drafts:
            before = joined[-1] if joined else None
            if (
                before is not None
                and not draft.headed
                and before.numbers
                and draft.numbers
                and draft.numbers[0] == max(before.numbers) + 1
                and draft.numbers[0] > 1
            ):
                before.entries += draft.entries
                before.facts += draft.facts
                before.numbers += draft.numbers
                for line in draft.order:
                    before.see(line)
            else:
                joined.append(draft)
        return drop_repeated(joined)
