"""What a command does to a table: the entry it makes, or a refusal. Pure, so nothing has happened yet."""

from collections.abc import Callable, Iterable
from typing import assert_never

import msgspec
from msgspec import Struct
from msgspec.structs import asdict, replace

from ... import bots
from ...engine.actions import Action
from ...engine.board import Board, built_in_board
from ...engine.game import Game
from ...engine.layout import parse_layout
from ...engine.notation import format_action, format_outcome
from ...engine.options import PLAYERS, Options
from ...engine.refusal import Refusal, SetupError, shortened
from ...engine.seats import COLOURS, Seat, check_name, check_seats, find_name
from ...engine.table import choose_deck
from ...narration import all_titles
from ..protocol.commands import (
    AddBot,
    Agree,
    ChangeCommand,
    Choose,
    Correct,
    FileCommand,
    Leave,
    NewBot,
    NewPerson,
    NewTable,
    Play,
    Ready,
    Rematch,
    Remove,
    Sit,
    Start,
    Undo,
    UseBoard,
    UseDeck,
)
from ..protocol.decoding import invalid
from ..protocol.messages import PendingOutcome
from ..protocol.refusals import Stale, refuse
from .log import (
    Agreed,
    BoardSwapped,
    Body,
    Chair,
    Chosen,
    Corrected,
    DeckSwapped,
    Left,
    Opened,
    Played,
    Readied,
    Sat,
    Started,
    Undone,
)
from .sitting import Sitting, hash_token

Held = frozenset[int]
RandomBytes = Callable[[int], bytes]
_LEAST_KINDS_OF_DIGITS = 8  # 64 random hexadecimal digits have fewer kinds once in 10^17 tokens
_STANDARD = Options().layout  # every board has a layout of this name
_MOST_SWAPS = 50  # of decks and boards before a game: the log keeps them all
_MOST_LEFT = 64  # given-up tokens that a rematch remembers, so that a log stays small


class Decision(Struct, frozen=True):
    """The entry to store, the chair behind it, and the game after it."""

    by: int
    body: Body
    game: Game | None = None


def decide(
    sitting: Sitting,
    held: Held,
    command: ChangeCommand | FileCommand,
    random_bytes: RandomBytes,
    pending: PendingOutcome | None = None,
) -> Decision:
    """The entry that a command makes now, sent by somebody who holds these chairs."""
    match command:
        case Play() | Undo() | Correct():
            return _decide_in_game(sitting, held, command, pending)
        case Sit():
            return _sit(sitting, command)
        case Leave():
            _demand_waiting(sitting)
            return Decision(_own(sitting, held, command.chair).id, Left(command.chair))
        case Remove():
            return _remove(sitting, held, command)
        case AddBot():
            host = _host(sitting, held)
            _demand_free_chair(sitting)
            bot = NewBot(bot=command.bot, name=command.name, colour=command.colour)
            return Decision(host, Sat(_bot(bot, sitting.chairs, sitting.next_chair)))
        case Choose():
            return _choose(sitting, held, command)
        case UseDeck() | UseBoard():
            return _swap(sitting, held, command)
        case Ready():
            _demand_waiting(sitting)
            return Decision(_own(sitting, held, command.chair).id, Readied(command.chair, command.salt))
        case Start():
            return _start(sitting, held)
        case Rematch():
            return _rematch(sitting, held, random_bytes)
        case Agree():
            _demand_finished(sitting)
            return Decision(_own(sitting, held, command.chair).id, Agreed(command.chair, command.salt))
        case _:
            assert_never(command)


def _decide_in_game(
    sitting: Sitting, held: Held, command: Play | Undo | Correct, pending: PendingOutcome | None
) -> Decision:
    match command:
        case Play():
            return _play(sitting, held, command, pending)
        case Undo():
            return _undo(sitting, held, command.seq)
        case Correct():
            return _correct(sitting, held, command)


def open_table(new: NewTable, random_bytes: RandomBytes) -> Opened:
    """The first entry of a table."""
    chairs: tuple[Chair, ...] = ()
    for id, one in enumerate(new.chairs, 1):
        chair = _person(one, chairs, id) if isinstance(one, NewPerson) else _bot(one, chairs, id)
        chairs = (*chairs, chair)
    return Opened(
        game=1,
        public=new.public,
        options=_checked(new.options, chairs, None),
        seed=random_bytes(32).hex(),
        host=next((chair.id for chair in chairs if chair.token), None),
        chairs=chairs,
        next_chair=len(chairs) + 1,
    )


def start_at_once(sitting: Sitting) -> Decision:
    """Start a new table's game without waiting for anybody."""
    _demand_ready(sitting)
    return Decision(sitting.host or 0, Started(), sitting.new_game())


def play_action(sitting: Sitting, by: int, action: Action | str, outcome: str | None = None) -> Decision:
    """The entry that an action of the active player makes."""
    game = _running(sitting).copy()
    if outcome is not None:
        outcome = game.read_outcome(action, outcome, all_titles())
    events = game.play(action, outcome)
    step = game.last_step
    assert step is not None
    return Decision(by, Played(format_action(step.action), format_outcome(events)), game)


def demand_next(sitting: Sitting, seq: int) -> None:
    """Refuse a command that was sent for another entry than the next."""
    if seq != sitting.seq + 1:
        raise Stale(Refusal("", "stale", {"expected": sitting.seq + 1, "seq": seq}))


def demand_setting_up(sitting: Sitting, held: Held) -> int:
    """The host's chair, if the game has not started and the caller is the host."""
    _demand_waiting(sitting)
    return _host(sitting, held)


def _checked(options: Options, chairs: Iterable[Chair], board: Board | None) -> Options:
    """The options, or a SetupError. The engine would refuse them when the game starts, but that is late."""
    names = tuple(chair.name for chair in chairs)
    choose_deck(options, None)
    _check_layout(options, board)
    if "first" not in options.drawn and find_name(options.first, names) is None:
        raise SetupError(Refusal("R12.3", "first_unknown", {"name": shortened(options.first), "choices": names}))
    return options


def _check_layout(options: Options, board: Board | None) -> None:
    if "layout" not in options.drawn:
        parse_layout(options.layout, board or built_in_board())


def _person(new: NewPerson, others: tuple[Chair, ...], id: int) -> Chair:
    if len(set(new.token)) < _LEAST_KINDS_OF_DIGITS:
        raise refuse("token_weak")
    digest = hash_token(new.token)
    if any(chair.token == digest for chair in others):
        raise refuse("token_taken")
    name = check_name(new.name, [chair.name for chair in others])
    return Chair(id, name, _colour(new.colour, None, others), token=digest, salt=new.salt)


def _bot(new: NewBot, others: tuple[Chair, ...], id: int) -> Chair:
    if new.bot not in bots.names():
        raise refuse("bot_unknown", bot=shortened(new.bot), choices=bots.names())
    names = [chair.name for chair in others]
    name = _free_name(new.bot, names) if new.name is None else new.name
    return Chair(id, check_name(name, names), _colour(new.colour, new.bot, others), bot=new.bot)


def _free_name(bot: str, names: list[str]) -> str:
    return next(name for name in bots.stage_names(bot) if find_name(name, names) is None)


def _colour(wanted: str | None, bot: str | None, others: tuple[Chair, ...]) -> str:
    taken = [chair.colour for chair in others]
    colour = next(one for one in COLOURS if one not in taken) if wanted is None else wanted.strip().casefold()
    check_seats((*(Seat(one) for one in taken), Seat(shortened(colour), bot)), len(taken) + 1)
    return colour


def _demand_waiting(sitting: Sitting) -> None:
    if sitting.status != "waiting":
        raise refuse("table_not_waiting")


def _demand_free_chair(sitting: Sitting) -> None:
    _demand_waiting(sitting)
    if len(sitting.chairs) == PLAYERS[-1]:
        raise refuse("table_full", most=PLAYERS[-1])


def _demand_ready(sitting: Sitting) -> None:
    missing = [chair.name for chair in sitting.chairs if chair.token and not chair.salt]
    if missing:
        raise refuse("not_ready", players=missing)


def _own(sitting: Sitting, held: Held, id: int) -> Chair:
    chair = sitting.chair(id)
    if chair is None:
        raise refuse("chair_unknown", chair=id)
    if id not in held:
        raise refuse("not_your_chair", player=chair.name)
    return chair


def _host(sitting: Sitting, held: Held) -> int:
    if sitting.host is None or sitting.host not in held:
        raise refuse("not_the_host")
    return sitting.host


def _sit(sitting: Sitting, command: Sit) -> Decision:
    if hash_token(command.token) in sitting.left_tokens:
        raise refuse("token_spent")
    _demand_free_chair(sitting)
    person = NewPerson(name=command.name, token=command.token, colour=command.colour)
    chair = _person(person, sitting.chairs, sitting.next_chair)
    return Decision(chair.id, Sat(chair))


def _remove(sitting: Sitting, held: Held, command: Remove) -> Decision:
    host = demand_setting_up(sitting, held)
    if sitting.chair(command.chair) is None:
        raise refuse("chair_unknown", chair=command.chair)
    if command.chair == host:
        raise refuse("host_stays")
    return Decision(host, Left(command.chair, removed=True))


def _choose(sitting: Sitting, held: Held, command: Choose) -> Decision:
    """Only what the command names changes, so that two quick changes never undo each other."""
    host = demand_setting_up(sitting, held)
    if "deck" in command.options and sitting.own_deck is not None:
        raise refuse("deck_is_own", deck=sitting.own_deck.name)
    changed = {"type": "chosen", "options": {**asdict(sitting.options), **command.options}}  # errors name this place
    try:
        chosen = msgspec.convert(changed, Chosen)
    except msgspec.ValidationError as error:
        raise invalid(error) from error
    _checked(chosen.options, sitting.chairs, sitting.own_board)
    return Decision(host, chosen)


def _swap(sitting: Sitting, held: Held, command: FileCommand) -> Decision:
    """A layout that another board does not have gives way to its standard one."""
    host, layout = demand_setting_up(sitting, held), sitting.options.layout
    if sitting.swaps >= _MOST_SWAPS:
        raise refuse("files_swapped_too_often", most=_MOST_SWAPS)
    if isinstance(command, UseDeck):
        return Decision(host, DeckSwapped(command.deck))
    try:
        _check_layout(sitting.options, command.board)
    except SetupError:
        layout = _STANDARD
    return Decision(host, BoardSwapped(command.board, layout))


def _start(sitting: Sitting, held: Held) -> Decision:
    host = demand_setting_up(sitting, held)
    _demand_ready(sitting)
    return Decision(host, Started(), sitting.new_game())


def _demand_finished(sitting: Sitting) -> None:
    if sitting.status != "finished":
        raise refuse("table_not_finished")


def _rematch(sitting: Sitting, held: Held, random_bytes: RandomBytes) -> Decision:
    _demand_finished(sitting)
    by = min((chair.id for chair in sitting.chairs if chair.id in held), default=None)
    if by is None:
        raise refuse("token_unknown")
    return Decision(by, _opened_again(sitting, random_bytes))


def _opened_again(sitting: Sitting, random_bytes: RandomBytes) -> Opened:
    """Another game with everybody; those who agreed to one already are ready for it."""
    return replace(
        sitting.opened,
        game=sitting.opened.game + 1,
        options=sitting.options,
        seed=random_bytes(32).hex(),
        host=sitting.host,
        chairs=tuple(replace(chair, salt=sitting.agreed.get(chair.id)) for chair in sitting.chairs),
        next_chair=sitting.next_chair,
        left=dict(list(sitting.left_tokens.items())[-_MOST_LEFT:]),
        deck=sitting.own_deck,
        board=sitting.own_board,
        started=False,
    )


def play_again(sitting: Sitting, random_bytes: RandomBytes) -> Decision:
    """Start another game with the bots and all who agreed; the others give up their chairs."""
    _demand_finished(sitting)
    again = _opened_again(sitting, random_bytes)
    stay = tuple(chair for chair in again.chairs if chair.bot or chair.salt)
    gone = {chair.token: chair.id for chair in again.chairs if chair not in stay and chair.token}
    people = [chair.id for chair in stay if chair.token]
    host = again.host if again.host in people else min(people, default=None)
    left = dict(list({**again.left, **gone}.items())[-_MOST_LEFT:])
    options = again.options
    if "first" not in options.drawn and find_name(options.first, [chair.name for chair in stay]) is None:
        options = replace(options, first=Options().first)
    return Decision(host or 0, replace(again, chairs=stay, host=host, left=left, options=options, started=True))


def _running(sitting: Sitting) -> Game:
    if sitting.game is None or sitting.game.over:
        raise refuse("table_not_running")
    return sitting.game


def _play(sitting: Sitting, held: Held, command: Play, pending: PendingOutcome | None) -> Decision:
    demand_next(sitting, command.seq)
    _running(sitting)
    active = sitting.active
    assert active is not None
    if active.id not in held:
        _demand_outcome(active, held, command, pending)
    by = active.id if active.id in held else min(held)
    return play_action(sitting, by, command.action, command.outcome)


def _demand_outcome(active: Chair, held: Held, command: Play, pending: PendingOutcome | None) -> None:
    """People may not act for a bot, but at a table with real dice they enter what came up for it."""
    if not held or pending is None or pending.chair != active.id:
        raise refuse("not_your_turn", player=active.name)
    if command.action.partition("=")[0].strip() != pending.action:
        raise refuse("outcome_of_other", action=pending.action)


def _undo(sitting: Sitting, held: Held, seq: int) -> Decision:
    demand_next(sitting, seq)
    game = _running(sitting).copy()
    actor = sitting.last_actor
    if actor is not None and actor.id not in held:
        raise refuse("undo_not_yours", player=actor.name)
    game.undo()
    assert actor is not None  # otherwise there was nothing to undo
    return Decision(actor.id, Undone(), game)


def _correct(sitting: Sitting, held: Held, command: Correct) -> Decision:
    """Even a finished game may be corrected, and then go on: its last die may have been mistyped."""
    demand_next(sitting, command.seq)
    if sitting.game is None:
        raise refuse("table_not_running")
    game = sitting.game.copy()
    game.last_outcome()
    by = _corrector(sitting, held)
    events = game.correct(game.read_correction(command.outcome, all_titles()))
    return Decision(by, Corrected(format_outcome(events)), game)


def _corrector(sitting: Sitting, held: Held) -> int:
    correctors = sitting.correctors
    by = next((chair.id for chair in correctors if chair.id in held), None)
    if by is None:
        raise refuse("correct_not_yours", players=[chair.name for chair in correctors])
    return by
