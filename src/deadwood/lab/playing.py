"""Plays the games of a plan. Game number k is the same in every process and on every machine."""

import hashlib
from collections.abc import Callable, Sequence

from msgspec import Struct

from ..bots import DECISION_LIMIT, Bot, BotFailed, decision
from ..engine import rules
from ..engine.actions import Action
from ..engine.board import Board
from ..engine.chance import Dice, FastDice
from ..engine.deck import Deck
from ..engine.notation import format_action, format_outcome
from ..engine.options import Options
from ..engine.scoring import standings, win_shares
from ..engine.state import State
from .contestants import contestant
from .measuring import Measures
from .rows import SimulatedDecision, SimulatedGame

Decisions = list[SimulatedDecision]
Observer = Callable[[State, Action, State], None]  # gets every state, the action played there, and the state after it


class Plan(Struct, frozen=True, kw_only=True):
    """Which games to play: bots by seat, options, the seed, and a custom board or deck, if any.

    `decisions` keeps every decision too. `vector` plays on the vector engine, which keeps only results.
    """

    seats: tuple[str, ...]
    options: Options = Options()
    seed: int = 0
    limit: int = DECISION_LIMIT
    decisions: bool = False
    vector: bool = False
    board: Board | None = None
    deck: Deck | None = None


class SplitDice:
    """Separate random streams for cards and dice, so that the number of rolls does not affect the cards."""

    def __init__(self, seed: int) -> None:
        self._cards = FastDice(stream(seed, "cards"))
        self._dice = FastDice(stream(seed, "dice"))

    def roll(self, count: int) -> tuple[int, ...]:
        return self._dice.roll(count)

    def pick(self, count: int) -> int:
        return self._cards.pick(count)

    def copy(self) -> "SplitDice":
        twin = SplitDice(0)
        twin._cards, twin._dice = self._cards.copy(), self._dice.copy()
        return twin


def stream(*path: object) -> int:
    """A seed derived from a path, the same in every process."""
    return int.from_bytes(hashlib.sha256(repr(path).encode()).digest()[:8], "big")


def seat_name(seat: int) -> str:
    """The name of the player in a seat, independent of the bot."""
    return f"Seat {seat + 1}"


def seat_names(plan: Plan) -> list[str]:
    """The names of a plan's players."""
    return [seat_name(seat) for seat in range(len(plan.seats))]


def play_games(plan: Plan, games: Sequence[int]) -> tuple[list[SimulatedGame], Decisions]:
    """The games with these numbers."""
    rows: list[SimulatedGame] = []
    decisions: Decisions = []
    for game in games:
        players = [contestant(bot, stream(plan.seed, game, seat)) for seat, bot in enumerate(plan.seats)]
        row, decided = play_game(plan, game, SplitDice(stream(plan.seed, game)), players)
        rows.append(row)
        decisions += decided
    return rows, decisions


def play_game(
    plan: Plan, game: int, dice: Dice, players: Sequence[Bot], watch: Observer | None = None
) -> tuple[SimulatedGame, Decisions]:
    """One game between these bots, with these dice."""
    state, _ = rules.start(seat_names(plan), plan.options, dice, board=plan.board, deck=plan.deck)
    measures = Measures(state)
    decided: Decisions = []
    for number in range(plan.limit):
        if state.over:
            return _row(plan, game, state, measures, number), decided
        actions = rules.legal_actions(state)
        try:
            action = decision(players[state.active], plan.seats[state.active], state, actions)
        except BotFailed as error:
            raise BotFailed(f"Game {game}, decision {number}: {error}") from error
        following, events = rules.apply(state, action, dice)
        measures.add(events)
        if watch is not None:
            watch(state, action, following)
        if plan.decisions:
            outcome = format_outcome(events)
            decided.append(_decision(game, number, state, len(actions), format_action(action), outcome))
        state = following
    return _row(plan, game, state, measures, plan.limit), decided


def _row(plan: Plan, game: int, state: State, measures: Measures, decisions: int) -> SimulatedGame:
    measures.close()
    table = state.table
    final = standings(state)
    places = {line.name: line.place for line in final}
    scores = {line.name: line.score for line in final}
    return SimulatedGame(
        game=game,
        bots=list(plan.seats),
        first=table.first,
        deck=table.options.deck,
        layout=table.options.layout,
        ties=table.options.ties,
        bonus=table.options.bonus,
        days=table.days,
        decisions=decisions,
        cut_off=not state.over,
        scores=[scores[name] for name in table.names],
        won=list(win_shares(state)),
        places=[places[name] for name in table.names],
        ranks=[player.rank for player in state.players],
        dollars=[player.dollars for player in state.players],
        credits=[player.credits for player in state.players],
        turns=measures.turns,
        day_turns=measures.day_turns,
        act_dice=measures.act_dice,
        bonus_dice=measures.bonus_dice,
        jobs=measures.jobs,
        promotions=measures.promotions,
    )


def _decision(game: int, number: int, state: State, choices: int, action: str, outcome: str) -> SimulatedDecision:
    player = state.players[state.active]
    return SimulatedDecision(
        game=game,
        decision=number,
        seat=state.active,
        day=state.day,
        area=state.table.areas[player.area].id,
        rank=player.rank,
        dollars=player.dollars,
        credits=player.credits,
        chips=player.chips,
        choices=choices,
        action=action,
        outcome=outcome,
    )
