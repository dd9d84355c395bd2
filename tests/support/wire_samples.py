"""Events of a small session, one of each kind, for the tests of the contract and of the mapping."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from heartrule.domain import events as body
from heartrule.domain.action_result import (
    ActionMetrics,
    ActionResult,
    DebugInfo,
    ProgressSuggestion,
)
from heartrule.domain.conversation import (
    Audience,
    Feature,
    Message,
    Part,
    QuickReplies,
    Role,
    text_part,
)
from heartrule.domain.exits import DecisionSource, ExitDecision, ExitReason
from heartrule.domain.input_request import InputRequested
from heartrule.domain.model_call import LLMDebugInfo, ParseDiagnosis, Purpose
from heartrule.domain.monitoring import (
    Advice,
    AnalysisOutcome,
    InterventionLevel,
    MonitorAnalysis,
    Severity,
    StrategySuggestion,
)
from heartrule.domain.orchestration import (
    ActionDefinition,
    OrchestrationAction,
    OrchestrationPlan,
    PlanEdit,
    PlanEditState,
)
from heartrule.domain.position import ExecutionPosition, ExecutionState, ExecutionStatus
from heartrule.domain.problem import Degradation, Problem
from heartrule.domain.safety import (
    ResourceKind,
    SafetyCard,
    SafetyFallback,
    SafetyLevel,
    SafetyResource,
    SafetySource,
)
from heartrule.domain.skipping import StepSkipped
from heartrule.domain.variables import VariableOperation, VariableOperationKind, VariableScope
from heartrule.v1 import event_pb2
from heartrule.wire.event_messages import fill_event
from tests.support.decision_samples import DECIDED
from tests.support.run_samples import SENT
from tests.support.strategies import decision

NOW = datetime(2026, 11, 21, 8, 30, 0, 250_000, tzinfo=UTC)

POSITION = ExecutionPosition(
    phase_id="rapport",
    topic_id="names",
    action_id="ask_name",
    action_instance_id="act_1",
    current_round=1,
    max_rounds=3,
)
STATE = ExecutionState(
    status=ExecutionStatus.WAITING_INPUT,
    sequence=9,
    script_id="greeting",
    script_version="v-1",
    position=POSITION,
    last_ai_message="请问怎么称呼您?",
)
ASKED = Message(
    message_id="msg_2",
    role=Role.ASSISTANT,
    parts=(
        text_part("很高兴认识您,小明。"),
        Part(
            quick_replies=QuickReplies(texts=("你好", "再见")),
            fallback_text="（可以回答：你好、再见）",
        ),
    ),
    action_instance_id="act_1",
    action_id="ask_name",
    turn_id="turn_1",
    sequence=6,
    create_time=NOW,
)
TOLD = Message(
    message_id="msg_1",
    role=Role.CLIENT,
    parts=(text_part("我叫小明"),),
    sequence=3,
    create_time=NOW,
    client_message_id="c-1",
)
BUSY = Problem(
    code=8,
    reason="TOO_MANY_WAITING_INPUTS",
    message="sixteen inputs wait",
    retry_after=timedelta(seconds=1.5),
    metadata={"limit": "16"},
)
DECISION = ExitDecision(
    should_exit=True, reason="姓名已知", decision_source=DecisionSource.EXIT_FLAG
)
CALL = LLMDebugInfo(
    call_id="call_1",
    purpose=Purpose.TALK,
    prompt_type="ai_ask_v1",
    provider="rehearsal",
    model="rehearsal-1",
    input="[]",
    output='{"EXIT":"YES"}',
    config={"temperature": 0.5},
    prompt_tokens=100,
    completion_tokens=20,
    latency_ms=300,
    first_token_ms=80,
    finish_reason="stop",
    parse=ParseDiagnosis(strategy="direct_parse", retry_count=1, warnings=("metrics: defaulted",)),
    create_time=NOW,
)
RESULT = ActionResult(
    success=True,
    completed=True,
    ai_message="很高兴认识您,小明。",
    extracted_variables={"姓名": "小明", "年龄": 25, "过敏": None},
    metrics=ActionMetrics(information_completeness="完整", user_engagement="主动"),
    progress_suggestion=ProgressSuggestion.COMPLETED,
    metadata={"parseRetryCount": 1},
    debug_info=DebugInfo(call_ids=("call_1", "call_2")),
    action_id="ask_name",
    action_instance_id="act_1",
    action_type="ai_ask",
    round=1,
    exit_reason=ExitReason.EXIT_CRITERIA_MET,
    exit_decision=DECISION,
)
ANALYSIS = MonitorAnalysis(
    intervention_needed=True,
    intervention_reason="blocked",
    intervention_level=InterventionLevel.ACTION_FEEDBACK,
    strategy_suggestion=StrategySuggestion.COMFORT,
    feedback_for_action="先安抚,再追问",
    suggested_orchestration={"action": "insert", "tags": ["a", {"b": False}]},
)
ADVICE = Advice(
    advice_id="adv_1",
    session_id="ses_1",
    action_id="ask_name",
    action_instance_id="act_1",
    about_round=1,
    analysis=ANALYSIS,
    feedback_text="【Topic层策略建议】\n先安抚,再追问",
    severity=Severity.CONCERN,
    made_at=NOW,
)
OPERATION = VariableOperation(
    action_id="ask_name",
    operation=VariableOperationKind.EXTRACT,
    variable_name="姓名",
    scope=VariableScope.TOPIC,
    scope_id="names",
    value="小明",
    timestamp=NOW,
)

CARD = SafetyCard(
    level=SafetyLevel.CRISIS,
    text="您不是一个人。全国统一心理援助热线：12356",
    locale="zh-CN",
    resources=(
        SafetyResource(
            name="全国统一心理援助热线",
            kind=ResourceKind.PHONE,
            number="12356",
            hours="24 小时",
            languages=("zh-CN",),
        ),
    ),
)

BODIES: tuple[body.EventBody, ...] = (
    body.Opened(
        state=STATE,
        max_input_bytes=1_048_576,
        max_input_chars=16_000,
        heartbeat_interval=timedelta(seconds=15),
    ),
    body.InputAccepted(messages=(TOLD,)),
    body.InputRejected(client_message_id="c-17", problem=BUSY, fallback=SafetyFallback(card=CARD)),
    body.TurnStarted(client_message_ids=("c-1",)),
    body.DraftDelta(at=body.DraftPosition(message_id="msg_2", offset=3), text="认识您"),
    body.DraftVoided(up_to_attempt=1, reason="LEASE_LOST"),
    body.MessageCommitted(message=ASKED),
    InputRequested(
        input_request_id="req_1",
        kind=Feature.FORM,
        schema={"title": "PHQ-9", "properties": {"phq_1": {"type": "integer", "maximum": 3}}},
        fallback_text="请填写：PHQ-9",
    ),
    body.StateChanged(state=STATE),
    body.TurnEnded(
        outcome=body.Outcome.WAITING,
        message_ids=("msg_2",),
        degradations=(Degradation(stage="parse", reason="METRICS_DEFAULTED"),),
        client_message_ids=("c-1",),
        state=STATE,
        exit_reason=ExitReason.EXIT_CRITERIA_MET,
        exit_decision=DECISION,
    ),
    body.SafetyRaised(category="crisis", rule="zh-crisis-1"),
    body.AdviceChanged(advice=ADVICE),
    body.ActionResultRecorded(action_result=RESULT),
    body.VariableChanged(variable_operation=OPERATION),
    body.ScopeLeft(scope=VariableScope.TOPIC, scope_id="topic_1", cleaned_variables=("姓名",)),
    body.AnalysisEnded(
        action_instance_id="act_1",
        about_round=1,
        judged_turn_id="turn_1",
        result=AnalysisOutcome.ADVICE,
        advice_id="adv_1",
    ),
    body.HistoryRewound(
        after_sequence=4,
        removed_message_ids=("msg_8", "msg_9"),
        cause="retry",
        state=STATE,
        turn_ids=("turn_1",),
        kept_globals=("称呼",),
        sent_effects=SENT,
    ),
    StepSkipped(
        phase_id="rapport",
        topic_id="names",
        action_id="ask_age",
        action_instance_id="act_2",
        condition="{年龄} > 12",
        reason="NO_VALUE",
        variable="年龄",
    ),
    body.StrategyDecided(strategy_decision=replace(decision(), timestamp=NOW)),
    body.PlanEdited(
        edit=PlanEdit(
            edit_id="edit_1",
            session_id="",
            cause_id="adv_1",
            judged_turn_id="turn_1",
            phase_id="rapport",
            topic_id="names",
            plan=OrchestrationPlan(
                action=OrchestrationAction.INSERT,
                index=0,
                new_action=ActionDefinition(action_type="ai_say", config={"content": "不着急"}),
                reason="先安抚",
            ),
            state=PlanEditState.APPLIED,
            plan_revision=1,
            made_at=NOW,
            decided_turn_id="turn_2",
        )
    ),
    body.GoingAway(reconnect_after=timedelta(seconds=2)),
    body.Heartbeat(last_sequence=9),
    body.SafetyChanged(
        level=SafetyLevel.CRISIS,
        step="resources",
        card=CARD,
        source=SafetySource.RULE,
        rules=("zh-crisis-1",),
    ),
    *DECIDED,
)
"""One body of each kind."""


def event_to_message(event: body.SessionEvent) -> event_pb2.SessionEvent:
    """Return an event as a message."""
    target = event_pb2.SessionEvent()
    fill_event(event, target)
    return target


def event_of(said: body.EventBody) -> body.SessionEvent:
    """Return an event of the small session that says this."""
    return body.SessionEvent(
        session_id="ses_1",
        body=said,
        sequence=7,
        turn_id="turn_1",
        attempt=1,
        audience=Audience.CLIENT,
        create_time=NOW,
    )
