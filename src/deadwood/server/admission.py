"""Admission: how much a chair or an address may ask of this server, over HTTP and over the socket together."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import AbstractContextManager, contextmanager

from .guesses import Guesses
from .limits import Buckets, Tally
from .networks import Networks
from .protocol.refusals import ServerRefused, refuse, too_many_requests, whole_seconds
from .settings import SNAPSHOT_COST, UPDATES_PER_COST, Limits


class Admission:
    """Every check raises a refusal that says how long to wait."""

    def __init__(self, limits: Limits, now: Callable[[], float]) -> None:
        self.bans, self.banned = Networks(), tuple[str, ...]()
        self._limits = limits
        self._chairs = Buckets(limits.chair, now)
        self._addresses = Buckets(limits.address, now)
        self._new_tables = Buckets(limits.new_tables, now)
        self._heavy = Buckets(limits.heavy, now)
        self._files = Buckets(limits.files, now)
        self._daily_files = Buckets(limits.daily_files, now)
        self._asking = Buckets(limits.asking, now)
        self._talk = Buckets(limits.talk, now)
        self._talk_addresses = Buckets(limits.talk_address, now)
        self._spectators = Buckets(limits.talk_spectators, now)
        self._bundles = Buckets(limits.bundles, now)
        self._new_bundles = Buckets(limits.new_bundles, now)
        self._sits = Buckets(limits.sits, now)
        self._guesses = Guesses(limits.guesses, now)
        self._jobs = Tally()

    def ban(self, banned: tuple[str, ...], bans: Networks) -> None:
        """From now on, refuse these networks, given as texts and as a set."""
        self.bans, self.banned = bans, banned

    def request(self, address: str, cost: int = 1) -> None:
        """Admit a request or command from an address."""
        if self.banned and address in self.bans:
            raise refuse("address_banned")
        _demand(self._addresses.take(address, cost))

    def snapshot(self, address: str, missed: int = 0) -> None:
        """Admit a view of a whole table, with the number of missed updates that go with it."""
        self.request(address, SNAPSHOT_COST + missed // UPDATES_PER_COST)

    def command(self, sender: Hashable) -> None:
        """Admit a command by the holder of a chair."""
        _demand(self._chairs.take(sender))

    @contextmanager
    def lookup(self, address: str, code: str) -> Iterator[Callable[[], None]]:
        """Look up a table by its code. After many wrong codes, even a right one is refused for a while.

        A code counts as wrong until the block ends, or until the function that it gets says that there is a table.
        """
        _demand(self._guesses.take(address), _too_many_codes)
        counted = True

        def found() -> None:
            nonlocal counted
            if counted:
                counted = False
                self._guesses.right(address)

        try:
            yield found
        except ServerRefused as error:
            if counted and error.refusal.key == "table_unknown":
                counted = False
                self._guesses.wrong(address, code)
            raise
        finally:
            found()

    def is_guessing(self, address: str) -> bool:
        """Whether an address has tried too many wrong codes lately."""
        return self._guesses.wait(address) > 0

    def sit(self, code: str, address: str) -> None:
        """Admit somebody who sits down at a table. Each time it is another chair, so limits by chair do not help."""
        _demand(self._sits.take((code, address)))

    def talk(self, sender: Hashable, address: str, watched: str | None) -> None:
        """Admit a line or a reaction; `watched` is the table of a sender who only watches."""
        _demand(self._talk.take(sender), _too_fast)
        _demand(self._talk_addresses.take(address), _too_fast)
        if watched is not None:
            _demand(self._spectators.take(watched), _too_fast)

    def new_table(self, address: str) -> None:
        """Admit a new table."""
        _demand(self._new_tables.take(address))

    def new_file(self, address: str) -> None:
        """Admit a deck or a board for a table."""
        _demand(self._files.take(address))
        _demand(self._daily_files.take(address))

    def asking(self, address: str) -> None:
        """Admit a request for notices, or for a test notice."""
        _demand(self._asking.take(address))

    def bundle(self, address: str, is_new: bool) -> None:
        """Admit a new version of what a personal key carries."""
        _demand(self._bundles.take(address))
        if is_new:
            _demand(self._new_bundles.take(address))

    def heavy_job(self, address: str) -> AbstractContextManager[None]:
        """Work that takes a worker's time. An address may run only a few at once, so that others get their turn."""
        _demand(self._heavy.take(address))
        return self._job(address)

    @contextmanager
    def _job(self, address: str) -> Iterator[None]:
        if self._jobs[address] >= self._limits.jobs:
            raise refuse("too_many_jobs", most=self._limits.jobs, seconds=1)
        self._jobs.add(address)
        try:
            yield
        finally:
            self._jobs.remove(address)

    def forget(self) -> None:
        """Drop the buckets that are full again."""
        files = (self._files, self._daily_files)
        by_address = (self._addresses, self._new_tables, self._heavy, self._bundles, self._new_bundles)
        talk = (self._talk, self._talk_addresses, self._spectators)
        for buckets in (self._chairs, self._guesses, self._asking, self._sits, *files, *by_address, *talk):
            buckets.forget()


def _demand(wait: float, refusal: Callable[[float], ServerRefused] = too_many_requests) -> None:
    if wait:
        raise refusal(wait)


def _too_many_codes(wait: float) -> ServerRefused:
    return refuse("too_many_codes", seconds=whole_seconds(wait))


def _too_fast(wait: float) -> ServerRefused:
    return refuse("talk_too_fast", seconds=whole_seconds(wait))
