import datetime

from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from heartrule.v1 import thread_pb2 as _thread_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Thread(_message.Message):
    __slots__ = ("thread_id", "path", "parent_thread_id", "anchor_message_id", "depth", "agent", "state", "phase", "suggested_phase", "failure_code", "run_id", "turn_id", "request", "result_text", "values", "create_time", "end_time")
    THREAD_ID_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    PARENT_THREAD_ID_FIELD_NUMBER: _ClassVar[int]
    ANCHOR_MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    DEPTH_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    SUGGESTED_PHASE_FIELD_NUMBER: _ClassVar[int]
    FAILURE_CODE_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_FIELD_NUMBER: _ClassVar[int]
    RESULT_TEXT_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    thread_id: str
    path: str
    parent_thread_id: str
    anchor_message_id: str
    depth: int
    agent: str
    state: _thread_pb2.ThreadState
    phase: str
    suggested_phase: str
    failure_code: str
    run_id: str
    turn_id: str
    request: _struct_pb2.Struct
    result_text: str
    values: _struct_pb2.Struct
    create_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    def __init__(self, thread_id: _Optional[str] = ..., path: _Optional[str] = ..., parent_thread_id: _Optional[str] = ..., anchor_message_id: _Optional[str] = ..., depth: _Optional[int] = ..., agent: _Optional[str] = ..., state: _Optional[_Union[_thread_pb2.ThreadState, str]] = ..., phase: _Optional[str] = ..., suggested_phase: _Optional[str] = ..., failure_code: _Optional[str] = ..., run_id: _Optional[str] = ..., turn_id: _Optional[str] = ..., request: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., result_text: _Optional[str] = ..., values: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ThreadMessage(_message.Message):
    __slots__ = ("message_id", "number", "role", "text", "meta", "phase", "is_placeholder", "replaces_message_id", "create_time", "unit")
    MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    META_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    IS_PLACEHOLDER_FIELD_NUMBER: _ClassVar[int]
    REPLACES_MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    message_id: str
    number: int
    role: _thread_pb2.ThreadRole
    text: str
    meta: _struct_pb2.Struct
    phase: str
    is_placeholder: bool
    replaces_message_id: str
    create_time: _timestamp_pb2.Timestamp
    unit: int
    def __init__(self, message_id: _Optional[str] = ..., number: _Optional[int] = ..., role: _Optional[_Union[_thread_pb2.ThreadRole, str]] = ..., text: _Optional[str] = ..., meta: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., phase: _Optional[str] = ..., is_placeholder: _Optional[bool] = ..., replaces_message_id: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., unit: _Optional[int] = ...) -> None: ...
