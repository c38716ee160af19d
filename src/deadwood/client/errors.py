"""What can go wrong between a client and a server. Every error is a sentence for people."""

from ..engine.refusal import DeadwoodError
from ..server.protocol.messages import Problem


class ClientError(DeadwoodError):
    """Something that the client could not do at the server."""


class AddressWrong(ClientError):
    """A text that leads to no server or table."""


class ServerUnreachable(ClientError):
    """Nobody answers at this address, or not in time."""

    def __init__(self, url: str) -> None:
        super().__init__(f"No server answers at {url}. Is it running, and is the address right?")


class NotAServer(ClientError):
    """Somebody answers, but does not speak our protocol."""

    def __init__(self, url: str) -> None:
        super().__init__(
            f"What answers at {url} is no Deadwood server that this version understands. "
            "Check the address; if it is right, install the latest version of Deadwood."
        )


class ServerRefused(ClientError):
    """The server refused, and nothing has changed; `problem` says why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.sentence)
        self.problem = problem


class TableLeft(ClientError):
    """The connection to the table has ended for good: we left, or there is no such table."""

    def __init__(self, sentence: str = "") -> None:
        super().__init__(sentence or "The connection to the table was closed.")
