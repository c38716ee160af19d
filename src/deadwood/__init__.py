"""Deadwood, the board game of bit actors in a western backlot: rules, records, fair dice.

>>> import deadwood
>>> game = deadwood.Game.new(["Ada", "Bo"], deadwood.Options(first="Ada"), seed=7)
>>> for event in game.play("move main-street"):
...     print(type(event).__name__, "-", deadwood.narrate(event)[:46])
Moved - Ada walks from the Trailers to Main Street.
CardTurned - At Main Street Ada turns scene 88, "One-Man St
"""

from .engine.actions import Act, Action, EndTurn, Move, Rehearse, TakeRole, Upgrade
from .engine.board import Board, load_board
from .engine.chance import OutcomeNeeded
from .engine.deck import Deck, load_deck
from .engine.events import Event, Standing
from .engine.game import Game
from .engine.options import Options
from .engine.refusal import (
    DataError,
    DeadwoodError,
    IllegalAction,
    NotationError,
    OutcomeError,
    RecordError,
    Refusal,
    Refused,
    SetupError,
    UndoError,
)
from .engine.seats import Seat
from .engine.state import Player, Snapshot, State
from .telling import narrate

__all__ = [
    "Act",
    "Action",
    "Board",
    "DataError",
    "DeadwoodError",
    "Deck",
    "EndTurn",
    "Event",
    "Game",
    "IllegalAction",
    "Move",
    "NotationError",
    "Options",
    "OutcomeError",
    "OutcomeNeeded",
    "Player",
    "RecordError",
    "Refusal",
    "Refused",
    "Rehearse",
    "Seat",
    "SetupError",
    "Snapshot",
    "Standing",
    "State",
    "TakeRole",
    "UndoError",
    "Upgrade",
    "load_board",
    "load_deck",
    "narrate",
]
