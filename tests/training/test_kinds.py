"""How games are mixed."""

from collections import Counter

import pytest

from deadwood.engine.options import PLAYERS, Options
from deadwood.training.config import Settings
from deadwood.training.kinds import kinds


def test_all_numbers_of_players_and_options_are_mixed():
    chosen = kinds(Settings())
    counts = Counter(kind.players for kind in chosen)
    assert set(counts) == set(PLAYERS)
    assert counts[4] == max(counts.values())
    usual = [kind for kind in chosen if kind.options == Options(layout="random")]
    assert len(usual) == pytest.approx(len(chosen) / 2, abs=len(PLAYERS))
    for name in ("deck", "bonus", "ties"):
        assert len({getattr(kind.options, name) for kind in chosen}) == 2
    assert {kind.options.days for kind in chosen} >= {None, 1, 2}
    for players in PLAYERS:
        assert len({kind.options for kind in chosen if kind.players == players}) > 4


def test_tables_of_some_numbers_of_players():
    assert {kind.players for kind in kinds(Settings(players=(2, 5), tables=16))} == {2, 5}
