"""How rules refuse: a code at once, and the words for it only when somebody reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Self

from hexrec.errors import Error
from hexrec.games.outcome import Colour


class RuleError(Error, ValueError):
    """Something that the rules refuse, with the `code` of the rule and a `message` for the player.

    The message may be given as a function, which is called when the message is first asked for: to learn that a turn
    is illegal costs no sentence that nobody reads.
    """

    def __init__(self, code: str, message: str | Callable[[], str]) -> None:
        super().__init__(code)
        self.code = code
        self._message = message

    @property
    def message(self) -> str:
        """What was refused, and by which rule."""
        if not isinstance(self._message, str):
            self._message = self._message()
        return self._message

    def settled(self) -> Self:
        """Work the message out now, before the position that it speaks of changes; return the error."""
        self._message = self.message
        return self

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message)


class IllegalTurn(RuleError):
    """A turn that is not legal in the position it was played in."""


class IllegalOpening(RuleError):
    """Stones set before the game where the rules do not allow them; `colour` says whose stone is at fault."""

    def __init__(self, code: str, message: str | Callable[[], str], colour: Colour) -> None:
        super().__init__(code, message)
        self.colour = colour

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message, self.colour)


class IllegalSetup(RuleError):
    """The text of a position that is none, or of one that no game can go on from.

    Attributes:
        column: where in the text the error is, from 1; the place just past its end if something is missing there.
    """

    def __init__(self, code: str, message: str | Callable[[], str], column: int) -> None:
        super().__init__(code, message)
        self.column = column

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.code, self.message, self.column)


class SetupFault(NamedTuple):
    """Why no game can go on from a position that somebody has set up.

    Attributes:
        code, message: as those of other refusals.
        cell: an occupied cell that shows it; None where whose turn it is does.
    """

    code: str
    message: str
    cell: int | None = None
