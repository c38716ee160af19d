"""The user's lasting settings, in `config.toml`."""

import re
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from ..engine.refusal import DeadwoodError, shortened
from ..narration import languages

FILE = "config.toml"


_EXPECTED = {
    "name": 'a text in quotes, as in name = "Ada"',
    "language": 'a text in quotes, as in language = "de"',
    "speed": "a number of seconds from 0 to 10, as in speed = 0.8",
    "theme": '"night" or "day"',
    "bots": 'a list of names, as in bots = ["regular", "star"]',
}
_WRONG = re.compile(r"at `\$\.(\w+)")
_UNKNOWN = re.compile(r"unknown field `(.*)`")


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """All settings; each has a default."""

    name: str | None = None  # of the first person in a new game
    language: str | None = None  # otherwise that of the environment
    speed: Annotated[float, Meta(ge=0, le=10)] = 0.4  # seconds that a bot waits before it acts
    theme: Literal["night", "day"] = "night"
    bots: tuple[str, ...] = ()  # whom to play against


def settings_file() -> Path | None:
    """The file of the settings; None in an installation without the terminal."""
    try:
        from platformdirs import user_config_path  # noqa: PLC0415 - the base install does not have it
    except ImportError:
        return None
    return user_config_path("deadwood") / FILE


def load_settings() -> Settings:
    """The user's settings; raises a DeadwoodError that names the file and what is wrong with it."""
    file = settings_file()
    try:
        text = file.read_bytes() if file else b""
    except FileNotFoundError:
        return Settings()
    except PermissionError:
        if file and _can_be_seen(file):
            raise
        return Settings()  # in somebody else's home, as with `sudo -u`
    try:
        settings = msgspec.toml.decode(text, type=Settings)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise DeadwoodError(f"{file}: {_explained(str(error))}") from error
    if settings.language not in (None, *languages()):
        raise DeadwoodError(f"{file}: There are no texts in '{settings.language}'; choose {' or '.join(languages())}.")
    return settings


def _can_be_seen(file: Path) -> bool:
    try:
        file.stat()
    except PermissionError:
        return False
    return True


def _explained(problem: str) -> str:
    """Msgspec's error, in our own words if we have some for it."""
    if wrong := _WRONG.search(problem):
        return f"'{wrong[1]}' must be {_EXPECTED[wrong[1]]}."
    if unknown := _UNKNOWN.search(problem):
        return f"There is no setting '{shortened(unknown[1])}'; there are {', '.join(_EXPECTED)}."
    return f"{problem}."
