"""What the store takes and gives: plain frozen records, no rows and no connections."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum

from heartrule.domain.action_result import ActionResult
from heartrule.domain.conversation import IfBusy, Message
from heartrule.domain.events import Outcome, SessionEvent
from heartrule.domain.exits import ExitDecision, ExitReason
from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.monitoring import (
    Advice,
    AdviceState,
    AnalysisOutcome,
    DialogueLine,
    MonitorAnalysis,
    RoundMetrics,
)
from heartrule.domain.position import ExecutionPosition, ExecutionStatus
from heartrule.domain.problem import Degradation, Problem
from heartrule.domain.variables import VariableOperation, VariableScope, VariableValue


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptRecord:
    """One published version of a script: a bundle of files."""

    tenant: str
    script_id: str
    version: str
    """Hash over the sorted paths and bytes."""
    main: str
    """Path of the script within the bundle."""
    files: Mapping[str, bytes]
    session_name: str = ""
    create_time: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSession:
    """A session to be created."""

    key: SessionKey
    script_id: str
    script_version: str
    user_id: str = ""
    locale: str = ""
    time_zone: str = ""
    request_id: str = ""
    """The same request_id gives the session made before."""
    if_busy: IfBusy = IfBusy.MERGE
    """What an input that names no `if_busy` gets."""
    merge_window: timedelta = timedelta(0)
    variables: tuple[VariableValue, ...] = ()
    """Declared values of session scope (a declared global is written only where the user has none)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionRecord:
    """A session as it stands."""

    key: SessionKey
    script_id: str
    script_version: str
    user_id: str
    locale: str
    time_zone: str
    status: ExecutionStatus
    position: ExecutionPosition
    plan_revision: int
    last_sequence: int
    opened: bool
    """True once the opening turn has committed its end."""
    opening_turn_id: str
    """Empty before the opening turn was first begun."""
    last_ai_message: str
    pending_client_message_ids: tuple[str, ...]
    error: Problem | None
    create_time: datetime
    update_time: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Which part of a list is wanted."""

    size: int = 50
    token: str = ""
    """Opaque; empty for the first page."""


class TurnState(StrEnum):
    """How far a turn is."""

    RUNNING = "running"
    """Begun; if no lease is held, orphaned."""
    COMPLETED = "completed"
    FAILED = "failed"
    """Ended with a retryable problem; it may run again."""


class TurnKind(StrEnum):
    """What began a turn."""

    OPENING = "opening"
    INPUT = "input"


@dataclass(frozen=True, slots=True, kw_only=True)
class AcceptedInput:
    """The outcome of storing an input."""

    duplicate: bool
    """True when the same client_message_id with equal content was stored before."""
    message: Message
    sequence: int
    """Sequence of its InputAccepted."""
    turn_id: str
    """Empty while it waits for a turn."""
    turn_state: TurnState | None
    events: tuple[SessionEvent, ...] = ()
    """What was just committed; empty for a duplicate."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lease:
    """The right to write one session, fenced by its token."""

    key: SessionKey
    owner: str
    token: int


class InstanceState(StrEnum):
    """How far one action instance of a topic's plan is."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionInstance:
    """One row of a topic's plan: an action about to run, running, or done."""

    action_instance_id: str
    phase_id: str
    topic_id: str
    action_id: str
    action_type: str
    ordinal: int
    """Place in the topic's queue, from 0."""
    state: InstanceState = InstanceState.PENDING
    round: int = 0
    memory: Mapping[str, JsonValue] = field(default_factory=dict)
    """The action's own small state, never its configuration (RESOLUTIONS C22)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSnapshot:
    """All a turn needs, bounded, read in the transaction that took the lease."""

    lease: Lease
    turn_id: str
    turn_no: int
    attempt: int
    kind: TurnKind
    script_id: str
    script_version: str
    user_id: str
    locale: str
    time_zone: str
    position: ExecutionPosition
    plan_revision: int
    plan: tuple[ActionInstance, ...]
    """The current topic's instances in order; empty before the first topic is entered."""
    variables: tuple[VariableValue, ...]
    """Live and archived ones of the session, and the user's globals."""
    inputs: tuple[Message, ...]
    """The turn's client messages, in order."""
    inputs_consumed: bool
    """True when a committed step of this turn has already judged them."""
    steps: int
    """Steps of this turn committed by earlier attempts."""
    window: tuple[Message, ...]
    """Recent messages in conversation order, without unconsumed inputs; trimmed in blocks of turns."""
    advice: Advice | None
    """Newest pending advice of the current action instance about an earlier round."""
    last_ai_message: str = ""
    turn_timeout: timedelta | None = None
    """The shortest the inputs ask for."""
    traceparents: tuple[str, ...] = ()
    """Trace contexts of the inputs, in order; the first is the turn's parent."""
    degradations: tuple[Degradation, ...] = ()
    """Those of the steps already committed in this turn."""
    message_ids: tuple[str, ...] = ()
    """Assistant messages already committed in this turn."""
    events: tuple[SessionEvent, ...] = ()
    """What beginning it committed: DraftVoided after a lost attempt, expired advice, TurnStarted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLater:
    """The merge window of the waiting inputs is still open."""

    delay: timedelta


class NoTurn(StrEnum):
    """Why no turn began."""

    IDLE = "idle"
    """Nothing waits."""
    HELD = "held"
    """Another holder has the lease."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeLeft:
    """A phase or topic that was left; its variables go to the archive."""

    scope: VariableScope
    scope_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyRecord:
    """Crisis words were seen in the turn's inputs."""

    category: str
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnd:
    """The last step ends the turn and frees the lease."""

    outcome: Outcome
    degradations: tuple[Degradation, ...] = ()
    """All of the turn, earlier steps' included."""
    message_ids: tuple[str, ...] = ()
    """All assistant messages of the turn, in order."""
    exit_reason: ExitReason | None = None
    exit_decision: ExitDecision | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StepCommit:
    """One step of a turn, written in one transaction guarded by the fencing token."""

    turn_id: str
    attempt: int
    status: ExecutionStatus
    position: ExecutionPosition
    messages: tuple[Message, ...] = ()
    instances: tuple[ActionInstance, ...] = ()
    """Plan rows made or changed."""
    variables: tuple[VariableValue, ...] = ()
    """Values written; each replaces the one of its (scope, scope_id, name)."""
    operations: tuple[VariableOperation, ...] = ()
    scopes_left: tuple[ScopeLeft, ...] = ()
    result: ActionResult | None = None
    inputs_consumed: bool = False
    """True from the step on that judged the inputs."""
    advice_consumed: str = ""
    """Id of the advice this step's prompt held (RESOLUTIONS C12)."""
    calls: tuple[LLMDebugInfo, ...] = ()
    monitor_requested: bool = False
    """True when `result` is to be analysed (RESOLUTIONS C13)."""
    traceparent: str = ""
    """Span context of the judged round, for the analysis's link."""
    safety: SafetyRecord | None = None
    degradations: tuple[Degradation, ...] = ()
    """Those of this step alone."""
    end: TurnEnd | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommittedStep:
    """What a step's transaction wrote."""

    events: tuple[SessionEvent, ...]
    inputs_waiting: bool
    """True when further inputs wait after the turn's end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnFailure:
    """An attempt that ended without its last step; the position stays (RESOLUTIONS C24)."""

    turn_id: str
    attempt: int
    problem: Problem
    drafts_shown: bool
    """True when drafts were sent that no commit replaced; DraftVoided then precedes TurnEnded."""
    calls: tuple[LLMDebugInfo, ...] = ()
    degradations: tuple[Degradation, ...] = ()
    """All of the turn, earlier steps' included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorTicket:
    """Names one monitor request."""

    key: SessionKey
    action_instance_id: str
    round: int
    exhausted: bool = field(default=False, compare=False)
    """True when both attempts died unheard: not to be claimed, but finished as FAILED."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorWork:
    """A claimed monitor request with the rows it is made of."""

    ticket: MonitorTicket
    attempt: int
    """1 or 2; a third is never given."""
    script_id: str
    script_version: str
    phase_id: str
    topic_id: str
    turn_id: str
    max_rounds: int
    result: ActionResult
    trend: tuple[RoundMetrics, ...]
    dialogue: tuple[DialogueLine, ...]
    """The question, the client's reply, and the answer given."""
    traceparent: str
    stale: bool
    """True once the session is more than `ttl_turns` turns further: drop it with a reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisRecord:
    """How a monitor request ended."""

    ticket: MonitorTicket
    outcome: AnalysisOutcome
    reason: str = ""
    analysis: MonitorAnalysis | None = None
    advice: Advice | None = None
    """To be stored; the store decides whether it is pending, expired or superseded."""
    calls: tuple[LLMDebugInfo, ...] = ()
    retry: bool = False
    """True: failed, and a second attempt is allowed; no event is written yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceChange:
    """A state an advice took on."""

    advice_id: str
    state: AdviceState


@dataclass(frozen=True, slots=True, kw_only=True)
class ErasedSessions:
    """What an erasure took."""

    session_ids: tuple[str, ...]
