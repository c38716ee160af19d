"""Several server processes on one PostgreSQL: everybody at a table sees the same, wherever they are connected."""

from contextlib import ExitStack

import pytest

from .people import person, serving, started, together, until


@pytest.fixture
def two(postgres_url):
    with ExitStack() as stack:
        yield [stack.enter_context(serving(postgres_url)) for _ in range(2)]


def acquainted(*servers):
    """Whether each process knows of all others."""
    return all(server.metric("peers") == len(servers) - 1 for server in servers)


@together
async def test_people_at_different_processes_play_and_talk_together(two):
    here, there = two
    await until(lambda: acquainted(*two))
    async with started(here, options={"first": "Ada"}) as host, person(there, host.code, host.tokens[1]) as bo:
        if bo.welcome["present"] != [1, 2]:  # the news of Ada may come a moment later
            await bo.hear_until(lambda message: message == {"type": "present", "chairs": [1, 2]})
        await host.act("end")
        await bo.hear_update(host.seq)
        await bo.act("end")
        await host.hear_update(bo.seq)
        await bo.ask("say", text="Howdy")
        said = await host.hear_until(lambda message: message["type"] == "said")
        assert said["line"]["text"] == "Howdy"


@together
async def test_everybody_hears_who_comes_and_goes_elsewhere(two):
    here, there = two
    await until(lambda: acquainted(*two))
    code, token = here.make()
    async with person(here, code, token) as host:
        async with person(there, code) as guest:
            await guest.do("sit", name="Bo", token="ab" * 16 + "0123456789abcdef" * 2)
            await host.hear_until(lambda message: message == {"type": "present", "chairs": [1, 2]})
        await host.hear_until(lambda message: message == {"type": "present", "chairs": [1]})


@together
async def test_bots_play_on_when_their_process_is_killed(two):
    here, there = two
    await until(lambda: acquainted(*two))
    code, token = here.make(bots=[{"bot": "random"}], options={"first": "Ada"})
    async with person(there, code, token) as ada:
        await ada.be_ready()
        await ada.do("start")
        await until(lambda: here.metric("leases") == 1)
        await ada.act("end")
        here.process.kill()
        while not ada.up:
            await ada.hear()
        await until(lambda: there.metric("leases") == 1)
        await ada.act("end")


@together
async def test_a_process_that_ends_leaves_its_tables_to_the_others(two):
    here, there = two
    await until(lambda: acquainted(*two))
    code, token = here.make()
    async with person(here, code, token) as host:
        here.process.terminate()
        goodbye = await host.hear_until(lambda message: message["type"] == "goodbye")
        assert goodbye["retry_after"] <= 1.0  # other processes are running already
    await until(lambda: there.metric("leases") == 1)
    async with person(there, code, token) as host:
        assert host.held == [1]
