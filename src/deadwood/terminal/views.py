"""Everything that is visible (R13.2, R13.3), as lines of text."""

import re
from collections.abc import Callable, Iterator, Sequence

import click

from ..bots import USUAL_SECONDS, advice, strongest
from ..engine.actions import ACT, Act, Action, Move, Rehearse, RoleKind, TakeRole, Upgrade
from ..engine.events import Standing
from ..engine.game import Game
from ..engine.legality import legal_actions, refusal, role_number
from ..engine.notation import format_action
from ..engine.odds import ActOdds, act_odds, expectation
from ..engine.seats import Seat
from ..engine.state import Player, State
from ..narration import narrate
from ..phrases import counted
from .new_game import NewGame
from .pieces import look
from .sentences import pay, scene_text


def name_painter(names: Sequence[str], seats: Sequence[Seat]) -> Callable[[str], str]:
    """A function that colours every player's name in a text like the player's die."""
    painted = {name: click.style(name, fg=_rgb(look(seat).colour)) for name, seat in zip(names, seats, strict=True)}
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    any_name = re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)")
    return lambda text: any_name.sub(lambda found: painted[found[0]], text)


def _rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


def new_game_lines(chosen: NewGame) -> Iterator[str]:
    """Who plays and with which options, before the game begins; raises SetupError if it cannot."""
    players = (f"{player.name} (bot, {player.bot})" if player.bot else player.name for player in chosen.players)
    options, table = chosen.options, chosen.preview().state.table
    board = f"Board {table.board.name}. " if chosen.board else ""
    yield f"Players: {', '.join(players)}."
    yield (
        f"{board}Deck {table.deck.name}, layout {options.layout}, first player {options.first}, ties {options.ties}, "
        f"bonus {options.bonus}, {counted(table.days, 'day')}, dice {options.dice}."
    )


def turn_lines(state: State) -> Iterator[str]:
    """Whose turn it is, and what that player may do."""
    table, player = state.table, state.players[state.active]
    yield f"{table.names[state.active]}'s turn. {_day(state)}"
    yield f"  {_purse(player)}, {_place(state, player)}."
    for action in legal_actions(state):
        yield f"  {format_action(action):22}{_hint(state, player, action)}".rstrip()


def who_lines(state: State) -> Iterator[str]:
    """Every player; `>` marks whose turn it is."""
    for seat, (name, player) in enumerate(zip(state.table.names, state.players, strict=True)):
        yield f"{'>' if seat == state.active else ' '} {name}: {_purse(player)}, {_place(state, player)}"


def where_lines(state: State) -> Iterator[str]:
    """Where the active player is, and what is there and next door."""
    here = state.players[state.active].area
    yield f"{state.table.names[state.active]} is here:"
    yield f"  {_area(state, here)}"
    yield "Next door:"
    for number in state.table.neighbours[here]:
        yield f"  {_area(state, number)}"


def board_lines(state: State) -> Iterator[str]:
    """Every area with what is there, and its doorways."""
    yield _day(state)
    for number, doors in enumerate(state.table.neighbours):
        yield f"  {_area(state, number)}"
        yield f"    doors to {', '.join(state.table.areas[door].name for door in doors)}"


def role_lines(state: State) -> Iterator[str]:
    """The roles where the active player stands: who has them, which are open, and why the others are not."""
    player = state.players[state.active]
    if state.card(player.area) is None:
        yield _reason(state, TakeRole("star", 1))
        return
    yield f"  {_area(state, player.area)}"
    for take, line in _roles(state, player.area):
        taken = _actor(state, player.area, role_number(take))
        yield f"{line} - {taken}" if taken else f"{line}{'' if player.role is not None else _openness(state, take)}"
    if player.role is not None:
        yield _reason(state, TakeRole("star", 1))


def hint_lines(state: State) -> Iterator[str]:
    """What the strongest bot thinks of all legal actions."""
    adviser = strongest()
    yield f"What the bot '{adviser}' thinks, the best first:"
    for one in advice(adviser, state, seconds=USUAL_SECONDS):
        yield f"  {format_action(one.action):22}{narrate(one.reason)}"


def odds_lines(state: State) -> Iterator[str]:
    """What acting would bring the active player."""
    odds = act_odds(state)
    if odds is None:
        yield _reason(state, ACT)
        return
    yield f"Acting succeeds on {odds.needed} or more: {_percent(odds)} ({odds.chance})."
    yield _rehearsing(state, odds)
    yield f"Success pays {pay(odds.success, ' and ')}, failure pays {pay(odds.failure, ' and ')}."
    shots = state.shots[state.players[state.active].area]
    yield "A success wraps the scene." if odds.wraps else f"{counted(shots, 'shot')} to go until the scene wraps."
    least, most, mean = min(odds.bonus), max(odds.bonus), f"{float(expectation(odds.bonus)):.1f}"
    bonus = f"${least}" if least == most else f"${mean} on average, from ${least} to ${most}"
    yield f"If it wrapped with those on it now, your bonus would be {bonus}."


def table_lines(state: State) -> Iterator[str]:
    """Every player and every set."""
    yield _day(state)
    yield from who_lines(state)
    for number, area in enumerate(state.table.areas):
        if area.kind == "set":
            yield f"  {area.name}: {scene_text(state, number)}"
            for take, line in _roles(state, number):
                taken = _actor(state, number, role_number(take))
                yield f"{line} - {taken}" if taken else line


def ending_lines(game: Game) -> Iterator[str]:
    """The final standings, or why there are none."""
    if game.called_off:
        yield "This game was called off, so nobody has won."
    else:
        yield from standing_lines(game.standings())


def standing_lines(standings: tuple[Standing, ...]) -> Iterator[str]:
    """With the value of everything in dollars (R11.1, R11.3)."""
    width = max(len(line.name) for line in standings)
    yield f"     {'':{width}}  dollars  credits       rank  score"
    for line in standings:
        rank = f"{line.rank} = ${line.rank_points}"
        worth = f"{f'${line.dollars}':>7}  {f'${line.credits}':>7}  {rank:>9}  {f'${line.score}':>5}"
        left = f"  (left; {line.stand_in} played on)" if line.stand_in else ""
        yield f"{line.place:>3}. {line.name:{width}}  {worth}{left}"


def _day(state: State) -> str:
    return f"Day {state.day} of {state.table.days}, {counted(state.scenes_left, 'scene')} left."


def _purse(player: Player) -> str:
    chips = f", {counted(player.chips, 'practice chip')}" if player.chips else ""
    return f"rank {player.rank}, ${player.dollars}, {counted(player.credits, 'credit')}{chips}"


def _percent(odds: ActOdds) -> str:
    return f"{float(odds.chance):.0%}"


def _rehearsing(state: State, odds: ActOdds) -> str:
    problem = refusal(state, Rehearse())
    return narrate(problem) if problem else f"With one more practice chip: {float(odds.chance_rehearsed):.0%}."


def _reason(state: State, action: Action) -> str:
    problem = refusal(state, action)
    assert problem is not None  # callers ask only about what is not possible
    return narrate(problem)


def _openness(state: State, take: TakeRole) -> str:
    problem = refusal(state, take)
    return " - open to you" if problem is None else f" - no: {narrate(problem)}"


def _place(state: State, player: Player) -> str:
    return f"{state.table.areas[player.area].name}{_part(state, player)}"


def _part(state: State, player: Player) -> str:
    if player.role is None:
        return ""
    return f" as '{state.table.role(player.area, state.scenes[player.area], player.role).name}'"


def _area(state: State, number: int) -> str:
    """An area with its scene or its use, and the players there."""
    area = state.table.areas[number]
    people = (
        f"{name}{_part(state, player)}"
        for name, player in zip(state.table.names, state.players, strict=True)
        if player.area == number
    )
    use = scene_text(state, number) or _use(state, number)
    return f"{area.name}: {'; '.join(filter(None, (use, ', '.join(people))))}".removesuffix(": ")


def _use(state: State, area: int) -> str:
    return "ranks are sold here" if area == state.table.office else ""


def _roles(state: State, area: int) -> Iterator[tuple[TakeRole, str]]:
    """The roles on a set with a face-up card."""
    card = state.card(area)
    if card is None:
        return
    kinds: tuple[RoleKind, ...] = ("star", "extra")
    for kind, roles in zip(kinds, (card.roles, state.table.areas[area].extras), strict=True):
        for number, role in enumerate(roles, 1):
            yield TakeRole(kind, number), f'    {kind} {number}: rank {role.rank} {role.name}, "{role.line}"'


def _actor(state: State, area: int, role: int) -> str | None:
    on_it = (player.area == area and player.role == role for player in state.players)
    return next((name for name, on in zip(state.table.names, on_it, strict=True) if on), None)


def _hint(state: State, player: Player, action: Action) -> str:
    """What an action would do or cost."""
    table = state.table
    match action:
        case Move():
            area = table.area_numbers[action.area]
            return scene_text(state, area) or _use(state, area)
        case TakeRole():
            role = table.role(player.area, state.scenes[player.area], role_number(action))
            return f"rank {role.rank}, {role.name}"
        case Upgrade():
            price = table.prices[action]
            return f"for ${price}" if action.currency == "dollars" else f"for {price} credits"
        case Act():
            odds = act_odds(state)
            return f"succeeds on {odds.needed} or more, {_percent(odds)}" if odds else ""
        case Rehearse():
            odds = act_odds(state)
            return f"then {float(odds.chance_rehearsed):.0%}" if odds else ""
        case _:
            return ""
