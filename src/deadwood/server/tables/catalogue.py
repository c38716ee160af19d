"""What a server offers: the bots, the options a table can choose from, and how decks and boards are shown."""

import hashlib

import msgspec

from ... import bots
from ...engine.board import Area, Board, built_in_board
from ...engine.deck import Deck
from ...engine.floor_plan import FloorPlan, floor_plan
from ...engine.layout import parse_layout
from ...engine.loading import FILE_BYTES
from ...engine.option_list import Allowed, OneOf, Option, PlayerName, Spelled, WholeNumber, list_options
from ...engine.options import PLAYERS
from ...engine.seats import COLOURS, NAME_LENGTH
from ...engine.table import FIRST_EXTRA, is_custom_board, is_custom_deck
from ...kit import RANKS, checklist, player_aid, section_plans, setups
from ...narration import (
    bot_text,
    house_text,
    languages,
    option_explanation,
    option_label,
    place_name,
    translated_deck,
    translated_role,
    value_label,
)
from ..protocol.answers import (
    About,
    AreaView,
    BoardView,
    BotView,
    HouseRuleView,
    HouseValueView,
    KitView,
    OptionValueView,
    OptionView,
    Sharing,
)
from ..protocol.commands import HouseValue
from ..protocol.house import CLOCKS, GRACES, HouseRules
from ..protocol.views import BoardLabel, DeckLabel
from .attendance import INVITATION_SECONDS


def about_server(language: str, sharing: Sharing, talk: bool) -> About:
    """What people can choose, in a language, on a server with or without talk."""
    return About(
        least_players=PLAYERS[0],
        most_players=PLAYERS[-1],
        name_length=NAME_LENGTH,
        bots=tuple(_bot_view(name, language) for name in bots.names()),
        usual_bot=bots.USUAL_BOT,
        colours=COLOURS,
        languages=languages(),
        options=option_views(language, built_in_board()),
        house=house_views(language, talk),
        file_bytes=FILE_BYTES,
        invitation_seconds=INVITATION_SECONDS,
        sharing=sharing,
    )


def _bot_view(name: str, language: str) -> BotView:
    text = bot_text(name, language)
    return BotView(name, bots.level(name), text.label, bots.character(name), text.catchphrase, text.style)


def option_views(language: str, board: Board) -> tuple[OptionView, ...]:
    """The options of a game on a board, in a language."""
    return tuple(_option_view(option, language) for option in list_options(board))


def house_views(language: str, talk: bool) -> tuple[HouseRuleView, ...]:
    """The house rules, in a language; the one about talk only if the server allows talk."""
    choices: dict[str, tuple[HouseValue, ...]] = {
        "grace": GRACES,
        "stand_in": bots.names(),
        "clock": CLOCKS,
        "locked": (False, True),
        **({"talk": (True, False)} if talk else {}),
    }
    return tuple(_house_view(name, values, language) for name, values in choices.items())


def _house_view(name: str, values: tuple[HouseValue, ...], language: str) -> HouseRuleView:
    text = house_text(name, language)
    return HouseRuleView(
        name=name,
        label=text.label,
        explanation=text.explanation,
        default=getattr(HouseRules(), name),
        values=tuple(HouseValueView(value, _house_label(name, value, language)) for value in values),
    )


def _house_label(name: str, value: HouseValue, language: str) -> str:
    if name == "stand_in":
        return bot_text(str(value), language).label
    return house_text(name, language).value_label(value)


def deck_label(deck: Deck) -> DeckLabel:
    """A deck in short."""
    key = _key(deck) if is_custom_deck(deck) else None
    return DeckLabel(name=deck.name, cards=len(deck.cards), fingerprint=deck.fingerprint, key=key)


def board_label(board: Board) -> BoardLabel:
    """A board in short."""
    key = _key(board) if is_custom_board(board) else None
    return BoardLabel(name=board.name, fingerprint=board.fingerprint, key=key)


def _key(value: Deck | Board) -> str:
    return hashlib.sha256(msgspec.json.encode(value)).hexdigest()[:32]


def board_view(board: Board, language: str = "en") -> BoardView:
    """A board without its geometry, in a language; the ids of areas are the same in all."""
    return BoardView(areas=tuple(_area_view(area, language) for area in board.areas), prices=board.price_list)


def _area_view(area: Area, language: str) -> AreaView:
    return AreaView(
        id=area.id,
        name=place_name(area.name, language),
        kind=area.kind,
        shots=area.shots,
        extras=tuple(translated_role(role, language) for role in area.extras),
        first_extra=FIRST_EXTRA,
    )


def board_plan(layout: str, board: Board) -> FloorPlan:
    """Where everything on a board lies in a layout, or a SetupError."""
    return floor_plan(parse_layout(layout, board), board)


def kit_view(deck: Deck, board: Board, language: str) -> KitView:
    """Everything that is printed to play on paper."""
    return KitView(
        deck=translated_deck(deck, language),
        board=board_view(board, language),
        sections=section_plans(board, language),
        setups=setups(deck, board),
        colours=COLOURS,
        ranks=RANKS,
        aid=player_aid(deck, board, language),
        checklist=checklist(deck, board, language),
    )


def _option_view(option: Option, language: str) -> OptionView:
    return OptionView(
        name=option.name,
        rule=option.clause,
        label=option_label(option.name, language),
        explanation=option_explanation(option.name, language),
        default=option.default,
        values=tuple(
            OptionValueView(value, value_label(option.name, value, language)) for value in _values(option.allowed)
        ),
        names=isinstance(option.allowed, PlayerName),
        examples=option.allowed.examples if isinstance(option.allowed, Spelled) else (),
    )


def _values(allowed: Allowed) -> tuple[str | int | None, ...]:
    match allowed:
        case WholeNumber():
            return None, *range(allowed.least, allowed.most + 1)
        case OneOf() | PlayerName() | Spelled():
            return allowed.values
