"""A script: session, phases, topics and actions, frozen (SCRIPT-LANGUAGE, Tree)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from typing import Annotated

from annotated_types import Ge
from pydantic import SkipValidation

from executor_service.scripts.model.actions import ActionConfig, ActionType
from executor_service.scripts.model.exits import ExitPolicyKeys
from executor_service.scripts.model.findings import SourcePlace
from executor_service.scripts.model.kinds import (
    WORD,
    BareIdentifier,
    FilledText,
    FreeMapping,
    Identifier,
    ListedVariable,
    Metadata,
    NumberOrText,
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
    WrittenAs,
    changed,
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
    SafetySettings,
    StrategyKeys,
    WhenKnown,
)
from heartrule.domain.exits import DecisionSource
from heartrule.domain.monitoring import TopicStrategy
from heartrule.domain.orchestration import DEFAULT_EDIT_BUDGET
from heartrule.domain.output_type import OutputType
from heartrule.words.words import say

# Actions that may run in one turn without input (SCRIPT-LANGUAGE, What a round is): a script that
# never asks would write steps until the turn's time is over.
MAX_SILENT_ACTIONS = 100
_NAME = re.compile(r"[^\W\d]\w*")


@mapping(
    say("what.action"),
    item="- {action_type: …, action_id: …, config: …}",
    definition="action",
    aliases={"type": "action_type", "id": "action_id", "entry_condition": "condition"},
)
class Action:
    """One step of a topic."""

    action_type: ActionType
    action_id: Identifier
    condition: Annotated[Condition | None, SkipValidation, WrittenAs(Text)] = None
    """Asked when the action is about to start; false skips it."""
    on_error: Annotated[OnError, WORD] | None = None
    """As it is written; its condition keeps it."""
    mandatory: bool = False
    exit_sources: Annotated[
        frozenset[DecisionSource] | None, Named("exit_policy"), WrittenAs(ExitPolicyKeys)
    ] = None
    """`exit_policy.enabled_sources`; None leaves those of the action type."""
    strategy_engine: Switch | None = None
    """None: as the session says."""
    monitor: MonitorRule = UNSAID
    when_known: Annotated[WhenKnown, WORD] | None = None
    """None: as the topic says."""
    config: Annotated[ActionConfig, WrittenAs(dict)]
    written: Annotated[FreeMapping, Derived()] = field(default_factory=dict, compare=False)
    """The config as it was written: an edit of the plan changes keys of it."""
    place: Annotated[SourcePlace, Derived()]


@mapping(
    say("what.topic"),
    definition="topic",
    aliases={"id": "topic_id", "name": "topic_name", "goal": "topic_goal"},
)
class Topic:
    """A list of actions with one goal."""

    topic_id: Identifier
    topic_name: Text = ""
    topic_goal: FilledText = ""
    description: Text = ""
    strategy: Annotated[
        str | TopicStrategy | None, SkipValidation, WrittenAs(FilledText | StrategyKeys)
    ] = None
    monitor: MonitorRule = UNSAID
    when_known: Annotated[WhenKnown, WORD] | None = None
    """None: as the session says."""
    edit_budget: Annotated[int, Ge(0)] = DEFAULT_EDIT_BUDGET
    declarations: Annotated[tuple[Declaration, ...], Named("declare")] = ()
    """Those made here, except of wider scope."""
    actions: Annotated[tuple[Action, ...], AtLeastOne()]
    words: Annotated[frozenset[str], SkipValidation, Derived()] = field(
        default=frozenset(), compare=False, repr=False
    )
    """Whatever reads a variable, in a text, a condition or an output, has its name among these."""


def words_of(*parts: object) -> frozenset[str]:
    """Return all words in parts of a script."""
    return frozenset(word for part in parts for word in _NAME.findall(repr(part)))


def with_words(topic: Topic) -> Topic:
    """Return a topic that knows the words in it: a prompt has no time to look for them."""
    # One action at a time: a search holds up every other thread.
    return changed(topic, words=words_of(*topic.actions, changed(topic, actions=())))


@mapping(
    say("what.input_parameter"),
    item="- {name: {}, …}",
    aliases={"var": "name", "get": "name", "define": "description"},
)
class InputParameter:
    """What a technique asks of the script that uses it."""

    name: Variable
    description: Text = ""
    required: bool = True
    type: Annotated[OutputType, Derived()] = OutputType.TEXT
    """Declared by its topic, else that of an output of this name; a choice is any text."""


@mapping(
    say("what.technique"),
    aliases={"skill_id": "technique_id", "name": "technique_name", "topics": "topic"},
)
class Technique:
    """A technique (skill) file: a topic with inputs and outputs."""

    technique_id: BareIdentifier
    technique_name: Text = ""
    metadata: Metadata = field(default_factory=dict)
    version: NumberOrText = ""
    author: Text = ""
    input_parameters: Annotated[
        tuple[InputParameter, ...], Once(say("noun.input_parameter"), "name")
    ] = ()
    output_variables: Annotated[tuple[ListedVariable, ...], Once(say("noun.output_variable"))] = ()
    topic: Annotated[Topic, Needs(say("advice.with_two", first="topic_id", second="actions"))]


@mapping(
    say("what.phase"),
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

    phase_id: Identifier
    phase_name: Text = ""
    phase_goal: Text = ""
    description: Text = ""
    entry_condition: Annotated[Condition | None, SkipValidation, WrittenAs(Text)] = None
    """Asked when the phase is about to be entered; false skips it."""
    on_error: Annotated[OnError, WORD] | None = None
    """As it is written; its condition keeps it."""
    declarations: Annotated[tuple[Declaration, ...], Named("declare")] = ()
    """Those made here, except of wider scope, and those of phase scope made on its topics."""
    topics: Annotated[tuple[Topic, ...], AtLeastOne()]


@mapping(
    say("what.session"),
    aliases={"id": "session_id", "name": "session_name", "scheme": "template_scheme"},
)
class Script:
    """A script that loaded without errors.

    A declaration whose `scope` is wider than its place is kept where that scope belongs: here, or
    on the phase. One whose scope is narrower stays where it was made and counts for every phase or
    topic inside.
    """

    session_id: Identifier
    session_name: Text = ""
    description: Text = ""
    template_scheme: OptionalIdentifier = ""
    """Empty = the default templates only."""
    roles: Annotated[
        tuple[RoleDefinition, ...], Once(say("noun.role"), "role", "freely_twice")
    ] = ()
    strategy_engine: Switch = False
    monitor: MonitorRule = UNSAID
    when_known: Annotated[WhenKnown, WORD] = WhenKnown.CONFIRM
    declarations: Annotated[tuple[Declaration, ...], Named("declare")] = ()
    """All of global and session scope, global.yaml's too, and narrower ones made here."""
    input: InputSettings = InputSettings()
    safety: SafetySettings = SafetySettings()
    phases: Annotated[tuple[Phase, ...], AtLeastOne()]
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


@mapping(say("what.script"))
class ScriptFile:
    """The keys of a script's file."""

    metadata: Metadata = field(default_factory=dict)
    session: Annotated[Script, Needs(say("advice.with_two", first="session_id", second="phases"))]


@mapping("global.yaml", aliases={"globals": "global"})
class GlobalsFile:
    """The keys of a global.yaml."""

    declarations: Annotated[tuple[Declaration, ...], Named("global")] = ()
