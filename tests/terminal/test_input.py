"""What people may type, and what it means."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from deadwood import Game, NotationError, Options, narrate
from deadwood.engine import rules
from deadwood.engine.notation import format_action, parse_action
from deadwood.terminal.input import read_action

from ..strategies import positions


def table_game(*played):
    """Ada's turn in the Trailers, or after what was played."""
    game = Game.new(["Ada", "Bo"], Options(first="Ada", dice="table"))
    for text in played:
        game.play(text)
    return game


def with_purse(state, dollars, credits):
    """Ada in the Casting Office, with this much money."""
    ada = replace(state.players[0], area=state.table.office, dollars=dollars, credits=credits)
    return replace(state, players=(ada, *state.players[1:]))


TRAILERS = table_game().state
SALOON = table_game("move saloon = card 2").state  # Town Clock, Busy Gunslinger, Sheriff Dot Larkin
LONE_STAR = table_game("move saloon = card 12").state
WORKING = table_game("move saloon = card 2", "take star 1", "end").state
OFFICE = with_purse(TRAILERS, 10, 10)
POOR = with_purse(TRAILERS, 0, 0)
STATES = [TRAILERS, SALOON, LONE_STAR, WORKING, OFFICE]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("move saloon", "move saloon"),
        ("MOVE SALOON", "move saloon"),
        ("  move \t saloon  ", "move saloon"),
        ("go saloon", "move saloon"),
        ("g s", "move saloon"),
        ("mo sal", "move saloon"),
        ("move to the saloon", "move saloon"),
        ("move Train Station", "move train-station"),  # not next door: the engine says so
        ("go train", "move train-station"),
        ("go trainstation", "move train-station"),
        ("go tr st", "move train-station"),
        ("go station", "move train-station"),
        ("go main", "move main-street"),
        ("go street", "move main-street"),
        ("go Main Street", "move main-street"),
        ("go h", "move hotel"),  # next door, and so not the Secret Hideout
        ("go hide", "move secret-hideout"),
        ("go to the casting office", "move casting-office"),
        ("go off", "move casting-office"),
        ("move trailers", "move trailers"),
        ("act", "act"),
        ("a", "act"),
        ("Roll", "act"),
        ("roll the die", "act"),
        ("rehearse", "rehearse"),
        ("reh", "rehearse"),
        ("end", "end"),
        ("end my turn", "end"),
        ("pass", "end"),
        ("DONE", "end"),
        ("e", "end"),
        ("upgrade 3 dollars", "upgrade 3 dollars"),
        ("upgrade $ 3", "upgrade 3 dollars"),
        ("upgrade $3", "upgrade 3 dollars"),
        ("upgrade 3$", "upgrade 3 dollars"),
        ("upgrade 3 $", "upgrade 3 dollars"),
        ("upgrade 3 d", "upgrade 3 dollars"),
        ("upgrade 3 dollar", "upgrade 3 dollars"),
        ("Upgrade 3 cr", "upgrade 3 credits"),
        ("upgrade 3cr", "upgrade 3 credits"),
        ("upgrade credits 3", "upgrade 3 credits"),
        ("u 6 c", "upgrade 6 credits"),
        ("upgrade to rank 4 for credits", "upgrade 4 credits"),
        ("take star 2", "take star 2"),
        ("take s2", "take star 2"),
        ("TAKE S 2", "take star 2"),
        ("take e1", "take extra 1"),
        ("work ex 1", "take extra 1"),
        ("t extra1", "take extra 1"),
        ("take star 9", "take star 9"),
    ],
)
def test_forgiving_forms_anywhere(typed, meant):
    assert read_action(typed, TRAILERS) == parse_action(meant)


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("take Town Clock", "take star 1"),
        ("take the town clock", "take star 1"),
        ("work clock", "take star 1"),
        ("work as town", "take star 1"),
        ("take gun", "take star 2"),
        ("take busy gun", "take star 2"),
        ("work on the role of busy gunslinger", "take star 2"),
        ("take dot", "take star 3"),
        ("take SHERIFF DOT", "take star 3"),
        ("take sheriff dot larkin", "take star 3"),
        ("take swinging", "take extra 1"),
        ("work door tester", "take extra 1"),
        ("take swinging door tester", "take extra 1"),
        ("wo sip", "take extra 2"),
    ],
)
def test_roles_by_name_where_one_stands(typed, meant):
    assert read_action(typed, SALOON) == parse_action(meant)


def test_the_only_star():
    (name,) = (role.name for role in LONE_STAR.card(LONE_STAR.players[0].area).roles)
    assert read_action("take star", LONE_STAR) == parse_action("take star 1")
    assert read_action(f"take {name}", LONE_STAR) == parse_action("take star 1")


@pytest.mark.parametrize(
    ("state", "typed", "meant"),
    [
        (with_purse(TRAILERS, 10, 9), "upgrade 3", "upgrade 3 dollars"),
        (with_purse(TRAILERS, 9, 10), "upgrade to rank 3", "upgrade 3 credits"),
        (TRAILERS, "upgrade 3", "upgrade 3 dollars"),
        (OFFICE, "upgrade 9", "upgrade 9 dollars"),
    ],
)
def test_the_currency_may_be_left_out_where_only_one_will_do(state, typed, meant):
    assert read_action(typed, state) == parse_action(meant)


@pytest.mark.parametrize(
    ("state", "typed", "sentence"),
    [
        (TRAILERS, "r", "'r' could be roll or rehearse; write more of it."),
        (TRAILERS, "go c", "'c' could be Casting Office or Church; write more of it."),
        (TRAILERS, "go", "Where to? From the Trailers you can move to Main Street, the Saloon or the Hotel."),
        (TRAILERS, "go nowhere", "There is no place called 'nowhere'; the places are train-station, jail,"),
        (TRAILERS, "go ???", "There is no place called '???'"),
        (TRAILERS, "take", "There are no roles at the Trailers."),
        (TRAILERS, "take undertaker", "There are no roles at the Trailers."),
        (SALOON, "take", "Which role? At the Saloon there are star 1 'Town Clock', star 2 'Busy Gunslinger',"),
        (SALOON, "take undertaker", "There is no role 'undertaker' at the Saloon; there are star 1 'Town Clock',"),
        (SALOON, "take !", "There is no role '!' at the Saloon"),
        (SALOON, "take s", "'s' could be star 3 'Sheriff Dot Larkin', extra 1 'Swinging Door Tester' or extra 2"),
        (SALOON, "take star", "'star' could be star 1 'Town Clock', star 2 'Busy Gunslinger' or star 3"),
        (OFFICE, "upgrade", "Which rank, and how do you pay?"),
        (OFFICE, "upgrade dollars", "Which rank, and how do you pay?"),
        (OFFICE, "upgrade 3 4", "Which rank, and how do you pay?"),
        (OFFICE, "upgrade 3 pesos", "Which rank, and how do you pay?"),
        (OFFICE, "upgrade 3 $ cr", "Which rank, and how do you pay?"),
        (OFFICE, "upgrade 3 €", "Which rank, and how do you pay?"),
        (OFFICE, "upgrade 99999999 $", "Which rank, and how do you pay?"),
        (OFFICE, "upgrade 3", "Rank 3 costs $10 or 10 credits; write 'upgrade 3 dollars' or 'upgrade 3 credits'."),
        (POOR, "upgrade 6", "Rank 6 costs $40 or 25 credits, and you have $0 and 0 credits."),
        (TRAILERS, "fly", "'fly' is not an action; actions are move AREA,"),
        (TRAILERS, "actor", "'actor' is not an action"),
        (TRAILERS, "act well", "'act well' is not an action"),
        (TRAILERS, "", "'' is not an action"),
        (TRAILERS, "act\x1b[2J", "'act\N{REPLACEMENT CHARACTER}[2J' is not an action"),
    ],
)
def test_unclear_input_is_explained(state, typed, sentence):
    with pytest.raises(NotationError) as refused:
        read_action(typed, state)
    assert narrate(refused.value).startswith(sentence)


def test_illegal_actions_are_read_all_the_same():
    for text in ("move bank", "act", "rehearse", "take star 1", "upgrade 2 credits"):
        action = read_action(text, TRAILERS)
        assert action == parse_action(text)
        assert rules.refusal(TRAILERS, action) is not None


@given(positions())
def test_the_notation_and_names_mean_what_is_listed(state):
    for action in rules.legal_actions(state):
        text = format_action(action)
        assert read_action(text, state) == action
        assert read_action(f" {text.upper().replace(' ', '  ')} ", state) == action
        assert read_action(text.replace("-", " "), state) == action


_almost = st.builds(
    lambda verb, space, rest: verb + space + rest,
    st.sampled_from(["move", "go", "take", "work", "act", "roll", "rehearse", "upgrade", "end", "pass", "done", "t"]),
    st.sampled_from(["", " ", "\t", "\xa0"]),
    st.text(st.one_of(st.sampled_from("$ star0123deth-=/"), st.characters())),
)


@given(st.sampled_from(STATES), st.one_of(st.text(), st.text(st.characters()), _almost))
def test_any_text_is_read_or_refused(state, text):
    try:
        action = read_action(text, state)
    except NotationError as error:
        sentence = narrate(error)
        assert sentence.isprintable()
        assert len(sentence) < 600
    else:
        rules.refusal(state, action)


def test_very_long_texts_are_read_quickly_and_not_repeated():
    for text in ("x" * 200_000, "move " + "y" * 200_000, "take " + "1 " * 100_000, "upgrade " + "a1$" * 60_000):
        with pytest.raises(NotationError) as refused:
            read_action(text, SALOON)
        assert len(narrate(refused.value)) < 600
