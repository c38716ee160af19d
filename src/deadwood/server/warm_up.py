"""Warming up: load and compute what is needed once before serving, so that the first client does not wait."""

from contextlib import suppress

from .. import __version__
from ..engine.board import built_in_board
from ..engine.deck import BUILT_IN_DECKS, built_in_deck
from ..engine.options import PLAYERS, Options
from ..engine.refusal import DataError
from ..lessons import LESSONS, built_in_lesson
from ..narration import all_titles, languages, rules_text, translated_deck
from .http.openapi import document
from .lessons import lesson_list
from .protocol.answers import Sharing
from .protocol.commands import NewPerson, NewTable
from .tables.catalogue import about_server, board_plan, board_view, kit_view
from .tables.lobby import open_table, start_at_once
from .tables.log import Entry, decode_body, encode_body
from .tables.sitting import Sitting
from .tables.table_state import hash_secret
from .tables.views import View, update


def warm_up() -> None:
    """Use everything once; the results stay in their caches."""
    document(__version__)
    all_titles()
    with suppress(DataError):  # a client that asks for a broken lesson learns about it
        _load_lessons()
    sitting = _a_game()
    for language in languages():
        _show(language)
        _show_table(sitting, language)


def _load_lessons() -> None:
    for name in LESSONS:
        built_in_lesson(name)
    for language in languages():
        lesson_list(language)


def _show(language: str) -> None:
    rules_text(language)
    about_server(language, Sharing(reachable=True, command=None), talk=True)
    board_view(built_in_board(), language)
    board_plan(Options().layout, built_in_board())
    for name in BUILT_IN_DECKS:
        translated_deck(built_in_deck(name), language)
        kit_view(built_in_deck(name), built_in_board(), language)


def _a_game() -> Sitting:
    secrets = (hash_secret(str(number)) for number in range(PLAYERS[0]))
    people = [NewPerson(name=secret[:8], token=secret, salt=secret) for secret in secrets]
    opened = open_table(NewTable(chairs=tuple(people)), bytes)
    sitting = Sitting(Entry("", 1, 0.0, 0, "", decode_body(encode_body(opened).decode())))
    started = start_at_once(sitting)
    sitting.take(Entry("", 2, 0.0, 0, "", started.body), started.game)
    return sitting


def _show_table(sitting: Sitting, language: str) -> None:
    View(sitting, "", 0.0, talk=True).table(language, True)
    for event in sitting.events:
        update(event, language)
