"""The plain mode at a served table: what others do is shown as it happens, and we may type at any time."""

import asyncio
from collections.abc import Callable, Coroutine, Iterable
from typing import Any, TypeVar

from ..client import Listener, ServedTable, ServerRefused
from ..client.connection import Status
from ..engine.legality import legal_actions
from ..engine.notation import format_action
from ..engine.refusal import DeadwoodError
from ..engine.state import State
from ..server.protocol.messages import Problem, Update
from ..server.protocol.talk import TalkLine
from .absence import absence_lines, why_not_now
from .console import Stopped, stops
from .input import find_command, read_action
from .live_console import LiveConsole
from .new_game import suggested_name
from .plain_absence import PlainAbsence
from .plain_desk import Desk, Handler
from .plain_hosting import PlainHosting
from .plain_talk import PlainTalk
from .plain_texts import LOGGED, is_count, joined_outcome, outcome_question
from .rule_search import found_rules
from .sentences import error_sentence
from .served_views import (
    chair_lines,
    invitation_lines,
    seats_of,
    served_ending_lines,
    served_hint_lines,
    talk_line,
)
from .settings import load_settings
from .views import board_lines, name_painter, odds_lines, role_lines, table_lines, turn_lines, where_lines, who_lines
from .visit import CLOSED, Visit, visiting
from .wording import phrase

T = TypeVar("T")
MOST_LOGGED = 2_000  # sentences to look back at


class PlainServedTable(Listener):
    """One or more people at this keyboard; others are elsewhere."""

    def __init__(self, console: LiveConsole, visit: Visit, *, colour: bool = False) -> None:
        self._console = console
        self._visit = visit
        self._colour = colour
        self._log: list[str] = []
        self._news = asyncio.Event()
        self._lost = False
        self._announced: object = None  # the last situation
        self._table: ServedTable
        self._desk = Desk(console, visit, self._sent, self._next_line)
        self._absence = PlainAbsence(self._desk)
        self._commands: dict[str, Handler] = {
            "who": self._who,
            "where": self._shows(where_lines),
            "board": self._shows(board_lines),
            "roles": self._shows(role_lines),
            "odds": self._shows(odds_lines),
            "table": self._shows(table_lines),
            "hint": self._hint,
            "log": self._look_back,
            "rules": self._rules,
            "help": self._help,
            "ready": lambda _: self._be_ready(True),
            "not": self._not_after_all,
            "sit": self._sit,
            "undo": self._undo,
            "enter": self._enter,
            "correct": self._correct,
            "again": self._again,
            "leave": self._leave,
            "quit": self._quit,
            **self._absence.commands,
            **PlainHosting(self._desk).commands,
            **PlainTalk(self._desk).commands,
        }

    async def run(self) -> None:
        """Run until somebody stops, or the connection ends for good."""
        try:
            async with visiting(self._visit, self) as self._table:
                self._desk.table = self._table
                self._introduce()
                await self._sit_down()
                while self._table.status != "ended":
                    await self._do(await self._next_line())
                self._console.say(self._table.problem or phrase("served.ended"))
        except (Stopped, asyncio.CancelledError):
            self._console.say(phrase("served.way_back", command=f"{self._visit.way_back} --plain"))
            raise
        finally:
            self._console.close()

    # --- what we hear

    def status_changed(self, status: Status) -> None:
        if status == "lost" and not self._lost:
            self._lost = True
            self._console.say(phrase("served.lost"))
        self._news.set()

    def caught_up(self, missed: tuple[Update, ...], first: bool) -> None:
        if self._lost:
            self._lost = False
            self._console.say(phrase("served.back"))
        self._log = [] if first else self._log
        for update in missed:
            self._note(update, aloud=not first)
        self._news.set()

    def updated(self, update: Update) -> None:
        self._note(update)
        self._news.set()

    def _note(self, update: Update, aloud: bool = True) -> None:
        self._log = [*self._log, *update.sentences][-MOST_LOGGED:]
        if aloud:
            self._console.show(update.sentences)

    def said(self, line: TalkLine) -> None:
        self._console.say(talk_line(line))
        self._news.set()  # so that the prompt is shown again

    def changed(self) -> None:
        self._news.set()

    def refused(self, problem: Problem) -> None:
        self._console.say(problem.sentence)
        self._news.set()

    # --- what we show unasked

    def _introduce(self) -> None:
        view = self._table.view
        self._console.say(phrase("served.intro", code=view.code))
        self._console.show(invitation_lines(self._table, self._visit.link))
        if view.status == "waiting":
            self._console.show(chair_lines(self._table))
        else:
            self._console.show(self._log[-LOGGED:])

    async def _announce(self) -> None:
        """Say once what is expected of us now."""
        view, table = self._table.view, self._table
        self._absence.tell()
        if self._colour:
            self._console.paint = name_painter([chair.name for chair in view.chairs], seats_of(view))
        situation = (view.game, view.status, view.seq if table.my_turn else None, view.pending)
        if situation == self._announced or table.status == "ended":
            return
        self._announced = situation
        if view.status == "finished":
            self._console.show(served_ending_lines(view))
            self._console.say(phrase("served.after"))
        elif view.pending is not None and table.held:
            self._ask_for_pending(view.pending.chair, view.pending.action)
        elif table.my_turn and (state := await table.state()):
            self._console.show(turn_lines(state))

    def _ask_for_pending(self, chair: int, action: str) -> None:
        player = self._table.chair(chair)
        self._console.say(phrase("served.pending", player=player.name if player else "", action=action))

    def _prompt(self) -> str:
        """The name of the person who must decide; empty while we wait for others."""
        active = self._table.active
        return f"{active.name}> " if active is not None and self._table.my_turn else ""

    # --- what we type

    async def _next_line(self, question: str = "", offered: Iterable[str] = ()) -> str:
        """The next line; what others do meanwhile is shown, and then the prompt again."""
        while True:
            self._news.clear()
            if not question:
                await self._announce()
            self._console.offer(offered if question else await self._offered())
            self._console.prompt(question or self._prompt())
            line = await self._console.typed(self._news)
            if line is not None:
                return line
            if self._table.status == "ended":
                return ""

    async def _offered(self) -> Iterable[str]:
        """What may be completed: our actions, and the commands in the language in use."""
        state = await self._table.state() if self._table.my_turn else None
        actions = () if state is None or state.over else legal_actions(state)
        return *map(format_action, actions), *(phrase(f"commands.{name}") for name in self._commands)

    async def _do(self, text: str) -> None:
        if not text:
            return
        word, _, rest = text.partition(" ")
        try:
            command = find_command(word.casefold(), self._commands)
            await (command(rest.strip()) if command else self._act(text))
        except ServerRefused as error:
            self._console.say(str(error))
        except (DeadwoodError, OSError) as error:
            self._console.say(error_sentence(error))

    async def _sent(self, doing: Coroutine[Any, Any, T]) -> T:
        """The result of a command. It waits for a connection, but the person who typed it may stop waiting."""
        task = asyncio.create_task(doing)
        task.add_done_callback(lambda _: self._news.set())
        try:
            while not task.done():
                self._news.clear()
                if self._table.status == "open":
                    await self._news.wait()
                elif (line := await self._console.typed(self._news)) is not None:
                    self._interrupt(line)
            return await task
        finally:
            task.cancel()

    def _interrupt(self, line: str) -> None:
        if stops(line):
            raise Stopped
        self._console.say(phrase("served.waits"))

    # --- before the game

    async def _sit_down(self) -> None:
        """Take a seat if we have none yet, and the game has not started."""
        table = self._table
        if self._visit.address.seat is not None:
            await self._absence.take_over(self._visit.address.seat)
        if table.held:
            self._console.say(phrase("served.you_are", players=[chair.name for chair in table.own_chairs]))
        elif table.view.status != "waiting":
            self._console.say(phrase("served.watch_late"))
        else:
            await self._sit_as(self._visit.name)

    async def _sit_as(self, name: str | None) -> None:
        """Ask for a name until the server takes it; an empty answer takes the suggestion."""
        while not self._table.held:
            name = name or await self._ask_name()
            try:
                await self._sent(self._table.sit(name, invitation=self._visit.address.invitation))
            except ServerRefused as error:
                self._console.say(str(error))
                if error.problem.code in CLOSED:
                    self._console.say(phrase("served.watch"))
                    return
            name = None
        self._console.say(phrase("served.say_ready"))

    async def _ask_name(self) -> str:
        suggestion = suggested_name([chair.name for chair in self._table.view.chairs], load_settings().name)
        name = await self._next_line(phrase("served.name", suggestion=suggestion)) or suggestion
        if stops(name):
            raise Stopped
        return name

    async def _sit(self, name: str) -> None:
        await self._sent(self._table.sit(name, invitation=self._visit.address.invitation))

    async def _be_ready(self, ready: bool) -> None:
        self._desk.demand_seat()
        for chair in self._table.own_chairs:
            if chair.ready != ready:
                await self._sent(self._table.ready(chair.id, ready))

    async def _not_after_all(self, _rest: str) -> None:
        """Take back being ready or, after a game, wanting another one."""
        await (self._agree(False) if self._table.view.status == "finished" else self._be_ready(False))

    # --- in the game

    async def _act(self, text: str) -> None:
        state = await self._state()
        if state is None:
            return
        if not self._table.my_turn:
            self._console.say(why_not_now(self._table))
            return
        wanted, equals, outcome = text.partition("=")
        action = read_action(wanted, state)
        await self._entered(lambda given: self._table.play(action, given), outcome.strip() if equals else None)

    async def _entered(self, send: Callable[[str | None], Coroutine[Any, Any, None]], outcome: str | None) -> None:
        """Send an action; with real dice, ask what came up until it is valid or somebody gives up (R12.7)."""
        while True:
            try:
                await self._sent(send(outcome))
                return
            except ServerRefused as error:
                needs = error.problem.needs
                if needs is None:
                    raise
            answer = await self._next_line(f"{outcome_question(needs)}: ")
            if not answer:
                self._console.say(phrase("served.not_played"))
                return
            outcome = joined_outcome(needs, outcome or "", answer)

    async def _enter(self, outcome: str) -> None:
        """Enter what came up for a bot."""
        pending = self._table.view.pending
        if pending is None:
            self._console.say(phrase("served.no_pending"))
            return
        await self._entered(lambda given: self._table.play(pending.action, given), outcome or None)

    async def _correct(self, outcome: str) -> None:
        if outcome:
            await self._sent(self._table.correct(outcome))
        else:
            self._console.say(phrase("served.correct_what"))

    async def _undo(self, _rest: str) -> None:
        await self._sent(self._table.undo())

    async def _hint(self, _rest: str) -> None:
        hints = await self._sent(self._table.hint())
        self._console.show(served_hint_lines(hints, await self._table.state()))

    async def _again(self, _rest: str) -> None:
        await self._agree(True)

    async def _agree(self, agrees: bool) -> None:
        self._desk.demand_seat()
        for chair in self._table.own_chairs:
            await self._sent(self._table.agree(chair.id, agrees))

    async def _leave(self, _rest: str) -> None:
        self._desk.demand_seat()
        if self._table.view.status == "running" and not await self._desk.confirms(phrase("served.leave_question")):
            self._console.say(phrase("served.stay"))
            return
        for chair in self._table.held:
            await self._sent(self._table.leave(chair))

    # --- questions

    def _shows(self, lines: Callable[[State], Iterable[str]]) -> Handler:
        async def show(_rest: str) -> None:
            state = await self._state()
            if state is not None:
                self._console.show(lines(state))

        return show

    async def _state(self) -> State | None:
        """The running game; if there is none, say so and return None."""
        state = await self._table.state()
        if state is None or state.over:
            self._console.say(phrase("served.no_game"))
            return None
        return state

    async def _who(self, _rest: str) -> None:
        state = await self._table.state()
        self._console.show(chair_lines(self._table) if state is None else who_lines(state))
        self._console.show(absence_lines(self._table))

    async def _look_back(self, rest: str) -> None:
        count = rest or str(LOGGED)
        if is_count(count):
            self._console.show(self._log[-int(count) :])
        else:
            self._console.say(phrase("plain.log_what"))

    async def _rules(self, rest: str) -> None:
        self._console.say(found_rules(rest.split()))

    async def _help(self, _rest: str) -> None:
        if self._table.view.status == "waiting":
            self._console.say(phrase("served.help_lobby"))
            self._console.say(phrase("hosting.help"))
        self._console.say(phrase("served.help_game", logged=LOGGED))
        self._console.say(phrase("absence.help"))

    async def _quit(self, _rest: str) -> None:
        raise Stopped
