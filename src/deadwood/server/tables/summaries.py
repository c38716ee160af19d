"""What lists show of tables and finished games, stored as JSON beside the log.

These are stored for ever, so the names they are encoded with never change.
"""

from collections.abc import Callable

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from ...engine.events import Standing
from ...engine.options import Options
from ...engine.scoring import credit_points, winners
from ..protocol.answers import GameSummary, ListedTable
from ..protocol.views import ChairView, Status
from .sitting import Sitting
from .views import chair_views


class _Chair(Struct, frozen=True):
    id: int = field(name="seat")
    name: str
    colour: str
    bot: str | None
    ready: bool
    stand_in: str | None = None
    left: bool = False
    remote: bool = False


class _Table(Struct, frozen=True, kw_only=True):
    code: str
    status: Status
    options: Options
    chairs: tuple[_Chair, ...] = field(name="seats")
    created: float
    locked: bool = False


class _Game(Struct, frozen=True, kw_only=True):
    game: int
    players: tuple[_Chair, ...]
    options: Options
    standings: tuple[Standing, ...]
    winners: tuple[str, ...]
    finished: float
    actions: int
    commitment: str
    salts: tuple[str, ...]
    seed: str
    called_off: bool = False


def encode_table(sitting: Sitting, created: float) -> str:
    """A table as lists show it."""
    table = _Table(
        code=sitting.code,
        status=sitting.status,
        options=sitting.options,
        chairs=_stored(chair_views(sitting)),
        created=created,
        locked=sitting.house.locked,
    )
    return msgspec.json.encode(table).decode()


def decode_table(text: str) -> ListedTable:
    """The table that `encode_table` stored."""
    stored = msgspec.json.decode(text, type=_Table)
    return ListedTable(**{**msgspec.structs.asdict(stored), "chairs": _views(stored.chairs)})


def encode_game(sitting: Sitting, finished: float) -> str:
    """A finished game."""
    assert sitting.game is not None
    standings = () if sitting.game.called_off else sitting.game.standings()
    game = _Game(
        game=sitting.opened.game,
        players=_stored(chair_views(sitting)),
        options=sitting.game.state.table.options,
        standings=standings,
        winners=winners(standings),
        finished=finished,
        actions=len(sitting.game.steps),
        commitment=sitting.commitment,
        salts=sitting.salts,
        seed=sitting.opened.seed,
        called_off=sitting.game.called_off,
    )
    return msgspec.json.encode(game).decode()


def decode_game(text: str) -> GameSummary:
    """The game that `encode_game` stored."""
    stored = msgspec.json.decode(text, type=_Game)
    # Earlier versions did not store what credits count.
    standings = tuple(replace(one, credit_points=credit_points(one.credits)) for one in stored.standings)
    return GameSummary(**{**msgspec.structs.asdict(stored), "players": _views(stored.players), "standings": standings})


def rename_table(text: str, rename: Callable[[str], str]) -> str:
    """A stored table with other names."""
    table = msgspec.json.decode(text, type=_Table)
    renamed = replace(table, chairs=_renamed(table.chairs, rename), options=rename_first(table.options, rename))
    return msgspec.json.encode(renamed).decode()


def rename_game(text: str, rename: Callable[[str], str]) -> str:
    """A stored game with other names."""
    game = msgspec.json.decode(text, type=_Game)
    renamed = replace(
        game,
        players=_renamed(game.players, rename),
        options=rename_first(game.options, rename),
        standings=tuple(replace(one, name=rename(one.name)) for one in game.standings),
        winners=tuple(map(rename, game.winners)),
    )
    return msgspec.json.encode(renamed).decode()


def rename_first(options: Options, rename: Callable[[str], str]) -> Options:
    """Options with the first player renamed."""
    return replace(options, first=rename(options.first))


def _renamed(chairs: tuple[_Chair, ...], rename: Callable[[str], str]) -> tuple[_Chair, ...]:
    own_bots = {chair.id for chair in chairs if chair.bot and not chair.remote}
    return tuple(chair if chair.id in own_bots else replace(chair, name=rename(chair.name)) for chair in chairs)


def _stored(chairs: tuple[ChairView, ...]) -> tuple[_Chair, ...]:
    return tuple(_Chair(*msgspec.structs.astuple(chair)) for chair in chairs)


def _views(chairs: tuple[_Chair, ...]) -> tuple[ChairView, ...]:
    return tuple(ChairView(*msgspec.structs.astuple(chair)) for chair in chairs)
