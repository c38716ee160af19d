import random
import re

import pytest
from hypothesis import given, settings

from deadwood import Game, Options, RecordError, narrate
from deadwood.engine.chance import FastDice
from deadwood.engine.verify import verify

from ..strategies import games

SALTS = [bytes([n]) * 32 for n in (1, 2)]


def played(options=None, **kwargs):
    game = Game.new(["Ada", "Bo"], options or Options(days=1, layout="random"), **kwargs)
    rng = random.Random(1)
    while not game.over:
        game.play(rng.choice(game.legal_actions()))
    return game


def verdicts(text):
    return {check.key: check.verdict for check in verify(text)}


@settings(max_examples=20)
@given(games(decisions=150))
def test_every_game_verifies(game):
    assert "failed" not in verdicts(game.record()).values()


def test_a_finished_served_game():
    assert verdicts(played(seed=7, salts=SALTS).record()) == {
        "rules_followed": "passed",
        "result_right": "passed",
        "seed_kept": "passed",
        "draws_right": "passed",
        "dice_right": "passed",
    }


def test_all_results_are_counted():
    game = played(seed=7)
    (check,) = (check for check in verify(game.record()) if check.key == "dice_right")
    assert check.values["results"] == game._dice.drawn - len(["first", "layout"])


def test_a_running_served_game():
    game = Game.new(["Ada", "Bo"], seed=7, salts=SALTS)
    assert verdicts(game.record(reveal=False)) == {
        "rules_followed": "passed",
        "unfinished": "unknown",
        "seed_missing": "unknown",
        "dice_without_seed": "unknown",
    }


def test_a_simulated_game():
    assert verdicts(played(dice=FastDice(1)).record())["commitment_missing"] == "unknown"


def test_a_game_with_real_dice():
    game = Game.new(["Ada", "Bo"], Options(dice="table"), seed=7)
    game.play(f"move saloon = card {40}")
    assert verdicts(game.record())["draws_right"] == "passed"
    assert verdicts(game.record())["dice_at_table"] == "unknown"


def test_a_changed_die_is_found():
    text = played(seed=7).record()
    line, die = next((n, m) for n, s in enumerate(text.split("\n"), 1) if (m := re.search(r"act = ([12])$", s)))
    changed = text.replace(die.string, die.string.replace(f"= {die[1]}", "= " + "21"[int(die[1]) - 1]), 1)
    try:
        checks = verify(changed)
    except RecordError:
        pytest.fail("the change must leave the game possible")
    (wrong,) = (check for check in checks if check.verdict == "failed")
    assert wrong.key == "dice_wrong"
    assert narrate(wrong).startswith(f"Line {line} does NOT come from the seed")


def test_another_seed_is_found():
    game = played(seed=7, salts=SALTS)
    text = game.record()
    assert verdicts(text.replace("seed: 00", "seed: 01"))["seed_changed"] == "failed"
    salted = text.replace(SALTS[0].hex(), "ff" * 32)
    assert "failed" in verdicts(salted).values()


def test_another_draw_is_found():
    game = Game.new(["Ada", "Bo"], Options(layout="random"), seed=7)
    layout = game.state.table.options.layout
    assert verdicts(game.record().replace(f"layout={layout}", "layout=HCMG"))["draws_wrong"] == "failed"


def test_a_record_that_breaks_the_rules_is_refused():
    text = played(seed=7).record()
    changed = verdicts(text.replace("result: ", "result: Cy 3; "))
    assert changed["rules_followed"] == "passed"
    assert changed["result_broken"] == "failed"
    with pytest.raises(RecordError):
        verify(text.replace("players: ", "actors: "))


def test_a_changed_card_is_found_where_it_was_changed():
    """The change makes a later line illegal, but the changed line is reported too."""
    game = Game.new(["Ada", "Bo"], Options(first="Ada"), seed=7)
    card = game.play("move saloon")[1].card
    for text in ("take extra 1", "end", "act", "end"):
        game.play(text)
    lines = game.record().replace(f"card {card}", "card 7").replace("take extra 1", "take star 1").split("\n")
    checks = {check.key: check for check in verify("\n".join(lines))}
    assert checks["rules_broken"].values["line"] > checks["dice_wrong"].values["line"]
    assert narrate(checks["rules_broken"]).startswith("Line ")


def test_an_action_that_breaks_the_rules_ends_the_check_of_the_dice():
    text = Game.new(["Ada", "Bo"], Options(first="Ada"), seed=7).record() + "Ada: rehearse\n"
    checks = verdicts(text)
    assert checks["rules_broken"] == "failed"
    assert not {"dice_right", "dice_wrong"} & set(checks)


def test_real_dice_without_any_draw_need_no_seed():
    game = Game.new(["Ada", "Bo"], Options(dice="table", first="Ada"))
    assert verdicts(game.record()) == {
        "rules_followed": "passed",
        "unfinished": "unknown",
        "dice_at_table": "unknown",
    }


def test_bonus_dice_may_stand_in_any_order():
    text = played(seed=7).record()
    line = next(line for line in text.split("\n") if "/" in line and "act" in line)
    head, _, dice = line.partition(" / ")
    turned = " ".join(reversed(dice.split()))
    assert "failed" not in verdicts(text.replace(line, f"{head} / {turned}")).values()


@pytest.mark.parametrize(
    ("pattern", "spelled"),
    [
        (r"= card (\d+)", r"= card 0\1"),
        (r"= card (\d+)", r"=  CARD  \1"),
        (r"= (\d)$", r"= 0\1"),
        (r"/ (\d)", r"/ 00\1"),
    ],
)
def test_results_are_compared_and_not_their_spelling(pattern, spelled):
    text = played(seed=7).record()
    changed = re.sub(pattern, spelled, text, flags=re.MULTILINE)
    assert changed != text
    assert "failed" not in verdicts(changed).values()


def test_an_outcome_that_cannot_be_read_does_not_come_from_the_seed():
    text = played(seed=7).record()
    checks = verdicts(re.sub(r"= card \d+", "= card ace", text, count=1))
    assert checks["rules_broken"] == checks["dice_wrong"] == "failed"


def test_a_player_called_random():
    game = Game.new(["random", "Bo"], Options(layout="random"), seed=7)
    assert "failed" not in verdicts(game.record()).values()
    chosen = Game.from_record(game.record().replace("drawn: first; layout", "drawn: layout")).record()
    assert verdicts(chosen)["draws_wrong"] == "failed"
