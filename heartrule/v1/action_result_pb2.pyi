from google.protobuf import struct_pb2 as _struct_pb2
from heartrule.v1 import exit_pb2 as _exit_pb2
from heartrule.v1 import problem_pb2 as _problem_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ProgressSuggestion(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROGRESS_SUGGESTION_UNSPECIFIED: _ClassVar[ProgressSuggestion]
    PROGRESS_SUGGESTION_CONTINUE_NEEDED: _ClassVar[ProgressSuggestion]
    PROGRESS_SUGGESTION_COMPLETED: _ClassVar[ProgressSuggestion]
    PROGRESS_SUGGESTION_BLOCKED: _ClassVar[ProgressSuggestion]
    PROGRESS_SUGGESTION_OFF_TOPIC: _ClassVar[ProgressSuggestion]
PROGRESS_SUGGESTION_UNSPECIFIED: ProgressSuggestion
PROGRESS_SUGGESTION_CONTINUE_NEEDED: ProgressSuggestion
PROGRESS_SUGGESTION_COMPLETED: ProgressSuggestion
PROGRESS_SUGGESTION_BLOCKED: ProgressSuggestion
PROGRESS_SUGGESTION_OFF_TOPIC: ProgressSuggestion

class ActionResult(_message.Message):
    __slots__ = ("success", "completed", "ai_message", "extracted_variables", "metrics", "progress_suggestion", "metadata", "debug_info", "error", "action_id", "action_instance_id", "action_type", "round", "exit_reason", "exit_decision", "max_rounds")
    class ExtractedVariablesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _struct_pb2.Value
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ...) -> None: ...
    SUCCESS_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_FIELD_NUMBER: _ClassVar[int]
    AI_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    EXTRACTED_VARIABLES_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_SUGGESTION_FIELD_NUMBER: _ClassVar[int]
    METADATA_FIELD_NUMBER: _ClassVar[int]
    DEBUG_INFO_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_TYPE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    EXIT_REASON_FIELD_NUMBER: _ClassVar[int]
    EXIT_DECISION_FIELD_NUMBER: _ClassVar[int]
    MAX_ROUNDS_FIELD_NUMBER: _ClassVar[int]
    success: bool
    completed: bool
    ai_message: str
    extracted_variables: _containers.MessageMap[str, _struct_pb2.Value]
    metrics: ActionMetrics
    progress_suggestion: ProgressSuggestion
    metadata: _struct_pb2.Struct
    debug_info: DebugInfo
    error: _problem_pb2.Problem
    action_id: str
    action_instance_id: str
    action_type: str
    round: int
    exit_reason: _exit_pb2.ExitReason
    exit_decision: _exit_pb2.ExitDecision
    max_rounds: int
    def __init__(self, success: _Optional[bool] = ..., completed: _Optional[bool] = ..., ai_message: _Optional[str] = ..., extracted_variables: _Optional[_Mapping[str, _struct_pb2.Value]] = ..., metrics: _Optional[_Union[ActionMetrics, _Mapping]] = ..., progress_suggestion: _Optional[_Union[ProgressSuggestion, str]] = ..., metadata: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., debug_info: _Optional[_Union[DebugInfo, _Mapping]] = ..., error: _Optional[_Union[_problem_pb2.Problem, _Mapping]] = ..., action_id: _Optional[str] = ..., action_instance_id: _Optional[str] = ..., action_type: _Optional[str] = ..., round: _Optional[int] = ..., exit_reason: _Optional[_Union[_exit_pb2.ExitReason, str]] = ..., exit_decision: _Optional[_Union[_exit_pb2.ExitDecision, _Mapping]] = ..., max_rounds: _Optional[int] = ...) -> None: ...

class ActionMetrics(_message.Message):
    __slots__ = ("information_completeness", "user_engagement", "emotional_intensity", "reply_relevance", "understanding_level")
    INFORMATION_COMPLETENESS_FIELD_NUMBER: _ClassVar[int]
    USER_ENGAGEMENT_FIELD_NUMBER: _ClassVar[int]
    EMOTIONAL_INTENSITY_FIELD_NUMBER: _ClassVar[int]
    REPLY_RELEVANCE_FIELD_NUMBER: _ClassVar[int]
    UNDERSTANDING_LEVEL_FIELD_NUMBER: _ClassVar[int]
    information_completeness: str
    user_engagement: str
    emotional_intensity: str
    reply_relevance: str
    understanding_level: str
    def __init__(self, information_completeness: _Optional[str] = ..., user_engagement: _Optional[str] = ..., emotional_intensity: _Optional[str] = ..., reply_relevance: _Optional[str] = ..., understanding_level: _Optional[str] = ...) -> None: ...

class DebugInfo(_message.Message):
    __slots__ = ("call_ids",)
    CALL_IDS_FIELD_NUMBER: _ClassVar[int]
    call_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, call_ids: _Optional[_Iterable[str]] = ...) -> None: ...
