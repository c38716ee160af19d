"""Session: a game that is played here, with its bots, kept in a file after every action."""

import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from filelock import FileLock
from msgspec.structs import replace

from ..bots import USUAL_SECONDS, Bot, decision, make
from ..engine.actions import Action
from ..engine.events import Events
from ..engine.game import Game
from ..engine.options import RANDOM, Options
from ..engine.seats import Seat
from .saved_games import lock, new_file


class Session:
    """What every way to play in a terminal shares. Nothing is lost: a file always holds the whole game."""

    def __init__(self, game: Game, file: Path, seed: int | None = None, held: FileLock | None = None) -> None:
        """With a seed, bots decide by it alone, the same in every game; without, they think as long as usual."""
        self.game = game
        self.file = file
        seconds = USUAL_SECONDS if seed is None else None
        self._bots: dict[int, Bot] = {
            number: make(seat.bot, _bot_seed(seed, number), seconds=seconds)
            for number, seat in enumerate(game.seats)
            if seat.bot is not None
        }
        self._held = held or lock(file)

    @classmethod
    def new(
        cls,
        names: Sequence[str],
        options: Options,
        *,
        seats: Sequence[Seat] | None = None,
        seed: int | None = None,
        file: Path | None = None,
    ) -> Self:
        """Start a game and keep it, in a file of its own among the user's games unless one is named."""
        drawn = int.from_bytes(os.urandom(32), "big") if seed is None else seed
        game = Game.new(names, options, drawn, seats=seats)
        session = cls(game, file or new_file(game.state.table.names), seed)
        try:
            session._keep(game)
        except BaseException:
            session.close()
            raise
        return session

    @classmethod
    def resume(cls, file: Path) -> Self:
        """Go on with a kept game; held before it is read, so that nobody else goes on with it in between."""
        held = lock(file)
        try:
            return cls(Game.load(file), file, held=held)
        except BaseException:
            held.release()
            raise

    def again(self) -> Self:
        """A new game with the same people and bots; what chance chose is drawn anew."""
        table = self.game.state.table
        options = replace(table.options, **dict.fromkeys(table.drawn, RANDOM))
        return type(self).new(table.names, options, seats=self.game.seats)

    def close(self) -> None:
        """Let other programs play the game."""
        self._held.release()

    @property
    def bot_is_up(self) -> bool:
        """Whether the active player is a bot."""
        return not self.game.over and self.game.state.active in self._bots

    def bot_action(self) -> Action:
        """What the bot whose turn it is decides; raises BotFailed where it cannot."""
        seat = self.game.state.active
        return decision(self._bots[seat], str(self.game.seats[seat].bot), self.game.state)

    def play(self, action: Action | str, outcome: str | None = None) -> Events:
        """As Game.play; kept before anybody is told, so that memory is never ahead of the file."""
        trial = self.game.copy()
        events = trial.play(action, outcome)
        self._keep(trial)
        return events

    def undo(self) -> None:
        """Take back a person's last action, and with it what bots did since, if chance had no part in any of it."""
        trial = self.game.copy()
        while trial.steps and trial.steps[-1].seat in self._bots:
            trial.undo()
        trial.undo()
        self._keep(trial)

    def _keep(self, game: Game) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        game.save(self.file)
        self.game = game


def _bot_seed(seed: int | None, number: int) -> int | None:
    return None if seed is None else random.Random(f"{seed} {number}").getrandbits(64)
