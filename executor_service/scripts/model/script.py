"""A script: session, phases, topics and actions, frozen (SCRIPT-LANGUAGE, Tree)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Annotated

from annotated_types import Ge
from pydantic import SkipValidation

from executor_service.scripts.model.actions import ActionConfig, ActionType
from executor_service.scripts.model.exits import ExitPolicy
from executor_service.scripts.model.findings import Place
from executor_service.scripts.model.kinds import (
    WORD,
    BareIdentifier,
    FilledText,
    FreeMapping,
    Identifier,
    ListedVariable,
    OptionalIdentifier,
    Switch,
    Text,
    Variable,
)
from executor_service.scripts.model.mapping import (
    AtLeastOne,
    Derived,
    Named,
    Needs,
    Once,
    Wanted,
    WrittenAs,
    mapping,
)
from executor_service.scripts.model.settings import (
    UNSAID,
    Condition,
    Declaration,
    InputSettings,
    MonitorRule,
    OnError,
    RoleDefinition,
    StrategyKeys,
)
from heartrule.domain.exits import DecisionSource
from heartrule.domain.monitoring import TopicStrategy
from heartrule.domain.orchestration import DEFAULT_EDIT_BUDGET
from heartrule.domain.output_type import OutputType

_NAME = "写给人看的名称。A name for people."
_DESCRIPTION = "写给人看的说明。A remark for people."
_DECLARE = "声明变量；写在哪里，作用域就是哪里。Variables; where this stands is their scope."
_CONDITION = '条件：成立才执行，例如 "{年龄} >= 12"。Runs only if it holds, such as "{年龄} >= 12".'
_ON_ERROR = (
    "条件无法判断时（例如变量没有值）：run 照常执行，skip 跳过。"
    "What a condition that cannot be answered means: run (default) or skip."
)
_STRATEGY_ENGINE = (
    "on：回答之前先问模型怎样对这位来访者最合适。"
    "on: before an answer the model is asked how best to go about it with this client."
)
_MONITOR = (
    "督导多久看一次，要不要等它的建议；里层的写法优先。"
    "How often the monitor looks, and whether to wait for it; the innermost counts."
)


@mapping(
    "an action",
    item="- {action_type: …, action_id: …, config: …}",
    definition="action",
    aliases={"type": "action_type", "id": "action_id", "entry_condition": "condition"},
)
class Action:
    """One step of a topic."""

    action_type: Annotated[ActionType, "动作的种类。What kind of step this is."]
    action_id: Annotated[Identifier, "动作的标识，在话题中唯一。Unique within its topic."]
    condition: Annotated[Condition | None, SkipValidation, WrittenAs(Text), _CONDITION] = None
    """Asked when the action is about to start; false skips it."""
    on_error: Annotated[Annotated[OnError, WORD] | None, _ON_ERROR] = None
    """As it is written; its condition keeps it."""
    mandatory: Annotated[
        bool, "true：计划不得跳过或删去它。true: the plan may never skip or drop it."
    ] = False
    exit_sources: Annotated[
        frozenset[DecisionSource] | None,
        Named("exit_policy"),
        WrittenAs(ExitPolicy),
        "哪些来源可以结束这个动作。What may end the action.",
    ] = None
    """`exit_policy.enabled_sources`; None leaves those of the action type."""
    strategy_engine: Annotated[Switch | None, _STRATEGY_ENGINE] = None
    """None: as the session says."""
    monitor: Annotated[MonitorRule, _MONITOR] = UNSAID
    config: Annotated[
        ActionConfig,
        WrittenAs(dict),
        "这个动作的内容；这些键也可以直接写在 config 旁边。What it does.",
    ]
    written: Annotated[FreeMapping, Derived()] = field(default_factory=dict, compare=False)
    """The config as it was written: an edit of the plan changes keys of it."""
    place: Annotated[Place, Derived()]


@mapping(
    "a topic",
    definition="topic",
    aliases={"id": "topic_id", "name": "topic_name", "goal": "topic_goal"},
)
class Topic:
    """A list of actions with one goal."""

    topic_id: Annotated[Identifier, "话题的标识，在阶段中唯一。Unique within its phase."]
    topic_name: Annotated[Text, _NAME] = ""
    topic_goal: Annotated[
        FilledText, "这个话题的目的；模型和督导都会看到。What for; model and monitor see it."
    ] = ""
    description: Annotated[Text, _DESCRIPTION] = ""
    strategy: Annotated[
        str | TopicStrategy | None,
        SkipValidation,
        WrittenAs(FilledText | StrategyKeys),
        "怎样进行：一段话，或下面三个键。How to go about it: a text, or three keys.",
    ] = None
    monitor: Annotated[MonitorRule, _MONITOR] = UNSAID
    edit_budget: Annotated[
        int, Ge(0), "计划最多可以被修改几次；默认 3。How often its plan may be edited."
    ] = DEFAULT_EDIT_BUDGET
    declarations: Annotated[tuple[Declaration, ...], Named("declare"), _DECLARE] = ()
    """Those made here, except of wider scope."""
    actions: Annotated[
        tuple[Action, ...], "动作，依次进行。The actions, one after the other.", AtLeastOne()
    ]


@mapping(
    "an input parameter",
    item="- {name: {}, …}",
    aliases={"var": "name", "get": "name", "define": "description"},
)
class InputParameter:
    """What a technique asks of the script that uses it."""

    name: Annotated[Variable, "变量名。Name of the variable."]
    description: Annotated[Text, _DESCRIPTION] = ""
    required: Annotated[bool, "false：可以不给。false: need not be given."] = True
    type: Annotated[OutputType, Derived()] = OutputType.TEXT
    """Declared by its topic, else that of an output of this name; a choice is any text."""


@mapping(
    "a technique file",
    aliases={"skill_id": "technique_id", "name": "technique_name", "topics": "topic"},
)
class Technique:
    """A technique (skill) file: a topic with inputs and outputs."""

    technique_id: Annotated[BareIdentifier, "技术的标识，脚本用它来引用。How scripts name it."]
    technique_name: Annotated[Text, _NAME] = ""
    input_parameters: Annotated[
        tuple[InputParameter, ...], Once("input parameter", "name"), "它需要的值。What it is given."
    ] = ()
    output_variables: Annotated[
        tuple[ListedVariable, ...],
        Once("output variable"),
        "它交出的变量。The variables it hands out.",
    ] = ()
    topic: Annotated[
        Topic,
        Needs(" with a topic_id and actions"),
        "它的话题，写法与脚本相同。Its topic, written as in a script.",
    ]


@mapping(
    "a phase",
    definition="phase",
    aliases={
        "id": "phase_id",
        "name": "phase_name",
        "goal": "phase_goal",
        "condition": "entry_condition",
    },
)
class Phase:
    """A list of topics."""

    phase_id: Annotated[Identifier, "阶段的标识，在会谈中唯一。Unique within the session."]
    phase_name: Annotated[Text, _NAME] = ""
    phase_goal: Annotated[Text, "这个阶段的目的。What this phase is for."] = ""
    description: Annotated[Text, _DESCRIPTION] = ""
    entry_condition: Annotated[Condition | None, SkipValidation, WrittenAs(Text), _CONDITION] = None
    """Asked when the phase is about to be entered; false skips it."""
    on_error: Annotated[Annotated[OnError, WORD] | None, _ON_ERROR] = None
    """As it is written; its condition keeps it."""
    declarations: Annotated[tuple[Declaration, ...], Named("declare"), _DECLARE] = ()
    """Those made here, except of wider scope, and those of phase scope made on its topics."""
    topics: Annotated[
        tuple[Topic, ...], "话题，依次进行。The topics, one after the other.", AtLeastOne()
    ]


@mapping(
    "the session",
    aliases={"id": "session_id", "name": "session_name", "scheme": "template_scheme"},
)
class Script:
    """A script that loaded without errors.

    A declaration whose `scope` is wider than its place is kept where that scope belongs: here, or
    on the phase. One whose scope is narrower stays where it was made and counts for every phase or
    topic inside.
    """

    session_id: Annotated[Identifier, "脚本的标识。Names the script."]
    session_name: Annotated[Text, _NAME] = ""
    description: Annotated[Text, _DESCRIPTION] = ""
    template_scheme: Annotated[
        OptionalIdentifier, "使用哪一套提示词，例如 cbt_anxiety。Which set of prompts to use."
    ] = ""
    """Empty = the default templates only."""
    roles: Annotated[
        tuple[RoleDefinition, ...],
        Once("role", "role", "freely_twice"),
        "谁在说话，对谁说。Who speaks, and with whom.",
    ] = ()
    strategy_engine: Annotated[Switch, _STRATEGY_ENGINE] = False
    monitor: Annotated[MonitorRule, _MONITOR] = UNSAID
    declarations: Annotated[tuple[Declaration, ...], Named("declare"), _DECLARE] = ()
    """All of global and session scope, global.yaml's too, and narrower ones made here."""
    input: Annotated[
        InputSettings,
        "来访者的消息分几条发来时怎么办。What happens to messages that come in pieces.",
    ] = InputSettings()
    phases: Annotated[
        tuple[Phase, ...], "阶段，依次进行。The phases, one after the other.", AtLeastOne()
    ]
    metadata: Annotated[FreeMapping, Derived()] = field(default_factory=dict)
    techniques: Annotated[Mapping[str, Technique], SkipValidation, Derived()] = field(
        default_factory=dict
    )
    """Those its use_skill actions run, nested ones too, by technique_id."""

    def walk(self) -> Iterator[tuple[int, int, int, Action]]:
        """Yield every action in order with its phase, topic and action index."""
        for p, phase in enumerate(self.phases):
            for t, topic in enumerate(phase.topics):
                for a, action in enumerate(topic.actions):
                    yield p, t, a, action


@mapping("a script")
class ScriptFile:
    """The keys of a script's file."""

    metadata: Annotated[
        FreeMapping,
        Wanted("a mapping, such as {name: …, author: …}"),
        "随意填写：名称、版本、作者。Anything you like: name, version, author.",
    ] = field(default_factory=dict)
    session: Annotated[
        Script, Needs(" with a session_id and phases"), "整个会谈。The whole session."
    ]


@mapping("global.yaml", aliases={"globals": "global"})
class GlobalsFile:
    """The keys of a global.yaml."""

    declarations: Annotated[
        tuple[Declaration, ...],
        Named("global"),
        "全局变量的声明，跨会谈保留。Global variables, kept across sessions.",
    ] = ()
