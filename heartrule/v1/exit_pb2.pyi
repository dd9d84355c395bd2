import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ExitReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EXIT_REASON_UNSPECIFIED: _ClassVar[ExitReason]
    EXIT_REASON_MAX_ROUNDS_REACHED: _ClassVar[ExitReason]
    EXIT_REASON_EXIT_CRITERIA_MET: _ClassVar[ExitReason]
    EXIT_REASON_USER_BLOCKED: _ClassVar[ExitReason]
    EXIT_REASON_OFF_TOPIC: _ClassVar[ExitReason]

class DecisionSource(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECISION_SOURCE_UNSPECIFIED: _ClassVar[DecisionSource]
    DECISION_SOURCE_MAX_ROUNDS: _ClassVar[DecisionSource]
    DECISION_SOURCE_EXIT_FLAG: _ClassVar[DecisionSource]
    DECISION_SOURCE_EXIT_CRITERIA: _ClassVar[DecisionSource]
    DECISION_SOURCE_LLM_SUGGESTION: _ClassVar[DecisionSource]
EXIT_REASON_UNSPECIFIED: ExitReason
EXIT_REASON_MAX_ROUNDS_REACHED: ExitReason
EXIT_REASON_EXIT_CRITERIA_MET: ExitReason
EXIT_REASON_USER_BLOCKED: ExitReason
EXIT_REASON_OFF_TOPIC: ExitReason
DECISION_SOURCE_UNSPECIFIED: DecisionSource
DECISION_SOURCE_MAX_ROUNDS: DecisionSource
DECISION_SOURCE_EXIT_FLAG: DecisionSource
DECISION_SOURCE_EXIT_CRITERIA: DecisionSource
DECISION_SOURCE_LLM_SUGGESTION: DecisionSource

class ExitDecision(_message.Message):
    __slots__ = ("should_exit", "reason", "decision_source")
    SHOULD_EXIT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    DECISION_SOURCE_FIELD_NUMBER: _ClassVar[int]
    should_exit: bool
    reason: str
    decision_source: DecisionSource
    def __init__(self, should_exit: _Optional[bool] = ..., reason: _Optional[str] = ..., decision_source: _Optional[_Union[DecisionSource, str]] = ...) -> None: ...

class ActionRoundInfo(_message.Message):
    __slots__ = ("action_id", "action_instance_id", "current_round", "max_rounds", "exit_decision")
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    CURRENT_ROUND_FIELD_NUMBER: _ClassVar[int]
    MAX_ROUNDS_FIELD_NUMBER: _ClassVar[int]
    EXIT_DECISION_FIELD_NUMBER: _ClassVar[int]
    action_id: str
    action_instance_id: str
    current_round: int
    max_rounds: int
    exit_decision: ExitDecision
    def __init__(self, action_id: _Optional[str] = ..., action_instance_id: _Optional[str] = ..., current_round: _Optional[int] = ..., max_rounds: _Optional[int] = ..., exit_decision: _Optional[_Union[ExitDecision, _Mapping]] = ...) -> None: ...

class ExitHistoryEntry(_message.Message):
    __slots__ = ("action_id", "action_instance_id", "action_type", "round", "max_rounds", "decision", "exit_reason", "timestamp")
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_TYPE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    MAX_ROUNDS_FIELD_NUMBER: _ClassVar[int]
    DECISION_FIELD_NUMBER: _ClassVar[int]
    EXIT_REASON_FIELD_NUMBER: _ClassVar[int]
    TIMESTAMP_FIELD_NUMBER: _ClassVar[int]
    action_id: str
    action_instance_id: str
    action_type: str
    round: int
    max_rounds: int
    decision: ExitDecision
    exit_reason: ExitReason
    timestamp: _timestamp_pb2.Timestamp
    def __init__(self, action_id: _Optional[str] = ..., action_instance_id: _Optional[str] = ..., action_type: _Optional[str] = ..., round: _Optional[int] = ..., max_rounds: _Optional[int] = ..., decision: _Optional[_Union[ExitDecision, _Mapping]] = ..., exit_reason: _Optional[_Union[ExitReason, str]] = ..., timestamp: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
