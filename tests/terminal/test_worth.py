"""The chart of what everybody is worth."""

from deadwood import Game
from deadwood.engine.scoring import scores
from deadwood.terminal.worth import worth_lines

from .journeys import GOLDEN, drive, press, text_of


def test_the_chart_shows_what_everybody_is_worth_at_every_step(home):
    game = Game.load(next(GOLDEN.glob("04-*")))
    states = list(game.states())
    lines = [str(line) for line in worth_lines(states, game.seats, len(states) - 1, 40)]
    final = scores(states[-1])
    for line, name, score in zip(lines, states[0].table.names, final, strict=True):
        assert f" {name} " in line
        assert line.endswith(f" {score:>4}")
    best = lines[final.index(max(final))]
    assert best.split()[-2].endswith("█")
    assert all(line.split()[-2].startswith("▁") for line in lines)
    assert len(worth_lines(states[:1], game.seats, 0, 40)) == len(final), "before the first action, too"

    async def script(pilot):
        await press(pilot, "g")
        assert "What everybody is worth" in text_of(pilot.app.screen)
        assert states[0].table.names[0] in text_of(pilot.app.screen)

    drive(script, replay=game)
