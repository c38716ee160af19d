"""Codes of tables: short, and hard to mishear or misread."""

from collections.abc import Callable

ALPHABET = "23479CFHJKLMRTWX"  # no vowels, so no words; none looks or sounds like another
LENGTH = 8


def new_code(random_bytes: Callable[[int], bytes]) -> str:
    """A code of eight characters: there are four billion, too many to guess."""
    number = int.from_bytes(random_bytes(4), "big")
    return "".join(ALPHABET[number >> 4 * place & 15] for place in range(LENGTH))


def parse_code(text: str) -> str | None:
    """A code in its stored form, however it was typed: `k7rm-4txc`, `K7RM 4TXC`."""
    code = "".join(char for char in text.upper() if char not in "- ")
    return code if len(code) == LENGTH and all(char in ALPHABET for char in code) else None
