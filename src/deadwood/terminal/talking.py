"""Talking at a served table: as a player, or as a spectator with a name."""

import re
import secrets
from typing import Any, get_args

from platformdirs import user_data_path

from ..client import ServedTable, ServerRefused
from ..engine.refusal import DeadwoodError
from ..files import replacing
from ..server.protocol.talk import Reaction
from .wording import phrase

REACTIONS: tuple[Reaction, ...] = get_args(Reaction)
_VOICE = re.compile(r"[0-9a-f]{64}")


def own_voice() -> str:
    """The secret that identifies us as a spectator, always the same. Servers show others a hash of it."""
    file = user_data_path("deadwood", ensure_exists=True) / "voice"
    known = file.read_text("utf-8", "replace").strip() if file.exists() else ""
    if _VOICE.fullmatch(known):
        return known
    made = secrets.token_hex(32)
    with replacing(file, private=True) as draft:
        draft.write_text(made, "utf-8")
    return made


class Speaker:
    """The person who talks at this keyboard."""

    def __init__(self, name: str | None = None) -> None:
        self.name = name  # to talk under while watching

    def needs_name(self, table: ServedTable) -> bool:
        """Whether to ask for a name first."""
        return not table.held and not self.name

    async def say(self, table: ServedTable, text: str) -> None:
        """Say something to everybody."""
        try:
            await table.say(text, **self._who(table))
        except ServerRefused:
            self._forget_name(table)
            raise

    async def react(self, table: ServedTable, reaction: Reaction) -> None:
        """React with a picture."""
        try:
            await table.react(reaction, **self._who(table))
        except ServerRefused:
            self._forget_name(table)
            raise

    def _forget_name(self, table: ServedTable) -> None:
        """Forget the name after a refusal: it may be the reason, so another one must be possible."""
        if not table.held:
            self.name = None

    def _who(self, table: ServedTable) -> dict[str, Any]:
        """Who speaks; with several people at this keyboard, the one whose turn it is."""
        if not table.held:
            return {"name": self.name, "voice": own_voice()}
        active = table.active
        return {"chair": active.id if active is not None and active.id in table.held else table.held[0]}


def find_reaction(typed: str) -> Reaction:
    """The reaction that somebody types, as the protocol names it or as people read it."""
    wanted = typed.casefold()
    for reaction in REACTIONS:
        if wanted in (reaction, reaction_text(reaction).casefold(), phrase(f"talking.word_{reaction}")):
            return reaction
    raise DeadwoodError(phrase("talking.which", choices=tuple(phrase(f"talking.word_{one}") for one in REACTIONS)))


def reaction_text(reaction: Reaction) -> str:
    """What a reaction says."""
    return phrase(f"served.reaction_{reaction}")
