"""Line editing, history and completion for the plain mode at a terminal."""

from collections.abc import Iterator, Sequence

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.output import Output, create_output
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.shortcuts import CompleteStyle

from ..interruption import terminated_as_by_ctrl_c


class EditedPrompt:
    """Asks for lines that can be edited; Up and Down go through earlier ones, and Tab completes what is offered."""

    def __init__(self, offered: Sequence[str]) -> None:
        """`offered` is read again whenever somebody completes a word."""
        self._session: PromptSession[str] = PromptSession(
            completer=_OfferCompleter(offered),
            complete_style=CompleteStyle.READLINE_LIKE,
            complete_while_typing=False,
            output=terminal_output(),
        )

    def __call__(self, prompt: str) -> str:
        with terminated_as_by_ctrl_c():
            return self._session.prompt(ANSI(prompt))


class _OfferCompleter(Completer):
    """Completes the whole line, not its last word: `move s` becomes `move saloon`."""

    def __init__(self, offered: Sequence[str]) -> None:
        self._offered = offered

    def get_completions(self, document: Document, _event: CompleteEvent) -> Iterator[Completion]:
        typed = document.text_before_cursor.lstrip()
        for text in completions(typed, self._offered):
            yield Completion(text, start_position=-len(typed))


def completions(typed: str, offered: Sequence[str]) -> list[str]:
    """The lines offered that begin with what was typed."""
    return [text for text in offered if text.startswith(typed.casefold())]


def terminal_output() -> Output:
    """An output that never asks the terminal for its cursor: not all terminals answer, and nothing here needs it."""
    output = create_output()
    if isinstance(output, Vt100_Output):
        output.enable_cpr = False
    return output
