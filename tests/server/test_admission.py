"""A refused client learns when to retry, and the retry succeeds."""

import random

import pytest

from deadwood.server.admission import Admission
from deadwood.server.limits import Rate
from deadwood.server.protocol.refusals import ServerRefused
from deadwood.server.settings import Limits

ADDRESS = "192.0.2.1"
RATES = [Rate(1, 3), Rate(0.5, 8), Rate(0.2, 20), Rate(1 / 3, 2), Rate(10, 40), Rate(200 / 86_400, 4)]


class World:
    """An admission whose clock a test sets. Every limit has the same rate."""

    def __init__(self, rate, now):
        names = ("address", "chair", "files", "new_tables", "talk", "guesses")
        self.now = now
        self.admission = Admission(Limits(**dict.fromkeys(names, rate)), lambda: self.now)
        self._wrong = 0

    def guess(self):
        self.admission.guess(ADDRESS)
        self._wrong += 1
        self.admission.wrong_code(ADDRESS, str(self._wrong))

    def talk(self):
        self.admission.talk("chair", ADDRESS, None)

    def command(self):
        self.admission.command("chair")

    def seconds_refused(self, ask):
        """How long the first refusal says to wait."""
        while True:
            try:
                ask(self)
            except ServerRefused as error:
                return error.refusal.values["seconds"]


KINDS = [World.command, World.talk, World.guess]


@pytest.mark.parametrize("ask", KINDS)
@pytest.mark.parametrize("rate", RATES)
def test_trying_again_after_the_seconds_that_a_refusal_names_succeeds(rate, ask):
    """At any time: the larger the clock, the fewer digits it has for fractions of a second."""
    rng = random.Random(4)
    for _ in range(150):
        world = World(rate, rng.uniform(0, 1e6))
        seconds = world.seconds_refused(ask)
        assert isinstance(seconds, int)
        assert seconds >= 1
        world.now += seconds
        ask(world)


@pytest.mark.parametrize("ask", KINDS)
def test_the_seconds_are_rounded_up(ask):
    world = World(Rate(1 / 1.4, 1), 0.0)
    assert world.seconds_refused(ask) == 2
    world.now = 1.3
    assert world.seconds_refused(ask) == 1
    world.now = 1.4
    ask(world)
