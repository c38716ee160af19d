"""Small pieces of English text that several packages need."""


def counted(number: float, thing: str) -> str:
    """As in `1 game`, `2 games`, `12,000 games`."""
    return f"{number:,.0f} {thing}{'' if number == 1 else 's'}"


def first_line(error: Exception) -> str:
    """The first line of a library's error. Later lines advise programmers, or show a row with secrets in it."""
    return str(error).partition("\n")[0]
