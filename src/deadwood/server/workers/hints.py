"""What the strongest bot thinks of a state."""

from ...bots import USUAL_SECONDS, advice, strongest
from ...engine.notation import format_action
from ...engine.state import State
from ...narration import narrate
from ..protocol.messages import Advised


def advise(state: State, language: str) -> tuple[str, tuple[Advised, ...]]:
    """The strongest bot's name, and what it thinks of all legal actions, the best first."""
    bot = strongest()
    thoughts = advice(bot, state, seconds=USUAL_SECONDS)
    return bot, tuple(Advised(format_action(one.action), one.value, narrate(one.reason, language)) for one in thoughts)
