"""The champion: deterministic, offered only with weights, with chances for everybody and reasons in words.

Holds `bots.follow_up`.
"""

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
from deadwood.bots.follow_up import follow_ups
from deadwood.encoding import EncodingError, number_of
from deadwood.engine import rules
from deadwood.engine.actions import ACT, END_TURN, REHEARSE, EndTurn, Move, Upgrade
from deadwood.engine.chance import FastDice
from deadwood.engine.deck import Card, Deck, Role
from deadwood.engine.odds import success_chance
from deadwood.engine.scoring import scores, win_shares
from deadwood.engine.table import FACE_DOWN
from deadwood.narration import BotReason, languages
from deadwood.neural.judge import Judgement, judge_from
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


def test_the_champion_is_offered_with_weights(registered):
    assert bots.names() == ("champion",)
    assert bots.level("champion") == 5


def test_the_champion_is_not_offered_without_weights(registered, monkeypatch, tmp_path):
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


def test_the_outlook_of_a_finished_game_is_its_result():
    dice = FastDice(1)
    state, _ = rules.start(["a", "b"], Options(days=1), dice)
    choose = random.Random(1)
    while not state.over:
        state, _ = rules.apply(state, choose.choice(rules.legal_actions(state)), dice)
    outlook = ChampionBot(1).outlook(state)
    assert tuple(one.chance for one in outlook) == win_shares(state)
    assert tuple(one.score for one in outlook) == scores(state)


@given(positions())
def test_branch_probabilities_sum_to_one(state):
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
        chance = one.reason.values["chance"]
        cost = 100 * (best.value - chance)
        others = "champion_instead" if cost >= 0.05 else "champion_equal" if cost > -0.05 else "champion_doubted"
        assert one.reason.key == ("champion" if one is best else others)
        for language in languages():
            text = narrate(one.reason, language).replace(",", ".").replace("\N{NO-BREAK SPACE}", "")
            assert f"{chance:.1%}" in text
            if others != "champion_equal" and one is not best:
                assert f"{abs(cost):.1f}" in text


class Opinions:
    """A judge with one opinion of a position before the player moved, and chances by area for what follows."""

    def __init__(self, likes, chances):
        self._likes, self._chances = likes, chances

    def judge(self, states):
        return [self._judged(one) for one in states]

    def _judged(self, one):
        policy = np.full(32, 0.001, np.float32)
        for action in rules.legal_actions(one):
            if action in self._likes:
                policy[number_of(action, one.table)] = 1 - self._likes.index(action) / 10
        chance = self._chances.get(one.table.area_ids[one.players[one.active].area], 0.1)
        wins = [0.0] * len(one.players)
        wins[one.active] = chance
        return Judgement(policy, tuple(wins), (0.0,) * len(one.players))


@pytest.mark.parametrize(
    ("chance", "key", "sentence"),
    [
        (0.3, "champion_instead", "30.0% to win, 10.0 percentage points below the best action"),
        (0.4002, "champion_equal", "40.0% to win, about as good as the best action"),
        (0.45, "champion_doubted", "45.0% to win, 5.0 percentage points above the best action by this estimate, but"),
    ],
)
def test_an_action_that_it_would_not_play_keeps_its_chance(monkeypatch, chance, key, sentence):
    """The net finds all others too unlikely to search them, whatever their chances are."""
    state = new_game(2, first="0").state
    chosen, other = [one for one in rules.legal_actions(state) if isinstance(one, Move)][:2]
    judge = Opinions([chosen], {chosen.area: 0.4, other.area: chance})
    monkeypatch.setattr(champion, "_judge", lambda: judge)
    advice = {one.action: one for one in ChampionBot(1).explain(state, rules.legal_actions(state))}
    assert advice[other].reason.key == key
    assert narrate(advice[other].reason).startswith(sentence)
    assert advice[other].reason.values["chance"] == pytest.approx(chance)
    assert advice[other].value == pytest.approx(min(chance, 0.4))
    assert "Siegchance" in narrate(advice[other].reason, "de")


def test_its_reasons_are_its_own_plans(monkeypatch):
    """Its net likes to go next door first, and then to a place two moves away, the only one with an unseen card."""
    state = new_game(2, first="0").state
    here, distances = state.players[0].area, state.table.distances
    goal = next(area for area, far in enumerate(distances[here]) if far == 2 and state.scenes[area] == FACE_DOWN)
    door = next(area for area, far in enumerate(distances[here]) if far == 1 and distances[area][goal] == 1)
    cards = iter(range(len(state.scenes)))
    shown = [next(cards) if scene == FACE_DOWN and area != goal else scene for area, scene in enumerate(state.scenes)]
    state = replace(state, scenes=tuple(shown))
    first, then = (Move(state.table.area_ids[area]) for area in (door, goal))
    judge = Opinions([then, first, END_TURN], {})
    found = follow_ups(judge, state, [first, END_TURN])
    assert found == [BotReason("plan_card", {"area": state.table.areas[goal].name})] * 2
    monkeypatch.setattr(champion, "_judge", lambda: judge)
    advice = ChampionBot(1).explain(state, rules.legal_actions(state))
    assert all(one.reason.values["because"].key.startswith("plan_") for one in advice)


def test_the_plans_of_the_champion_end_somewhere():
    """With the weights that ship, in all positions of a game, and in words."""
    judge, seen = judge_from(champion.OWN_WEIGHTS), set()
    game = Game.new(["Ada", "Bo"], seed=1)
    bot = bots.make("regular", 1)
    while not game.over:
        actions = [one for one in game.legal_actions() if isinstance(one, Move | Upgrade | EndTurn)]
        for reason in follow_ups(judge, game.state, actions):
            seen.add(reason.key)
            assert all("{" not in narrate(reason, language) for language in languages())
        game.play(bot.decide(game.state, game.legal_actions()))
    assert seen >= {"plan_role", "plan_card", "plan_rank"}


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


def test_at_a_tiny_temperature_it_takes_what_the_net_likes_best():
    cold, quick = ChampionBot(1), QuickChampionBot(1)
    for temperature in (1e-9, 1e-300):
        cold.temperature = temperature
        assert decided(cold, 5) == decided(quick, 5)


@pytest.mark.parametrize("temperature", [-1.0, float("nan")])
def test_a_temperature_below_0_is_refused(temperature):
    with pytest.raises(ValueError, match="A temperature is 0 or more, not"):
        ChampionBot(1).temperature = temperature


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
