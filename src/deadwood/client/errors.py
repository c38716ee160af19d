"""What can go wrong between a client and a server. Every error is a sentence for people."""

from ..engine.refusal import DeadwoodError, Refusal, Refused
from ..narration import narrate
from ..server.protocol.messages import Problem


class ClientError(DeadwoodError):
    """Something that the client could not do at the server."""


class NotReached(ClientError, Refused):
    """No server has answered us. The text is English; `deadwood.narrate` knows other languages."""

    def __str__(self) -> str:
        return narrate(self)


class AddressWrong(NotReached):
    """A text that is not the address of a server or table."""


class ServerUnreachable(NotReached):
    """Nothing answers at this address, or not in time."""

    def __init__(self, url: str) -> None:
        super().__init__(Refusal("", "server_silent", {"url": url}))


class NotAServer(NotReached):
    """Something answers, but it does not speak our protocol."""

    def __init__(self, url: str) -> None:
        super().__init__(Refusal("", "not_a_server", {"url": url}))


class ServerRefused(ClientError):
    """The server refused, and nothing has changed; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.sentence)
        self.problem = problem


class TableLeft(ClientError):
    """The connection to the table has ended for good: we left, or there is no such table."""

    def __init__(self, sentence: str = "") -> None:
        super().__init__(sentence or "The connection to the table was closed.")
