"""The finale of whole recorded games, compared with their events."""

from pathlib import Path

import pytest

from deadwood import Game, Options
from deadwood.engine import rules
from deadwood.engine.chance import ScriptedDice
from deadwood.engine.events import Acted, BonusPaid, DayEnded, Moved, Rehearsed, SceneWrapped
from deadwood.finale import LEAST_STREAK, finale

RECORDS = sorted((Path(__file__).parent / "engine" / "golden").glob("*.deadwood"))


@pytest.fixture(scope="module", params=RECORDS, ids=lambda path: path.stem)
def game(request):
    return Game.from_record(request.param.read_text("utf-8"))


@pytest.fixture(scope="module")
def end(game):
    return finale(game.state, game.events)


def of_type(game, kind):
    return [event for event in game.events if isinstance(event, kind)]


def award(end, key):
    return next((award for award in end.awards if award.key == key), None)


def test_everything_is_cashed_out_in_dollars(game, end):
    for line, sold in zip(game.standings(), end.cashed_out, strict=True):
        assert sold.name == line.name
        assert (sold.dollars, sold.credits, sold.rank) == (line.dollars, line.credits, 5 * line.rank)
        assert sold.dollars + sold.credits + sold.rank == sold.total == line.score


def test_everybody_is_billed_by_place_with_the_best_part_first(game, end):
    assert [billing.player for billing in end.billing] == [line.name for line in game.standings()]
    for billing in end.billing:
        spoken = [part.earned for part in billing.parts if part.takes]
        assert spoken == sorted(spoken, reverse=True)
        assert all(part.player == billing.player for part in billing.parts)
        assert billing.played >= len(billing.parts)


def test_the_poster_shows_the_winner_in_the_scene_that_paid_most(game, end):
    poster = end.poster
    assert poster.player == game.standings()[0].name
    assert poster.part == end.billing[0].parts[0]
    assert all(part.card == poster.part.card and part.player != poster.player for part in poster.cast)
    assert poster.part.card not in poster.scenes
    assert len(set(poster.scenes)) == len(poster.scenes)


def test_the_shoot_is_counted(game, end):
    acts, wraps = of_type(game, Acted), of_type(game, SceneWrapped)
    assert (end.shoot.takes, end.shoot.hits) == (len(acts), sum(act.success for act in acts))
    assert (end.shoot.scenes, end.shoot.budget) == (len(wraps), sum(wrap.budget for wrap in wraps))
    assert end.shoot.days == end.shoot.unfinished == len(of_type(game, DayEnded))
    assert end.shoot.bonus == sum(bonus.dollars for bonus in of_type(game, BonusPaid))
    assert end.shoot.rehearsals == len(of_type(game, Rehearsed))
    assert end.shoot.steps == len(of_type(game, Moved))
    assert end.left == of_type(game, DayEnded)[-1].area_id


def test_awards_go_to_those_who_did_most(game, end):
    for key, kind in (("rehearsals", Rehearsed), ("steps", Moved), ("wraps", SceneWrapped)):
        counts = {name: sum(event.player == name for event in of_type(game, kind)) for name in game.state.table.names}
        most = max(counts.values())
        if most:
            assert award(end, key).value == most
            assert sorted(award(end, key).players) == sorted(name for name in counts if counts[name] == most)
        else:
            assert award(end, key) is None


def test_the_biggest_bonus_names_its_scene(game, end):
    bonuses = of_type(game, BonusPaid)
    biggest = [bonus for bonus in bonuses if bonus.dollars == max(one.dollars for one in bonuses)]
    given = award(end, "bonus")
    assert given.value == biggest[0].dollars
    assert set(given.players) == {bonus.player for bonus in biggest}
    assert (given.card is None) == (len({bonus.title for bonus in biggest}) > 1)


def test_short_runs_get_no_award(end):
    for key in ("streak", "misses"):
        assert award(end, key) is None or award(end, key).value >= LEAST_STREAK


def test_luck_is_success_beyond_the_odds(game, end):
    """Recounted with the lowest die that would have succeeded."""
    luck = dict.fromkeys(game.state.table.names, 0.0)
    for act in of_type(game, Acted):
        needed = max(1, act.budget - act.chips)
        luck[act.player] += act.success - (7 - needed) / 6
    most = max(luck.values())
    if award(end, "luck") is None:
        assert most < 0.5
    else:
        assert award(end, "luck").value == pytest.approx(most)


def test_a_winner_who_never_worked_has_no_part():
    state, opening = rules.start(("Ada", "Bo"), Options(first="Ada"), ScriptedDice(()))
    end = finale(state, opening)
    assert end.poster.part is None
    assert end.poster.cast == end.poster.scenes == end.awards == ()
    assert [billing.parts for billing in end.billing] == [(), ()]
