"""All Hypothesis strategies: names, options, layouts, actions, positions and whole games."""

import random

from hypothesis import strategies as st
from msgspec.structs import replace

from deadwood import Game, Options
from deadwood.engine import rules
from deadwood.engine.actions import ACT, END_TURN, REHEARSE, Action, Move, TakeRole, Upgrade
from deadwood.engine.board import Board, Prices, built_in_board
from deadwood.engine.chance import FastDice
from deadwood.engine.deck import BUDGETS, Card, Deck, Role
from deadwood.engine.seats import _BIDI, compared_name, name_refusal
from deadwood.engine.state import State

from .random_games import random_layout, random_policy

_chars = st.characters(exclude_categories=["C", "Zl", "Zp"], exclude_characters=";:")
names = (
    st.tuples(st.characters(categories=["L", "N"]), st.text(_chars, max_size=30))
    .map("".join)
    .filter(lambda name: name_refusal(name) is None)
)
tables = st.lists(names, min_size=2, max_size=8, unique_by=compared_name)
layouts = st.integers(0, 2**32).map(lambda seed: random_layout(random.Random(seed)))
seeds = st.integers(0, 2**256 - 1)

options = st.builds(
    Options,
    deck=st.sampled_from(["classic", "studio"]),
    layout=st.one_of(st.sampled_from(["standard", "second", "random"]), layouts),
    ties=st.sampled_from(["later", "shared"]),
    bonus=st.sampled_from(["roles", "actors"]),
    days=st.one_of(st.none(), st.integers(1, 4)),
)

actions = st.one_of(
    st.builds(Move, st.sampled_from([area.id for area in built_in_board().areas] + ["nowhere"])),
    st.builds(TakeRole, st.sampled_from(["star", "extra"]), st.integers(0, 5)),
    st.builds(Upgrade, st.integers(0, 8), st.sampled_from(["dollars", "credits"])),
    st.sampled_from([ACT, REHEARSE, END_TURN]),
)


@st.composite
def games(draw: st.DrawFn, decisions: int | None = None) -> Game:
    """A game after at most `decisions` random decisions, or a whole game."""
    game = Game.new(draw(tables), draw(options), draw(seeds))
    choose = random_policy(random.Random(draw(st.integers(0, 2**32))))
    while not game.over and (decisions is None or len(game.steps) < decisions):
        game.play(choose(game.legal_actions()))
    return game


@st.composite
def positions(draw: st.DrawFn) -> State:
    """A state that random play can reach."""
    seed = draw(st.integers(0, 2**32))
    dice = FastDice(seed)
    state, _ = rules.start([f"P{seat}" for seat in range(draw(st.integers(2, 8)))], draw(options), dice)
    choose = random_policy(random.Random(seed))
    for _ in range(draw(st.integers(0, 600))):
        following, _ = rules.apply(state, choose(rules.legal_actions(state)), dice)
        if following.over:
            break
        state = following
    return state


def is_legal(state: State, action: Action) -> bool:
    return action in rules.legal_actions(state)


_any_chars = st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters="".join(_BIDI))
texts = st.tuples(st.characters(categories=["L", "N"]), st.text(_any_chars, max_size=60)).map("".join)


@st.composite
def decks(draw: st.DrawFn) -> Deck:
    """A deck of a few cards with any texts."""
    numbers = sorted(draw(st.sets(st.integers(1, 999), min_size=1, max_size=6)))
    titles = draw(_unlike(len(numbers)))
    ranks = [sorted(draw(st.lists(st.integers(1, 6), min_size=1, max_size=3))) for _ in numbers]
    names = iter(draw(_unlike(sum(map(len, ranks)))))
    cards = [
        Card(
            number=number,
            title=title,
            scene=draw(st.integers(1, 9999)),
            description=draw(texts),
            budget=draw(st.sampled_from(BUDGETS)),
            roles=tuple(Role(rank, next(names), draw(texts)) for rank in of_card),
        )
        for number, title, of_card in zip(numbers, titles, ranks, strict=True)
    ]
    return Deck(draw(texts), tuple(cards))


@st.composite
def boards(draw: st.DrawFn) -> Board:
    """The built-in board with other texts and prices."""
    board = built_in_board()
    prices = [tuple(sorted(draw(st.sets(st.integers(1, 999), min_size=5, max_size=5)))) for _ in range(2)]
    names = iter(draw(_unlike(sum(len(area.extras) for area in board.areas))))
    sections = tuple(
        replace(
            section,
            areas=tuple(
                replace(area, extras=tuple(Role(role.rank, next(names), role.line) for role in area.extras))
                for area in section.areas
            ),
        )
        for section in board.sections
    )
    return replace(board, name=draw(texts), prices=Prices(*prices), sections=sections)


def _unlike(count: int) -> st.SearchStrategy[list[str]]:
    return st.lists(texts, min_size=count, max_size=count, unique_by=str.casefold)
