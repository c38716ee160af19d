"""What people want to know while their page is closed."""

from types import SimpleNamespace as Some

from deadwood import Game, Options
from deadwood.server.tables.log import Chair, Entry, Undone
from deadwood.server.tables.news import announcements, given_up, latest_news

ADA, BO, BOT = (
    Chair(1, "Ada", "red", token="a" * 64),
    Chair(2, "Bo", "blue", token="b" * 64),
    Chair(3, "R", "green", bot="x"),
)
ENTRY = Entry("CCCCFFFF", 9, 100.0, 0, "", Undone())


def a_table(game=None, number=1, chairs=(ADA, BO, BOT)):
    people = tuple(chair for chair in chairs if chair.token)
    return Some(code="CCCCFFFF", opened=Some(game=number), game=game, chairs=chairs, holders=people)


def a_game(*actions, over=False):
    game = Game.new(["Ada", "Bo", "R"], Options(first="Ada", days=1), 5)
    for action in actions:
        game.play(action)
    if over:
        game.call_off()
    return game


def announced(before, after):
    made = announcements(before, after, after.game, ENTRY, 5.0)
    assert all((one.code, one.at, one.due) == ("CCCCFFFF", 100.0, 105.0) for one in made)
    return [(one.chair, one.kind, one.tag.removeprefix("CCCCFFFF-")) for one in made]


def test_a_beginning_is_news_for_all_people_and_a_turn_for_one():
    begun = a_table(a_game())
    assert announced(a_table(), begun) == [(1, "started_turn", "1-1"), (2, "started", "1-0")]
    assert announced(begun, a_table(a_game("move saloon"))) == []
    assert announced(begun, a_table(a_game("end"))) == [(2, "turn", "1-2")]
    assert announced(a_table(a_game("end")), a_table(a_game("end", "end"))) == []  # a bot's turn
    assert announced(a_table(a_game("end", "end")), a_table(a_game("end", "end", "end"))) == [(1, "turn", "1-4")]


def test_an_end_is_news_for_all_and_a_game_that_goes_on_after_a_correction_for_one():
    running, over = a_table(a_game("end")), a_table(a_game("end", over=True))
    assert announced(running, over) == [(1, "over", "1-over"), (2, "over", "1-over")]
    assert announced(over, running) == [(2, "turn", "1-2")]
    assert announced(over, a_table(number=2)) == []
    assert announced(over, a_table(a_game(), number=2)) == [(1, "started_turn", "2-1"), (2, "started", "2-0")]


def test_before_a_game_there_is_none():
    assert latest_news(a_table(), ADA, None) is None


def test_chairs_that_somebody_has_given_up():
    other = Chair(2, "Bo", "blue", token="c" * 64)
    assert given_up(a_table(), a_table()) == ()
    assert given_up(a_table(), a_table(chairs=(ADA, other, BOT))) == (2,)
    assert given_up(a_table(), a_table(chairs=(BO, BOT))) == (1,)
    assert given_up(a_table(chairs=(BO,)), a_table()) == ()
