"""Makes a mapping's model from its section: node by node, each mistake reported at its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeVar

from annotated_types import Ge, Le, MaxLen, MinLen
from pydantic import ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from executor_service.scripts.checking.board import AFTER_ALL, Owner, order_of
from executor_service.scripts.checking.context import PlacedRead, ReadContext, bounded_reads
from executor_service.scripts.checking.placeholders import Read
from executor_service.scripts.loading.section import Section, complain, no_word
from executor_service.scripts.loading.tree import (
    ListNode,
    LostNode,
    MapNode,
    Node,
    ScalarNode,
    to_json,
)
from executor_service.scripts.loading.wrong_values import wrong
from executor_service.scripts.model.findings import Spot
from executor_service.scripts.model.limits import Counted
from executor_service.scripts.model.mapping import (
    AsWritten,
    HasPlaceholders,
    Key,
    Needs,
    Once,
    Reads,
    Wanted,
    keys_of,
    shape_of,
)
from executor_service.scripts.model.wording import quoted
from heartrule.domain.output_type import OutputType
from heartrule.words.words import Fact, Said, say

_Model = TypeVar("_Model")
Check = Callable[[Section, Any, "Reader"], Any]
"""Looks over what was made of a section, and returns it, or what the script means instead."""
_SESSION = Owner()


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the mappings of one place of a script, and notes the variables they read."""

    context: ReadContext
    checks: Mapping[type, Check]
    """Made on a mapping of a model as soon as it was read."""
    topic: Owner = _SESSION
    action: int | None = None
    """Index within the topic; None when the text is in the prompt of every action of the topic."""

    def at(self, topic: Owner, action: int | None = None) -> Reader:
        """Return the reader of another place of the same file."""
        return replace(self, topic=topic, action=action)

    def inside(self, model: type[_Model], node: MapNode, **given: Any) -> tuple[Section, Any]:
        """Return the keys of a mapping and its model; see `part`."""
        section = Section(node, shape_of(model), self.context.findings)
        return section, self.part(model, section, **given)

    def item(self, model: type, node: Node, **given: Any) -> tuple[Section, Any] | None:
        """Return what `inside` does for an item of a list; None, and a finding, for another."""
        if isinstance(node, MapNode):
            return self.inside(model, node, **given)
        shape, shown = shape_of(model), node.text if isinstance(node, ScalarNode) else "变量名"
        wrong(node, shape.what, shape.item.replace("{}", shown), self.context.findings)
        return None

    def declared_type(self, name: str) -> OutputType | None:
        """Return the type that the author declared for a variable; None where none is named."""
        return self.context.board.explicit_type(name, self.topic)

    def yields(self, name: str, kind: OutputType, spot: Spot) -> None:
        """Note that the action gathers `name`, written at `spot`."""
        self.context.take(Counted.OUTPUTS, spot)
        self.context.yields.add(name, self.topic, kind)
        self.context.outputs.append((name, spot))

    def reads_text(self, node: Node) -> None:
        """Note the placeholders in a text."""
        if isinstance(node, ScalarNode):
            for read in bounded_reads(node, self.context):
                self._note(read)

    def _note(self, read: Read) -> None:
        until = order_of(self.topic, AFTER_ALL if self.action is None else self.action)
        self.context.note(PlacedRead(read, self.topic, until))

    def part(self, model: type[_Model], section: Section, **given: Any) -> Any:
        """Return the model of a section; what does not fit is reported and has its default.

        Args:
            model: Which mapping it is.
            section: Its keys.
            given: Attributes that are known already.
        """
        values = dict(given)
        for key in keys_of(model):
            if key.attribute not in given:
                values[key.attribute] = self._value(key, section)
        made, check = _made(model, values), self.checks.get(model)
        return made if check is None else check(section, made, self)

    def _value(self, key: Key, section: Section) -> Any:
        """Return the value of a key; where there is none that fits, what stands for it."""
        if key.by_hand:
            return key.blank
        node, value = section.node(key.name), None
        if node is not None and not isinstance(node, LostNode):
            value = self._read(key, node, section)
        if value is None and key.required and key.name not in section.broken:
            _miss(key, section)
        return key.blank if value is None else value

    def _read(self, key: Key, node: Node, section: Section) -> Any:
        """Return what was written under a key; None where it does not fit."""
        if key.item is not None:
            return self._items(key, node, section)
        if key.part is None:
            self._note_value(key, node)
            return _checked(key, node, section)
        if isinstance(node, MapNode):
            return self._kept(key, self.inside(key.part, node), section)
        wanted = say("wanted.mapping_with", keys=shape_of(key.part).keys)
        wrong(node, f"`{key.name}`", wanted, section.findings)
        section.broken.add(key.name)
        return None

    def _items(self, key: Key, node: Node, section: Section) -> tuple[Any, ...] | None:
        """Return the items of a list, without those that do not fit and those that stand twice."""
        nodes, most = section.items(key.name), key.mark(MaxLen)
        if most is not None and len(nodes) > most.max_length:
            spot = nodes[most.max_length]
            section.findings.report("too_many", spot, most=most.max_length, key=key.name)
            section.broken.add(key.name)
            return None
        if not isinstance(node, ListNode):
            section.broken.add(key.name)
            return None
        if not nodes and key.mark(MinLen) is not None:
            _miss(key, section)
        once, found = key.mark(Once), dict[object, Any]()
        for index, each in enumerate(nodes):
            value = self._item(key, each, section)
            name = getattr(value, once.key, None) if once and once.key else value
            if name is None or name == "":
                continue
            if once is not None and name in found:
                facts: dict[str, Fact] = {
                    "what": once.what,
                    "name": name,
                    "shown": quoted(str(name)),
                }
                section.findings.report(once.text, each, **facts)
            found.setdefault(index if once is None else name, value)
        return tuple(found.values())

    def _item(self, key: Key, node: Node, section: Section) -> Any:
        """Return one item; None where it does not fit."""
        if key.part is None:
            value = _checked(key, node, section)
            if value:
                self._note_value(key, node)
            return value
        read = self.item(key.part, node)
        return None if read is None else self._kept(key, read, section)

    def _kept(self, key: Key, read: tuple[Section, Any], section: Section) -> Any:
        section.inner.setdefault(key.name, []).append(read)
        return read[1]

    def _note_value(self, key: Key, node: Node) -> None:
        """Note the variables that a value reads."""
        if key.mark(HasPlaceholders):
            self.reads_text(node)
        if key.mark(Reads) and isinstance(node, ScalarNode):
            self._note(Read(name=node.text.strip(), spot=node))


def _plain(key: Key, node: Node) -> Any:
    """Return a node's value, or its text where that is what counts."""
    as_written = key.mark(AsWritten)
    if as_written is not None and isinstance(node, ScalarNode):
        return node.text if type(node.value) in as_written.kinds else node.value
    return to_json(node)


def _checked(key: Key, node: Node, section: Section) -> Any:
    """Return a value or an item as its type takes it; None, and a finding, where it does not."""
    if isinstance(node, LostNode):
        return None
    try:
        return key.adapter().validate_python(_plain(key, node))
    except ValidationError as error:
        refused = error.errors()[0]
    if key.item is None and refused["type"] == "string_too_short":
        _miss(key, section)  # to an author, a blank text is none
    else:
        _report(key, refused, node, section)
        section.broken.add(key.name)
    return None


def _miss(key: Key, section: Section) -> None:
    """Report that a key has no value."""
    needs = key.mark(Needs)
    one_item: Said = say("advice.one_item") if key.item is not None else ""
    section.missing(key.name, needs.advice if needs else one_item)
    section.broken.add(key.name)


def _made(model: type[_Model], values: Mapping[str, Any]) -> _Model:
    """Return a model of values that were checked one by one; some only stand for those missing."""
    made = object.__new__(model)
    fields: dict[str, FieldInfo] = model.__pydantic_fields__  # type: ignore[attr-defined]  # pydantic sets it
    for name, info in fields.items():
        value = values[name] if name in values else info.get_default(call_default_factory=True)
        object.__setattr__(made, name, value)
    return made


def _report(key: Key, error: ErrorDetails, node: Node, section: Section) -> None:
    """Report a validator's error with the words or limits that the key states."""
    wanted = key.mark(Wanted)
    if error["type"] == "enum":
        words = key.core
        known = [*words] if issubclass(words, StrEnum) else ["on", "off"]
        no_word(node, key.name, known, section.findings)
    else:
        complain(error, node, key.name, section.findings, wanted.what if wanted else _limits(key))


def _limits(key: Key) -> Said:
    """Return which numbers a key takes; "" where it takes none."""
    least, most = key.mark(Ge), key.mark(Le)
    if key.core is int:
        lower = _bound(least.ge if least else 0)
        if most is None:
            return say("wanted.whole_from", least=lower)
        return say("wanted.whole_between", least=lower, most=_bound(most.le))
    if key.core is float:
        if least and most:
            return say("wanted.number_between", least=_bound(least.ge), most=_bound(most.le))
        return say("wanted.number")
    return ""


def _bound(limit: object) -> int:
    assert isinstance(limit, int)
    return limit
