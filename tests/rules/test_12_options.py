"""RULES section 12: options.

Holds `engine.options`.
"""

import pytest

from deadwood import (
    Act,
    EndTurn,
    Game,
    IllegalAction,
    Move,
    Options,
    OutcomeError,
    OutcomeNeeded,
    Rehearse,
    SetupError,
    TakeRole,
    narrate,
)
from deadwood.engine import rules
from deadwood.engine.events import SceneWrapped
from deadwood.engine.scoring import standings

from .positions import (
    NAMES,
    active,
    assert_says,
    begin,
    event_of,
    keep_scenes,
    on_day,
    play,
    purse,
    put,
    put_card,
    scene,
    shots,
)


def refused(rule, *words, **options):
    with pytest.raises(SetupError) as caught:
        Game.new(["Ada", "Bo"], Options(**options), seed=1)
    assert_says(caught.value, rule, *words)


def table_game(**options):
    return Game.new(["Ada", "Bo"], Options(**{"dice": "table", "first": "Ada", **options}))


def at_the_last_shot():
    """Ada stars at the Saloon, in a scene with a budget of 3 and one shot to go."""
    game = table_game()
    for line in ("move saloon = card 2", "take star 1", "end", "act = 6", "end"):
        game.play(line)
    return game


def asks(game, action, outcome=None):
    """What the game asks for, and that nothing has happened yet."""
    before, record = game.state, game.record()
    with pytest.raises(OutcomeNeeded) as caught:
        game.play(action, outcome=outcome)
    assert (game.state, game.record()) == (before, record)
    return caught.value.kind, caught.value.count


def refuses(game, action, outcome, *words):
    """The clause that refuses an outcome; nothing has happened, and the game still asks."""
    before, record = game.state, game.record()
    with pytest.raises(OutcomeError) as caught:
        game.play(action, outcome=outcome)
    assert (game.state, game.record()) == (before, record)
    for value in words:
        assert str(value) in narrate(caught.value)
    asks(game, action)
    return caught.value.refusal.rule


@pytest.mark.rule("R12.1", "R12.2", "R12.3", "R12.4", "R12.5", "R12.6", "R12.7")
def test_the_defaults():
    options = Options()
    assert (options.deck, options.layout, options.first) == ("classic", "standard", "random")
    assert (options.ties, options.bonus, options.days, options.dice) == ("later", "roles", None, "fair")


@pytest.mark.rule("R12.2", "R12.3", "R12.6")
@pytest.mark.parametrize("layout", ["standard", "second", "random", "gmch"])
@pytest.mark.parametrize("count", [2, 5])
def test_once_the_game_has_started_its_options_hold_what_was_drawn(layout, count):
    game = Game.new(NAMES[:count], Options(layout=layout), seed=3)
    options = game.state.table.options
    assert options.first == active(game.state)
    assert options.days == {2: 3, 5: 4}[count]
    expected = {"standard": "GM/CH", "second": "H'M/CG'", "gmch": "GMCH"}
    assert options.layout == expected.get(layout, options.layout)
    assert set(options.layout) <= set("GMCH/'.")


@pytest.mark.rule("R12.1")
def test_the_deck_is_classic_or_studio():
    assert len(begin().table.cards) == 40
    assert len(begin(deck="studio").table.cards) == 60
    refused("R12.1", "deck", "poker", "classic", "studio", deck="poker")


@pytest.mark.rule("R12.2")
@pytest.mark.parametrize("layout", ["GMCH", "G'M/CH", "GM/CH", "H'M/CG'", "G./M./CH'"])
def test_a_layout_may_be_spelled_out(layout):
    assert begin(layout=layout).table.options.layout == layout


@pytest.mark.rule("R12.2")
@pytest.mark.parametrize(
    ("layout", "words"), [("GM/CX", "X"), ("GM/C", "Hotel"), ("GM/CHH", "Hotel"), ("G.M/C.H", "joined")]
)
def test_an_invalid_layout_is_refused_with_the_reason(layout, words):
    refused("R10.3", layout, words, layout=layout)


@pytest.mark.rule("R12.3")
def test_the_first_player_may_be_named():
    assert active(begin(4, first="Cy")) == "Cy"
    assert active(begin(4, first=" cy ")) == "Cy"
    refused("R12.3", "Zed", "Ada", "Bo", first="Zed")


@pytest.mark.rule("R12.3")
def test_any_player_may_be_drawn_first():
    assert {active(Game.new(NAMES[:4], seed=seed).state) for seed in range(60)} == set(NAMES[:4])


@pytest.mark.rule("R12.4")
@pytest.mark.parametrize(("ties", "places"), [("later", [1, 2, 3]), ("shared", [1, 1, 1])])
def test_ties_go_to_the_later_or_are_shared(ties, places):
    assert [line.place for line in standings(begin(ties=ties))] == places


@pytest.mark.rule("R12.4")
def test_other_ties_are_refused():
    refused("R12.4", "ties", "coin", "later", "shared", ties="coin")


def two_stars_of_three(bonus):
    state = put_card(begin(bonus=bonus), "hotel", 27, shots=1)
    return put(put(state, "Ada", "hotel", "star 3", rank=6), "Bo", "hotel", "star 1", rank=6)


@pytest.mark.rule("R12.5")
@pytest.mark.parametrize(("bonus", "top", "low"), [("roles", 6 + 1, 3), ("actors", 6 + 3 + 1, 5 + 1)])
def test_dice_go_to_all_roles_or_only_to_those_somebody_is_on(bonus, top, low):
    after = play(two_stars_of_three(bonus), "act = 6 / 6 5 3 1 1")
    assert purse(after, "Ada") == (top, 2)
    assert purse(after, "Bo") == (low, 0)


@pytest.mark.rule("R12.5")
def test_with_actors_every_die_is_paid_to_somebody():
    state = put(two_stars_of_three("actors"), "Bo", "hotel")
    assert purse(play(state, "act = 6 / 6 5 3 1 1"), "Ada") == (16, 2)
    shares = event_of(state, "act = 6 / 6 5 3 1 1", SceneWrapped).shares
    assert [share.player for share in shares] == ["Ada"]


@pytest.mark.rule("R12.5")
def test_with_actors_too_nobody_on_the_card_means_no_bonus():
    state = put(two_stars_of_three("actors"), "Bo", "hotel")
    state = put(state, "Ada", "hotel", "extra 1")
    assert purse(play(state, "act = 6"), "Ada") == (1, 1)


@pytest.mark.rule("R12.5")
def test_other_bonuses_are_refused():
    refused("R12.5", "bonus", "extras", "roles", "actors", bonus="extras")


@pytest.mark.rule("R12.6")
@pytest.mark.parametrize("days", [1, 2, 3, 4])
def test_a_game_may_last_one_to_four_days(days):
    assert begin(2, days=days).table.options.days == days


@pytest.mark.rule("R12.6")
@pytest.mark.parametrize("days", [1, 2, 3, 4])
def test_the_game_ends_with_the_last_of_its_days(days):
    state = keep_scenes(put_card(begin(5, days=days), "hotel", 9, shots=1), "hotel", "bank")
    state = on_day(put(state, "Ada", "hotel", "extra 1"), days)
    assert play(state, "act = 6").over


@pytest.mark.rule("R12.6")
@pytest.mark.parametrize("days", [0, 5, -1, "3", 2.0, True])
def test_other_days_are_refused(days):
    refused("R12.6", days, "1 to 4", days=days)


@pytest.mark.rule("R12.7")
def test_fair_dice_are_seeded():
    options = Options(first="Ada")
    one, same, other = (Game.new(["Ada", "Bo"], options, seed=seed) for seed in (7, 7, 8))
    for game in (one, same, other):
        for line in ("move hotel", "end", "move saloon", "end", "move bank", "end", "move general-store"):
            game.play(line)
    assert one.state == same.state
    assert one.state != other.state


@pytest.mark.rule("R12.7")
def test_fair_dice_cannot_be_chosen():
    game = Game.new(["Ada", "Bo"], Options(first="Ada"), seed=7)
    state = game.state
    with pytest.raises(OutcomeError) as caught:
        game.play("move saloon", outcome="card 17")
    assert caught.value.refusal.rule == "R12.7"
    assert "card 17" in narrate(caught.value)
    assert game.state == state


@pytest.mark.rule("R12.7")
def test_other_dice_are_refused():
    refused("R12.7", "dice", "loaded", "fair", "table", dice="loaded")


@pytest.mark.rule("R12.7")
def test_at_a_table_the_people_say_which_card_they_turned():
    game = table_game()
    assert asks(game, "move saloon") == ("card", 1)
    game.play("move saloon", outcome="card 17")
    assert scene(game.state, "saloon") == 17


@pytest.mark.rule("R12.7")
def test_at_a_table_the_people_say_what_they_rolled():
    game = table_game()
    game.play("move saloon", outcome="card 2")
    game.play("take star 1")
    game.play("end")
    assert asks(game, "act") == ("dice", 1)
    game.play("act", outcome="4")
    assert shots(game.state, "saloon") == 1
    assert purse(game.state, "Ada") == (0, 2)


@pytest.mark.rule("R12.7")
def test_at_a_table_a_wrap_asks_for_as_many_dice_as_the_budget():
    game = at_the_last_shot()
    assert asks(game, "act") == ("dice", 1)
    assert asks(game, "act", "6") == ("dice", 3)
    game.play("act", outcome="6 / 5 3 1")
    assert scene(game.state, "saloon") is None
    assert purse(game.state, "Ada") == (1, 4)


@pytest.mark.rule("R12.7")
def test_it_is_known_beforehand_what_people_must_roll_or_turn():
    game = table_game()
    assert rules.outcome_needed(game.state, Move("saloon")) == rules.OutcomeNeed("card", 1)
    assert rules.outcome_needed(game.state, EndTurn()) is None
    game.play("move saloon = card 2")
    assert rules.outcome_needed(game.state, TakeRole("star", 1)) is None
    game.play("take star 1")
    game.play("end")
    assert rules.outcome_needed(game.state, Act()) == rules.OutcomeNeed("dice", 1)
    assert rules.outcome_needed(game.state, Rehearse()) is None
    with pytest.raises(IllegalAction):
        rules.outcome_needed(game.state, EndTurn())


@pytest.mark.rule("R12.7", "R7.1", "R7.2")
@pytest.mark.parametrize(("role", "bonus_dice"), [("star 1", 3), ("extra 1", 0)])
def test_it_is_known_beforehand_whether_a_success_wraps_and_takes_bonus_dice(role, bonus_dice):
    state = put(put_card(begin(2, dice="table"), "saloon", 2, shots=1), "Ada", "saloon", role)
    assert rules.outcome_needed(state, Act()) == rules.OutcomeNeed("dice", 1, True, bonus_dice)


@pytest.mark.rule("R12.7")
def test_the_program_needs_nothing_from_people():
    state = put(put_card(begin(), "saloon", 2, shots=1), "Ada", "saloon", "star 1")
    assert rules.outcome_needed(state, Act()) is None


@pytest.mark.rule("R12.7")
def test_a_failure_asks_for_no_more_dice():
    game = at_the_last_shot()
    game.play("act", outcome="2")
    assert shots(game.state, "saloon") == 1


@pytest.mark.rule("R12.7")
def test_a_wrap_without_stars_asks_for_no_more_dice():
    game = table_game()
    for line in ("move saloon = card 2", "take extra 1", "end", "act = 6", "end", "act = 6"):
        game.play(line)
    assert scene(game.state, "saloon") is None


@pytest.mark.rule("R12.7")
@pytest.mark.parametrize("dice", ["5 3 1", "1 3 5", "3 5 1"])
def test_wrap_dice_may_come_in_any_order(dice):
    game = at_the_last_shot()
    game.play("act", outcome=f"6 / {dice}")
    assert purse(game.state, "Ada") == (1, 4)


@pytest.mark.rule("R12.7")
@pytest.mark.parametrize("die", [0, 7, 10, 999])
def test_a_die_outside_1_to_6_is_refused_and_asked_again(die):
    game = at_the_last_shot()
    assert refuses(game, "act", f"{die}", die, "1 to 6") == "R12.7"
    assert refuses(game, "act", f"6 / 5 {die} 1", die, "1 to 6") == "R12.7"


@pytest.mark.rule("R12.7")
def test_too_few_wrap_dice_are_asked_again():
    game = at_the_last_shot()
    assert asks(game, "act", "6 / 5") == ("dice", 3)
    assert asks(game, "act", "6 / 5 3") == ("dice", 3)


@pytest.mark.rule("R12.7")
@pytest.mark.parametrize("outcome", ["6 / 5 3 1 1", "2 / 5 3 1", "6 5 3 1", "5 5"])
def test_too_many_dice_are_refused_and_asked_again(outcome):
    assert refuses(at_the_last_shot(), "act", outcome) == "R12.7"


@pytest.mark.rule("R12.7")
@pytest.mark.parametrize("outcome", ["six", "card 17", "", "-1", "1.5", "6 /"])
def test_invalid_dice_are_refused_and_asked_again(outcome):
    assert refuses(at_the_last_shot(), "act", outcome) == "R12.7"


@pytest.mark.rule("R12.7")
def test_a_card_already_turned_is_refused_and_asked_again():
    game = table_game()
    game.play("move saloon", outcome="card 17")
    game.play("end")
    title = game.state.table.cards[16].title
    assert refuses(game, "move hotel", "card 17", 17, title) in ("R10.5", "R12.7")
    game.play("move hotel", outcome="card 18")
    assert scene(game.state, "hotel") == 18


@pytest.mark.rule("R12.7")
@pytest.mark.parametrize(("deck", "card"), [("classic", 0), ("classic", 41), ("studio", 61)])
def test_a_card_that_is_not_in_the_deck_is_refused_and_asked_again(deck, card):
    assert refuses(table_game(deck=deck), "move saloon", f"card {card}", card) == "R12.7"


@pytest.mark.rule("R12.7")
def test_cards_of_the_studio_deck_are_known_at_a_table_too():
    game = table_game(deck="studio")
    game.play("move saloon", outcome="card 60")
    assert scene(game.state, "saloon") == 60


@pytest.mark.rule("R12.7")
@pytest.mark.parametrize("outcome", ["17", "card", "card x", "5 / 6", ""])
def test_invalid_cards_are_refused_and_asked_again(outcome):
    assert refuses(table_game(), "move saloon", outcome) == "R12.7"


@pytest.mark.rule("R12.7")
def test_no_outcome_is_asked_or_accepted_if_nothing_is_rolled_or_turned():
    game = table_game()
    game.play("move saloon", outcome="card 17")
    for action, outcome in (("take extra 1", "5"), ("end", "card 3")):
        with pytest.raises(OutcomeError):
            game.play(action, outcome=outcome)
    game.play("end")
    with pytest.raises(OutcomeError):
        game.play("move saloon", outcome="card 3")
    game.play("move saloon")


@pytest.mark.rule("R12.7")
def test_the_program_keeps_the_rules_before_anybody_rolls():
    with pytest.raises(IllegalAction) as caught:
        table_game().play("move bank", outcome="card 17")
    assert caught.value.refusal.rule == "R4.1"


@pytest.mark.rule("R12.7")
def test_at_a_table_the_program_still_draws_a_random_first_player_and_layout():
    games = [Game.new(["Ada", "Bo"], Options(dice="table", layout="random"), seed=seed) for seed in range(30)]
    assert {active(game.state) for game in games} == {"Ada", "Bo"}
    assert len({game.state.table.options.layout for game in games}) > 10
    for game in games:
        action = next(action for action in game.legal_actions() if action.area != "casting-office")
        assert asks(game, action) == ("card", 1)
