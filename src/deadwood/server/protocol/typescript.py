"""Commands and messages as TypeScript types; `python -m deadwood.server.protocol.typescript` prints them."""

from collections.abc import Iterable, Iterator
from functools import singledispatch

import msgspec.inspect as kinds

from ...engine.deck import Deck
from ...engine.events import Event
from ...engine.floor_plan import FloorPlan
from . import answers, commands, drafts, lessons, messages, notices

SENT = (
    commands.Hello,
    commands.AnyCommand,
    commands.NewTable,
    commands.KnownTables,
    commands.NewBundle,
    commands.KitFiles,
    lessons.LessonChoice,
    notices.NoticeTarget,
    notices.NoticeTest,
    notices.PushMoved,
)
RECEIVED = (
    messages.Message,
    answers.TableList,
    answers.MyTables,
    answers.Bundle,
    answers.Made,
    answers.GameSummary,
    answers.GameList,
    answers.Replay,
    answers.About,
    answers.OptionList,
    answers.BoardView,
    answers.KitView,
    answers.CheckedDeck,
    answers.CheckedBoard,
    drafts.DraftView,
    drafts.TrialView,
    lessons.LessonList,
    lessons.LessonAnswer,
    notices.NoticesView,
    notices.NoticeTried,
    FloorPlan,
    Deck,
)
ALIASES = {
    "Command": commands.AnyCommand,
    "Message": messages.Message,
    "GameEvent": Event,
    "NoticeTarget": notices.NoticeTarget,
}
HEAD = "// Written by `python -m deadwood.server.protocol.typescript > client/src/wire.ts`; a test holds it.\n"


def document() -> str:
    """All types, in alphabetical order."""
    structs = {one.cls.__name__: one for one in _structs(kinds.multi_type_info((*SENT, *RECEIVED)))}
    received = {one.cls.__name__ for one in _structs(kinds.multi_type_info(RECEIVED))}
    declared = [_interface(structs[name], name in received) for name in sorted(structs)]
    aliases = [f"export type {name} = {_typescript(kinds.type_info(kind))};" for name, kind in sorted(ALIASES.items())]
    return HEAD + "\n" + "\n\n".join([*declared, *aliases]) + "\n"


def _structs(found: Iterable[kinds.Type]) -> Iterator[kinds.StructType]:
    """Every struct that these types consist of, once."""
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


def _interface(struct: kinds.StructType, received: bool) -> str:
    """A struct as an interface. Clients may omit fields with defaults; the server does so only with `omit_defaults`."""
    tag = [f'  {struct.tag_field}: "{struct.tag}";'] if struct.tag_field else []
    optional_defaults = not received or struct.cls.__struct_config__.omit_defaults
    fields = [_field(field, optional_defaults) for field in struct.fields]
    return "\n".join([f"export interface {struct.cls.__name__} {{", *tag, *fields, "}"])


def _field(field: kinds.Field, optional_defaults: bool) -> str:
    optional = "?" if optional_defaults and not field.required else ""
    return f"  {field.encode_name}{optional}: {_typescript(field.type)};"


@singledispatch
def _typescript(kind: kinds.Type) -> str:
    raise TypeError(f"{kind} has no TypeScript type yet")


@_typescript.register
def _(_kind: kinds.StrType) -> str:
    return "string"


@_typescript.register(kinds.IntType)
@_typescript.register(kinds.FloatType)
def _(_kind: kinds.Type) -> str:
    return "number"


@_typescript.register
def _(_kind: kinds.BoolType) -> str:
    return "boolean"


@_typescript.register
def _(_kind: kinds.NoneType) -> str:
    return "null"


@_typescript.register
def _(kind: kinds.LiteralType) -> str:
    return " | ".join(f'"{value}"' if isinstance(value, str) else str(value) for value in kind.values)


@_typescript.register
def _(kind: kinds.UnionType) -> str:
    return " | ".join(map(_typescript, kind.types))


@_typescript.register(kinds.VarTupleType)
@_typescript.register(kinds.ListType)
def _(kind: kinds.VarTupleType | kinds.ListType) -> str:
    return f"readonly ({_typescript(kind.item_type)})[]"


@_typescript.register
def _(kind: kinds.TupleType) -> str:
    return f"readonly [{', '.join(map(_typescript, kind.item_types))}]"


@_typescript.register
def _(kind: kinds.DictType) -> str:
    return f"Record<string, {_typescript(kind.value_type)}>"


@_typescript.register
def _(kind: kinds.Metadata) -> str:
    return _typescript(kind.type)


@_typescript.register
def _(kind: kinds.StructType) -> str:
    return kind.cls.__name__


if __name__ == "__main__":
    print(document(), end="")
