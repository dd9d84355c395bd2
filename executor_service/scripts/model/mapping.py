"""How a mapping of the script language is stated: one frozen pydantic dataclass per mapping.

A field is a key: its type holds the limits; `help.yaml` holds what an editor shows. The loader, the
checks of keys and the JSON Schema all read these statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType, NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, dataclass_transform, get_args, get_origin

from pydantic import ConfigDict, Field, TypeAdapter
from pydantic.dataclasses import dataclass as pydantic_dataclass
from pydantic.fields import FieldInfo

from executor_service.scripts.model.texts import help_texts
from heartrule.words.words import Said

_Model = TypeVar("_Model")
_STRICT = ConfigDict(strict=True, arbitrary_types_allowed=True)
_NONE: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Which keys a mapping may have, and the advice about others."""

    what: Said
    """Its name in messages, such as `a topic`."""
    keys: tuple[str, ...]
    older: Mapping[str, str] = field(default_factory=dict)
    """Deprecated names → today's."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Names that were never right → the right one."""
    why_not: Mapping[str, Said] = field(default_factory=dict)
    """Keys of similar mappings → why this one does not have them."""
    item: str = ""
    """How to write one where a list has something else; `{}` is filled with that."""
    definition: str = ""
    """Its name in the JSON Schema; "" states it wherever it is used."""


@dataclass(frozen=True, slots=True)
class Named:
    """The key's name where it is not that of the attribute."""

    key: str


@dataclass(frozen=True, slots=True)
class WrittenAs:
    """The type of what an author writes, where a later step makes something else of it."""

    kind: Any


@dataclass(frozen=True, slots=True)
class Defined:
    """The name of a value's definition in the JSON Schema."""

    name: str


@dataclass(frozen=True, slots=True)
class Needs:
    """What the message about a missing value adds."""

    advice: Said


@dataclass(frozen=True, slots=True)
class Once:
    """Items of a list that differ by `key`; `what` names one of them in messages."""

    what: Said
    key: str = ""
    text: str = "twice"
    """The code of the finding about an item that is repeated."""


@dataclass(frozen=True, slots=True)
class OneOf:
    """Words of which a list that is written has at least one; its check sees to that."""

    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to write instead of a value of the wrong type."""

    what: Said


@dataclass(frozen=True, slots=True)
class AsWritten:
    """Values of these types are taken as the text they were written with."""

    kinds: tuple[type, ...]


class HasPlaceholders:
    """A text whose placeholders read variables."""


class Reads:
    """A name whose variable is read."""


class AtLeastOne:
    """A list that has an item wherever it is needed; the loader and its checks see to that."""


class Inferred:
    """A word that follows from its place where it is left out, whatever the default."""


class Derived:
    """An attribute that is no key: the loader sets it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """One key of a mapping, as its field states it."""

    name: str
    attribute: str
    kind: Any
    """The type of what is written, with its constraints; None is taken off."""
    item: Any
    """The type of the items where it is a list; None for others."""
    part: type | None
    """The model of what is written, or of each item; None for plain values."""
    required: bool
    default: Any
    mapping: str
    """The name of the model that states it."""
    marks: Mapping[type, Any]

    @property
    def help(self) -> str:
        """What an editor shows beside it."""
        return help_texts().get(self.mapping, {}).get(self.name, "")

    @property
    def core(self) -> Any:
        """The type of the value, or of an item, without its constraints."""
        return _core(self.kind if self.item is None else self.item)

    @property
    def by_hand(self) -> bool:
        """True where a later step reads the value, as its type is not what is written."""
        return self.part is None and self.mark(WrittenAs) is not None

    @property
    def blank(self) -> Any:
        """What stands for a value that is missing, or does not fit."""
        if not self.required:
            return self.default
        if self.item is not None:
            return ()
        return "" if self.core is str else None

    def mark(self, kind: type[_Model]) -> _Model | None:
        """Return the mark of a kind that the field's type carries; None without one."""
        found: _Model | None = self.marks.get(kind)
        return found

    def adapter(self) -> TypeAdapter[Any]:
        """Return the validator of the value, or of one item of a list."""
        return _adapter(self.kind if self.item is None else self.item)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(Field, field))
def mapping(
    what: Said,
    *,
    item: str = "",
    definition: str = "",
    older: Mapping[str, str] = _NONE,
    aliases: Mapping[str, str] = _NONE,
    why_not: Mapping[str, Said] = _NONE,
) -> Callable[[type[_Model]], type[_Model]]:
    """Make a class the model of a mapping; the arguments are those of its `Shape`."""

    def made(written: type[_Model]) -> type[_Model]:
        make: Any = pydantic_dataclass(frozen=True, slots=True, kw_only=True, config=_STRICT)
        model: type[_Model] = make(written)
        _KEYS[model] = tuple(_keys(model))
        _SHAPES[model] = Shape(
            what=what,
            keys=tuple(key.name for key in _KEYS[model]),
            older=older,
            aliases=aliases,
            why_not=why_not,
            item=item,
            definition=definition,
        )
        return model

    return made


def changed(made: _Model, **attributes: Any) -> _Model:
    """Return a copy with other attributes; what a mistake left blank is not refused again."""
    copied = copy(made)
    for name, value in attributes.items():
        object.__setattr__(copied, name, value)
    return copied


def shape_of(model: type) -> Shape:
    """Return the keys of a mapping, and the advice about others."""
    return _SHAPES[model]


def keys_of(model: type) -> tuple[Key, ...]:
    """Return the keys of a mapping in the order they are stated."""
    return _KEYS[model]


def is_mapping(kind: object) -> bool:
    """Return whether a type is the model of a mapping."""
    return isinstance(kind, type) and kind in _SHAPES


_SHAPES: dict[type, Shape] = {}
_KEYS: dict[type, tuple[Key, ...]] = {}


def _keys(model: type) -> Iterator[Key]:
    fields: dict[str, FieldInfo] = model.__pydantic_fields__  # type: ignore[attr-defined]  # pydantic sets it
    for name, info in fields.items():
        key = _key(model, name, info)
        if key.mark(Derived) is None:
            yield key


def _key(model: type, attribute: str, info: FieldInfo) -> Key:
    hint = Annotated[(info.annotation, *info.metadata)] if info.metadata else info.annotation
    marks = _marks(hint)
    written = marks.get(WrittenAs)
    kind = _without_none(hint if written is None else written.kind)
    item = _item(kind)
    named = marks.get(Named)
    name = attribute if named is None else named.key
    core = _core(kind if item is None else item)
    return Key(
        name=name,
        attribute=attribute,
        kind=kind,
        item=item,
        part=core if is_mapping(core) else None,
        required=info.is_required(),
        default=None if info.is_required() else info.get_default(call_default_factory=True),
        mapping=model.__name__,
        marks={**_marks(item), **_marks(kind), **marks},
    )


def _marks(hint: Any) -> dict[type, Any]:
    metadata = hint.__metadata__ if get_origin(hint) is Annotated else ()
    return {type(each): each for each in metadata}


def _core(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _without_none(hint: Any) -> Any:
    """Return a type without `None`, its marks kept."""
    core = _core(hint)
    if get_origin(core) not in {Union, UnionType}:
        return hint
    kinds = [each for each in get_args(core) if each is not NoneType]
    inner = kinds[0] if len(kinds) == 1 else Union[tuple(kinds)]  # noqa: UP007  made at run time
    marks = hint.__metadata__ if get_origin(hint) is Annotated else ()
    return Annotated[(inner, *marks)] if marks else inner


def _item(kind: Any) -> Any:
    core = _core(kind)
    if get_origin(core) in {tuple, frozenset}:
        return get_args(core)[0]
    return None


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    config = None if is_mapping(_core(kind)) else _STRICT
    return TypeAdapter(kind, config=config)
