"""A keyboard and a screen, line by line, for the plain mode."""

from collections.abc import Callable, Iterable

from ..engine.events import Event
from .sentences import clean
from .wording import phrase, sentence, words

Ask = Callable[[str], str]  # shows a prompt and returns a line; raises EOFError when there are no more
Say = Callable[[str], None]


class Stopped(Exception):
    """Somebody wants to stop, or the input has ended."""


def yes_and_no() -> tuple[str, ...]:
    """All words for yes and no."""
    return (*words("words.yes"), *words("words.no"))


def stops(answer: str) -> bool:
    """Whether somebody wants to stop instead of answering a question."""
    return answer.casefold() in words("commands.quit")


class Console:
    """A keyboard and a screen, line by line."""

    def __init__(self, ask: Ask, say: Say, offered: list[str] | None = None, *, sure: bool = False) -> None:
        """`offered` gets the answers that may be completed; with `sure`, no yes-or-no questions are asked."""
        self._ask = ask
        self._say = say
        self._offered = [] if offered is None else offered
        self._sure = sure
        self.paint: Callable[[str], str] = str

    def say(self, text: str) -> None:
        """Show a text."""
        self._say(self.paint(clean(text)))

    def show(self, lines: Iterable[str]) -> None:
        """Show lines."""
        for line in lines:
            self.say(line)

    def narrate(self, events: Iterable[Event]) -> None:
        """Show what happened."""
        self.show(map(sentence, events))

    def ask(self, prompt: str, offered: Iterable[str] = ()) -> str:
        """The answer to a prompt, which may be one of those offered; raises Stopped at the end of the input."""
        self._offered[:] = offered
        try:
            return self._ask(self.paint(clean(prompt))).strip()
        except (EOFError, KeyboardInterrupt):
            self.say("")
            raise Stopped from None

    def yes(self, question: str, *, unasked: bool = True) -> bool:
        """Ask until the answer is yes or no; `unasked` is the answer if no questions are to be asked."""
        if self._sure:
            return unasked
        while True:
            answer = self.ask(f"{question} [{phrase('plain.yes')}] ", yes_and_no()).casefold()
            if not answer or answer in words("words.yes"):
                return True
            if answer in words("words.no"):
                return False
            self.say(phrase("plain.yes_or_no"))
