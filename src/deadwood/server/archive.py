"""`deadwood export`: all finished games of a server as one archive. Every record in it has been verified."""

import zipfile
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from pathlib import Path

from msgspec import Struct

from ..engine.refusal import DeadwoodError
from ..engine.verify import verify
from ..files import replacing
from .store.administration import finished_games
from .store.database import DatabaseStore
from .store.files import existing_file
from .tables.ports import GameRow
from .tables.sitting import sitting_of

_AT_ONCE = 200  # games to look up with one query


class Exported(Struct, frozen=True):
    """What an export wrote, and the games that it left out because their records do not verify."""

    games: int
    failed: tuple[str, ...]


async def export(url: str, target: Path, echo: Callable[[str], None] = lambda _line: None) -> Exported:
    """Write the archive; the database may be in use."""
    existing_file(url)
    store = await DatabaseStore.open(url, migrates=False)
    try:
        with replacing(target) as draft:
            return await _write(store, draft, echo)
    finally:
        await store.close()


async def _write(store: DatabaseStore, draft: Path, echo: Callable[[str], None]) -> Exported:
    games, failed = 0, list[str]()
    with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
        async with aclosing(_finished(store)) as found:
            async for game in found:
                problem, record = await _record(store, game)
                if problem:
                    failed.append(f"{game.code} game {game.number}: {problem}")
                    echo(failed[-1])
                else:
                    archive.writestr(record_name(game), record)
                    games += 1
    return Exported(games, tuple(failed))


async def _finished(store: DatabaseStore) -> AsyncGenerator[GameRow, None]:
    """All finished games by table and number, a page at a time."""
    after: tuple[str, int] = ("", 0)
    while page := await store.administer(finished_games(after, _AT_ONCE)):
        for game in page:
            yield game
        after = page[-1].code, page[-1].number


async def _record(store: DatabaseStore, game: GameRow) -> tuple[str, str]:
    """The problem with a game ("" if there is none), and its record."""
    try:
        sitting = sitting_of(await store.entries(game.code, game.first_seq, game.last_seq))
        assert sitting.game is not None
        record = sitting.game.record()
        failed = [check.key for check in verify(record) if check.verdict == "failed"]
        return ", ".join(failed), record
    except DeadwoodError as error:
        return str(error), ""


def record_name(game: GameRow) -> str:
    """The name of a record in the archive."""
    return f"{game.code}-{game.number}.deadwood"
