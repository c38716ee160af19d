"""A sitting is the same whether it was played or replayed from the log."""

from deadwood import Game, Options
from deadwood.server.tables.log import Chair, Entry, Opened, Played, Started, Undone
from deadwood.server.tables.sitting import sitting_of

CHAIRS = (Chair(1, "Ada", "red"), Chair(2, "Bo", "blue"))


def log(*bodies, **options):
    opened = Opened(1, False, Options(first="Ada", days=1, **options), "5" * 64, None, CHAIRS, 3)
    return [Entry("CCCCFFFF", seq, 1.5, 0, "", body) for seq, body in enumerate((opened, Started(), *bodies), 1)]


def test_real_dice_are_read_from_the_log_where_something_was_rolled_and_only_there():
    played = [Played("move saloon", "card 17"), Played("end"), Played("move saloon"), Played("take extra 1")]
    sitting = sitting_of(log(*played, dice="table"))
    assert sitting.seq == 6
    game = Game.new(["Ada", "Bo"], Options(first="Ada", days=1, dice="table"), seed=5)
    for action in ("move saloon = card 17", "end", "move saloon", "take extra 1"):
        game.play(action)
    assert sitting.game.state.snapshot() == game.state.snapshot()


def test_an_undone_action_has_not_happened():
    before, after = sitting_of(log()), sitting_of(log(Played("end"), Undone()))
    assert after.seq == before.seq + 2
    assert after.game.state.snapshot() == before.game.state.snapshot()
