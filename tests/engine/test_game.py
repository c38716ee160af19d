"""A game and its history: playing, undoing, saving, loading, calling off.

Holds `files`.
"""

import copy
import os
import pickle
import random
from itertools import pairwise

import pytest
from hypothesis import given, settings

from deadwood import (
    Act,
    EndTurn,
    Game,
    IllegalAction,
    Move,
    NotationError,
    Options,
    OutcomeError,
    OutcomeNeeded,
    RecordError,
    Refusal,
    SetupError,
    TakeRole,
    UndoError,
    narrate,
)
from deadwood.engine import rules
from deadwood.engine.chance import FairDice, FastDice
from deadwood.engine.events import Acted, DayStarted, GameStarted

from ..strategies import games, positions


def new(seed=7, **options):
    return Game.new(["Ada", "Bo"], Options(first="Ada", **options), seed)


def test_games_and_tables_show_themselves_briefly():
    game = new()
    assert repr(game) == "<Game of Ada, Bo: day 1 of 3, 0 actions>"
    assert repr(game.state.table).startswith("Table(Ada, Bo; Options(deck='classic', layout='GM/CH', first='Ada'")
    assert len(repr(game.state)) < 1000
    played = new(days=1)
    while not played.over:
        played.play(random.Random(len(played.steps)).choice(played.legal_actions()))
    assert repr(played).startswith("<Game of Ada, Bo: over, ")
    assert {line.name for line in played.standings()} == {"Ada", "Bo"}


def test_playing_in_notation_and_in_values_is_the_same():
    one, other = new(), new()
    assert one.play("move saloon") == other.play(Move("saloon"))
    assert one.state == other.state
    assert one.refusal("act") == other.refusal(Act()) == Refusal("R6.1", "not_working")
    with pytest.raises(NotationError):
        one.refusal("jump")


def test_the_same_seed_is_the_same_game():
    assert new(3).play("move saloon") == new(3).play("move saloon")
    assert {new(seed).play("move saloon")[1].card for seed in range(30)} != {new(3).play("move saloon")[1].card}


def test_without_a_seed_every_game_is_another():
    assert Game.new(["Ada", "Bo"]).record() != Game.new(["Ada", "Bo"]).record()


def test_events_start_with_the_opening():
    game = new()
    assert tuple(type(event) for event in game.events) == (GameStarted, DayStarted)
    moved = game.play("move saloon")
    assert game.events[2:] == moved
    assert [step.action for step in game.steps] == [Move("saloon")]


@settings(max_examples=20)
@given(games(decisions=200))
def test_all_states_can_be_seen_again(game):
    states = list(game.states())
    assert len(states) == len(game.steps) + 1
    assert states[-1] == game.state
    for before, step in zip(states, game.steps, strict=False):
        assert before.active == step.seat
        assert step.action in rules.legal_actions(before)


def test_a_refused_action_changes_nothing():
    game = new()
    before = game.record()
    with pytest.raises(IllegalAction) as caught:
        game.play("act")
    assert narrate(caught.value) == "You are not working on a role; take one first."
    assert game.record() == before


def test_playing_something_other_than_an_action_raises_a_type_error():
    with pytest.raises(TypeError, match="42 is not an action"):
        new().play(42)


def test_seed_and_dice_do_not_go_together():
    with pytest.raises(SetupError, match="seed and dice"):
        Game.new(["Ada", "Bo"], seed=1, dice=FastDice(1))
    with pytest.raises(SetupError, match="seed and dice"):
        Game.new(["Ada", "Bo"], salts=[bytes(32)], dice=FastDice(1))


def test_undo_takes_back_what_had_no_chance_in_it():
    game = new()
    game.play("end")
    assert game.state.active == 1
    assert game.undo() == EndTurn()
    assert game.state.active == 0
    assert game.steps == ()
    with pytest.raises(UndoError, match="nothing to undo"):
        game.undo()


def test_undo_goes_back_as_far_as_the_last_chance():
    game = new()
    game.play("move saloon")
    game.play("take extra 1")
    game.play("end")
    assert [game.undo(), game.undo()] == [EndTurn(), TakeRole("extra", 1)]
    assert len(game.steps) == 1
    with pytest.raises(UndoError) as caught:
        game.undo()
    assert "card" in narrate(caught.value)


def test_a_die_is_never_taken_back():
    game = new()
    for text in ("move saloon", "take extra 1", "end", "act"):
        game.play(text)
    with pytest.raises(UndoError):
        game.undo()


def test_moving_where_the_card_is_turned_already_can_be_undone():
    game = new()
    for text in ("move saloon", "end", "move saloon"):
        game.play(text)
    assert game.undo() == Move("saloon")


def test_undone_actions_leave_no_trace_in_the_record_or_the_dice():
    plain, hesitant = new(), new()
    hesitant.play("end")
    hesitant.undo()
    for game in (plain, hesitant):
        game.play("move saloon")
    assert plain.record() == hesitant.record()


@settings(max_examples=20)
@given(games(decisions=60))
def test_a_copy_goes_on_by_itself(game):
    twin = game.copy()
    before = game.record()
    rng = random.Random(0)
    while not twin.over and len(twin.steps) < 90:
        twin.play(rng.choice(twin.legal_actions()))
    assert game.record() == before
    assert twin.steps[: len(game.steps)] == game.steps


def test_a_game_that_is_copied_at_every_action_keeps_its_whole_history():
    """As servers play. Every copy can be taken back as far as the game itself."""
    straight, copied, rng = new(), new(), random.Random(8)
    while not straight.over:
        copied = copied.copy()
        for game, action in zip((straight, copied), 2 * [rng.choice(straight.legal_actions())], strict=True):
            game.play(action)
        back = copied.copy()
        while back.undo_refusal() is None:
            back.undo()
        assert back.steps == straight.steps[: len(back.steps)]
    assert len(straight.steps) > 200
    assert (copied.steps, copied.events, copied.record()) == (straight.steps, straight.events, straight.record())


def test_a_loaded_game_goes_on_with_the_same_dice(tmp_path):
    straight, broken = new(), new()
    rng = random.Random(4)
    while not straight.over:
        action = rng.choice(straight.legal_actions())
        if len(broken.steps) % 10 == 0:
            broken.save(tmp_path / "game.deadwood")
            broken = Game.load(tmp_path / "game.deadwood")
        assert straight.play(action) == broken.play(action)
    assert straight.record() == broken.record()


def test_saving_replaces_the_file_and_leaves_no_other(tmp_path):
    path = tmp_path / "game.deadwood"
    path.write_text("old")
    game = new()
    game.save(path)
    assert path.read_text(encoding="utf-8") == game.record()
    assert os.listdir(tmp_path) == ["game.deadwood"]


def test_a_crash_while_saving_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "game.deadwood"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(OSError(28, "disk full")))
    with pytest.raises(OSError, match="disk full") as caught:
        new().save(path)
    assert caught.value.filename == str(path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["game.deadwood"]


def test_an_interrupt_while_saving_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "game.deadwood"
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        new().save(path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["game.deadwood"]


def test_saving_through_a_link_keeps_the_link(tmp_path):
    (tmp_path / "real.deadwood").write_text("old")
    (tmp_path / "link.deadwood").symlink_to(tmp_path / "real.deadwood")
    new().save(tmp_path / "link.deadwood")
    assert (tmp_path / "link.deadwood").is_symlink()
    assert Game.load(tmp_path / "real.deadwood").record() == new().record()


def test_a_seed_that_is_not_revealed_is_not_in_the_record():
    game = Game.new(["Ada", "Bo"], seed=7, salts=[bytes(32), bytes(32)])
    hidden = game.record(reveal=False)
    assert "seed:" not in hidden
    assert FairDice(7).commitment in hidden
    assert Game.from_record(hidden).record() == hidden


def test_a_game_without_its_seed_needs_dice_to_go_on():
    game = Game.new(["Ada", "Bo"], Options(first="Ada"), seed=7, salts=[bytes(32)])
    hidden = game.record(reveal=False)
    waiting = Game.from_record(hidden)
    waiting.play("end")
    with pytest.raises(OutcomeError, match="seed unknown"):
        waiting.play("move saloon")
    assert waiting.copy().record() == waiting.record()
    going = Game.from_record(hidden, dice=FairDice(7, [bytes(32)]))
    assert going.play("move saloon") == game.play("move saloon")
    for wrong in (FairDice(8, [bytes(32)]), FairDice(7), FastDice(7)):
        with pytest.raises(RecordError, match="commitment broken"):
            Game.from_record(hidden, dice=wrong)


def test_a_simulated_game_goes_on_with_the_given_dice():
    game = Game.new(["Ada", "Bo"], dice=FastDice(3))
    assert "seed" not in game.record()
    assert "commitment" not in game.record()
    assert Game.from_record(game.record(), dice=FastDice(4)).play("end")


def test_the_dice_of_a_fair_game_cannot_be_chosen():
    game = new()
    with pytest.raises(OutcomeError, match="dice are fair"):
        game.play("move saloon = card 3")
    assert game.steps == ()


def test_table_dice_ask_refuse_and_go_on():
    game = new(dice="table")
    with pytest.raises(OutcomeNeeded):
        game.play("move saloon")
    with pytest.raises(OutcomeError):
        game.play("move saloon", "card 77")
    with pytest.raises(IllegalAction):
        game.play("move church", "card 7")
    game.play("move saloon = card 7")
    game.play("end")
    game.play("move saloon")
    game.play("take extra 1")
    game.play("end")
    with pytest.raises(OutcomeNeeded) as caught:
        game.play("act")
    assert (caught.value.kind, caught.value.count) == ("dice", 1)
    with pytest.raises(OutcomeError, match="outcome too long"):
        game.play("act", "2 / 6 5")
    assert game.play("act", "2")[0].die == 2
    assert Game.from_record(game.record()).state == game.state


def test_real_dice_need_no_seed_unless_something_is_drawn():
    assert "seed" not in new(dice="table").record()
    drawn = Game.new(["Ada", "Bo"], Options(dice="table"), 7)
    assert "seed" in drawn.record()
    assert Game.from_record(drawn.record()).record() == drawn.record()


def test_states_compare_hash_and_travel():
    game = new()
    other = Game.from_record(game.record())
    assert other.state == game.state
    assert hash(other.state) == hash(game.state)
    assert other.state.table == game.state.table
    assert game.state != Game.new(["Ada", "Cy"], Options(first="Ada"), 7).state
    assert game.state.table != "a table"
    assert copy.deepcopy(game.state) == game.state


def test_errors_can_be_pickled():
    for error in (
        IllegalAction(Refusal("R1", "x", {"a": 1})),
        RecordError(3, Refusal("", "y")),
        OutcomeNeeded("card", 1),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert str(again) == str(error)


def test_dice_are_not_shared_between_games():
    dice = FairDice(7)
    one, other = (Game.new(["Ada", "Bo"], Options(first="Ada"), dice=dice) for _ in range(2))
    assert one.play("move saloon") == other.play("move saloon")
    assert one.record() == other.record() == Game.from_record(one.record()).record()
    fast = FastDice(3)
    one, other = (Game.new(["Ada", "Bo"], Options(first="Ada"), dice=fast) for _ in range(2))
    assert copy.deepcopy(one).play("move saloon") == one.play("move saloon") == other.play("move saloon")


def test_a_seed_that_did_not_roll_the_game_is_not_recorded():
    simulated = Game.new(["Ada", "Bo"], Options(first="Ada"), dice=FastDice(3))
    simulated.play("move saloon")
    assert "seed" not in Game.from_record(simulated.record(), dice=FairDice(5)).record()


def test_saving_keeps_the_rights_of_the_file_and_long_names(tmp_path):
    path = tmp_path / ("x" * 240 + ".deadwood")
    path.write_text("")
    path.chmod(0o600)
    new().save(path)
    assert path.stat().st_mode & 0o777 == 0o600


def test_refusals_are_asked_in_notation_with_or_without_an_outcome():
    assert new().refusal("move saloon = card 3") is None
    assert new().refusal("act = 5") == Refusal("R6.1", "not_working")


@pytest.mark.parametrize(
    "arguments", [{"options": {"days": 2}}, {"seats": ["red", "blue"]}, {"deck": "studio"}, {"board": "board.toml"}]
)
def test_wrong_types_raise_a_clear_error(arguments):
    with pytest.raises(TypeError, match=r"(is|are) no"):
        Game.new(["Ada", "Bo"], **arguments)


@given(positions())
def test_acting_always_reports_a_die(state):
    if Act() in rules.legal_actions(state):
        _, events = rules.apply(state, Act(), FastDice(1))
        assert isinstance(events[0], Acted)


def test_the_last_step():
    game = Game.new(["Ada", "Bo"], Options(first="Ada"), seed=7)
    assert game.last_step is None
    events = game.play("end")
    assert (game.last_step.seat, game.last_step.action, game.last_step.events) == (0, EndTurn(), events)
    game.undo()
    assert game.last_step is None


def test_turns_are_numbered_and_an_undo_goes_back_to_the_same_one():
    game = new()
    assert game.turn == 1
    game.play("move main-street" if Move("main-street") in game.legal_actions() else game.legal_actions()[0])
    assert game.turn == 1
    game.play("end")
    assert (game.turn, game.last_step.turn) == (2, 1)
    game.undo()
    assert game.turn == 1
    game.play("end")
    assert game.turn == 2


def test_the_number_of_a_turn_is_how_often_the_player_changed():
    game, rng = new(), random.Random(3)
    while not game.over:
        seats = [*(step.seat for step in game.steps), game.state.active]
        assert game.turn == 1 + sum(before != after for before, after in pairwise(seats))
        game.play(rng.choice(game.legal_actions()))
