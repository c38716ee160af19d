"""Files of decks and boards, whole or nearly right."""

from pathlib import Path

from deadwood.engine.loading import DATA

CLASSIC = (DATA / "classic.toml").read_text("utf-8")
BOARD = (DATA / "board.toml").read_text("utf-8")
CARD = """
[[cards]]
number = {number}
title = "{title}"
scene = 1
description = "Somebody falls off a roof."
budget = {budget}
roles = [{roles}]
"""


def write(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def card(number=1, title="Roof", budget=4, roles='{ rank = 2, name = "Faller", line = "Aah." }'):
    return CARD.format(number=number, title=title, budget=budget, roles=roles)


def role(rank, name):
    return f'{{ rank = {rank}, name = "{name}", line = "Aah." }}'


def line_of(text, part):
    return text[: text.index(part)].count("\n") + 1


def many_cards(count, description="D"):
    card = (
        '{{ number = {0}, title = "T{0}", scene = 1, description = "{1}", budget = 2, '
        'roles = [{{ rank = 1, name = "N{0}", line = "L" }}] }},'
    )
    return [card.format(number, description[:400]) for number in range(101, 101 + count)]
