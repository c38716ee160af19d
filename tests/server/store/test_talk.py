"""What people said, in every store: SQLite, PostgreSQL, and the one in memory that the simulation uses."""

from deadwood.server.protocol.talk import TalkLine
from deadwood.server.tables.ports import MOST_TALK, TALK_DAYS, TalkRow

from ..people import together
from .changes import CODE, OTHER, opened


def line(number, code=CODE, text="Howdy 🤠"):
    return TalkRow(code, f"c{number}", TalkLine(number=number, name="Zoë", chair=1, text=text))


@together
async def test_the_last_lines_of_a_table_are_kept_until_they_are_deleted(opening):
    async with opened(opening()) as store:
        others = TalkRow(OTHER, "x", TalkLine(number=7, name="Bo", voice="ab12", reaction="mug"))
        rows = [line(number) for number in range(1, MOST_TALK + 8)]
        await store.talk.keep([others, *rows[:50]])
        assert await store.talk.lines(CODE) == rows[:50]
        await store.talk.keep(rows[50:])
        assert await store.talk.lines(CODE) == rows[-MOST_TALK:]
        await store.talk.forget(CODE, MOST_TALK)
        assert await store.talk.lines(CODE) == rows[MOST_TALK:]
        assert await store.talk.lines(OTHER) == [others]


@together
async def test_lines_of_players_and_spectators_are_kept_apart(opening):
    async with opened(opening()) as store:
        said = TalkRow(CODE, "x", TalkLine(number=1, name="Bo", chair=1, text='"voice":"ab12"'))
        watched = [
            TalkRow(CODE, f"c{number}", TalkLine(number=number, name="Zoë", voice="ab12", text="Howdy"))
            for number in range(2, MOST_TALK + 5)
        ]
        await store.talk.keep([said, *watched])
        assert await store.talk.lines(CODE) == [said, *watched[-MOST_TALK:]]
        await store.talk.forget_names(CODE, {"Zoë"})
        assert await store.talk.lines(CODE) == [said]


@together
async def test_no_line_is_kept_for_longer_than_a_month(opening):
    """Even if nobody ever says anything again."""
    async with opened(opening()) as store:
        month = TALK_DAYS * 86_400
        await store.talk.keep([line(1_000_000), line(5_000_000, OTHER)])
        await store.tidy(month + 3.0)
        assert await store.talk.lines(CODE) == []
        assert [row.line.number for row in await store.talk.lines(OTHER)] == [5_000_000]
