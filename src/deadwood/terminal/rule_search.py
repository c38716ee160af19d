"""Finding something in the rules."""

from collections.abc import Sequence

from ..narration import rules_text
from .wording import language, phrase


def found_rules(words: Sequence[str]) -> str:
    """The paragraphs of the rules that have all these words, below their headings; without words, all rules."""
    if not words:
        return rules_text(language())
    wanted = [word.casefold() for word in words]
    lines, heading = list[str](), ""
    for paragraph in rules_text(language()).split("\n\n"):
        if paragraph.startswith("#"):
            heading = paragraph
        elif all(word in paragraph.casefold() for word in wanted):
            lines.extend(filter(None, (heading, paragraph)))
            heading = ""
    return "\n\n".join(lines) or phrase("rules.not_found", text=" ".join(words))
