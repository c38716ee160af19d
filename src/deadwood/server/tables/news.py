"""News: what people want to know while their page is closed: a game began, it is their turn, the game is over."""

from typing import Literal

from msgspec import Struct

from ...engine.game import Game
from .log import Chair, Entry
from .table_state import TableState

Kind = Literal["turn", "started", "started_turn", "over"]


class News(Struct, frozen=True):
    """What somebody should know now. The same news has the same `tag`, so that a phone shows it once."""

    kind: Kind
    tag: str


class Notice(Struct, frozen=True):
    """News for the holder of a chair, known by the hash of the token; to be sent when it is `due`."""

    code: str
    chair: int
    holder: str
    kind: Kind
    tag: str
    at: float
    due: float


def latest_news(state: TableState, chair: Chair, game: Game | None) -> News | None:
    """What the holder of a chair should know about this game; None before it begins."""
    if game is None:
        return None
    named = f"{state.code}-{state.opened.game}"
    if game.over:
        return News("over", f"{named}-over")
    if state.chairs[game.state.active].id != chair.id:
        return News("started", f"{named}-0")
    return News("turn" if game.last_step else "started_turn", f"{named}-{game.turn}")


def announcements(
    before: TableState, after: TableState, game: Game | None, entry: Entry, delay: float
) -> tuple[Notice, ...]:
    """The notices that an entry gives rise to; `game` is the game after it."""
    if _place(before, before.game) == _place(after, game):
        return ()
    goes_on = before.game is not None and before.opened.game == after.opened.game
    concerned = _whose_turn(after, game) if goes_on else after.holders  # within a game, only the next player
    found = [(chair, latest_news(after, chair, game)) for chair in concerned]
    return tuple(
        Notice(entry.code, chair.id, chair.token, news.kind, news.tag, entry.at, entry.at + delay)
        for chair, news in found
        if chair.token and news
    )


def _whose_turn(state: TableState, game: Game | None) -> tuple[Chair, ...]:
    """The active chair, if somebody holds it; all held chairs once the game is over."""
    if game is None or game.over:
        return state.holders
    active = state.chairs[game.state.active]
    return (active,) if active.token else ()


def given_up(before: TableState, after: TableState) -> tuple[int, ...]:
    """The chairs that changed hands or were given up with an entry: their former holders get no more notices."""
    held = {(chair.id, chair.token) for chair in after.holders}
    return tuple(chair.id for chair in before.holders if (chair.id, chair.token) not in held)


def _place(state: TableState, game: Game | None) -> tuple[int, bool, int | None]:
    """Which game this is, whether it has yet to begin, and the active seat, if any."""
    return state.opened.game, game is None, None if game is None or game.over else game.state.active
