"""Real sockets over a proxy that cuts, swallows and doubles: nothing is lost, and nothing is done twice."""

import asyncio
import random
from collections import Counter

import pytest

from deadwood.client import Listener, Server, ServerRefused

from ..server.people import person, together, token
from .bad_proxy import BadProxy


class Player(Listener):
    """Plays any offer. It reconnects without a pause when a connection breaks."""

    def __init__(self, client, code, token, seed):
        self.choose = random.Random(seed).choice
        self.done = 0
        self.seqs = []
        self.losses = 0
        self.table = client.join(code, [token], listener=self)

    def status_changed(self, status):
        self.losses += status == "lost"
        if status == "lost":
            asyncio.get_running_loop().call_soon(self.table.check)

    def caught_up(self, missed, first):
        self.seqs += [update.seq for update in missed]

    def updated(self, update):
        self.seqs.append(update.seq)

    async def play(self):
        async with self.table as table:
            while await table.next_turn():
                try:
                    await table.play(self.choose(table.position.offers).action)
                    self.done += 1
                except ServerRefused as error:  # another connection of the same chair cannot be quicker
                    raise AssertionError(error.problem.code) from error


@pytest.mark.parametrize("seed", [1, 2])
@together
async def test_a_game_over_lines_that_break(server, seed):
    code, hers = server.make("Ada", options={"days": 1}, house={"grace": None})
    async with person(server, code, hers) as host:
        his = token()
        await host.do("sit", name="Bo", token=his)
        for chair in tuple(host.held):
            await host.be_ready(chair)
        await host.do("start")
        chairs = tuple(host.held)
    async with (
        BadProxy(server.port, seed) as proxy,
        Server(f"http://127.0.0.1:{proxy.port}") as client,
        person(server, code) as witness,
    ):
        players = [Player(client, code, secret, f"{seed} {name}") for name, secret in (("Ada", hers), ("Bo", his))]
        await asyncio.gather(*(player.play() for player in players))
        while witness.status != "finished":
            await witness.hear()
    played = Counter(update["chair"] for update in witness.updates if update["kind"] == "played")
    assert played == {chair: player.done for chair, player in zip(chairs, players, strict=True)}
    for player in players:
        assert player.seqs == list(range(player.seqs[0], witness.seq + 1))
        assert player.seqs[0] <= 2
    assert sum(player.losses for player in players) > 3
    assert all(proxy.faults.values()), proxy.faults
