"""Talk at one table: who may say what, and under which name. None of it is in the table's log."""

import hashlib
import unicodedata

from ...engine.seats import is_unseen
from ..protocol.commands import ClearTalk, React, Say, Speaking, TalkCommand
from ..protocol.refusals import refuse
from ..protocol.talk import TALK_LENGTH, Heard, TalkLine, TalkMessage
from .audience import Audience
from .caller import Caller
from .deciding import demand_host, own
from .names import check_name
from .services import Services
from .sitting import Sitting

_VOICE_DIGITS = 16


class Talk:
    """Passes on what somebody says at a table."""

    def __init__(self, services: Services, audience: Audience) -> None:
        self._services = services
        self._audience = audience

    def allowed(self, sitting: Sitting) -> bool:
        """Whether the server and the table allow talk."""
        return self._services.settings.talk and sitting.house.talk

    def lines(self, sitting: Sitting) -> tuple[TalkLine, ...] | None:
        """What was said lately; None if talk is not allowed."""
        return self._services.grapevine.lines(sitting.code) if self.allowed(sitting) else None

    def hear(self, message: TalkMessage) -> None:
        """Something was said at this table, here or in another process."""
        self._audience.send(message)

    async def answer(self, sitting: Sitting, caller: Caller, command: TalkCommand) -> Heard:
        """Pass on what somebody says, once, or clear everything. Clearing works even after talk was switched off."""
        self._services.demand_writable()
        if isinstance(command, ClearTalk):
            demand_host(sitting, caller.held)
            return Heard(id=command.id, number=await self._services.grapevine.clear(sitting.code))
        self._demand_talk(sitting)
        line = self._line(sitting, caller, command)
        number, is_new = self._services.grapevine.say(sitting.code, line, command.id)
        self._services.counters.talk_lines += is_new
        return Heard(id=command.id, number=number)

    def _demand_talk(self, sitting: Sitting) -> None:
        if not self._services.settings.talk:
            raise refuse("talk_off_server")
        if not sitting.house.talk:
            raise refuse("talk_off")

    def _line(self, sitting: Sitting, caller: Caller, command: Speaking) -> TalkLine:
        number = round(self._services.now() * 1_000_000)
        text = cleaned(command.text) if isinstance(command, Say) else ""
        reaction = command.reaction if isinstance(command, React) else None
        if caller.held:
            chair = own(sitting, caller.held, min(caller.held) if command.chair is None else command.chair)
            return TalkLine(number=number, name=chair.name, chair=chair.id, text=text, reaction=reaction)
        name, voice = self._spectator(sitting, command)
        return TalkLine(number=number, name=name, voice=voice, text=text, reaction=reaction)

    def _spectator(self, sitting: Sitting, command: Speaking) -> tuple[str, str]:
        """The name and voice of a spectator; the name must not look like that of a player or another spectator."""
        if command.chair is not None:
            raise refuse("token_unknown")
        if command.name is None or command.voice is None:
            raise refuse("talk_needs_name")
        voice = _shown(command.voice, sitting.code)
        others = {line.name for line in self._services.grapevine.lines(sitting.code) if line.voice not in (None, voice)}
        return check_name(command.name, [*(chair.name for chair in sitting.chairs), *sorted(others)]), voice


def cleaned(text: str) -> str:
    """A text as it is passed on, or a refusal: one line, NFC, without invisible characters."""
    line = " ".join(unicodedata.normalize("NFC", text).split())
    seen = "".join(char for at, char in enumerate(line) if not is_unseen(line, at))
    said = unicodedata.normalize("NFC", " ".join(seen.split()))
    if not said:
        raise refuse("talk_empty")
    if len(said) > TALK_LENGTH:
        raise refuse("talk_too_long", length=len(said), most=TALK_LENGTH)
    return said


def _shown(voice: str, code: str) -> str:
    """What others see of a voice: always the same at one table, and different at every other."""
    return hashlib.sha256(f"{code} {voice}".encode()).hexdigest()[:_VOICE_DIGITS]
