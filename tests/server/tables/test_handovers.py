"""How a chair moves to another device or another person."""

import pytest

from deadwood import narrate
from deadwood.engine.refusal import Refused
from deadwood.server.protocol.commands import (
    HandOver,
    Leave,
    StandIn,
    TakeOver,
)
from deadwood.server.tables.absence import handed_over

from ..people import token
from .growing_log import ADA, BO, CY, TOKENS, Table

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
    with pytest.raises(Refused) as refused:
        table.do(None, TakeOver, secret=SECRET, token=NEW)
    assert narrate(refused.value) == "This link is older than 10 minutes and no longer works; ask for another."
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
