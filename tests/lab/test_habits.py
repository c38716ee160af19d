"""Habits are counted where they show, in games that end, and compared between bots in words, tables and plots."""

import pytest
from msgspec.structs import replace

from deadwood import Options
from deadwood.engine import rules
from deadwood.engine.actions import ACT, END_TURN, REHEARSE, TakeRole
from deadwood.engine.chance import FastDice
from deadwood.engine.state import Player
from deadwood.lab import habits
from deadwood.lab.habits import LAST_SHOT, RANKS, STARS, Observer, Results, Watched, main, study, text

BUDGET = 4


def on_a_set(*players, shots=1):
    """A game with a card with two roles and this budget face up in the Saloon; the first player decides."""
    state, _ = rules.start(["a", "b"], Options(first="a"), FastDice(1))
    saloon = state.table.area_numbers["saloon"]
    cards = state.table.cards
    card = next(at for at, one in enumerate(cards) if one.budget == BUDGET and len(one.roles) == 2)
    return replace(
        state,
        players=tuple(replace(one, area=saloon) for one in players),
        scenes=tuple(card if at == saloon else scene for at, scene in enumerate(state.scenes)),
        shots=tuple(shots if at == saloon else left for at, left in enumerate(state.shots)),
        moved=True,
    )


def seen(state, action):
    """What an observer counts: what was possible, and what was done."""
    assert action in rules.legal_actions(state)
    observer = Observer()
    observer(state, action, state)
    return dict(observer.possible), {spot: did for spot, did in observer.done.items() if did}


FIRST, SECOND = Player(0, 6, role=0), Player(0, 6, role=1)


def test_rehearsing_the_last_shot_among_stars_is_counted_by_the_chance():
    state = on_a_set(FIRST, SECOND)
    assert seen(state, REHEARSE) == ({(LAST_SHOT.id, 3): 1}, {(LAST_SHOT.id, 3): 1})
    assert seen(state, ACT) == ({(LAST_SHOT.id, 3): 1}, {})
    surer = on_a_set(replace(FIRST, chips=2), SECOND)
    assert seen(surer, REHEARSE)[0] == {(LAST_SHOT.id, 5): 1}


@pytest.mark.parametrize(
    "state",
    [
        on_a_set(FIRST, SECOND, shots=2),
        on_a_set(FIRST, Player(0, 6)),
        on_a_set(FIRST, Player(0, 6, role=3)),
        on_a_set(Player(0, 6, role=3), SECOND),
        on_a_set(replace(FIRST, chips=BUDGET - 1), SECOND),
    ],
    ids=["two shots left", "alone", "with an extra", "as an extra", "certain to succeed"],
)
def test_other_acts_are_not_counted(state):
    assert seen(state, ACT) == ({}, {})


def test_open_starring_roles_are_counted_by_rank_whatever_is_done():
    state = on_a_set(Player(0, 6), Player(0, 1))
    assert seen(state, TakeRole("star", 1)) == ({(STARS.id, 6): 1}, {(STARS.id, 6): 1})
    assert seen(state, TakeRole("extra", 1)) == ({(STARS.id, 6): 1}, {})
    assert seen(state, END_TURN) == ({(STARS.id, 6): 1}, {})


def test_starring_roles_that_are_taken_or_need_a_higher_rank_are_not_counted():
    low = on_a_set(Player(0, 1), SECOND)
    card = low.card(low.players[0].area)
    assert card.roles[0].rank > 1
    assert seen(low, END_TURN) == ({}, {})


def ended(bot, rank, number, cut_off=False):
    """A game in which all players of a bot reached this rank."""
    spots = {(RANKS.id, other): 0 for other in range(1, 7)}
    return Watched(bot, cut_off, spots | {(RANKS.id, rank): number}, dict.fromkeys(spots, number))


def test_shares_are_over_games_that_ended():
    games = [ended("a", 6, 2) for _ in range(30)] + [ended("a", 5, 2) for _ in range(10)]
    results = Results([*games, ended("a", 1, 2, cut_off=True), *(ended("b", 5, 2) for _ in range(40))])
    assert [(rank, one.value) for rank, one in results.points(RANKS, "a")] == [
        (1, 0),
        (2, 0),
        (3, 0),
        (4, 0),
        (5, 0.25),
        (6, 0.75),
    ]
    shares = dict(results.points(RANKS, "a"))
    assert 0.55 < shares[6].low < 0.7 < 0.8 < shares[6].high < 0.9
    assert results.section(RANKS).finding.startswith("Players who end at rank 6: a 75")
    assert " and b 0.0%" in results.section(RANKS).finding
    assert "1 game of a had not ended after 2,000 decisions" in text(results)


def test_nothing_is_said_about_what_was_hardly_seen():
    section = Results([ended("a", 6, 2)]).section(RANKS)
    assert section.finding == "Too few games to tell."
    assert section.table.rows == []


def test_the_same_seed_gives_the_same_habits_in_whatever_order_games_end(monkeypatch):
    found = text(study(("regular", "extra"), 2, 6, seed=3))
    assert found != text(study(("regular", "extra"), 2, 6, seed=4))
    monkeypatch.setattr(habits, "done_by", lambda work, tasks, _jobs: map(work, reversed(list(tasks))))
    assert found == text(study(("regular", "extra"), 2, 6, seed=3))


def test_regular_never_waits_with_a_good_last_shot_and_takes_more_starring_roles_as_it_rises():
    results = study(("regular",), 2, 30, seed=1)
    assert all(one.value == 0 for chance, one in results.points(LAST_SHOT, "regular") if chance > 1)
    stars = dict(results.points(STARS, "regular"))
    assert stars[1].is_below(stars[4])


def test_the_page_has_a_plot_for_every_habit_and_its_command(tmp_path, capsys):
    out = tmp_path / "new" / "habits.html"
    main(["--bots", "regular,extra", "--games", "4", "--jobs", "1", "--out", str(out)])
    page, printed = out.read_text("utf-8"), capsys.readouterr().out
    for habit in (RANKS, STARS, LAST_SHOT):
        assert f'data-figure="{habit.id}"' in page
        assert habit.title in printed
    assert "python -m deadwood.lab.habits --bots regular,extra --players 2 --games 4 --seed 1" in page


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (["--bots", "nobody"], "nobody"),
        (["--games", "0"], "--games and --jobs should be 1 or more"),
        (["--players", "9"], "invalid choice: 9"),
    ],
)
def test_bad_arguments_get_a_sentence(capsys, wrong, sentence):
    with pytest.raises(SystemExit):
        main(wrong)
    assert sentence in capsys.readouterr().err
