"""What the in-memory store keeps: frozen values in a few mutable rows, one table per noun."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from heartrule.domain.action_result import ActionResult
from heartrule.domain.conversation import IfBusy, Message
from heartrule.domain.errors import NotFound
from heartrule.domain.events import Outcome, SessionEvent
from heartrule.domain.input_request import InputRequested
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import ModelCall
from heartrule.domain.monitoring import Advice, PlanningState
from heartrule.domain.position import (
    EndReason,
    ExecutionPosition,
    ExecutionState,
    ExecutionStatus,
)
from heartrule.domain.problem import Degradation, Problem
from heartrule.domain.replacement import ActionReplacement
from heartrule.domain.variables import (
    ScopeSnapshot,
    VariableDefinition,
    VariableScope,
    VariableValue,
)
from session_store.past import PastStep
from session_store.records import (
    ActionInstance,
    AnalysisRecord,
    AssetRecord,
    KeptEdit,
    MonitorTicket,
    NewSession,
    Retried,
    ScriptRecord,
    SessionRecord,
    StopWish,
    TurnKind,
    TurnState,
)

VariableKey = tuple[VariableScope, str, str]
"""Scope, scope id, name."""


WAITING = -1
"""Number of the turn of an input that has none."""


@dataclass(slots=True)
class MessageRow:
    """A message with its place in the conversation; a waiting input has none."""

    message: Message
    sequence: int
    create_time: datetime
    turn_no: int = WAITING
    """WAITING without a turn; -1-n once turn n was taken back (no client's turn is turn 0)."""
    if_busy: IfBusy = IfBusy.MERGE
    turn_timeout: timedelta | None = None
    traceparent: str = ""

    def place(self) -> tuple[int, int]:
        """Return its place: an input stands with its turn, though stored during another."""
        return (self.turn_no, self.sequence)


@dataclass(slots=True)
class TurnRow:
    """A turn over all its attempts."""

    turn_id: str
    turn_no: int
    kind: TurnKind
    state: TurnState = TurnState.RUNNING
    attempt: int = 0
    steps: int = 0
    retry: bool = False
    ended: Outcome | None = None
    """How its last step ended it."""
    inputs: list[MessageRow] = field(default_factory=list)
    inputs_consumed: bool = False
    new_inputs: int = 0
    """How many, the last ones, no committed step of the turn came after."""
    message_ids: list[str] = field(default_factory=list)
    degradations: list[Degradation] = field(default_factory=list)
    results: list[ActionResult] = field(default_factory=list)
    judged: list[int] = field(default_factory=list)
    """Sequences of the results' events: inputs above were judged by none of them."""
    past: list[PastStep] = field(default_factory=list)
    """What its committed steps changed."""
    stood: ExecutionState | None = None
    """Where the session stood when it had ended."""
    last_sequence: int = 0
    """Of that event."""
    open_request: str = ""
    """The session's, when the turn had ended."""

    def client_message_ids(self) -> tuple[str, ...]:
        """Return the ids of its inputs, in order."""
        return tuple(row.message.client_message_id for row in self.inputs)


@dataclass(slots=True, kw_only=True)
class RequestRow:
    """A monitor request: the judged round, and who works on it."""

    ticket: MonitorTicket
    turn: TurnRow
    result: ActionResult
    judged: int
    """Sequence of the result's event."""
    position: ExecutionPosition
    """Where the round was judged."""
    answer: tuple[Message, ...]
    traceparent: str
    advice_id: str = ""
    failures: int = 0
    attempts: int = 0
    owner: str = ""
    until: float = 0.0
    done: bool = False
    ended: AnalysisRecord | None = None
    """How its analysis ended, without the calls."""
    planning: PlanningState | None = None
    planning_reason: str = ""
    planning_claims: int = 0


@dataclass(slots=True)
class AdviceRow:
    """An advice and the number of the turn it judged."""

    advice: Advice
    judged_turn_no: int


@dataclass(slots=True, kw_only=True)
class SessionRow:
    """A session with all that hangs on it."""

    new: NewSession
    create_time: datetime
    update_time: datetime
    status: ExecutionStatus = ExecutionStatus.RUNNING
    position: ExecutionPosition = field(default_factory=ExecutionPosition)
    last_sequence: int = 0
    opened: bool = False
    opening_turn_id: str = ""
    last_ai_message: str = ""
    error: Problem | None = None
    open_request: str = ""
    """Empty: none."""
    stop_wish: StopWish | None = None
    input_requests: dict[str, InputRequested] = field(default_factory=dict)
    end_reason: EndReason | None = None
    lease_owner: str = ""
    lease_token: int = 0
    lease_until: float = 0.0
    """Freed, it lies in the past."""
    messages: list[MessageRow] = field(default_factory=list)
    turns: dict[str, TurnRow] = field(default_factory=dict)
    events: list[SessionEvent] = field(default_factory=list)
    plan: dict[str, ActionInstance] = field(default_factory=dict)
    variables: dict[VariableKey, VariableValue] = field(default_factory=dict)
    archive: dict[str, VariableValue] = field(default_factory=dict)
    """By name: what left its scope last."""
    definitions: dict[VariableKey, VariableDefinition] = field(default_factory=dict)
    snapshots: dict[int, ScopeSnapshot] = field(default_factory=dict)
    """By the number of the event that told of it."""
    results: list[ActionResult] = field(default_factory=list)
    requests: dict[tuple[str, int], RequestRow] = field(default_factory=dict)
    advice: dict[str, AdviceRow] = field(default_factory=dict)
    edits: dict[str, KeptEdit] = field(default_factory=dict)
    """Of the plan, in the order in which they were made."""
    plan_revision: int = 0
    calls: list[ModelCall] = field(default_factory=list)
    monitor_tokens: int = 0
    """Spent on analyses and plans."""
    first: tuple[VariableValue, ...] = ()
    """The variables it began with."""
    forked_from: tuple[str, str] = ("", "")
    """Session and turn."""
    replacements: tuple[ActionReplacement, ...] = ()
    taken_back: dict[str, TurnRow] = field(default_factory=dict)
    last_rewound: int = 0
    """Number of the event that told of the last of them."""
    retried: dict[str, Retried] = field(default_factory=dict)
    """By request_id."""

    def waiting(self) -> list[MessageRow]:
        """Return the inputs without a turn, oldest first."""
        return [row for row in self.messages if row.turn_no == WAITING]

    def newest_turn(self) -> TurnRow | None:
        """Return the turn begun last."""
        return next(reversed(self.turns.values()), None)

    def record(self) -> SessionRecord:
        """Return the session as callers see it."""
        waiting = tuple(row.message.client_message_id for row in self.waiting())
        return SessionRecord(
            key=self.new.key,
            script_id=self.new.script_id,
            script_version=self.new.script_version,
            user_id=self.new.user_id,
            locale=self.new.locale,
            time_zone=self.new.time_zone,
            strategy_engine=self.new.strategy_engine,
            status=self.status,
            position=self.position,
            plan_revision=self.plan_revision,
            last_sequence=self.last_sequence,
            opened=self.opened,
            opening_turn_id=self.opening_turn_id,
            last_ai_message=self.last_ai_message,
            pending_client_message_ids=waiting,
            error=self.error,
            open_request=self.input_requests.get(self.open_request),
            create_time=self.create_time,
            update_time=self.update_time,
            end_reason=self.end_reason,
            forked_from_session_id=self.forked_from[0],
            forked_from_turn_id=self.forked_from[1],
            replacements=self.replacements,
        )


@dataclass(slots=True)
class GlobalRow:
    """A user's variable and the session that wrote it last."""

    value: VariableValue
    writer: SessionKey


class Tables:
    """All rows, and the clock every lease, window and time stamp goes by."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock = clock
        self.assets: dict[tuple[str, str], AssetRecord] = {}
        self.scripts: dict[tuple[str, str, str], ScriptRecord] = {}
        self.sessions: dict[SessionKey, SessionRow | None] = {}
        """None is the tombstone of a deleted session."""
        self.globals: dict[tuple[str, str, str], GlobalRow] = {}
        """By tenant, user and name."""

    def now(self) -> datetime:
        """Return the clock's time."""
        return datetime.fromtimestamp(self.clock(), UTC)

    def session(self, key: SessionKey) -> SessionRow:
        """Return a session's row; NotFound where there is none or it was deleted."""
        row = self.sessions.get(key)
        if row is None:
            raise NotFound("session", key.session_id)
        return row
