"""Exactly one of several actions sent at once for the same number applies."""

import argparse
import asyncio
import contextlib
import random
import tempfile

from .people import person, serving, started

TRIALS = 300


async def race(servers, trials, tabs=3, seed=1):
    """Tabs with the same chair, on one or two servers, send at once for the same number; returns the wins by tab."""
    chance = random.Random(seed)
    won = [0] * tabs
    games = 0
    while sum(won) < trials:
        games += 1
        async with started(servers[0]) as host, contextlib.AsyncExitStack() as stack:
            lines = [
                await stack.enter_async_context(person(servers[at % len(servers)], host.code, *host.tokens))
                for at in range(tabs)
            ]
            while host.status == "running" and sum(won) < trials and host.seq < 400:
                won[await _trial(host, lines, chance, f"{games}-{host.seq}")] += 1
    return won


async def _trial(host, lines, chance, name):
    seq = host.seq + 1
    same = chance.random() < 0.3  # the same command, sent by all: one entry, and everybody gets the same answer
    actions = [chance.choice(host.offers)["action"] for _ in lines]
    wishes = [
        {"id": name if same else f"{name}-{at}", "seq": seq, "action": actions[0 if same else at]}
        for at in range(len(lines))
    ]
    order = chance.sample(range(len(lines)), len(lines))  # otherwise the first tab would always send first
    said = await asyncio.gather(*(lines[at].ask("play", **wishes[at]) for at in order))
    answers = [said[order.index(at)] for at in range(len(lines))]
    done = [at for at, answer in enumerate(answers) if answer["type"] == "done"]
    if same:
        assert [answer["type"] for answer in answers] == ["done"] * len(lines), answers
        assert {answer["seq"] for answer in answers} == {seq}
    else:
        assert len(done) == 1, answers
        assert {answer.get("code") for answer in answers if answer["type"] != "done"} == {"stale"}
    await _see(host, seq, actions[0 if same else done[0]])
    return done[0]


async def _see(host, seq, action):
    """Assert that the entry with this number is the winner's, on the other server too."""
    await host.ask("sync", since=seq - 1)
    while host.seq < seq:
        await host.ask("play", id="look", seq=seq + 1, action="end")  # the refusal makes the server read the log
        await host.ask("sync", since=seq - 1)
    missed = (await host.ask("sync", since=seq - 1))["missed"]
    assert [one["seq"] for one in missed] == [seq]
    assert missed[0]["action"].partition(" =")[0] == action


def test_exactly_one_of_simultaneous_actions_applies(sqlite_url):
    with serving(sqlite_url) as server:
        won = asyncio.run(race([server], TRIALS))
    assert sum(won) == TRIALS
    assert min(won) > 0


def test_exactly_one_applies_with_two_processes_on_postgresql(postgres_url):
    with serving(postgres_url) as one, serving(postgres_url) as other:
        won = asyncio.run(race([one, other], 60, tabs=2))
    assert sum(won) == 60


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--trials", type=int, default=100_000)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, serving(f"sqlite:///{folder}/race.sqlite3") as server:
        print("won by tab:", asyncio.run(race([server], arguments.trials)))
