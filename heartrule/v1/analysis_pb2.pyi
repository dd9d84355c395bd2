from google.protobuf import struct_pb2 as _struct_pb2
from heartrule.v1 import action_result_pb2 as _action_result_pb2
from heartrule.v1 import exit_pb2 as _exit_pb2
from heartrule.v1 import message_pb2 as _message_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class InterventionLevel(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    INTERVENTION_LEVEL_UNSPECIFIED: _ClassVar[InterventionLevel]
    INTERVENTION_LEVEL_ACTION_FEEDBACK: _ClassVar[InterventionLevel]
    INTERVENTION_LEVEL_TOPIC_ORCHESTRATION: _ClassVar[InterventionLevel]

class StrategySuggestion(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    STRATEGY_SUGGESTION_UNSPECIFIED: _ClassVar[StrategySuggestion]
    STRATEGY_SUGGESTION_REPHRASE: _ClassVar[StrategySuggestion]
    STRATEGY_SUGGESTION_COMFORT: _ClassVar[StrategySuggestion]
    STRATEGY_SUGGESTION_ACCEPT_PARTIAL: _ClassVar[StrategySuggestion]
    STRATEGY_SUGGESTION_SKIP: _ClassVar[StrategySuggestion]
INTERVENTION_LEVEL_UNSPECIFIED: InterventionLevel
INTERVENTION_LEVEL_ACTION_FEEDBACK: InterventionLevel
INTERVENTION_LEVEL_TOPIC_ORCHESTRATION: InterventionLevel
STRATEGY_SUGGESTION_UNSPECIFIED: StrategySuggestion
STRATEGY_SUGGESTION_REPHRASE: StrategySuggestion
STRATEGY_SUGGESTION_COMFORT: StrategySuggestion
STRATEGY_SUGGESTION_ACCEPT_PARTIAL: StrategySuggestion
STRATEGY_SUGGESTION_SKIP: StrategySuggestion

class AnalysisReport(_message.Message):
    __slots__ = ("session_id", "action_id", "action_instance_id", "action_type", "turn_id", "round", "max_rounds", "metrics", "progress_suggestion", "completed", "exit_reason", "exit_decision", "target_variables", "template_scheme", "topic_strategy", "trend", "dialogue", "tenant", "earlier_replies", "signals", "known_outputs", "task", "exit_condition", "topic_goal", "known_quotes", "dialogue_before", "language")
    class KnownQuotesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_TYPE_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    MAX_ROUNDS_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_SUGGESTION_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_FIELD_NUMBER: _ClassVar[int]
    EXIT_REASON_FIELD_NUMBER: _ClassVar[int]
    EXIT_DECISION_FIELD_NUMBER: _ClassVar[int]
    TARGET_VARIABLES_FIELD_NUMBER: _ClassVar[int]
    TEMPLATE_SCHEME_FIELD_NUMBER: _ClassVar[int]
    TOPIC_STRATEGY_FIELD_NUMBER: _ClassVar[int]
    TREND_FIELD_NUMBER: _ClassVar[int]
    DIALOGUE_FIELD_NUMBER: _ClassVar[int]
    TENANT_FIELD_NUMBER: _ClassVar[int]
    EARLIER_REPLIES_FIELD_NUMBER: _ClassVar[int]
    SIGNALS_FIELD_NUMBER: _ClassVar[int]
    KNOWN_OUTPUTS_FIELD_NUMBER: _ClassVar[int]
    TASK_FIELD_NUMBER: _ClassVar[int]
    EXIT_CONDITION_FIELD_NUMBER: _ClassVar[int]
    TOPIC_GOAL_FIELD_NUMBER: _ClassVar[int]
    KNOWN_QUOTES_FIELD_NUMBER: _ClassVar[int]
    DIALOGUE_BEFORE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    action_id: str
    action_instance_id: str
    action_type: str
    turn_id: str
    round: int
    max_rounds: int
    metrics: _action_result_pb2.ActionMetrics
    progress_suggestion: _action_result_pb2.ProgressSuggestion
    completed: bool
    exit_reason: _exit_pb2.ExitReason
    exit_decision: _exit_pb2.ExitDecision
    target_variables: _containers.RepeatedScalarFieldContainer[str]
    template_scheme: str
    topic_strategy: TopicStrategy
    trend: _containers.RepeatedCompositeFieldContainer[RoundMetrics]
    dialogue: _containers.RepeatedCompositeFieldContainer[DialogueLine]
    tenant: str
    earlier_replies: _containers.RepeatedCompositeFieldContainer[ClientReply]
    signals: _containers.RepeatedScalarFieldContainer[str]
    known_outputs: _struct_pb2.Struct
    task: str
    exit_condition: str
    topic_goal: str
    known_quotes: _containers.ScalarMap[str, str]
    dialogue_before: _containers.RepeatedCompositeFieldContainer[DialogueLine]
    language: str
    def __init__(self, session_id: _Optional[str] = ..., action_id: _Optional[str] = ..., action_instance_id: _Optional[str] = ..., action_type: _Optional[str] = ..., turn_id: _Optional[str] = ..., round: _Optional[int] = ..., max_rounds: _Optional[int] = ..., metrics: _Optional[_Union[_action_result_pb2.ActionMetrics, _Mapping]] = ..., progress_suggestion: _Optional[_Union[_action_result_pb2.ProgressSuggestion, str]] = ..., completed: _Optional[bool] = ..., exit_reason: _Optional[_Union[_exit_pb2.ExitReason, str]] = ..., exit_decision: _Optional[_Union[_exit_pb2.ExitDecision, _Mapping]] = ..., target_variables: _Optional[_Iterable[str]] = ..., template_scheme: _Optional[str] = ..., topic_strategy: _Optional[_Union[TopicStrategy, _Mapping]] = ..., trend: _Optional[_Iterable[_Union[RoundMetrics, _Mapping]]] = ..., dialogue: _Optional[_Iterable[_Union[DialogueLine, _Mapping]]] = ..., tenant: _Optional[str] = ..., earlier_replies: _Optional[_Iterable[_Union[ClientReply, _Mapping]]] = ..., signals: _Optional[_Iterable[str]] = ..., known_outputs: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., task: _Optional[str] = ..., exit_condition: _Optional[str] = ..., topic_goal: _Optional[str] = ..., known_quotes: _Optional[_Mapping[str, str]] = ..., dialogue_before: _Optional[_Iterable[_Union[DialogueLine, _Mapping]]] = ..., language: _Optional[str] = ...) -> None: ...

class TopicStrategy(_message.Message):
    __slots__ = ("text", "min_completeness_requirement", "retry_strategy", "max_retry_count")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    MIN_COMPLETENESS_REQUIREMENT_FIELD_NUMBER: _ClassVar[int]
    RETRY_STRATEGY_FIELD_NUMBER: _ClassVar[int]
    MAX_RETRY_COUNT_FIELD_NUMBER: _ClassVar[int]
    text: str
    min_completeness_requirement: str
    retry_strategy: str
    max_retry_count: str
    def __init__(self, text: _Optional[str] = ..., min_completeness_requirement: _Optional[str] = ..., retry_strategy: _Optional[str] = ..., max_retry_count: _Optional[str] = ...) -> None: ...

class RoundMetrics(_message.Message):
    __slots__ = ("round", "metrics", "progress_suggestion")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_SUGGESTION_FIELD_NUMBER: _ClassVar[int]
    round: int
    metrics: _action_result_pb2.ActionMetrics
    progress_suggestion: _action_result_pb2.ProgressSuggestion
    def __init__(self, round: _Optional[int] = ..., metrics: _Optional[_Union[_action_result_pb2.ActionMetrics, _Mapping]] = ..., progress_suggestion: _Optional[_Union[_action_result_pb2.ProgressSuggestion, str]] = ...) -> None: ...

class DialogueLine(_message.Message):
    __slots__ = ("role", "text")
    ROLE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    role: _message_pb2.Role
    text: str
    def __init__(self, role: _Optional[_Union[_message_pb2.Role, str]] = ..., text: _Optional[str] = ...) -> None: ...

class ClientReply(_message.Message):
    __slots__ = ("round", "text")
    ROUND_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    round: int
    text: str
    def __init__(self, round: _Optional[int] = ..., text: _Optional[str] = ...) -> None: ...

class MonitorAnalysis(_message.Message):
    __slots__ = ("intervention_needed", "intervention_reason", "intervention_level", "strategy_suggestion", "feedback_for_action", "modified_approach", "orchestration_needed", "orchestration_reason", "suggested_orchestration", "understanding_issue", "issue_type", "example_suggestion", "metadata")
    INTERVENTION_NEEDED_FIELD_NUMBER: _ClassVar[int]
    INTERVENTION_REASON_FIELD_NUMBER: _ClassVar[int]
    INTERVENTION_LEVEL_FIELD_NUMBER: _ClassVar[int]
    STRATEGY_SUGGESTION_FIELD_NUMBER: _ClassVar[int]
    FEEDBACK_FOR_ACTION_FIELD_NUMBER: _ClassVar[int]
    MODIFIED_APPROACH_FIELD_NUMBER: _ClassVar[int]
    ORCHESTRATION_NEEDED_FIELD_NUMBER: _ClassVar[int]
    ORCHESTRATION_REASON_FIELD_NUMBER: _ClassVar[int]
    SUGGESTED_ORCHESTRATION_FIELD_NUMBER: _ClassVar[int]
    UNDERSTANDING_ISSUE_FIELD_NUMBER: _ClassVar[int]
    ISSUE_TYPE_FIELD_NUMBER: _ClassVar[int]
    EXAMPLE_SUGGESTION_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    intervention_needed: bool
    intervention_reason: str
    intervention_level: InterventionLevel
    strategy_suggestion: StrategySuggestion
    feedback_for_action: str
    modified_approach: str
    orchestration_needed: bool
    orchestration_reason: str
    suggested_orchestration: _struct_pb2.Struct
    understanding_issue: bool
    issue_type: str
    example_suggestion: str
    metadata: _struct_pb2.Struct
    def __init__(self, intervention_needed: _Optional[bool] = ..., intervention_reason: _Optional[str] = ..., intervention_level: _Optional[_Union[InterventionLevel, str]] = ..., strategy_suggestion: _Optional[_Union[StrategySuggestion, str]] = ..., feedback_for_action: _Optional[str] = ..., modified_approach: _Optional[str] = ..., orchestration_needed: _Optional[bool] = ..., orchestration_reason: _Optional[str] = ..., suggested_orchestration: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., understanding_issue: _Optional[bool] = ..., issue_type: _Optional[str] = ..., example_suggestion: _Optional[str] = ..., metadata: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...
