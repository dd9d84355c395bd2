"""Domain values and messages turn into each other by field name."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
from google.protobuf.message import Message as AnyMessage

from heartrule.domain.action_result import ActionMetrics, ProgressSuggestion
from heartrule.domain.conversation import Completeness, Media, Message, Part, Role, UserInput
from heartrule.domain.errors import InvalidRequest
from heartrule.domain.exits import ExitDecision
from heartrule.domain.monitoring import (
    AnalysisAnswer,
    AnalysisReport,
    DialogueLine,
    RoundMetrics,
    TopicStrategy,
)
from heartrule.domain.position import ExecutionPosition, ExecutionState, ExecutionStatus
from heartrule.domain.variables import VariableOperation, VariableScope, VariableValue
from heartrule.v1 import (
    analysis_pb2,
    conversation_pb2,
    execution_pb2,
    exit_pb2,
    message_pb2,
    monitor_service_pb2,
    problem_pb2,
    variable_pb2,
)
from heartrule.wire.message_mapping import fill_message, from_message, to_message
from tests.support.wire_samples import ANALYSIS, ASKED, BUSY, CALL, DECISION

METRICS = ActionMetrics(user_engagement="主动")
REPORT = AnalysisReport(
    session_id="ses_1",
    action_id="ask_name",
    action_instance_id="act_1",
    action_type="ai_ask",
    turn_id="turn_1",
    round=2,
    max_rounds=3,
    metrics=METRICS,
    progress_suggestion=ProgressSuggestion.BLOCKED,
    exit_decision=DECISION,
    target_variables=("姓名", "年龄"),
    topic_strategy=TopicStrategy(text="先信任"),
    trend=(RoundMetrics(round=1, metrics=METRICS, progress_suggestion=ProgressSuggestion.BLOCKED),),
    dialogue=(DialogueLine(role=Role.CLIENT, text="不想说"),),
)
ANSWER = AnalysisAnswer(analysis=ANALYSIS, feedback_text="先安抚", calls=(CALL, CALL))
MEDIA = Media(mime_type="image/png", data=b"")


@pytest.mark.parametrize(
    ("value", "message_class"),
    [
        (REPORT, analysis_pb2.AnalysisReport),
        (ANSWER, monitor_service_pb2.AnalyzeActionResponse),
        (BUSY, problem_pb2.Problem),
        (ASKED, message_pb2.Message),
        (Part(media=MEDIA, fallback_text="图"), message_pb2.Part),
        (ExitDecision(should_exit=False), exit_pb2.ExitDecision),
    ],
    ids=lambda value: getattr(value, "__name__", type(value).__name__),
)
def test_a_value_comes_back_equal(value: object, message_class: type[AnyMessage]) -> None:
    """What is sent is what is received, through bytes."""
    message = to_message(value, message_class)
    received = message_class.FromString(message.SerializeToString())
    assert from_message(received, type(value)) == value


def test_none_is_absence() -> None:
    """What the domain calls None is not set in the message."""
    message = to_message(Part(text="", fallback_text=""), message_pb2.Part)
    assert message.WhichOneof("content") == "text"
    assert to_message(Part(), message_pb2.Part).WhichOneof("content") is None


def test_an_empty_nested_value_is_there() -> None:
    """A position at the very start differs from no position."""
    state = ExecutionState(status=ExecutionStatus.RUNNING, position=ExecutionPosition())
    assert to_message(state, execution_pb2.ExecutionState).HasField("position")


def test_an_absent_field_is_the_domains_default() -> None:
    """A sender that says little is understood."""
    message = message_pb2.Message(message_id="m", role=message_pb2.ROLE_CLIENT)
    assert from_message(message, Message).completeness is Completeness.COMPLETE


def test_a_deleted_value_is_null() -> None:
    """Null is said, so that it is not mistaken for a field the sender does not know."""
    value = VariableValue(name="x", value=None, type="null", scope=VariableScope.TOPIC)
    message = to_message(value, variable_pb2.VariableValue)
    assert message.value.WhichOneof("kind") == "null_value"


def test_a_missing_required_enum_is_named() -> None:
    """The path leads to the field, and all that is wrong comes at once."""
    message = analysis_pb2.AnalysisReport(dialogue=[{"text": "a"}])
    with pytest.raises(InvalidRequest) as refused:
        from_message(message, AnalysisReport, at="report")
    violations = {violation.field: violation.description for violation in refused.value.violations}
    assert violations == {
        "report.metrics": "is required",
        "report.progress_suggestion": "is required",
        "report.dialogue[0].role": "is required",
    }


def test_an_unknown_enum_value_is_named() -> None:
    """The server does not guess what a client meant."""
    message = conversation_pb2.UserInput(if_busy=77)  # type: ignore[arg-type]
    with pytest.raises(InvalidRequest) as refused:
        from_message(message, UserInput, at="input")
    (violation,) = refused.value.violations
    assert violation.field == "input.if_busy"
    assert violation.description.startswith("unknown value 77; known are merge, queue")


def test_a_lenient_reader_takes_an_unknown_value_as_absent() -> None:
    """A client reads what a newer server says."""
    message = message_pb2.Message(role=message_pb2.ROLE_CLIENT, completeness=99)  # type: ignore[arg-type]
    assert from_message(message, Message, lenient=True).completeness is Completeness.COMPLETE


def test_a_lenient_reader_still_needs_what_is_required() -> None:
    """An operation of an unknown kind cannot be understood as another one."""
    message = variable_pb2.VariableOperation(operation=99, scope=4)  # type: ignore[arg-type]
    with pytest.raises(InvalidRequest, match="operation: is required"):
        from_message(message, VariableOperation, lenient=True)


def test_a_duration_out_of_range_is_named() -> None:
    """Ten thousand years fit a Duration, not every language's type."""
    message = conversation_pb2.UserInput()
    message.turn_timeout.seconds = 10**18
    with pytest.raises(InvalidRequest, match="turn_timeout: is out of range"):
        from_message(message, UserInput)


def test_a_message_inside_a_response_is_filled_in_place() -> None:
    """The copy into a response is spared."""
    request = monitor_service_pb2.AnalyzeActionRequest()
    fill_message(REPORT, request.report)
    assert from_message(request.report, AnalysisReport) == REPORT


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    session_id: str
    shoe_size: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistaken:
    retry_after: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Untyped:
    role: str


@pytest.mark.parametrize(
    ("value", "message_class", "told"),
    [
        (Unknown(session_id="s", shoe_size=42), analysis_pb2.AnalysisReport, "no field shoe_size"),
        (Mistaken(retry_after=datetime.min), problem_pb2.Problem, "cannot hold .*datetime"),
        (Untyped(role="x"), message_pb2.Message, "cannot hold .*str"),
    ],
)
def test_classes_that_do_not_fit_are_refused(
    value: object, message_class: type[AnyMessage], told: str
) -> None:
    """A mistake in the contract shows at the first use, not in a client."""
    with pytest.raises(TypeError, match=told):
        to_message(value, message_class)


def test_a_wait_is_a_duration() -> None:
    """Half a second stays half a second."""
    message = to_message(BUSY, problem_pb2.Problem)
    assert message.retry_after.ToTimedelta() == timedelta(seconds=1.5)
