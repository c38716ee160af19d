"""What the host decides before the game: house rules, invitations, locked tables.

Holds `server.protocol.house` and `server.tables.deciding`.
"""

import pytest

from deadwood.server.protocol.commands import (
    AddBot,
    Invite,
    Ready,
    Rematch,
    Remove,
    SetHouse,
    Sit,
    Vote,
)
from deadwood.server.protocol.house import HouseRules
from deadwood.server.tables.views import View

from ..people import token
from .growing_log import ADA, BO, CY, Table

SECRET, NEW = token(), token()


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


def test_the_table_says_why_nobody_can_sit_down_and_no_bot_can_be_added():
    table = Table((ADA,), start=False)
    assert shown(table) == (None, None, 0)
    table.do(ADA, SetHouse, house={"locked": True})
    assert shown(table) == ("The host has locked this table; you need an invitation to sit down.", None, 0)
    table.do(ADA, SetHouse, house={"locked": False})
    for number in range(5):
        table.do(None, Sit, **sit(f"Q{number}"))
    for secret in (SECRET, NEW):
        table.do(ADA, Invite, secret=secret)
    assert shown(table) == (*["The seats that are left are kept for invited people."] * 2, 2)
    table.now = 86_400.0  # the invitations have ended
    assert shown(table) == (None, None, 0)
    for name in ("Eve", "Flo"):
        table.do(None, Sit, **sit(name))
    assert shown(table) == (*["This table is full: 8 can play."] * 2, 0)
    assert shown(Table()) == (None, None, 0)  # a game is running


def shown(table):
    view = View(table.sitting, "", table.now).table("en", explained=False)
    return view.sit_refusal, view.bot_refusal, view.kept


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
