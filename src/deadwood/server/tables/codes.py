"""Codes of tables: short, and hard to mishear or misread."""

from .decisions import RandomBytes

SIGNS = "23479CFHJKLMRTWX"  # no vowels, so no words; nothing that looks or sounds like another
LENGTH = 8


def new_code(random_bytes: RandomBytes) -> str:
    """Eight signs: four thousand million codes, too many to try."""
    number = int.from_bytes(random_bytes(4), "big")
    return "".join(SIGNS[number >> 4 * place & 15] for place in range(LENGTH))


def read_code(text: str) -> str | None:
    """A code as it is kept, however it was typed: `k7rm-4txc`, `K7RM 4TXC`."""
    code = "".join(sign for sign in text.upper() if sign not in "- ")
    return code if len(code) == LENGTH and all(sign in SIGNS for sign in code) else None
