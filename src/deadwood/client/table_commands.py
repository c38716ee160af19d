"""What people do at a table, one method per command; the server decides who may."""

from collections.abc import Iterable

from ..server.protocol import commands
from ..server.protocol.commands import Agreement, AnyCommand, HouseValue, OptionValue
from ..server.protocol.messages import Answer, Handover, Hints
from ..server.protocol.talk import Reaction


class TableCommands:
    """The commands that need only a connection. Each method raises ServerRefused if the server refuses."""

    async def send(self, command: AnyCommand) -> Answer:
        """Send a command until it is answered, and wait until we see its effect."""
        raise NotImplementedError

    def new_id(self) -> str:
        """An id for a command."""
        raise NotImplementedError

    def new_secret(self) -> str:
        """256 random bits: a token, a salt for the dice, or the secret of a link."""
        raise NotImplementedError

    # --- before the game

    async def ready(self, chair: int, ready: bool = True) -> None:
        """Say that a chair is ready, with a salt for the dice; or that it is not ready after all."""
        await self.send(commands.Ready(id=self.new_id(), chair=chair, salt=self.new_secret() if ready else None))

    async def start(self) -> None:
        """Start the game; for the host."""
        await self.send(commands.Start(id=self.new_id()))

    async def add_bot(self, bot: str, name: str | None = None) -> None:
        """Add a bot; for the host."""
        await self.send(commands.AddBot(id=self.new_id(), bot=bot, name=name))

    async def remove(self, chair: int) -> None:
        """Remove a bot or a person before the game; for the host."""
        await self.send(commands.Remove(id=self.new_id(), chair=chair))

    async def choose(self, **options: OptionValue) -> None:
        """Change some options; for the host."""
        await self.send(commands.Choose(id=self.new_id(), options=options))

    async def set_house(self, **house: HouseValue) -> None:
        """Change some house rules; for the host. Talk may be switched at any time, the rest before the game."""
        await self.send(commands.SetHouse(id=self.new_id(), house=house))

    async def invite(self) -> str:
        """Keep a chair for the person who brings the secret that this returns; for the host."""
        secret = self.new_secret()
        await self.send(commands.Invite(id=self.new_id(), secret=secret))
        return secret

    async def withdraw_invitations(self) -> None:
        """Keep no more chairs for invited people; for the host."""
        await self.send(commands.Invite(id=self.new_id()))

    # --- around the game

    async def hint(self) -> Hints:
        """What the strongest bot thinks of every legal action."""
        hints = await self.send(commands.Hint(id=self.new_id()))
        assert isinstance(hints, Hints)
        return hints

    async def leave(self, chair: int) -> None:
        """Give up a chair; in a running game for good."""
        await self.send(commands.Leave(id=self.new_id(), chair=chair))

    async def vote(self, to: Agreement, agrees: bool = True) -> None:
        """Vote, for all chairs that we hold, to pause or to end the game; or disagree."""
        await self.send(commands.Vote(id=self.new_id(), to=to, agrees=agrees))

    async def resume(self) -> None:
        """Go on after a pause."""
        await self.send(commands.Resume(id=self.new_id()))

    async def stand_in(self, chair: int) -> None:
        """Let the stand-in play for an absent person at once; for the host."""
        await self.send(commands.StandIn(id=self.new_id(), chair=chair))

    async def hand_over(self, chairs: Iterable[int]) -> str:
        """Hand over these chairs, ours or an absent person's, to anybody who brings the secret that this returns."""
        secret = self.new_secret()
        for chair in chairs:
            await self.send(commands.HandOver(id=self.new_id(), chair=chair, secret=secret))
        return secret

    async def find_handover(self, secret: str) -> Handover:
        """Which chairs a secret hands over, and how long it is still valid."""
        found = await self.send(commands.FindHandover(id=self.new_id(), secret=secret))
        assert isinstance(found, Handover)
        return found

    async def agree(self, chair: int, agrees: bool = True) -> None:
        """After a game: say that we want another one, or not after all."""
        await self.send(commands.Agree(id=self.new_id(), chair=chair, salt=self.new_secret() if agrees else None))

    async def rematch(self) -> None:
        """After a game: go back to the lobby, with everybody."""
        await self.send(commands.Rematch(id=self.new_id()))

    # --- talk

    async def say(
        self, text: str, chair: int | None = None, *, name: str | None = None, voice: str | None = None
    ) -> None:
        """Say something to everybody; a spectator has a name and a voice, a secret that nobody else knows."""
        await self.send(commands.Say(id=self.new_id(), text=text, chair=chair, name=name, voice=voice))

    async def react(
        self, reaction: Reaction, chair: int | None = None, *, name: str | None = None, voice: str | None = None
    ) -> None:
        """React with a picture."""
        await self.send(commands.React(id=self.new_id(), reaction=reaction, chair=chair, name=name, voice=voice))

    async def clear_talk(self) -> None:
        """Delete everything that was said, for everybody; for the host."""
        await self.send(commands.ClearTalk(id=self.new_id()))
