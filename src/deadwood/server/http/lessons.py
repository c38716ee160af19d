"""Lessons: they need no table, and nothing is stored."""

from starlette.requests import Request

from ...lessons import Lesson
from ..lessons import answer, find_lesson, lesson_list, lesson_view
from ..protocol.lessons import LessonAnswer, LessonList, LessonView
from . import requests


async def list_lessons(request: Request) -> LessonList:
    """All lessons, in the order of learning."""
    return lesson_list(requests.language(request))


async def show_lesson(request: Request) -> LessonView:
    """A lesson at one of its steps."""
    language, lesson = requests.language(request), _lesson(request)
    return lesson_view(lesson.name, requests.whole(request, "step", 0, lesson.steps, 0), language)


async def take_step(request: Request) -> LessonAnswer:
    """Try an action at a step; answers with the next step, or why the lesson does not go on."""
    language, lesson = requests.language(request), _lesson(request)
    choice = await requests.lesson_choice(request, lesson.steps)
    return answer(lesson, choice.step, choice.action, language)


def _lesson(request: Request) -> Lesson:
    return find_lesson(request.path_params["name"])
