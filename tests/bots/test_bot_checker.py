"""`check_bot`: our own bots pass, and it says what is wrong with others."""

import pytest

from deadwood import bots
from deadwood.bots import bot_checker
from deadwood.engine.actions import Upgrade
from deadwood.engine.options import PLAYERS

TABLES = len(PLAYERS) * len(bot_checker.TABLES)


@pytest.mark.parametrize("name", bots.names())
def test_our_bots_can_play_at_any_table(name):
    assert bots.check_bot(name) == []


def test_problems_of_a_bot_are_reported():
    class Cheat:
        def decide(self, state, actions):
            return Upgrade(6, "dollars")

    class Broken:
        def decide(self, state, actions):
            raise ZeroDivisionError

    class Moody:
        made = 0

        def __init__(self):
            Moody.made += 1
            self._mood = Moody.made

        def decide(self, state, actions):
            return actions[(self._mood * len(state.unseen)) % len(actions)]

    cheating, broken, moody = (bots.check_bot(bot) for bot in (lambda seed: Cheat(), Broken(), lambda seed: Moody()))
    assert len(cheating) == len(broken) == TABLES
    assert all("The bot 'Cheat' chose Upgrade(rank=6, currency='dollars'), which is not one" in one for one in cheating)
    assert all("The bot 'Broken' raised ZeroDivisionError()." in problem for problem in broken)
    assert any("With the same seed the bot decided differently." in problem for problem in moody)


@pytest.mark.parametrize(
    ("bot", "problem"),
    [
        ("genius", "The bot could not be made with a seed: BotUnknown"),
        (lambda: None, "The bot could not be made with a seed: TypeError"),
        (lambda seed: 7, "7 has no decide"),
    ],
)
def test_a_bot_that_cannot_be_made_is_reported(bot, problem):
    assert bots.check_bot(bot)[0].startswith(problem)


def test_levels_and_explanations_are_checked_too():
    class Boaster(type(bots.make("random"))):
        level = "high"

        def explain(self, state, actions):
            return super().explain(state, actions[:1])

    class Moot(type(bots.make("random"))):
        def explain(self, state, actions):
            raise LookupError("no idea")

    problems = bots.check_bot(Boaster)
    assert problems[0] == "Its level is not a whole number."
    assert "The bot explained 1 actions, but" in problems[1]
    assert "The bot 'Moot' could not explain itself: LookupError('no idea')." in bots.check_bot(Moot)[0]
