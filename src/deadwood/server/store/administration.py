"""What an administrator asks of a database and does to it, as transactions for `DatabaseStore.administer`."""

from sqlalchemy import Connection, select, tuple_

from ..tables.ports import GameRow
from .schema import games
from .writing import Work


def finished_games(after: tuple[str, int], limit: int) -> Work[list[GameRow]]:
    """Finished games of all tables, after one of them."""
    wanted = select(games).where(games.c.summary.is_not(None), tuple_(games.c.code, games.c.number) > after)
    page = wanted.order_by(games.c.code, games.c.number).limit(limit)

    def run(connection: Connection) -> list[GameRow]:
        return [GameRow(*row) for row in connection.execute(page)]

    return run
