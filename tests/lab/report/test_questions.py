"""The questions about a run: sums over games, some made by hand, some really played."""

import pytest
from msgspec.structs import replace
from polars.testing import assert_frame_equal

from deadwood.engine import scoring
from deadwood.engine.options import Options
from deadwood.lab.frames import games_frame
from deadwood.lab.report.questions import all_questions, answer

from .small_runs import game, job, played, promotion, sums

TURNS = [5, 10]


def asked(rows, name, batch=20_000):
    return answer(games_frame(rows).lazy(), {name: all_questions(TURNS)[name]}, batch)[name].to_dicts()


def by(rows, *keys):
    return {tuple(row[key] for key in keys) if len(keys) > 1 else row[keys[0]]: row for row in rows}


def test_wins_by_seat_bot_and_place_in_the_turn_order():
    rows = [game(0, [9, 5], first=0), game(1, [5, 9], first=1), game(2, [7, 7], first=1)]
    assert [row["y"] for row in asked(rows, "wins by seat")] == [1.5, 1.5]
    places = by(asked(rows, "wins by seat and position"), "seat", "position")
    assert {place: (row["y"], row["x"]) for place, row in places.items()} == {
        (0, 0): (1, 1),
        (0, 1): (0.5, 2),
        (1, 0): (1.5, 2),
        (1, 1): (0, 1),
    }
    doubled = [game(0, [9, 5, 3], bots=("a", "b", "a")), game(1, [1, 5, 8], bots=("a", "b", "a"))]
    wins = by(asked(doubled, "wins by bot"), "bot")
    assert (wins["a"]["y"], wins["a"]["games"], wins["a"]["x"], wins["b"]["y"]) == (2, 2, 4, 0)


def test_games_that_were_cut_off_count_only_as_such_and_for_their_dice():
    rows = [game(0, [9, 5]), game(1, [100, 90], cut_off=True, jobs=[job(0, acts=1)])]
    assert asked(rows, "games") == [{"games": 2, "cut_off": 1}]
    assert by(asked(rows, "scores"), "bot")["a"]["y"] == 9
    assert asked(rows, "pay by set") == []
    assert by(asked(rows, "dice"), "kind", "face")["act", 6]["count"] == 12


def test_openings_are_first_jobs_of_the_first_day_and_count_the_turns_before_them():
    worked = [
        replace(job(0, "hotel", acts=2, dollars=2), began=3),
        replace(job(0, "saloon", acts=9, dollars=9), began=7),
        replace(job(1, "jail", "star", acts=1, rehearsals=1, credits=2, bonus=5), day=2, began=9),
    ]
    rows = [game(0, [9, 5], jobs=worked), game(1, [5, 9], jobs=[job(0, "hotel", acts=1)])]
    (opening,) = asked(rows, "openings")
    assert (opening["area"], opening["kind"], opening["y"], opening["x"]) == ("hotel", "extra", 2, 3 + 2 + 1 + 1)
    (won,) = asked(rows, "opening wins")
    assert (won["y"], won["x"]) == (1, 2)


def test_pay_by_the_rank_of_the_player():
    rows = [game(0, [9, 5], jobs=[job(0, acts=2, dollars=3), replace(job(1, acts=4, dollars=4), rank=5)])]
    assert {row["rank"]: row["y"] / row["x"] for row in asked(rows, "pay by own rank")} == {2: 1.5, 5: 1.0}


def test_sources_of_points_by_hand():
    worked = [
        job(0, kind="star", acts=2, successes=1, credits=2, bonus=6),
        job(0, acts=3, successes=1, dollars=3, credits=1, bonus=2),
    ]
    rows = [game(0, [10, 5], jobs=worked, promotions=[promotion(0, 4, 1, 2)], ranks=[2, 1])]
    points = {row["source"]: row["y"] for row in asked(rows, "sources") if row["bot"] == "a"}
    assert points == {
        "start": 5,
        "star pay": 2,
        "star bonus": 6,
        "extra pay": 4,
        "extra bonus": 2,
        "ranks": 5,
        "prices": -4,
    }


def test_a_price_in_credits_costs_what_credits_count(monkeypatch):
    monkeypatch.setattr(scoring, "credit_points", lambda earned: 2 * earned)
    bought = [promotion(0, 4, 1, 2), replace(promotion(1, 4, 1, 2, price=5), currency="credits")]
    prices = {
        row["bot"]: row["y"]
        for row in asked([game(0, [9, 5], promotions=bought)], "sources")
        if row["source"] == "prices"
    }
    assert prices == {"a": -4, "b": -10}


@pytest.mark.parametrize(
    ("bots", "options"),
    [
        (("random", "extra"), Options()),
        (("extra", "hopeful", "extra", "random", "hopeful"), Options(ties="shared", days=2)),
        (("hopeful", "extra", "random", "extra", "hopeful", "extra", "random"), Options(deck="studio", days=1)),
    ],
)
def test_sources_add_up_to_the_scores_of_every_game(bots, options):
    for row in played(bots, 6, options=options):
        points = dict.fromkeys(bots, 0)
        for source in asked([row], "sources"):
            points[source["bot"]] += source["y"]
        scores = dict.fromkeys(bots, 0)
        for bot, score in zip(bots, row.scores, strict=True):
            scores[bot] += score
        assert points == scores


def test_pay_is_measured_by_turns_and_over_games():
    rows = [
        game(0, [9, 5], jobs=[job(0, acts=2, dollars=2, credits=1), job(1, acts=1, rehearsals=1, bonus=3)]),
        game(1, [9, 5], jobs=[job(0, acts=1, dollars=1), job(1, area="jail")]),
    ]
    saloon = by(asked(rows, "pay by set"), "area")["saloon"]
    assert saloon == {"area": "saloon"} | sums([6.0, 1.0], [4.0, 1.0])
    assert by(asked(rows, "pay by set"), "area")["jail"]["x"] == 0
    assert by(asked(rows, "jobs by set"), "area")["jail"]["y"] == 1


def test_stars_belong_to_cards_and_extras_to_sets():
    rows = [
        game(0, [9, 5], jobs=[job(0, kind="star", area="jail", acts=1), job(1, acts=1)]),
        game(1, [9, 5], jobs=[job(0, kind="star", area="saloon", acts=1)]),
    ]
    roles = by(asked(rows, "pay by role"), "kind", "on_card", "on_set", "number")
    assert set(roles) == {("star", 17, None, 1), ("extra", None, "saloon", 1)}
    assert roles["star", 17, None, 1]["games"] == 2


def test_ranks_are_gained_by_the_end_of_a_turn():
    rows = [game(0, [9, 5], promotions=[promotion(0, 5, 1, 3), promotion(0, 6, 3, 4)]), game(1, [9, 5])]
    gained = by(asked(rows, "ranks gained"), "bot", "turn")
    assert (gained["a", 5]["y"], gained["a", 10]["y"], gained["a", 10]["yy"]) == (2, 3, 9)
    assert set(gained) == {("a", 5), ("a", 10)}


def test_lengths_of_days_are_counted():
    rows = [game(0, [9, 5], day_turns=[20, 30]), game(1, [9, 5], day_turns=[20, 31])]
    assert asked(rows, "day turns") == [
        {"day": 1, "turns": 20, "count": 2},
        {"day": 2, "turns": 30, "count": 1},
        {"day": 2, "turns": 31, "count": 1},
    ]


def test_habits_of_rehearsing():
    rows = [game(0, [9, 5], jobs=[job(0, rehearsals=2, acts=1, successes=1), job(0, acts=3), job(0)])]
    turns = by(asked(rows, "rehearsals by budget"), "bot", "budget")["a", 3]
    assert (turns["y"], turns["x"]) == (2, 6)
    acts = by(asked(rows, "successes by bot"), "bot")["a"]
    assert (acts["y"], acts["x"]) == (1, 4)
    more = by(asked(rows, "more chips"), "chips")
    assert {chips: (row["y"], row["x"]) for chips, row in more.items()} == {0: (1, 2), 1: (1, 1)}


@pytest.fixture(scope="module")
def some_games():
    return played(("extra", "random", "extra"), 11, limit=600)


@pytest.mark.parametrize("batch", [1, 4, 100])
def test_answers_are_the_same_however_many_games_are_in_memory_at_once(some_games, batch):
    games = games_frame(some_games).lazy()
    whole = answer(games, all_questions(TURNS))
    for name, table in answer(games, all_questions(TURNS), batch).items():
        assert_frame_equal(table, whole[name], check_row_order=False)
