"""Lessons as clients see them. Nothing is stored: the client says which step it is at."""

from functools import lru_cache
from itertools import pairwise

from msgspec.structs import replace

from ..engine.game import Game
from ..engine.notation import format_action, parse_action
from ..engine.refusal import Refusal, shortened
from ..engine.scoring import leaders, scores
from ..engine.state import State
from ..lessons import LESSONS, Lesson, built_in_lesson
from ..lessons.lesson import PlayedStep, Stop
from ..narration import narrate, translated_event
from .protocol.house import HouseRules
from .protocol.lessons import LessonAnswer, LessonList, LessonSummary, LessonView, NotNow
from .protocol.messages import Update
from .protocol.refusals import refuse
from .protocol.views import ChairView, Position, TableView
from .tables.catalogue import board_label, deck_label
from .tables.views import offers, reasons


def find_lesson(name: str) -> Lesson:
    """A lesson by its name, or a refusal that lists all names."""
    if name not in LESSONS:
        raise refuse("lesson_unknown", lesson=shortened(name), choices=LESSONS)
    return built_in_lesson(name)


def lesson_list(language: str) -> LessonList:
    """All lessons."""
    return LessonList(tuple(_summary(built_in_lesson(name), language) for name in LESSONS))


def _summary(lesson: Lesson, language: str) -> LessonSummary:
    script = lesson.script
    return LessonSummary(
        name=lesson.name,
        title=script.title[language],
        description=script.description[language],
        steps=lesson.steps,
        seconds=script.seconds,
    )


def answer(lesson: Lesson, step: int, action: str, language: str) -> LessonAnswer:
    """The next step, or why the lesson does not go on with this action."""
    objection = lesson.objection(step, parse_action(action))
    if objection is None:
        return lesson_view(lesson.name, step + 1, language)
    if isinstance(objection, Refusal):
        return NotNow(sentence=narrate(objection, language), rule=objection.rule)
    return NotNow(sentence=objection[language], rule=None)


@lru_cache(maxsize=256)  # all steps of all lessons in all languages; everybody takes the same ones
def lesson_view(name: str, step: int, language: str) -> LessonView:
    """A lesson at one of its steps."""
    lesson = built_in_lesson(name)
    script, stop = lesson.script, lesson.stops[step]
    coaching = stop.coaching
    return LessonView(
        name=name,
        title=script.title[language],
        step=step,
        steps=lesson.steps,
        chair=_chair(lesson.seat),
        table=_table(lesson, stop, language),
        happened=tuple(_update(played, language) for played in stop.played),
        caption=(coaching.caption if coaching else script.closing)[language],
        highlights=coaching.highlights if coaching else (),
        learned=() if coaching else tuple(texts[language] for texts in script.learned),
        next=None if coaching else _following(name),
    )


def _following(name: str) -> str | None:
    return dict(pairwise(LESSONS)).get(name)


def _chair(seat: int) -> int:
    """Chairs at a table count from 1, in the order of the seats."""
    return seat + 1


def _table(lesson: Lesson, stop: Stop, language: str) -> TableView:
    """The prepared table: nobody can come or go there, and its dice are in the script."""
    state, table = stop.state, stop.state.table
    return TableView(
        code=lesson.name,
        link="",
        public=False,
        status="finished" if state.over else "running",
        seq=stop.number,
        game=1,
        options=table.options,
        house=HouseRules(grace=None, talk=False),
        layout=table.options.layout,
        deck=deck_label(table.deck),
        board=board_label(table.board),
        drawn=(),
        host=None,
        chairs=_chairs(lesson.game),
        commitment="",
        position=replace(_position(state), offers=offers(state), reasons=reasons(state, language)),
        standings=lesson.game.standings() if state.over else (),
    )


def _chairs(game: Game) -> tuple[ChairView, ...]:
    return tuple(
        ChairView(_chair(number), name, seat.colour, seat.bot, True)
        for number, (name, seat) in enumerate(zip(game.state.table.names, game.seats, strict=True))
    )


def _update(played: PlayedStep, language: str) -> Update:
    step = played.step
    return Update(
        seq=played.number,
        kind="played",
        chair=_chair(step.seat),
        action=format_action(step.action),
        events=tuple(translated_event(event, language) for event in step.events),
        sentences=tuple(narrate(event, language) for event in step.events),
        position=_position(played.after),
    )


def _position(state: State) -> Position:
    return Position(state=state.snapshot(), scores=scores(state), leaders=leaders(state), wraps_left=state.wraps_left)
