"""A session's position in its script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from heartrule.domain.exits import ActionRoundInfo
from heartrule.domain.input_request import InputRequested
from heartrule.domain.json_value import JsonValue
from heartrule.domain.problem import Problem


class ExecutionStatus(StrEnum):
    """The status of a session."""

    RUNNING = "running"
    WAITING_INPUT = "waiting_input"
    COMPLETED = "completed"
    ERROR = "error"
    """Retryable: the position is that of the last committed step (RESOLUTIONS C24)."""


class Control(StrEnum):
    """The party that drives the conversation."""

    ENGINE = "engine"
    HUMAN = "human"
    PAUSED = "paused"


class EndReason(StrEnum):
    """Why a session is at its end."""

    SCRIPT_END = "script_end"
    IDLE_TIMEOUT = "idle_timeout"
    """No input came for longer than the setting allows (RESOLUTIONS C31)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionPosition:
    """A place in the script; ids are authoritative, indices are for display."""

    phase_id: str = ""
    topic_id: str = ""
    action_id: str = ""
    action_instance_id: str = ""
    thread_path: str = ""
    current_phase_idx: int = 0
    current_topic_idx: int = 0
    current_action_idx: int = 0
    current_round: int = 0
    """0 before the action has opened (SCRIPT-LANGUAGE, What a round is)."""
    max_rounds: int = 0
    technique_id: str = ""
    """The technique whose action this is; empty for the script's own."""
    skill_instance_ids: tuple[str, ...] = ()
    """The use_skill instances it runs inside, the outermost first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionState:
    """A bounded picture of a session; histories are paged elsewhere."""

    status: ExecutionStatus
    control: Control = Control.ENGINE
    sequence: int = 0
    """Last durable event included; doubles as etag."""
    script_id: str = ""
    script_version: str = ""
    plan_revision: int = 0
    position: ExecutionPosition = field(default_factory=ExecutionPosition)
    variables: Mapping[str, JsonValue] = field(default_factory=dict)
    """Visible by look-up from the position; empty inside events."""
    last_ai_message: str = ""
    pending_client_message_ids: tuple[str, ...] = ()
    pending_request: InputRequested | None = None
    """The request that is open; None inside events."""
    error: Problem | None = None
    last_action_round_info: ActionRoundInfo | None = None
    """Only where the state itself is asked for."""
    end_reason: EndReason | None = None
    """None while the session is not at its end."""
    running_turn_id: str = ""
    """The turn that runs; empty where none does, and inside events."""
