"""Games that begin, whole games of vector bots, and what cannot be counted.

Holds `vector.bits`, `vector.bots`, `vector.observation`, `vector.setup` and `vector.words`.
"""

import doctest

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from deadwood import Options, bots, encoding, vector
from deadwood.engine import rules
from deadwood.engine.actions import Move, TakeRole
from deadwood.engine.board import built_in_board
from deadwood.engine.chance import FastDice
from deadwood.engine.deck import Deck, built_in_deck
from deadwood.engine.options import PLAYERS
from deadwood.engine.scoring import score
from deadwood.vector.chance import Chance
from deadwood.vector.playing import _seated
from deadwood.vector.state import Place, pack, state_of_words, words_of_state

KEY = jax.random.key(5)


def test_games_begin_as_the_engines_do():
    options = Options(first="1", deck="studio", layout="second", days=2)
    for players in PLAYERS:
        engine, _ = rules.start([str(seat) for seat in range(players)], options, FastDice(0))
        begun = begin(players, options, (3,))
        assert (np.asarray(words_of_state(begun)) == np.array(pack(engine), np.uint32)[:, None]).all()


def begin(players, options=None, shape=()):
    """Start games in a compiled program, which is much quicker here than one operation after the other."""
    return jax.jit(lambda key: vector.init(key, players, options, shape))(KEY)


def test_the_first_player_and_the_layout_are_drawn_for_every_game():
    begun = begin(3, Options(layout="random"), (2_000,))
    assert set(np.asarray(begun.game.first).tolist()) == {0, 1, 2}
    assert (begun.game.first == begun.game.active).all()
    assert len(set(np.asarray(begun.game.layout).tolist())) > 350
    observed = encoding.part(np.asarray(jax.jit(vector.observe)(begun)), "distances")
    for number in range(5):
        expected = begun.table.distances[int(begun.game.layout[number])]
        assert (observed[number] == np.asarray(expected)).all()


def test_the_layout_does_not_depend_on_the_first_player():
    begun = begin(4, Options(layout="random"), (40_000,))
    first, layout = np.asarray(begun.game.first), np.asarray(begun.game.layout)
    pairs = np.bincount(first * 16 + layout // 24, minlength=64)  # 384 layouts in 16 groups
    assert ((pairs - 625) ** 2 / 625).sum() < 64 + 5 * 128**0.5


def test_step_works_alone_in_batches_and_under_vmap_and_scan():
    def play_first(key):
        one = vector.init(key, 2)
        return vector.step(one, jnp.argmax(vector.legal_mask(one)), key)

    assert jax.jit(play_first)(KEY).shape == ()
    assert jax.jit(jax.vmap(play_first))(jax.random.split(KEY, 4)).shape == (4,)

    def decide(state, key):
        return vector.step(state, jnp.argmax(vector.legal_mask(state), -1), key), state.over

    _, over = jax.lax.scan(decide, begin(2, shape=(8,)), jax.random.split(KEY, 20))
    assert over.shape == (20, 8)


def test_a_game_that_is_over_stays_as_it_is():
    games = begin(2, Options(days=1), (4,))
    over = games._replace(game=games.game.replace(over=jnp.uint32(1)))
    assert not jax.jit(vector.legal_mask)(over).any()
    after = jax.jit(vector.step)(over, jnp.full(4, encoding.END_NUMBER), KEY)
    assert (words_of_state(after) == words_of_state(over)).all()


@pytest.mark.parametrize("names", [("random",) * 4, ("hopeful", "extra", "random")], ids="-".join)
def test_whole_games_have_the_same_statistics_as_the_engines(names):
    results = vector.play_games(names, 3_000, seed=1)
    games = [python_game(names, seed) for seed in range(60)]
    for column in range(len(names) + 1):
        sample = np.array([game[column] for game in games])
        whole = results.decisions if column == len(names) else results.scores[:, column]
        assert abs(sample.mean() - whole.mean()) < 4 * sample.std() / len(games) ** 0.5


def python_game(names, seed):
    """Everybody's score and the number of decisions."""
    dice = FastDice(seed)
    state, _ = rules.start([str(seat) for seat in range(len(names))], Options(), dice)
    players, decisions = [bots.make(name, 1_000 * seed + seat) for seat, name in enumerate(names, 1)], 0
    while not state.over:
        state, _ = rules.apply(state, players[state.active].decide(state, rules.legal_actions(state)), dice)
        decisions += 1
    return [*(score(player) for player in state.players), decisions]


def test_results_fit_together():
    results = vector.play_games(("random", "extra"), 200, Options(ties="shared", days=2), seed=3)
    assert (results.scores == results.dollars + results.credits + 5 * results.ranks).all()
    assert (results.places.min(axis=1) == 1).all()
    assert (
        (results.places == 1).sum(axis=1) == (results.scores == results.scores.max(axis=1)[:, None]).sum(axis=1)
    ).all()
    assert (results.day_decisions[:, 2:] == 0).all()
    assert (results.day_decisions[:, :2] > 0).all()
    assert (results.decisions == results.day_decisions.sum(axis=1)).all()
    again = vector.play_games(("random", "extra"), 200, Options(ties="shared", days=2), seed=3)
    assert all((one == other).all() for one, other in zip(results, again, strict=True))


def test_games_are_cut_off_after_the_most_decisions():
    results = vector.play_games(("random", "extra"), 200, most_decisions=5)  # compiled for the test above
    assert results.cut_off.all()
    assert (results.decisions == 5).all()


def test_games_can_be_played_with_a_custom_deck_and_board():
    deck = Deck("easy", tuple(card for card in built_in_deck("studio").cards if card.budget < 5))
    options = Options(days=2, layout="random")
    results = vector.play_games(("hopeful", "extra"), 50, options, deck=deck, board=built_in_board())
    assert not results.cut_off.any()
    assert results.scores.mean() > 20


def test_a_bot_without_a_vector_form_is_refused():
    with pytest.raises(vector.VectorError, match="no vector form of genius; choose from: random, extra, hopeful"):
        vector.play_games(("genius", "random"), 10)


@pytest.mark.parametrize("name", ["extra", "hopeful"])
def test_vector_bots_decide_as_the_others_do(name):
    """Wherever a bot leaves nothing to chance; where it walks at random, both walk."""
    states, table = positions_of(name, 600)
    words = np.array([pack(state) for state in states], np.uint32).T
    chances = jnp.arange(len(states), dtype=jnp.uint32)
    chosen = np.asarray(jax.jit(vector.VECTOR_BOTS[name])(state_of_words(table, words), chances))
    bot = bots.make(name, 1)
    for state, number in zip(states, chosen.tolist(), strict=True):
        action = encoding.action_of(number, state.table)
        expected = bot.decide(state, rules.legal_actions(state))
        assert isinstance(action, TakeRole) == isinstance(expected, TakeRole)
        if name == "hopeful":
            assert action == expected or (isinstance(action, Move) and isinstance(expected, Move))


def positions_of(name, count):
    """Positions from games of the bot against itself."""
    dice, states = FastDice(4), []
    state, _ = rules.start(["0", "1", "2"], Options(first="0"), dice)
    players = [bots.make(name, seat) for seat in range(3)]
    table = vector.table_of(state.table)
    while len(states) < count:
        if state.over:
            state, _ = rules.open_table(state.table)
        states.append(state)
        state, _ = rules.apply(state, players[state.active].decide(state, rules.legal_actions(state)), dice)
    return states, table


def test_dollars_saturate_loudly():
    begun = begin(2, Options(first="0"), (2,))
    rich = [player.replace(dollars=jnp.uint32(encoding.MOST_DOLLARS)) for player in begun.players]
    on_set = rich[0].replace(role=jnp.uint32(3), area=jnp.uint32(0))
    working = begun._replace(players=(on_set, rich[1]), sets=(begun.sets[0] & jnp.uint32(0xFFFFFFC0), *begun.sets[1:]))
    one = jnp.ones(2, jnp.uint32)
    after = jax.jit(vector.apply)(working, jnp.full(2, encoding.ACT_NUMBER), Chance(one * 0, one, (one,) * 6))
    assert (after.players[0].dollars == encoding.MOST_DOLLARS).all()
    assert after.game.saturated.all()
    assert not begun.game.saturated.any()


@pytest.mark.parametrize(("dollars", "marked"), [(encoding.MOST_DOLLARS, True), (100, False)])
def test_a_bonus_that_is_too_large_is_marked(dollars, marked):
    """The star who acts earns credits alone; it is the rich extra's wrap bonus that is too large to count (R7.4)."""
    begun = begin(2, Options(first="0"), (2,))
    star, extra = (
        player.replace(role=jnp.uint32(role), area=jnp.uint32(0))
        for player, role in zip(begun.players, (0, 3), strict=True)
    )
    last_shot = begun.sets[0] & jnp.uint32(0xFFFFFF00) | jnp.uint32(Place.pack(scene=0, shots=1))
    working = begun._replace(
        players=(star, extra.replace(dollars=jnp.uint32(dollars))), sets=(last_shot, *begun.sets[1:])
    )
    die = jnp.full(2, 6, jnp.uint32)
    after = jax.jit(vector.apply)(working, jnp.full(2, encoding.ACT_NUMBER), Chance(die * 0, die, (die,) * 6))
    assert (after.game.scenes_left == 9).all()
    assert (after.players[1].dollars == encoding.MOST_DOLLARS).all() == marked
    assert (after.players[1].dollars > 100).all()
    assert after.game.saturated.tolist() == [marked] * 2


def test_those_who_tie_share_the_win_or_the_later_one_has_it():
    """R12.4; everybody begins equal, and the seat before the first player's is the last in turn order."""
    win_shares = jax.jit(vector.win_shares)
    for ties, even, uneven in (("shared", [1 / 3] * 3, [0.5, 0, 0.5]), ("later", [1, 0, 0], [1, 0, 0])):
        begun = begin(3, Options(first="1", ties=ties), (2,))
        assert not win_shares(begun).any(), "nobody has won yet"
        over = begun._replace(game=begun.game.replace(over=jnp.uint32(1)))
        assert np.allclose(win_shares(over), even)
        richer = [player.plus(dollars=jnp.uint32(seat != 1)) for seat, player in enumerate(over.players)]
        assert np.allclose(win_shares(over._replace(players=tuple(richer))), uneven)


def test_the_mark_of_too_many_dollars_outlives_the_game():
    begun = begin(2, Options(days=1), (4,))
    mark = jnp.array([1, 0, 1, 0], jnp.uint32)
    marked = begun._replace(game=begun.game.replace(saturated=mark, over=jnp.array([1, 1, 0, 0], jnp.uint32)))
    renewed = vector.renew(marked, begun)
    assert renewed.game.saturated.tolist() == [True, False, True, False]
    assert not renewed.over.any()
    after, ended = vector.play_on(begun._replace(game=begun.game.replace(saturated=mark)), KEY, 2_000)
    assert (ended > 0).all()
    assert after.game.saturated.tolist() == [True, False, True, False]


def test_a_new_game_begins_wherever_one_ends_and_is_counted():
    """One decision at a time: a finished game is never seen, and every end is followed by a new morning."""
    state = begin(2, Options(days=1, layout="random"), (64,))
    morning = np.asarray(words_of_state(state))[:-1, :1]  # except for the word that says who is first, and the layout
    ended, layouts = np.zeros(64, np.int64), [np.asarray(state.game.layout)]
    for key in jax.random.split(KEY, 500):
        before = state
        state, now = vector.play_on(state, key, 1)
        assert not state.over.any()
        new = np.asarray(now) == 1
        assert (np.asarray(now) <= 1).all()
        assert (np.asarray(words_of_state(state))[:-1, new] == morning).all()
        assert (np.asarray(state.game.first == state.game.active)[new]).all()
        assert (np.asarray(state.game.layout == before.game.layout)[~new]).all()
        assert (np.asarray(before.game.scenes_left)[new] == 2).all()  # R7.6
        layouts.append(np.asarray(state.game.layout)[new])
        ended += np.asarray(now)
    assert ended.sum() > 100
    assert len(set(np.concatenate(layouts).tolist())) > 80


def test_the_example_of_the_package_runs():
    assert doctest.testmod(vector).failed == 0


def test_one_bot_on_every_seat_needs_no_choice():
    assert _seated(("random", "random")) is vector.VECTOR_BOTS["random"]


def test_every_seat_sees_what_the_encoding_says():
    states, table = positions_of("extra", 200)
    words = np.array([pack(state) for state in states], np.uint32).T
    for seat in range(3):
        seen = np.asarray(jax.jit(vector.observe)(state_of_words(table, words), jnp.uint32(seat)))
        assert (seen == np.array([encoding.observe(state, seat) for state in states])).all()


@pytest.mark.parametrize(("field", "value"), [("shots", 4), ("scene", 64), ("scene", -1)])
def test_values_that_do_not_fit_into_a_word_are_not_packed(field, value):
    with pytest.raises(AssertionError, match=rf"Place\.{field} holds 0 to \d+, not {value}"):
        Place.pack(**{field: value})


def test_playing_no_games_is_refused():
    with pytest.raises(vector.VectorError, match="0 games cannot be played; ask for one or more"):
        vector.play_games(["random", "random"], 0)
