"""Lesson: a script that was checked completely: every action is legal, every step is reached, every text is there."""

from itertools import pairwise
from pathlib import Path
from typing import NoReturn

from msgspec import Struct

from ..engine import rules
from ..engine.actions import ACT, Action
from ..engine.game import Game
from ..engine.loading import locating, parse_toml, read_text
from ..engine.notation import format_action, parse_action
from ..engine.refusal import DataError, NotationError, RecordError, Refusal
from ..engine.seats import find_name
from ..engine.state import State
from ..engine.steps import Step
from ..narration import languages, narrate
from .script import Coaching, Script, Texts

DATA = Path(__file__).parent / "data"
_PARTS_OF_THE_SCREEN = ("odds", "log", "prices", "players", "end")


class PlayedStep(Struct, frozen=True):
    """An action of the record, its number in the game, and the state after it."""

    number: int
    step: Step
    after: State


class Stop(Struct, frozen=True):
    """Where a lesson waits for the learner: what was played since the last one, and the state now.

    The final stop has no coaching: the lesson is over.
    """

    number: int  # of the last action played
    played: tuple[PlayedStep, ...]
    state: State
    coaching: Coaching | None


class Lesson(Struct, frozen=True):
    """A lesson that can be taken."""

    name: str
    script: Script
    game: Game  # as it is at the end
    seat: int  # of the learner
    stops: tuple[Stop, ...]

    @property
    def steps(self) -> int:
        """How many decisions the learner takes."""
        return len(self.stops) - 1

    def objection(self, step: int, action: Action) -> Refusal | Texts | None:
        """Why the lesson does not go on with this action: it is illegal, or has to wait; None if it goes on."""
        stop = self.stops[step]
        if stop.coaching is None:
            raise ValueError(f"the lesson {self.name!r} is over")
        refusal = rules.refusal(stop.state, action)
        if refusal is not None or action == self.stops[step + 1].played[0].step.action:
            return refusal
        return stop.coaching.reason(action)


def load_lesson(path: Path) -> Lesson:
    """A lesson from a file, or a DataError that says what is wrong with it."""
    return parse_lesson(read_text(path), path.name)


def parse_lesson(text: str, file: str) -> Lesson:
    """The same from the text of a file; `file` names it in errors."""
    script = parse_toml(text, Script, file)
    with locating(text):
        return _Checker(script, file).lesson()


class _Checker:
    """Checks one script; every problem is a DataError that names its place."""

    def __init__(self, script: Script, file: str) -> None:
        self._script = script
        self._file = file

    def lesson(self) -> Lesson:
        script = self._script
        self._check_texts()
        game = self._game()
        seat = find_name(script.learner, game.state.table.names)
        if seat is None:
            self._fail(f"there is no player {script.learner!r} in the record", "learner")
        stops = self._stops(game, seat)
        for number, stop in enumerate(stops[:-1]):
            self._check_step(number, stop, stops[number + 1].played[0].step.action)
        return Lesson(self._file.removesuffix(".toml"), script, game, seat, stops)

    def _fail(self, problem: str, *place: str | int) -> NoReturn:
        where = f"step {place[1] + 1}: " if place[0] == "steps" and isinstance(place[1], int) else ""
        raise DataError(f"{self._file}: {where}{problem}", place=place)

    def _check_texts(self) -> None:
        for place, texts in self._script.texts():
            for language in sorted(set(languages()) ^ set(texts)):
                known = language in languages()
                said = "is missing" if known else f"is not one of {', '.join(languages())}"
                self._fail(f"{place[-1]}: the language {language!r} {said}", *place)

    def _game(self) -> Game:
        try:
            return Game.from_record(self._script.record)
        except RecordError as error:
            self._fail(f"record: {narrate(error)}", "record")

    def _stops(self, game: Game, seat: int) -> tuple[Stop, ...]:
        """The learner's last decisions are the steps; what comes before them is how the table was prepared."""
        steps = self._script.steps
        own = [number for number, step in enumerate(game.steps) if step.seat == seat]
        if len(own) < len(steps):
            self._fail(f"there are {len(steps)} steps, but the learner acts only {len(own)} times", "record")
        states = tuple(game.states())
        played = tuple(PlayedStep(number, step, states[number]) for number, step in enumerate(game.steps, 1))
        waits = [*own[-len(steps) :], len(played)]
        first = Stop(waits[0], (), states[waits[0]], steps[0])
        return first, *(
            Stop(now, played[before:now], states[now], coaching)
            for (before, now), coaching in zip(pairwise(waits), (*steps[1:], None), strict=True)
        )

    def _check_step(self, number: int, stop: Stop, recorded: Action) -> None:
        coaching = self._script.steps[number]
        if self._action(coaching.action, number) != recorded:
            problem = f"the lesson goes on with {coaching.action!r}, but the record with {format_action(recorded)!r}"
            self._fail(problem, "steps", number, "action")
        others = [action for action in rules.legal_actions(stop.state) if action != recorded]
        self._check_reasons(number, coaching, others)
        for highlight in coaching.highlights:
            if not _is_there(highlight, stop.state):
                self._fail(f"there is no {highlight!r} to point at", "steps", number, "highlights")

    def _action(self, text: str, number: int) -> Action:
        try:
            return parse_action(text)
        except NotationError as error:
            self._fail(narrate(error), "steps", number, "action")

    def _check_reasons(self, number: int, coaching: Coaching, others: list[Action]) -> None:
        for action in others:
            if coaching.reason(action) is None:
                problem = f"{format_action(action)!r} is legal too; say in not_now or otherwise why it has to wait"
                self._fail(problem, "steps", number)
        said = [coaching.reason(action) for action in others]
        for key, texts in coaching.not_now.items():
            if not any(texts is one for one in said):
                problem = f"not_now: {key!r} is about no legal action that has to wait"
                self._fail(problem, "steps", number, "not_now", key)
        if coaching.otherwise is not None and not any(coaching.otherwise is one for one in said):
            self._fail("otherwise: every legal action has its own reason already", "steps", number, "otherwise")


def _is_there(highlight: str, state: State) -> bool:
    """Whether the director can point at this now: a part of the screen, an area, or a role in an area."""
    table = state.table
    match highlight.split():
        case ["odds"]:
            return ACT in rules.legal_actions(state)
        case [part]:
            return part in _PARTS_OF_THE_SCREEN
        case ["area", area]:
            return area in table.area_numbers
        case ["role", area, "star" | "extra" as kind, number] if area in table.area_numbers:
            place = table.area_numbers[area]
            card = state.card(place)
            roles = table.areas[place].extras if kind == "extra" else card.roles if card else ()
            return number in map(str, range(1, len(roles) + 1))
    return False
