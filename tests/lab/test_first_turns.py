"""What the champion thinks of first turns: every card counts as often as it comes up, and nothing is drawn."""

import numpy as np
import pytest

from deadwood import Options
from deadwood.bots.champion import WEIGHTS_VARIABLE, ChampionBot
from deadwood.engine import rules
from deadwood.engine.actions import END_TURN, Move, TakeRole
from deadwood.engine.chance import FastDice, ScriptedDice
from deadwood.engine.options import PLAYERS
from deadwood.lab.first_turns import FirstTurn, game_options, judged, openings
from deadwood.lab.playing import seat_name
from deadwood.neural.judge import Judgement


def new_game(players=2, **options):
    names = [seat_name(seat) for seat in range(players)]
    return rules.start(names, game_options(Options(**options)), FastDice(0))[0]


class Casting:
    """A judge that counts only the first player's role: 0.9 for a starring one, 0.5 for an extra one, 0.1 for none."""

    def judge(self, states):
        return [Judgement(np.zeros(1), (self._chance(one.players[0]), 0.0), ()) for one in states]

    def _chance(self, player):
        return 0.1 if player.role is None else 0.9 if player.starring else 0.5


def share_with_a_star(state):
    """The share of the unseen cards that have a starring role for rank 1."""
    cards = [state.table.cards[index] for index in state.unseen]
    return sum(min(role.rank for role in card.roles) == 1 for card in cards) / len(cards)


def test_every_turn_has_its_mean_over_the_cards_that_allow_it():
    state = new_game()
    found = judged(state, Casting())
    stars = share_with_a_star(state)
    assert 0 < stars < 1
    assert found.turns[FirstTurn("saloon", "star")] == pytest.approx((0.9, stars))
    assert found.turns[FirstTurn("saloon", "extra", 1)] == pytest.approx((0.5, 1))
    assert found.turns[FirstTurn("saloon")] == pytest.approx((0.1, 1))
    assert found.turns[FirstTurn()] == pytest.approx((0.1, 1))
    assert found.stay == pytest.approx(0.1)


def test_a_place_is_worth_the_best_that_each_card_allows():
    state = new_game()
    found = judged(state, Casting())
    stars = share_with_a_star(state)
    assert set(found.places) == {"main-street", "saloon", "hotel"}
    assert found.places["hotel"] == pytest.approx((0.9 * stars + 0.5 * (1 - stars), 1))
    by_budget = [one for (place, _), one in found.budgets.items() if place == "hotel"]
    assert sum(one.possible for one in by_budget) == pytest.approx(1)
    assert sum(one.chance * one.possible for one in by_budget) == pytest.approx(found.places["hotel"].chance)


def test_a_turn_is_worth_what_the_champion_says_of_the_states_after_it():
    state, bot = new_game(3), ChampionBot(1)
    chances = []
    for card in range(len(state.unseen)):
        there, _ = rules.apply(state, Move("hotel"), ScriptedDice([card]))
        after, _ = rules.apply(there, TakeRole("extra", 1), FastDice(0))
        chances.append(bot.outlook(after)[0].chance)
    found = openings(Options(), 3)
    assert found.turns[FirstTurn("hotel", "extra", 1)].chance == pytest.approx(np.mean(chances), abs=1e-5)
    stayed, _ = rules.apply(state, END_TURN, FastDice(0))
    assert found.stay == pytest.approx(bot.outlook(stayed)[0].chance, abs=1e-5)


@pytest.mark.parametrize("players", PLAYERS)
def test_going_to_work_is_better_than_staying_at_every_table(players):
    found = openings(Options(), players)
    assert all(one.chance > found.stay for one in found.places.values())
    assert found.places[found.best_place].chance > 1 / players > found.stay


def test_openings_ignore_random_layouts_and_first_players():
    drawn = openings(Options(layout="random", first="random"), 2)
    assert drawn == openings(Options(first="Seat 2"), 2)


def test_without_a_champion_there_is_no_opinion(monkeypatch, tmp_path):
    monkeypatch.setenv(WEIGHTS_VARIABLE, str(tmp_path / "nothing.npz"))
    assert openings(Options(), 2) is None
