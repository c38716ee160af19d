"""Games that the engine and the vector engine play side by side: same actions, same chance results.

States, masks, observations, scores and places are compared after every decision, word for word.
`python -m tests.vector.lockstep --games 1000000` plays as many as you like.
"""

import argparse
import os
import random
import time
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from multiprocessing import get_context
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from msgspec.structs import replace

from deadwood import encoding, vector
from deadwood.engine import rules
from deadwood.engine.actions import Action, EndTurn
from deadwood.engine.board import Area, Board, Prices, built_in_board
from deadwood.engine.chance import FastDice
from deadwood.engine.deck import BUDGETS, HIGHEST_RANK, LOWEST_RANK, MOST_STARS, Card, Deck, Role
from deadwood.engine.options import PLAYERS
from deadwood.engine.scoring import score, standings, win_shares
from deadwood.engine.state import State
from deadwood.vector.chance import Chance
from deadwood.vector.state import NO_ROLE, Player, pack, state_of_words, words_of_state

from ..random_games import KINDS, random_options

SIDE_BY_SIDE = 36
MOST_DICE = BUDGETS[-1]  # the most that a wrap rolls (R7.2)
OWN_DECISIONS = 300  # at most, with a custom board and deck
Seen = dict[str, Any]  # what is compared, by name
Tick = Callable[..., Seen]  # one decision of many games


class Differs(AssertionError):
    """The two engines do not agree."""


class RecordedDice(FastDice):
    """Fast dice that remember what came up."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.forget()

    def forget(self) -> None:
        self._picked, self._rolled = 0, ()

    def roll(self, count: int) -> tuple[int, ...]:
        dice = super().roll(count)
        self._rolled += dice
        return dice

    def pick(self, count: int) -> int:
        self._picked = super().pick(count)
        return self._picked

    def results(self) -> list[int]:
        """The card, the die and six wrap dice; ones where nothing was asked for, which must not matter."""
        return [self._picked, *self._rolled, *[1] * (1 + MOST_DICE - len(self._rolled))]


class Game:
    """A game of the engine at a random table, with a policy that prefers some kinds of action."""

    def __init__(self, seed: int, players: int) -> None:
        rng = random.Random(f"{seed} {players}")
        names = [str(seat) for seat in range(players)]
        self.label = f"game {seed} of {players} players"
        self.dice = RecordedDice(rng.getrandbits(64))
        self.choose = biased_policy(rng)
        self.decisions = 0
        own = {"board": own_board(rng), "deck": own_deck(rng)} if rng.random() < 0.3 else {}
        self.most_decisions = OWN_DECISIONS if own else None
        self.state, _ = rules.start(names, random_options(rng, names), self.dice, **own)
        if rng.random() < 0.7:
            self.state = enriched(self.state, rng)
        self.table = vector.table_of(self.state.table)

    @property
    def done(self) -> bool:
        """Whether the game is over, or long enough with a custom board and deck, where perhaps nobody can ever work."""
        return self.state.over or self.decisions == self.most_decisions

    def advance(self) -> int:
        self.decisions += 1
        action = self.choose(rules.legal_actions(self.state))
        self.dice.forget()
        self.state, _ = rules.apply(self.state, action, self.dice)
        return encoding.number_of(action, self.state.table)


def own_board(rng: random.Random) -> Board:
    """The usual sections, with random contents of areas, ranks of extras, and prices."""
    board = built_in_board()
    shuffled = iter(rng.sample(board.areas, len(board.areas)))
    sections = tuple(
        replace(section, areas=tuple(_own_area(area.name, next(shuffled), rng) for area in section.areas))
        for section in board.sections
    )
    highest = rng.choice([20, 60, encoding.MOST_DOLLARS])
    dollars, credits = (tuple(sorted(rng.sample(range(1, highest + 1), encoding.RANKS))) for _ in range(2))
    return replace(board, name="own", prices=Prices(dollars, credits), sections=sections)


def _own_area(name: str, area: Area, rng: random.Random) -> Area:
    extras = tuple(replace(role, rank=rng.randint(LOWEST_RANK, HIGHEST_RANK)) for role in area.extras)
    return replace(area, name=name, extras=extras)


def own_deck(rng: random.Random) -> Deck:
    """Any cards that the encoding has room for, and enough of them for four days."""
    return Deck("own", tuple(_own_card(number, rng) for number in range(1, rng.randint(40, encoding.MOST_CARDS) + 1)))


def _own_card(number: int, rng: random.Random) -> Card:
    ranks = sorted(rng.randint(LOWEST_RANK, HIGHEST_RANK) for _ in range(rng.randint(1, MOST_STARS)))
    roles = tuple(Role(rank, f"Role {number}.{at}", "So be it.") for at, rank in enumerate(ranks))
    return Card(number, f"Card {number}", number, "Somebody does something.", rng.choice(BUDGETS), roles)


def biased_policy(rng: random.Random) -> Callable[[tuple[Action, ...]], Action]:
    """A policy that prefers some kinds of action at random, but seldom ends the turn, so that much happens."""
    taste = {kind: rng.choice([0.3, 1, 1, 4]) for kind in KINDS} | {EndTurn: rng.choice([0.05, 0.3])}
    return lambda actions: rng.choices(actions, [taste[type(action)] for action in actions])[0]


def enriched(state: State, rng: random.Random) -> State:
    """The same morning, but with everybody in the Casting Office with money, so that every rank is bought often."""
    players = tuple(
        replace(one, area=state.table.office, dollars=rng.randint(0, 90), credits=rng.randint(0, 60))
        for one in state.players
    )
    return replace(state, players=players)


def seen_by_engine(state: State) -> Seen:
    return {
        "state": pack(state),
        "mask": encoding.action_mask(state),
        "observation": encoding.observe(state),
        "scores": [score(one) for one in state.players],
        "final places": final_places(state),
        "win shares": np.float32(win_shares(state)),
    }


def final_places(state: State) -> list[int]:
    """Everybody's place; zeros while the game goes on."""
    if not state.over:
        return [0] * len(state.players)
    places = {line.name: line.place for line in standings(state)}
    return [places[name] for name in state.table.names]


def seen_by_vector(state: vector.State) -> Seen:
    return {
        "state": words_of_state(state),
        "mask": vector.legal_mask(state),
        "observation": vector.observe(state),
        "scores": vector.scores(state),
        "final places": jnp.where(state.over[..., None], vector.places(state), 0),
        "win shares": vector.win_shares(state),
    }


def words_alone(state: vector.State) -> Seen:
    return {"state": words_of_state(state)}


def make_tick(look: Callable[[vector.State], Seen]) -> Tick:
    """One decision of many games, each at its own table; compiled afresh, to see changed rules."""

    def decide(table: vector.Table, words: Any, action: Any, results: Any) -> Any:
        card, die, *dice = results
        return words_of_state(vector.apply(state_of_words(table, words), action, Chance(card, die, tuple(dice))))

    apply = jax.jit(jax.vmap(decide))  # two programs, because one would take much longer to compile
    see = jax.jit(jax.vmap(lambda table, words: look(state_of_words(table, words))))
    return lambda tables, words, actions, results: see(tables, apply(tables, words, actions, results))


@cache
def usual_tick() -> Tick:
    """Compares everything; shared, because compiling it takes longest."""
    return make_tick(seen_by_vector)


class Batch:
    """Games side by side; when one is over, the next one takes its place. There may be room for more players."""

    def __init__(self, players: int, seeds: Iterator[int], size: int, tick: Tick, room: int) -> None:
        self._games = [Game(next(seeds), players) for _ in range(size)]
        self._players, self._seeds, self._tick, self._room = players, seeds, tick, room
        self._tables = jax.tree.map(lambda *rows: np.stack(rows), *(game.table for game in self._games))
        self._words = np.array([self._packed(game.state) for game in self._games], np.uint32)
        self._left = [True] * size
        self.actions: Counter[int] = Counter()

    def _packed(self, state: State) -> list[int]:
        """The words of a state, with an idle player on every empty seat, as `vector.start` leaves them."""
        words = pack(state)
        empty = [Player.pack(area=state.table.trailers, rank=1, role=NO_ROLE)] * (self._room - self._players)
        return words[: self._players] + empty + words[self._players :]

    def _without_empty_seats(self, name: str, values: Any) -> Any:
        if name in ("mask", "observation"):
            return values
        return np.delete(values, range(self._players, self._room), axis=1)

    def play(self) -> int:
        """Play until no game is left; returns the number of decisions."""
        while any(self._left):
            self._decide()
        return self.actions.total()

    def _decide(self) -> None:
        playing = [at for at, left in enumerate(self._left) if left]
        actions = np.full(len(self._games), encoding.END_NUMBER, np.uint32)
        results = np.ones((len(self._games), 2 + MOST_DICE), np.uint32)
        for at in playing:
            actions[at] = self._games[at].advance()
            results[at] = self._games[at].dice.results()
        self.actions.update(actions[playing].tolist())
        seen = {
            name: np.array(value) for name, value in self._tick(self._tables, self._words, actions, results).items()
        }
        self._words = seen["state"]
        self._compare(playing, actions, seen)
        for at in playing:
            if self._games[at].done:
                self._replace(at)

    def _compare(self, playing: list[int], actions: Any, seen: Seen) -> None:
        engine = [seen_by_engine(self._games[at].state) for at in playing]
        for name, with_empty_seats in seen.items():
            expected = np.array([one[name] for one in engine])
            values = self._without_empty_seats(name, with_empty_seats)
            if (expected == values[playing]).all():
                continue
            row = int(np.argmax((expected != values[playing]).any(axis=1)))
            at = playing[row]
            raise Differs(
                f"{self._games[at].label}: the {name} differs after action {actions[at]}: "
                f"{expected[row].tolist()} with the engine, {values[at].tolist()} with the vector engine"
            )

    def _replace(self, at: int) -> None:
        seed = next(self._seeds, None)
        self._left[at] = seed is not None
        if seed is None:
            return
        game = self._games[at] = Game(seed, self._players)
        self._words[at] = self._packed(game.state)
        for rows, row in zip(jax.tree.leaves(self._tables), jax.tree.leaves(game.table), strict=True):
            rows[at] = row


def play_side_by_side(
    players: int,
    games: int,
    first: int = 0,
    tick: Tick | None = None,
    room: int | None = None,
) -> Counter[int]:
    """Play that many games of that many players; returns how often each action was chosen, or raises Differs."""
    batch = Batch(
        players, iter(range(first, first + games)), min(SIDE_BY_SIDE, games), tick or usual_tick(), room or players
    )
    batch.play()
    return batch.actions


def _job(job: tuple[int, int, int]) -> Counter[int]:
    return play_side_by_side(*job)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=7_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first game")
    arguments = parser.parse_args()
    began = time.perf_counter()
    per_count = -(-arguments.games // len(PLAYERS))
    jobs = [(players, per_count, arguments.first) for players in reversed(PLAYERS)]
    with get_context("spawn").Pool(os.cpu_count()) as pool:
        actions: Counter[int] = sum(pool.imap_unordered(_job, jobs, chunksize=1), Counter())
    games, seconds = per_count * len(PLAYERS), time.perf_counter() - began
    print(f"{games} games, {actions.total()} decisions, both engines equal after every one ({seconds:.0f} s)")
    print("by action:", dict(sorted(actions.items())))


if __name__ == "__main__":
    main()
