"""What begins a turn, what it begins with, and what may stop it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from enum import StrEnum
from typing import TypeAlias

from heartrule.domain.conversation import Message
from heartrule.domain.events import DraftPosition, Outcome, SessionEvent
from heartrule.domain.json_value import JsonValue
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo
from heartrule.domain.monitoring import Advice, DialogueLine
from heartrule.domain.orchestration import PlanEdit
from heartrule.domain.position import ExecutionPosition
from heartrule.domain.problem import Degradation
from heartrule.domain.replacement import ActionReplacement
from heartrule.domain.safety import NOTHING_FOUND, SafetyState
from heartrule.domain.summary import NO_SUMMARY, Summary
from heartrule.domain.variables import VariableValue
from session_store.records.monitoring import EditsAtHand


class StopKind(StrEnum):
    """What a running turn is asked to do at its next safe point."""

    INTERRUPT = "interrupt"
    """End; what is committed stays."""
    RESTART = "restart"
    """Begin anew with the inputs that wait, unless it has committed a message."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRequest:
    """What is asked of one running turn; durable until another takes its place."""

    turn_id: str
    """Empty where none ran, and an input is urgent."""
    attempt: int
    """The attempt that ran; a RESTART concerns it alone, an INTERRUPT all that follow."""
    kind: StopKind
    request_id: str = ""
    heard: DraftPosition | None = None
    """How much of the draft is to be kept; None: `keeps_shown` decides."""
    keeps_shown: bool = False
    """True: all of a draft that holds a whole sentence is to be kept."""
    urgent: str = ""
    """The id of an input that no other may delay; without effect once it has a turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class InterruptOrder:
    """A turn is to be interrupted."""

    key: SessionKey
    turn_id: str
    request_id: str = ""
    """The same request_id gets the same answer while the turn is the last that was stopped."""
    heard: DraftPosition | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Interrupted:
    """What became of an interrupt; exactly one field is set."""

    request: StopRequest | None = None
    """Noted: the turn stops at its next safe point."""
    outcome: Outcome | None = None
    """Nothing changed: the turn had ended so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnLeft:
    """An attempt that its holder gives up, so that a further one may begin at once."""

    turn_id: str
    attempt: int
    calls: tuple[LLMDebugInfo, ...] = ()


class TurnStatus(StrEnum):
    """How far a turn is."""

    RUNNING = "running"
    """Begun; if no lease is held, orphaned."""
    COMPLETED = "completed"
    FAILED = "failed"
    """Ended with a retryable problem; it may run again."""
    GIVEN_UP = "given_up"
    """Failed for good: its inputs are history, and what the client sends next is another turn."""


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
    turn_state: TurnStatus | None
    events: tuple[SessionEvent, ...] = ()
    """What was just committed; empty for a duplicate."""
    stop: StopRequest | None = None
    """What it asks of the turn that runs, as noted in the same transaction."""
    earlier: tuple[str, ...] = ()
    """Where it waits: the client's texts before it, back to where the assistant last spoke."""

    @property
    def has_ended(self) -> bool:
        """Whether it has a turn that runs no more."""
        return self.turn_state in {TurnStatus.COMPLETED, TurnStatus.GIVEN_UP}


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


# States of an instance that never runs again, and takes no advice.
ENDED = frozenset({InstanceState.COMPLETED, InstanceState.SKIPPED})


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
    technique_id: str = ""
    """The technique that defines the action; empty: the topic itself does."""
    parent_instance_id: str = ""
    """The use_skill this one runs inside; empty: it is the topic's own."""
    definition: Mapping[str, JsonValue] = field(default_factory=dict)
    """What an edit gave it, `config` and `inserted`; empty: the script defines it."""


# All instances of one topic, in the order in which they run.
Plan: TypeAlias = tuple[ActionInstance, ...]


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
    language: str = ""
    """A tag such as `en`; empty until somebody decided it: that of the locale counts."""
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
    """True when no step is to judge them: one has, or they came before the messages of the turn."""
    steps: int
    """Steps of this turn committed by earlier attempts."""
    window: tuple[DialogueLine, ...]
    """Recent messages as text, in conversation order, without unconsumed inputs; in blocks, and
    none that the summary covers."""
    summary: Summary = NO_SUMMARY
    """Of what comes before the window."""
    advice: Advice | None
    """Newest pending advice of the current action instance about an earlier round."""
    new_inputs: tuple[Message, ...] = ()
    """The inputs that came since the turn's last committed step, consumed or not."""
    last_ai_message: str = ""
    strategy_engine: bool | None = None
    """As the session was asked for; None: its script decides."""
    turn_timeout: timedelta | None = None
    """The shortest the inputs ask for."""
    traceparents: tuple[str, ...] = ()
    """Trace contexts of the inputs, in order; the first is the turn's parent."""
    degradations: tuple[Degradation, ...] = ()
    """Those of the steps already committed in this turn."""
    message_ids: tuple[str, ...] = ()
    """Assistant messages already committed in this turn."""
    replacements: tuple[ActionReplacement, ...] = ()
    """Configs in the place of the script's, in this session alone."""
    runs_waiting: int = 0
    """Runs that ended and that no turn has taken up; nothing is read of them."""
    edits: EditsAtHand = field(default_factory=EditsAtHand)
    """Edits that wait, and what decides about them; nothing is read where none waits."""
    stop: StopRequest | None = None
    """It was interrupted before this attempt began."""
    safety: SafetyState = NOTHING_FOUND
    """Where the session is on the crisis path."""
    events: tuple[SessionEvent, ...] = ()
    """What beginning it committed: DraftVoided of a lost attempt, expired advice, TurnStarted."""


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
    URGENT = "urgent"
    """Another holder has the lease, and an urgent input waits for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanView:
    """The queue of a session's current topic."""

    script_id: str
    script_version: str
    replacements: tuple[ActionReplacement, ...] = ()
    position: ExecutionPosition
    plan_revision: int
    plan: tuple[ActionInstance, ...]
    past: tuple[PlanEdit, ...] = ()
    """Edits applied to that topic, oldest first."""
