import datetime

from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from heartrule.v1 import decision_pb2 as _decision_pb2
from heartrule.v1 import workflow_pb2 as _workflow_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DecisionState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECISION_STATE_UNSPECIFIED: _ClassVar[DecisionState]
    DECISION_STATE_QUEUED: _ClassVar[DecisionState]
    DECISION_STATE_HELD: _ClassVar[DecisionState]
    DECISION_STATE_RUNNING: _ClassVar[DecisionState]
    DECISION_STATE_INTERRUPTED: _ClassVar[DecisionState]
    DECISION_STATE_DONE: _ClassVar[DecisionState]
    DECISION_STATE_REJECTED: _ClassVar[DecisionState]
    DECISION_STATE_SUPERSEDED: _ClassVar[DecisionState]
DECISION_STATE_UNSPECIFIED: DecisionState
DECISION_STATE_QUEUED: DecisionState
DECISION_STATE_HELD: DecisionState
DECISION_STATE_RUNNING: DecisionState
DECISION_STATE_INTERRUPTED: DecisionState
DECISION_STATE_DONE: DecisionState
DECISION_STATE_REJECTED: DecisionState
DECISION_STATE_SUPERSEDED: DecisionState

class Decision(_message.Message):
    __slots__ = ("decision_id", "correlation_id", "decision_type", "written_type", "payload", "confidence", "author", "causation_id", "action_instance_id", "state", "verdict", "place", "turn_id", "step", "sequence", "create_time")
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    CORRELATION_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_TYPE_FIELD_NUMBER: _ClassVar[int]
    WRITTEN_TYPE_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    CAUSATION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    VERDICT_FIELD_NUMBER: _ClassVar[int]
    PLACE_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    decision_id: str
    correlation_id: str
    decision_type: _decision_pb2.DecisionType
    written_type: str
    payload: _struct_pb2.Value
    confidence: float
    author: _decision_pb2.DecisionAuthor
    causation_id: str
    action_instance_id: str
    state: DecisionState
    verdict: Verdict
    place: int
    turn_id: str
    step: int
    sequence: int
    create_time: _timestamp_pb2.Timestamp
    def __init__(self, decision_id: _Optional[str] = ..., correlation_id: _Optional[str] = ..., decision_type: _Optional[_Union[_decision_pb2.DecisionType, str]] = ..., written_type: _Optional[str] = ..., payload: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., confidence: _Optional[float] = ..., author: _Optional[_Union[_decision_pb2.DecisionAuthor, str]] = ..., causation_id: _Optional[str] = ..., action_instance_id: _Optional[str] = ..., state: _Optional[_Union[DecisionState, str]] = ..., verdict: _Optional[_Union[Verdict, _Mapping]] = ..., place: _Optional[int] = ..., turn_id: _Optional[str] = ..., step: _Optional[int] = ..., sequence: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Verdict(_message.Message):
    __slots__ = ("is_valid", "payload", "corrections", "errors")
    IS_VALID_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    CORRECTIONS_FIELD_NUMBER: _ClassVar[int]
    ERRORS_FIELD_NUMBER: _ClassVar[int]
    is_valid: bool
    payload: _struct_pb2.Value
    corrections: _containers.RepeatedCompositeFieldContainer[_decision_pb2.Correction]
    errors: _containers.RepeatedCompositeFieldContainer[_decision_pb2.RuleFinding]
    def __init__(self, is_valid: _Optional[bool] = ..., payload: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., corrections: _Optional[_Iterable[_Union[_decision_pb2.Correction, _Mapping]]] = ..., errors: _Optional[_Iterable[_Union[_decision_pb2.RuleFinding, _Mapping]]] = ...) -> None: ...

class SubmitDecisionRequest(_message.Message):
    __slots__ = ("session_id", "decision_id", "decision_type", "payload", "confidence", "correlation_id", "causation_id", "dry_run")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_TYPE_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    CORRELATION_ID_FIELD_NUMBER: _ClassVar[int]
    CAUSATION_ID_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    decision_id: str
    decision_type: _decision_pb2.DecisionType
    payload: _struct_pb2.Struct
    confidence: float
    correlation_id: str
    causation_id: str
    dry_run: bool
    def __init__(self, session_id: _Optional[str] = ..., decision_id: _Optional[str] = ..., decision_type: _Optional[_Union[_decision_pb2.DecisionType, str]] = ..., payload: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., confidence: _Optional[float] = ..., correlation_id: _Optional[str] = ..., causation_id: _Optional[str] = ..., dry_run: _Optional[bool] = ...) -> None: ...

class SubmitDecisionResponse(_message.Message):
    __slots__ = ("decision", "workflow")
    DECISION_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_FIELD_NUMBER: _ClassVar[int]
    decision: Decision
    workflow: _workflow_pb2.Workflow
    def __init__(self, decision: _Optional[_Union[Decision, _Mapping]] = ..., workflow: _Optional[_Union[_workflow_pb2.Workflow, _Mapping]] = ...) -> None: ...

class ListDecisionsRequest(_message.Message):
    __slots__ = ("session_id", "page_size", "page_token", "turn_id", "decision_type", "state", "reveal", "filter", "order_by")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_TYPE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REVEAL_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    ORDER_BY_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    page_size: int
    page_token: str
    turn_id: str
    decision_type: _decision_pb2.DecisionType
    state: DecisionState
    reveal: bool
    filter: str
    order_by: str
    def __init__(self, session_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., turn_id: _Optional[str] = ..., decision_type: _Optional[_Union[_decision_pb2.DecisionType, str]] = ..., state: _Optional[_Union[DecisionState, str]] = ..., reveal: _Optional[bool] = ..., filter: _Optional[str] = ..., order_by: _Optional[str] = ...) -> None: ...

class ListDecisionsResponse(_message.Message):
    __slots__ = ("decisions", "next_page_token")
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    decisions: _containers.RepeatedCompositeFieldContainer[Decision]
    next_page_token: str
    def __init__(self, decisions: _Optional[_Iterable[_Union[Decision, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
