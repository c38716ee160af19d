"""What the host of a served table can choose, as the server describes it: options of the game, and house rules."""

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ..client import Offers, ServedTable
from ..engine.refusal import DeadwoodError
from ..server.protocol.answers import HouseRuleView, OptionView
from ..server.protocol.views import TableView
from .wording import phrase, words

Value = str | int | bool | None


class Setting(Struct, frozen=True, kw_only=True):
    """Something to choose, and its present value; with `examples`, any text like them is allowed."""

    name: str
    label: str
    explanation: str
    present: str
    values: tuple[tuple[Value, str], ...]
    examples: tuple[str, ...] = ()
    is_house_rule: bool = False


def settings_of(view: TableView, offers: Offers) -> list[Setting]:
    """Everything that this table can choose, in the server's order."""
    return [*(_option(view, one) for one in offers.options), *(_house_rule(view, one) for one in offers.house)]


def _option(view: TableView, option: OptionView) -> Setting:
    values = [(one.value, one.label) for one in option.values]
    if option.names:
        values += [(chair.name, chair.name) for chair in view.chairs]
    is_own = option.name == "deck" and view.deck.key is not None
    chosen = view.deck.name if is_own else getattr(view.options, option.name)
    return Setting(
        name=option.name,
        label=option.label,
        explanation=option.explanation,
        present=_label(chosen, values),
        values=tuple(values),
        examples=option.examples,
    )


def _house_rule(view: TableView, rule: HouseRuleView) -> Setting:
    values = tuple((one.value, one.label) for one in rule.values)
    return Setting(
        name=rule.name,
        label=rule.label,
        explanation=rule.explanation,
        present=_label(getattr(view.house, rule.name), values),
        values=values,
        is_house_rule=True,
    )


def _label(chosen: Value, values: Sequence[tuple[Value, str]]) -> str:
    return next((label for value, label in values if value == chosen), str(chosen))


def typed_form(value: Value) -> str:
    """What people type for a value."""
    if value is None:
        return phrase("hosting.none")
    return phrase("plain.yes" if value else "hosting.no") if isinstance(value, bool) else str(value)


def find_setting(settings: Sequence[Setting], typed: str) -> Setting:
    """The setting that somebody types, by name or label; an unambiguous beginning is enough."""
    wanted = typed.casefold()
    names = [(one, (one.name, one.label.casefold())) for one in settings]
    exact = [one for one, called in names if wanted in called]
    found = exact or [one for one, called in names if any(name.startswith(wanted) for name in called)]
    if not typed or len(found) != 1:
        choices = tuple(one.name for one in found or settings)
        raise DeadwoodError(phrase("hosting.which_setting", choices=choices))
    return found[0]


def read_value(setting: Setting, typed: str) -> Value:
    """The value that somebody means; free text is left for the server to validate."""
    wanted = typed.casefold()
    for value, label in setting.values:
        if wanted in {label.casefold(), *_forms(value)}:
            return value
    if setting.examples and typed:
        return typed
    choices = tuple(typed_form(value) for value, _ in setting.values)
    raise DeadwoodError(phrase("hosting.which_value", setting=setting.label, choices=choices))


def _forms(value: Value) -> Iterator[str]:
    """Everything that people may type for a value, in lower case."""
    yield typed_form(value).casefold()
    if value is None:
        yield "none"
    elif isinstance(value, bool):
        yield from words("words.yes" if value else "words.no")
    else:
        yield str(value).casefold()


async def choose(table: ServedTable, setting: Setting, value: Value) -> None:
    """Change a setting, unless it has this value already: everybody would have to be ready again for nothing."""
    if _label(value, setting.values) == setting.present:
        return
    await (table.set_house if setting.is_house_rule else table.choose)(**{setting.name: value})
