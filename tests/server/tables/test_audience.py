"""The audience knows which chairs are held, and says so when that changes.

Holds `server.tables.caller`.
"""

import json

from deadwood.server.tables.audience import Audience
from deadwood.server.tables.caller import Listener


class Ear(Listener):
    """A listener that keeps what it hears."""

    def __init__(self, *chairs):
        super().__init__("en", frozenset(chairs))
        self.heard = []

    def send(self, text):
        self.heard.append(json.loads(text)["chairs"])

    def dismiss(self, text):
        raise AssertionError("nobody ends this")


def test_a_chair_is_held_until_its_last_connection_goes():
    audience, ada, both = Audience(), Ear(1), Ear(1, 2)
    audience.join(ada)
    audience.join(both)
    assert (audience.present, ada.heard, both.heard) == ((1, 2), [[1, 2]], [])
    audience.join(watcher := Ear())
    audience.leave(ada)
    assert (audience.present, watcher.heard, both.heard) == ((1, 2), [], [])
    audience.leave(both)
    assert (audience.present, watcher.heard) == ((), [[]])


def test_a_chair_that_is_taken_or_gone_is_counted_once():
    audience, ada, bo = Audience(), Ear(1), Ear()
    audience.join(ada)
    audience.join(bo)
    audience.hold(bo, 2)
    audience.hold(bo, 2)
    assert (bo.held, audience.present, ada.heard) == ({2}, (1, 2), [[1, 2]])
    audience.keep_chairs({1})
    assert (bo.held, bo.left, audience.present) == (set(), {2}, (1,))
    audience.leave(bo)
    assert audience.present == (1,)


def test_bots_think_for_the_address_of_those_who_play():
    audience, watcher, player = Audience(), Ear(), Ear(1)
    watcher.address, player.address = "192.0.2.1", "192.0.2.2"
    assert audience.address == ""
    audience.join(watcher)
    assert audience.address == "192.0.2.1"
    audience.join(player)
    assert audience.address == "192.0.2.2"
