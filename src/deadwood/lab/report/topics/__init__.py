"""The topics of a report; each module has a function `sections`."""

from . import dice, earning, habits, openings, progress, roles, winning

TOPICS = (winning, earning, roles, openings, progress, habits)  # need finished games
RESULTS_ONLY = (winning,)  # for vector runs, which keep only results
ALWAYS = (dice,)  # include games that were cut off
