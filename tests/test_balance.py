"""How decks play."""

from fractions import Fraction

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from deadwood.balance import card_balance, deck_balance, play_trial, trial_days
from deadwood.cli import main
from deadwood.engine.board import built_in_board
from deadwood.engine.deck import Card, Deck, Role, built_in_deck
from deadwood.engine.loading import DATA
from deadwood.engine.odds import dealt_dice, expectation
from deadwood.engine.options import Purse
from deadwood.engine.refusal import SetupError
from deadwood.engine.table import most_days

CLASSIC = built_in_deck("classic")


def card_with(budget: int, *ranks: int) -> Card:
    roles = tuple(Role(rank, f"role {rank}", "Howdy.") for rank in ranks)
    return Card(1, "A Card", 1, "Nothing happens.", budget, roles)


def test_a_role_is_worth_its_chance_its_pay_and_its_dice():
    """R6.1, R6.2 and R7.2: two dice for two roles, the better one to the role on the right."""
    left, right = card_balance(card_with(2, 1, 5))
    assert left.chance == right.chance == pytest.approx(5 / 6)
    assert left.success == Purse(0, 2)
    assert left.failure == Purse(0, 0)
    assert right.bonus == pytest.approx(161 / 36)
    assert left.bonus == pytest.approx(91 / 36)


@pytest.mark.parametrize("card", CLASSIC.cards, ids=lambda card: card.title)
def test_the_bonuses_of_a_card_are_all_its_dice(card):
    assert sum(role.bonus for role in card_balance(card)) == pytest.approx(3.5 * card.budget)
    best = expectation(dealt_dice(card.budget, len(card.roles), 0))
    assert card_balance(card)[-1].bonus == pytest.approx(float(best))
    assert isinstance(best, Fraction)


def test_averages_by_rank_count_every_role():
    balance = deck_balance(CLASSIC)
    assert sum(rank.roles for rank in balance.ranks) == sum(len(card.roles) for card in CLASSIC.cards)
    assert sum(balance.budgets.values()) == len(CLASSIC.cards)
    assert list(balance.budgets) == sorted(balance.budgets)


def test_a_trial_lasts_as_long_as_the_deck_has_cards():
    """R2.5: ten cards a day."""
    assert trial_days(CLASSIC) == trial_days(built_in_deck("studio")) == 4
    assert trial_days(replace(CLASSIC, cards=CLASSIC.cards[:39])) == 3
    small = replace(CLASSIC, cards=CLASSIC.cards[:9])
    assert (trial_days(small), most_days(small)) == (1, 0)
    assert most_days(CLASSIC) == len(CLASSIC.cards) // len(built_in_board().sets)
    with pytest.raises(SetupError, match="deck too small"):
        play_trial(small, 1, range(1))


def test_a_trial_counts_its_games_and_is_the_same_again():
    trial = play_trial(CLASSIC, 4, range(3, 8))
    assert trial == play_trial(CLASSIC, 4, range(3, 8))
    assert trial.games == 5
    assert trial.days == 4
    assert trial.players == 4
    assert trial.wraps == sum(card.wrapped for card in trial.cards.values()) == 5 * 4 * 9  # R9.1: one scene is left
    assert 0 < sum(card.bonus for card in trial.cards.values()) <= trial.bonus
    assert trial.acts > trial.successes > trial.wraps > 0
    assert trial.points >= trial.winner_points > 0


def test_parts_of_a_trial_add_up():
    whole, first, second = (play_trial(CLASSIC, 1, games) for games in (range(4), range(2), range(2, 4)))
    assert whole.points == first.points + second.points
    assert whole.cards[7].taken == first.cards[7].taken + second.cards[7].taken


def test_easier_scenes_pay_more():
    easy = Deck("easy", tuple(replace(card, budget=2) for card in CLASSIC.cards))
    hard = Deck("hard", tuple(replace(card, budget=6) for card in CLASSIC.cards))
    chances = [trial.successes / trial.acts for trial in (play_trial(deck, 4, range(5)) for deck in (easy, hard))]
    assert chances[0] > chances[1]


def test_decks_are_compared_on_the_command_line():
    studio = str(DATA / "studio.toml")
    done = CliRunner().invoke(main, ["deck", "compare", studio, "--games", "5"])
    assert done.exit_code == 0, done.output
    assert "5 games of 4 days with each deck, all seats played by extra." in done.output
    assert "Acts that succeed" in done.output
    wrong = CliRunner().invoke(main, ["deck", "compare", studio, "--bot", "nobody"])
    assert wrong.exit_code == 2
    assert "nobody" in wrong.output
