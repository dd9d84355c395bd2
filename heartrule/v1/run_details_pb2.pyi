import datetime

from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from heartrule.v1 import run_pb2 as _run_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RunLanding(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RUN_LANDING_UNSPECIFIED: _ClassVar[RunLanding]
    RUN_LANDING_WAITS: _ClassVar[RunLanding]
    RUN_LANDING_TAKEN: _ClassVar[RunLanding]
    RUN_LANDING_SESSION_OVER: _ClassVar[RunLanding]
RUN_LANDING_UNSPECIFIED: RunLanding
RUN_LANDING_WAITS: RunLanding
RUN_LANDING_TAKEN: RunLanding
RUN_LANDING_SESSION_OVER: RunLanding

class NodeFailure(_message.Message):
    __slots__ = ("code", "message", "is_retryable")
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    IS_RETRYABLE_FIELD_NUMBER: _ClassVar[int]
    code: _run_pb2.RunErrorCode
    message: str
    is_retryable: bool
    def __init__(self, code: _Optional[_Union[_run_pb2.RunErrorCode, str]] = ..., message: _Optional[str] = ..., is_retryable: _Optional[bool] = ...) -> None: ...

class Run(_message.Message):
    __slots__ = ("run_id", "workflow_id", "revision", "state", "failure", "landing", "priority", "decision_id", "turn_id", "replaces", "sequence", "is_taken_back", "is_trimmed", "create_time", "begin_time", "end_time", "deadline", "wake_time", "agent", "thread_id")
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    LANDING_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    REPLACES_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    IS_TAKEN_BACK_FIELD_NUMBER: _ClassVar[int]
    IS_TRIMMED_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    BEGIN_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    DEADLINE_FIELD_NUMBER: _ClassVar[int]
    WAKE_TIME_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    THREAD_ID_FIELD_NUMBER: _ClassVar[int]
    run_id: str
    workflow_id: str
    revision: int
    state: _run_pb2.RunState
    failure: NodeFailure
    landing: RunLanding
    priority: int
    decision_id: str
    turn_id: str
    replaces: str
    sequence: int
    is_taken_back: bool
    is_trimmed: bool
    create_time: _timestamp_pb2.Timestamp
    begin_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    deadline: _timestamp_pb2.Timestamp
    wake_time: _timestamp_pb2.Timestamp
    agent: str
    thread_id: str
    def __init__(self, run_id: _Optional[str] = ..., workflow_id: _Optional[str] = ..., revision: _Optional[int] = ..., state: _Optional[_Union[_run_pb2.RunState, str]] = ..., failure: _Optional[_Union[NodeFailure, _Mapping]] = ..., landing: _Optional[_Union[RunLanding, str]] = ..., priority: _Optional[int] = ..., decision_id: _Optional[str] = ..., turn_id: _Optional[str] = ..., replaces: _Optional[str] = ..., sequence: _Optional[int] = ..., is_taken_back: _Optional[bool] = ..., is_trimmed: _Optional[bool] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., begin_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., deadline: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., wake_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., agent: _Optional[str] = ..., thread_id: _Optional[str] = ...) -> None: ...

class NodeAttempt(_message.Message):
    __slots__ = ("path", "attempt", "state", "skip_reason", "failure", "inputs", "output", "inputs_sha256", "output_sha256", "failed_conditions", "has_effect", "sequence", "wake_time", "begin_time", "end_time")
    PATH_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    SKIP_REASON_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_FIELD_NUMBER: _ClassVar[int]
    INPUTS_SHA256_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_SHA256_FIELD_NUMBER: _ClassVar[int]
    FAILED_CONDITIONS_FIELD_NUMBER: _ClassVar[int]
    HAS_EFFECT_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    WAKE_TIME_FIELD_NUMBER: _ClassVar[int]
    BEGIN_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    path: str
    attempt: int
    state: _run_pb2.NodeState
    skip_reason: _run_pb2.SkipReason
    failure: NodeFailure
    inputs: _struct_pb2.Value
    output: _struct_pb2.Value
    inputs_sha256: str
    output_sha256: str
    failed_conditions: _containers.RepeatedScalarFieldContainer[str]
    has_effect: bool
    sequence: int
    wake_time: _timestamp_pb2.Timestamp
    begin_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    def __init__(self, path: _Optional[str] = ..., attempt: _Optional[int] = ..., state: _Optional[_Union[_run_pb2.NodeState, str]] = ..., skip_reason: _Optional[_Union[_run_pb2.SkipReason, str]] = ..., failure: _Optional[_Union[NodeFailure, _Mapping]] = ..., inputs: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., output: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., inputs_sha256: _Optional[str] = ..., output_sha256: _Optional[str] = ..., failed_conditions: _Optional[_Iterable[str]] = ..., has_effect: _Optional[bool] = ..., sequence: _Optional[int] = ..., wake_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., begin_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class RunArtifact(_message.Message):
    __slots__ = ("path", "name", "mime_type", "size_bytes", "sha256", "create_time")
    PATH_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    MIME_TYPE_FIELD_NUMBER: _ClassVar[int]
    SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    path: str
    name: str
    mime_type: str
    size_bytes: int
    sha256: str
    create_time: _timestamp_pb2.Timestamp
    def __init__(self, path: _Optional[str] = ..., name: _Optional[str] = ..., mime_type: _Optional[str] = ..., size_bytes: _Optional[int] = ..., sha256: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
