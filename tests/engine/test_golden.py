"""Games that must replay to the same result forever, and exact counts from positions in them."""

from pathlib import Path

import msgspec
import pytest

from deadwood import Game
from deadwood.engine.verify import verify

from .perft import perft

FOLDER = Path(__file__).parent
RECORDS = sorted((FOLDER / "golden").glob("*.deadwood"))
COUNTS = msgspec.json.decode((FOLDER / "perft.json").read_bytes())


def test_there_are_records_of_every_kind():
    games = [Game.load(path).state.table for path in RECORDS]
    assert len(games) >= 20
    assert {len(table.names) for table in games} == set(range(2, 9))
    for option in ("deck", "ties", "bonus", "dice"):
        assert len({getattr(table.options, option) for table in games}) == 2
    assert {table.days for table in games} == {1, 2, 3, 4}
    assert len({table.options.layout for table in games}) >= 8


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_golden_records_replay(path):
    text = path.read_text(encoding="utf-8")
    assert Game.from_record(text).record() == text
    assert "failed" not in {check.verdict for check in verify(text)}


@pytest.mark.parametrize("count", COUNTS, ids=lambda count: f"{count['record']}-{count['actions']}")
def test_exact_counts(count):
    """`actions` of the record are played; then all paths of 1, 2, ... more actions are counted."""
    (path,) = (path for path in RECORDS if path.name.startswith(count["record"]))
    header, _, body = path.read_text(encoding="utf-8").partition("\n\n")
    lines = body.split("\n")[: count["actions"]]
    state = Game.from_record("\n".join([header, "", *lines])).state
    assert perft(state, len(count["paths"])) == count["paths"]
