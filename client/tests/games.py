"""For tests of the client, as JSON on standard output: whole recorded games, lessons, the board, and floor plans."""

import sys
from pathlib import Path

import msgspec

from deadwood.engine.board import built_in_board
from deadwood.kit import section_plans
from deadwood.lessons import LESSONS, built_in_lesson
from deadwood.server.lessons import lesson_view
from deadwood.server.tables.catalogue import board_plan, board_view
from deadwood.server.workers.replaying import replay

RECORDS = Path(__file__).parents[2] / "tests" / "engine" / "golden"
CHOSEN = ("01", "03", "07", "10", "15", "19", "24", "25")  # 2 to 8 players, turned sections, both decks, all options
LAYOUTS = ("standard", "G'M/CH", "GMCH", "G./M./CH'")


def main() -> None:
    """Write everything."""
    records = [path.read_text("utf-8") for number in CHOSEN for path in RECORDS.glob(f"{number}-*")]
    games = [replay(text, 0, len(text), "en") for text in records]
    plans = {layout: board_plan(layout, built_in_board()) for layout in LAYOUTS}
    board, sections = board_view(built_in_board()), section_plans(built_in_board())
    lessons = {
        name: [lesson_view(name, step, "en") for step in range(built_in_lesson(name).steps + 1)] for name in LESSONS
    }
    everything = {"games": games, "board": board, "plans": plans, "sections": sections, "lessons": lessons}
    sys.stdout.buffer.write(msgspec.json.encode(everything))


if __name__ == "__main__":
    main()
