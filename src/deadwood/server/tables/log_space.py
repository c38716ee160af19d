"""How long the log of a table may become. Waking a table means reading its sitting, so a long one delays everybody.

The limits never keep people from playing: a lobby can always start its game, and a running game can be played to its
end.
"""

from ..protocol.refusals import refuse
from .deciding import Decision
from .log import Agreed, Body, CalledOff, Left, Opened, Played, Readied, Resumed, Started, TakenOver
from .sitting import Sitting

MOST_BEFORE = 1_000  # entries before a game
MOST_BESIDE = 300  # entries of a chair besides its actions, since the game began: undos, votes and the like
MOST_IN_A_SITTING = 20_000  # entries; then the game is called off. People and bots need fewer than 2,000
MOST_AT_A_TABLE = 200_000  # entries, after which there is no further game

# There are never many of these: each needs something limited, such as an action, a chair, a link or a vote.
_ALWAYS = frozenset({Started, Played, Left, TakenOver, Resumed, CalledOff})


def demand_space(sitting: Sitting, decision: Decision) -> None:
    """Refuse an entry for which the log has no space."""
    body = decision.body
    if type(body) in _ALWAYS:
        return
    if isinstance(body, Opened | Agreed) and sitting.seq >= MOST_AT_A_TABLE:
        raise refuse("table_worn_out")
    if isinstance(body, Opened) or _is_consent(sitting, body):
        return
    if sitting.status == "waiting":
        if sitting.seq - sitting.first_seq >= MOST_BEFORE:
            raise refuse("changed_too_often", most=MOST_BEFORE)
    elif sitting.beside.get(decision.by, 0) >= MOST_BESIDE:
        raise refuse("only_playing_left", most=MOST_BESIDE)


def is_endless(sitting: Sitting) -> bool:
    """Whether a sitting is far too long: a game that nobody means to end, or a lobby that never becomes a game."""
    most = 2 * MOST_BEFORE if sitting.status == "waiting" else MOST_IN_A_SITTING
    return sitting.seq - sitting.first_seq >= most


def _is_consent(sitting: Sitting, body: Body) -> bool:
    """Whether somebody becomes ready, or wants another game. Taking that back is refused, so it happens once."""
    match body:
        case Readied(id, str()):
            chair = sitting.chair(id)
            return chair is not None and chair.salt is None
        case Agreed(id, str()):
            return id not in sitting.agreed
        case _:
            return False
