"""What all screens share: keys named in the language in use, and one answer."""

from dataclasses import replace
from typing import Any, Generic, TypeVar

from textual.binding import ActiveBinding
from textual.screen import ModalScreen, Screen

from ..wording import phrase

T = TypeVar("T")


def is_on_top(screen: Screen[Any]) -> bool:
    """Whether keys go to a screen; until a new screen is drawn, `is_current` also holds for the one below it."""
    return screen.app.screen_stack[-1:] == [screen]


class WordedScreen(Screen[T], Generic[T]):
    """A screen whose bindings are described by keys of the catalogue, as in `keys.act`."""

    @property
    def active_bindings(self) -> dict[str, ActiveBinding]:
        """The bindings, with descriptions in the language in use."""
        return {key: _worded(active) for key, active in super().active_bindings.items()}


def _worded(active: ActiveBinding) -> ActiveBinding:
    description = active.binding.description
    if not description.startswith("keys."):
        return active
    return active._replace(binding=replace(active.binding, description=phrase(description)))


class Answering(WordedScreen[T], Generic[T]):
    """A screen that gives one answer, even if a key is pressed twice."""

    def answer(self, result: T | None) -> None:
        """Close with a result, unless it is closed already."""
        if is_on_top(self):
            self.dismiss(result)

    def action_back(self) -> None:
        """Close without a result."""
        self.answer(None)


class Dialog(ModalScreen[T], Answering[T], Generic[T]):
    """A small screen over another. ModalScreen comes first because Textual styles a class by its first base."""
