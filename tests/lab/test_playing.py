"""One game, played and measured: its row says what happened.

Holds `lab.frames`, `lab.measuring` and `lab.rows`.
"""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deadwood import load_deck
from deadwood.bots import BotFailed
from deadwood.engine.board import built_in_board
from deadwood.engine.loading import DATA
from deadwood.engine.options import POINTS_PER_RANK, Options, beginning
from deadwood.lab.frames import DECISIONS, GAMES, decisions_frame, games_frame
from deadwood.lab.playing import Plan, SplitDice, play_games, stream

from ..strategies import options

bots = st.sampled_from(["random", "extra", "hopeful", "regular"])


class Stubborn:
    """Only ever ends its turn."""

    def __init__(self, seed=None):
        pass

    def decide(self, state, actions):
        return actions[-1]


class Broken(Stubborn):
    def decide(self, state, actions):
        raise ZeroDivisionError("no idea")


@settings(max_examples=25)
@given(st.lists(bots, min_size=2, max_size=8), options, st.integers(0, 2**32))
def test_a_row_adds_up(seats, chosen, seed):
    rows, decisions = play_games(Plan(seats=tuple(seats), options=chosen, seed=seed, decisions=True), [7])
    (row,) = rows
    start = beginning(len(seats))
    for seat in range(len(seats)):
        jobs = [job for job in row.jobs if job.seat == seat]
        bought = [one for one in row.promotions if one.seat == seat]
        dollars = sum(job.dollars + job.bonus for job in jobs)
        credits = start.credits + sum(job.credits for job in jobs)
        assert row.dollars[seat] == dollars - sum(one.price for one in bought if one.currency == "dollars")
        assert row.credits[seat] == credits - sum(one.price for one in bought if one.currency == "credits")
        assert row.ranks[seat] == (bought[-1].rank if bought else start.rank)
        assert row.scores[seat] == row.dollars[seat] + row.credits[seat] + POINTS_PER_RANK * row.ranks[seat]
    assert sum(row.act_dice) == sum(job.acts for job in row.jobs)
    assert sum(row.won) == pytest.approx(0 if row.cut_off else 1)
    assert sum(row.turns) == sum(row.day_turns)
    assert len(row.day_turns) == row.days or row.cut_off
    assert row.decisions == len(decisions)
    assert {one.seat for one in decisions} <= set(range(len(seats)))


def test_every_turn_counts_for_the_one_who_had_it():
    """Each turn ends with exactly one action that ends it (R3.2)."""
    rows, decisions = play_games(Plan(seats=("regular",) * 3, decisions=True), range(4))
    for row in rows:
        own = [one for one in decisions if one.game == row.game]
        ends = Counter(one.seat for one in own if one.action.split()[0] in ("act", "rehearse", "take", "end"))
        assert row.turns == [ends[seat] for seat in range(3)]
        assert sum(job.acts for job in row.jobs) == sum(one.action == "act" for one in own)
        assert sum(job.end == "wrapped" for job in row.jobs) > 0


def test_every_game_has_its_own_cards_and_bots():
    rows, _ = play_games(Plan(seats=("random", "random"), seed=1), range(3))
    assert len({tuple(row.scores) for row in rows}) > 1
    assert play_games(Plan(seats=("random", "random"), seed=1), [2])[0] == [rows[2]]
    assert play_games(Plan(seats=("random", "random"), seed=2), [2])[0] != [rows[2]]


def test_the_same_seed_turns_the_same_cards_however_often_is_rolled():
    one, other = SplitDice(5), SplitDice(5)
    other.roll(3)
    assert [one.pick(40) for _ in range(9)] == [other.pick(40) for _ in range(9)]
    assert one.copy().pick(1000) == one.pick(1000)
    assert stream(1, "a") != stream(1, "b")


def test_a_game_that_does_not_end_is_cut_off():
    (row,), _ = play_games(Plan(seats=("tests.lab.test_playing:Stubborn", "random"), limit=50), [0])
    assert row.cut_off
    assert row.decisions == 50
    assert row.won == [0.0, 0.0]
    assert sum(row.day_turns) == sum(row.turns)


def test_a_bot_that_fails_is_named():
    with pytest.raises(BotFailed, match=r"Game 3, decision \d+: The bot '.*Broken' raised Zero.*'no idea'"):
        play_games(Plan(seats=("tests.lab.test_playing:Broken", "random")), [3])


def test_a_custom_deck():
    deck = load_deck(DATA / "studio.toml")
    (row,), _ = play_games(Plan(seats=("extra", "extra"), deck=deck, board=built_in_board()), [0])
    assert row.deck == "studio"


def test_rows_as_tables():
    rows, decisions = play_games(Plan(seats=("extra", "random"), options=Options(days=1), decisions=True), range(2))
    games = games_frame(rows)
    assert dict(games.schema) == GAMES
    assert games["scores"].to_list() == [row.scores for row in rows]
    assert games["jobs"].list.len().to_list() == [len(row.jobs) for row in rows]
    assert dict(decisions_frame(decisions).schema) == DECISIONS
    assert games_frame([]).is_empty()
