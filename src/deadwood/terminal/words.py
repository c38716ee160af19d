"""Short words that the app and the plain mode share."""

from ..engine.options import Purse


def count(number: int, thing: str) -> str:
    """`1 shot`, `2 shots`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def pay(purse: Purse, joined: str) -> str:
    """`$1 and 1 credit`, joined as one likes; `nothing` for nothing."""
    dollars = f"${purse.dollars}" if purse.dollars else ""
    credits = count(purse.credits, "credit") if purse.credits else ""
    return joined.join(filter(None, (dollars, credits))) or "nothing"
