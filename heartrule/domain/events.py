"""Everything a stream can carry, one event type for all of them (CONTRACT: SessionEvent)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeAlias

from heartrule.domain.action_result import ActionResult
from heartrule.domain.conversation import Audience, Message
from heartrule.domain.decision_events import (
    DecisionMade,
    DecisionRejected,
    DecisionValidated,
    WorkflowChanged,
)
from heartrule.domain.exits import ExitDecision, ExitReason
from heartrule.domain.input_request import InputRequested
from heartrule.domain.monitoring import Advice, AnalysisOutcome
from heartrule.domain.orchestration import PlanEdit
from heartrule.domain.position import ExecutionState
from heartrule.domain.problem import Degradation, Problem
from heartrule.domain.run_events import Activity, NodeChanged, NodeExecutionFailed, RunChanged
from heartrule.domain.safety import SafetyCard, SafetyFallback, SafetyLevel, SafetySource
from heartrule.domain.sent_effects import SentEffect
from heartrule.domain.skipping import StepSkipped
from heartrule.domain.strategy import StrategyDecision
from heartrule.domain.thread_events import ThreadChanged, ThreadMessageAdded
from heartrule.domain.variables import VariableOperation, VariableScope


class Outcome(StrEnum):
    """The end of a turn's attempt."""

    WAITING = "waiting"
    SESSION_COMPLETED = "session_completed"
    INTERRUPTED = "interrupted"
    FAILED = "failed"
    PREEMPTED = "preempted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """First event of each stream; transient."""

    state: ExecutionState
    max_input_bytes: int
    heartbeat_interval: timedelta
    max_input_chars: int = 0
    """Of this session; 0: an older server, which does not say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InputAccepted:
    """After the commit: the inputs are durable."""

    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class InputRejected:
    """Transient: nothing was stored."""

    client_message_id: str
    problem: Problem
    fallback: SafetyFallback | None = None
    """What is shown in its place; None: nothing in the input calls for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStarted:
    """A turn, or a further attempt of it, began; merged inputs are several ids."""

    client_message_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftPosition:
    """A place in a draft, in Unicode code points."""

    message_id: str
    offset: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftDelta:
    """Text as the model writes it; transient."""

    at: DraftPosition
    text: str = ""
    text_complete: bool = False
    """The reader may answer; the turn still works."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftVoided:
    """Forget this turn's drafts whose attempt is at most `up_to_attempt`."""

    up_to_attempt: int
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageCommitted:
    """The message that replaces the draft of its id."""

    message: Message


@dataclass(frozen=True, slots=True, kw_only=True)
class StateChanged:
    """The position or status moved; without variables."""

    state: ExecutionState


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnded:
    """An attempt of the turn ended; with FAILED and a retryable problem it may run again."""

    outcome: Outcome
    problem: Problem | None = None
    message_ids: tuple[str, ...] = ()
    degradations: tuple[Degradation, ...] = ()
    client_message_ids: tuple[str, ...] = ()
    state: ExecutionState | None = None
    exit_reason: ExitReason | None = None
    exit_decision: ExitDecision | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyRaised:
    """Danger was found in what the client wrote."""

    category: str
    """The level's name in lower case."""
    rule: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyChanged:
    """The session's safety level or step changed, or a card was shown as an ordinary message."""

    level: SafetyLevel
    step: str = ""
    card: SafetyCard | None = None
    source: SafetySource | None = None
    """For OPERATOR alone, as are the rules; None for other audiences."""
    rules: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AdviceChanged:
    """An advice was made, consumed, expired or superseded."""

    advice: Advice


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionResultRecorded:
    """A round was judged."""

    action_result: ActionResult


@dataclass(frozen=True, slots=True, kw_only=True)
class VariableChanged:
    """A user variable was written."""

    variable_operation: VariableOperation


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeLeft:
    """A scope was left: its variables are gone, and only the archive answers for them."""

    scope: VariableScope
    scope_id: str = ""
    cleaned_variables: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StrategyDecided:
    """The strategy engine recommended how to talk with this client."""

    strategy_decision: StrategyDecision


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisEnded:
    """A monitor analysis ended, also where there is no advice, so that no client waits for ever."""

    action_instance_id: str
    about_round: int
    judged_turn_id: str
    result: AnalysisOutcome
    advice_id: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryRewound:
    """Turns were taken back: forget their messages (RESOLUTIONS, One product 6)."""

    after_sequence: int = 0
    """The last event of the last turn that was kept."""
    removed_message_ids: tuple[str, ...] = ()
    cause: str = ""
    state: ExecutionState
    """The session's present state, without variables."""
    turn_ids: tuple[str, ...] = ()
    kept_globals: tuple[str, ...] = ()
    """Globals the turns wrote; they keep their values (RESOLUTIONS C32)."""
    sent_effects: tuple[SentEffect, ...] = ()
    """What runs that the turns began did outside; it is not undone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanEdited:
    """An edit of a topic's queue was proposed, applied, rejected, undone or expired."""

    edit: PlanEdit
    """Without the queue before and after, which ListPlanEdits returns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GoingAway:
    """This server stops; resume elsewhere by sequence. Transient."""

    reconnect_after: timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Heartbeat:
    """The stream lives. Transient."""

    last_sequence: int


# The content of an event, by kind.
EventBody: TypeAlias = (
    Opened
    | InputAccepted
    | InputRejected
    | TurnStarted
    | DraftDelta
    | DraftVoided
    | MessageCommitted
    | InputRequested
    | StateChanged
    | TurnEnded
    | SafetyRaised
    | SafetyChanged
    | AdviceChanged
    | ActionResultRecorded
    | VariableChanged
    | ScopeLeft
    | AnalysisEnded
    | HistoryRewound
    | StepSkipped
    | StrategyDecided
    | PlanEdited
    | DecisionMade
    | DecisionValidated
    | DecisionRejected
    | WorkflowChanged
    | Activity
    | NodeExecutionFailed
    | RunChanged
    | NodeChanged
    | ThreadChanged
    | ThreadMessageAdded
    | GoingAway
    | Heartbeat
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionEvent:
    """One event of a session's stream."""

    session_id: str
    body: EventBody
    sequence: int = 0
    """Above 0: durable and replayable. 0: transient, never replayed."""
    turn_id: str = ""
    """Empty outside a turn."""
    attempt: int = 0
    """From 1 inside a turn; rises when the turn runs again."""
    audience: Audience = Audience.CLIENT
    create_time: datetime | None = None
