"""Positions for testing the rules: a fresh game, changed piece by piece, and played in notation."""

from collections.abc import Iterator
from random import Random

import pytest
from msgspec.structs import replace

from deadwood import (
    Act,
    EndTurn,
    IllegalAction,
    Move,
    Options,
    Player,
    Refused,
    Rehearse,
    State,
    TakeRole,
    Upgrade,
    narrate,
)
from deadwood.engine import rules
from deadwood.engine.actions import Action
from deadwood.engine.chance import FastDice, ScriptedDice
from deadwood.engine.events import Event, Events
from deadwood.engine.legality import role_number
from deadwood.engine.notation import format_action, parse_action, parse_outcome
from deadwood.engine.table import FACE_DOWN, NO_SCENE

NAMES = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal")
SHOTS = {
    "train-station": 3,
    "jail": 1,
    "general-store": 2,
    "main-street": 3,
    "saloon": 2,
    "secret-hideout": 3,
    "ranch": 2,
    "church": 2,
    "hotel": 3,
    "bank": 1,
}
SETS = tuple(SHOTS)
LONG_GAME = 50_000
AREAS = (*SETS, "trailers", "casting-office")


class AskedDice(ScriptedDice):
    """Scripted dice that remember what they were asked for."""

    def __init__(self, *results: int) -> None:
        super().__init__(results)
        self.asked: list[tuple[str, int]] = []

    def roll(self, count: int) -> tuple[int, ...]:
        self.asked.append(("roll", count))
        return super().roll(count)

    def pick(self, count: int) -> int:
        self.asked.append(("pick", count))
        return super().pick(count)


def begin(players: int = 3, **options: object) -> State:
    """A fresh game; Ada goes first unless the options say otherwise."""
    return rules.start(NAMES[:players], Options(**{"first": "Ada", **options}), ScriptedDice(()))[0]


def seat_of(state: State, name: str) -> int:
    return state.table.names.index(name)


def player(state: State, name: str) -> Player:
    return state.players[seat_of(state, name)]


def place(state: State, name: str) -> str:
    return state.table.areas[player(state, name).area].id


def active(state: State) -> str:
    return state.table.names[state.active]


def purse(state: State, name: str) -> tuple[int, int]:
    """Dollars and credits."""
    return player(state, name).dollars, player(state, name).credits


def put(state: State, name: str, area: str | None = None, role: str | None = None, **changes: int) -> State:
    """Put a player into an area, perhaps on a role (`star 2`), perhaps with another rank, purse or chips."""
    one = player(state, name)
    if area is not None:
        number = None if role is None else role_number(parse_action(f"take {role}"))
        one = replace(one, area=state.table.area_numbers[area], role=number)
    return replace(state, players=_with(state.players, seat_of(state, name), replace(one, **changes)))


def put_card(state: State, area: str, card: int, shots: int | None = None) -> State:
    """Put a card face up on a set, with all its shots or `shots` of them."""
    number, index = state.table.area_numbers[area], state.table.card_numbers[card]
    return replace(
        state,
        scenes=_with(state.scenes, number, index),
        shots=_with(state.shots, number, SHOTS[area] if shots is None else shots),
        unseen=tuple(unseen for unseen in state.unseen if unseen != index),
    )


def wrap_sets(state: State, *areas: str) -> State:
    """Let the scenes of these sets have wrapped."""
    numbers = {state.table.area_numbers[area] for area in areas}
    scenes = tuple(NO_SCENE if number in numbers else scene for number, scene in enumerate(state.scenes))
    shots = tuple(0 if number in numbers else left for number, left in enumerate(state.shots))
    return replace(state, scenes=scenes, shots=shots, scenes_left=sum(scene != NO_SCENE for scene in scenes))


def keep_scenes(state: State, *areas: str) -> State:
    """Let the scenes of all other sets have wrapped."""
    return wrap_sets(state, *(area for area in SETS if area not in areas))


def turn_of(state: State, name: str) -> State:
    return replace(state, active=seat_of(state, name), moved=False)


def on_day(state: State, day: int) -> State:
    return replace(state, day=day)


def scene(state: State, area: str) -> int | str | None:
    """The number of the card on a set, `face down`, or None when it has wrapped."""
    return state.snapshot().sets[area].scene


def shots(state: State, area: str) -> int:
    return state.snapshot().sets[area].shots


def play(state: State, *lines: str) -> State:
    """The state after these actions, each with its outcome: `move saloon = card 17`, `act = 5 / 6 5`."""
    for line in lines:
        state, _ = _step(state, line)
    return state


def events_of(state: State, line: str) -> Events:
    """The events of this action."""
    return _step(state, line)[1]


def event_of(state: State, line: str, kind: type[Event]) -> Event:
    """The one event of a kind that an action causes."""
    (event,) = (event for event in events_of(state, line) if isinstance(event, kind))
    return event


def legal(state: State, *kinds: str) -> list[str]:
    """The texts of the legal actions; only those that start with one of the words, if words are given."""
    texts = map(format_action, rules.legal_actions(state))
    return [text for text in texts if not kinds or text.split()[0] in kinds]


def assert_refused(state: State, text: str, rule: str, *words: object) -> None:
    """The action is refused by that clause, the sentence contains the values, and nothing changes."""
    action = parse_action(text)
    before, dice = state.snapshot(), AskedDice(0, 0, 0)
    assert action not in rules.legal_actions(state)
    with pytest.raises(IllegalAction) as caught:
        rules.apply(state, action, dice)
    assert (state.snapshot(), dice.asked) == (before, [])
    assert caught.value.refusal == rules.refusal(state, action)
    assert_says(caught.value, rule, *words)


def assert_says(error: Refused, rule: str, *words: object) -> None:
    """A refusal cites that clause, and its sentence contains the values."""
    sentence = narrate(error)
    assert error.refusal.rule == rule
    for value in words:
        assert str(value) in sentence


def all_actions() -> Iterator[Action]:
    """Everything that anybody could try, legal or not."""
    yield from map(Move, (*AREAS, "moon"))
    yield from (TakeRole("star", number) for number in range(5))
    yield from (TakeRole("extra", number) for number in range(6))
    yield from (Upgrade(rank, currency) for rank in range(8) for currency in ("dollars", "credits"))
    yield from (Act(), Rehearse(), EndTurn())


def played_at_random(state: State, seed: int, actions: int) -> Iterator[State]:
    """The positions of a game in which everybody does something legal, until it is over."""
    choice, dice = Random(seed), FastDice(seed)
    for _ in range(actions):
        yield state
        if state.over:
            return
        state, _ = rules.apply(state, choice.choice(rules.legal_actions(state)), dice)


def events_at_random(state: State, seed: int) -> Iterator[Event]:
    """The events of a whole game in which everybody does something legal."""
    choice, dice = Random(seed), FastDice(seed)
    for _ in range(LONG_GAME):
        if state.over:
            return
        state, events = rules.apply(state, choice.choice(rules.legal_actions(state)), dice)
        yield from events
    pytest.fail(f"the game is not over after {LONG_GAME} actions")


def face_down(state: State) -> int:
    return state.scenes.count(FACE_DOWN)


def _step(state: State, line: str) -> tuple[State, Events]:
    text, _, outcome = line.partition("=")
    action = parse_action(text)
    dice = ScriptedDice(parse_outcome(outcome, action, state) if outcome else ())
    after, events = rules.apply(state, action, dice)
    assert not dice.left, f"{line!r} leaves the results {dice.left}"
    return after, events


def _with(values: tuple, index: int, value: object) -> tuple:
    return (*values[:index], value, *values[index + 1 :])
