"""States as text and as pictures."""

import numpy as np
import pytest

from deadwood import Options
from deadwood.rl import deadwood_v0


@pytest.mark.parametrize("layout", ["standard", "GMCH", "G'./M./CH"])
def test_pictures_and_texts(layout):
    env = deadwood_v0.raw_env(players=8, options=Options(layout=layout), render_mode="rgb_array")
    env.reset(seed=2)
    rng = np.random.default_rng(2)
    seen = set()
    for decision in range(400):
        if decision % 10 == 0:
            picture = env.render()
            assert picture.dtype == np.uint8
            seen.add(picture.tobytes())
        env.step(int(rng.choice(np.flatnonzero(env.infos[env.agent_selection]["action_mask"]))))
    assert len(seen) > 30
    env.render_mode = "ansi"
    assert env.render().startswith("Deadwood: day")
    env.render_mode = None
    assert env.render() is None
    with pytest.raises(ValueError, match="render_mode"):
        deadwood_v0.env(render_mode="human")
