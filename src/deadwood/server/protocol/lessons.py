"""What a learner sends and receives. A lesson looks like a table, so a client can show it as one."""

from typing import Annotated

from msgspec import Meta, Struct

from ...lessons.script import MOST_STEPS
from .commands import Short
from .messages import Update
from .views import TableView


class LessonChoice(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What the learner would do at a step, in notation."""

    step: Annotated[int, Meta(ge=0, le=MOST_STEPS)]
    action: Short


class LessonSummary(Struct, frozen=True, kw_only=True):
    """A lesson in a list: how many decisions it has, and about how long it takes."""

    name: str
    title: str
    description: str
    steps: int
    seconds: int


class LessonList(Struct, frozen=True):
    """All lessons, in the order of learning."""

    lessons: tuple[LessonSummary, ...]


class LessonView(Struct, frozen=True, kw_only=True, tag_field="type", tag="lesson"):
    """A lesson at one of its steps, which count from 0; the step after the last one is its end.

    `happened` is everything since the step before: the learner's own action, and what the others played. `caption` is
    what the director says, and `highlights` what the director points at: `area ranch`, `role ranch star 1`, `odds`,
    `log`, `prices`, `players`, `end`. At the end there is a list of what was `learned`, and perhaps the `next` lesson.
    """

    name: str
    title: str
    step: int
    steps: int
    chair: int  # the learner's
    table: TableView
    happened: tuple[Update, ...]
    caption: str
    highlights: tuple[str, ...]
    learned: tuple[str, ...]
    next: str | None


class NotNow(Struct, frozen=True, kw_only=True, tag_field="type", tag="not_now"):
    """The lesson stays where it is: a `rule` forbids the action, or it is legal but has to wait."""

    sentence: str
    rule: str | None


LessonAnswer = LessonView | NotNow
