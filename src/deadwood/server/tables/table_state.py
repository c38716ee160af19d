"""TableState: what the log of a sitting amounts to, and what follows from it. No clock, no database."""

import hashlib
import hmac
from collections.abc import Iterable

from msgspec import Struct

from ...engine.board import Board, built_in_board
from ...engine.chance import commitment
from ...engine.deck import Deck
from ...engine.game import Game
from ...engine.seats import Seat
from ...engine.table import choose_deck
from ..protocol.views import Status
from .attendance import Attendance, Clock
from .log import Chair, Entry, Opened


class BotTurn(Struct, frozen=True):
    """The active chair and the bot that decides for it: its own, or a stand-in."""

    chair: Chair
    bot: str
    stands_in: bool


class TableState:
    """The current game of a table. `Sitting` changes it, one entry at a time."""

    def __init__(self, entry: Entry) -> None:
        opened = entry.body
        assert isinstance(opened, Opened)
        self.code = entry.code
        self.first_seq = self.seq = entry.seq
        self.at = entry.at  # when the last entry was made
        self.opened = opened
        self.options = opened.options
        self.house = opened.house
        self.own_deck = opened.deck
        self.own_board = opened.board
        self.chairs = opened.chairs
        self.host = opened.host
        self.next_chair = opened.next_chair
        self.game: Game | None = None
        self.attendance = Attendance()
        self.turn_seq = entry.seq  # the entry with which the present turn began
        self.position_seq = entry.seq  # the last entry that changed the position, or who decides in it
        self.typist = 0  # the chair that entered what came up last, at a table with real dice
        self.left_tokens = dict(opened.left)
        self.beside: dict[int, int] = {}  # by chair: entries other than actions since the game started
        self.swaps = 0  # how often decks and boards have changed since the opening
        self.agreed: dict[int, str] = {}  # the salts of those who want another game, by chair

    @property
    def status(self) -> Status:
        """Whether the game waits for people, runs, or is over."""
        if self.game is None:
            return "waiting"
        return "finished" if self.game.over else "running"

    @property
    def commitment(self) -> str:
        """SHA-256 of the seed, public from the start."""
        return commitment(bytes.fromhex(self.opened.seed))

    @property
    def salts(self) -> tuple[str, ...]:
        """The people's salts in seat order."""
        return tuple(chair.salt for chair in self.chairs if chair.salt)

    @property
    def deck(self) -> Deck:
        """The deck of this game."""
        if self.game is not None:
            return self.game.state.table.deck
        return self.own_deck or choose_deck(self.options, None)

    @property
    def board(self) -> Board:
        """The board of this game."""
        return self.own_board or built_in_board()

    # --- who plays

    @property
    def active(self) -> Chair | None:
        """Whose turn it is."""
        game = self.game
        return None if game is None or game.over else self.chairs[game.state.active]

    @property
    def bot_turn(self) -> BotTurn | None:
        """The bot with which the server decides for the active chair; None if its holder does."""
        active = self.active
        if active is None:
            return None
        own = active.own_bot
        bot = own or self._stand_in(active)
        return BotTurn(active, bot, stands_in=own is None) if bot else None

    def _stand_in(self, active: Chair) -> str | None:
        return active.stand_in or self.attendance.away.get(active.id) or self.attendance.overtime

    @property
    def holders(self) -> tuple[Chair, ...]:
        """The chairs that somebody holds: those of people who have not left, and of remote bots."""
        return tuple([chair for chair in self.chairs if chair.token])

    @property
    def people(self) -> tuple[Chair, ...]:
        """The chairs of people who have not left."""
        return tuple([chair for chair in self.chairs if chair.token and not chair.remote])

    @property
    def deserted(self) -> bool:
        """Whether everybody has left a running game for good."""
        for chair in self.chairs:  # a loop, because every action asks
            if chair.token:
                return False
        return self.status == "running" and any(chair.stand_in for chair in self.chairs)

    @property
    def due(self) -> Clock | None:
        """When a server must wake the table, because something has to happen even if nobody is there."""
        if self.status != "running" or self.attendance.paused or not (self.holders or self.deserted):
            return None
        real_dice = self.options.dice == "table"  # nobody is there to roll them
        if self.deserted or (self.house.clock is not None and self.bot_turn is not None and not real_dice):
            return Clock(self.at, 0.0)
        return None if real_dice else self.attendance.clock

    @property
    def last_actor(self) -> Chair | None:
        """Who made the last action of the game."""
        step = self.game.last_step if self.game else None
        return None if step is None else self.chairs[step.seat]

    @property
    def bot_acted(self) -> bool:
        """Whether a bot made the last action, for itself or for a person."""
        step = self.game.last_step if self.game else None
        return step is not None and (step.by or self.chairs[step.seat].bot) is not None

    @property
    def correctors(self) -> tuple[Chair, ...]:
        """Who may correct what came up last: the player who acted, the person who entered it, and the host."""
        if self.game is None or self.last_actor is None or self.game.correct_refusal() is not None:
            return ()
        ids = dict.fromkeys((self.last_actor.id, self.typist, self.host))
        return tuple(chair for chair in map(self.chair, ids) if chair and chair.token)

    # --- chairs

    def chair(self, id: int | None) -> Chair | None:
        """The chair with this id."""
        return next((chair for chair in self.chairs if chair.id == id), None)

    def chair_of(self, token: str) -> Chair | None:
        """The chair a token holds; every chair is compared, in constant time."""
        digest = hash_secret(token)
        found = [chair for chair in self.chairs if chair.token and hmac.compare_digest(chair.token, digest)]
        return found[0] if found else None

    def left_chair(self, token: str) -> int | None:
        """The chair a token held until it was given up."""
        return self.left_tokens.get(hash_secret(token))

    def held_with(self, tokens: Iterable[str]) -> frozenset[int]:
        """The chairs that somebody with these tokens holds."""
        return frozenset(chair.id for chair in map(self.chair_of, tokens) if chair)

    def left_with(self, tokens: Iterable[str]) -> frozenset[int]:
        """The chairs that somebody with these tokens held until they were given up."""
        return frozenset(chair for chair in map(self.left_chair, tokens) if chair is not None)

    def name(self, id: int) -> str:
        """The name of a chair, or "" if there is no such chair."""
        chair = self.chair(id)
        return chair.name if chair else ""

    def new_game(self) -> Game:
        """The game that would start now, or a SetupError that says why it cannot."""
        return Game.new(
            [chair.name for chair in self.chairs],
            self.options,
            bytes.fromhex(self.opened.seed),
            board=self.own_board,
            deck=self.own_deck,
            seats=[Seat(chair.colour, chair.bot) for chair in self.chairs],
            salts=[bytes.fromhex(salt) for salt in self.salts],
            kept_names=True,  # they were checked when people sat down
        )


def hash_secret(secret: str) -> str:
    """The hash that is stored in place of a token or another secret."""
    return hashlib.sha256(secret.encode()).hexdigest()
