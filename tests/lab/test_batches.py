"""How many games a worker gets at a time."""

from deadwood.lab.batches import Batches


def test_batches_grow_to_what_takes_half_a_second():
    games = Batches(range(1000))
    sizes = []
    for batch in games:
        sizes.append(len(batch))
        games.learn(len(batch), 0.01 * len(batch))
    assert sizes[:7] == [1, 2, 4, 8, 16, 32, 50]
    assert sum(sizes) == 1000


def test_slow_games_are_given_one_at_a_time():
    games = Batches(range(3))
    for batch in games:
        assert len(batch) == 1
        games.learn(1, 3.0)


def test_fast_games_do_not_make_batches_endless():
    games = Batches(range(5000))
    sizes = []
    for batch in games:
        sizes.append(len(batch))
        games.learn(len(batch), 0.0)
    assert max(sizes) == 200
