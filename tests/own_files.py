"""A custom deck and board, as text. Texts, numbers, names, prices and initials differ from the game's."""

from msgspec.structs import replace

from deadwood.engine.board import parse_board
from deadwood.engine.deck import Role, built_in_deck, format_deck, parse_deck
from deadwood.engine.loading import DATA


def _card(card):
    number = card.number + 100
    roles = tuple(Role(role.rank, f"Part {number}.{role.rank}", f"Line {number}.{role.rank}!") for role in card.roles)
    budget = 5 if card.budget == 6 else card.budget
    return replace(
        card, number=number, title=f"Reel {number}", description="It is dark.", budget=budget, roles=_unlike(roles)
    )


def _unlike(roles):
    return tuple(replace(role, name=f"{role.name} {'abc'[at]}") for at, role in enumerate(roles))


DECK_NAME, BOARD_NAME = "Night Reels", "Backlot Two"
CLASSIC = built_in_deck("classic")
DECK = format_deck(replace(CLASSIC, name=DECK_NAME, cards=tuple(map(_card, CLASSIC.cards))))
BOARD = (
    (DATA / "board.toml")
    .read_text("utf-8")
    .replace('name = "Deadwood Studios"', f'name = "{BOARD_NAME}"')
    .replace('"Church"', '"Opera House"')
    .replace('initial = "G"', 'initial = "S"')
    .replace('standard = "GM/CH"', 'standard = "SM/CH"')
    .replace("second = \"H'M/CG'\"", 'long = "SMCH"')
    .replace("dollars = [4,", "dollars = [3,")
)

assert parse_deck(DECK).fingerprint != CLASSIC.fingerprint
assert parse_board(BOARD).name == BOARD_NAME
