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
from .choices import label_of
from .pieces import look
from .sentences import pay, scene_text
from .wording import card_text, percent, phrase, place, sentence


def name_painter(names: Sequence[str], seats: Sequence[Seat]) -> Callable[[str], str]:
    """A function that gives every player's name in a text the colour of the player's die."""
    painted = {name: click.style(name, fg=_rgb(look(seat).colour)) for name, seat in zip(names, seats, strict=True)}
    longest_first = sorted(map(re.escape, names), key=len, reverse=True)
    any_name = re.compile(rf"(?<!\w)(?:{'|'.join(longest_first)})(?!\w)")
    return lambda text: any_name.sub(lambda found: painted[found[0]], text)


def _rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(colour.removeprefix("#"))
    return red, green, blue


def turn_lines(state: State) -> Iterator[str]:
    """Whose turn it is, and what that player may do."""
    table, player = state.table, state.players[state.active]
    yield phrase("views.turn", player=table.names[state.active], day=_day(state))
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
    yield phrase("views.here", player=state.table.names[state.active])
    yield f"  {_area(state, here)}"
    yield phrase("views.next_door")
    for number in state.table.neighbours[here]:
        yield f"  {_area(state, number)}"


def board_lines(state: State) -> Iterator[str]:
    """Every area with what is there, and its doorways."""
    yield _day(state)
    for number, doors in enumerate(state.table.neighbours):
        yield f"  {_area(state, number)}"
        areas = ", ".join(place(state.table.areas[door].name) for door in doors)
        yield f"    {phrase('views.doors', areas=areas)}"


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
    thoughts = advice(adviser, state, seconds=USUAL_SECONDS)
    return advice_lines(adviser, [(label_of(state, one.action), sentence(one.reason)) for one in thoughts])


def advice_lines(bot: str, thoughts: Sequence[tuple[str, str]]) -> Iterator[str]:
    """What a bot thinks: actions in words, with the reasons."""
    yield phrase("views.hint", bot=bot)
    width = max(len(label) for label, _ in thoughts)
    for label, reason in thoughts:
        yield f"  {label:{width}}  {reason}"


def odds_lines(state: State) -> Iterator[str]:
    """What acting would bring the active player."""
    odds = act_odds(state)
    if odds is None:
        yield _reason(state, ACT)
        return
    yield phrase("views.odds", needed=odds.needed, chance=percent(odds.chance), exact=odds.chance)
    yield _rehearsing(state, odds)
    yield phrase("views.pay", success=pay(odds.success), failure=pay(odds.failure))
    shots = state.shots[state.players[state.active].area]
    yield phrase("views.wraps") if odds.wraps else phrase("views.shots_to_go", n=shots)
    yield _bonus(odds)


def _bonus(odds: ActOdds) -> str:
    least, most = min(odds.bonus), max(odds.bonus)
    if least == most:
        return phrase("views.bonus", bonus=least)
    return phrase("views.bonus_varies", mean=float(expectation(odds.bonus)), least=least, most=most)


def table_lines(state: State) -> Iterator[str]:
    """Every player and every set."""
    yield _day(state)
    yield from who_lines(state)
    for number, area in enumerate(state.table.areas):
        if area.kind == "set":
            yield f"  {place(area.name)}: {scene_text(state, number)}"
            for take, line in _roles(state, number):
                taken = _actor(state, number, role_number(take))
                yield f"{line} - {taken}" if taken else line


def ending_lines(game: Game) -> Iterator[str]:
    """The final standings, or why there are none."""
    if game.called_off:
        yield phrase("views.called_off")
    else:
        yield from standing_lines(game.standings())


def standing_lines(standings: tuple[Standing, ...]) -> Iterator[str]:
    """The standings, with the value of everything in dollars (R11.1, R11.3)."""
    width = max(len(line.name) for line in standings)
    dollars, credits, rank, score = (phrase(f"views.{name}") for name in ("dollars", "credits", "rank", "score"))
    yield f"     {'':{width}}  {dollars:>7}  {credits:>9}  {rank:>9}  {score:>5}"
    for line in standings:
        yield f"{line.place:>3}. {line.name:{width}}  {_worth(line)}"


def _worth(line: Standing) -> str:
    credits, rank = f"{line.credits} = ${line.credit_points}", f"{line.rank} = ${line.rank_points}"
    left = f"  {phrase('views.left', bot=line.stand_in)}" if line.stand_in else ""
    return f"{f'${line.dollars}':>7}  {credits:>9}  {rank:>9}  {f'${line.score}':>5}{left}"


def _day(state: State) -> str:
    scenes = phrase("table.scenes_left", n=state.scenes_left)
    return phrase("views.day", day=state.day, days=state.table.days, scenes=scenes)


def _purse(player: Player) -> str:
    chips = f", {phrase('views.chips', n=player.chips)}" if player.chips else ""
    return phrase("views.purse", rank=player.rank, dollars=player.dollars, credits=player.credits) + chips


def _rehearsing(state: State, odds: ActOdds) -> str:
    problem = refusal(state, Rehearse())
    return sentence(problem) if problem else phrase("views.rehearsed", chance=percent(odds.chance_rehearsed))


def _reason(state: State, action: Action) -> str:
    problem = refusal(state, action)
    assert problem is not None  # callers ask only about what is not possible
    return sentence(problem)


def _openness(state: State, take: TakeRole) -> str:
    problem = refusal(state, take)
    return f" - {phrase('views.open') if problem is None else phrase('views.closed', reason=sentence(problem))}"


def _place(state: State, player: Player) -> str:
    return _with_part(state, player, place(state.table.areas[player.area].name))


def _with_part(state: State, player: Player, subject: str) -> str:
    """A place or a player, with the role that the player has."""
    if player.role is None:
        return subject
    role = state.table.role(player.area, state.scenes[player.area], player.role)
    return phrase("views.part", place=subject, role=card_text(role.name))


def _area(state: State, number: int) -> str:
    """An area with its scene or its use, and the players there."""
    people = (
        _with_part(state, player, name)
        for name, player in zip(state.table.names, state.players, strict=True)
        if player.area == number
    )
    use = scene_text(state, number) or _use(state, number)
    name = place(state.table.areas[number].name)
    return f"{name}: {'; '.join(filter(None, (use, ', '.join(people))))}".removesuffix(": ")


def _use(state: State, area: int) -> str:
    return phrase("views.office") if area == state.table.office else ""


def _roles(state: State, area: int) -> Iterator[tuple[TakeRole, str]]:
    """The roles on a set with a face-up card."""
    card = state.card(area)
    if card is None:
        return
    kinds: tuple[RoleKind, ...] = ("star", "extra")
    for kind, roles in zip(kinds, (card.roles, state.table.areas[area].extras), strict=True):
        for number, role in enumerate(roles, 1):
            texts = {"role": card_text(role.name), "line": card_text(role.line)}
            yield (
                TakeRole(kind, number),
                f"    {phrase('views.role', kind=kind, number=number, rank=role.rank, **texts)}",
            )


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
            return phrase("views.rank_and_name", rank=role.rank, role=card_text(role.name))
        case Upgrade():
            return phrase("views.price", price=table.prices[action], currency=action.currency)
        case Act():
            odds = act_odds(state)
            return phrase("views.act", needed=odds.needed, chance=percent(odds.chance)) if odds else ""
        case Rehearse():
            odds = act_odds(state)
            return phrase("notes.rehearsed", chance=percent(odds.chance_rehearsed)) if odds else ""
        case _:
            return ""
