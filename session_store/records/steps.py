"""What a turn writes: steps, their end, a failure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from heartrule.domain.action_result import ActionResult
from heartrule.domain.conversation import Message
from heartrule.domain.events import Outcome, SessionEvent
from heartrule.domain.exits import ExitDecision, ExitReason
from heartrule.domain.input_request import InputRequested
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.orchestration import PlanEdit
from heartrule.domain.position import ExecutionPosition, ExecutionStatus
from heartrule.domain.problem import Degradation, Problem
from heartrule.domain.safety import SafetyCard, SafetyLevel, SafetySource, SafetyState, Subject
from heartrule.domain.skipping import StepSkipped
from heartrule.domain.strategy import StrategyDecision
from heartrule.domain.thread_changes import NewThread
from heartrule.domain.variables import (
    ScopeSnapshot,
    VariableDefinition,
    VariableOperation,
    VariableValue,
)
from session_store.records.decisions import DecisionChange, NewRevision
from session_store.records.monitoring import MonitorWork
from session_store.records.runs import NewRun, RunEffect
from session_store.records.turns import ActionInstance, StopRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class SafetyStep:
    """What a step changes on the crisis path."""

    state: SafetyState
    """The session's after the step."""
    level: SafetyLevel
    """Of what was found; the state's may be higher."""
    source: SafetySource
    rules: tuple[str, ...] = ()
    subject: Subject | None = None
    language: str = ""
    card: SafetyCard | None = None
    """The card that is among the step's messages."""
    client_message_ids: tuple[str, ...] = ()
    """The inputs it was found in."""
    raised: bool = False
    """True for a hit: it is listed and counted as a safety event."""
    alert: bool = False
    """True: operators are to be told; a hit alone asks for it."""


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
    """One that replaces a placeholder has its turn and its place, whatever turn this is."""
    instances: tuple[ActionInstance, ...] = ()
    """Plan rows made or changed."""
    variables: tuple[VariableValue, ...] = ()
    """Values written; each replaces the one of its (scope, scope_id, name), an archived one that of
    its name in the archive, and both follow the clearing of the scopes left."""
    definitions: tuple[VariableDefinition, ...] = ()
    """Outputs written for the first time without a declaration; known ones stay as they are."""
    operations: tuple[VariableOperation, ...] = ()
    scopes_left: tuple[ScopeSnapshot, ...] = ()
    """Each with what it held; its values are deleted."""
    skipped: tuple[StepSkipped, ...] = ()
    """What conditions passed over on the way to `position`, in order."""
    strategy: StrategyDecision | None = None
    """What the strategy engine recommended in this step."""
    result: ActionResult | None = None
    inputs_consumed: bool = False
    """True from the step on that judged the inputs."""
    advice_consumed: str = ""
    """Id of the advice this step's prompt held (RESOLUTIONS C12)."""
    calls: tuple[LLMDebugInfo, ...] = ()
    monitor_requested: bool = False
    """True when `result` is to be analysed (RESOLUTIONS C13)."""
    monitor_owner: str = ""
    """Who claims that analysis with the step and works on it at once; empty: not claimed yet."""
    monitor_ttl: timedelta = timedelta(0)
    """How long that claim lasts."""
    traceparent: str = ""
    """Span context of the judged round, for the analysis's link."""
    safety: SafetyStep | None = None
    requested: InputRequested | None = None
    """A request the step makes."""
    open_request: str | None = None
    """Id of the request that is open after the step, "" for none; None leaves it as it was."""
    degradations: tuple[Degradation, ...] = ()
    """Those of this step alone."""
    edits: tuple[PlanEdit, ...] = ()
    """Edits of the plan decided at the turn's beginning, in their new state; the first step alone
    has them, and `instances` what they changed."""
    decisions: tuple[DecisionChange, ...] = ()
    """Made, judged or taken further in this step, in order; one change of each at most."""
    workflows: tuple[NewRevision, ...] = ()
    """Revisions that decisions made."""
    runs: tuple[NewRun, ...] = ()
    """Runs that decisions began."""
    run_effects: tuple[RunEffect, ...] = ()
    """What decisions changed of runs; one of each run at most."""
    threads: tuple[NewThread, ...] = ()
    """Threads opened in messages of this step or an earlier one; `runs` has what works on them."""
    runs_taken_up: tuple[str, ...] = ()
    """Ids of runs whose ends this step takes up."""
    language: str = ""
    """The session's from here on; empty: as it was."""
    drafts_voided: str = ""
    """Why drafts that were shown are void; empty: none are."""
    end: TurnEnd | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CommittedStep:
    """What a step's transaction wrote."""

    events: tuple[SessionEvent, ...]
    inputs_waiting: bool
    """True when further inputs wait after the turn's end."""
    monitor_work: MonitorWork | None = None
    """The analysis that was asked for and claimed; None: none, or it was asked for before."""
    shown: tuple[Message, ...] = ()
    """Results of threads that took their placeholders' places with this step."""
    stop: StopRequest | None = None
    """The turn was interrupted; it matters where the turn goes on."""


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
    is_final: bool = False
    """True where no further attempt of the turn would end otherwise."""
