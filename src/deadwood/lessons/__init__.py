"""Lessons: prepared games, the same for everybody, in which a director coaches the learner.

A lesson is a file in `data`: a record, and what the director says before each decision of the learner. The engine
replays the record and says what is legal; nothing here knows a rule.
"""

from functools import cache

from .lesson import DATA, Lesson, load_lesson

__all__ = ["LESSONS", "Lesson", "built_in_lesson", "load_lesson"]

LESSONS = ("first-scene", "rehearse-or-act", "ranks")  # in the order of learning


@cache
def built_in_lesson(name: str) -> Lesson:
    """One of the LESSONS, loaded and checked once."""
    return load_lesson(DATA / f"{name}.toml")
