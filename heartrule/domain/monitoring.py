"""What the monitor returns: analysis and advice (document 000; RESOLUTIONS C10-C17)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from heartrule.domain.action_result import ActionMetrics, ProgressSuggestion
from heartrule.domain.conversation import Role
from heartrule.domain.exits import ExitDecision, ExitReason
from heartrule.domain.json_value import JsonValue
from heartrule.domain.model_call import LLMDebugInfo

#: Key of an analysis's metadata: true where the model itself wrote that no intervention is needed.
DECLINED = "interventionDeclined"


class InterventionLevel(StrEnum):
    """The depth of the monitor's intervention."""

    ACTION_FEEDBACK = "action_feedback"
    TOPIC_ORCHESTRATION = "topic_orchestration"


class StrategySuggestion(StrEnum):
    """The monitor's suggestion for the next round."""

    REPHRASE = "rephrase"
    COMFORT = "comfort"
    ACCEPT_PARTIAL = "accept_partial"
    SKIP = "skip"


class Severity(StrEnum):
    """The urgency of an advice (RESOLUTIONS C10)."""

    INFO = "info"
    CONCERN = "concern"
    URGENT = "urgent"


class AdviceState(StrEnum):
    """The state of an advice."""

    PENDING = "pending"
    CONSUMED = "consumed"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"


class AdviceSource(StrEnum):
    """The source of an advice."""

    MONITOR = "monitor"
    HUMAN = "human"


class PlanningState(StrEnum):
    """The outcome of an analysis's request to change the plan."""

    OWED = "owed"
    """To be made still, by this process or the next."""
    PROPOSED = "proposed"
    NO_PLAN = "no_plan"
    FAILED = "failed"
    DROPPED = "dropped"
    SKIPPED = "skipped"


class AnalysisOutcome(StrEnum):
    """The result of an analysis (CONTRACT: AnalysisEnded.Result)."""

    ADVICE = "advice"
    NO_ADVICE = "no_advice"
    FAILED = "failed"
    DROPPED = "dropped"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorAnalysis:
    """The reply of the monitor's model, with every key of document 000 (RESOLUTIONS C30)."""

    intervention_needed: bool = False
    intervention_reason: str = ""
    intervention_level: InterventionLevel | None = None
    strategy_suggestion: StrategySuggestion | None = None
    feedback_for_action: str = ""
    modified_approach: str = ""
    orchestration_needed: bool = False
    orchestration_reason: str = ""
    suggested_orchestration: Mapping[str, JsonValue] = field(default_factory=dict)
    understanding_issue: bool = False
    issue_type: str = ""
    example_suggestion: str = ""
    metadata: Mapping[str, JsonValue] = field(default_factory=dict)
    """parseError, parseRetryCount, warnings, interventionDeclined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DialogueLine:
    """One message of a dialogue as a prompt needs it: its author and its whole text."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundMetrics:
    """Metrics of an earlier round of the same action instance, for the trend."""

    round: int
    metrics: ActionMetrics
    progress_suggestion: ProgressSuggestion


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientReply:
    """A client's reply in an earlier round of the same action instance."""

    round: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ActionMetricsEntry:
    """Metrics of a judged round (document 000, actionMetricsHistory)."""

    action_id: str
    action_instance_id: str = ""
    action_type: str = ""
    round: int = 0
    metrics: ActionMetrics | None = None
    """None, as the next, where no model was asked."""
    progress_suggestion: ProgressSuggestion | None = None
    timestamp: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TopicStrategy:
    """A topic's strategy as the monitor sees it (RESOLUTIONS C15)."""

    text: str = ""
    min_completeness_requirement: str = ""
    retry_strategy: str = ""
    max_retry_count: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisReport:
    """All a monitor needs to judge one round; the request of AnalyzeAction."""

    session_id: str
    action_id: str
    action_instance_id: str
    action_type: str
    turn_id: str
    round: int
    max_rounds: int
    metrics: ActionMetrics
    progress_suggestion: ProgressSuggestion
    completed: bool = False
    exit_reason: ExitReason | None = None
    exit_decision: ExitDecision | None = None
    target_variables: tuple[str, ...] = ()
    template_scheme: str = ""
    topic_strategy: TopicStrategy = field(default_factory=TopicStrategy)
    trend: tuple[RoundMetrics, ...] = ()
    """At most the three rounds before this one, oldest first."""
    dialogue: tuple[DialogueLine, ...] = ()
    """The question, the client's reply that was judged, and the answer given."""
    tenant: str = "default"
    earlier_replies: tuple[ClientReply, ...] = ()
    """The client's replies in earlier rounds of this instance, oldest first."""
    signals: tuple[str, ...] = ()
    """What code saw in the round, a line each (ADR 64)."""
    known_outputs: Mapping[str, JsonValue] = field(default_factory=dict)
    """The target variables that are known, ahead of the action too, with their values."""
    known_quotes: Mapping[str, str] = field(default_factory=dict)
    """The client's words for them, by variable."""
    dialogue_before: tuple[DialogueLine, ...] = ()
    """Messages before the question, oldest first."""
    task: str = ""
    """What the script has the action ask or say."""
    exit_condition: str = ""
    """When the script wants the action to end, in words."""
    topic_goal: str = ""
    language: str = ""
    """The session's, such as `en`; empty: that of the templates' own layers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnalysisAnswer:
    """The response of AnalyzeAction."""

    analysis: MonitorAnalysis
    feedback_text: str = ""
    """The block for the next prompt; empty makes no advice (RESOLUTIONS C11)."""
    should_trigger_orchestration: bool = False
    parse_failed: bool = False
    calls: tuple[LLMDebugInfo, ...] = ()
    """Every model call made, failed ones too; the executor writes the ledger."""
    traceparent: str = ""
    """Span context of the analysis; the advice keeps it for its link."""
    failure: str = ""
    """UPPER_SNAKE reason where no model gave a whole answer; a second try may help."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """The monitor's advice for one action instance (RESOLUTIONS C10)."""

    advice_id: str
    session_id: str
    action_id: str
    action_instance_id: str
    about_round: int
    analysis: MonitorAnalysis
    feedback_text: str
    severity: Severity
    state: AdviceState = AdviceState.PENDING
    source: AdviceSource = AdviceSource.MONITOR
    ttl_turns: int = 2
    """Turns it may wait after the judged one."""
    made_at: datetime | None = None
    supersedes: str = ""
    traceparent: str = ""
    """Span context of the analysis that made it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MonitorFeedbackEntry:
    """The monitor's feedback on a judged round (document 000, monitorFeedback)."""

    action_id: str
    action_instance_id: str
    action_type: str
    round: int
    judged_turn_id: str
    result: AnalysisOutcome
    reason: str = ""
    """Why it failed, was dropped or skipped."""
    analysis: MonitorAnalysis | None = None
    advice: Advice | None = None
    """In its present state; None where none was given."""
    planning: PlanningState | None = None
    """None where the analysis asked for no plan."""
    planning_reason: str = ""
    timestamp: datetime | None = None


def severity_of(analysis: MonitorAnalysis) -> Severity:
    """Return urgent for orchestration, concern for an intervention, else info (RESOLUTIONS C10)."""
    if wants_orchestration(analysis):
        return Severity.URGENT
    return Severity.CONCERN if analysis.intervention_needed else Severity.INFO


def wants_orchestration(analysis: MonitorAnalysis) -> bool:
    """Return the analysis's request for orchestration (RESOLUTIONS C18)."""
    return (
        analysis.orchestration_needed
        or analysis.intervention_level is InterventionLevel.TOPIC_ORCHESTRATION
    )
