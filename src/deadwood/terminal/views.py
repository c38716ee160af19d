"""What everybody may see (R13.2, R13.3), as lines of plain text."""

from collections.abc import Iterator

from ..engine.actions import Act, Action, Move, TakeRole, Upgrade
from ..engine.events import Standing
from ..engine.legality import legal_actions, role_number
from ..engine.notation import format_action
from ..engine.odds import act_odds
from ..engine.state import Player, State
from ..engine.table import FACE_DOWN


def turn_lines(state: State) -> Iterator[str]:
    """Whose turn it is, and what that player may do."""
    table, player = state.table, state.players[state.active]
    yield f"{table.names[state.active]}'s turn. {_day(state)}"
    yield f"  {_purse(player)}, {_place(state, player)}."
    for action in legal_actions(state):
        yield f"  {format_action(action):22}{_hint(state, player, action)}".rstrip()


def table_lines(state: State) -> Iterator[str]:
    """Every player and every set."""
    yield _day(state)
    for seat, (name, player) in enumerate(zip(state.table.names, state.players, strict=True)):
        yield f"{'>' if seat == state.active else ' '} {name}: {_purse(player)}, {_place(state, player)}"
    for number, area in enumerate(state.table.areas):
        if area.kind == "set":
            yield f"  {area.name}: {_scene(state, number)}"
            yield from _role_lines(state, number)


def standing_lines(standings: tuple[Standing, ...]) -> Iterator[str]:
    """The final table, with what everything is worth in dollars (R11.1, R11.3)."""
    width = max(len(line.name) for line in standings)
    yield f"     {'':{width}}  dollars  credits  rank    score"
    for line in standings:
        worth = f"${line.dollars:>6}  ${line.credits:>6}  {line.rank} = ${line.rank_points:<3} ${line.score:>4}"
        yield f"{line.place:>3}. {line.name:{width}}  {worth}"


def _day(state: State) -> str:
    return f"Day {state.day} of {state.table.days}, {state.scenes_left} scenes left."


def _purse(player: Player) -> str:
    chips = f", {_count(player.chips, 'practice chip')}" if player.chips else ""
    return f"rank {player.rank}, ${player.dollars}, {_count(player.credits, 'credit')}{chips}"


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _place(state: State, player: Player) -> str:
    area = state.table.areas[player.area].name
    if player.role is None:
        return area
    return f"{area} as '{state.table.role(player.area, state.scenes[player.area], player.role).name}'"


def _scene(state: State, area: int) -> str:
    card = state.card(area)
    shots = f"{state.shots[area]} of {state.table.areas[area].shots} shots left"
    if card is not None:
        return f'"{card.title}" (card {card.number}), budget {card.budget}, {shots}'
    return f"face down, {shots}" if state.scenes[area] == FACE_DOWN else "wrapped"


def _role_lines(state: State, area: int) -> Iterator[str]:
    card = state.card(area)
    if card is None:
        return
    for kind, roles in (("star", card.roles), ("extra", state.table.areas[area].extras)):
        for number, role in enumerate(roles, 1):
            on_it = _actor(state, area, role_number(TakeRole(kind, number)))  # type: ignore[arg-type]
            yield f'    {kind} {number}: rank {role.rank} {role.name}, "{role.line}"{on_it}'


def _actor(state: State, area: int, role: int) -> str:
    for name, player in zip(state.table.names, state.players, strict=True):
        if player.area == area and player.role == role:
            return f" - {name}"
    return ""


def _hint(state: State, player: Player, action: Action) -> str:
    """What an action would do or cost."""
    table = state.table
    match action:
        case Move():
            area = table.area_numbers[action.area]
            return _scene(state, area) if table.areas[area].kind == "set" else ""
        case TakeRole():
            role = table.role(player.area, state.scenes[player.area], role_number(action))
            return f"rank {role.rank}, {role.name}"
        case Upgrade():
            price = table.prices[action]
            return f"for ${price}" if action.currency == "dollars" else f"for {price} credits"
        case Act():
            odds = act_odds(state)
            return f"succeeds on {odds.needed} or more, {float(odds.chance):.0%}" if odds else ""
        case _:
            return ""
