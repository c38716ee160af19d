"""Luck is 0 on average with any judge; without it, the arena finds the same shares with narrower intervals."""

import random
from collections import defaultdict
from itertools import product

import numpy as np
import pytest
from msgspec.structs import replace

from deadwood import Options
from deadwood.bots.champion import WEIGHTS_VARIABLE, weights_path
from deadwood.engine import rules
from deadwood.engine.actions import Act, Move
from deadwood.engine.chance import FACES, FastDice, ScriptedDice
from deadwood.engine.deck import Card, Deck, Role
from deadwood.engine.table import FACE_DOWN
from deadwood.lab import luck
from deadwood.lab.arena import Contest, Deal, GameResult, play_deal
from deadwood.lab.commands import _can_be_judged
from deadwood.lab.judges import LineupJudge, Panel
from deadwood.lab.lineup import BOTS, new_lineup_weights
from deadwood.lab.luck import Ledger, judges_of, known
from deadwood.lab.ranking import rank, rung
from deadwood.neural.judge import judge_from
from deadwood.neural.shape import Shape
from deadwood.neural.weights_file import save_weights

ONE_DAY = Contest(Options(days=1), seed=3, judged=True)


class Opinionated:
    """One judge, who knows nothing: the chances depend only on dollars and credits."""

    def wins(self, states):
        return [(tuple(map(self._chance, one.players)),) for one in states]

    def _chance(self, player):
        return (3 * player.dollars + 5 * player.credits) % 17 / 17


def before(kind):
    """A state, and an action of this kind that depends on chance there."""
    dice, choose = FastDice(2), random.Random(2)
    state, _ = rules.start(["a", "b"], Options(), dice)
    while True:
        actions = rules.legal_actions(state)
        for action in actions:
            if isinstance(action, kind) and depends_on_chance(state, action):
                return state, action
        state, _ = rules.apply(state, choose.choice(actions), dice)


def depends_on_chance(state, action):
    if isinstance(action, Act):
        return state.shots[state.players[state.active].area] > 1  # no wrap, so only the die counts
    return state.scenes[state.table.area_numbers[action.area]] == FACE_DOWN


class Walker:
    """Somebody's own bot, which the net does not know."""

    def __init__(self, seed=None):
        self._random = random.Random(seed)

    def decide(self, _state, actions):
        return self._random.choice(actions)


WALKER = f"{__name__}:Walker"
QUICK = "deadwood.bots.champion:QuickChampionBot"


def untrained(*bots):
    """The champion, and a judge that knows who sits where but has learned nothing."""
    weights = new_lineup_weights(1, Shape(32, 16, 1))
    weights["future_out"] = 100 * weights["future_out"]  # it has strong opinions
    return Panel(judge_from(weights_path()), LineupJudge(weights, [BOTS.index(bot) for bot in bots]))


def luck_of(state, action, dice, judges):
    ledger = Ledger(1, judges)
    ledger(state, action, rules.apply(state, action, dice)[0])
    return ledger.luck


JUDGES = [Opinionated(), untrained("star", "regular")]


@pytest.mark.parametrize("judges", JUDGES)
def test_the_luck_of_a_die_is_0_on_average(judges):
    state, action = before(Act)
    found = [luck_of(state, action, ScriptedDice([face]), judges) for face in range(1, FACES + 1)]
    assert np.allclose(np.mean(found, axis=0), 0, atol=1e-6)
    assert np.any(found, axis=(0, 2)).all()  # for every judge


@pytest.mark.parametrize("judges", JUDGES)
def test_the_luck_of_a_card_is_0_on_average(judges, monkeypatch):
    monkeypatch.setattr(luck, "CARDS", 60)  # all of them
    monkeypatch.setattr(Opinionated, "_chance", lambda _self, player: player.area / 20)
    state, action = before(Move)
    found = [luck_of(state, action, ScriptedDice([card]), judges) for card in range(len(state.unseen))]
    assert np.allclose(np.mean(found, axis=0), 0, atol=1e-6)


def test_actions_without_chance_involve_no_luck():
    state, _ = rules.start(["a", "b"], Options(), FastDice(1))
    ledger = Ledger(1, Opinionated())
    for action in rules.legal_actions(state):
        if not isinstance(action, Move):
            ledger(state, action, rules.apply(state, action, FastDice(1))[0])
    assert ledger.luck == ()


def test_the_net_knows_our_bots_and_what_varies_them():
    assert [known(bot) for bot in BOTS] == list(BOTS)
    assert known(QUICK) == known("deadwood.bots.champion:ChampionBot") == "champion"
    assert known("deadwood.bots.hopeful:HopefulBot") == "hopeful"
    assert known(WALKER) == "star"


@pytest.mark.parametrize("about", [None, {"bots": ["somebody"]}])
def test_without_a_net_that_knows_them_the_champion_judges_alone(monkeypatch, tmp_path, about):
    state, _ = rules.start(["a", "b"], Options(), FastDice(1))
    if about:
        save_weights(tmp_path / "none.npz", new_lineup_weights(1, Shape(32, 16, 1)), about)
    both, champion = judges_of(("star", WALKER)).wins([state])[0], judge_from(weights_path()).judge([state])[0]
    monkeypatch.setattr(luck, "LINEUPS", tmp_path / "none.npz")
    assert judges_of(("star", WALKER)).wins([state]) == [(champion.wins,)]
    assert (both[0], len(both)) == (champion.wins, 2)
    assert luck.problem().startswith("Only the champion judges luck. ")


def test_luck_is_not_measured_with_unusable_weights(monkeypatch, tmp_path):
    assert luck.problem() is None
    assert _can_be_judged(ONE_DAY)
    (tmp_path / "broken.npz").write_text("no weights")
    monkeypatch.setenv(WEIGHTS_VARIABLE, str(tmp_path / "broken.npz"))
    assert not _can_be_judged(ONE_DAY)
    assert luck.problem() == f"Luck is not measured. {tmp_path / 'broken.npz'} is not a file of weights."


def test_a_judge_is_told_who_sits_where(monkeypatch, tmp_path):
    save_weights(tmp_path / "lineups.npz", new_lineup_weights(1, Shape(32, 16, 1)), {"bots": BOTS})
    monkeypatch.setattr(luck, "LINEUPS", tmp_path / "lineups.npz")
    state, _ = rules.start(["a", "b"], Options(first="a"), FastDice(1))
    lineups = [("star", "regular"), ("regular", "star"), (WALKER, "regular"), (QUICK, "champion")]
    first, second, third, fourth = (judges_of(seats).wins([state])[0][1] for seats in lineups)
    assert first == third
    assert len({first, second, fourth}) == 3


def test_any_net_agrees_with_plain_counting(monkeypatch, tmp_path):
    """One that has learned nothing leaves the share as it is; it only cannot make it more certain."""
    save_weights(tmp_path / "lineups.npz", new_lineup_weights(1, Shape(32, 16, 1)), {"bots": BOTS})
    monkeypatch.setattr(luck, "LINEUPS", tmp_path / "lineups.npz")
    played = [result for number in range(20) for result in play_deal(ONE_DAY, Deal(number, ("extra", WALKER)))]
    step = rung("extra", WALKER, played)
    assert step.share.low < step.adjusted.share.share < step.share.high
    assert all(sum(luck) == pytest.approx(0, abs=1e-5) for result in played for luck in result.luck)
    assert all(any(luck) for result in played for luck in result.luck)


@pytest.fixture(scope="module")
def results():
    return [result for number in range(24) for result in play_deal(ONE_DAY, Deal(number, ("star", "regular")))]


def test_shares_without_luck_agree_with_plain_ones_and_are_more_certain(results):
    line = next(line for line in rank(results).lines if line.bot == "star")
    step = rung("star", "regular", results)
    for found in (line, step):
        share = found.adjusted.share
        assert found.adjusted.games > 2
        assert share.share == pytest.approx(regressed("star", results))
        assert share.low < share.share < share.high
        assert share.high - share.low < found.share.high - found.share.low
        assert found.share.low < share.share < found.share.high


def regressed(bot, results):
    """How often a bot would win without luck: the constant of a regression over deals."""
    deals = defaultdict(list)
    for one in results:
        seat = one.seats.index(bot)
        deals[one.deal].append([one.won[seat], *(by_seat[seat] for by_seat in one.luck)])
    won, *luck = np.mean(list(deals.values()), axis=1).T
    return np.linalg.lstsq(np.transpose([np.ones(len(won)), *luck]), won, rcond=None)[0][0]


def test_luck_is_0_on_average_in_whole_games(results):
    by_game = np.array([[result.luck for result in results if result.deal == deal] for deal in range(24)])
    by_deal = by_game[..., 0].mean(axis=1)  # of the first seat, by judge
    assert (abs(by_deal.mean(axis=0)) < 3 * by_deal.std(axis=0, ddof=1) / len(by_deal) ** 0.5).all()


def test_without_a_judge_nothing_is_adjusted(results):
    unjudged = [replace(result, luck=()) for result in results]
    assert rung("star", "regular", unjudged).adjusted is None
    assert all(line.adjusted is None for line in rank(unjudged).lines)


def test_tables_that_the_champion_does_not_know_are_not_judged():
    assert _can_be_judged(ONE_DAY)
    role = Role(1, "Somebody", "So be it.")
    cards = (
        Card(number, f"Scene {number}", number, "Something happens.", 3, (replace(role, name=f"Role {number}"),))
        for number in range(1, 71)
    )
    assert not _can_be_judged(replace(ONE_DAY, deck=Deck("large", tuple(cards))))


def made_up(deal, seats, won, chance, noise):
    """A result in which luck partly decides who wins; the second judge is often wrong about it."""
    luck = ((chance, -chance), (0.5 * chance + noise, -0.5 * chance - noise))
    return GameResult(deal, seats, (1, 2), won, (0, 0), False, (1, 1), (0.0, 0.0), luck)


def test_judges_that_err_in_opposite_ways_explain_more_together():
    chance, games = random.Random(1), []
    for deal, first in product(range(60), (True, False)):
        good, error = chance.choice((-0.4, 0.4)), chance.gauss(0, 1)
        own = float(chance.random() < 0.5 + good)
        luck = tuple((one, -one) for one in (good + error, good - error))
        seats, won = ("a", "b"), (own, 1 - own)
        if not first:
            seats, won, luck = seats[::-1], won[::-1], tuple(one[::-1] for one in luck)
        games.append(replace(made_up(deal, seats, won, 0, 0), luck=luck))
    assert rung("a", "b", games).adjusted.games > 2
    for judge in (0, 1):
        alone = [replace(game, luck=(game.luck[judge],)) for game in games]
        assert rung("a", "b", alone).adjusted.games < 1.3


def test_intervals_cover_the_truth():
    """For a bot that wins 60% of games, mostly by luck, 95% of intervals contain 0.6."""
    chance, covered, tries = random.Random(1), 0, 400
    for _ in range(tries):
        games = []
        for deal, seats in product(range(60), (("a", "b"), ("b", "a"))):
            good = chance.choice((-0.4, 0.4))
            won = float(chance.random() < 0.6 + good)
            first = seats[0] == "a"
            wins, noise = (won, 1 - won) if first else (1 - won, won), chance.gauss(0, 0.2)
            games.append(made_up(deal, seats, wins, good if first else -good, noise))
        share = rung("a", "b", games).adjusted.share
        covered += share.low <= 0.6 <= share.high
    assert 0.92 < covered / tries < 0.98
