"""Chairs whose holders are programs: they play as people do, and everybody sees what they are."""

import asyncio

import pytest

from deadwood.engine.verify import verify

from .people import person, play_to_the_end, quietly_serving, together, token


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with quietly_serving(tmp_path_factory.mktemp("server"), rematch_pause=0.0) as running:
        yield running


@together
async def test_a_remote_bot_is_seen_must_be_ready_and_is_in_the_record(server):
    code, ada_token = server.make(options={"days": 1})
    bot_token = token()
    async with person(server, code, ada_token) as ada, person(server, code) as bot:
        await bot.do("sit", name="Wanda", token=bot_token, bot="walker")
        await ada.hear_update(bot.seq)
        seen = ada.table["chairs"][1]
        assert (seen["name"], seen["bot"], seen["remote"], seen["ready"]) == ("Wanda", "walker", True, False)
        await ada.be_ready()
        assert (await ada.ask("start"))["code"] == "not_ready"
        await bot.be_ready()
        await ada.do("start")
        await bot.hear_update(ada.seq)
        await asyncio.gather(play_to_the_end(ada), play_to_the_end(bot))
        await rematch_needs_a_person(ada, bot)
    record = server.get(f"/api/tables/{code}/games/1/record")
    assert "seats: red person; blue bot walker\n" in record
    assert {check.verdict for check in verify(record)} == {"passed"}
    assert server.get(f"/api/tables/{code}/games")["games"][0]["players"][1]["remote"] is True


async def rematch_needs_a_person(ada, bot):
    """The bot agrees first, and nothing happens; the person's agreement starts the game."""
    await bot.do("agree", chair=bot.held[0], salt=token())
    await ada.hear_update(bot.seq)
    assert ada.status == "finished"
    await ada.do("agree", chair=ada.held[0], salt=token())
    while ada.table["game"] == 1:
        await ada.hear()
    assert [chair["bot"] for chair in ada.table["chairs"]] == [None, "walker"]


@together
async def test_remote_bots_do_not_play_on_without_the_person_who_has_not_agreed(server):
    code, ada_token = server.make(bots=[{"bot": "random"}], options={"days": 1})
    async with person(server, code) as bot:
        async with person(server, code, ada_token) as ada:
            await bot.do("sit", name="Wanda", token=token(), bot="walker")
            await ada.be_ready()
            await bot.be_ready()
            await ada.do("start")
            await bot.hear_update(ada.seq)
            await asyncio.gather(play_to_the_end(ada), play_to_the_end(bot))
        await bot.hear_until(lambda message: message["type"] == "present" and len(message["chairs"]) == 1)
        await bot.do("agree", chair=bot.held[0], salt=token())
        async with person(server, code, ada_token) as ada:
            await ada.do("agree", chair=ada.held[0], salt=token())
            while ada.table["game"] == 1:
                await ada.hear()
            assert [chair["name"] for chair in ada.table["chairs"]][::2] == ["Ada", "Wanda"]


def test_a_remote_bot_may_open_a_table(server):
    chairs = [{"type": "person", "name": "Wanda", "token": token(), "bot": "walker"}]
    made = server.post("/api/tables", {"chairs": chairs}, status=201)["table"]
    assert (made["host"], made["chairs"][0]["bot"]) == (1, "walker")
    assert "Wanda" in server.get(f"/t/{made['code']}")
