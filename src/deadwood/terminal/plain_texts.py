"""What the plain mode asks and reads, here and at served tables."""

import re

from ..engine import rules
from ..engine.chance import OutcomeNeeded
from .wording import phrase

LOGGED = 10  # things that happened, if nobody says how many
Needed = OutcomeNeeded | rules.OutcomeNeed
_COUNT = re.compile(r"0*[1-9][0-9]{0,5}")
HELP_LOBBY = """Before the game:
  who               who is here, and who is ready
  ready, not ready  say that you are ready, or not after all
  bot BOT           the host adds a bot, as in 'bot regular'
  remove NAME       the host removes a bot or a person
  start             the host starts the game
  sit NAME          sit down; somebody else at this keyboard may do that, too"""
HELP_GAME = f"""Actions, when it is your turn; the beginning of a word is enough where it can mean one thing only:
  move PLACE, take ROLE, act, rehearse, upgrade RANK, end
Questions, at any time:
  who               every player
  where             where the active player is, and what is next door
  board             every place and its doorways
  roles             the roles there, and which ones may be taken
  odds              what acting would bring
  hint              what the strongest bot would do, and why
  table             every player, set and role
  log N             the last N things that happened; {LOGGED} if you give no number
  rules             the rules of the game
And the rest:
  say TEXT          talk to everybody at the table
  undo              take back your last action, if it involved no die or card
  enter OUTCOME     with real dice: what came up for a bot, as in 'enter 5'
  correct OUTCOME   with real dice: correct the last roll or card, until somebody acts
  again             after a game: play another one with the same people
  leave             give up your seat; in a running game for good, and a bot plays on
  quit              stop here; you keep your seat, and see how to come back"""


def is_count(text: str) -> bool:
    """Whether somebody typed a number of things."""
    return _COUNT.fullmatch(text) is not None


def outcome_question(needed: Needed) -> str:
    """What to ask for with real dice (R12.7)."""
    if needed.kind == "card":
        return phrase("plain.which_card")
    return phrase("plain.which_die") if needed.count == 1 else phrase("plain.which_dice", n=needed.count)


def joined_outcome(needed: Needed, outcome: str, answer: str) -> str:
    """The outcome so far with the answer added."""
    die = outcome.partition("/")[0].strip()
    return f"{die} / {answer}" if die and needed.kind == "dice" else answer
