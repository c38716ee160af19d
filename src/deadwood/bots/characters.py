"""The names that bots play under. What their characters say, and how they play, is in the catalogues under [bots].

Names are the same in all languages: everybody at a table sees the same one.
"""

from collections.abc import Iterator
from itertools import count

# a family name that identifies the bot, and as many first names as there are seats
_CASTS = {
    "random": ("Tumbleweed", ("Tim", "Tess", "Ted", "Tilly", "Tom", "Tara", "Toby", "Trish")),
    "extra": ("Rhubarb", ("Ruby", "Ross", "Rita", "Rex", "Rosa", "Roy", "Rhonda", "Reed")),
    "hopeful": ("Daydream", ("Daisy", "Duke", "Della", "Dean", "Dixie", "Dale", "Dora", "Dirk")),
    "regular": ("Ledger", ("Lil", "Leo", "Lorna", "Luke", "Lottie", "Lee", "Lola", "Lyle")),
    "star": ("Marquee", ("Mae", "Max", "Mona", "Miles", "Maud", "Monty", "Myra", "Mack")),
    "champion": ("Gold", ("Gwen", "Gus", "Greta", "Grant", "Gloria", "Garth", "Ginny", "Glenn")),
}


def stage_names(bot: str) -> Iterator[str]:
    """Endless names for bots of one kind: the character's name, then its relatives, then numbered ones."""
    family, first_names = _CASTS.get(bot, (bot.capitalize(), ()))
    yield from (f"{name} {family}" for name in first_names) if first_names else (family,)
    yield from (f"{family} {number}" for number in count(max(2, len(first_names) + 1)))


def character(bot: str) -> str:
    """The name that a bot is known by."""
    return next(stage_names(bot))
