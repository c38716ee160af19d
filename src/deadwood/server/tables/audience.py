"""Audience: who listens to a table, which chairs are held by a connection, and how updates reach everybody."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable

import msgspec

from ..protocol.messages import Present
from .bulletins import Attending
from .caller import Listener
from .sitting import LogEvent
from .views import View


class Audience:
    """The listeners of one table. None of this is stored: after a restart everybody connects again.

    `changed` is called when somebody comes or goes here. Other processes report theirs through `attend`.
    """

    def __init__(self, changed: Callable[[], None] = lambda: None) -> None:
        self._changed = changed
        self._listeners: dict[Listener, None] = {}  # in the order they came
        self._holders: Counter[int] = Counter()  # connections by chair, to avoid searching them all
        self._elsewhere: dict[str, Attending] = {}  # by process
        self.present: tuple[int, ...] = ()  # the chairs that somebody holds now
        self.present_set = frozenset[int]()

    def __len__(self) -> int:
        return len(self._listeners)

    @property
    def here(self) -> tuple[int, ...]:
        """The chairs that connections to this process hold."""
        return tuple(sorted(self._holders))

    def _count_present(self) -> None:
        """Somebody came or went, here or elsewhere. Every action asks who is present, so the answer is kept ready."""
        elsewhere = (chair for one in self._elsewhere.values() for chair in one.chairs)
        self.present_set = frozenset({*self._holders, *elsewhere})
        self.present = tuple(sorted(self.present_set))

    @property
    def watched_elsewhere(self) -> bool:
        """Whether anybody listens in another process."""
        return any(one.watched for one in self._elsewhere.values())

    def attend(self, sender: str, attending: Attending | None) -> None:
        """Note who is connected to another process now."""
        before = self.present
        self._elsewhere.pop(sender, None)
        if attending is not None and attending.watched:
            self._elsewhere[sender] = attending
        self._count_present()
        if self.present != before:
            self.send(Present(chairs=self.present))

    @property
    def address(self) -> str:
        """The address of the first player who listens, or else of the first spectator."""
        first = min(self._listeners, key=lambda listener: not listener.held, default=None)
        return "" if first is None else first.address

    def join(self, listener: Listener) -> None:
        """Add a listener with the chairs it holds; its own welcome says who is present."""
        self._listeners[listener] = None
        if not self._arrive(listener.held, but=listener) and len(self._listeners) == 1:
            self._changed()

    def leave(self, listener: Listener) -> None:
        """Remove a listener."""
        del self._listeners[listener]
        if not self._depart(listener.held) and not self._listeners:
            self._changed()

    def hold(self, listener: Listener, chair: int) -> None:
        """Note that a listener has taken a chair."""
        taken = frozenset({chair}) - listener.held
        listener.held |= taken
        self._arrive(taken)

    def keep_chairs(self, chairs: Collection[int]) -> None:
        """Take away the chairs that no longer exist. No `present` is sent: the table's own update shows it."""
        before = len(self._holders)
        for listener in self._listeners:
            lost = listener.held.difference(chairs)
            if lost:
                self._holders -= Counter(lost)
                listener.left |= lost
                listener.held -= lost
        if len(self._holders) < before:
            self._count_present()
            self._changed()

    def release(self, chair: int) -> None:
        """Take a chair away from its listeners: somebody else holds it now."""
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

    def _arrive(self, chairs: Iterable[int], but: Listener | None = None) -> bool:
        """Count new holders. Returns whether one of the chairs had none here before."""
        before, count = self.present, len(self._holders)
        self._holders.update(chairs)
        if len(self._holders) == count:
            return False
        self._count_present()
        self._say_who_is_present(before, but)
        return True

    def _depart(self, chairs: Iterable[int]) -> bool:
        """Count departed holders. Returns whether one of the chairs has none left here."""
        before, count = self.present, len(self._holders)
        self._holders -= Counter(chairs)  # which also forgets those at zero
        if len(self._holders) == count:
            return False
        self._count_present()
        self._say_who_is_present(before)
        return True

    def _say_who_is_present(self, before: tuple[int, ...], but: Listener | None = None) -> None:
        if self.present != before:
            self.send(Present(chairs=self.present), but)
        self._changed()
