"""What a command does to a table: the entry it makes, or a refusal. Pure: nothing has happened yet."""

from typing import assert_never

from ...engine.actions import Action
from ...engine.game import Game
from ...engine.notation import format_action, format_outcome
from ...engine.refusal import Refusal, UndoError
from ...narration import all_titles
from ..protocol.commands import (
    AbsenceCommand,
    ChangeCommand,
    Correct,
    FileCommand,
    GameCommand,
    Play,
    Undo,
)
from ..protocol.refusals import refuse
from ..protocol.views import PendingOutcome
from .absence import decide_absence
from .deciding import Decision, Held, Moment, RandomBytes, demand_next, running
from .lobby import decide_lobby
from .log import Chair, Corrected, Played, Undone
from .log_space import demand_space
from .sitting import Sitting


def decide(
    sitting: Sitting,
    held: Held,
    command: ChangeCommand | FileCommand,
    random_bytes: RandomBytes,
    moment: Moment,
) -> Decision:
    """The entry that a command makes now; the caller holds these chairs."""
    if isinstance(command, GameCommand):
        decision = _decide_in_game(sitting, held, command, moment.pending)
    elif isinstance(command, AbsenceCommand):
        decision = decide_absence(sitting, held, command, moment)
    else:
        decision = decide_lobby(sitting, held, command, random_bytes, moment)
    demand_space(sitting, decision)
    return decision


def _decide_in_game(sitting: Sitting, held: Held, command: GameCommand, pending: PendingOutcome | None) -> Decision:
    if not isinstance(command, Correct):
        demand_next(sitting, command.seq)
        running(sitting)
    if sitting.attendance.paused:
        raise refuse("table_paused")
    match command:
        case Play():
            return _play(sitting, held, command, pending)
        case Undo():
            return _undo(sitting, held)
        case Correct():
            return _correct(sitting, held, command)
        case _:
            assert_never(command)


def play_action(
    sitting: Sitting, by: int, action: Action | str, outcome: str | None = None, bot: str | None = None
) -> Decision:
    """The entry that an action of the active player makes; `bot` decided it for a person."""
    game = running(sitting).copy()
    if outcome is not None:
        outcome = game.read_outcome(action, outcome, all_titles())
    events = game.play(action, outcome, by=bot)
    step = game.last_step
    assert step is not None
    return Decision(by, Played(format_action(step.action), format_outcome(events), bot), game)


def _play(sitting: Sitting, held: Held, command: Play, pending: PendingOutcome | None) -> Decision:
    """People may not act for a bot, but at a table with real dice they enter what came up for it."""
    active, turn = sitting.active, sitting.bot_turn
    assert active is not None
    if turn is None and active.id in held:
        return play_action(sitting, active.id, command.action, command.outcome)
    _demand_outcome(active, held, command, pending)
    bot = turn.bot if turn and turn.stands_in else None
    return play_action(sitting, min(held), command.action, command.outcome, bot)


def _demand_outcome(active: Chair, held: Held, command: Play, pending: PendingOutcome | None) -> None:
    if not held or pending is None or pending.chair != active.id:
        raise refuse("time_is_up" if active.id in held else "not_your_turn", player=active.name)
    if command.action.partition("=")[0].strip() != pending.action:
        raise refuse("outcome_of_other", action=pending.action)


def _undo(sitting: Sitting, held: Held) -> Decision:
    game, actor = running(sitting).copy(), sitting.last_actor
    if actor is not None and actor.id not in held:
        raise refuse("undo_not_yours", player=actor.name)
    problem = undo_refusal(game)
    if problem is not None:
        raise UndoError(problem)
    game.undo()
    assert actor is not None  # otherwise there was nothing to undo
    return Decision(actor.id, Undone(), game)


def undo_refusal(game: Game) -> Refusal | None:
    """Why nobody may take back the last action. Actions of stand-ins stay, like those of bots."""
    step = game.last_step
    if step is not None and step.by is not None:
        return Refusal("", "undo_of_stand_in", {"bot": step.by})
    return game.undo_refusal()


def _correct(sitting: Sitting, held: Held, command: Correct) -> Decision:
    """Even a finished game may be corrected, and then go on: its last die may have been mistyped."""
    demand_next(sitting, command.seq)
    if sitting.game is None:
        raise refuse("table_not_running")
    game = sitting.game.copy()
    game.last_outcome()
    by = _corrector(sitting, held)
    events = game.correct(game.read_correction(command.outcome, all_titles()))
    return Decision(by, Corrected(format_outcome(events)), game)


def _corrector(sitting: Sitting, held: Held) -> int:
    correctors = sitting.correctors
    by = next((chair.id for chair in correctors if chair.id in held), None)
    if by is None:
        raise refuse("correct_not_yours", players=[chair.name for chair in correctors])
    return by
