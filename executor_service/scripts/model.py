"""A loaded script: session, phases, topics and actions, frozen (SCRIPT-LANGUAGE, Tree)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from executor_service.conditions.expression import Expression
from executor_service.scripts.configs import ActionConfig, ActionType
from executor_service.scripts.findings import Place
from heartrule.domain.conversation import IfBusy
from heartrule.domain.exits import DecisionSource
from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import TopicStrategy
from heartrule.domain.orchestration import DEFAULT_EDIT_BUDGET
from heartrule.domain.output_type import OutputType
from heartrule.domain.variables import VariableScope


@dataclass(frozen=True, slots=True, kw_only=True)
class Declaration:
    """A variable the author names beforehand, with the scope it lives in."""

    var: str
    define: str = ""
    value: JsonValue = None
    """Its first value; None leaves it unset. 0, false and "" are values (RESOLUTIONS C19)."""
    scope: VariableScope
    type: OutputType = OutputType.TEXT
    place: Place


class OnError(StrEnum):
    """What a condition that cannot be evaluated means; either way it is recorded."""

    RUN = "run"
    SKIP = "skip"


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """A `condition` or `entry_condition`, checked and compiled when the script was loaded."""

    source: str
    """As the author wrote it."""
    expression: Expression
    on_error: OnError = OnError.RUN
    place: Place


class Cadence(StrEnum):
    """Which judged rounds the monitor is asked about."""

    EVERY_ROUND = "every_round"
    EVERY_N = "every_n"
    """The n-th round of an action, and each n-th after it."""
    ON_SUGGESTION = "on_suggestion"
    """Rounds whose progress suggestion is blocked or off_topic."""
    OFF = "off"


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorRule:
    """A `monitor` key as one place of a script writes it; None leaves it to the place around."""

    cadence: Cadence | None = None
    n: int | None = None
    """Given with EVERY_N."""
    wait_for_advice_ms: int | None = None


UNSAID = MonitorRule()
"""A place that says nothing of the monitor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleDefinition:
    """Who speaks, or is spoken to, in this script."""

    role: str
    """`counsellor` (fills {who}) or `client` (fills {user}); any other is for the texts."""
    name: str
    tone: str = ""
    """Tone of this role where an action names none."""
    define: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One step of a topic."""

    action_type: ActionType
    action_id: str
    """Unique within its topic."""
    config: ActionConfig
    mandatory: bool = False
    """True: the plan of its topic may not skip or drop it."""
    condition: Condition | None = None
    """Asked when the action is about to start; false skips it."""
    exit_sources: frozenset[DecisionSource] | None = None
    """`exit_policy.enabled_sources`; None leaves those of the action type."""
    strategy_engine: bool | None = None
    """None: as the session says."""
    monitor: MonitorRule = UNSAID
    written: Mapping[str, JsonValue] = field(default_factory=dict, compare=False)
    """The config as it was written: an edit of the plan changes keys of it."""
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A list of actions with one goal."""

    topic_id: str
    """Unique within its phase."""
    topic_name: str = ""
    topic_goal: str = ""
    description: str = ""
    strategy: str | TopicStrategy | None = None
    monitor: MonitorRule = UNSAID
    declarations: tuple[Declaration, ...] = ()
    """Those made here, except of wider scope."""
    edit_budget: int = DEFAULT_EDIT_BUDGET
    """Edits of its plan that may be applied."""
    actions: tuple[Action, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InputParameter:
    """What a technique asks of the script that uses it."""

    name: str
    description: str = ""
    required: bool = True
    type: OutputType = OutputType.TEXT
    """Declared by its topic, else that of an output of this name; a choice is any text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Technique:
    """A technique (skill) file: a topic with inputs and outputs."""

    technique_id: str
    technique_name: str = ""
    input_parameters: tuple[InputParameter, ...] = ()
    output_variables: tuple[str, ...] = ()
    topic: Topic


@dataclass(frozen=True, slots=True, kw_only=True)
class Phase:
    """A list of topics."""

    phase_id: str
    """Unique within the session."""
    phase_name: str = ""
    phase_goal: str = ""
    description: str = ""
    declarations: tuple[Declaration, ...] = ()
    """Those made here, except of wider scope, and those of phase scope made on its topics."""
    topics: tuple[Topic, ...]
    entry_condition: Condition | None = None
    """Asked when the phase is about to be entered; false skips it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputSettings:
    """What happens to messages that come while a turn runs, or in pieces."""

    if_busy: IfBusy = IfBusy.MERGE
    """merge, queue or reject."""
    merge_window_ms: int = 0
    """How long a turn waits for further fragments before it starts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """A script that loaded without errors.

    A declaration whose `scope` is wider than its place is kept where that scope belongs: here, or
    on the phase. One whose scope is narrower stays where it was made and counts for every phase or
    topic inside.
    """

    session_id: str
    session_name: str = ""
    description: str = ""
    template_scheme: str = ""
    """Empty = the default templates only."""
    declarations: tuple[Declaration, ...] = ()
    """All of global and session scope, global.yaml's too, and narrower ones made here."""
    phases: tuple[Phase, ...]
    input: InputSettings = InputSettings()
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    roles: tuple[RoleDefinition, ...] = ()
    strategy_engine: bool = False
    monitor: MonitorRule = UNSAID
    techniques: Mapping[str, Technique] = field(default_factory=dict)
    """Those its use_skill actions run, nested ones too, by technique_id."""

    def walk(self) -> Iterator[tuple[int, int, int, Action]]:
        """Yield every action in order with its phase, topic and action index."""
        for p, phase in enumerate(self.phases):
            for t, topic in enumerate(phase.topics):
                for a, action in enumerate(topic.actions):
                    yield p, t, a, action
