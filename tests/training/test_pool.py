"""Earlier nets as opponents."""

import numpy as np

from deadwood.training.pool import new_pool, renewed, slot


def test_the_pool_has_recent_nets_and_old_ones():
    assert [slot(number, 3) for number in range(1, 9)] == [0, 1, 0, 2, 0, 1, 0, 2]
    pool = new_pool({"a": np.zeros(2, np.float32)}, 3)
    for number in range(1, 7):
        pool = renewed(pool, {"a": np.full(2, number, np.float32)}, number)
    assert pool["a"][:, 0].tolist() == [5.0, 6.0, 4.0]
