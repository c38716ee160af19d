"""How tables look to clients. Nothing in a state is secret, so everybody sees the same."""

from collections.abc import Iterable
from functools import cached_property, lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ...engine import rules
from ...engine.actions import ACT, Act, Action, Move, Rehearse, TakeRole, Upgrade
from ...engine.board import Board
from ...engine.layout import parse_layout
from ...engine.legality import affordable, open_roles, plausible_actions, role_number
from ...engine.notation import format_action
from ...engine.odds import ActOdds, act_odds, expectation, role_odds, success_chance
from ...engine.options import Options, Purse
from ...engine.outcomes import find_cards, read_card
from ...engine.refusal import OutcomeError, Refusal, Refused, shortened
from ...engine.scoring import gain, leaders, scores
from ...engine.state import State
from ...finale import Finale, finale
from ...narration import all_titles, narrate, translated_event
from ..protocol.commands import FindCards, FindHandover
from ..protocol.messages import CardsFound, Handover, TakenChair, Update
from ..protocol.refusals import refuse
from ..protocol.views import (
    ActOddsView,
    ChairView,
    ClockView,
    CorrectionView,
    Offer,
    PendingOutcome,
    Position,
    Reason,
    TableView,
    UndoView,
    VotesView,
)
from .absence import handed_over
from .caller import Caller
from .catalogue import board_label, deck_label
from .decisions import undo_refusal
from .lobby import bot_refusal, sit_refusal, start_refusal
from .sitting import LogEvent, Sitting

_GAME_ONLY = frozenset({"played", "undone"})  # kinds of entries that change nothing but the game's position


class _Refused(Struct, frozen=True):
    """Actions that are refused for the same reason."""

    actions: tuple[str, ...]
    refusal: Refusal

    def narrated(self, language: str) -> Reason:
        return Reason(self.actions, _narrated(self.refusal, language), self.refusal.rule)


class View:
    """A table at one moment. What is the same in all languages is computed once, and only on demand."""

    def __init__(
        self,
        sitting: Sitting,
        link: str,
        now: float,
        pending: PendingOutcome | None = None,
        seconds_left: float | None = None,
        talk: bool = False,
    ) -> None:
        self._sitting = sitting
        self._link = link
        self._now = now
        self._pending = pending
        self._seconds_left = seconds_left  # on the clock of the active chair
        self._talk = talk  # whether people may talk
        self._happened: dict[str, Update] = {}  # the last entry, by language

    def explains(self, caller: Caller) -> bool:
        """Whether a caller is told why other actions are refused."""
        if not caller.explain:
            return False
        active = self._sitting.active
        return active is not None and active.id in caller.held

    def table(self, language: str, explained: bool) -> TableView:
        """The whole table; `explained` with the reasons why other actions are refused."""
        sitting, game = self._sitting, self._sitting.game
        options = game.state.table.options if game else sitting.options
        return TableView(
            code=sitting.code,
            link=self._link,
            public=sitting.opened.public,
            status=sitting.status,
            seq=sitting.seq,
            game=sitting.opened.game,
            options=options,
            house=sitting.house,
            layout=layout_of(options, sitting.board),
            deck=deck_label(sitting.deck),
            board=board_label(sitting.board),
            drawn=game.state.table.drawn if game else (),
            host=sitting.host,
            chairs=chair_views(sitting),
            commitment=sitting.commitment,
            salts=sitting.salts if game else (),
            seed=sitting.opened.seed if game and game.over else None,
            position=self._position(language, explained),
            standings=game.standings() if game and game.over and not game.called_off else (),
            finale=self._finale,
            pending=self._pending,
            kept=0 if game else len(sitting.attendance.open_invitations(self._now)),
            called_off=game is not None and game.called_off,
            agreed=tuple(sitting.agreed),
            talk=self._talk,
            **{name: narrate(refused, language) for name, refused in self._lobby_refusals.items() if refused},
        )

    def update(self, event: LogEvent, language: str, explained: bool) -> Update:
        """An entry with its result."""
        game, happened = self._sitting.game, self._happened.get(language)
        if happened is None:
            happened = self._happened[language] = update(event, language)
        if event.kind not in _GAME_ONLY or game is None or game.over:
            return replace(happened, table=self.table(language, explained))
        return replace(happened, position=self._position(language, explained))

    def _position(self, language: str, explained: bool) -> Position | None:
        if self._bare_position is None:
            return None
        reasons = tuple(refused.narrated(language) for refused in self._refusals) if explained else ()
        return replace(self._bare_position, reasons=reasons, undo=self._undo(language))

    @cached_property
    def _bare_position(self) -> Position | None:
        sitting, game = self._sitting, self._sitting.game
        if game is None:
            return None
        turn, attendance = sitting.bot_turn, sitting.attendance
        return Position(
            state=game.state.snapshot(),
            scores=scores(game.state),
            leaders=leaders(game.state),
            wraps_left=game.state.wraps_left,
            offers=() if game.over else offers(game.state),
            correction=_correction(sitting),
            stand_in=turn.bot if turn and turn.stands_in else None,
            clock=self._clock,
            paused=attendance.paused,
            votes=VotesView(tuple(sorted(attendance.pause)), tuple(sorted(attendance.end))),
        )

    @property
    def _clock(self) -> ClockView | None:
        if self._seconds_left is None or (active := self._sitting.active) is None:
            return None
        return ClockView(active.id, round(max(0.0, self._seconds_left), 1), not self._sitting.attendance.paused)

    @cached_property
    def _lobby_refusals(self) -> dict[str, Refused | None]:
        """By field of the table's view."""
        if self._sitting.status != "waiting":
            return {}
        return {
            "start_refusal": start_refusal(self._sitting),
            "sit_refusal": sit_refusal(self._sitting, self._now),
            "bot_refusal": bot_refusal(self._sitting, self._now),
        }

    @cached_property
    def _finale(self) -> Finale | None:
        game = self._sitting.game
        return finale(game.state, game.events) if game and game.over and not game.called_off else None

    @cached_property
    def _refusals(self) -> tuple[_Refused, ...]:
        game = self._sitting.game
        return _refusals(game.state) if game else ()

    def _undo(self, language: str) -> UndoView | None:
        game, actor = self._sitting.game, self._sitting.last_actor
        if game is None or game.over:
            return None
        refusal = undo_refusal(game)
        if refusal is not None or actor is None:
            return UndoView(None, _narrated(refusal or Refusal("", "nothing_to_undo"), language))
        return UndoView(actor.id, _narrated(Refusal("", "undo_not_yours", {"player": actor.name}), language))


def chair_views(sitting: Sitting) -> tuple[ChairView, ...]:
    """Who is at the table. Nobody may see tokens, or salts before the start."""
    away = sitting.attendance.away
    return tuple(
        ChairView(
            id=one.id,
            name=one.name,
            colour=one.colour,
            bot=one.bot,
            ready=bool(one.own_bot or one.salt),
            stand_in=one.stand_in or away.get(one.id),
            left=one.stand_in is not None,
            remote=one.remote,
        )
        for one in sitting.chairs
    )


def update(event: LogEvent, language: str) -> Update:
    """An entry and its events, in a language."""
    return Update(
        seq=event.seq,
        kind=event.kind,
        chair=event.chair,
        action=event.action,
        by=event.by,
        events=tuple([translated_event(one, language) for one in event.events]),
        sentences=tuple([narrate(one, language) for one in event.events]),
    )


def taken_chairs(sitting: Sitting, tokens: Iterable[str]) -> tuple[TakenChair, ...]:
    """The chairs of these tokens that another browser holds now."""
    people = {chair.id for chair in sitting.holders}
    gone = enumerate(map(sitting.left_chair, tokens))
    return tuple(TakenChair(number=number, chair=chair) for number, chair in gone if chair in people)


def found_handover(sitting: Sitting, asked: FindHandover, now: float) -> Handover:
    """The chairs that a secret hands over, and how long it is still valid."""
    found = handed_over(sitting, asked.secret, now)
    seconds = min(one.until for _, one in found) - now
    return Handover(id=asked.id, chairs=tuple(chair for chair, _ in found), seconds=round(seconds, 1))


def found_cards(sitting: Sitting, asked: FindCards, language: str) -> CardsFound:
    """The cards that a text may mean at a table with real dice."""
    if sitting.game is None:
        raise refuse("table_not_running")
    if sitting.options.dice == "fair":
        raise OutcomeError(Refusal("R12.7", "dice_are_fair", {"outcome": shortened(asked.text)}))
    state = sitting.game.last_outcome().before if asked.correcting else sitting.game.state
    numbers = tuple(card.number for card in find_cards(asked.text, state, all_titles()))
    try:
        meant = read_card(asked.text, state, sitting.game.events, all_titles()).number
    except OutcomeError as error:
        return CardsFound(id=asked.id, cards=numbers, card=None, sentence=narrate(error, language))
    return CardsFound(id=asked.id, cards=numbers, card=meant, sentence=None)


def _correction(sitting: Sitting) -> CorrectionView | None:
    if sitting.game is None or sitting.game.correct_refusal() is not None:
        return None
    last = sitting.game.last_outcome()
    chairs = tuple(chair.id for chair in sitting.correctors)
    return CorrectionView(chairs, format_action(last.action), last.outcome, last.needed)


def layout_of(options: Options, board: Board) -> str | None:
    """The layout spelled out, or None if it has yet to be drawn."""
    return None if "layout" in options.drawn else parse_layout(options.layout, board).text


def offers(state: State) -> tuple[Offer, ...]:
    """What the active player may do."""
    legal = rules.legal_actions(state)
    odds = act_odds(state) if ACT in legal else None
    return tuple([_offer(state, action, odds) for action in legal])


def _offer(state: State, action: Action, odds: ActOdds | None) -> Offer:
    text, needs = _text(action), rules.outcome_needed(state, action)
    if isinstance(action, Move):  # first, because there are most of them
        return _move_offer(state, text, state.table.area_numbers[action.area], needs)
    if odds is not None and isinstance(action, Act):
        view = _odds_view(odds)
        return Offer(text, chance=view.chance, odds=view, needs=needs)
    if odds is not None and isinstance(action, Rehearse):
        return Offer(text, chance=float(odds.chance_rehearsed))
    if isinstance(action, Upgrade):
        points = gain(state.players[state.active], action, state.table.prices[action])
        return Offer(text, cost=_cost(state, action), points=points)
    if isinstance(action, TakeRole):
        first = role_odds(state, role_number(action))
        return Offer(text, odds=_odds_view(first) if first else None)
    return Offer(text, needs=needs)


def _move_offer(state: State, text: str, area: int, needs: rules.OutcomeNeed | None) -> Offer:
    """A move, with what it leads to: roles, if the card is face up, or ranks to buy."""
    player, card = state.players[state.active], state.card(area)
    if card is not None:
        roles = len(open_roles(state, area, player.rank))
        return Offer(text, chance=_first_chance(card.budget), needs=needs, roles=roles)
    return Offer(text, needs=needs, upgrades=len(affordable(state, player)) if area == state.table.office else None)


def _cost(state: State, upgrade: Upgrade) -> Purse:
    price = state.table.prices[upgrade]
    return Purse(price, 0) if upgrade.currency == "dollars" else Purse(0, price)


@lru_cache(maxsize=1024)
def _first_chance(budget: int) -> float:
    return float(success_chance(budget, 0))


@lru_cache(maxsize=4096)  # like the odds themselves, one view for each situation
def _odds_view(odds: ActOdds) -> ActOddsView:
    return ActOddsView(
        needed=odds.needed,
        chance=float(odds.chance),
        success=odds.success,
        failure=odds.failure,
        wraps=odds.wraps,
        bonus=float(expectation(odds.bonus)),
        expected=float(odds.expected),
    )


def reasons(state: State, language: str) -> tuple[Reason, ...]:
    """Why the active player may not do the rest."""
    return tuple(refused.narrated(language) for refused in _refusals(state))


def _refusals(state: State) -> tuple[_Refused, ...]:
    """Everything a player might try but may not do, grouped by reason; neighbouring actions often share one."""
    groups: list[tuple[Refusal, list[str]]] = []
    for action in plausible_actions(state):
        refusal = rules.refusal(state, action)
        if refusal is not None:
            if not groups or groups[-1][0] != refusal:
                groups.append((refusal, []))
            groups[-1][1].append(_text(action))
    return tuple(_Refused(tuple(actions), refusal) for refusal, actions in groups)


# The same few actions are refused for the same few reasons at every table, again and again.


@lru_cache(maxsize=1024)
def _text(action: Action) -> str:
    return format_action(action)


def _narrated(refusal: Refusal, language: str) -> str:
    return _sentence(refusal.rule, refusal.key, tuple(refusal.values.items()), language)


@lru_cache(maxsize=4096)
def _sentence(rule: str, key: str, values: tuple[tuple[str, Any], ...], language: str) -> str:
    return narrate(Refusal(rule, key, dict(values)), language)
