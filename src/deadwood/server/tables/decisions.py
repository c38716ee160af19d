"""What becomes of a command: the entry that it makes, or a refusal. Pure, so nothing has happened yet."""

from collections.abc import Callable, Iterable
from typing import assert_never

from msgspec import Struct
from msgspec.structs import replace

from ...bots import names as bot_levels
from ...engine.board import built_in_board
from ...engine.game import Game
from ...engine.layout import parse_layout
from ...engine.notation import format_action, format_outcome
from ...engine.options import PLAYERS, Options
from ...engine.refusal import DeadwoodError, Refusal, SetupError, shortened
from ...engine.seats import COLOURS, Seat, check_name, check_seats, find_name
from ...engine.table import choose_deck
from ..protocol.commands import (
    AddBot,
    Change,
    Choose,
    Leave,
    Move,
    NewBot,
    NewTable,
    Ready,
    Rematch,
    Remove,
    Sit,
    Start,
    Undo,
)
from ..protocol.messages import Pending
from ..protocol.refusals import Stale, refuse
from .log import Body, Chair, Chosen, Left, Opened, Played, Readied, Sat, Started, Undone
from .sitting import Sitting, hash_token

Held = frozenset[int]
RandomBytes = Callable[[int], bytes]
_LEAST_KINDS_OF_DIGITS = 8  # fewer than that in 64 random hexadecimal digits: once in 10^17 tokens
_MOST_LEFT = 64  # spent tokens that a rematch remembers; nobody needs more, and a log must not swell


class Decision(Struct, frozen=True):
    """The entry to keep, who wanted it, and the game after it."""

    by: int
    body: Body
    game: Game | None = None


def decide(
    sitting: Sitting, held: Held, command: Change, random_bytes: RandomBytes, pending: Pending | None = None
) -> Decision:
    """The entry that a command by the holder of these seats makes now."""
    match command:
        case Move():
            return _move(sitting, held, command, pending)
        case Undo():
            return _undo(sitting, held, command.seq)
        case Sit():
            return _sit(sitting, command)
        case Leave():
            _demand_waiting(sitting)
            return Decision(_own(sitting, held, command.seat).id, Left(command.seat))
        case Remove():
            return _remove(sitting, held, command)
        case AddBot():
            host = _host(sitting, held)
            _demand_free_seat(sitting)
            chair = new_bot(NewBot(level=command.level, name=command.name, colour=command.colour), sitting.chairs)
            return Decision(host, Sat(replace(chair, id=sitting.next_chair)))
        case Choose():
            _demand_waiting(sitting)
            return Decision(_host(sitting, held), Chosen(check_options(command.options, sitting.chairs)))
        case Ready():
            _demand_waiting(sitting)
            return Decision(_own(sitting, held, command.seat).id, Readied(command.seat, command.salt))
        case Start():
            return _start(sitting, held)
        case Rematch():
            return _rematch(sitting, held, random_bytes)
        case _:
            assert_never(command)


def open_table(new: NewTable, random_bytes: RandomBytes) -> Opened:
    """The first entry of a table."""
    chairs: tuple[Chair, ...] = ()
    if new.host is not None:
        chairs = (_person(new.host.name, new.host.colour, new.host.token, ()),)
    elif len(new.bots) not in PLAYERS:
        raise refuse("bots_alone", least=PLAYERS[0], most=PLAYERS[-1])
    for bot in new.bots:
        if len(chairs) == PLAYERS[-1]:
            raise refuse("bots_too_many", count=len(new.bots) + 1, most=PLAYERS[-1])
        chairs = (*chairs, replace(new_bot(bot, chairs), id=len(chairs) + 1))
    return Opened(
        game=1,
        public=new.public,
        options=check_options(new.options, chairs),
        seed=random_bytes(32).hex(),
        host=1 if new.host else None,
        chairs=chairs,
        next_chair=len(chairs) + 1,
    )


def check_options(options: Options, chairs: Iterable[Chair]) -> Options:
    """The options, or a SetupError; the engine would say the same at the start, but that is late."""
    names = tuple(chair.name for chair in chairs)
    choose_deck(options, None)
    if "layout" not in options.drawn:
        parse_layout(options.layout, built_in_board())
    if "first" not in options.drawn and find_name(options.first, names) is None:
        raise SetupError(Refusal("R12.3", "first_unknown", {"name": shortened(options.first), "choices": names}))
    return options


def _person(name: str, colour: str | None, token: str, others: tuple[Chair, ...]) -> Chair:
    if len(set(token)) < _LEAST_KINDS_OF_DIGITS:
        raise refuse("token_weak")
    kept = check_name(name, [chair.name for chair in others])
    return Chair(1, kept, _colour(colour, None, others), token=hash_token(token))


def new_bot(new: NewBot, others: tuple[Chair, ...]) -> Chair:
    """A bot beside the others; named after its level unless it is given a name."""
    if new.level not in bot_levels():
        raise refuse("bot_unknown", level=shortened(new.level), choices=bot_levels())
    names = [chair.name for chair in others]
    name = _free_name(new.level.capitalize(), names) if new.name is None else new.name
    return Chair(1, check_name(name, names), _colour(new.colour, new.level, others), bot=new.level)


def _free_name(wanted: str, names: list[str]) -> str:
    numbered = (wanted if number == 1 else f"{wanted} {number}" for number in range(1, len(names) + 2))
    return next(name for name in numbered if find_name(name, names) is None)


def _colour(wanted: str | None, bot: str | None, others: tuple[Chair, ...]) -> str:
    taken = [chair.colour for chair in others]
    colour = next(one for one in COLOURS if one not in taken) if wanted is None else wanted.strip().casefold()
    check_seats((*(Seat(one) for one in taken), Seat(shortened(colour), bot)), len(taken) + 1)
    return colour


def _demand_waiting(sitting: Sitting) -> None:
    if sitting.status != "waiting":
        raise refuse("table_not_waiting")


def _demand_free_seat(sitting: Sitting) -> None:
    _demand_waiting(sitting)
    if len(sitting.chairs) == PLAYERS[-1]:
        raise refuse("table_full", most=PLAYERS[-1])


def _own(sitting: Sitting, held: Held, seat: int) -> Chair:
    chair = sitting.chair(seat)
    if chair is None:
        raise refuse("seat_unknown", seat=seat)
    if seat not in held:
        raise refuse("not_your_seat", seat=seat)
    return chair


def _host(sitting: Sitting, held: Held) -> int:
    if sitting.host is None or sitting.host not in held:
        raise refuse("not_the_host")
    return sitting.host


def _sit(sitting: Sitting, command: Sit) -> Decision:
    if hash_token(command.token) in sitting.left_tokens:
        raise refuse("token_spent")
    _demand_free_seat(sitting)
    chair = _person(command.name, command.colour, command.token, sitting.chairs)
    return Decision(sitting.next_chair, Sat(replace(chair, id=sitting.next_chair)))


def _remove(sitting: Sitting, held: Held, command: Remove) -> Decision:
    _demand_waiting(sitting)
    host = _host(sitting, held)
    if sitting.chair(command.seat) is None:
        raise refuse("seat_unknown", seat=command.seat)
    if command.seat == host:
        raise refuse("host_stays")
    return Decision(host, Left(command.seat, kicked=True))


def _start(sitting: Sitting, held: Held) -> Decision:
    _demand_waiting(sitting)
    host = _host(sitting, held)
    missing = [chair.name for chair in sitting.chairs if chair.token and not chair.salt]
    if missing:
        raise refuse("not_ready", players=missing)
    return Decision(host, Started(), sitting.new_game())


def _rematch(sitting: Sitting, held: Held, random_bytes: RandomBytes) -> Decision:
    if sitting.status != "finished":
        raise refuse("table_not_finished")
    by = min((chair.id for chair in sitting.chairs if chair.id in held), default=None)
    if by is None:
        raise refuse("token_unknown")
    again = replace(
        sitting.opened,
        game=sitting.opened.game + 1,
        options=sitting.options,
        seed=random_bytes(32).hex(),
        host=sitting.host,
        chairs=tuple(replace(chair, salt=None) for chair in sitting.chairs),
        next_chair=sitting.next_chair,
        left=dict(list(sitting.left_tokens.items())[-_MOST_LEFT:]),
    )
    return Decision(by, again)


def _running(sitting: Sitting, seq: int) -> Game:
    if seq != sitting.seq + 1:
        raise Stale(Refusal("", "stale", {"expected": sitting.seq + 1, "seq": seq}))
    if sitting.game is None or sitting.game.over:
        raise refuse("table_not_running")
    return sitting.game.copy()


def _move(sitting: Sitting, held: Held, command: Move, pending: Pending | None) -> Decision:
    trial = _running(sitting, command.seq)
    active = sitting.active
    assert active is not None
    if active.id not in held:
        _demand_outcome(active, held, command, pending)
    by = active.id if active.id in held else min(held)
    events = trial.play(command.action, command.outcome)
    step = trial.steps[-1]
    return Decision(by, Played(format_action(step.action), format_outcome(events)), trial)


def _demand_outcome(active: Chair, held: Held, command: Move, pending: Pending | None) -> None:
    """People may not act for a bot, but at a table with real dice they tell what came up for it."""
    if not held or pending is None or pending.seat != active.id:
        raise refuse("not_your_turn", player=active.name)
    if command.action.partition("=")[0].strip() != pending.action:
        raise refuse("outcome_of_other", action=pending.action)


def undo_refusal(sitting: Sitting, held: Held) -> DeadwoodError | None:
    """Why somebody cannot take back the last action."""
    try:
        _undo(sitting, held, sitting.seq + 1)
    except DeadwoodError as error:
        return error
    return None


def _undo(sitting: Sitting, held: Held, seq: int) -> Decision:
    trial = _running(sitting, seq)
    actor = sitting.chairs[trial.steps[-1].seat] if trial.steps else None
    if actor is not None and actor.id not in held:
        raise refuse("undo_not_yours", player=actor.name)
    trial.undo()
    assert actor is not None  # or there would have been nothing to take back
    return Decision(actor.id, Undone(), trial)
