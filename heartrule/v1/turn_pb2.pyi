from heartrule.v1 import execution_pb2 as _execution_pb2
from heartrule.v1 import exit_pb2 as _exit_pb2
from heartrule.v1 import message_pb2 as _message_pb2
from heartrule.v1 import problem_pb2 as _problem_pb2
from heartrule.v1 import safety_pb2 as _safety_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Outcome(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    OUTCOME_UNSPECIFIED: _ClassVar[Outcome]
    OUTCOME_WAITING: _ClassVar[Outcome]
    OUTCOME_SESSION_COMPLETED: _ClassVar[Outcome]
    OUTCOME_INTERRUPTED: _ClassVar[Outcome]
    OUTCOME_FAILED: _ClassVar[Outcome]
    OUTCOME_PREEMPTED: _ClassVar[Outcome]
OUTCOME_UNSPECIFIED: Outcome
OUTCOME_WAITING: Outcome
OUTCOME_SESSION_COMPLETED: Outcome
OUTCOME_INTERRUPTED: Outcome
OUTCOME_FAILED: Outcome
OUTCOME_PREEMPTED: Outcome

class InputAccepted(_message.Message):
    __slots__ = ("messages",)
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[_message_pb2.Message]
    def __init__(self, messages: _Optional[_Iterable[_Union[_message_pb2.Message, _Mapping]]] = ...) -> None: ...

class InputRejected(_message.Message):
    __slots__ = ("client_message_id", "problem", "fallback")
    CLIENT_MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    FALLBACK_FIELD_NUMBER: _ClassVar[int]
    client_message_id: str
    problem: _problem_pb2.Problem
    fallback: _safety_pb2.SafetyFallback
    def __init__(self, client_message_id: _Optional[str] = ..., problem: _Optional[_Union[_problem_pb2.Problem, _Mapping]] = ..., fallback: _Optional[_Union[_safety_pb2.SafetyFallback, _Mapping]] = ...) -> None: ...

class TurnStarted(_message.Message):
    __slots__ = ("client_message_ids",)
    CLIENT_MESSAGE_IDS_FIELD_NUMBER: _ClassVar[int]
    client_message_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, client_message_ids: _Optional[_Iterable[str]] = ...) -> None: ...

class DraftPosition(_message.Message):
    __slots__ = ("message_id", "offset")
    MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    OFFSET_FIELD_NUMBER: _ClassVar[int]
    message_id: str
    offset: int
    def __init__(self, message_id: _Optional[str] = ..., offset: _Optional[int] = ...) -> None: ...

class DraftDelta(_message.Message):
    __slots__ = ("at", "text", "text_complete")
    AT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    TEXT_COMPLETE_FIELD_NUMBER: _ClassVar[int]
    at: DraftPosition
    text: str
    text_complete: bool
    def __init__(self, at: _Optional[_Union[DraftPosition, _Mapping]] = ..., text: _Optional[str] = ..., text_complete: _Optional[bool] = ...) -> None: ...

class DraftVoided(_message.Message):
    __slots__ = ("up_to_attempt", "reason")
    UP_TO_ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    up_to_attempt: int
    reason: str
    def __init__(self, up_to_attempt: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class TurnEnded(_message.Message):
    __slots__ = ("outcome", "problem", "message_ids", "degradations", "client_message_ids", "state", "exit_reason", "exit_decision")
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_IDS_FIELD_NUMBER: _ClassVar[int]
    DEGRADATIONS_FIELD_NUMBER: _ClassVar[int]
    CLIENT_MESSAGE_IDS_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    EXIT_REASON_FIELD_NUMBER: _ClassVar[int]
    EXIT_DECISION_FIELD_NUMBER: _ClassVar[int]
    outcome: Outcome
    problem: _problem_pb2.Problem
    message_ids: _containers.RepeatedScalarFieldContainer[str]
    degradations: _containers.RepeatedCompositeFieldContainer[_problem_pb2.Degradation]
    client_message_ids: _containers.RepeatedScalarFieldContainer[str]
    state: _execution_pb2.ExecutionState
    exit_reason: _exit_pb2.ExitReason
    exit_decision: _exit_pb2.ExitDecision
    def __init__(self, outcome: _Optional[_Union[Outcome, str]] = ..., problem: _Optional[_Union[_problem_pb2.Problem, _Mapping]] = ..., message_ids: _Optional[_Iterable[str]] = ..., degradations: _Optional[_Iterable[_Union[_problem_pb2.Degradation, _Mapping]]] = ..., client_message_ids: _Optional[_Iterable[str]] = ..., state: _Optional[_Union[_execution_pb2.ExecutionState, _Mapping]] = ..., exit_reason: _Optional[_Union[_exit_pb2.ExitReason, str]] = ..., exit_decision: _Optional[_Union[_exit_pb2.ExitDecision, _Mapping]] = ...) -> None: ...
