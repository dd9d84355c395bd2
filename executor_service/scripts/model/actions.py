"""What an action does, by action type (SCRIPT-LANGUAGE, Action types)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, TypeAlias

from annotated_types import MaxLen

from executor_service.scripts.model.agent_config import AgentConfig
from executor_service.scripts.model.exits import ExitCriteria, FormCriteria, Rounds, SayCriteria
from executor_service.scripts.model.fields import (
    MAX_OPTIONS,
    MAX_OUTPUTS,
    Collect,
    FieldType,
    Form,
    FormField,
    Output,
    Outputs,
    SkillInput,
    SkillOutput,
)
from executor_service.scripts.model.kinds import (
    AllOrSome,
    FilledText,
    FullFilledText,
    Identifier,
    ListedVariable,
    Option,
    OptionalIdentifier,
    PictureSource,
)
from executor_service.scripts.model.mapping import (
    Derived,
    Named,
    Needs,
    Once,
    WrittenAs,
    mapping,
)
from heartrule.domain.output_type import OutputType
from heartrule.words.words import Said, say

# Rounds where a script names no number. An ai_say ends with its one utterance, unless an exit of
# its own asks for the client's answer first.
ASK_ROUNDS = 3
SAY_ROUNDS = 1
SAY_ROUNDS_WITH_EXIT = 5
FORM_ROUNDS = 5


class ActionType(StrEnum):
    """The kinds of action this release runs."""

    AI_ASK = "ai_ask"
    AI_SAY = "ai_say"
    AI_THINK = "ai_think"
    FILL_FORM = "fill_form"
    AI_AGENT = "ai_agent"
    USE_SKILL = "use_skill"
    SHOW_PIC = "show_pic"
    SAY = "say"


INTERACTIVE = frozenset(
    {ActionType.AI_ASK, ActionType.AI_SAY, ActionType.FILL_FORM, ActionType.AI_AGENT}
)
"""The types that talk in rounds and may be ended early (document 001 section 3.2.1)."""

SPEAKING = INTERACTIVE | {ActionType.SAY, ActionType.SHOW_PIC}
"""The types whose first step sends the client a message."""

WAITING = INTERACTIVE | {ActionType.USE_SKILL}
"""The types whose actions may wait for the client."""

ADVISED = frozenset({ActionType.AI_ASK, ActionType.AI_SAY})
"""The types whose actions the strategy engine advises."""


_OLDER_TEXTS = dict.fromkeys(
    ("question_template", "prompt_template", "content_template"), "content"
)
_OLDER_OUTPUTS = dict.fromkeys(("target_variable", "extract_to", "output_variables"), "output")
_OLDER_GOALS = dict.fromkeys(("think_goal", "say_goal"), "goal")
# An older key that stood beside target_variable or extract_to, so it is read with them.
EXTRACTION_PROMPT = "extraction_prompt"


def _never_ended_early(why: Said) -> Mapping[str, Said]:
    return dict.fromkeys(("exit", "exit_criteria", "max_rounds"), why)


@mapping("ai_ask", older={**_OLDER_TEXTS, **_OLDER_OUTPUTS, EXTRACTION_PROMPT: "output"})
class AskConfig:
    """ai_ask: asks until its outputs are gathered."""

    content: Annotated[FullFilledText, Needs(say("advice.or_key", other="brief"))] = ""
    """The question, as the client would read it."""
    brief: FilledText = ""
    """What to find out, for the model alone."""
    tone: FilledText = ""
    exit: FilledText = ""
    exit_criteria: ExitCriteria | None = None
    output: Outputs = ()
    collect: Collect | None = None
    """A list of records, in the place of `output`."""
    required: Annotated[tuple[str, ...], WrittenAs(AllOrSome)] = ()
    """Outputs the model is asked to have before it stops; what is missing is only recorded."""
    options: Annotated[
        tuple[Option, ...], MaxLen(MAX_OPTIONS), Once(say("noun.option"), text="freely_twice")
    ] = ()
    """Answers the client may choose from."""
    max_rounds: Rounds = ASK_ROUNDS


@mapping("ai_say", older={**_OLDER_TEXTS, **_OLDER_GOALS})
class SayConfig:
    """ai_say: says, explains, checks understanding."""

    content: Annotated[FilledText, Needs(say("advice.or_key", other="goal"))] = ""
    goal: FilledText = ""
    tone: FilledText = ""
    exit: FilledText = ""
    exit_criteria: Annotated[ExitCriteria | None, WrittenAs(SayCriteria)] = None
    require_acknowledgment: bool = True
    """True: it never completes before the client has answered once in it."""
    max_rounds: Rounds = SAY_ROUNDS
    subtype: OptionalIdentifier = ""
    """The kind of talk, such as introduce_concept (document 001 section 4.2.2)."""
    output: Annotated[tuple[Output, ...], Derived()] = ()
    """Always empty: an ai_say yields no variables."""


@mapping(
    "ai_think",
    older={**_OLDER_TEXTS, **_OLDER_GOALS, **_OLDER_OUTPUTS, EXTRACTION_PROMPT: "output"},
    why_not=_never_ended_early(say("why.one_step")),
)
class ThinkConfig:
    """ai_think: an inner step; variables come out, the client sees nothing."""

    content: Annotated[FilledText, Needs(say("advice.or_key", other="goal"))] = ""
    goal: FilledText = ""
    input_variables: tuple[ListedVariable, ...] = ()
    output: Outputs = ()
    collect: Collect | None = None
    """A list of records, in the place of `output`; one is added."""


@mapping("fill_form")
class FormConfig:
    """fill_form: fills a form from talk, or from a submitted form."""

    form: Annotated[Form, Needs(say("advice.with_two", first="title", second="fields"))]
    content: FilledText = ""
    """How to introduce the form, and what to heed while filling it."""
    exit_criteria: Annotated[ExitCriteria | None, WrittenAs(FormCriteria)] = None
    max_rounds: Rounds = FORM_ROUNDS

    @property
    def title(self) -> str:
        """The form's title."""
        return self.form.title

    @property
    def fields(self) -> tuple[FormField, ...]:
        """The form's fields."""
        return self.form.fields

    @property
    def output(self) -> tuple[Output, ...]:
        """The fields as the outputs they become; a scale is an integer."""
        return tuple(
            Output(
                get=each.name,
                define=each.label,
                type=OutputType.INTEGER
                if each.type is FieldType.SCALE
                else OutputType(each.type.value),
                options=each.options if each.type is FieldType.CHOICE else (),
            )
            for each in self.fields
        )


@mapping(
    "use_skill",
    aliases={"technique": "skill", "technique_id": "skill", "inputs": "input", "outputs": "output"},
    why_not=_never_ended_early(say("why.technique_ends")),
)
class SkillConfig:
    """use_skill: runs a technique file's topic, its actions in place of this one."""

    skill: Identifier
    input: Annotated[tuple[SkillInput, ...], Once("input", "name", "given_twice")] = ()
    outputs: Annotated[
        tuple[SkillOutput, ...], Named("output"), MaxLen(MAX_OUTPUTS), Once("output", "get")
    ] = ()

    @property
    def output(self) -> tuple[Output, ...]:
        """The variables it yields outside."""
        return tuple(Output(get=each.get, type=each.type) for each in self.outputs)


@mapping(
    "show_pic",
    aliases=dict.fromkeys(("url", "src", "path", "image", "file"), "source"),
    why_not=_never_ended_early(say("why.picture_shown")),
)
class PictureConfig:
    """show_pic: shows a picture."""

    source: PictureSource
    caption: FilledText = ""
    alt: FilledText = ""
    """What a client that cannot show it says; the caption where it is empty."""
    output: Annotated[tuple[Output, ...], Derived()] = ()
    """Always empty: a picture yields no variables."""


@mapping("say", aliases={"text": "content"}, why_not=_never_ended_early(say("why.said")))
class LiteralConfig:
    """say: sends the script's own words; no model is asked, and nothing is waited for."""

    content: FullFilledText
    output: Annotated[tuple[Output, ...], Derived()] = ()
    """Always empty: a say yields no variables."""


ActionConfig: TypeAlias = (
    AskConfig
    | SayConfig
    | ThinkConfig
    | FormConfig
    | AgentConfig
    | SkillConfig
    | PictureConfig
    | LiteralConfig
)
"""The configuration of any action."""

CONFIGS: Mapping[ActionType, type[ActionConfig]] = MappingProxyType(
    {
        ActionType.AI_ASK: AskConfig,
        ActionType.AI_SAY: SayConfig,
        ActionType.AI_THINK: ThinkConfig,
        ActionType.FILL_FORM: FormConfig,
        ActionType.AI_AGENT: AgentConfig,
        ActionType.USE_SKILL: SkillConfig,
        ActionType.SHOW_PIC: PictureConfig,
        ActionType.SAY: LiteralConfig,
    }
)
"""The model of `config`, by action type."""


def yielded(config: ActionConfig) -> tuple[Output, ...]:
    """Return the variables that an action sets: its outputs, or the list it collects."""
    collect = config.collect if isinstance(config, AskConfig | ThinkConfig) else None
    if isinstance(config, AgentConfig) and config.run_output is not None:
        return (*config.output, Output(get=config.run_output))
    if collect is None:
        return config.output
    return (Output(get=collect.into, sensitive=collect.sensitive),)
