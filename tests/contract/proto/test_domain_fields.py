"""Domain and contract name the same things: the field sets match, and so do the enums."""

from __future__ import annotations

import dataclasses
import inspect
from enum import Enum
from operator import attrgetter
from types import ModuleType

import pytest
from google.protobuf.descriptor import EnumDescriptor
from google.protobuf.internal.enum_type_wrapper import EnumTypeWrapper
from google.protobuf.message import Message

from heartrule.domain import (
    action_result,
    conversation,
    decision_events,
    decisions,
    events,
    exits,
    input_request,
    model_call,
    monitoring,
    orchestration,
    position,
    problem,
    replacement,
    run_events,
    runs,
    safety,
    skipping,
    strategy,
    thread_events,
    threads,
    timeline,
    variables,
    workflows,
)
from heartrule.v1 import (
    action_result_pb2,
    advice_pb2,
    analysis_pb2,
    conversation_pb2,
    decision_pb2,
    decision_request_pb2,
    event_pb2,
    execution_pb2,
    exit_pb2,
    feature_pb2,
    history_pb2,
    input_request_pb2,
    llm_debug_info_pb2,
    message_pb2,
    monitor_service_pb2,
    orchestration_pb2,
    plan_edit_pb2,
    problem_pb2,
    replacement_pb2,
    rewinding_pb2,
    run_details_pb2,
    run_pb2,
    safety_pb2,
    skipping_pb2,
    strategy_pb2,
    thread_pb2,
    timeline_pb2,
    turn_pb2,
    variable_pb2,
    workflow_pb2,
)
from heartrule.wire.event_messages import BARE, FIELDS

DOMAIN = (
    action_result, conversation, decision_events, events, exits, input_request, model_call,
    monitoring, orchestration, position, problem, replacement, run_events, safety, skipping,
    strategy, thread_events, timeline, variables,
)  # fmt: skip
CONTRACT = (
    action_result_pb2, advice_pb2, analysis_pb2, conversation_pb2, decision_pb2,
    decision_request_pb2, event_pb2, execution_pb2,
    exit_pb2, feature_pb2, history_pb2, input_request_pb2, llm_debug_info_pb2, message_pb2,
    monitor_service_pb2, orchestration_pb2, plan_edit_pb2, problem_pb2, replacement_pb2,
    rewinding_pb2, run_details_pb2, run_pb2, safety_pb2, skipping_pb2, strategy_pb2, thread_pb2,
    timeline_pb2, turn_pb2, variable_pb2, workflow_pb2,
)  # fmt: skip
OTHER_NAMES = {
    "AnalysisAnswer": "AnalyzeActionResponse",
    "AnalysisOutcome": "AnalysisEnded.Result",
    "OrchestrationAnswer": "PlanOrchestrationResponse",
    "Subject": "SafetySubject",
}
"""Domain names whose counterpart is called otherwise on the wire."""
INSIDE_ONLY = {"ParseStrategy", "Provenance"}
"""What travels as text, or as fields of other values."""


def classes(module: ModuleType) -> list[type]:
    found = inspect.getmembers(module, inspect.isclass)
    return [kind for _, kind in found if kind.__module__ == module.__name__]


VALUES = [
    kind
    for module in DOMAIN
    for kind in classes(module)
    if dataclasses.is_dataclass(kind) and kind not in BARE and kind is not events.SessionEvent
    if kind.__name__ not in INSIDE_ONLY
]
VALUES += [decisions.Correction, decisions.RuleFinding, decisions.Verdict, runs.NodeFailure]
ENUMS = [
    kind
    for module in DOMAIN
    for kind in classes(module)
    if issubclass(kind, Enum) and kind.__name__ not in INSIDE_ONLY
]

ENUMS += [
    decisions.DecisionType,
    decisions.DecisionAuthor,
    decisions.DecisionState,
    decisions.FindingCode,
    workflows.WorkflowStatus,
    runs.RunState,
    runs.NodeState,
    runs.SkipReason,
    runs.RunErrorCode,
    threads.ThreadRole,
    threads.ThreadState,
]


def counterpart(kind: type) -> type[Message] | EnumTypeWrapper:
    outer, _, inner = OTHER_NAMES.get(kind.__name__, kind.__name__).partition(".")
    module = next(module for module in CONTRACT if hasattr(module, outer))
    found: type[Message] | EnumTypeWrapper = attrgetter(f"{outer}.{inner}" if inner else outer)(
        module
    )
    return found


@pytest.mark.parametrize("kind", VALUES, ids=lambda kind: kind.__name__)
def test_a_value_and_its_message_have_the_same_fields(kind: type) -> None:
    """Nothing of the domain is lost on the wire, and nothing there is unknown to the domain."""
    message = counterpart(kind)
    assert not isinstance(message, EnumTypeWrapper)
    names = {field.name for field in dataclasses.fields(kind)}
    assert names == set(message.DESCRIPTOR.fields_by_name)


@pytest.mark.parametrize("kind", ENUMS, ids=lambda kind: kind.__name__)
def test_an_enum_has_the_same_members(kind: type[Enum]) -> None:
    """Behind the prefix the names are the same, and UNSPECIFIED is the only one more."""
    descriptor = counterpart(kind).DESCRIPTOR
    assert isinstance(descriptor, EnumDescriptor)
    prefix = descriptor.values_by_number[0].name.removesuffix("UNSPECIFIED")
    names = {value.name.removeprefix(prefix) for value in descriptor.values}
    assert {"UNSPECIFIED", *kind.__members__} == names


def test_every_body_has_its_field_in_the_oneof() -> None:
    """The classes of EventBody and the fields of the oneof are as many, and pair up by name."""
    (oneof,) = event_pb2.SessionEvent.DESCRIPTOR.oneofs
    assert set(FIELDS) == set(events.EventBody.__args__)
    assert set(FIELDS.values()) == {field.name for field in oneof.fields}
    for body, name in FIELDS.items():
        noun: type = BARE[body][1] if body in BARE else body
        message: Message = getattr(event_pb2.SessionEvent(), name)
        assert noun.__name__ == message.DESCRIPTOR.name
