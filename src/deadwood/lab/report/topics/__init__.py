"""The topics of a report; each module has a function `sections`."""

from . import dice, earning, first_turns, habits, openings, progress, roles, winning

TOPICS = (winning, earning, roles, openings, first_turns, progress, habits)  # need finished games
RESULTS_ONLY = (winning, first_turns)  # for vector runs, which keep only results: no jobs
ALWAYS = (dice,)  # include games that were cut off
