"""The plain line mode: all seats at one keyboard, notation typed at a prompt, events told in sentences."""

from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path

from platformdirs import user_data_path

from ..engine.actions import Action
from ..engine.board import kebab
from ..engine.chance import OutcomeNeeded
from ..engine.events import Event
from ..engine.game import Game
from ..engine.notation import parse_action
from ..engine.options import PLAYERS, Options
from ..engine.refusal import OutcomeError, Refused
from ..engine.seats import name_refusal
from ..telling import narrate, rules_text
from .views import standing_lines, table_lines, turn_lines

SUGGESTED_NAMES = ("Ada", "Bo", "Cy", "Dot", "Eli", "Flo", "Gus", "Hattie")
HELP = """Type an action as it is listed, or one of these:
  table       every player and every set
  undo        take back the last action, if no die or card came with it
  rules       the rules of the game
  save FILE   keep a copy of the game
  quit        stop here; the game is kept, and you are told how to go on
  help        this list"""

Ask = Callable[[str], str]  # shows a prompt and returns a line; raises EOFError when there are no more
Say = Callable[[str], None]


class Stopped(Exception):
    """Somebody wants to stop, or there is nobody to ask."""


class PlainTable:
    """One keyboard and one screen for everybody."""

    def __init__(self, ask: Ask, say: Say) -> None:
        self._ask_line = ask
        self._say = say

    def menu(self, options: Options, names: Iterable[str], seed: int | None, file: Path | None) -> None:
        """The start menu (R13.1)."""
        self._say("DEADWOOD - bad westerns, worse acting")
        while True:
            choice = self._ask("new, load FILE, rules or quit? [new] ").strip()
            match choice.casefold().split(maxsplit=1):
                case [] | ["new"]:
                    return self.new_game(options, names, seed, file)
                case ["load", _]:
                    try:
                        return self.go_on(Path(choice.split(maxsplit=1)[1]).expanduser())
                    except (Refused, OSError) as error:
                        self._say(_problem(error))
                case ["rules"]:
                    self._say(rules_text())
                case ["quit"]:
                    return None
                case _:
                    self._say(f"'{choice}' is none of the choices.")

    def new_game(self, options: Options, names: Iterable[str], seed: int | None, file: Path | None) -> None:
        """Set up a game, play it, and play again as often as people like (R13.1, R13.5)."""
        players = tuple(names) or self._ask_names()
        while True:
            game = Game.new(players, options, seed)
            self._tell(game.events)
            if not self._yes("Ready to begin?"):
                return
            self._play(game, file or _new_file(players))
            if not self._yes("Play again?"):
                return
            seed = None

    def go_on(self, file: Path) -> None:
        """Play a saved game from where it was left."""
        self._play(Game.load(file), file)

    def _play(self, game: Game, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        game.save(file)
        self._say(f"The game is kept in {file}. Type 'help' for help.")
        try:
            while not game.over:
                self._turn(game, file)
        except Stopped:
            self._say(f"The game is kept. To go on: deadwood play --plain --load '{file}'")
            raise
        for line in standing_lines(game.standings()):
            self._say(line)

    def _turn(self, game: Game, file: Path) -> None:
        """Show what is possible now (R13.3), and ask until something has changed."""
        for line in turn_lines(game.state):
            self._say(line)
        shown = game.state
        while game.state is shown:
            self._step(game, file)

    def _step(self, game: Game, file: Path) -> None:
        text = self._ask(f"{game.state.table.names[game.state.active]}> ").strip()
        command, _, rest = text.partition(" ")
        match command.casefold():
            case "":
                pass
            case "help":
                self._say(HELP)
            case "table":
                self._say("\n".join(table_lines(game.state)))
            case "rules":
                self._say(rules_text())
            case "save":
                self._save_copy(game, rest.strip())
            case "quit":
                raise Stopped
            case _:
                self._act(game, file, text)

    def _act(self, game: Game, file: Path, text: str) -> None:
        try:
            if text.casefold() == "undo":
                game.undo()
                self._say("Taken back.")
            else:
                self._tell(self._played(game, text))
            game.save(file)
        except Refused as error:
            self._say(narrate(error))

    def _played(self, game: Game, text: str) -> Iterable[Event]:
        """Play an action; at a table with real dice, ask for what came up (R12.7)."""
        try:
            return game.play(text)
        except OutcomeNeeded as needed:
            return self._played_at_table(game, parse_action(text), needed)

    def _played_at_table(self, game: Game, action: Action, needed: OutcomeNeeded) -> Iterable[Event]:
        first = ""
        while True:
            try:
                if needed.kind == "card":
                    return game.play(action, f"card {self._ask('Number of the card that was turned: ').strip()}")
                if needed.count == 1:
                    first = self._ask("The die: ").strip()
                    return game.play(action, first)
                return game.play(action, f"{first} / {self._ask(f'The {needed.count} bonus dice: ').strip()}")
            except OutcomeNeeded as more:
                needed = more
            except OutcomeError as error:
                self._say(narrate(error))

    def _save_copy(self, game: Game, name: str) -> None:
        if not name:
            self._say("Where to? Write 'save' and the name of a file.")
            return
        try:
            game.save(Path(name).expanduser())
            self._say(f"Saved in {name}.")
        except OSError as error:
            self._say(_problem(error))

    def _ask_names(self) -> tuple[str, ...]:
        names: list[str] = []
        for number in range(self._ask_count()):
            names.append(self._ask_name(number, names))
        return tuple(names)

    def _ask_count(self) -> int:
        while True:
            text = self._ask(f"How many players, {PLAYERS[0]} to {PLAYERS[-1]}? ").strip()
            if text.isdecimal() and int(text) in PLAYERS:
                return int(text)
            self._say(f"'{text}' is not a number from {PLAYERS[0]} to {PLAYERS[-1]}.")

    def _ask_name(self, number: int, taken: list[str]) -> str:
        suggestion = next(name for name in SUGGESTED_NAMES if name_refusal(name, taken) is None)
        while True:
            name = self._ask(f"Name of player {number + 1}? [{suggestion}] ").strip() or suggestion
            problem = name_refusal(name, taken)
            if problem is None:
                return name
            self._say(narrate(problem))

    def _yes(self, question: str) -> bool:
        while True:
            answer = self._ask(f"{question} [yes] ").strip().casefold()
            if answer in {"", "y", "yes"}:
                return True
            if answer in {"n", "no", "q", "quit"}:
                return False
            self._say("Please answer yes or no.")

    def _ask(self, prompt: str) -> str:
        try:
            return self._ask_line(prompt)
        except EOFError:
            raise Stopped from None

    def _tell(self, events: Iterable[Event]) -> None:
        for event in events:
            self._say(narrate(event))


def _problem(error: Refused | OSError) -> str:
    return narrate(error) if isinstance(error, Refused) else f"{error.filename}: {error.strerror}."


def _new_file(names: tuple[str, ...]) -> Path:
    """A name for a new game's file among the user's own."""
    moment = datetime.now().strftime("%Y-%m-%d-%H%M%S")
    return user_data_path("deadwood") / "games" / f"{moment}-{kebab('-'.join(names))[:60]}.deadwood"
