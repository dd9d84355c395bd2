"""A loaded script: session, phases, topics and actions, frozen (SCRIPT-LANGUAGE, Tree)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from executor_service.scripts.configs import ActionConfig, ActionType
from executor_service.scripts.findings import Place
from heartrule.domain.conversation import IfBusy
from heartrule.domain.json_value import JsonValue
from heartrule.domain.monitoring import TopicStrategy
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One step of a topic."""

    action_type: ActionType
    action_id: str
    """Unique within its topic."""
    config: ActionConfig
    mandatory: bool = False
    """True: the plan of its topic may not skip or drop it."""
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
    declarations: tuple[Declaration, ...] = ()
    """Those made here, except of wider scope."""
    actions: tuple[Action, ...]


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

    def walk(self) -> Iterator[tuple[int, int, int, Action]]:
        """Yield every action in order with its phase, topic and action index."""
        for p, phase in enumerate(self.phases):
            for t, topic in enumerate(phase.topics):
                for a, action in enumerate(topic.actions):
                    yield p, t, a, action
