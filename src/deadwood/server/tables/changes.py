"""What entries change besides the game itself: chairs, options, house rules, and who plays for whom."""

from msgspec.structs import replace

from ..protocol.house import HouseRules
from ..protocol.table_events import (
    BoardChosen,
    ChairLeft,
    ChairTaken,
    ChairTakenOver,
    DeckChosen,
    GameCalledOff,
    GamePaused,
    GameResumed,
    HandoverOpened,
    HostChanged,
    HouseRulesSet,
    InvitationMade,
    OptionsChosen,
    PlayerAgreed,
    PlayerReady,
    PlayersReturned,
    PlayersVoted,
    PlayerWentHome,
    StandInCame,
    TableEvent,
)
from .log import (
    AbsenceBody,
    Agreed,
    BoardSwapped,
    CalledOff,
    Chair,
    Chosen,
    DeckSwapped,
    Entry,
    HandedOver,
    HostPassed,
    HouseSet,
    Invited,
    Left,
    LobbyBody,
    Paused,
    Readied,
    Resumed,
    Returned,
    Sat,
    StoodIn,
    TakenOver,
    Voted,
)
from .table_state import TableState


def change_lobby(state: TableState, body: LobbyBody) -> TableEvent:
    """Change who is at the table, and what will be played."""
    match body:
        case Sat():
            return _sit(state, body)
        case Left():
            return _go_home(state, body.chair, body.stand_in) if body.stand_in else _leave(state, body)
        case Chosen(options):
            state.options = options
            _ask_again(state)
            return OptionsChosen(options)
        case DeckSwapped(deck):
            state.own_deck = deck
            state.swaps += 1
            _ask_again(state)
            return DeckChosen(state.deck.name, deck is not None)
        case BoardSwapped(board, layout):
            state.own_board, state.options = board, replace(state.options, layout=layout)
            state.swaps += 1
            _ask_again(state)
            return BoardChosen(state.board.name, board is not None)
        case Readied(id, salt):
            _change_chair(state, id, salt=salt)
            return PlayerReady(state.name(id), salt is not None)
        case Agreed(id, salt):
            return _agree(state, id, salt)
        case HouseSet(house):
            return _set_house(state, house)
        case Invited():
            return InvitationMade(len(state.attendance.invitations))


def change_absence(state: TableState, entry: Entry, body: AbsenceBody) -> TableEvent:
    """Change who plays for whom, and what people agreed to; `state.attendance` has changed already."""
    match body:
        case StoodIn(id, bot, reason):
            return StandInCame(state.name(id), bot, reason)
        case Returned(ids):
            return PlayersReturned(tuple(map(state.name, ids)))
        case HostPassed(id):
            was, state.host = state.name(state.host or 0), id
            return HostChanged(was, state.name(id))
        case HandedOver(id):
            return HandoverOpened(state.name(id), None if entry.by == id else state.name(entry.by))
        case TakenOver(id, token):
            _give_up_token(state, id)
            _change_chair(state, id, token=token)
            return ChairTakenOver(state.name(id))
        case Voted(ids, to, agrees):
            return PlayersVoted(tuple(map(state.name, ids)), to, agrees)
        case Paused():
            return GamePaused()
        case Resumed():
            return GameResumed(state.name(entry.by))
        case CalledOff():
            return GameCalledOff()


def _change_chair(state: TableState, id: int, **fields: str | None) -> None:
    state.chairs = tuple(replace(chair, **fields) if chair.id == id else chair for chair in state.chairs)


def _ask_again(state: TableState) -> None:
    """Nobody is ready any more: what they agreed to has changed."""
    state.chairs = tuple(replace(chair, salt=None) for chair in state.chairs)


def _agree(state: TableState, id: int, salt: str | None) -> TableEvent:
    others = {chair: kept for chair, kept in state.agreed.items() if chair != id}
    state.agreed = others if salt is None else others | {id: salt}
    return PlayerAgreed(state.name(id), salt is not None)


def _sit(state: TableState, sat: Sat) -> TableEvent:
    asked = sat.asks_again and any(chair.salt for chair in state.chairs)
    if sat.asks_again:
        _ask_again(state)
    chair = sat.chair
    state.chairs = (*state.chairs, chair)
    state.next_chair = max(state.next_chair, chair.id + 1)
    if state.host is None and chair in state.people:
        state.host = chair.id
    return ChairTaken(chair.name, chair.colour, chair.bot, asked)


def _leave(state: TableState, left: Left) -> TableEvent:
    """If the host leaves, the person who has been here longest becomes the host."""
    name = state.name(left.chair)
    _give_up_token(state, left.chair)
    state.chairs = tuple(chair for chair in state.chairs if chair.id != left.chair)
    if left.locks:
        state.house = replace(state.house, locked=True)
    return ChairLeft(name, left.removed, _pass_host(state, left.chair), left.locks)


def _go_home(state: TableState, id: int, bot: str) -> TableEvent:
    """The chair stays in the game, but nobody holds it. If it was the last held chair, a pause ends."""
    _give_up_token(state, id)
    _change_chair(state, id, token=None, stand_in=bot)
    if not state.holders:
        state.attendance = replace(state.attendance, paused=False)
    return PlayerWentHome(state.name(id), bot, _pass_host(state, id))


def _pass_host(state: TableState, gone: int) -> str | None:
    """The name of the new host, if the host is gone and somebody is left."""
    if gone != state.host:
        return None
    state.host = min((chair.id for chair in state.people), default=None)
    return None if state.host is None else state.name(state.host)


def _give_up_token(state: TableState, id: int) -> None:
    gone: Chair | None = state.chair(id)
    if gone and gone.token:
        state.left_tokens[gone.token] = gone.id


def _set_house(state: TableState, house: HouseRules) -> TableEvent:
    before, state.house = state.house, house
    asks_again = replace(before, locked=house.locked, talk=house.talk) != house
    if asks_again:
        _ask_again(state)
    talk_only = replace(before, talk=house.talk) == house and before != house
    return HouseRulesSet(house, asks_again, house.locked, house.talk if talk_only else None)
