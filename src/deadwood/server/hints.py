"""What the strongest bot thinks of a state."""

from ..bots import make, names
from ..engine import rules
from ..engine.notation import format_action
from ..engine.state import State
from .wire import Advised


def advise(state: State) -> tuple[str, tuple[Advised, ...]]:
    """The strongest bot's name, and all legal actions, its own choice first."""
    strongest = names()[-1]
    legal = rules.legal_actions(state)
    chosen = make(strongest).decide(state, legal)
    ordered = (chosen, *(action for action in legal if action != chosen))
    reasons = {chosen: f"The bot '{strongest}' would do this."}
    return strongest, tuple(Advised(format_action(action), None, reasons.get(action, "")) for action in ordered)
