"""What a command does to a table before its game: the entry it makes, or a refusal. Pure."""

from collections.abc import Callable, Iterable
from typing import assert_never

import msgspec
from msgspec.structs import asdict, replace

from ... import bots
from ...engine.board import Board, built_in_board
from ...engine.game import Game
from ...engine.layout import parse_layout
from ...engine.options import PLAYERS, Options
from ...engine.refusal import Refusal, Refused, SetupError, shortened
from ...engine.seats import COLOURS, Seat, check_seats, find_name
from ...engine.table import choose_deck
from ..protocol.commands import (
    AddBot,
    Agree,
    Choose,
    FileCommand,
    Invite,
    LobbyCommand,
    NewBot,
    NewPerson,
    NewTable,
    Ready,
    Rematch,
    Remove,
    SetHouse,
    Sit,
    Start,
    UseBoard,
    UseDeck,
)
from ..protocol.decoding import invalid
from ..protocol.house import CLOCKS, GRACES, HouseRules
from ..protocol.refusals import refuse
from .deciding import (
    Decision,
    Held,
    Moment,
    RandomBytes,
    demand_host,
    demand_random,
    demand_setting_up,
    demand_waiting,
    existing,
    own,
    somebody,
)
from .log import (
    Agreed,
    BoardSwapped,
    Chair,
    Chosen,
    DeckSwapped,
    HouseSet,
    Invited,
    Left,
    Opened,
    Readied,
    Sat,
    Started,
)
from .names import check_name
from .sitting import Sitting
from .table_state import hash_secret

_STANDARD = Options().layout  # every board has a layout of this name
_MOST_SWAPS = 50  # of decks and boards before a game: the log keeps them all
_MOST_LEFT = 64  # given-up tokens that a rematch remembers, to keep logs small


def decide_lobby(
    sitting: Sitting, held: Held, command: LobbyCommand | FileCommand, random_bytes: RandomBytes, moment: Moment
) -> Decision:
    """The entry that a command makes now; the caller holds these chairs."""
    match command:
        case Sit():
            return _sit(sitting, held, command, moment)
        case Remove():
            return _remove(sitting, held, command)
        case AddBot():
            return _add_bot(sitting, held, command, moment)
        case Choose():
            return _choose(sitting, held, command)
        case SetHouse():
            return _set_house(sitting, held, command)
        case Invite():
            return _invite(sitting, held, command, moment)
        case UseDeck() | UseBoard():
            return _swap(sitting, held, command)
        case Ready():
            demand_waiting(sitting)
            return Decision(own(sitting, held, command.chair).id, Readied(command.chair, command.salt))
        case Start():
            return _start(sitting, held)
        case Rematch():
            return _rematch(sitting, held, random_bytes)
        case Agree():
            return _agree(sitting, held, command)
        case _:
            assert_never(command)


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
        host=_first_host(chairs),
        chairs=chairs,
        next_chair=len(chairs) + 1,
        house=_checked_house(new.house),
    )


def _first_host(chairs: tuple[Chair, ...]) -> int | None:
    """The first person; at a table that a remote bot opens for others, the bot."""
    holders = [(chair.remote, chair.id) for chair in chairs if chair.token]
    return min(holders)[1] if holders else None


def start_at_once(sitting: Sitting) -> Decision:
    """Start a new table's game without waiting for anybody."""
    return Decision(sitting.host or 0, Started(), _game_to_start(sitting))


def _checked(options: Options, chairs: Iterable[Chair], board: Board | None) -> Options:
    """The options, or a SetupError. The engine would refuse them, too, but only when the game starts."""
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
    demand_random(new.token)
    digest = hash_secret(new.token)
    if any(chair.token == digest for chair in others):
        raise refuse("token_taken")
    name = check_name(new.name, [chair.name for chair in others])
    return Chair(id, name, _colour(new.colour, new.bot, others), bot=new.bot, token=digest, salt=new.salt)


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


def _kept(sitting: Sitting, now: float) -> int:
    return len(sitting.attendance.open_invitations(now))


def _demand_unlocked(sitting: Sitting) -> None:
    if sitting.house.locked:
        raise refuse("table_locked")


def _demand_free_chair(sitting: Sitting, kept: int) -> None:
    """Refuse if no chair is free, or if all free ones are kept for invited people."""
    demand_waiting(sitting)
    if len(sitting.chairs) == PLAYERS[-1]:
        raise refuse("table_full", most=PLAYERS[-1])
    if len(sitting.chairs) + kept >= PLAYERS[-1]:
        raise refuse("chairs_kept", kept=kept)


def _demand_ready(sitting: Sitting) -> None:
    missing = [chair.name for chair in sitting.chairs if chair.token and not chair.salt]
    if missing:
        raise refuse("not_ready", players=missing)


def _sit(sitting: Sitting, held: Held, command: Sit, moment: Moment) -> Decision:
    if hash_secret(command.token) in sitting.left_tokens:
        raise refuse("token_spent")
    demand_waiting(sitting)
    invitation = _invitation(sitting, command, moment)
    if invitation is None:
        _demand_unlocked(sitting)
    if invitation is None and moment.crowded and sitting.host not in held:
        raise refuse("address_has_chairs")
    _demand_free_chair(sitting, _kept(sitting, moment.now) - (invitation is not None))
    person = NewPerson(name=command.name, token=command.token, colour=command.colour, bot=command.bot)
    chair = _person(person, sitting.chairs, sitting.next_chair)
    return Decision(chair.id, Sat(chair, invitation))


def _invitation(sitting: Sitting, command: Sit, moment: Moment) -> str | None:
    """The hash of the invitation that somebody brings."""
    if command.invitation is None:
        return None
    digest = hash_secret(command.invitation)
    if digest not in sitting.attendance.open_invitations(moment.now):
        raise refuse("invitation_unknown")
    return digest


def _invite(sitting: Sitting, held: Held, command: Invite, moment: Moment) -> Decision:
    host = demand_setting_up(sitting, held)
    if command.secret is None:
        return Decision(host, Invited(None))
    demand_random(command.secret)
    _demand_free_chair(sitting, _kept(sitting, moment.now))
    return Decision(host, Invited(hash_secret(command.secret)))


def _add_bot(sitting: Sitting, held: Held, command: AddBot, moment: Moment) -> Decision:
    """People agreed to play without this bot, so they are asked again."""
    host = demand_setting_up(sitting, held)
    _demand_free_chair(sitting, _kept(sitting, moment.now))
    bot = NewBot(bot=command.bot, name=command.name, colour=command.colour)
    return Decision(host, Sat(_bot(bot, sitting.chairs, sitting.next_chair), asks_again=True))


def _remove(sitting: Sitting, held: Held, command: Remove) -> Decision:
    """Lock the table as well, or a person who was removed would simply sit down again with another token."""
    host = demand_setting_up(sitting, held)
    chair = existing(sitting, command.chair)
    if chair.id == host:
        raise refuse("host_stays")
    return Decision(host, Left(chair.id, removed=True, locks=chair.token is not None))


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


def _set_house(sitting: Sitting, held: Held, command: SetHouse) -> Decision:
    """House rules change only before the game, except talk, which may be switched at any time."""
    host = demand_host(sitting, held) if set(command.house) == {"talk"} else demand_setting_up(sitting, held)
    changed = {"type": "house_set", "house": {**asdict(sitting.house), **command.house}}  # errors name this place
    try:
        house = msgspec.convert(changed, HouseSet).house
    except msgspec.ValidationError as error:
        raise invalid(error) from error
    return Decision(host, HouseSet(_checked_house(house)))


def _checked_house(house: HouseRules) -> HouseRules:
    for option, value, choices in (
        ("grace", house.grace, GRACES),
        ("clock", house.clock, CLOCKS),
        ("stand_in", house.stand_in, bots.names()),
    ):
        if value not in choices:
            values = {"option": option, "value": shortened(value), "choices": tuple(map(str, choices))}
            raise SetupError(Refusal("", "not_a_choice", values))
    return house


def _swap(sitting: Sitting, held: Held, command: FileCommand) -> Decision:
    """If the new board lacks the chosen layout, its standard layout replaces it."""
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
    return Decision(host, Started(), _game_from_lobby(sitting))


def start_refusal(sitting: Sitting) -> Refused | None:
    """Why the game cannot start yet, or None."""
    return _refusal(lambda: _game_from_lobby(sitting))


def bot_refusal(sitting: Sitting, now: float) -> Refused | None:
    """Why no bot can be added, or None."""
    return _refusal(lambda: _demand_free_chair(sitting, _kept(sitting, now)))


def sit_refusal(sitting: Sitting, now: float) -> Refused | None:
    """Why nobody can sit down without an invitation, or None."""
    return _refusal(lambda: _demand_unlocked(sitting)) or bot_refusal(sitting, now)


def _refusal(attempt: Callable[[], object]) -> Refused | None:
    try:
        attempt()
    except Refused as error:
        return error
    return None


def _game_to_start(sitting: Sitting) -> Game:
    _demand_ready(sitting)
    return sitting.new_game()


def _game_from_lobby(sitting: Sitting) -> Game:
    """Here a host who is refused can still do something about it, so the refusal says what."""
    try:
        return _game_to_start(sitting)
    except SetupError as error:
        if error.refusal.key != "player_count":
            raise
        values = {"least": error.refusal.values["least"]}  # no lobby has too many chairs
        raise SetupError(Refusal("R2.1", "players_missing", values)) from error


def _demand_finished(sitting: Sitting) -> None:
    if sitting.status != "finished":
        raise refuse("table_not_finished")


def _agree(sitting: Sitting, held: Held, command: Agree) -> Decision:
    _demand_finished(sitting)
    return Decision(own(sitting, held, command.chair).id, Agreed(command.chair, command.salt))


def _rematch(sitting: Sitting, held: Held, random_bytes: RandomBytes) -> Decision:
    _demand_finished(sitting)
    return Decision(somebody(sitting, held), _opened_again(sitting, random_bytes))


def _opened_again(sitting: Sitting, random_bytes: RandomBytes) -> Opened:
    """Another game with everybody who has not left; those who already agreed to one are ready."""
    chairs = (chair for chair in sitting.chairs if not chair.stand_in)
    return replace(
        sitting.opened,
        game=sitting.opened.game + 1,
        options=sitting.options,
        house=sitting.house,
        seed=random_bytes(32).hex(),
        host=sitting.host,
        chairs=tuple(replace(chair, salt=sitting.agreed.get(chair.id)) for chair in chairs),
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
    stay = tuple(chair for chair in again.chairs if chair.own_bot or chair.salt)
    gone = {chair.token: chair.id for chair in again.chairs if chair not in stay and chair.token}
    host = again.host if again.host in {chair.id for chair in stay} else _first_host(stay)
    left = dict(list({**again.left, **gone}.items())[-_MOST_LEFT:])
    options = again.options
    if "first" not in options.drawn and find_name(options.first, [chair.name for chair in stay]) is None:
        options = replace(options, first=Options().first)
    return Decision(host or 0, replace(again, chairs=stay, host=host, left=left, options=options, started=True))
