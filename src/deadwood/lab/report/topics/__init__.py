"""What a report asks, topic by topic; each module has a function `sections`."""

from . import dice, earning, habits, openings, progress, roles, winning

TOPICS = (winning, earning, roles, openings, progress, habits)  # of finished games
RESULTS_ALONE = (winning,)  # of games of which nothing else was kept
ALWAYS = (dice,)  # of the others too
