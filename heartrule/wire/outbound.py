"""Domain values into messages: one function per class, written once, run often.

The function of a class is put together as code, as `dataclasses` does for constructors: a line or
two for each field. Loops over fields and a call for each cost a turn's five events twice as much.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, cast

from google.protobuf.message import Message

from heartrule.wire.enums import numbers
from heartrule.wire.json_values import fill_struct, fill_value
from heartrule.wire.memo import once
from heartrule.wire.message_shapes import Kind, MessageShape, shapes
from heartrule.wire.times import fill_duration, fill_timestamp

# Puts a value, or a part of it, into a message that is still empty.
Fill: TypeAlias = Callable[[Any, Any], None]

SUBMESSAGE: Mapping[Kind, Fill] = {
    Kind.TIMESTAMP: fill_timestamp,
    Kind.DURATION: fill_duration,
    Kind.STRUCT: fill_struct,
    Kind.VALUE: fill_value,
}

_SET = "if part: target.{name} = part"
_PRESENT = "if part is not None: "
_NESTED = _PRESENT + "inner_{name}(part, target.{name})"
# What fills a field of each kind from `part`: None is absence, but VALUE has a null.
# A nested message is there even where it is empty.
_LINES: Mapping[Kind, tuple[str, ...]] = {
    Kind.PLAIN: (_SET,),
    Kind.PRESENT: (_PRESENT + "target.{name} = part",),
    Kind.ENUM: (_PRESENT + "target.{name} = inner_{name}[part]",),
    Kind.TIMESTAMP: (_NESTED,),
    Kind.DURATION: (_NESTED,),
    Kind.STRUCT: (_NESTED,),
    Kind.VALUE: ("inner_{name}(part, target.{name})",),
    Kind.MESSAGE: (
        "if part is not None:",
        " nested = target.{name}",
        " nested.SetInParent()",
        " inner_{name}(part, nested)",
    ),
    Kind.MESSAGES: (
        "if part:",
        " add = target.{name}.add",
        " for item in part: inner_{name}(item, add())",
    ),
    Kind.PLAINS: ("if part: target.{name}.extend(part)",),
    Kind.PLAIN_MAP: ("if part: target.{name}.update(part)",),
    Kind.VALUE_MAP: (
        "if part:",
        " fields = target.{name}",
        " for key, entry in part.items(): inner_{name}(entry, fields[key])",
    ),
}


@once
def filler(domain: type, message: type[Message]) -> Fill:
    """Return the function that fills a message of this class from a value of that class.

    Raises:
        TypeError: the two classes do not fit.
    """
    names: dict[str, object] = {}
    lines = ["def fill(value, target):"]
    for shape in shapes(domain, message):
        names[f"inner_{shape.name}"] = _inner(shape)
        lines.append(f" part = value.{shape.name}")
        lines.extend(f" {line.format(name=shape.name)}" for line in _LINES[shape.kind])
    lines.append(" return None")
    exec("\n".join(lines), names)  # noqa: S102  the names of our own fields and nothing else
    return cast("Fill", names["fill"])


def _inner(shape: MessageShape) -> object:
    """Return what turns a field's value, or each of its items, into what the message holds."""
    if shape.kind is Kind.ENUM:
        return numbers(*shape.enum)
    if shape.kind in {Kind.MESSAGE, Kind.MESSAGES}:
        return filler(shape.item, shape.message_class)
    return fill_value if shape.kind is Kind.VALUE_MAP else SUBMESSAGE.get(shape.kind)
