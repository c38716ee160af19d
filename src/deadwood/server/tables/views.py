"""How tables look to clients. There is one view for everybody: nothing in a state is secret."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from ...engine import rules
from ...engine.actions import ACT, END_TURN, REHEARSE, Act, Action, Move, Rehearse, TakeRole
from ...engine.notation import format_action
from ...engine.odds import ActOdds, act_odds, expectation
from ...engine.refusal import Refusal
from ...engine.scoring import winners
from ...engine.state import State
from ...narration import narrate
from ..protocol.messages import ActOddsView, GameSummary, ListedTable, Offer, Pending, SeatView, TableView, Update
from .log import Chair
from .sitting import Page, Sitting

_STATE_ALONE = frozenset({"played", "undone"})  # kinds of entries that change nothing but the state of the game


def seat_views(chairs: Iterable[Chair]) -> tuple[SeatView, ...]:
    """Who sits there. Neither tokens nor salts are for others' eyes before the start."""
    return tuple(SeatView(one.id, one.name, one.colour, one.bot, bool(one.bot or one.salt)) for one in chairs)


def table_view(sitting: Sitting, link: str, pending: Pending | None = None) -> TableView:
    """All that is so at a table."""
    game = sitting.game
    return TableView(
        code=sitting.code,
        link=link,
        public=sitting.opened.public,
        status=sitting.status,
        seq=sitting.seq,
        game=sitting.opened.game,
        options=game.state.table.options if game else sitting.options,
        drawn=game.state.table.drawn if game else (),
        host=sitting.host,
        seats=seat_views(sitting.chairs),
        commitment=sitting.commitment,
        salts=sitting.salts if game else (),
        seed=sitting.opened.seed if game and game.over else None,
        state=game.state.snapshot() if game else None,
        offers=offers(game.state) if game else (),
        standings=game.standings() if game and game.over else (),
        pending=pending,
    )


def listed(sitting: Sitting, created: float) -> ListedTable:
    """The table as lists show it."""
    return ListedTable(
        code=sitting.code,
        status=sitting.status,
        options=sitting.options,
        seats=seat_views(sitting.chairs),
        created=created,
    )


def game_summary(sitting: Sitting, finished: float) -> GameSummary:
    """A finished game."""
    assert sitting.game is not None
    standings = sitting.game.standings()
    return GameSummary(
        game=sitting.opened.game,
        players=seat_views(sitting.chairs),
        options=sitting.game.state.table.options,
        standings=standings,
        winners=winners(standings),
        finished=finished,
        actions=len(sitting.game.steps),
        commitment=sitting.commitment,
        salts=sitting.salts,
        seed=sitting.opened.seed,
    )


def update(page: Page, language: str) -> Update:
    """What happened, told in a language."""
    return Update(
        seq=page.seq,
        kind=page.kind,
        seat=page.seat,
        action=page.action,
        events=page.events,
        told=tuple(narrate(event, language) for event in page.events),
    )


def update_now(page: Page, sitting: Sitting, link: str, language: str) -> Update:
    """The same, with what is so after it."""
    happened, game = update(page, language), sitting.game
    if page.kind not in _STATE_ALONE or game is None or game.over:
        return replace(happened, table=table_view(sitting, link))
    return replace(happened, state=game.state.snapshot(), offers=offers(game.state))


def offers(state: State) -> tuple[Offer, ...]:
    """The legal actions, with their odds."""
    legal = rules.legal_actions(state)
    odds = act_odds(state) if ACT in legal else None
    return tuple(_offer(action, odds) for action in legal)


def choices(state: State, language: str) -> tuple[Offer, ...]:
    """All that a player could think of here: what is possible first, then what is not, and why."""
    possible = offers(state)
    legal = frozenset(offer.action for offer in possible)
    thought_of = dict.fromkeys(_thought_of(state))
    problems = ((action, rules.refusal(state, action)) for action in thought_of)
    refused = (_refused(action, problem, language) for action, problem in problems if problem)
    return (*possible, *(offer for offer in refused if offer.action not in legal))


def _thought_of(state: State) -> Iterator[Action]:
    if state.over:
        return
    table, player = state.table, state.players[state.active]
    card = state.card(player.area)
    yield from (ACT, REHEARSE)
    yield from (TakeRole("star", number) for number in range(1, len(card.roles if card else ()) + 1))
    yield from (TakeRole("extra", number) for number in range(1, len(table.areas[player.area].extras) + 1))
    yield from (Move(area.id) for area in table.areas)
    yield from table.prices
    yield END_TURN


def _refused(action: Action, problem: Refusal, language: str) -> Offer:
    return Offer(format_action(action), refusal=narrate(problem, language), rule=problem.rule)


def _offer(action: Action, odds: ActOdds | None) -> Offer:
    if odds is not None and isinstance(action, Act):
        return Offer(format_action(action), chance=float(odds.chance), odds=_odds_view(odds))
    if odds is not None and isinstance(action, Rehearse):
        return Offer(format_action(action), chance=float(odds.chance_rehearsed))
    return Offer(format_action(action))


def _odds_view(odds: ActOdds) -> ActOddsView:
    return ActOddsView(
        needed=odds.needed,
        chance=float(odds.chance),
        success=odds.success,
        failure=odds.failure,
        wraps=odds.wraps,
        bonus=float(expectation(odds.bonus)),
    )
