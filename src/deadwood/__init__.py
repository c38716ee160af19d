"""Deadwood, the board game of bit actors in a western backlot: rules, records, fair dice.

>>> import deadwood
>>> game = deadwood.Game.new(["Ada", "Bo"], deadwood.Options(first="Ada"), seed=7)
>>> for event in game.play("move main-street"):
...     print(type(event).__name__, "-", deadwood.narrate(event)[:46])
Moved - Ada walks from the Trailers to Main Street.
CardTurned - On Main Street Ada turns card 12: "One-Man Sta
"""

from .engine import events, rules
from .engine.actions import Act, Action, EndTurn, Move, Rehearse, TakeRole, Upgrade
from .engine.board import Board, load_board
from .engine.chance import FairDice, FastDice, OutcomeNeeded, ScriptedDice
from .engine.deck import Deck, load_deck
from .engine.events import Event, Standing
from .engine.game import Game
from .engine.options import Options
from .engine.refusal import (
    CorrectionError,
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
from .engine.verify import verify
from .narration import narrate

__version__ = "0.1.0"

__all__ = [
    "Act",
    "Action",
    "Board",
    "CorrectionError",
    "DataError",
    "DeadwoodError",
    "Deck",
    "EndTurn",
    "Event",
    "FairDice",
    "FastDice",
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
    "ScriptedDice",
    "Seat",
    "SetupError",
    "Snapshot",
    "Standing",
    "State",
    "TakeRole",
    "UndoError",
    "Upgrade",
    "events",
    "load_board",
    "load_deck",
    "narrate",
    "rules",
    "verify",
]
