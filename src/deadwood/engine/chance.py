"""Where every random result comes from. `docs/fair-dice.md` specifies FairDice to the bit."""

import hashlib
import hmac
import random
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, Protocol, Self

from .refusal import DeadwoodError, OutcomeError, Refusal, SetupError

FACES = 6
SEED_BYTES = 32
_WORD_BYTES = 2
_WORDS = 1 << 8 * _WORD_BYTES

Seed = int | bytes
OutcomeKind = Literal["dice", "card"]


class Dice(Protocol):
    """A source of results, each one die or one draw among equals."""

    def roll(self, count: int) -> tuple[int, ...]:
        """Roll `count` dice, each 1 to 6; the order is the order of rolling."""

    def pick(self, count: int) -> int:
        """Draw a number from 0 to count - 1."""

    def copy(self) -> Self:
        """An independent source at the same position."""


class OutcomeNeeded(DeadwoodError):
    """People must roll or turn something before the action can happen (R12.7)."""

    def __init__(self, kind: OutcomeKind, count: int) -> None:
        super().__init__(f"{count} {kind} needed")
        self.kind = kind
        self.count = count

    def __reduce__(self) -> tuple[type["OutcomeNeeded"], tuple[OutcomeKind, int]]:
        return type(self), (self.kind, self.count)


class ScriptEnded(DeadwoodError):
    """A script of results was shorter than the game."""


class FairDice:
    """Unbiased results that anyone who knows the key can recompute.

    With salts the key is SHA-256(seed ‖ salts), so neither the side that chose the seed nor
    those who sent salts could choose the dice. `drawn` counts the results so far.
    """

    def __init__(self, seed: Seed, salts: Sequence[bytes] = (), drawn: int = 0) -> None:
        self.seed = seed_bytes(seed)
        self.salts = tuple(map(_checked_salt, salts))
        self.drawn = drawn
        self._key = hashlib.sha256(self.seed + b"".join(self.salts)).digest() if salts else self.seed

    @property
    def commitment(self) -> str:
        """SHA-256 of the seed: published before the game, it later proves that the seed did not change."""
        return commitment(self.seed)

    def roll(self, count: int) -> tuple[int, ...]:
        return tuple(self.pick(FACES) + 1 for _ in range(count))

    def pick(self, count: int) -> int:
        if not 1 <= count <= _WORDS:
            raise ValueError(f"fair dice pick among 1 to {_WORDS}, not {count}")
        number = self.drawn
        self.drawn += 1
        usable = _WORDS - _WORDS % count
        return next(word for word in _words(self._key, number) if word < usable) % count

    def copy(self) -> "FairDice":
        twin = FairDice.__new__(FairDice)  # skips __init__, which would check and hash everything again
        twin.seed, twin.salts, twin.drawn, twin._key = self.seed, self.salts, self.drawn, self._key
        return twin


class FastDice:
    """Fast results from a seed, for simulation."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._next = self._random.random

    def roll(self, count: int) -> tuple[int, ...]:
        draw = self._next
        if count == 1:
            return (int(draw() * FACES) + 1,)
        return tuple([int(draw() * FACES) + 1 for _ in range(count)])

    def pick(self, count: int) -> int:
        return int(self._next() * count)

    def __deepcopy__(self, _memo: object) -> "FastDice":
        return self.copy()

    def copy(self) -> "FastDice":
        twin = FastDice(0)
        twin._random.setstate(self._random.getstate())
        return twin


class ScriptedDice:
    """Given results in order, for replay and tests."""

    def __init__(self, results: Iterable[int]) -> None:
        self._results = list(results)

    @property
    def left(self) -> tuple[int, ...]:
        """The results not used yet."""
        return tuple(self._results)

    def roll(self, count: int) -> tuple[int, ...]:
        return tuple(_checked_die(die) for die in self._take("dice", count))

    def pick(self, count: int) -> int:
        (result,) = self._take("card", 1)
        if result not in range(count):
            raise OutcomeError(Refusal("", "pick_out_of_range", {"pick": result, "count": count}))
        return result

    def copy(self) -> Self:
        return type(self)(self._results)

    def _take(self, kind: OutcomeKind, count: int) -> list[int]:
        if len(self._results) < count:
            self._ended(kind, count)
        taken, self._results = self._results[:count], self._results[count:]
        return taken

    def _ended(self, kind: OutcomeKind, count: int) -> None:
        raise ScriptEnded(f"the script has no {kind} left where {count} are needed")


class TableDice(ScriptedDice):
    """What people rolled and turned at a real table (R12.7).

    When results run out it raises OutcomeNeeded. Ask the people and apply the action again with all
    results of that action: nothing has happened yet.
    """

    def _ended(self, kind: OutcomeKind, count: int) -> None:
        raise OutcomeNeeded(kind, count)


def seed_bytes(seed: Seed) -> bytes:
    """A seed as 32 bytes; an int is encoded big-endian."""
    if isinstance(seed, bytes) and len(seed) == SEED_BYTES:
        return seed
    if isinstance(seed, int) and 0 <= seed < 1 << 8 * SEED_BYTES:
        return seed.to_bytes(SEED_BYTES, "big")
    raise SetupError(Refusal("", "seed_unusable", {"bytes": SEED_BYTES}))


def commitment(seed: Seed) -> str:
    """SHA-256 of a seed, in hexadecimal."""
    return hashlib.sha256(seed_bytes(seed)).hexdigest()


def _checked_salt(salt: bytes) -> bytes:
    if isinstance(salt, bytes) and len(salt) == SEED_BYTES:
        return salt
    raise SetupError(Refusal("", "salt_unusable", {"bytes": SEED_BYTES}))


def _checked_die(die: int) -> int:
    if die not in range(1, FACES + 1):
        raise OutcomeError(Refusal("R12.7", "die_out_of_range", {"die": die, "faces": FACES}))
    return die


def _words(key: bytes, number: int) -> Iterator[int]:
    """The 16-bit words of HMAC-SHA256(key, number), and of the HMAC of that digest, and so on."""
    digest = number.to_bytes(8, "big")
    while True:
        digest = hmac.digest(key, digest, "sha256")
        for start in range(0, len(digest), _WORD_BYTES):
            yield int.from_bytes(digest[start : start + _WORD_BYTES], "big")
