"""How everybody's score rises through a game, drawn with characters."""

from collections.abc import Sequence

from rich.text import Text

from ..engine.scoring import scores
from ..engine.seats import Seat
from ..engine.state import State
from .pieces import look

BARS = "▁▂▃▄▅▆▇█"


def worth_lines(states: Sequence[State], seats: Sequence[Seat], place: int, width: int) -> list[Text]:
    """A line for each player: the score from the first action to the last, all to one scale, and what it is now.

    Everything after `place` is dim.
    """
    by_state = [scores(state) for state in states]
    most = max(map(max, by_state))
    names = states[0].table.names
    longest = max(map(len, names))
    columns = min(width, len(states))
    shown = [column * (len(states) - 1) // max(columns - 1, 1) for column in range(columns)]
    passed = sum(number <= place for number in shown)
    lines = []
    for seat, name in enumerate(names):
        bars = "".join(BARS[by_state[number][seat] * (len(BARS) - 1) // max(most, 1)] for number in shown)
        die = look(seats[seat])
        line = Text(f"{die.symbol} {name:{longest}} ", die.colour).append(bars[:passed], die.colour)
        lines.append(line.append(bars[passed:], "dim").append(f" {by_state[place][seat]:>4}", "bold"))
    return lines
