"""Talk: what people say at a table besides the game. It is never part of a log, a record or a replay."""

from typing import Literal

from msgspec import Struct

TALK_LENGTH = 300  # characters, after NFC
Reaction = Literal["hat", "badge", "horseshoe", "mug", "bang", "cactus", "tumbleweed", "skull"]


class TalkLine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What somebody said, as text, or a reaction. Its number is the microsecond in which it was said.

    A player has a `chair`. A spectator has a `voice` instead, which stays the same at this table even if the name
    changes.
    """

    number: int
    name: str
    chair: int | None = None
    voice: str | None = None
    text: str = ""
    reaction: Reaction | None = None


class Said(Struct, frozen=True, kw_only=True, tag_field="type", tag="said"):
    """Somebody said something. It is not in the log, so it has no `seq`."""

    line: TalkLine


class TalkCleared(Struct, frozen=True, kw_only=True, tag_field="type", tag="talk_cleared"):
    """The host cleared the talk: every line up to this number is gone."""

    number: int


class Heard(Struct, frozen=True, kw_only=True, tag_field="type", tag="heard"):
    """The answer to a talk command: the number of the line. After `clear_talk`, that of the last line deleted."""

    id: str
    number: int


TalkMessage = Said | TalkCleared
