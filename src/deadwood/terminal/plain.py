"""The plain mode: everybody at one keyboard, actions typed at a prompt, events as sentences."""

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace

from .. import bots
from ..engine import rules
from ..engine.actions import Action
from ..engine.chance import OutcomeNeeded
from ..engine.events import Event
from ..engine.legality import legal_actions
from ..engine.notation import format_action
from ..engine.options import PLAYERS
from ..engine.outcomes import Needed
from ..engine.refusal import DeadwoodError, NotationError, OutcomeError, Refused, shortened
from ..engine.seats import name_refusal
from ..engine.state import State
from .console import Ask, Console, Say, Stopped, stops, yes_and_no
from .game_list import numbered_file, numbered_lines
from .input import find_command, one_of, read_action
from .new_game import NewGame, NewPlayer, new_bot, suggested_name
from .plain_options import ask_options
from .plain_texts import LOGGED, is_count, joined_outcome, outcome_question
from .rule_search import found_rules
from .saved_games import folder, latest_unfinished
from .sentences import error_sentence
from .session import Session
from .summary import bot_lines, new_game_lines
from .views import (
    board_lines,
    ending_lines,
    hint_lines,
    name_painter,
    odds_lines,
    role_lines,
    table_lines,
    turn_lines,
    where_lines,
    who_lines,
)
from .wording import phrase, sentence, words

COMMAND = "deadwood play --plain"
Play = Callable[[str], Iterable[Event]]  # plays an action with an outcome


class PlainTable:
    """One keyboard and one screen for everybody."""

    def __init__(
        self,
        ask: Ask,
        say: Say,
        offered: list[str] | None = None,
        *,
        colour: bool = False,
        sure: bool = False,
        name: str | None = None,
    ) -> None:
        self._console = Console(ask, say, offered, sure=sure)
        self._sure = sure
        self._colour = colour
        self._name = name  # to suggest first

    def menu(self, given: NewGame) -> None:
        """The start menu (R13.1)."""
        self._console.say(phrase("plain.title"))
        while True:
            latest = latest_unfinished()
            names = ("new", *(("continue",) if latest else ()), "load", "games", "rules", "quit")
            choices = {phrase(f"plain.{name}"): name for name in names}
            answer = self._console.ask(phrase("plain.menu", choices=tuple(choices), usual=phrase("plain.new")), choices)
            word, _, rest = answer.partition(" ")
            match self._chosen(word.casefold(), choices):
                case "new":
                    return self.new_game(self._completed(given))
                case "continue" if latest and (session := self._resumed(latest)):
                    return self._play(session)
                case "load" if not rest:
                    self._console.say(phrase("plain.load_what"))
                case "load" if rest.isdecimal() and not (numbered_file(rest) or _path(rest).exists()):
                    self._console.say(phrase("plain.no_such_number", number=shortened(rest)))
                case "load" if session := self._resumed(numbered_file(rest) or _path(rest)):
                    return self._play(session)
                case "games":
                    self._console.show(numbered_lines())
                case "rules":
                    self._console.say(found_rules(rest.split()))
                case "quit":
                    return None
                case None:
                    self._console.say(phrase("plain.not_a_choice", text=shortened(answer)))

    def _chosen(self, word: str, choices: dict[str, str]) -> str | None:
        """The choice that a word means, in the language in use or in English; a new game if the word is empty."""
        if not word or word in choices.values():
            return word or "new"
        with suppress(NotationError):  # ambiguous
            return choices.get(one_of(word, choices) or "")
        return None

    def new_game(self, chosen: NewGame) -> None:
        """Show what was chosen, ask, and play (R13.1)."""
        ready = self._settled(chosen)
        if ready is None:
            return
        session = Session.begin(ready)
        self._console.narrate(session.game.events)
        self._play(session)

    def _settled(self, chosen: NewGame) -> NewGame | None:
        """What people want to play, perhaps with other options; None if they decline. Bots alone are not asked."""
        while True:
            self._console.show(new_game_lines(chosen))
            if self._sure or not chosen.has_people:
                return chosen
            answers = (*yes_and_no(), phrase("plain.options"))
            answer = self._console.ask(phrase("plain.ready", usual=phrase("plain.yes")), answers).casefold()
            if not answer or answer in words("words.yes"):
                return chosen
            if answer in words("words.no"):
                return None
            if answer in words("plain.options"):
                chosen = ask_options(self._console, chosen)
            else:
                self._console.say(phrase("plain.yes_no_or_options"))

    def go_on(self, file: Path) -> None:
        """Continue a saved game."""
        self._play(Session.resume(file))

    def _play(self, session: Session) -> None:
        """Play a game, and play again as often as people want (R13.5)."""
        names, seats = session.game.state.table.names, session.game.seats
        if self._colour:
            self._console.paint = name_painter(names, seats)
        PlainGame(self._console, session).play()
        while any(seat.bot is None for seat in seats) and self._console.yes(phrase("plain.again"), unasked=False):
            session = session.again()
            self._console.narrate(session.game.events)
            PlainGame(self._console, session).play()

    def _resumed(self, file: Path) -> Session | None:
        try:
            return Session.resume(file)
        except (DeadwoodError, OSError) as error:
            self._console.say(error_sentence(error))
            return None

    def _completed(self, given: NewGame) -> NewGame:
        """The new game, with players asked for at the keyboard before those it already has."""
        asked: tuple[NewPlayer, ...] = ()
        self._console.show(bot_lines(bots.names()))
        for number in range(self._ask_count(len(given.players))):
            so_far = replace(given, players=asked + given.players)
            asked = (*asked, self._ask_player(number + 1, so_far.names))
        return replace(given, players=asked + given.players)

    def _ask_count(self, given: int) -> int:
        least, most = PLAYERS[0] - given, PLAYERS[-1] - given
        question = phrase("plain.how_many_more" if given else "plain.how_many", least=least, most=most)
        while True:
            text = self._answer(question)
            if text.isdecimal() and len(text) == 1 and least <= int(text) <= most:
                return int(text)
            self._console.say(phrase("plain.not_a_number", text=shortened(text), least=least, most=most))

    def _answer(self, question: str) -> str:
        """The answer to a question; raises Stopped if somebody wants to stop."""
        answer = self._console.ask(question)
        if stops(answer):
            raise Stopped
        return answer

    def _ask_player(self, number: int, taken: tuple[str, ...]) -> NewPlayer:
        suggestion = suggested_name(taken, self._name)
        offered = {f"bot {bot}": bot for bot in bots.names()}
        question = phrase("plain.name", n=number, bots=tuple(offered), suggestion=suggestion)
        while True:
            name = self._answer(question) or suggestion
            if name.casefold() in offered:
                return new_bot(offered[name.casefold()], taken)
            refused = name_refusal(name, taken)
            if refused is None:
                return NewPlayer(name)
            self._console.say(sentence(refused))


class PlainGame:
    """One game at the prompt."""

    def __init__(self, console: Console, session: Session) -> None:
        self._console = console
        self._session = session
        self._commands: dict[str, Callable[[str], None]] = {
            "who": lambda _: self._show(who_lines),
            "where": lambda _: self._show(where_lines),
            "board": lambda _: self._show(board_lines),
            "roles": lambda _: self._show(role_lines),
            "odds": lambda _: self._show(odds_lines),
            "hint": lambda _: self._show(hint_lines),
            "table": lambda _: self._show(table_lines),
            "rules": lambda rest: console.say(found_rules(rest.split())),
            "help": lambda _: console.say(phrase("help.plain", logged=LOGGED)),
            "log": self._log,
            "undo": self._undo,
            "correct": self._correct,
            "save": self._save_copy,
            "quit": self._quit,
        }

    def play(self) -> None:
        """Play until the game is over or somebody stops."""
        self._console.say(phrase("plain.is_saved", file=self._session.file))
        try:
            while not self._session.game.over or self._last_roll_was_wrong():
                self._turn()
        except (Stopped, KeyboardInterrupt):
            self._console.show(self._ways_on())
            raise Stopped from None
        finally:
            self._session.close()
        self._console.show(ending_lines(self._session.game))

    def _ways_on(self) -> Iterable[str]:
        file = self._session.file.absolute()
        quoted = str(file).replace("'", "'\\''")
        yield phrase("plain.to_continue", command=f"{COMMAND} --load '{quoted}'")
        if file.parent == folder():
            yield phrase("plain.or_latest", command=f"{COMMAND} --continue")

    def _last_roll_was_wrong(self) -> bool:
        """Ask before a game with real dice ends for good; if the roll is corrected, it may go on (R12.7)."""
        if self._session.game.correct_refusal() is not None:
            return False
        with suppress(Stopped):  # the game is over, so there is nothing to continue
            roll = self._session.game.last_outcome().outcome
            if not self._console.yes(phrase("plain.last_roll", roll=roll)):
                self._correct("")
        return not self._session.game.over

    def _turn(self) -> None:
        """Let a bot act, or show what is possible (R13.3) and ask until something has changed."""
        if self._session.bot_is_up:
            self._bot_turn(self._session.bot_action())
            return
        shown = self._session.game.state
        self._console.show(turn_lines(shown))
        while self._session.game.state is shown:
            self._step(shown)

    def _bot_turn(self, action: Action) -> None:
        """Let a bot act; people who just typed what came up can correct it first (R12.7)."""
        game = self._session.game
        if game.correct_refusal() is None and rules.outcome_needed(game.state, action) is None:
            name = game.state.table.names[game.state.active]
            if self._corrected(self._console.ask(phrase("plain.bot_waits", player=name))):
                return
        try:
            self._act(action)
        except OSError as error:
            self._console.say(phrase("plain.not_saved", problem=error_sentence(error)))
            if stops(self._console.ask(phrase("plain.try_again"))):
                raise Stopped from None

    def _corrected(self, answer: str) -> bool:
        """Whether an answer asks to correct the last outcome instead."""
        word, _, rest = answer.partition(" ")
        if word.casefold() not in words("commands.correct"):
            return False
        try:
            self._correct(rest)
        except Refused as error:
            self._console.say(sentence(error))
        return True

    def _step(self, state: State) -> None:
        text = self._console.ask(f"{state.table.names[state.active]}> ", self._offered(state))
        if not text:
            return
        word, *rest = text.split(maxsplit=1)
        try:
            command = find_command(word.casefold(), self._commands)
            if command is not None:
                command(*rest or [""])
            else:
                wanted, equals, outcome = text.partition("=")
                self._act(read_action(wanted, state), outcome.strip() if equals else None)
        except Refused as error:
            self._console.say(sentence(error))
        except OSError as error:
            self._console.say(phrase("plain.not_saved", problem=error_sentence(error)))

    def _offered(self, state: State) -> Iterable[str]:
        """What may be completed: the actions, and the commands in the language in use."""
        return *map(format_action, legal_actions(state)), *(phrase(f"commands.{name}") for name in self._commands)

    def _act(self, action: Action, outcome: str | None = None) -> None:
        try:
            events = self._session.play(action, outcome)
        except OutcomeNeeded as needed:
            self._console.narrate(self._played_at_table(action, outcome or "", needed))
        except OutcomeError as error:
            if outcome is None or not error.refusal.values.get("needed"):
                raise
            self._console.say(sentence(error))
            self._act(action, outcome.partition("/")[0])  # only the bonus dice were wrong: ask for those again
        else:
            self._console.narrate(events)

    def _played_at_table(self, action: Action, outcome: str, needed: OutcomeNeeded) -> Iterable[Event]:
        """Ask what came up with real dice (R12.7), until it is valid or a person gives up the action."""
        by_bot, state = self._session.bot_is_up, self._session.game.state
        if by_bot:
            self._console.say(
                phrase("plain.bot_plays", player=state.table.names[state.active], action=format_action(action))
            )
        otherwise = "" if by_bot else phrase("plain.not_played")
        return self._entered(lambda given: self._session.play(action, given), outcome, needed, otherwise)

    def _entered(self, play: Play, outcome: str, needed: Needed, otherwise: str) -> Iterable[Event]:
        """Ask what came up until it is valid; `otherwise` says what an empty answer means, if it means anything."""
        while True:
            answer = self._console.ask(f"{outcome_question(needed)}: ")
            if self._corrected(answer):
                return ()
            if not answer and otherwise:
                self._console.say(otherwise)
                return ()
            given = joined_outcome(needed, outcome, answer)
            try:
                return play(given)
            except OutcomeNeeded as more:
                outcome, needed = given, more
            except OutcomeError as error:
                self._console.say(sentence(error))

    def _correct(self, rest: str) -> None:
        """Correct what came up for the last action; ask for it unless it was typed already (R12.7)."""
        try:
            events = self._session.correct(rest) if rest else self._ask_correction("", self._entered_last())
        except OutcomeNeeded as more:
            events = self._ask_correction(rest, more)
        self._console.narrate(events)

    def _entered_last(self) -> Needed:
        """Say what was entered for the last action; what is needed to correct it."""
        last = self._session.game.last_outcome()
        self._console.say(phrase("plain.was_entered", action=format_action(last.action), outcome=last.outcome))
        return last.needed

    def _ask_correction(self, outcome: str, needed: Needed) -> Iterable[Event]:
        return self._entered(self._session.correct, outcome, needed, phrase("plain.not_corrected"))

    def _show(self, lines: Callable[[State], Iterable[str]]) -> None:
        self._console.show(lines(self._session.game.state))

    def _log(self, rest: str) -> None:
        count = rest or str(LOGGED)
        if is_count(count):
            self._console.narrate(self._session.game.events[-int(count) :])
        else:
            self._console.say(phrase("plain.log_what"))

    def _undo(self, _rest: str) -> None:
        before = len(self._session.game.steps)
        self._session.undo()
        others = before - len(self._session.game.steps) - 1
        self._console.say(phrase("table.taken_back_with_bots" if others else "table.taken_back"))

    def _save_copy(self, name: str) -> None:
        if not name:
            self._console.say(phrase("plain.save_what"))
            return
        try:
            self._write_copy(_path(name))
        except OSError as error:
            self._console.say(error_sentence(error))

    def _write_copy(self, path: Path) -> None:
        if path.exists():
            self._console.say(phrase("plain.exists", file=path))
        else:
            self._session.game.save(path)
            self._console.say(phrase("plain.saved", file=path))

    def _quit(self, _rest: str) -> None:
        raise Stopped


def _path(text: str) -> Path:
    """A path that somebody typed; the system refuses zero bytes."""
    return Path(os.path.expanduser(text.strip().replace("\0", "\N{REPLACEMENT CHARACTER}")))
