"""Whole random games with the rules' invariants checked after every action.

`python -m tests.random_games --games 5000 --deep 500` runs them on all cores, outside coverage.
"""

import argparse
import multiprocessing
import os
import random
import sys
import time
from bisect import bisect
from collections.abc import Callable, Iterator
from itertools import accumulate

import msgspec

from deadwood import Game, Options, OutcomeNeeded, Seat
from deadwood.engine import rules
from deadwood.engine.actions import ACT, END_TURN, REHEARSE, Action, Move, TakeRole, Upgrade
from deadwood.engine.chance import FastDice
from deadwood.engine.events import Acted, BonusPaid, CardTurned, Events, GameEnded, Upgraded
from deadwood.engine.seats import COLOURS
from deadwood.engine.state import Snapshot, State
from deadwood.engine.table import FACE_DOWN, FIRST_EXTRA

NAMES = ("Ada", "Bo", "Cy", "Dot", "Émile", "Фёдор", "七海", "Hattie O'Hara")
KINDS = (Move, TakeRole, type(ACT), type(REHEARSE), Upgrade, type(END_TURN))
DECISION_LIMIT = 200_000
Choose = Callable[[tuple[Action, ...]], Action]


def random_options(rng: random.Random, names: list[str]) -> Options:
    return Options(
        deck=rng.choice(["classic", "studio"]),
        layout=rng.choice(["standard", "second", "random", "random", random_layout(rng)]),
        first=rng.choice(["random", rng.choice(names)]),
        ties=rng.choice(["later", "shared"]),
        bonus=rng.choice(["roles", "actors"]),
        days=rng.choice([None, None, 1, 2, 3, 4]),
        dice=rng.choice(["fair"] * 7 + ["table"]),
    )


def random_layout(rng: random.Random) -> str:
    """Any four connected cells, each section turned or not (R10.3)."""
    cells = [(0, 0)]
    while len(cells) < 4:
        row, column = rng.choice(cells)
        cell = rng.choice([(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)])
        if cell not in cells:
            cells.append(cell)
    marks = dict(zip(cells, rng.sample("GMCH", 4), strict=True))
    top, left = min(row for row, _ in cells), min(column for _, column in cells)
    return "/".join(
        "".join(
            marks[row, column] + rng.choice(["", "'"]) if (row, column) in marks else "."
            for column in range(left, max(column for _, column in cells) + 1)
        )
        for row in range(top, max(row for row, _ in cells) + 1)
    )


def random_policy(rng: random.Random) -> Choose:
    """Uniform, or biased towards some kinds of action, so that rare ones happen too."""
    taste = {kind: rng.choice([0.2, 1, 1, 5]) for kind in KINDS}

    def choose(actions: tuple[Action, ...]) -> Action:
        """What `rng.choices` would give, in half the time."""
        weights = list(accumulate([taste[type(action)] for action in actions]))
        return actions[bisect(weights, rng.random() * weights[-1], 0, len(actions) - 1)]

    return choose


def random_game(seed: int) -> tuple[Game, Choose]:
    rng = random.Random(seed)
    names = rng.sample(NAMES, rng.randint(2, 8))
    seats = [Seat(colour, rng.choice([None, "random"])) for colour in rng.sample(COLOURS, len(names))]
    options = random_options(rng, names)
    if rng.random() < 0.5:
        return Game.new(names, options, rng.getrandbits(256), seats=seats), random_policy(rng)
    return Game.new(names, options, dice=FastDice(seed), seats=seats), random_policy(rng)


def play(seed: int, deep: bool) -> int:
    """Play one game to its end and check everything; returns the number of decisions."""
    game, choose = random_game(seed)
    state = game.state
    turned: set[int] = set()
    rng = random.Random(seed)
    decisions = 0
    space = tuple(all_actions(state))
    check_opening(state)
    while not game.over:
        decisions += 1
        assert decisions < DECISION_LIMIT
        actions = game.legal_actions()
        if deep:
            check_legal_actions(state, actions, space)
            check_json(state)
        events = play_one(game, choose(actions), rng)
        check_step(state, game.state, events, turned)
        state = game.state
    check_end(game)
    if deep:
        check_record(game)
    return decisions


def play_one(game: Game, action: Action, rng: random.Random) -> Events:
    """Play an action; at a table with real dice, supply what it needs."""
    try:
        return game.play(action)
    except OutcomeNeeded as needed:
        if needed.kind == "card":
            state = game.state
            return game.play(action, f"card {state.table.cards[rng.choice(state.unseen)].number}")
        die = str(rng.randint(1, 6))
        try:
            return game.play(action, die)
        except OutcomeNeeded as more:
            return game.play(action, f"{die} / {' '.join(str(rng.randint(1, 6)) for _ in range(more.count))}")


def check_opening(state: State) -> None:
    assert all(player.dollars >= 0 and player.credits >= 0 for player in state.players)
    check_players(state)
    check_sets(state)


def check_step(before: State, after: State, events: Events, turned: set[int]) -> None:
    """Objects that stayed the same were checked before: everything in a state is frozen."""
    check_money(before, after, events)
    if after.players is not before.players or after.scenes is not before.scenes:
        check_players(after)
    if (
        after.scenes is not before.scenes
        or after.shots is not before.shots
        or after.unseen is not before.unseen
        or (after.scenes_left, after.over) != (before.scenes_left, before.over)
    ):
        check_sets(after)
    for event in events:
        if isinstance(event, CardTurned):
            assert event.card not in turned  # R10.5
            turned.add(event.card)
    assert len(after.unseen) + len(turned) == len(after.table.cards)
    assert after.over or after.active in range(len(after.players))
    assert after.day in range(1, after.table.days + 1)


def check_money(before: State, after: State, events: Events) -> None:
    """Money is never negative and changes only as events say."""
    paid: dict[str, tuple[int, int]] = {}
    for event in events:
        match event:
            case Acted():
                dollars, credits = event.dollars, event.credits
            case BonusPaid():
                dollars, credits = event.dollars, 0
            case Upgraded():
                dollars, credits = (-event.price, 0) if event.currency == "dollars" else (0, -event.price)
            case _:
                continue
        so_far = paid.get(event.player, (0, 0))
        paid[event.player] = (so_far[0] + dollars, so_far[1] + credits)
    if not paid and after.players is before.players:
        return
    for name, old, new in zip(before.table.names, before.players, after.players, strict=True):
        dollars, credits = paid.get(name, (0, 0))
        assert new.dollars == old.dollars + dollars >= 0
        assert new.credits == old.credits + credits >= 0


def check_players(state: State) -> None:
    """Roles are held by one player each, of sufficient rank, on a set whose scene is being shot."""
    held = set()
    for player in state.players:
        assert 1 <= player.rank <= 6
        if player.role is None:
            assert player.chips == 0
            continue
        card = state.card(player.area)
        assert card is not None
        assert state.table.role(player.area, state.scenes[player.area], player.role).rank <= player.rank
        assert player.chips < card.budget
        assert (player.area, player.role) not in held
        held.add((player.area, player.role))


def check_sets(state: State) -> None:
    left = 0
    for area, scene, shots in zip(state.table.areas, state.scenes, state.shots, strict=True):
        if scene >= 0:
            assert 1 <= shots <= area.shots
            assert scene not in state.unseen
        elif scene == FACE_DOWN:
            assert shots == area.shots > 0
        else:
            assert shots == 0
        left += scene >= FACE_DOWN
    assert left == state.scenes_left
    assert left == 0 if state.over else 2 <= left <= 10
    face_up = [scene for scene in state.scenes if scene >= 0]
    assert len(face_up) == len(set(face_up))


def all_actions(state: State) -> Iterator[Action]:
    """The whole action space, in the order of legal_actions."""
    yield from (Move(area.id) for area in state.table.areas)
    yield from (TakeRole("star", number) for number in range(1, FIRST_EXTRA + 1))
    yield from (TakeRole("extra", number) for number in range(1, 5))
    yield from (ACT, REHEARSE)
    yield from (Upgrade(rank, currency) for currency in ("dollars", "credits") for rank in range(1, 8))
    yield END_TURN


def check_legal_actions(state: State, actions: tuple[Action, ...], space: tuple[Action, ...]) -> None:
    allowed = [action for action in space if rules.refusal(state, action) is None]
    assert allowed == list(actions)


def check_json(state: State) -> None:
    text = msgspec.json.encode(state.snapshot())
    assert msgspec.json.decode(text, type=Snapshot).state(state.table) == state


def check_end(game: Game) -> None:
    assert game.legal_actions() == ()
    assert isinstance(game.events[-1], GameEnded)
    scores = [line.score for line in game.standings()]
    assert scores == sorted(scores, reverse=True)


def check_record(game: Game) -> None:
    text = game.record()
    again = Game.from_record(text)
    assert again.record() == text
    assert again.state == game.state
    assert again.events == game.events
    assert again.steps == game.steps


def _play(job: tuple[int, bool]) -> int:
    seed, deep = job
    try:
        return play(seed, deep)
    except Exception as error:
        raise RuntimeError(f"random game {seed} failed; see it again with --only {seed}") from error


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=5_000)
    parser.add_argument("--deep", type=int, default=500, help="check all refusals and round trips for this many")
    parser.add_argument("--only", type=int, help="play just this one, deeply")
    arguments = parser.parse_args()
    if arguments.only is not None:
        print(f"{play(arguments.only, deep=True)} decisions")
        return
    began = time.perf_counter()
    jobs = ((seed, seed < arguments.deep) for seed in range(arguments.games))
    with multiprocessing.get_context("spawn").Pool(os.cpu_count()) as pool:
        decisions = sum(pool.imap_unordered(_play, jobs, chunksize=20))
    seconds = time.perf_counter() - began
    print(f"{arguments.games} random games, {decisions} decisions, all invariants held ({seconds:.0f} s)")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
