from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
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
