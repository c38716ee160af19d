"""What the file of a lesson holds, before it is checked against the rules."""

from collections.abc import Iterator
from typing import Annotated

from msgspec import Meta, Struct

from ..engine.actions import Action
from ..engine.notation import format_action

MOST_STEPS = 20
_MOST_LEARNED = 8
_Text = Annotated[str, Meta(pattern=r"^[^\x00-\x1f]*\S[^\x00-\x1f]*\Z", max_length=300)]  # one line that says something
Texts = dict[str, _Text]  # by language


class Coaching(Struct, frozen=True, forbid_unknown_fields=True):
    """A decision of the learner: what the director says before it, and the action that goes on, in notation.

    `highlights` name what the director points at. `not_now` says why other legal actions have to wait, by their
    notation or by its first words: "move bank", "move", "take extra". `otherwise` is for the rest.
    """

    action: str
    caption: Texts
    highlights: tuple[str, ...] = ()
    not_now: dict[str, Texts] = {}
    otherwise: Texts | None = None

    def reason(self, action: Action) -> Texts | None:
        """Why a legal action has to wait, by the longest of the notations that it begins with."""
        words = format_action(action).split()
        beginnings = (" ".join(words[:count]) for count in range(len(words), 0, -1))
        return next((self.not_now[one] for one in beginnings if one in self.not_now), self.otherwise)


class Script(Struct, frozen=True, forbid_unknown_fields=True):
    """The file of a lesson. Its steps are the learner's last decisions in the record, in order."""

    title: Texts
    description: Texts
    seconds: Annotated[int, Meta(ge=1, le=3600)]
    learner: str
    record: str
    steps: Annotated[tuple[Coaching, ...], Meta(min_length=1, max_length=MOST_STEPS)]
    closing: Texts
    learned: Annotated[tuple[Texts, ...], Meta(min_length=1, max_length=_MOST_LEARNED)]

    def texts(self) -> Iterator[tuple[tuple[str | int, ...], Texts]]:
        """Everything that people read, with its place in the file."""
        for name in ("title", "description", "closing"):
            yield (name,), getattr(self, name)
        yield from ((("learned", number), texts) for number, texts in enumerate(self.learned))
        for number, step in enumerate(self.steps):
            place = ("steps", number)
            yield (*place, "caption"), step.caption
            yield from (((*place, "not_now", action), texts) for action, texts in step.not_now.items())
            if step.otherwise is not None:
                yield (*place, "otherwise"), step.otherwise
