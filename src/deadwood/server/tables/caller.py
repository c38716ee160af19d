"""Who sends commands to a table, and who listens to it."""

from abc import ABC, abstractmethod


class Caller:
    """Somebody at a table: their language, their address, and the chairs they hold or gave up."""

    def __init__(
        self,
        language: str,
        held: frozenset[int] = frozenset(),
        left: frozenset[int] = frozenset(),
        *,
        explain: bool = True,
        address: str = "",
    ) -> None:
        self.language = language
        self.explain = explain  # whether to say why other actions are refused, while a held chair is active
        self.address = address
        self.held = held
        self.left = left  # these give no rights, but a repeated command still gets its first answer


class Listener(Caller, ABC):
    """A caller that receives updates."""

    @abstractmethod
    def send(self, text: bytes) -> None:
        """Send a message; never waits."""

    @abstractmethod
    def dismiss(self, text: bytes) -> None:
        """Send a last message, then end."""
