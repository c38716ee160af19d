"""The messages as TypeScript types, for the client: `python -m deadwood.server.protocol.typescript` prints them."""

from collections.abc import Iterable, Iterator
from functools import singledispatch

import msgspec.inspect as kinds

from ...engine.deck import Deck
from ...engine.events import Event
from . import commands, messages

SAID = (commands.Hello, commands.AnyCommand, commands.NewTable)
HEARD = (
    messages.Answer | messages.Update | messages.Problem | messages.Asked | messages.Present | messages.Goodbye,
    messages.TableList,
    messages.Made,
    messages.GameSummary,
    messages.GameList,
    messages.Replay,
    messages.About,
    messages.BoardView,
    Deck,
)
ALIASES = {"Command": commands.AnyCommand, "Message": HEARD[0], "GameEvent": Event}
HEAD = "// Written by `python -m deadwood.server.protocol.typescript > client/src/wire.ts`; a test holds it.\n"


def document() -> str:
    """All types, in the order of their names."""
    structs = {one.cls.__name__: one for one in _structs(kinds.multi_type_info((*SAID, *HEARD)))}
    heard = {one.cls.__name__ for one in _structs(kinds.multi_type_info(HEARD))}
    declared = [_interface(structs[name], name in heard) for name in sorted(structs)]
    aliases = [f"export type {name} = {_told(kinds.type_info(kind))};" for name, kind in sorted(ALIASES.items())]
    return HEAD + "\n" + "\n\n".join([*declared, *aliases]) + "\n"


def _structs(found: Iterable[kinds.Type]) -> Iterator[kinds.StructType]:
    """Every struct that these types are made of, once."""
    waiting, seen = list(found), set[type]()
    while waiting:
        one = waiting.pop()
        if isinstance(one, kinds.StructType):
            if one.cls in seen:
                continue
            seen.add(one.cls)
            yield one
        waiting += _parts(one)


def _parts(one: kinds.Type) -> list[kinds.Type]:
    match one:
        case kinds.StructType():
            return [field.type for field in one.fields]
        case kinds.UnionType():
            return list(one.types)
        case kinds.VarTupleType() | kinds.ListType():
            return [one.item_type]
        case kinds.TupleType():
            return list(one.item_types)
        case kinds.DictType():
            return [one.value_type]
        case kinds.Metadata():
            return [one.type]
        case _:
            return []


def _interface(struct: kinds.StructType, heard: bool) -> str:
    """What is said may lack what has a default; what is heard lacks it only where defaults are left out."""
    tag = [f'  {struct.tag_field}: "{struct.tag}";'] if struct.tag_field else []
    may_lack = not heard or struct.cls.__struct_config__.omit_defaults
    fields = [_field(field, may_lack) for field in struct.fields]
    return "\n".join([f"export interface {struct.cls.__name__} {{", *tag, *fields, "}"])


def _field(field: kinds.Field, may_lack: bool) -> str:
    optional = "?" if may_lack and not field.required else ""
    return f"  {field.encode_name}{optional}: {_told(field.type)};"


@singledispatch
def _told(kind: kinds.Type) -> str:
    raise TypeError(f"{kind} has no TypeScript type yet")


@_told.register
def _(_kind: kinds.StrType) -> str:
    return "string"


@_told.register(kinds.IntType)
@_told.register(kinds.FloatType)
def _(_kind: kinds.Type) -> str:
    return "number"


@_told.register
def _(_kind: kinds.BoolType) -> str:
    return "boolean"


@_told.register
def _(_kind: kinds.NoneType) -> str:
    return "null"


@_told.register
def _(kind: kinds.LiteralType) -> str:
    return " | ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in kind.values)


@_told.register
def _(kind: kinds.UnionType) -> str:
    return " | ".join(map(_told, kind.types))


@_told.register(kinds.VarTupleType)
@_told.register(kinds.ListType)
def _(kind: kinds.VarTupleType | kinds.ListType) -> str:
    return f"readonly ({_told(kind.item_type)})[]"


@_told.register
def _(kind: kinds.TupleType) -> str:
    return f"readonly [{', '.join(map(_told, kind.item_types))}]"


@_told.register
def _(kind: kinds.DictType) -> str:
    return f"Record<string, {_told(kind.value_type)}>"


@_told.register
def _(kind: kinds.Metadata) -> str:
    return _told(kind.type)


@_told.register
def _(kind: kinds.StructType) -> str:
    return kind.cls.__name__


if __name__ == "__main__":
    print(document(), end="")
