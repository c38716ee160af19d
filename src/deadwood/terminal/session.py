"""Session: a game in progress with its bots, saved to a file after every action."""

import os
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Self

from filelock import BaseFileLock
from msgspec.structs import replace

from ..bots import USUAL_SECONDS, Bot, decision, make
from ..engine.actions import Action
from ..engine.board import Board
from ..engine.deck import Deck
from ..engine.events import Events
from ..engine.game import Game
from ..engine.options import RANDOM, Options
from ..engine.seats import Seat
from ..narration import all_titles
from .new_game import NewGame
from .saved_games import lock, new_file


class Session:
    """A game for the app and the plain mode. The file always holds the whole game, so nothing is lost."""

    def __init__(self, game: Game, file: Path, seed: int | None = None, held: BaseFileLock | None = None) -> None:
        """With a seed, bots decide by it alone, so games repeat; without one they take the usual time."""
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
        deck: Deck | None = None,
        board: Board | None = None,
        seed: int | None = None,
        file: Path | None = None,
        kept_names: bool = False,
    ) -> Self:
        """Start a game and save it, among the user's games unless a file is given."""
        drawn = int.from_bytes(os.urandom(32), "big") if seed is None else seed
        game = Game.new(names, options, drawn, board=board, deck=deck, seats=seats, kept_names=kept_names)
        session = cls(game, file or new_file(game.state.table.names), seed)
        try:
            session._save(game)
        except BaseException:
            session.close()
            raise
        return session

    @classmethod
    def begin(cls, chosen: NewGame) -> Self:
        """Start the game that was chosen."""
        return cls.new(
            chosen.names,
            chosen.options,
            seats=chosen.seats,
            deck=chosen.deck,
            board=chosen.board,
            seed=chosen.seed,
            file=chosen.file,
        )

    @classmethod
    def resume(cls, file: Path) -> Self:
        """Continue a saved game. It is locked before it is read, so no other program continues it in between."""
        held = lock(file)
        try:
            return cls(Game.load(file), file, held=held)
        except BaseException:
            held.release()
            raise

    def again(self) -> Self:
        """A new game with the same players; random choices are drawn again."""
        table = self.game.state.table
        options = replace(table.options, **dict.fromkeys(table.drawn, RANDOM))
        seats = [replace(seat, stand_in=None) for seat in self.game.seats]
        return type(self).new(table.names, options, seats=seats, deck=table.deck, board=table.board, kept_names=True)

    def close(self) -> None:
        """Release the game for other programs."""
        self._held.release()

    @property
    def bot_is_up(self) -> bool:
        """Whether the active player is a bot."""
        return not self.game.over and self.game.state.active in self._bots

    def bot_action(self) -> Action:
        """The decision of the active bot; raises BotFailed."""
        seat = self.game.state.active
        return decision(self._bots[seat], str(self.game.seats[seat].bot), self.game.state)

    def play(self, action: Action | str, outcome: str | None = None) -> Events:
        """Like Game.play, but saved before anybody sees the result: memory is never ahead of the file.

        `outcome` may be typed as freely as Game.read_outcome allows.
        """
        trial = self.game.copy()
        events = trial.play(action, None if outcome is None else trial.read_outcome(action, outcome, all_titles()))
        self._save(trial)
        return events

    def correct(self, outcome: str) -> Events:
        """Correct what came up for the last action, saved before anybody sees it (R12.7)."""
        trial = self.game.copy()
        events = trial.correct(trial.read_correction(outcome, all_titles()))
        self._save(trial)
        return events

    def undo(self) -> None:
        """Take back a person's last action and all bots' actions since, if none of them involved chance."""
        trial = self.game.copy()
        while trial.steps and trial.steps[-1].seat in self._bots:
            trial.undo()
        trial.undo()
        self._save(trial)

    def _save(self, game: Game) -> None:
        self.file.parent.mkdir(parents=True, exist_ok=True)
        game.save(self.file)
        self.game = game


def _bot_seed(seed: int | None, number: int) -> int | None:
    return None if seed is None else random.Random(f"{seed} {number}").getrandbits(64)
