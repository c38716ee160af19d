"""Decisions are pure: a command at a sitting gives an entry, or a refusal that says what is wrong."""

import pytest

from deadwood import Options
from deadwood.engine.deck import built_in_deck
from deadwood.narration import narrate
from deadwood.server.protocol.commands import Choose, UseDeck
from deadwood.server.protocol.refusals import ServerRefused
from deadwood.server.tables.deciding import Moment
from deadwood.server.tables.decisions import decide
from deadwood.server.tables.log import Chair, Chosen, Entry, Opened
from deadwood.server.tables.sitting import Sitting


@pytest.fixture
def waiting():
    """A table whose host holds chair 1."""
    chairs = (Chair(1, "Ada", "red", token="hash"),)
    opened = Opened(game=1, public=False, options=Options(days=2), seed="00" * 32, host=1, chairs=chairs, next_chair=2)
    return Sitting(Entry("K7RM4TXC", 1, 0.0, 0, "", opened))


def choose(sitting, **options):
    return decide(sitting, frozenset({1}), Choose(id="a", options=options), bytes, Moment())


def test_only_the_options_named_are_chosen(waiting):
    assert choose(waiting, ties="shared").body == Chosen(Options(days=2, ties="shared"))


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"days": "3"}, "At $.options.days, int | null was expected, not str."),
        ({"dais": 3}, "There is no field 'dais' at $.options."),
        ({"days": 9}, "days"),
    ],
)
def test_options_that_do_not_exist_are_refused_by_their_place(waiting, options, sentence):
    with pytest.raises(ServerRefused) as refused:
        choose(waiting, **options)
    assert refused.value.refusal.key == "message_invalid"
    assert sentence in narrate(refused.value)


def swap(sitting, seq):
    deck = built_in_deck("studio") if seq % 2 else None
    return decide(sitting, frozenset({1}), UseDeck(id=f"a{seq}", deck=deck), bytes, Moment())


def test_a_table_swaps_its_deck_only_so_often(waiting):
    """The log keeps every file, and a waking table reads the whole log."""
    for seq in range(2, 52):
        waiting.take(Entry(waiting.code, seq, 0.0, 1, "", swap(waiting, seq).body))
    with pytest.raises(ServerRefused) as refused:
        swap(waiting, 52)
    assert narrate(refused.value).startswith("This table has had 50 other decks and boards")


def test_a_tables_own_deck_is_removed_before_another_is_chosen(waiting):
    waiting.take(Entry(waiting.code, 2, 0.0, 1, "", swap(waiting, 3).body))
    with pytest.raises(ServerRefused) as refused:
        choose(waiting, deck="classic")
    assert narrate(refused.value) == "The table plays with its own deck, 'studio'; remove that first."
    assert choose(waiting, days=3).body.options.days == 3
