"""Spelling: lines in one plain form, with places that stay; the names of colors and players in them."""

from __future__ import annotations

import re
from typing import Final

from hexrec.tools.importing.words import COLOR_WORDS, KEYS, MEANINGS, PARTICLES

#: Signs that look like others, of the same length, so that places stay.
_SIGNS: Final = {
    **dict.fromkeys("‐‑‒–—―−﹣－", "-"),
    **dict.fromkeys("×✕✖✗", "x"),
    **dict.fromkeys("→➔➜➝➞⇒⟶⟹►▶»", ">"),
    **dict.fromkeys("’‘ʼ´`", "'"),
    **dict.fromkeys("“”„«", '"'),
    **dict.fromkeys("⁄∕／÷", "/"),
    **dict.fromkeys("•·∙●▪◦‣", "*"),
    **dict.fromkeys("\u00a0\u2007\u2009\u202f\u200a\u3000\ufeff\u200b\v\f", " "),
    **dict.fromkeys("⚫", "\u26ab"),
    **{chr(0xFF01 + code): chr(0x21 + code) for code in range(94)},
    **dict(zip("асеікморхутв", "aceikmopxytb", strict=True)),
    **dict(zip("АСЕІКМОРХУТВ", "ACEIKMOPXYTB", strict=True)),
}
_TABLE: Final = str.maketrans({old: new for old, new in _SIGNS.items() if old != new})
#: The letter in place of the dot of an initial or a title, so that both are words.
_DOT: Final = "ʹ"
#: A title; or initials, with the words around them.
_INITIALS = re.compile(
    r"(?<![\w'-])(?:(?P<title>(?:Dr|Dra|Prof|Mrs?|Ms|Sra?|Hr|Fr|St|Jr|Mme|Mlle|Ing)\.(?=\s+[^\W\d_])|[AC-MO-RTUVXY]\.(?=\s*[=:]))"
    r"|(?:(?P<before>[^\W\d_][\w'-]+),?\s+)?(?P<initials>(?!v\.)[^\W\d_]\.(?:[ -]?[^\W\d_]\.)*)"
    rf"(?:\s*(?=(?P<particle>(?:(?:{'|'.join(sorted(PARTICLES))})\s+){{0,3}})(?P<after>[^\W\d_][\w']+)))?)"
)
#: A color that is shortened.
_SHORT = re.compile(r"(?<!\w)(bl|wh|blk|wht|schw|blan?)\.", re.IGNORECASE)
#: The end of a sentence, in a text of `plain`; not of an abbreviation.
SENTENCE_END: Final = re.compile(rf"(?:(?<=\w{{3}})|(?<={_DOT}))\s*[.!?]\s+(?=\S)|\.{{3,}}|_{{3,}}")
#: A rating, a color or another addition after a name.
_ADDED = re.compile(r"\s*[(\[][^()\[\]]*[)\]]?$|(?<=\w)[)\]]$")


def plain(text: str) -> str:
    """Return a line of the same length in lower case, with signs of the notation for look-alikes, initials as words."""
    text = text.translate(_TABLE)
    text = _SHORT.sub(r"\1 ", _INITIALS.sub(_mark_initials, text)) if "." in text else text
    return text.lower() if text.isascii() else "".join(low if len(low := char.lower()) == 1 else char for char in text)


def _mark_initials(match: re.Match[str]) -> str:
    """Return initials next to a name, or a title, without dots."""
    initials = match["initials"] or ""
    if match["title"] or (
        initials == initials.upper()
        and (
            initials.count(".") > 1
            or _can_be_name(match["before"])
            or match["particle"]
            or _can_be_name(match["after"])
        )
    ):
        return match[0].replace(".", _DOT)
    return match[0]


def _can_be_name(word: str | None) -> bool:
    """Return whether a word is one in title case without another meaning."""
    return (
        word is not None
        and word[0].isupper()
        and any(map(str.islower, word))
        and not {word.lower()} & (COLOR_WORDS.keys() | MEANINGS.keys() | KEYS.keys())
    )


def cover(text: str, start: int, end: int, sign: str = " ") -> str:
    """Return a text with a sign in place of each character of a part, so that places stay."""
    return text[:start] + sign * (end - start) + text[end:]


def words_of(text: str) -> set[str]:
    """Return the words of a text, such as a name, in the form of `plain`."""
    return {*plain(text).split()}


def color_of(text: str) -> int | None:
    """Return the color that a text is the name of, or None."""
    return COLOR_WORDS.get(plain(text).strip(" .:'\"()*_>-"))


def clean_name(text: str) -> str:
    """Return the name of a player without additions in brackets, marks and quotes."""
    end = SENTENCE_END.search(plain(text))
    text = text[: end.start()] if end else text
    text = text.strip(" \t*_\"',;–-|/\0#=>!·•")
    while (added := _ADDED.search(text)) and added.start():
        text = text[: added.start()].rstrip(" \t*_\"',;–-|/\0#=>!")
    is_initial = re.search(r"(?<!\w)(?<!\w-)[^\W\d_]\.[\s.]*$", text)
    words = (text.strip(" \t*_\"'.,;–-|/\0!") + "." * bool(is_initial)).split()
    while len(words) > 1 and words[0].islower() and words[-1][:1].isupper() and words[0] not in PARTICLES:
        del words[0]  # as in "played by Ada"
    return " ".join(words)
