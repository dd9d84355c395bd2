"""What an action is told to do, by action type (SCRIPT-LANGUAGE, Action types)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from heartrule.domain.output_type import OutputType

ASK_ROUNDS = 3
"""Questions an ai_ask may put where the script names no number."""
SAY_ROUNDS = 1
"""Utterances of an ai_say that has no exit of its own."""
SAY_ROUNDS_WITH_EXIT = 5
"""Utterances of an ai_say with `exit` or `exit_criteria`."""
FORM_ROUNDS = 5
"""Rounds a form is filled by talk."""


class ActionType(StrEnum):
    """The kinds of action this release runs."""

    AI_ASK = "ai_ask"
    AI_SAY = "ai_say"
    AI_THINK = "ai_think"
    FILL_FORM = "fill_form"
    USE_SKILL = "use_skill"
    SHOW_PIC = "show_pic"


INTERACTIVE = frozenset({ActionType.AI_ASK, ActionType.AI_SAY, ActionType.FILL_FORM})
"""The types that talk in rounds and may be ended early (document 001 section 3.2.1)."""

ADVISED = frozenset({ActionType.AI_ASK, ActionType.AI_SAY})
"""The types whose actions the strategy engine advises."""


class ConditionOperator(StrEnum):
    """How a custom condition compares a variable with its value (document 001 section 3.2.2)."""

    EQUAL = "=="
    NOT_EQUAL = "!="
    GREATER = ">"
    LESS = "<"
    GREATER_OR_EQUAL = ">="
    LESS_OR_EQUAL = "<="
    CONTAINS = "contains"


@dataclass(frozen=True, slots=True, kw_only=True)
class Output:
    """A variable an action is to yield."""

    get: str
    """Name of the variable."""
    define: str = ""
    """How the model recognises it."""
    type: OutputType = OutputType.TEXT
    """Its own type, else that of its declaration, else text."""
    options: tuple[str, ...] = ()
    """The values of a choice."""
    sensitive: bool = False
    """True when the value is not to be shown where it need not be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomCondition:
    """A comparison that must hold before the criteria are met."""

    variable: str
    operator: ConditionOperator
    value: str | int | float | bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ExitCriteria:
    """All that must hold before an action may end by criteria; None and () ask for nothing."""

    understanding_threshold: float | None = None
    """Least `assessment.understanding_level`, 0 to 100."""
    has_questions: bool | None = None
    """True allows an exit while the client has questions, false does not (document 001)."""
    min_rounds: int | None = None
    """Rounds before criteria or a suggestion of the model may end the action."""
    custom_conditions: tuple[CustomCondition, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskConfig:
    """ai_ask: asks until its outputs are gathered."""

    content: str
    """The question, or a brief for it."""
    tone: str = ""
    exit: str = ""
    """In the author's words: when to stop asking."""
    exit_criteria: ExitCriteria | None = None
    output: tuple[Output, ...] = ()
    required: tuple[str, ...] = ()
    """Outputs the model is asked to have before it stops; what is missing is only recorded."""
    max_rounds: int = ASK_ROUNDS


@dataclass(frozen=True, slots=True, kw_only=True)
class SayConfig:
    """ai_say: says, explains, checks understanding."""

    content: str = ""
    goal: str = ""
    tone: str = ""
    exit: str = ""
    exit_criteria: ExitCriteria | None = None
    require_acknowledgment: bool = True
    """True: it never completes before the client has spoken once in it."""
    max_rounds: int = SAY_ROUNDS
    output: tuple[Output, ...] = ()
    """Always empty: an ai_say yields no variables."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ThinkConfig:
    """ai_think: an inner step; variables come out, the client sees nothing."""

    content: str = ""
    goal: str = ""
    input_variables: tuple[str, ...] = ()
    output: tuple[Output, ...] = ()


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


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """One question of a form; its value becomes the variable of its name."""

    name: str
    label: str = ""
    """What the client reads; the name where it is empty."""
    type: FieldType = FieldType.TEXT
    options: tuple[str, ...] = ()
    """The values of a choice; for a scale, what its steps mean, from `min` on."""
    min: float | None = None
    max: float | None = None
    required: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class FormConfig:
    """fill_form: fills a form from talk, or from a submitted form."""

    title: str
    fields: tuple[FormField, ...]
    content: str = ""
    """How to introduce the form, and what to heed while filling it."""
    exit_criteria: ExitCriteria | None = None
    max_rounds: int = FORM_ROUNDS

    @property
    def output(self) -> tuple[Output, ...]:
        """The fields as the outputs they become; a scale is an integer."""
        return tuple(
            Output(
                get=field.name,
                define=field.label,
                type=OutputType.INTEGER
                if field.type is FieldType.SCALE
                else OutputType(field.type.value),
                options=field.options if field.type is FieldType.CHOICE else (),
            )
            for field in self.fields
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillInput:
    """A value handed to a skill."""

    name: str
    """One of the technique's input parameters."""
    value: str | int | float | bool
    """A text is filled from script variables when the skill starts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillOutput:
    """A value taken from a skill when it ends."""

    get: str
    """Name of the variable outside."""
    source: str
    """`from`: one of the technique's output variables."""
    type: OutputType = OutputType.TEXT
    """The type it has inside the technique."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillConfig:
    """use_skill: runs a technique file's topic, its actions in place of this one."""

    skill: str
    """technique_id."""
    input: tuple[SkillInput, ...] = ()
    outputs: tuple[SkillOutput, ...] = ()

    @property
    def output(self) -> tuple[Output, ...]:
        """The variables it yields outside."""
        return tuple(Output(get=each.get, type=each.type) for each in self.outputs)


@dataclass(frozen=True, slots=True, kw_only=True)
class PictureConfig:
    """show_pic: shows a picture."""

    source: str
    """An https address, or a path below the script's assets/."""
    caption: str = ""
    alt: str = ""
    """What a client that cannot show it says; the caption where it is empty."""
    output: tuple[Output, ...] = ()
    """Always empty: a picture yields no variables."""


ActionConfig: TypeAlias = (
    AskConfig | SayConfig | ThinkConfig | FormConfig | SkillConfig | PictureConfig
)
"""The configuration of any action."""
