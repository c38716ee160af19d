"""What people do at a table besides the game: absence, votes, the host's powers, and talk; at a real server.

Holds `client.countdown`.
"""

import contextlib

import pytest

from deadwood.client import Countdown, Server, ServerRefused
from deadwood.engine.board import built_in_board, format_board
from deadwood.engine.deck import built_in_deck, format_deck

from ..server.people import together, token

VOICE = "5e" * 32


@contextlib.asynccontextmanager
async def lobby(server, **table):
    """Ada's new table, with Ada at it."""
    code, hers = server.make("Ada", **table)
    async with Server(server.url) as client, client.join(code, [hers]) as ada:
        yield client, ada


async def begin(*tables):
    """Make everybody ready, and let the first start."""
    for table in tables:
        for chair in table.own_chairs:
            await table.ready(chair.id)
    await tables[0].until(lambda: all(chair.ready or chair.bot for chair in tables[0].view.chairs))
    await tables[0].start()


@together
async def test_somebody_goes_away_and_the_stand_in_plays_until_they_are_back(server):
    async with lobby(server) as (client, ada):
        async with client.join(ada.code) as bo:
            chair = await bo.sit("Bo")
            await ada.choose(first="Bo")
            await bo.until(lambda: bo.view.options.first == "Bo")
            await begin(ada, bo)
            assert ada.absent == ()
        await ada.until(lambda: ada.waiting is not None)
        assert [one.name for one in ada.absent] == ["Bo"]
        assert ada.waiting.chair == chair
        assert 0 < ada.waiting.left(ada.waiting.heard + 10) <= ada.waiting.seconds - 10
        await ada.stand_in(chair)
        assert ada.chair(chair).stand_in == "regular"
        with pytest.raises(ServerRefused):
            await ada.stand_in(ada.held[0])
        async with client.join(ada.code, bo.tokens) as bo:
            await bo.until(lambda: bo.chair(chair).stand_in is None)


def test_a_countdown_passes_only_while_it_runs():
    assert Countdown(1, 30.0, True, 100.0).left(110.0) == 20.0
    assert Countdown(1, 30.0, True, 100.0).left(200.0) == 0.0
    assert Countdown(1, 30.0, False, 100.0).left(110.0) == 30.0


@together
async def test_votes_pause_and_end_the_game(server):
    async with lobby(server, house={"clock": 300}) as (client, ada), client.join(ada.code) as bo:
        await bo.sit("Bo")
        await begin(ada, bo)
        await ada.until(lambda: ada.clock is not None)
        assert 0 < ada.clock.seconds <= 300
        await ada.vote("pause")
        await bo.until(lambda: bo.position.votes.pause == ada.held)
        await bo.vote("pause", False)
        await ada.vote("pause")
        await bo.vote("pause")
        await ada.until(lambda: ada.position.paused)
        assert not ada.clock.runs
        await bo.resume()
        await ada.until(lambda: not ada.position.paused)
        await ada.vote("end")
        await bo.vote("end")
        await ada.until(lambda: ada.view.called_off)
        await ada.rematch()
        assert ada.view.status == "waiting"


@together
async def test_the_host_chooses_what_the_server_offers(server):
    async with lobby(server) as (_, ada):
        offers = await ada.offers()
        assert {"regular", "champion"} <= {bot.name for bot in offers.bots}
        assert {"deck", "layout", "first", "days"} <= {option.name for option in offers.options}
        assert {"grace", "clock", "talk"} <= {rule.name for rule in offers.house}
        assert offers.invitation_seconds == 86_400
        await ada.choose(first="Ada", days=2)
        await ada.set_house(clock=60)
        assert (ada.view.options.first, ada.view.options.days, ada.view.house.clock) == ("Ada", 2, 60)


@together
async def test_an_invitation_opens_a_locked_table(server):
    async with lobby(server, house={"locked": True}) as (client, ada), client.join(ada.code) as bo:
        secret = await ada.invite()
        assert ada.view.kept == 1
        with pytest.raises(ServerRefused, match="locked"):
            await bo.sit("Bo")
        await bo.sit("Bo", invitation=secret)
        await ada.invite()
        await ada.withdraw_invitations()
        assert ada.view.kept == 0


@together
async def test_our_own_files_can_be_used_whichever_token_is_the_hosts(server):
    deck = format_deck(built_in_deck("studio")).replace('name = "studio"', 'name = "mine"')
    board = format_board(built_in_board()).replace("Saloon", "Juice Bar").replace("saloon", "juice-bar")
    async with lobby(server) as (client, ada):
        await ada.sit("Bo")
        await ada.use_file("deck", deck)
        await ada.use_file("board", board)
        await ada.use_file("board", board)  # which changes nothing
        assert (ada.view.deck.name, ada.view.board.key is None) == ("mine", False)
        await ada.use_file("deck", None)
        assert ada.view.deck.name == "classic"
        with pytest.raises(ServerRefused):
            await ada.use_file("deck", "no deck at all")
        async with client.join(ada.code) as watcher:
            with pytest.raises(ServerRefused):
                await watcher.use_file("deck", deck)


@together
async def test_a_spectator_talks_under_a_name_and_the_host_clears_it(server):
    async with lobby(server) as (client, ada), client.join(ada.code) as watcher:
        with pytest.raises(ServerRefused):
            await watcher.say("Howdy")
        await watcher.say("Howdy", name="Zoe", voice=VOICE)
        await watcher.react("hat", name="Zoe", voice=VOICE)
        await ada.react("mug", ada.held[0])
        await ada.until(lambda: len(ada.talk) == 3)
        assert [(line.name, line.text, line.reaction) for line in ada.talk] == [
            ("Zoe", "Howdy", None),
            ("Zoe", "", "hat"),
            ("Ada", "", "mug"),
        ]
        with pytest.raises(ServerRefused):
            await watcher.say("Howdy", name="Zoe", voice=token())
        await ada.clear_talk()
        await watcher.until(lambda: not watcher.talk)
