"""What an action does, by action type (SCRIPT-LANGUAGE, Action types)."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, TypeAlias

from annotated_types import Ge

from executor_service.scripts.model.exits import (
    ExitCriteria,
    FormCriteria,
)
from executor_service.scripts.model.fields import FieldType, Form, FormField, Output, Outputs
from executor_service.scripts.model.kinds import (
    AllOrSome,
    FilledScalar,
    FilledText,
    FreeVariable,
    FullFilledText,
    Identifier,
    ListedVariable,
    OptionalIdentifier,
    PictureSource,
    Variable,
)
from executor_service.scripts.model.mapping import (
    Derived,
    Named,
    Needs,
    Once,
    Wanted,
    WrittenAs,
    mapping,
)
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


NOT_YET_ACTION_TYPES = frozenset({"ai_agent"})
"""Action types of the language that this release does not run."""

INTERACTIVE = frozenset({ActionType.AI_ASK, ActionType.AI_SAY, ActionType.FILL_FORM})
"""The types that talk in rounds and may be ended early (document 001 section 3.2.1)."""

ADVISED = frozenset({ActionType.AI_ASK, ActionType.AI_SAY})
"""The types whose actions the strategy engine advises."""


_CONTENT = "要说的话，或要点；可用 {变量}。What to say, or a brief for it; {variables} are filled."
_GOAL = "目的：为什么做这一步。What this step is for."
_TONE = "语气，例如“温和、不勉强”。The tone of voice."
_EXIT = "用您自己的话写：什么时候可以结束。In your words: when this may end."
_EXIT_CRITERIA = "结束条件，全部成立才算。Conditions that must all hold before this may end."
_ROUNDS = "最多几轮。Most rounds."
_SUBTYPE = "场合，例如 introduce_concept，供策略建议参考。The kind of talk, for the strategy."
_OUTPUT = "要收集的变量。The variables to gather."

_OLDER_TEXTS = dict.fromkeys(
    ("question_template", "prompt_template", "content_template"), "content"
)
_OLDER_OUTPUTS = dict.fromkeys(("target_variable", "extract_to", "output_variables"), "output")
_OLDER_GOALS = dict.fromkeys(("think_goal", "say_goal"), "goal")
EXTRACTION_PROMPT = "extraction_prompt"
"""The older key that stood beside target_variable or extract_to."""

Rounds: TypeAlias = Annotated[int, Ge(1)]


def _never_ended_early(why: str) -> Mapping[str, str]:
    return dict.fromkeys(("exit", "exit_criteria", "max_rounds"), why)


@mapping("ai_ask", older={**_OLDER_TEXTS, **_OLDER_OUTPUTS, EXTRACTION_PROMPT: "output"})
class AskConfig:
    """ai_ask: asks until its outputs are gathered."""

    content: Annotated[FullFilledText, _CONTENT]
    tone: Annotated[FilledText, _TONE] = ""
    exit: Annotated[FilledText, _EXIT] = ""
    exit_criteria: Annotated[ExitCriteria | None, _EXIT_CRITERIA] = None
    output: Annotated[Outputs, _OUTPUT] = ()
    required: Annotated[
        tuple[str, ...],
        WrittenAs(AllOrSome),
        "结束前必须有的变量：true 全部，false 都不，或列出。What it must have.",
    ] = ()
    """Outputs the model is asked to have before it stops; what is missing is only recorded."""
    max_rounds: Annotated[Rounds, _ROUNDS] = ASK_ROUNDS


@mapping("ai_say", older={**_OLDER_TEXTS, **_OLDER_GOALS})
class SayConfig:
    """ai_say: says, explains, checks understanding."""

    content: Annotated[FilledText, Needs(" or `goal`"), _CONTENT] = ""
    goal: Annotated[FilledText, _GOAL] = ""
    tone: Annotated[FilledText, _TONE] = ""
    exit: Annotated[FilledText, _EXIT] = ""
    exit_criteria: Annotated[ExitCriteria | None, _EXIT_CRITERIA] = None
    require_acknowledgment: Annotated[
        bool, "true：等来访者说一句再继续。true: waits for the client."
    ] = True
    """True: it never completes before the client has spoken once in it."""
    max_rounds: Annotated[Rounds, _ROUNDS] = SAY_ROUNDS
    subtype: Annotated[OptionalIdentifier, _SUBTYPE] = ""
    """The kind of talk, such as introduce_concept (document 001 section 4.2.2)."""
    output: Annotated[tuple[Output, ...], Derived()] = ()
    """Always empty: an ai_say yields no variables."""


@mapping(
    "ai_think",
    older={**_OLDER_TEXTS, **_OLDER_GOALS, **_OLDER_OUTPUTS, EXTRACTION_PROMPT: "output"},
    why_not=_never_ended_early("it is over after its one step"),
)
class ThinkConfig:
    """ai_think: an inner step; variables come out, the client sees nothing."""

    content: Annotated[FilledText, Needs(" or `goal`"), _CONTENT] = ""
    goal: Annotated[FilledText, _GOAL] = ""
    input_variables: Annotated[
        tuple[ListedVariable, ...], "给它看的变量。The variables it is given."
    ] = ()
    output: Annotated[Outputs, _OUTPUT] = ()


@mapping("fill_form")
class FormConfig:
    """fill_form: fills a form from talk, or from a submitted form."""

    form: Annotated[
        Form, Needs(" with a title and fields"), "表单：标题和题目。The form: its title and fields."
    ]
    content: Annotated[FilledText, _CONTENT] = ""
    """How to introduce the form, and what to heed while filling it."""
    exit_criteria: Annotated[ExitCriteria | None, WrittenAs(FormCriteria), _EXIT_CRITERIA] = None
    max_rounds: Annotated[Rounds, _ROUNDS] = FORM_ROUNDS

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
    "an input",
    item="- {name: …, value: …}",
    definition="skill_input",
    aliases={"var": "name", "from": "value"},
)
class SkillInput:
    """A value handed to a skill."""

    name: Annotated[Variable, "技术的输入参数。An input parameter."]
    value: Annotated[
        FilledScalar,
        Wanted("a text, a number, true or false; what begins with { must stand in quotes"),
        "交给它的值。Its value.",
    ]
    """A text is filled from script variables when the skill starts."""


@mapping(
    "an output of a skill",
    item="- {get: …, from: …}",
    definition="skill_output",
    aliases={"name": "get", "var": "get", "source": "from"},
)
class SkillOutput:
    """A value taken from a skill when it ends."""

    get: Annotated[FreeVariable, "您的变量。Your variable."]
    source: Annotated[Variable, Named("from"), "技术的输出变量。The technique's variable."]
    type: Annotated[OutputType, Derived()] = OutputType.TEXT
    """The type it has inside the technique."""


@mapping(
    "use_skill",
    aliases={"technique": "skill", "technique_id": "skill", "inputs": "input", "outputs": "output"},
    why_not=_never_ended_early("the actions of its technique end by themselves"),
)
class SkillConfig:
    """use_skill: runs a technique file's topic, its actions in place of this one."""

    skill: Annotated[Identifier, "技术文件的 technique_id。The technique_id."]
    input: Annotated[
        tuple[SkillInput, ...],
        Once("input", "name", "given_twice"),
        "交给技术的值。What the technique is given.",
    ] = ()
    outputs: Annotated[
        tuple[SkillOutput, ...], Named("output"), Once("output", "get"), _OUTPUT
    ] = ()

    @property
    def output(self) -> tuple[Output, ...]:
        """The variables it yields outside."""
        return tuple(Output(get=each.get, type=each.type) for each in self.outputs)


@mapping(
    "show_pic",
    aliases=dict.fromkeys(("url", "src", "path", "image", "file"), "source"),
    why_not=_never_ended_early("it is over when the picture is shown"),
)
class PictureConfig:
    """show_pic: shows a picture."""

    source: Annotated[
        PictureSource, "https 地址，或 assets/ 下的文件。An https address, or a file below assets/."
    ]
    caption: Annotated[FilledText, "图片旁边的话。What is said with it."] = ""
    alt: Annotated[
        FilledText, "看不到图片时的文字。What is said where pictures cannot be shown."
    ] = ""
    """What a client that cannot show it says; the caption where it is empty."""
    output: Annotated[tuple[Output, ...], Derived()] = ()
    """Always empty: a picture yields no variables."""


ActionConfig: TypeAlias = (
    AskConfig | SayConfig | ThinkConfig | FormConfig | SkillConfig | PictureConfig
)
"""The configuration of any action."""

CONFIGS: Mapping[ActionType, type[ActionConfig]] = MappingProxyType(
    {
        ActionType.AI_ASK: AskConfig,
        ActionType.AI_SAY: SayConfig,
        ActionType.AI_THINK: ThinkConfig,
        ActionType.FILL_FORM: FormConfig,
        ActionType.USE_SKILL: SkillConfig,
        ActionType.SHOW_PIC: PictureConfig,
    }
)
"""The model of `config`, by action type."""
