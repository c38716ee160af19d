"""Messages: a notice in words, in the language of the person who asked for it."""

from msgspec import Struct

from ...engine.scoring import winners
from ...narration import NoticeText, narrate
from ..tables.log import Chair
from ..tables.sitting import Sitting

A_DAY = 86_400.0  # seconds after which a notice is of no use


class Message(Struct, frozen=True, kw_only=True):
    """All that a notice says. `seconds` is how long it is of use."""

    kind: str
    tag: str
    table: str
    game: int
    player: str
    title: str
    body: str
    link: str
    seconds: int


def written(kind: str, tag: str, sitting: Sitting, chair: Chair, link: str, language: str, age: float = 0.0) -> Message:
    """What a notice says about a table now."""
    host = sitting.name(sitting.host or 0)
    title = NoticeText("title", {"host": host}) if host else NoticeText("title_alone")
    return Message(
        kind=kind,
        tag=tag,
        table=sitting.code,
        game=sitting.opened.game,
        player=chair.name,
        title=narrate(title, language),
        body=narrate(_body(kind, sitting, chair), language),
        link=link,
        seconds=max(0, round(A_DAY - age)),
    )


def _body(kind: str, sitting: Sitting, chair: Chair) -> NoticeText:
    game = sitting.game
    if kind != "over" or game is None:
        return NoticeText(kind, {"player": chair.name})
    if game.called_off:
        return NoticeText("called_off")
    return NoticeText("over", {"winners": winners(game.standings())})
