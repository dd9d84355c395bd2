"""Variables that an action yields: its outputs, or the fields of its form."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, TypeAlias

from annotated_types import MaxLen, MinLen

from executor_service.scripts.model.kinds import (
    WORD,
    FreeVariable,
    FullText,
    Option,
    Text,
)
from executor_service.scripts.model.mapping import (
    AtLeastOne,
    Inferred,
    Once,
    mapping,
)
from heartrule.domain.output_type import OutputType

MAX_FIELDS = 200
"""Most fields of a form."""


_OUTPUT_NAMES = MappingProxyType(
    {"name": "get", "var": "get", "variable": "get", "description": "define"}
)


@mapping("an output", item="- get: {}", definition="output", aliases=_OUTPUT_NAMES)
class Output:
    """A variable an action is to yield."""

    get: Annotated[FreeVariable, "变量名。Name of the variable."]
    define: Annotated[Text, "怎样辨认它的值。How to recognise its value."] = ""
    type: Annotated[OutputType, WORD, Inferred(), "类型，默认 text。Its type, text by default."] = (
        OutputType.TEXT
    )
    """Its own type, else that of its declaration, else text."""
    options: Annotated[
        tuple[Option, ...],
        Once("option", text="freely_twice"),
        "choice 的选项。The values of a choice.",
        AtLeastOne(),
    ] = ()
    sensitive: Annotated[bool, "true：非必要不显示。true: not shown where it need not be."] = False


Outputs: TypeAlias = Annotated[tuple[Output, ...], Once("output", "get")]


class FieldType(StrEnum):
    """What a form's field holds."""

    TEXT = "text"
    NUMBER = "number"
    INTEGER = "integer"
    BOOLEAN = "boolean"
    CHOICE = "choice"
    """One of the field's options."""
    SCALE = "scale"
    """A whole number from `min` to `max`."""
    DATE = "date"
    """Written as YYYY-MM-DD."""


@mapping(
    "a field",
    item="- {name: {}, label: …}",
    definition="form_field",
    aliases={"id": "name", "var": "name", "get": "name", "title": "label", "question": "label"},
)
class FormField:
    """One question of a form; its value becomes the variable of its name."""

    name: Annotated[FreeVariable, "变量名，在表单中唯一。The variable; each once in a form."]
    label: Annotated[Text, "来访者看到的题目。What the client reads."] = ""
    """What the client reads; the name where it is empty."""
    type: Annotated[FieldType, WORD, "种类，默认 text。Its kind, text by default."] = FieldType.TEXT
    options: Annotated[
        tuple[Option, ...],
        Once("option", text="freely_twice"),
        "choice 的选项，或 scale 各级的含义。Values of a choice, or a scale's words.",
        AtLeastOne(),
    ] = ()
    """The values of a choice; for a scale, what its steps mean, from `min` on."""
    min: Annotated[float | None, "最小值。The least."] = None
    max: Annotated[float | None, "最大值。The most."] = None
    required: Annotated[bool, "false：可以不填。false: may stay empty."] = True


@mapping("`form`", definition="form")
class Form:
    """A title and the fields below it."""

    title: Annotated[FullText, "标题。Its title."]
    fields: Annotated[
        tuple[FormField, ...],
        MinLen(1),
        MaxLen(MAX_FIELDS),
        Once("field", "name"),
        "题目。Its fields.",
    ]
