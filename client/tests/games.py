"""Whole recorded games, as the server tells them, for tests of the client: JSON on standard output."""

import sys
from pathlib import Path

import msgspec

from deadwood.engine.board import built_in_board
from deadwood.server.workers.replaying import replay

RECORDS = Path(__file__).parents[2] / "tests" / "engine" / "golden"
CHOSEN = ("01", "03", "07", "10", "15", "19", "24", "25")  # 2 to 8 players, turned sections, both decks, all options


def main() -> None:
    """Tell them all."""
    records = [path.read_text("utf-8") for number in CHOSEN for path in RECORDS.glob(f"{number}-*")]
    areas = [{name: getattr(area, name) for name in ("id", "name", "kind", "shots")} for area in built_in_board().areas]
    told = {"areas": areas, "games": [replay(text, 0, len(text), "en") for text in records]}
    sys.stdout.buffer.write(msgspec.json.encode(told))


if __name__ == "__main__":
    main()
