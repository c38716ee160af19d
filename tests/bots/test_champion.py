"""The champion: deterministic, offered only with weights, with chances for everybody and reasons in words."""

import hashlib
import os
import random
import subprocess
import sys
from functools import cache
from importlib.metadata import EntryPoint

import numpy as np
import pytest
from hypothesis import given
from msgspec.structs import replace

from deadwood import Game, Options, bots, narrate
from deadwood.bots import champion, registry
from deadwood.bots.champion import ChampionBot, Ply, QuickChampionBot
from deadwood.encoding import EncodingError
from deadwood.engine import rules
from deadwood.engine.actions import ACT, REHEARSE, Move
from deadwood.engine.chance import FastDice
from deadwood.engine.deck import Card, Deck, Role
from deadwood.engine.odds import success_chance
from deadwood.engine.scoring import scores, win_shares
from deadwood.narration import languages
from deadwood.neural.judge import Judgement
from deadwood.neural.net import new_weights
from deadwood.neural.shape import Shape
from deadwood.neural.weights_file import WeightsUnusable, save_weights

from ..strategies import positions


@pytest.fixture(scope="module")
def weights(tmp_path_factory):
    """The weights of an untrained net, with clear opinions."""
    path = tmp_path_factory.mktemp("champion") / "weights.npz"
    save_weights(path, {name: 3 * values for name, values in new_weights(1, Shape(32, 16, 1)).items()}, {})
    return path


@pytest.fixture(autouse=True)
def named(weights, monkeypatch):
    monkeypatch.setenv(champion.WEIGHTS_VARIABLE, str(weights))


@pytest.fixture
def registered(monkeypatch):
    """The champion, as if it were the only bot installed."""
    entry = EntryPoint("champion", "deadwood.bots.champion:ChampionBot", registry.GROUP)
    monkeypatch.setattr(registry, "entry_points", lambda group: [entry])
    monkeypatch.setattr(registry, "_found", cache(registry._found.__wrapped__))


def test_it_is_offered_with_weights(registered):
    assert bots.names() == ("champion",)
    assert bots.level("champion") == 5


def test_without_weights_it_is_not_offered(registered, monkeypatch, tmp_path):
    monkeypatch.setenv(champion.WEIGHTS_VARIABLE, str(tmp_path / "none.npz"))
    assert bots.names() == ()
    with pytest.raises(WeightsUnusable, match=r"There is no file .*none.npz"):
        ChampionBot(1).outlook(new_game().state)


def test_without_numpy_it_is_not_offered(registered, monkeypatch):
    monkeypatch.setattr(champion, "find_spec", lambda _name: None)
    assert bots.names() == ()


def test_importing_it_does_not_load_numpy():
    code = "import sys, deadwood.bots.champion; print('numpy' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8")
    assert found.stdout.strip() == "False"


def new_game(players=3, **options):
    return Game.new([str(seat) for seat in range(players)], Options(**options), seed=4)


@given(positions())
def test_everybody_has_a_chance_and_a_score(state):
    outlook = ChampionBot(1).outlook(state)
    assert len(outlook) == len(state.players)
    assert sum(one.chance for one in outlook) == pytest.approx(1, abs=1e-4)
    assert all(0 <= one.chance <= 1 for one in outlook)


def test_of_a_finished_game_it_says_what_happened():
    dice = FastDice(1)
    state, _ = rules.start(["a", "b"], Options(days=1), dice)
    choose = random.Random(1)
    while not state.over:
        state, _ = rules.apply(state, choose.choice(rules.legal_actions(state)), dice)
    outlook = ChampionBot(1).outlook(state)
    assert tuple(one.chance for one in outlook) == win_shares(state)
    assert tuple(one.score for one in outlook) == scores(state)


@given(positions())
def test_all_that_may_come_up_is_likely_in_sum(state):
    actions = rules.legal_actions(state)
    branches = list(Ply(state, random.Random(1)).branches(actions))
    for action in actions:
        assert sum(one.likely for one in branches if one.action == action) == pytest.approx(1)


def at_work():
    """A position in which the active player may act or rehearse."""
    dice, choose = FastDice(1), random.Random(1)
    state, _ = rules.start(["a", "b"], Options(), dice)
    while rules.legal_actions(state) != (ACT, REHEARSE):
        state, _ = rules.apply(state, choose.choice(rules.legal_actions(state)), dice)
    return state


def test_dice_are_exact():
    state = at_work()
    player = state.players[state.active]
    branches = list(Ply(state, random.Random(1)).branches([ACT]))
    failed = [one.likely for one in branches if one.state.shots == state.shots]
    chance = success_chance(state.card(player.area).budget, player.chips)
    assert sum(failed) == pytest.approx(1 - float(chance))


def test_the_explanation_names_the_best_action_and_what_the_others_cost():
    state = new_game().state
    advice = ChampionBot(1).explain(state, rules.legal_actions(state))
    assert {one.action for one in advice} == set(rules.legal_actions(state))
    best = advice[0]
    assert best.action == ChampionBot(1).decide(state, rules.legal_actions(state))
    assert best.value == max(one.value for one in advice)
    for one in advice:
        assert one.reason.key == ("champion" if one is best else "champion_instead")
        for language in languages():
            text = narrate(one.reason, language).replace(",", ".").replace("\N{NO-BREAK SPACE}", "")
            assert f"{one.value:.1%}" in text
            if one is not best:
                assert f"{100 * (best.value - one.value):.1f}" in text


def decided(bot, decisions=60):
    game = new_game(4, layout="random")
    made = []
    for _ in range(decisions):
        action = bot.decide(game.state, game.legal_actions())
        made.append(repr(action))
        game.play(action)
    return made


def test_a_temperature_makes_it_play_differently():
    cool, hot = ChampionBot(1), ChampionBot(1)
    hot.temperature = 5.0
    assert decided(cool) != decided(hot)


GAME = """
import hashlib
from deadwood import Game
from deadwood.bots.champion import ChampionBot
game = Game.new(["Ada", "Bo", "Cy"], seed=4)
players = [ChampionBot(seed) for seed in range(3)]
while not game.over and len(game.steps) < 150:
    game.play(players[game.state.active].decide(game.state, game.legal_actions()))
print(hashlib.sha256(game.record().encode()).hexdigest())
"""


def test_the_same_seed_makes_the_same_game_in_any_process():
    def played(hash_seed):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
        result = subprocess.run(
            [sys.executable, "-c", GAME], env=environment, capture_output=True, check=True, encoding="utf-8"
        )
        return result.stdout

    assert played("1") == played("2")
    assert len(played("1").strip()) == hashlib.sha256().digest_size * 2


def test_at_a_table_that_the_net_cannot_see_it_plays_like_star():
    state, _ = rules.start(["a", "b"], Options(), FastDice(1), deck=many_cards(70))
    actions = rules.legal_actions(state)
    assert ChampionBot(3).decide(state, actions) == bots.make("star", 3).decide(state, actions)
    assert len(ChampionBot(3).explain(state, actions)) == len(actions)


def test_at_a_table_that_the_net_cannot_see_it_has_no_outlook():
    state, _ = rules.start(["a", "b"], Options(), FastDice(1), deck=many_cards(70))
    with pytest.raises(EncodingError, match="not of 70"):
        ChampionBot(3).outlook(state)


def many_cards(count):
    """A deck that is larger than the encoding has room for."""
    role = Role(1, "Somebody", "So be it.")
    cards = (
        Card(number, f"Card {number}", number, "Somebody does something.", 3, (replace(role, name=f"Role {number}"),))
        for number in range(1, count + 1)
    )
    return Deck("many", tuple(cards))


def test_its_search_takes_what_the_net_values_most(monkeypatch):
    """With a judge that values only one area, it walks there."""
    state = new_game(2, first="0").state
    wanted = next(one for one in rules.legal_actions(state) if isinstance(one, Move))
    goal = state.table.area_numbers[wanted.area]

    class Fake:
        def judge(self, states):
            return [self._judged(one) for one in states]

        def _judged(self, one):
            chance = float(one.players[0].area == goal)
            return Judgement(np.full(32, 0.2), (chance, 1 - chance), (0.0, 0.0))

    monkeypatch.setattr(champion, "_judge", Fake)
    actions = rules.legal_actions(state)
    assert ChampionBot(1).decide(state, actions) == wanted
    assert QuickChampionBot(1).decide(state, actions) == actions[0]  # its net likes all of them equally
