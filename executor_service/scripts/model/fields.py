"""What an action takes and yields: outputs, fields of a form, a skill's inputs and outputs."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, TypeAlias

from annotated_types import MaxLen, MinLen

from executor_service.conditions.expression import Expression
from executor_service.scripts.model.kinds import (
    WORD,
    FilledScalar,
    FilledText,
    FreeVariable,
    FullText,
    Option,
    Text,
    Variable,
)
from executor_service.scripts.model.mapping import (
    AtLeastOne,
    Derived,
    Inferred,
    Named,
    Once,
    Wanted,
    mapping,
)
from heartrule.domain.json_value import JsonValue
from heartrule.domain.output_type import OutputType
from heartrule.words.words import say

MAX_FIELDS = 200
"""Most fields of a form."""
MAX_OUTPUTS = 100
"""Most outputs of an action; a model that is asked for more forgets them."""

MAX_OPTIONS = 12
"""Most quick replies of a question; more do not fit a screen, and are a form's choice."""

_OUTPUT_NAMES = MappingProxyType(
    {"name": "get", "var": "get", "variable": "get", "description": "define"}
)


class WhenUnsupported(StrEnum):
    """What happens to a value that no words of the client support."""

    DROP = "drop"
    STORE = "store"
    """It is stored: the script asks for an inference."""


@mapping(say("what.output"), item="- get: {}", definition="output", aliases=_OUTPUT_NAMES)
class Output:
    """A variable an action is to yield."""

    get: FreeVariable
    define: Text = ""
    type: Annotated[OutputType, WORD, Inferred()] = OutputType.TEXT
    """Its own type, else that of its declaration, else text."""
    options: Annotated[
        tuple[Option, ...], Once(say("noun.option"), text="freely_twice"), AtLeastOne()
    ] = ()
    sensitive: bool = False
    also: Annotated[tuple[FreeVariable, ...], Once(say("noun.name"))] = ()
    """Names under which a model may return it besides."""
    unsupported: Annotated[WhenUnsupported, WORD] = WhenUnsupported.DROP
    ahead: bool = True
    """False: it is always asked for, such as a rating after an exercise."""


Outputs: TypeAlias = Annotated[
    tuple[Output, ...], MaxLen(MAX_OUTPUTS), Once(say("noun.output"), "get")
]


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
    say("what.field"),
    item="- {name: {}, label: …}",
    definition="form_field",
    aliases={"id": "name", "var": "name", "get": "name", "title": "label", "question": "label"},
)
class FormField:
    """One question of a form; its value becomes the variable of its name."""

    name: FreeVariable
    label: Text = ""
    """What the client reads; the name where it is empty."""
    type: Annotated[FieldType, WORD] = FieldType.TEXT
    options: Annotated[
        tuple[Option, ...], Once(say("noun.option"), text="freely_twice"), AtLeastOne()
    ] = ()
    """The values of a choice; for a scale, what its steps mean, from `min` on."""
    min: float | None = None
    max: float | None = None
    required: bool = True
    safety_item: bool = False
    """It asks about danger: the answers in `safety_values` begin the crisis path."""
    safety_values: Annotated[tuple[Option, ...], Once(say("noun.option"), text="freely_twice")] = ()

    def counts(self, value: JsonValue) -> bool:
        """Return whether a value of the field is one that begins the crisis path."""
        words = {each.casefold() for each in self.safety_values}
        return self.safety_item and value is not None and str(value).casefold() in words


@mapping("`form`", definition="form")
class Form:
    """A title and the fields below it."""

    title: FullText
    fields: Annotated[
        tuple[FormField, ...], MinLen(1), MaxLen(MAX_FIELDS), Once(say("noun.field"), "name")
    ]


MAX_RECORD_FIELDS = 20
"""Most fields of a record; a model that is asked for more forgets them."""


@mapping(
    say("what.record_field"), item="- get: {}", definition="record_field", aliases=_OUTPUT_NAMES
)
class RecordField:
    """One value of a record that `collect` gathers."""

    get: FreeVariable
    define: Text = ""
    type: Annotated[OutputType, WORD] = OutputType.TEXT
    options: Annotated[
        tuple[Option, ...], Once(say("noun.option"), text="freely_twice"), AtLeastOne()
    ] = ()


@mapping(
    "`collect`", definition="collect", aliases=dict.fromkeys(("list", "get", "var", "name"), "into")
)
class Collect:
    """A list of records, one a round, in the place of `output`."""

    into: FreeVariable
    """The variable that holds the list."""
    fields: Annotated[
        tuple[RecordField, ...],
        MinLen(1),
        MaxLen(MAX_RECORD_FIELDS),
        Once(say("noun.field"), "get"),
    ]
    until: FilledText = ""
    """When there are enough, in words for the model; empty where `enough` says it."""
    sensitive: bool = False
    enough: Annotated[Expression | None, Derived()] = None
    """`until` where it reads the list itself."""

    @property
    def outputs(self) -> tuple[Output, ...]:
        """The fields as what the model is asked for."""
        return tuple(
            Output(get=each.get, define=each.define, type=each.type, options=each.options)
            for each in self.fields
        )


@mapping(
    say("what.input"),
    item="- {name: …, value: …}",
    definition="skill_input",
    aliases={"var": "name", "from": "value"},
)
class SkillInput:
    """A value handed to a skill."""

    name: Variable
    value: Annotated[
        FilledScalar,
        Wanted(say("wanted.skill_value")),
    ]
    """A text is filled from script variables when the skill starts."""


@mapping(
    say("what.skill_output"),
    item="- {get: …, from: …}",
    definition="skill_output",
    aliases={"name": "get", "var": "get", "source": "from"},
)
class SkillOutput:
    """A value taken from a skill when it ends."""

    get: FreeVariable
    source: Annotated[Variable, Named("from")]
    type: Annotated[OutputType, Derived()] = OutputType.TEXT
    """The type it has inside the technique."""
