"""People who leave, are away, or vote: the entries that their commands and the passing of time make. Pure."""

from collections.abc import Collection
from typing import assert_never

from ..protocol.commands import AbsenceCommand, HandOver, Leave, Resume, StandIn, TakeOver, Vote
from ..protocol.house import USUAL_GRACE
from ..protocol.refusals import refuse
from .attendance import HANDOVER_SECONDS, ChairHandover
from .deciding import Decision, Held, Moment, demand_host, demand_random, existing, own, running, somebody
from .log import CalledOff, Chair, HandedOver, HostPassed, Left, Paused, Resumed, Returned, StoodIn, TakenOver, Voted
from .log_space import is_endless
from .sitting import Sitting
from .table_state import hash_secret

Countdown = tuple[str, int, int]  # what for, the chair, and the entry since which it counts


# --- what people ask for


def decide_absence(sitting: Sitting, held: Held, command: AbsenceCommand, moment: Moment) -> Decision:
    """The entry that a command makes now; the caller holds these chairs."""
    match command:
        case Leave():
            return _leave(sitting, held, command)
        case StandIn():
            return _stand_in(sitting, held, command, moment)
        case HandOver():
            return _hand_over(sitting, held, command, moment)
        case TakeOver():
            return _take_over(sitting, command, moment)
        case Vote():
            return _vote(sitting, held, command)
        case Resume():
            return _resume(sitting, held)
        case _:
            assert_never(command)


def _leave(sitting: Sitting, held: Held, command: Leave) -> Decision:
    """Leaving a running game is for good: a stand-in plays on."""
    if sitting.status == "finished":
        raise refuse("table_not_waiting")
    chair = own(sitting, held, command.chair)
    if sitting.game is None:
        return Decision(chair.id, Left(chair.id))
    game, bot = sitting.game.copy(), sitting.house.stand_in
    game.leave(sitting.seat(chair.id), bot)
    return Decision(chair.id, Left(chair.id, stand_in=bot), game)


def _stand_in(sitting: Sitting, held: Held, command: StandIn, moment: Moment) -> Decision:
    host = demand_host(sitting, held)
    running(sitting)
    chair = _absent(sitting, command.chair, moment)
    if chair.id in sitting.attendance.away:
        raise refuse("stand_in_plays", player=chair.name)
    return Decision(host, StoodIn(chair.id, sitting.house.stand_in, "host"))


def _hand_over(sitting: Sitting, held: Held, command: HandOver, moment: Moment) -> Decision:
    demand_random(command.secret)
    chair = existing(sitting, command.chair)
    if chair.bot:
        raise refuse("chair_without_person", player=chair.name)
    by = chair.id
    if chair.id not in held:
        by = demand_host(sitting, held)
        _absent(sitting, chair.id, moment)
    return Decision(by, HandedOver(chair.id, hash_secret(command.secret)))


def _take_over(sitting: Sitting, command: TakeOver, moment: Moment) -> Decision:
    """A person who has come back keeps the chair, whatever the host meant to do with it."""
    chair, handover = handed_over(sitting, command.secret, moment.now)[0]
    if handover.by != chair:
        _absent(sitting, chair, moment)
    demand_random(command.token)
    token = hash_secret(command.token)
    if token in sitting.left_tokens:
        raise refuse("token_spent")
    if any(chair.token == token for chair in sitting.chairs):
        raise refuse("token_taken")
    return Decision(chair, TakenOver(chair, token))


def handed_over(sitting: Sitting, secret: str, now: float) -> list[tuple[int, ChairHandover]]:
    """The chairs that this secret hands over now; there may be several, which are taken over one by one."""
    digest = hash_secret(secret)
    found = [(chair, one) for chair, one in sitting.attendance.handovers.items() if one.secret == digest]
    if not found:
        raise refuse("handover_unknown")
    left = [(chair, one) for chair, one in found if not one.taken]
    if not left:
        raise refuse("handover_used")
    in_time = sorted((chair, one) for chair, one in left if now < one.until)
    if not in_time:
        raise refuse("handover_late", minutes=round(HANDOVER_SECONDS / 60))
    return in_time


def _absent(sitting: Sitting, id: int, moment: Moment) -> Chair:
    """The chair with this id, or a refusal if its holder is connected."""
    chair = existing(sitting, id)
    if not chair.token:
        raise refuse("chair_without_person", player=chair.name)
    if chair.id in moment.present:
        raise refuse("player_is_here", player=chair.name)
    return chair


def _vote(sitting: Sitting, held: Held, command: Vote) -> Decision:
    running(sitting)
    by = somebody(sitting, held)
    if command.to == "pause" and sitting.attendance.paused:
        raise refuse("table_paused")
    return Decision(by, Voted(tuple(sorted(held)), command.to, command.agrees))


def _resume(sitting: Sitting, held: Held) -> Decision:
    by = somebody(sitting, held)
    if not sitting.attendance.paused:
        raise refuse("table_not_paused")
    return Decision(by, Resumed())


# --- what becomes due


def countdowns(sitting: Sitting, present: Held) -> dict[Countdown, tuple[float, bool]]:
    """All countdowns: how many seconds each takes, and whether it is running now. Presence ends a countdown.

    At a table with days for a turn, nobody counts as gone after minutes. Otherwise somebody who looked in at night
    would become the host and could end the game for everybody.
    """
    if sitting.status == "finished" or _all_here(sitting, present):
        return {}
    patience = float(sitting.house.grace or USUAL_GRACE)
    gone_after = max(patience, sitting.house.clock or 0.0) if sitting.game else patience
    absent = [one.id for one in sitting.people if one.id not in present] if sitting.game else []
    found = {("gone", one, 0): (gone_after, True) for one in absent}
    if sitting.host is not None and sitting.host not in present:
        found["host", sitting.host, 0] = gone_after, _in_company(sitting, present, sitting.host)
    active = sitting.active
    if active and active.id not in present and _plays_alone(sitting) and sitting.house.stands_in_after is not None:
        passes = is_awaited(sitting, present, active) and not sitting.attendance.paused
        found["stand_in", active.id, sitting.turn_seq] = patience, passes
    return found


def timely(sitting: Sitting, present: Held, over: Collection[Countdown], seconds_left: float | None) -> Decision | None:
    """The entry due now without a command, given the countdowns that are over and the time left on the clock."""
    nothing_runs = not over and seconds_left is None
    if sitting.status == "finished" or (nothing_runs and _is_calm(sitting)):
        return None
    back = tuple(sorted(present.intersection(sitting.attendance.away)))
    if back:
        return Decision(0, Returned(back))
    if sitting.host is not None and ("host", sitting.host, 0) in over and not is_endless(sitting):
        others = sorted(present.intersection(chair.id for chair in sitting.people))
        if others:
            return Decision(0, HostPassed(others[0]))
    return _timely_in_game(sitting, present, over, seconds_left) if sitting.status == "running" else None


def _all_here(sitting: Sitting, present: Held) -> bool:
    """Whether nobody is missing. This is the usual case."""
    for chair in sitting.chairs:  # a loop, because every action asks
        if chair.token and chair.id not in present:
            return False
    return sitting.host is None or sitting.host in present


def _is_calm(sitting: Sitting) -> bool:
    """Whether nothing but a countdown or the clock can make something due."""
    return sitting.attendance.calm and not sitting.deserted and not is_endless(sitting)


def _timely_in_game(
    sitting: Sitting, present: Held, over: Collection[Countdown], seconds_left: float | None
) -> Decision | None:
    if _may_end(sitting, present, over):
        game = running(sitting).copy()
        game.call_off()
        return Decision(0, CalledOff(), game)
    if sitting.attendance.paused:
        return None
    here = present.intersection(chair.id for chair in sitting.people)
    if here and here <= sitting.attendance.pause:
        return Decision(0, Paused(seconds_left))
    active, bot = sitting.active, sitting.house.stand_in
    assert active is not None
    if not _plays_alone(sitting):
        return None
    if ("stand_in", active.id, sitting.turn_seq) in over:
        return Decision(0, StoodIn(active.id, bot, "away"))
    if seconds_left is not None and seconds_left <= 0:
        return Decision(0, StoodIn(active.id, bot, "time"))
    return None


def _may_end(sitting: Sitting, present: Held, over: Collection[Countdown]) -> bool:
    """Whether everybody who counts agrees to end the game: those present, and those away for a short time."""
    if is_endless(sitting):
        return True
    if sitting.deserted and sitting.options.dice == "table":
        return True  # nobody is left who could roll for the bots
    counting = {one.id for one in sitting.people if ("gone", one.id, 0) not in over}
    agreed = sitting.attendance.end
    return bool(agreed & present) and counting <= agreed


def _plays_alone(sitting: Sitting) -> bool:
    """Whether the holder of the active chair decides, not a bot of the server."""
    return sitting.active is not None and sitting.bot_turn is None


def _in_company(sitting: Sitting, present: Held, chair: int) -> bool:
    """Whether people other than the holder of this chair are present."""
    return any(other.id in present for other in sitting.people if other.id != chair)


def is_awaited(sitting: Sitting, present: Held, active: Chair) -> bool:
    """Whether somebody waits for the active player. Remote bots wait for each other, but never hurry a person."""
    others = sitting.holders if active.remote else sitting.people
    return any(other.id in present for other in others if other.id != active.id)
