"""All operations of the HTTP interface; the routes and the OpenAPI document are made from this list."""

from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct
from starlette.requests import Request

from ...engine.deck import BUILT_IN_DECKS, Deck
from ...engine.floor_plan import FloorPlan
from ...engine.loading import FILE_BYTES
from ...lessons import LESSONS
from ...lessons.script import MOST_STEPS as MOST_LESSON_STEPS
from ...narration import languages
from ..protocol import answers, commands, drafts, messages, notices, views
from ..protocol.codes import ALPHABET
from ..protocol.lessons import LessonAnswer, LessonChoice, LessonList, LessonView
from ..workers.replaying import MOST_STEPS
from . import api, asked_notices, bundles, deck_editor, kits, lessons, my_tables, own_files
from .requests import FILE_KINDS, STATUSES

Handler = Callable[[Request], Awaitable[Any]]
Schema = dict[str, Any]
TEXT = "text/plain"
JSON = "application/json"


class Parameter(Struct, frozen=True):
    """A part of the path or of the query."""

    name: str
    place: str
    description: str
    schema: Schema


class Operation(Struct, frozen=True, kw_only=True):
    """A method on a path."""

    method: str
    path: str
    handler: Handler
    parameters: tuple[Parameter, ...] = ()
    body: Any = None
    body_kinds: tuple[str, ...] = (JSON,)
    body_bytes: int = commands.MESSAGE_BYTES
    answer: Any = None
    answer_kind: str = JSON
    status: int = 200
    token: bool = False
    refusals: tuple[int, ...] = ()


def _count(name: str, least: int, most: int, description: str, place: str = "query") -> Parameter:
    return Parameter(name, place, description, {"type": "integer", "minimum": least, "maximum": most})


CODE = Parameter(
    "code",
    "path",
    "The code of a table; case, spaces and hyphens do not matter.",
    {"type": "string", "pattern": f"^[{ALPHABET}]{{4}}-?[{ALPHABET}]{{4}}$"},
)
GAME = _count("game", 1, 2**31 - 1, "The number of a game at its table.", "path")
DECK = Parameter("name", "path", "The name of a deck.", {"type": "string", "enum": list(BUILT_IN_DECKS)})
KIT_DECK = Parameter(
    "deck", "query", "The deck to print; by default the server's.", {"type": "string", "enum": list(BUILT_IN_DECKS)}
)
LAYOUT = Parameter("layout", "query", "The name or the spelling of a layout.", {"type": "string", "maxLength": 200})
STATUS = Parameter("status", "query", "The status of the tables.", {"type": "string", "enum": list(STATUSES)})
LIMIT = _count("limit", 1, 50, "The most rows to return.")
FIRST = _count("first", 0, 10**6, "The first step; 0 is the opening.")
STEPS = _count("limit", 1, MOST_STEPS, "The most steps to return.")
FIRST_TRIAL = _count("first", 0, drafts.MOST_TRIALS, "The number of the first game.")
TRIALS = _count("games", 1, drafts.TRIAL_GAMES, "How many games to play.")
LANGUAGE = Parameter("language", "query", "The language of the answer.", {"type": "string", "enum": list(languages())})
KEY = Parameter(
    "key",
    "query",
    "The key of the deck or board in the table's view; refused if the table has another one by now.",
    {"type": "string", "maxLength": 32},
)
LESSON = Parameter("name", "path", "The name of a lesson.", {"type": "string", "enum": list(LESSONS)})
LESSON_STEP = _count("step", 0, MOST_LESSON_STEPS, "The step; the number after the last one is the end of the lesson.")
SUBSCRIPTION = Parameter(
    "id", "path", "The id of an address that gets notices.", {"type": "string", "pattern": "^[0-9a-f]{32}$"}
)
BEFORE_TABLE = _count("before", 0, 10**18 - 1, "`next` of the previous page.")
BEFORE_GAME = _count("before", 1, 2**31 - 1, "`next` of the previous page.")

FILE_REFUSALS = (409, 413, 415, 422)

OPERATIONS = (
    Operation(method="GET", path="/api/about", handler=api.about, parameters=(LANGUAGE,), answer=answers.About),
    Operation(method="GET", path="/api/board", handler=api.board, parameters=(LANGUAGE,), answer=answers.BoardView),
    Operation(
        method="GET",
        path="/api/floor-plan",
        handler=api.floor_plan,
        parameters=(LAYOUT,),
        answer=FloorPlan,
        refusals=(409,),
    ),
    Operation(
        method="GET",
        path="/api/decks/{name}",
        handler=api.deck,
        parameters=(DECK, LANGUAGE),
        answer=Deck,
        refusals=(404,),
    ),
    Operation(method="GET", path="/api/kit", handler=kits.kit, parameters=(KIT_DECK, LANGUAGE), answer=answers.KitView),
    Operation(
        method="POST",
        path="/api/kit",
        handler=kits.own_kit,
        parameters=(KIT_DECK, LANGUAGE),
        body=commands.KitFiles,
        body_bytes=commands.KIT_BYTES,
        answer=answers.KitView,
        refusals=(409, 413, 422),
    ),
    Operation(method="GET", path="/api/rules", handler=api.rules, parameters=(LANGUAGE,), answer_kind=TEXT),
    Operation(
        method="POST",
        path="/api/tables",
        handler=api.open_table,
        body=commands.NewTable,
        answer=answers.Made,
        status=201,
        refusals=(409, 413),
    ),
    Operation(
        method="GET",
        path="/api/tables",
        handler=api.list_tables,
        parameters=(STATUS, LIMIT, BEFORE_TABLE),
        answer=answers.TableList,
    ),
    Operation(
        method="POST",
        path="/api/my-tables",
        handler=my_tables.my_tables,
        body=commands.KnownTables,
        body_bytes=commands.KNOWN_BYTES,
        answer=answers.MyTables,
        refusals=(413,),
    ),
    Operation(
        method="GET",
        path="/api/bundle",
        handler=bundles.show_bundle,
        answer=answers.Bundle,
        token=True,
    ),
    Operation(
        method="PUT",
        path="/api/bundle",
        handler=bundles.swap_bundle,
        body=commands.NewBundle,
        body_bytes=commands.BUNDLE_BYTES,
        answer=answers.Bundle,
        token=True,
        refusals=(413,),
    ),
    Operation(
        method="DELETE",
        path="/api/bundle",
        handler=bundles.drop_bundle,
        answer=answers.Bundle,
        token=True,
    ),
    Operation(
        method="GET",
        path="/api/tables/{code}",
        handler=api.show_table,
        parameters=(CODE,),
        answer=views.TableView,
        token=True,
        refusals=(404,),
    ),
    Operation(
        method="POST",
        path="/api/tables/{code}/commands",
        handler=api.command,
        parameters=(CODE,),
        body=commands.AnyCommand,
        answer=messages.Answer,
        token=True,
        refusals=(403, 404, 409, 413),
    ),
    Operation(
        method="GET",
        path="/api/tables/{code}/games",
        handler=api.list_games,
        parameters=(CODE, LIMIT, BEFORE_GAME),
        answer=answers.GameList,
        refusals=(404,),
    ),
    Operation(
        method="GET",
        path="/api/tables/{code}/games/{game}",
        handler=api.show_game,
        parameters=(CODE, GAME),
        answer=answers.GameSummary,
        refusals=(404,),
    ),
    Operation(
        method="GET",
        path="/api/tables/{code}/games/{game}/record",
        handler=api.show_record,
        parameters=(CODE, GAME),
        answer_kind=TEXT,
        refusals=(404,),
    ),
    Operation(
        method="GET",
        path="/api/tables/{code}/games/{game}/replay",
        handler=api.show_replay,
        parameters=(CODE, GAME, FIRST, STEPS, LANGUAGE),
        answer=answers.Replay,
        refusals=(404,),
    ),
    Operation(
        method="POST",
        path="/api/replays",
        handler=api.replay_upload,
        parameters=(FIRST, STEPS, LANGUAGE),
        body_kinds=(TEXT,),
        body_bytes=commands.RECORD_BYTES,
        answer=answers.Replay,
        refusals=(409, 413),
    ),
    Operation(
        method="POST",
        path="/api/decks/check",
        handler=own_files.check_deck,
        body_kinds=FILE_KINDS,
        body_bytes=FILE_BYTES,
        answer=answers.CheckedDeck,
        refusals=FILE_REFUSALS,
    ),
    Operation(
        method="POST",
        path="/api/boards/check",
        handler=own_files.check_board,
        body_kinds=FILE_KINDS,
        body_bytes=FILE_BYTES,
        answer=answers.CheckedBoard,
        refusals=FILE_REFUSALS,
    ),
    Operation(
        method="POST",
        path="/api/decks/draft",
        handler=deck_editor.check_draft,
        body=drafts.DraftDeck,
        body_bytes=drafts.DRAFT_BYTES,
        answer=drafts.DraftView,
        refusals=(413,),
    ),
    Operation(
        method="POST",
        path="/api/decks/trial",
        handler=deck_editor.try_draft,
        parameters=(FIRST_TRIAL, TRIALS),
        body=drafts.DraftDeck,
        body_bytes=drafts.DRAFT_BYTES,
        answer=drafts.TrialView,
        refusals=FILE_REFUSALS,
    ),
    Operation(
        method="GET",
        path="/api/tables/{code}/deck",
        handler=own_files.show_deck,
        parameters=(CODE, KEY, LANGUAGE),
        answer=Deck,
        refusals=(404, 409),
    ),
    Operation(
        method="PUT",
        path="/api/tables/{code}/deck",
        handler=own_files.use_deck,
        parameters=(CODE,),
        body_kinds=FILE_KINDS,
        body_bytes=FILE_BYTES,
        answer=messages.Done,
        token=True,
        refusals=(403, 404, *FILE_REFUSALS),
    ),
    Operation(
        method="DELETE",
        path="/api/tables/{code}/deck",
        handler=own_files.drop_deck,
        parameters=(CODE,),
        answer=messages.Done,
        token=True,
        refusals=(403, 404, 409),
    ),
    Operation(
        method="GET",
        path="/api/tables/{code}/board",
        handler=own_files.show_board,
        parameters=(CODE, KEY, LANGUAGE),
        answer=answers.BoardView,
        refusals=(404, 409),
    ),
    Operation(
        method="PUT",
        path="/api/tables/{code}/board",
        handler=own_files.use_board,
        parameters=(CODE,),
        body_kinds=FILE_KINDS,
        body_bytes=FILE_BYTES,
        answer=messages.Done,
        token=True,
        refusals=(403, 404, *FILE_REFUSALS),
    ),
    Operation(
        method="DELETE",
        path="/api/tables/{code}/board",
        handler=own_files.drop_board,
        parameters=(CODE,),
        answer=messages.Done,
        token=True,
        refusals=(403, 404, 409),
    ),
    Operation(
        method="GET",
        path="/api/tables/{code}/board/file",
        handler=own_files.show_board_file,
        parameters=(CODE, KEY),
        answer=answers.CheckedBoard,
        refusals=(404, 409),
    ),
    Operation(
        method="GET",
        path="/api/tables/{code}/floor-plan",
        handler=own_files.show_floor_plan,
        parameters=(CODE, LAYOUT, KEY),
        answer=FloorPlan,
        refusals=(404, 409),
    ),
    Operation(
        method="GET",
        path="/api/tables/{code}/options",
        handler=own_files.show_options,
        parameters=(CODE, LANGUAGE),
        answer=answers.OptionList,
        refusals=(404,),
    ),
    Operation(
        method="GET",
        path="/api/tables/{code}/notices",
        handler=asked_notices.show_notices,
        parameters=(CODE,),
        answer=notices.NoticesView,
        token=True,
        refusals=(404,),
    ),
    Operation(
        method="PUT",
        path="/api/tables/{code}/notices",
        handler=asked_notices.ask_for_notices,
        parameters=(CODE,),
        body=notices.NoticeTarget,
        answer=notices.NoticesView,
        token=True,
        refusals=(404, 409, 413),
    ),
    Operation(
        method="DELETE",
        path="/api/tables/{code}/notices/{id}",
        handler=asked_notices.end_notices,
        parameters=(CODE, SUBSCRIPTION),
        answer=notices.NoticesView,
        token=True,
        refusals=(404,),
    ),
    Operation(
        method="POST",
        path="/api/tables/{code}/notices/test",
        handler=asked_notices.try_notice,
        parameters=(CODE,),
        body=notices.NoticeTest,
        answer=notices.NoticeTried,
        token=True,
        refusals=(404, 409, 413),
    ),
    Operation(
        method="POST",
        path="/api/notices/moved",
        handler=asked_notices.move_push,
        body=notices.PushMoved,
        answer=notices.PushRedirected,
        refusals=(409, 413),
    ),
    Operation(
        method="GET",
        path="/api/lessons",
        handler=lessons.list_lessons,
        parameters=(LANGUAGE,),
        answer=LessonList,
    ),
    Operation(
        method="GET",
        path="/api/lessons/{name}",
        handler=lessons.show_lesson,
        parameters=(LESSON, LESSON_STEP, LANGUAGE),
        answer=LessonView,
        refusals=(404,),
    ),
    Operation(
        method="POST",
        path="/api/lessons/{name}",
        handler=lessons.take_step,
        parameters=(LESSON, LANGUAGE),
        body=LessonChoice,
        answer=LessonAnswer,
        refusals=(404, 409, 413),
    ),
)
