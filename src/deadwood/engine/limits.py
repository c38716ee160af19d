"""Limits of decks and boards that people share. Files on your own computer may be bigger: many predate the limits.

A limit stands beside its field, as JSON Schema writes it, so that the schemas describe it too.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import inspect

from .refusal import Wording, shortened
from .toml_lines import Path

_UNSEEN = r"[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
NO_UNSEEN = {"pattern": _UNSEEN}  # characters that break lines or change the direction of writing


class Broken(NamedTuple):
    """A limit that is broken: what must be different, and where."""

    problem: Wording
    path: Path


def broken_limit(raw: object, kind: type) -> Broken | None:
    """The first limit that data for this type breaks; values of the wrong type are skipped."""
    return next(_broken(raw, inspect.type_info(kind), ()), None)


def _broken(value: Any, kind: inspect.Type, path: Path) -> Iterator[Broken]:
    if isinstance(kind, inspect.Metadata):
        yield from (Broken(problem, path) for problem in _problems(value, kind.extra_json_schema or {}))
        kind = kind.type
    for part, inner, step in _parts(value, kind):
        yield from _broken(part, inner, (*path, *step))


def _parts(value: Any, kind: inspect.Type) -> Iterator[tuple[Any, inspect.Type, Path]]:
    """The values inside a value, with their types and the steps to them."""
    if isinstance(kind, inspect.UnionType):
        yield from ((value, one, ()) for one in kind.types)
    elif isinstance(kind, inspect.StructType) and isinstance(value, dict):
        yield from ((value[field.name], field.type, (field.name,)) for field in kind.fields if field.name in value)
    elif isinstance(kind, inspect.DictType) and isinstance(value, dict):
        for key, item in value.items():
            yield key, kind.key_type, (key,)
            yield item, kind.value_type, (key,)
    elif isinstance(kind, inspect.VarTupleType) and isinstance(value, (list, tuple)):
        yield from ((item, kind.item_type, (at,)) for at, item in enumerate(value))
    elif isinstance(kind, inspect.TupleType) and isinstance(value, (list, tuple)):
        pairs = zip(value, kind.item_types, strict=False)
        yield from ((item, inner, (at,)) for at, (item, inner) in enumerate(pairs))


def _problems(value: Any, limits: dict[str, Any]) -> Iterator[Wording]:
    if isinstance(value, int) and value > limits.get("maximum", value):
        yield Wording("must be at most {most}, not {value}", {"most": limits["maximum"], "value": shown(value)})
    if isinstance(value, str):
        if len(value) > limits.get("maxLength", len(value)):
            lengths = {"most": limits["maxLength"], "length": len(value)}
            yield Wording("must have at most {most} characters, not {length}", lengths)
        if "not" in limits and (unseen := re.search(limits["not"]["pattern"], value)):
            words = "remove the invisible character {code}; it would change how the text around it reads"
            yield Wording(words, {"code": f"U+{ord(unseen[0]):04X}"})
    most = limits.get("maxItems", limits.get("maxProperties"))
    if most is not None and isinstance(value, (dict, list, tuple)) and len(value) > most:
        yield Wording("there may be at most {most}, not {length}", {"most": most, "length": len(value)})


def shown(value: object) -> str:
    """A value as errors show it; Python does not write out numbers of more than 4,300 digits."""
    try:
        return shortened(repr(value))
    except ValueError:
        return "a number with thousands of digits"
