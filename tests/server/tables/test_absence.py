"""What becomes of a table whose people are away, out of time or gone: pure decisions on a log."""

import pytest
from msgspec.structs import replace

from deadwood import Game, Options
from deadwood.engine.refusal import Refused
from deadwood.narration import languages, narrate
from deadwood.server.protocol.commands import (
    AddBot,
    HandOver,
    Invite,
    Leave,
    Play,
    Ready,
    Rematch,
    Remove,
    Resume,
    SetHouse,
    Sit,
    StandIn,
    TakeOver,
    Undo,
    Vote,
)
from deadwood.server.protocol.house import HouseRules
from deadwood.server.tables import log
from deadwood.server.tables.absence import countdowns, handed_over, timely
from deadwood.server.tables.deciding import Moment
from deadwood.server.tables.decisions import decide
from deadwood.server.tables.log import Chair, Entry, Opened
from deadwood.server.tables.sitting import Sitting, sitting_of
from deadwood.server.tables.table_state import hash_secret

from ..people import token

ADA, BO, CY = 1, 2, 3
TOKENS = {chair: token() for chair in (ADA, BO, CY)}
NAMES = {ADA: "Ada", BO: "Bo", CY: "Cy"}


class Table:
    """A log that grows by commands, and by what is due."""

    def __init__(self, people=(ADA, BO), *, bots=(), remote=(), start=True, public=False, options=None, **house):
        chairs = [Chair(one, NAMES[one], "", token=hash_secret(TOKENS[one]), salt=f"{one:064x}") for one in people]
        chairs = [replace(chair, bot="walker") if chair.id in remote else chair for chair in chairs]
        chairs += [Chair(10 + number, f"Bot{number}", "", bot=bot) for number, bot in enumerate(bots)]
        colours = ("red", "blue", "green", "yellow")
        opened = Opened(
            game=1,
            public=public,
            options=Options(**{"first": "Ada", "days": 1, **(options or {})}),
            seed="07" * 32,
            host=ADA,
            chairs=tuple(replace(chair, colour=colour) for chair, colour in zip(chairs, colours, strict=False)),
            next_chair=20,
            house=HouseRules(**house),
        )
        self.entries = [Entry("CCCCFFFF", 1, 0.0, 0, "", opened)]
        self.sitting = Sitting(self.entries[0])
        self.now = 0.0
        self.present = frozenset(people)
        self.pending = None
        self.crowded = False
        if start:
            self.take(0, log.Started())

    def take(self, by, body, game=None):
        entry = Entry("CCCCFFFF", self.sitting.seq + 1, self.now, by, "", body)
        self.entries.append(entry)
        self.sitting = self.sitting.after(entry, game)
        return self.sitting.events[-1]

    def do(self, who, command, **fields):
        """Somebody's command, and what it tells everybody."""
        held = frozenset() if who is None else frozenset({who})
        if command in (Play, Undo):
            fields["seq"] = self.sitting.seq + 1
        moment = Moment(self.now, self.present, self.pending, self.crowded)
        decision = decide(self.sitting, held, command(id="c", **fields), bytes, moment)
        event = self.take(decision.by, decision.body, decision.game)
        return [narrate(one) for one in event.events]

    def refusal(self, who, command, **fields):
        before = len(self.entries)
        with pytest.raises(Refused) as refused:
            self.do(who, command, **fields)
        assert len(self.entries) == before
        assert all(narrate(refused.value, language) for language in languages())
        return refused.value.refusal.key

    def due(self, over=(), seconds_left=None):
        """What time brings, if anything."""
        decision = timely(self.sitting, self.present, over, seconds_left)
        if decision is None:
            return None
        event = self.take(decision.by, decision.body, decision.game)
        return [narrate(one) for one in event.events]

    def replayed(self):
        return sitting_of(self.entries)


# --- stand-ins


def test_the_others_wait_for_an_absent_player_on_whose_turn_it_is():
    table = Table(grace=30)
    assert countdowns(table.sitting, table.present) == {}
    table.present = frozenset({BO})
    assert countdowns(table.sitting, table.present)["stand_in", ADA, 2] == (30, True)
    table.present = frozenset()
    assert countdowns(table.sitting, table.present)["stand_in", ADA, 2] == (30, False)  # nobody waits
    table.present = frozenset({ADA})
    assert not any(what == "stand_in" for what, _, _ in countdowns(table.sitting, table.present))


def test_without_a_grace_period_the_others_wait_for_ever():
    table = Table(grace=None)
    table.present = frozenset({BO})
    assert not any(what == "stand_in" for what, _, _ in countdowns(table.sitting, table.present))


@pytest.mark.parametrize(("clock", "waits"), [(300, False), (86_400, True), (259_200, True)])
def test_who_has_days_for_a_turn_need_not_be_there(clock, waits):
    table = Table(clock=clock)
    assert any(kind == "stand_in" for kind, *_ in countdowns(table.sitting, frozenset({BO}))) is not waits


def test_a_stand_in_plays_until_its_person_is_back():
    table = Table(grace=30, stand_in="hopeful")
    table.present = frozenset({BO})
    assert table.due([("stand_in", ADA, 2)]) == ["Ada is away, so the bot 'Hopeful' plays until Ada is back."]
    turn = table.sitting.bot_turn
    assert (turn.chair.id, turn.bot, turn.stands_in) == (ADA, "hopeful", True)
    assert table.due([("stand_in", ADA, 2)]) is None
    table.present = frozenset({ADA, BO})
    assert table.due() == ["Ada is back."]
    assert table.sitting.bot_turn is None
    assert table.do(ADA, Play, action="end") == ["Ada is done, and it is Bo's turn."]


def test_a_countdown_of_another_turn_brings_no_stand_in():
    table = Table(grace=30)
    table.do(ADA, Play, action="end")
    table.do(BO, Play, action="end")
    table.present = frozenset({BO})
    assert table.due([("stand_in", ADA, 2)]) is None
    assert ("stand_in", ADA, 4) in countdowns(table.sitting, table.present)


def test_what_a_stand_in_did_stays():
    table = Table()
    table.present = frozenset({BO})
    table.due([("stand_in", ADA, 2)])
    table.take(0, log.Played("end", by="regular"))
    table.present = frozenset({ADA, BO})
    table.due()
    assert table.refusal(ADA, Undo) == "undo_of_stand_in"
    assert table.sitting.events[-2].by == "regular"
    assert table.replayed().game.record() == table.sitting.game.record()


def test_the_host_gives_an_absent_chair_to_the_stand_in():
    table = Table((ADA, BO, CY), grace=None, stand_in="star")
    assert table.refusal(ADA, StandIn, chair=BO) == "player_is_here"
    table.present = frozenset({ADA, CY})
    assert table.refusal(CY, StandIn, chair=BO) == "not_the_host"
    assert table.refusal(ADA, StandIn, chair=99) == "chair_unknown"
    assert table.do(ADA, StandIn, chair=BO) == ["The host lets the bot 'Star' play until Bo is back."]
    assert table.refusal(ADA, StandIn, chair=BO) == "stand_in_plays"
    table.do(ADA, Play, action="end")
    assert table.sitting.bot_turn.bot == "star"


def test_bots_and_tables_that_wait_need_no_stand_in():
    assert Table(bots=["random"]).refusal(ADA, StandIn, chair=10) == "chair_without_person"
    assert Table(start=False).refusal(ADA, StandIn, chair=BO) == "table_not_running"


# --- leaving for good


def test_who_leaves_a_game_leaves_the_rest_to_the_stand_in():
    table = Table((ADA, BO, CY), stand_in="hopeful")
    assert table.refusal(CY, Leave, chair=ADA) == "not_your_chair"
    assert table.do(ADA, Leave, chair=ADA) == [
        "Ada left the game for good; the bot 'Hopeful' plays on, and Bo is now the host."
    ]
    assert (table.sitting.host, table.sitting.bot_turn.bot) == (BO, "hopeful")
    assert table.sitting.chair_of(TOKENS[ADA]) is None
    assert table.sitting.left_chair(TOKENS[ADA]) == ADA
    assert table.do(CY, Leave, chair=CY) == ["Cy left the game for good; the bot 'Hopeful' plays on."]
    assert not table.sitting.deserted
    table.do(BO, Leave, chair=BO)
    assert table.sitting.deserted
    assert table.sitting.host is None
    assert "person then bot hopeful" in table.replayed().game.record()


def test_leaving_a_pause_does_not_leave_it_for_ever():
    table = Table()
    table.do(BO, Leave, chair=BO)
    table.do(ADA, Vote, to="pause")
    assert table.due() == ["The game is paused."]
    assert table.sitting.due is None
    table.do(ADA, Leave, chair=ADA)
    assert not table.sitting.attendance.paused
    assert table.sitting.due is not None


def test_real_dice_that_nobody_can_roll_call_the_game_off():
    table = Table(options={"dice": "table"})
    table.do(ADA, Leave, chair=ADA)
    table.present = frozenset()
    assert table.due() is None
    table.do(BO, Leave, chair=BO)
    assert table.sitting.due is not None
    assert table.due() == ["The game was called off: it is over, and nobody has won."]
    assert table.sitting.status == "finished"


def test_a_finished_game_is_not_left_and_its_rematch_is_without_those_who_left():
    table = Table((ADA, BO, CY))
    table.do(BO, Leave, chair=BO)
    for one in (ADA, CY):
        table.do(one, Vote, to="end")
    table.due()
    assert table.refusal(ADA, Leave, chair=ADA) == "table_not_waiting"
    table.do(CY, Rematch)
    assert [chair.name for chair in table.sitting.chairs] == ["Ada", "Cy"]
    assert table.sitting.left_chair(TOKENS[BO]) == BO


# --- handing over


SECRET, NEW = token(), token()


def test_a_chair_moves_to_another_device_once():
    table = Table()
    assert table.do(BO, HandOver, chair=BO, secret=SECRET) == ["Bo is moving to another device."]
    assert table.refusal(None, TakeOver, secret=token(), token=NEW) == "handover_unknown"
    assert table.refusal(None, TakeOver, secret=SECRET, token="0" * 64) == "token_weak"
    table.now = 599.0
    assert table.do(None, TakeOver, secret=SECRET, token=NEW) == ["Another device plays for Bo from now on."]
    assert table.sitting.chair_of(NEW).id == BO
    assert table.sitting.chair_of(TOKENS[BO]) is None
    assert table.sitting.left_chair(TOKENS[BO]) == BO
    assert table.refusal(None, TakeOver, secret=SECRET, token=token()) == "handover_used"
    assert SECRET not in str(table.entries)
    assert NEW not in str(table.entries)


def test_a_handover_ends_after_ten_minutes():
    table = Table()
    table.do(BO, HandOver, chair=BO, secret=SECRET)
    table.now = 600.0
    assert table.refusal(None, TakeOver, secret=SECRET, token=NEW) == "handover_late"
    table.do(BO, Leave, chair=BO)
    assert table.refusal(None, TakeOver, secret=SECRET, token=NEW) == "handover_unknown"


def test_one_secret_hands_over_several_chairs_one_by_one():
    table = Table((ADA, BO, CY))
    for chair in (CY, ADA):
        table.do(chair, HandOver, chair=chair, secret=SECRET)
    assert [chair for chair, _ in handed_over(table.sitting, SECRET, 10.0)] == [ADA, CY]
    new = [token(), token()]
    table.do(None, TakeOver, secret=SECRET, token=new[0])
    assert [chair for chair, _ in handed_over(table.sitting, SECRET, 10.0)] == [CY]
    table.do(None, TakeOver, secret=SECRET, token=new[1])
    assert [table.sitting.chair_of(one).id for one in new] == [ADA, CY]
    assert table.refusal(None, TakeOver, secret=SECRET, token=token()) == "handover_used"
    assert table.sitting.chair_of(TOKENS[BO]).id == BO


def test_a_second_handover_replaces_the_first():
    table = Table()
    table.do(BO, HandOver, chair=BO, secret=SECRET)
    other = token()
    table.do(BO, HandOver, chair=BO, secret=other)
    assert table.refusal(None, TakeOver, secret=SECRET, token=NEW) == "handover_unknown"
    table.do(None, TakeOver, secret=other, token=NEW)


def test_the_host_hands_over_only_the_chair_of_somebody_who_stays_away():
    table = Table((ADA, BO, CY))
    assert table.refusal(ADA, HandOver, chair=BO, secret=SECRET) == "player_is_here"
    table.present = frozenset({ADA, CY})
    assert table.refusal(CY, HandOver, chair=BO, secret=SECRET) == "not_the_host"
    assert table.refusal(ADA, HandOver, chair=BO, secret="1" * 64) == "token_weak"
    assert table.do(ADA, HandOver, chair=BO, secret=SECRET) == ["Ada offers Bo's seat to somebody else."]
    table.present = frozenset({ADA, BO, CY})
    assert table.refusal(None, TakeOver, secret=SECRET, token=NEW) == "player_is_here"
    table.present = frozenset({ADA, CY})
    table.do(ADA, StandIn, chair=BO)
    table.do(None, TakeOver, secret=SECRET, token=NEW)
    assert BO not in table.sitting.attendance.away


def test_a_spent_token_takes_nothing_over():
    table = Table((ADA, BO, CY))
    table.do(BO, HandOver, chair=BO, secret=SECRET)
    table.do(CY, Leave, chair=CY)
    assert table.refusal(None, TakeOver, secret=SECRET, token=TOKENS[CY]) == "token_spent"
    assert table.refusal(None, TakeOver, secret=SECRET, token=TOKENS[ADA]) == "token_taken"


def test_a_chair_moves_before_the_game_too():
    table = Table(start=False)
    table.do(BO, HandOver, chair=BO, secret=SECRET)
    table.do(None, TakeOver, secret=SECRET, token=NEW)
    assert table.sitting.chair_of(NEW).salt is not None


# --- the host


def test_a_host_who_stays_away_loses_the_role():
    for start in (True, False):
        table = Table((ADA, BO, CY), start=start, grace=None)
        table.present = frozenset({CY})
        assert countdowns(table.sitting, table.present)["host", ADA, 0] == (120, True)
        assert table.due([("host", ADA, 0)]) == ["Ada has been away for a while, so Cy is now the host."]
        assert table.replayed().host == CY


def test_nobody_takes_a_slow_game_from_those_who_sleep():
    """With a clock of days, people are away for hours, and still in the game."""
    table = Table((ADA, BO, CY), clock=86_400)
    table.present = frozenset({CY})
    table.do(CY, Vote, to="end")
    waits = countdowns(table.sitting, table.present)
    assert {waits[one] for one in (("host", ADA, 0), ("gone", ADA, 0), ("gone", BO, 0))} == {(86_400, True)}
    waiting = Table((ADA, BO), start=False, clock=86_400)
    waiting.present = frozenset({BO})
    assert countdowns(waiting.sitting, waiting.present) == {("host", ADA, 0): (120, True)}


def test_nobody_becomes_the_host_of_an_empty_table():
    table = Table(start=False, grace=600)
    table.present = frozenset()
    assert countdowns(table.sitting, table.present) == {("host", ADA, 0): (600, False)}
    assert table.due([("host", ADA, 0)]) is None


# --- agreeing


def test_everybody_present_agrees_to_a_pause_and_anybody_ends_it():
    table = Table((ADA, BO, CY))
    table.present = frozenset({ADA, BO})
    assert table.do(ADA, Vote, to="pause") == ["Ada wants to pause."]
    assert table.due() is None
    assert table.refusal(ADA, Resume) == "table_not_paused"
    table.do(BO, Vote, to="pause")
    assert table.due() == ["The game is paused."]
    assert table.due([("stand_in", ADA, 2)], -1.0) is None
    assert table.refusal(ADA, Play, action="end") == "table_paused"
    assert table.refusal(ADA, Vote, to="pause") == "table_paused"
    assert table.refusal(None, Resume) == "token_unknown"
    assert table.do(CY, Resume) == ["Cy ends the pause."]
    table.do(ADA, Play, action="end")


def test_a_pause_needs_those_who_are_left():
    table = Table()
    table.do(ADA, Vote, to="pause")
    table.present = frozenset({ADA})
    assert table.due() == ["The game is paused."]


def test_who_plays_on_or_disagrees_does_not_agree():
    table = Table()
    table.do(ADA, Vote, to="end")
    table.do(ADA, Vote, to="pause")
    table.do(ADA, Play, action="end")
    assert not table.sitting.attendance.end | table.sitting.attendance.pause
    table.do(ADA, Vote, to="end")
    assert table.do(BO, Vote, to="end", agrees=False) == ["Bo wants to play on."]
    table.do(BO, Vote, to="end")
    assert table.due() is None


def test_everybody_agrees_to_end_the_game():
    table = Table((ADA, BO, CY))
    for one in (ADA, BO):
        assert table.due() is None
        table.do(one, Vote, to="end")
    table.present = frozenset({ADA, BO})
    assert table.due() is None  # Cy may have lost the connection only for a moment
    assert countdowns(table.sitting, table.present)["gone", CY, 0] == (120, True)
    assert table.due([("gone", CY, 0)]) == ["The game was called off: it is over, and nobody has won."]
    assert table.sitting.status == "finished"
    assert table.replayed().game.record().endswith("result: called off\n")
    assert table.refusal(ADA, Vote, to="end") == "table_not_running"


def test_those_who_agreed_and_went_do_not_end_it_alone():
    table = Table()
    table.do(ADA, Vote, to="end")
    table.present = frozenset()
    assert table.due([("gone", ADA, 0), ("gone", BO, 0)]) is None
    table.present = frozenset({BO})
    assert table.due([("gone", ADA, 0)]) is None
    table.do(BO, Vote, to="end")
    assert table.due([("gone", ADA, 0)]) is not None


# --- the clock


def test_the_clock_runs_from_the_entry_that_began_the_turn():
    table = Table(clock=60)
    assert table.sitting.attendance.clock == table.sitting.due
    assert (table.sitting.due.since, table.sitting.due.left) == (0.0, 60)
    table.now = 20.0
    table.do(ADA, Play, action="move saloon")
    assert table.sitting.due.since == 0.0
    table.now = 30.0
    table.do(ADA, Play, action="end")
    assert table.sitting.due.since == 30.0
    assert table.replayed().attendance == table.sitting.attendance


def test_a_turn_that_is_taken_back_has_its_old_clock():
    table = Table(clock=60)
    table.now = 50.0
    table.do(ADA, Play, action="end")
    table.now = 55.0
    table.do(ADA, Undo)
    assert table.sitting.due.since == 0.0
    table.do(ADA, Play, action="end")
    table.now = 56.0
    table.do(BO, Play, action="end")
    assert table.sitting.due.since == 56.0
    assert table.replayed().attendance == table.sitting.attendance


def test_when_time_is_up_the_stand_in_plays_this_turn_and_no_more():
    table = Table(clock=60, stand_in="hopeful")
    assert table.due(seconds_left=0.1) is None
    assert table.due(seconds_left=-0.1) == ["Ada's time is up, so the bot 'Hopeful' plays the rest of this turn."]
    assert table.due(seconds_left=-5) is None
    assert table.refusal(ADA, Play, action="end") == "time_is_up"
    table.take(0, log.Played("move saloon", by="hopeful"))
    assert table.sitting.bot_turn.bot == "hopeful"
    table.take(0, log.Played("end", by="hopeful"))
    assert table.sitting.bot_turn is None
    table.do(BO, Play, action="end")
    assert table.sitting.bot_turn is None
    table.do(ADA, Play, action="end")
    assert "(by hopeful)" in table.sitting.game.record()


def test_a_pause_stops_the_clock():
    table = Table(clock=60)
    for one in (ADA, BO):
        table.do(one, Vote, to="pause")
    table.now = 45.0
    table.due(seconds_left=15.0)
    assert table.sitting.attendance.clock.left == 15.0
    assert table.sitting.due is None
    table.now = 1000.0
    table.do(BO, Resume)
    assert (table.sitting.due.since, table.sitting.due.left) == (1000.0, 15.0)


def test_bots_have_no_clock_but_the_table_must_be_woken_for_them():
    table = Table((ADA,), bots=["random"], clock=60)
    table.now = 5.0
    table.do(ADA, Play, action="end")
    assert table.sitting.attendance.clock is None
    assert (table.sitting.due.since, table.sitting.due.left) == (5.0, 0.0)


def test_tables_without_a_clock_or_with_real_dice_wake_for_nobody():
    assert Table().sitting.due is None
    table = Table(clock=60, options={"dice": "table"})
    assert table.sitting.attendance.clock is not None
    assert table.sitting.due is None
    assert Table((), bots=["random", "random"], clock=30, options={"first": "Bot0"}).sitting.due is None


def test_who_returns_has_the_time_that_was_left():
    """Or somebody could go away for a moment, again and again, and never run out of time."""
    table = Table(clock=60, grace=30)
    before = table.sitting.attendance.clock
    table.now = 40.0
    table.present = frozenset({BO})
    table.due([("stand_in", ADA, 2)], 20.0)
    assert table.sitting.attendance.clock is None
    table.now = 42.0
    table.present = frozenset({ADA, BO})
    table.due()
    assert table.sitting.attendance.clock == before
    assert table.replayed().attendance == table.sitting.attendance


def test_a_chair_that_somebody_takes_over_has_the_time_that_was_left():
    table = Table(clock=60)
    before, secret = table.sitting.attendance.clock, token()
    table.present = frozenset({BO})
    table.now = 40.0
    table.do(ADA, StandIn, chair=ADA)  # the host, without a connection
    table.do(ADA, HandOver, chair=ADA, secret=secret)
    table.do(None, TakeOver, secret=secret, token=token())
    assert table.sitting.attendance.clock == before


def test_who_returns_in_a_later_turn_has_its_whole_time():
    table = Table(clock=60)
    table.present = frozenset({BO})
    table.do(ADA, StandIn, chair=ADA)
    table.take(0, log.Played("end", by="regular"))
    table.now = 50.0
    table.do(BO, Play, action="end")
    table.now = 70.0
    table.present = frozenset({ADA, BO})
    table.due()
    assert (table.sitting.attendance.clock.since, table.sitting.attendance.clock.left) == (70.0, 60)


def test_a_pause_does_not_count_for_who_returns_after_it():
    table = Table((ADA, BO, CY), clock=60)
    table.present = frozenset({BO})
    table.do(BO, Vote, to="pause")
    table.do(ADA, StandIn, chair=ADA)
    table.due()
    table.now = 5000.0
    table.do(BO, Resume)
    table.present = frozenset({ADA, BO})
    table.due()
    assert table.sitting.attendance.clock.since == 5000.0


# --- before the game


def test_house_rules_are_the_hosts():
    table = Table(start=False)
    assert table.refusal(BO, SetHouse, house={"clock": 30}) == "not_the_host"
    assert table.do(ADA, SetHouse, house={"clock": 30}) == [
        "The host changed the house rules, so everybody must be ready again."
    ]
    assert table.sitting.house == HouseRules(clock=30)
    assert not any(chair.salt for chair in table.sitting.chairs)
    table.do(BO, Ready, chair=BO, salt=token())
    assert table.do(ADA, SetHouse, house={"locked": True}) == [
        "The host locked the table: only invited people may sit down."
    ]
    assert table.sitting.chair(BO).salt is not None
    assert Table().refusal(ADA, SetHouse, house={"clock": 30}) == "table_not_waiting"


@pytest.mark.parametrize(
    ("house", "key"),
    [
        ({"grace": 31}, "not_a_choice"),
        ({"clock": 1}, "not_a_choice"),
        ({"clock": True}, "message_invalid"),
        ({"stand_in": "nobody"}, "not_a_choice"),
        ({"stand_in": None}, "message_invalid"),
        ({"locked": "yes"}, "message_invalid"),
        ({"lock": True}, "message_invalid"),
    ],
)
def test_house_rules_that_do_not_exist_are_refused(house, key):
    assert Table(start=False).refusal(ADA, SetHouse, house=house) == key


def sit(name="Dee", **more):
    return {"name": name, "token": token(), **more}


def test_nobody_sits_down_at_a_locked_table_without_an_invitation():
    table = Table(start=False, locked=True)
    assert table.refusal(None, Sit, **sit()) == "table_locked"
    assert table.do(ADA, Invite, secret=SECRET) == ["One seat is kept for an invited person."]
    assert table.refusal(None, Sit, **sit(invitation=token())) == "invitation_unknown"
    table.do(None, Sit, **sit(invitation=SECRET))
    assert table.refusal(None, Sit, **sit("Eve", invitation=SECRET)) == "invitation_unknown"
    assert SECRET not in str(table.entries)


def test_invitations_keep_chairs_for_a_day():
    table = Table((ADA,), start=False)
    for number in range(5):
        table.do(None, Sit, **sit(f"Q{number}"))
    table.do(ADA, Invite, secret=SECRET)
    table.do(ADA, Invite, secret=NEW)
    assert table.refusal(ADA, Invite, secret=token()) == "chairs_kept"
    assert table.refusal(None, Sit, **sit()) == "chairs_kept"
    assert table.refusal(ADA, AddBot, bot="random") == "chairs_kept"
    table.do(None, Sit, **sit(invitation=SECRET))
    table.now = 86_400.0
    assert table.refusal(None, Sit, **sit("Eve", invitation=NEW)) == "invitation_unknown"
    table.do(None, Sit, **sit("Eve"))
    assert table.refusal(None, Sit, **sit("Flo")) == "table_full"


def test_the_host_takes_invitations_back():
    table = Table(start=False, locked=True)
    table.do(ADA, Invite, secret=SECRET)
    assert table.do(ADA, Invite) == ["No seats are kept for invited people any more."]
    assert table.refusal(None, Sit, **sit(invitation=SECRET)) == "invitation_unknown"
    assert table.refusal(BO, Invite, secret=SECRET) == "not_the_host"


def test_a_removed_person_does_not_sit_down_again():
    table = Table((ADA, BO, CY), start=False)
    assert table.do(ADA, Remove, chair=BO) == ["The host removed Bo and locked the table."]
    assert table.refusal(None, Sit, **sit("Bo")) == "table_locked"
    table.do(ADA, SetHouse, house={"locked": False})
    table.do(ADA, AddBot, bot="random")
    table.do(ADA, Remove, chair=table.sitting.chairs[-1].id)
    assert not table.sitting.house.locked  # a bot does not come back


def test_one_address_does_not_fill_a_public_table():
    table = Table(start=False, public=True)
    table.crowded = True
    assert table.refusal(None, Sit, **sit()) == "address_has_chairs"
    table.do(ADA, Sit, **sit())  # the host's friends at the host's screen
    table.do(ADA, Invite, secret=SECRET)
    table.do(None, Sit, **sit("Eve", invitation=SECRET))


def test_a_new_bot_asks_everybody_again():
    table = Table(start=False)
    assert table.do(ADA, AddBot, bot="random") == [
        "Tim Tumbleweed, a bot (Random), sits down (green), so everybody must be ready again."
    ]
    assert not any(chair.salt for chair in table.sitting.chairs)
    assert table.do(ADA, AddBot, bot="star") == ["Mae Marquee, a bot (Star), sits down (yellow)."]


def test_a_person_who_sits_down_asks_nobody_again():
    table = Table(start=False)
    table.do(None, Sit, **sit())
    assert table.sitting.chair(ADA).salt is not None


def test_a_rematch_keeps_the_house_rules():
    table = Table(clock=60, grace=30)
    for one in (ADA, BO):
        table.do(one, Vote, to="end")
    table.due()
    table.do(BO, Rematch)
    assert table.sitting.house == HouseRules(clock=60, grace=30)


# --- remote bots


def test_a_remote_bot_plays_for_itself_until_it_is_away():
    table = Table((ADA, BO), remote=[BO], grace=30, stand_in="hopeful")
    table.do(ADA, Play, action="end")
    assert table.sitting.bot_turn is None
    assert table.do(BO, Play, action="end") == ["Bo is done, and it is Ada's turn."]
    table.do(ADA, Play, action="end")
    table.present = frozenset({ADA})
    assert table.due([("stand_in", BO, 5)]) == ["Bo is away, so the bot 'Hopeful' plays until Bo is back."]
    assert table.sitting.bot_turn.bot == "hopeful"


def test_remote_bots_wait_for_each_other_but_never_hurry_a_person():
    waits = Table((ADA, BO), remote=[BO])
    assert countdowns(waits.sitting, frozenset({BO}))["stand_in", ADA, 2] == (120, False)
    among_themselves = Table((ADA, BO), remote=[ADA, BO])
    assert countdowns(among_themselves.sitting, frozenset({BO}))["stand_in", ADA, 2] == (120, True)


def test_people_pause_and_end_a_game_without_asking_remote_bots():
    table = Table((ADA, BO), remote=[BO])
    table.do(ADA, Vote, to="pause")
    assert table.due() == ["The game is paused."]
    table.do(ADA, Resume)
    table.do(ADA, Vote, to="end")
    assert table.due() == ["The game was called off: it is over, and nobody has won."]


def test_a_remote_bot_never_becomes_the_host_while_people_may_come():
    table = Table((ADA, BO), remote=[BO], start=False)
    table.present = frozenset({BO})
    assert table.due([("host", ADA, 0)]) is None
    table.do(ADA, Leave, chair=ADA)
    assert table.sitting.host is None
    table.do(None, Sit, name="Dee", token=token(), bot="walker")
    assert table.sitting.host is None
    table.do(None, Sit, name="Cy", token=token())
    assert table.sitting.name(table.sitting.host) == "Cy"


def test_nobody_takes_over_the_chair_of_a_remote_bot():
    table = Table((ADA, BO), remote=[BO])
    assert table.refusal(BO, HandOver, chair=BO, secret=token()) == "chair_without_person"
    table.present = frozenset({ADA})
    assert table.refusal(ADA, HandOver, chair=BO, secret=token()) == "chair_without_person"


def test_a_remote_bot_that_leaves_is_replaced_and_recorded():
    table = Table((ADA, BO), remote=[BO])
    table.do(BO, Leave, chair=BO)
    table.do(ADA, Play, action="end")
    turn = table.sitting.bot_turn
    assert (turn.bot, turn.stands_in) == ("regular", True)
    record = table.replayed().game.record()
    assert "seats: red person; blue bot walker then bot regular\n" in record
    assert Game.from_record(record).record() == record


def test_the_name_of_a_remote_bot_is_one_word():
    table = Table(start=False)
    assert table.refusal(None, Sit, name="Cy", token=token(), bot="two words") == "bot_name"
    assert table.do(None, Sit, name="Cy", token=token(), bot="walker") == ["Cy, a bot (walker), sits down (green)."]


# --- old logs


OLD = (
    b'{"type":"opened","game":1,"public":false,"options":{},"seed":"%s","host":1,"next_chair":4,"chairs":'
    b'[{"id":1,"name":"Ada","colour":"red","token":"a","salt":"%s"}]}' % (b"07" * 32, b"01" * 32)
)


def test_logs_from_before_mean_what_they_meant():
    bodies = [
        OLD,
        b'{"type":"sat","chair":{"id":2,"name":"Bo","colour":"blue","token":"b"}}',
        b'{"type":"sat","chair":{"id":3,"name":"Rex","colour":"green","bot":"random"}}',
        b'{"type":"left","seat":2,"kicked":true}',
        b'{"type":"started"}',
        b'{"type":"played","action":"end","outcome":""}',
    ]
    entries = [Entry("CCCCFFFF", seq, 1.0, 1, "", log.decode_body(body.decode())) for seq, body in enumerate(bodies, 1)]
    sitting = sitting_of(entries)
    assert sitting.house == HouseRules(grace=None)
    assert sitting.salts == ("01" * 32,)  # a bot did not ask anybody again
    assert sitting.attendance.clock is None
    assert countdowns(sitting, frozenset()).keys() == {("gone", 1, 0), ("host", 1, 0)}


def test_entries_are_stored_as_before_where_nothing_is_new():
    assert log.encode_body(log.Played("end")) == b'{"type":"played","action":"end","version":1}'
    assert log.encode_body(log.Left(2)) == b'{"type":"left","seat":2,"version":1}'
