"""Packed words: named bit fields, declared once and read like attributes."""

from typing import Any, Self, TypeVar, overload

import jax
import jax.numpy as jnp

Array = jax.Array
WORD_BITS = 32
W = TypeVar("W", bound="Word")


class Field:
    """Some bits of a word. The fields of a class follow each other, the first one lowest."""

    def __init__(self, bits: int) -> None:
        self.bits = bits

    def __set_name__(self, owner: type["Word"], name: str) -> None:
        self.shift = sum(field.bits for field in owner.fields.values())
        owner.fields = {**owner.fields, name: self}
        assert self.shift + self.bits <= WORD_BITS, f"{owner.__name__} does not fit into a word"

    @property
    def highest(self) -> int:
        """The highest value it can hold."""
        return (1 << self.bits) - 1

    @property
    def mask(self) -> int:
        """The field's bits in the word."""
        return self.highest << self.shift

    @overload
    def __get__(self, word: None, owner: type["Word"]) -> Self: ...

    @overload
    def __get__(self, word: "Word", owner: type["Word"]) -> Array: ...

    def __get__(self, word: "Word | None", owner: type["Word"]) -> "Self | Array":
        return self if word is None else self.read(word.bits)

    def read(self, bits: Array) -> Array:
        """Its value in packed words."""
        value: Array = bits >> self.shift
        return value if self.shift + self.bits == WORD_BITS else value & self.highest


class Flag(Field):
    """One bit of a word, read as a boolean."""

    def __init__(self) -> None:
        super().__init__(bits=1)

    def read(self, bits: Array) -> Array:
        raised: Array = (bits & jnp.uint32(self.mask)) != 0
        return raised


class Word:
    """An array of packed words; a pytree with one leaf."""

    fields: dict[str, Field] = {}  # noqa: RUF012 - every subclass has its own

    def __init__(self, bits: Any) -> None:
        self.bits = bits

    def __init_subclass__(cls) -> None:
        jax.tree_util.register_pytree_node(cls, lambda word: ((word.bits,), None), lambda _, leaves: cls(leaves[0]))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={getattr(self, name)}' for name in self.fields)})"

    @classmethod
    def pack(cls, **values: Any) -> Any:
        """A word with these values and zeros elsewhere. Ints must fit, and give an int."""
        bits: Any = 0
        for name, value in values.items():
            field = cls.fields[name]
            fits = not isinstance(value, int) or 0 <= value <= field.highest
            assert fits, f"{cls.__name__}.{name} holds 0 to {field.highest}, not {value}"
            bits = bits | (value << field.shift)
        return bits

    def replace(self, **values: Any) -> Self:
        """The same word with other values in some fields."""
        kept = ~sum(self.fields[name].mask for name in values) & (1 << WORD_BITS) - 1
        return type(self)((self.bits & jnp.uint32(kept)) | self.pack(**values))

    def raising(self, **flags: Array) -> Self:
        """The same word with some flags set where a condition holds; none is ever cleared."""
        return type(self)(self.bits | self.pack(**{name: flag.astype(jnp.uint32) for name, flag in flags.items()}))

    def plus(self, **values: Any) -> Self:
        """The same word with values added to some fields, which must not overflow."""
        return type(self)(self.bits + self.pack(**values))

    def minus(self, **values: Any) -> Self:
        """The same word with values subtracted from some fields, which must not become negative."""
        return type(self)(self.bits - self.pack(**values))


def where(condition: Array, one: W, other: W) -> W:
    """One word where the condition holds, the other elsewhere."""
    return type(one)(jnp.where(condition, one.bits, other.bits))


def first_of(choices: list[tuple[Array, W]], otherwise: W) -> W:
    """The word of the first condition that holds."""
    for condition, word in reversed(choices):
        otherwise = where(condition, word, otherwise)
    return otherwise
