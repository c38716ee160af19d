"""Audience: who listens to a table, which chairs are held by a connection, and how updates reach everybody."""

from collections import Counter
from collections.abc import Collection, Iterable

import msgspec

from ..protocol.messages import Present
from .caller import Listener
from .sitting import LogEvent
from .views import View


class Audience:
    """The listeners of one table. Nothing of this is stored: after a restart everybody connects again."""

    def __init__(self) -> None:
        self._listeners: dict[Listener, None] = {}  # in the order they came
        self._holders: Counter[int] = Counter()  # connections by chair, so that nobody has to search them all

    def __len__(self) -> int:
        return len(self._listeners)

    @property
    def present(self) -> tuple[int, ...]:
        """The chairs that somebody holds now."""
        return tuple(sorted(self._holders))

    @property
    def address(self) -> str:
        """That of the first listener with a chair; if there is none, of the first who watches."""
        first = min(self._listeners, key=lambda listener: not listener.held, default=None)
        return "" if first is None else first.address

    def join(self, listener: Listener) -> None:
        """Add a listener with the chairs it holds; its own welcome says who is present."""
        self._listeners[listener] = None
        self._arrive(listener.held, but=listener)

    def leave(self, listener: Listener) -> None:
        """Remove a listener."""
        del self._listeners[listener]
        self._depart(listener.held)

    def hold(self, listener: Listener, chair: int) -> None:
        """A listener has taken a chair."""
        taken = frozenset({chair}) - listener.held
        listener.held |= taken
        self._arrive(taken)

    def keep_chairs(self, chairs: Collection[int]) -> None:
        """Take away the chairs that no longer exist. No `present` is sent: the table's own update shows it."""
        for listener in self._listeners:
            lost = listener.held.difference(chairs)
            if lost:
                self._holders -= Counter(lost)
                listener.left |= lost
                listener.held -= lost

    def release(self, chair: int) -> None:
        """Take a chair away from whoever holds it: somebody else has it now."""
        self.keep_chairs(set(self._holders) - {chair})

    def broadcast(self, event: LogEvent, view: View) -> None:
        """Send an update to everybody, encoded once per language, and once more with reasons."""
        encoded: dict[tuple[str, bool], bytes] = {}
        for listener in tuple(self._listeners):
            variant = listener.language, view.explains(listener)
            if variant not in encoded:
                encoded[variant] = msgspec.json.encode(view.update(event, *variant))
            listener.send(encoded[variant])

    def send(self, message: msgspec.Struct, but: Listener | None = None) -> None:
        """Send a message to everybody, except `but`."""
        text = msgspec.json.encode(message)
        for listener in tuple(self._listeners):
            if listener is not but:
                listener.send(text)

    def listeners(self) -> Iterable[Listener]:
        """Everybody who listens."""
        return tuple(self._listeners)

    def _arrive(self, chairs: Iterable[int], but: Listener | None = None) -> None:
        before = len(self._holders)
        self._holders.update(chairs)
        if len(self._holders) > before:
            self.send(Present(chairs=self.present), but)

    def _depart(self, chairs: Iterable[int]) -> None:
        before = len(self._holders)
        self._holders -= Counter(chairs)  # which also forgets those at zero
        if len(self._holders) < before:
            self.send(Present(chairs=self.present))
