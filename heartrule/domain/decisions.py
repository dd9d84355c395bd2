"""Decisions of a conversation agent and the coordinator's verdicts (document 002)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from heartrule.domain.json_value import JsonValue


class DecisionType(StrEnum):
    """What an agent may decide (document 002, section 2)."""

    RESPOND = "respond"
    CREATE_NODE = "create_node"
    CREATE_WORKFLOW_PLAN = "create_workflow_plan"
    EXECUTE_WORKFLOW = "execute_workflow"
    REQUEST_CLARIFICATION = "request_clarification"
    CONTINUE = "continue"
    MODIFY_NODE = "modify_node"
    ERROR_RECOVERY = "error_recovery"
    REPLAN_WORKFLOW = "replan_workflow"
    SPAWN_SUBAGENT = "spawn_subagent"


class Intent(StrEnum):
    """What the client wants, as the agent reads it (document 002, section 5; RESOLUTIONS D5)."""

    GREETING = "greeting"
    SIMPLE_QUERY = "simple_query"
    COMPLEX_TASK = "complex_task"
    WORKFLOW_REQUEST = "workflow_request"
    UNKNOWN = "unknown"


class DecisionAuthor(StrEnum):
    """Who made a decision."""

    AGENT = "agent"
    COORDINATOR = "coordinator"
    """A recovery, built from a node's failure strategy (RESOLUTIONS D22)."""
    OPERATOR = "operator"
    """A person or another program, through the API."""


class DecisionState(StrEnum):
    """What became of a decision."""

    QUEUED = "queued"
    """Waits for a decision of higher priority (RESOLUTIONS D15)."""
    HELD = "held"
    """Waits for the client's answer, or for the end of a safety level (RESOLUTIONS D17)."""
    RUNNING = "running"
    """Valid, and its effect goes on."""
    INTERRUPTED = "interrupted"
    """A recovery stopped its effect, which goes on later (RESOLUTIONS D16)."""
    DONE = "done"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"
    """The answering turn made a decision of the same type (RESOLUTIONS D17)."""


# States of a decision whose effect is to come, or not done.
OPEN_STATES = (
    DecisionState.QUEUED,
    DecisionState.HELD,
    DecisionState.RUNNING,
    DecisionState.INTERRUPTED,
)


class FindingCode(StrEnum):
    """Why the coordinator objects (RESOLUTIONS D28)."""

    MISSING_FIELD = "missing_field"
    MISSING_CONDITIONAL = "missing_conditional"
    """Needed because of another field's value."""
    EMPTY_VALUE = "empty_value"
    WRONG_TYPE = "wrong_type"
    TYPE_MISMATCH = "type_mismatch"
    """`action_type` names another type than the decision."""
    BAD_ENUM = "bad_enum"
    OUT_OF_RANGE = "out_of_range"
    UNKNOWN_DECISION_TYPE = "unknown_decision_type"
    UNKNOWN_REFERENCE = "unknown_reference"
    DUPLICATE_ID = "duplicate_id"
    CYCLE = "cycle"
    ORPHAN_NODE = "orphan_node"
    FORBIDDEN_OPERATION = "forbidden_operation"
    """Code, environment, address or SQL that is never run."""
    TOO_LARGE = "too_large"
    TOO_MANY_NODES = "too_many_nodes"
    INVALID_STATE = "invalid_state"
    CONFLICT = "conflict"
    VALIDATOR_ERROR = "validator_error"
    """A rule raised, or a middleware (RESOLUTIONS D21)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """One change that makes a payload valid (document 002, section 3.3; RESOLUTIONS D1 to D3)."""

    path: str
    """The payload's own path, such as `nodes.1.config.timeout`."""
    before: JsonValue = None
    """None too where nothing stood there."""
    after: JsonValue = None
    is_removed: bool = False
    """True: the field is taken out, and `after` says nothing."""


@dataclass(frozen=True, slots=True)
class RuleFinding:
    """What a rule objects to, at one place of a payload."""

    code: FindingCode
    path: str
    """The payload's own path; empty: the payload as a whole."""
    message: str
    """A sentence that names the path, what is wrong, and what would be right."""
    rule: str = ""
    """The rule's name, with the section it stands in, such as `3.1.3 resource limits`."""
    correction: Correction | None = None
    """What would make it right without asking anybody; None: nothing would."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The coordinator's answer to a decision."""

    is_valid: bool
    payload: JsonValue
    """The effective payload, corrections applied; as it was proposed where it is rejected."""
    corrections: tuple[Correction, ...] = ()
    errors: tuple[RuleFinding, ...] = ()
    """Empty where it is valid."""

    @classmethod
    def refusing(cls, payload: JsonValue, *errors: RuleFinding) -> Verdict:
        """Return the verdict that rejects a decision with this payload."""
        return cls(is_valid=False, payload=payload, errors=errors)


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What an agent, an operator or the coordinator wants done; nothing is done without a verdict.

    `decision_id` is unique in the session, and its verdict never changes (RESOLUTIONS D20).
    """

    decision_id: str
    correlation_id: str
    """The same for a rejected decision and what replaces it (RESOLUTIONS D13)."""
    decision_type: str
    """A DecisionType, or what its author wrote instead of one."""
    payload: JsonValue
    confidence: float | None = None
    """From 0 to 1, as its author says; None: not said."""
    author: DecisionAuthor = DecisionAuthor.AGENT
    causation_id: str = ""
    """The message, event or decision that it answers."""
