"""Actions that a bot decides for somebody who is away, people who leave for good, and games that are called off."""

import random

import pytest
from msgspec.structs import asdict

from deadwood import Game, IllegalAction, Options, RecordError, Seat, SetupError, narrate, verify
from deadwood.engine.actions import Act, TakeRole
from deadwood.engine.chance import OutcomeNeeded
from deadwood.engine.events import GameEnded, StoodIn
from deadwood.engine.refusal import CorrectionError, UndoError
from deadwood.engine.rules import outcome_needed


def a_game(**options):
    return Game.new(["Ada", "Bo"], Options(first="Ada", days=1, **options), seed=3)


def lines(game):
    return game.record().split("\n\n")[1].rstrip().split("\n")


def played_out(game, by=(None, None)):
    """Play to the end; `by` names the bot that decides for each seat."""
    choose = random.Random(1).choice
    while not game.over:
        actions = game.legal_actions()
        wanted = [one for one in actions if isinstance(one, Act | TakeRole)]
        action = choose(wanted or actions)
        _play(game, action, by[game.state.active])
    return game


def _play(game, action, by):
    """Play an action; with real dice, every roll is a six."""
    need = outcome_needed(game.state, action)
    if game.state.table.options.dice == "fair" or need is None:
        game.play(action, by=by)
    elif need.kind == "card":
        game.play(action, f"card {game.state.table.cards[min(game.state.unseen)].number}", by=by)
    else:
        try:
            game.play(action, "6", by=by)
        except OutcomeNeeded as more:
            game.play(action, f"6 / {' '.join('6' * more.count)}", by=by)


def test_the_record_marks_what_somebody_else_decided():
    game = a_game()
    game.play("move saloon", by="regular")
    game.play("end", by="regular")
    game.play("end")
    assert [line.partition(" = ")[0] for line in lines(game)] == [
        "Ada: move saloon",
        "Ada: end (by regular)",
        "Bo: end",
    ]
    assert lines(game)[0].endswith(" (by regular)")
    again = Game.from_record(game.record())
    assert [step.by for step in again.steps] == ["regular", "regular", None]
    assert again.record() == game.record()
    assert again.events == game.events
    assert {check.verdict for check in verify(game.record())} == {"passed", "unknown"}


def test_it_is_announced_once_a_turn():
    game = a_game()
    game.play("move saloon")
    events = game.play("take extra 1", by="regular")
    assert events[0] == StoodIn("Ada", "regular")
    assert narrate(events[0]) == "The bot 'Regular' plays this turn for Ada."
    assert narrate(events[0], "de") == "Diesen Zug spielt der Bot „Profi“ für Ada."
    game.play("end")
    assert isinstance(game.play("act", by="regular")[0], StoodIn)
    game.play("end", by="star")
    game.play("act", by="regular")
    assert sum(isinstance(event, StoodIn) for event in game.events) == 4
    game = a_game()
    assert isinstance(game.play("move saloon", by="regular")[0], StoodIn)
    assert not isinstance(game.play("end", by="regular")[0], StoodIn)


def test_without_a_mark_nothing_changes():
    game = played_out(a_game())
    assert "(by" not in game.record()
    assert "then" not in game.record()
    assert all(line.stand_in is None for line in game.standings())


@pytest.mark.parametrize("spelled", ["( by  regular )", "(BY regular)", "(by regular)"])
def test_the_mark_is_read_in_any_spelling(spelled):
    game = a_game()
    game.play("end", by="regular")
    text = game.record().replace("(by regular)", spelled)
    assert Game.from_record(text).steps[0].by == "regular"


@pytest.mark.parametrize("mark", ["(by my bot)", "(by )", "(by regular", "(from regular)", "(by regular) (by regular)"])
def test_a_mark_that_cannot_be_read_is_refused_with_its_line(mark):
    game = a_game()
    game.play("end", by="regular")
    with pytest.raises(RecordError) as caught:
        Game.from_record(game.record().replace("(by regular)", mark))
    assert caught.value.line == game.record().count("\n")


def test_a_bot_without_a_proper_name_cannot_stand_in():
    with pytest.raises(SetupError):
        a_game().play("end", by="my bot")


def test_a_correction_keeps_the_mark():
    game = a_game(dice="table")
    game.play("move saloon = card 17", by="regular")
    events = game.correct("card 2")
    assert [type(event).__name__ for event in events][:2] == ["StoodIn", "OutcomeCorrected"]
    game.correct("card 3")
    assert game.steps[0].corrected == ("card 17", "card 2")
    assert lines(game) == ["Ada: move saloon = card 3 (corrected from card 17, card 2) (by regular)"]
    assert Game.from_record(game.record()).events == game.events
    game.play("end", by="regular")
    game.play("move saloon")
    game.play("end")
    assert Game.from_record(game.record()).record() == game.record()


def test_an_undone_action_leaves_no_mark():
    game = a_game()
    game.play("end", by="regular")
    game.undo()
    assert not isinstance(game.play("end")[0], StoodIn)


# --- leaving for good


def test_the_final_table_says_who_left():
    game = a_game()
    game.play("end")
    game.leave(0, "regular")
    played_out(game, ("regular", None))
    ended = game.events[-1]
    assert isinstance(ended, GameEnded)
    assert ended.standings == game.standings()
    assert {line.name: line.stand_in for line in game.standings()} == {"Ada": "regular", "Bo": None}
    assert "left, and the bot 'Regular' played on" in narrate(ended)
    assert "ausgestiegen" in narrate(ended, "de")
    assert "seats: red person then bot regular; blue person\n" in game.record()
    again = Game.from_record(game.record())
    assert again.seats == game.seats == (Seat("red", stand_in="regular"), Seat("blue"))
    assert again.events == game.events
    assert {check.verdict for check in verify(game.record())} == {"passed"}


def test_a_bot_can_leave_too():
    """A remote bot, which plays as a person does."""
    game = Game.new(["Ada", "Bo"], Options(first="Ada", days=1), seed=3, seats=(Seat("red"), Seat("blue", "walker")))
    game.leave(1, "regular")
    assert "seats: red person; blue bot walker then bot regular\n" in game.record()
    assert Game.from_record(game.record()).seats == (Seat("red"), Seat("blue", "walker", "regular"))


def test_a_copy_does_not_notice_who_leaves_later():
    game = a_game()
    twin = game.copy()
    game.leave(1, "regular")
    game.call_off()
    assert twin.seats == (Seat("red"), Seat("blue"))
    assert not twin.called_off
    assert game.copy().called_off


def test_a_correction_of_the_last_die_keeps_who_left():
    game = a_game(dice="table")
    game.leave(0, "regular")
    played_out(game)
    die, slash, bonus = game.last_outcome().outcome.partition(" / ")
    ended = game.correct(f"{int(die) - 1 or 2}{slash}{bonus}")[-1]
    assert isinstance(ended, GameEnded)
    assert ended.standings == game.standings()
    assert {line.stand_in for line in ended.standings} == {"regular", None}


# --- calling a game off


def test_a_game_that_is_called_off_is_over_without_a_result():
    game = a_game()
    game.play("move saloon")
    game.call_off()
    assert game.over
    assert game.called_off
    assert game.legal_actions() == ()
    assert lines(game)[-1] == "result: called off"
    again = Game.from_record(game.record())
    assert again.called_off
    assert again.record() == game.record()
    checks = verify(game.record())
    assert {check.verdict for check in checks} == {"passed"}
    assert narrate(checks[1]) == "The players called the game off, so there is no result to check."


@pytest.mark.parametrize("again", [False, True], ids=["played", "loaded"])
def test_nothing_happens_in_it_any_more(again):
    game = a_game(dice="table")
    game.play("move saloon = card 17")
    game.call_off()
    game = Game.from_record(game.record()) if again else game
    for change in (lambda: game.play("end"), game.call_off, lambda: game.read_outcome("act", "5")):
        with pytest.raises(IllegalAction, match="called off"):
            change()
    with pytest.raises(UndoError, match="called off"):
        game.undo()
    with pytest.raises(CorrectionError, match="called off"):
        game.correct("card 2")
    assert "called off" in str(game.refusal("end"))


def test_a_finished_game_cannot_be_called_off():
    game = played_out(a_game())
    with pytest.raises(IllegalAction, match="game over"):
        game.call_off()
    head, _, _ = game.record().rpartition("result:")
    with pytest.raises(RecordError) as caught:
        Game.from_record(f"{head}result: called off\n")
    assert "not 'called off'" in narrate(caught.value)


def test_nothing_follows_the_line_that_calls_it_off():
    game = a_game()
    game.call_off()
    with pytest.raises(RecordError, match="record after the end"):
        Game.from_record(game.record() + "Ada: end\n")


def test_steps_say_who_decided():
    game = a_game()
    game.play("end", by="regular")
    assert asdict(game.steps[0])["by"] == "regular"
