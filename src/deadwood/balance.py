"""How a deck plays: what its roles are worth, and how games with it go. For those who write decks."""

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from .bots import DECISION_LIMIT, decision, make
from .engine import rules
from .engine.board import Board
from .engine.chance import FastDice
from .engine.deck import Card, Deck
from .engine.events import Acted, BonusPaid, Event, Events, RoleTaken, SceneWrapped, TurnEnded
from .engine.odds import expectation, full_cast_bonus, success_chance
from .engine.options import DAYS, PAY, Options, Purse
from .engine.scoring import scores
from .engine.state import State
from .engine.table import most_days

TRIAL_BOT = "extra"  # it takes every role it can get, and 2,000 games take seconds
TRIAL_PLAYERS = ("Ada", "Bo", "Cy", "Dot")


class RoleBalance(Struct, frozen=True):
    """What a star may expect: the chance of an act without chips, its pay, and the mean bonus of a full cast."""

    rank: int
    chance: float
    success: Purse
    failure: Purse
    bonus: float


class RankAverage(Struct, frozen=True):
    """The stars of one rank in a deck, on average."""

    rank: int
    roles: int
    chance: float
    bonus: float


class DeckBalance(Struct, frozen=True):
    """What each role of a deck is worth, card by card, and its ranks on average."""

    cards: tuple[tuple[RoleBalance, ...], ...]
    ranks: tuple[RankAverage, ...]
    budgets: dict[int, int]  # budget -> number of cards


class CardTrial(Struct):
    """How a card did: the times a role on it was taken, its scene wrapped, and the bonus dollars its stars got."""

    taken: int = 0
    wrapped: int = 0
    bonus: int = 0


class Trial(Struct):
    """Sums over games between equal bots; divide by `games`, or by `acts` for chances."""

    games: int = 0
    players: int = len(TRIAL_PLAYERS)
    days: int = 0
    turns: int = 0
    acts: int = 0
    successes: int = 0
    wraps: int = 0
    bonus: int = 0
    points: int = 0
    winner_points: int = 0
    ranks: int = 0
    cards: dict[int, CardTrial] = {}


def deck_balance(deck: Deck) -> DeckBalance:
    """What the roles of a deck are worth."""
    cards = tuple(map(card_balance, deck.cards))
    return DeckBalance(cards, rank_averages(cards), dict(sorted(Counter(card.budget for card in deck.cards).items())))


def card_balance(card: Card) -> tuple[RoleBalance, ...]:
    """What the roles of a card are worth, from left to right."""
    pay = PAY["star"]
    return tuple(
        RoleBalance(
            rank=role.rank,
            chance=float(success_chance(card.budget, 0)),
            success=pay[True],
            failure=pay[False],
            bonus=float(expectation(full_cast_bonus(card, number))),
        )
        for number, role in enumerate(card.roles)
    )


def rank_averages(cards: Iterable[tuple[RoleBalance, ...]]) -> tuple[RankAverage, ...]:
    """The averages by rank, lowest first."""
    by_rank: dict[int, list[RoleBalance]] = {}
    for roles in cards:
        for role in roles:
            by_rank.setdefault(role.rank, []).append(role)
    return tuple(
        RankAverage(
            rank=rank,
            roles=len(roles),
            chance=sum(role.chance for role in roles) / len(roles),
            bonus=sum(role.bonus for role in roles) / len(roles),
        )
        for rank, roles in sorted(by_rank.items())
    )


def trial_days(deck: Deck, board: Board | None = None) -> int:
    """The number of days to try a deck for; a game refuses a deck that is too small."""
    return max(DAYS[0], most_days(deck, board))


def play_trial(deck: Deck, days: int, games: range, bot: str = TRIAL_BOT, board: Board | None = None) -> Trial:
    """Play the games with these numbers; the same deck and number always make the same game."""
    trial = Trial(days=days, cards={card.number: CardTrial() for card in deck.cards})
    for game in games:
        state = _play(trial, game, bot, deck, board)
        points = scores(state)
        trial.games += 1
        trial.points += sum(points)
        trial.winner_points += max(points)
        trial.ranks += sum(player.rank for player in state.players)
    return trial


def _play(trial: Trial, game: int, bot: str, deck: Deck, board: Board | None) -> State:
    dice = FastDice(game)
    players = [make(bot, seed=game * len(TRIAL_PLAYERS) + seat) for seat in range(len(TRIAL_PLAYERS))]
    state, _ = rules.start(TRIAL_PLAYERS, Options(days=trial.days), dice, board=board, deck=deck)
    for _ in range(DECISION_LIMIT):
        if state.over:
            break
        before = state
        state, events = rules.apply(state, decision(players[state.active], bot, state), dice)
        _count(trial, before, events)
    return state


def _count(trial: Trial, before: State, events: Events) -> None:
    card = before.card(before.players[before.active].area)
    for event in events:
        _count_event(trial, trial.cards[card.number] if card else CardTrial(), event)


def _count_event(trial: Trial, card: CardTrial, event: Event) -> None:
    match event:
        case TurnEnded():
            trial.turns += 1
        case Acted():
            trial.acts += 1
            trial.successes += event.success
        case RoleTaken(kind="star"):
            card.taken += 1
        case SceneWrapped():
            trial.wraps += 1
            card.wrapped += 1
        case BonusPaid():
            trial.bonus += event.dollars
            card.bonus += event.dollars if event.kind == "star" else 0
        case _:
            pass
