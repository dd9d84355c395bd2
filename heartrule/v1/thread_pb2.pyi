from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ThreadState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    THREAD_STATE_UNSPECIFIED: _ClassVar[ThreadState]
    THREAD_STATE_RUNNING: _ClassVar[ThreadState]
    THREAD_STATE_COMPLETED: _ClassVar[ThreadState]
    THREAD_STATE_FAILED: _ClassVar[ThreadState]
    THREAD_STATE_CANCELLED: _ClassVar[ThreadState]

class ThreadRole(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    THREAD_ROLE_UNSPECIFIED: _ClassVar[ThreadRole]
    THREAD_ROLE_USER: _ClassVar[ThreadRole]
    THREAD_ROLE_BOT: _ClassVar[ThreadRole]
THREAD_STATE_UNSPECIFIED: ThreadState
THREAD_STATE_RUNNING: ThreadState
THREAD_STATE_COMPLETED: ThreadState
THREAD_STATE_FAILED: ThreadState
THREAD_STATE_CANCELLED: ThreadState
THREAD_ROLE_UNSPECIFIED: ThreadRole
THREAD_ROLE_USER: ThreadRole
THREAD_ROLE_BOT: ThreadRole

class ThreadChanged(_message.Message):
    __slots__ = ("thread_id", "parent_thread_id", "anchor_message_id", "depth", "agent", "state", "phase", "suggested_phase", "failure_code", "run_id")
    THREAD_ID_FIELD_NUMBER: _ClassVar[int]
    PARENT_THREAD_ID_FIELD_NUMBER: _ClassVar[int]
    ANCHOR_MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    DEPTH_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    SUGGESTED_PHASE_FIELD_NUMBER: _ClassVar[int]
    FAILURE_CODE_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    thread_id: str
    parent_thread_id: str
    anchor_message_id: str
    depth: int
    agent: str
    state: ThreadState
    phase: str
    suggested_phase: str
    failure_code: str
    run_id: str
    def __init__(self, thread_id: _Optional[str] = ..., parent_thread_id: _Optional[str] = ..., anchor_message_id: _Optional[str] = ..., depth: _Optional[int] = ..., agent: _Optional[str] = ..., state: _Optional[_Union[ThreadState, str]] = ..., phase: _Optional[str] = ..., suggested_phase: _Optional[str] = ..., failure_code: _Optional[str] = ..., run_id: _Optional[str] = ...) -> None: ...

class ThreadMessageAdded(_message.Message):
    __slots__ = ("thread_id", "message_id", "number", "role", "text", "phase", "is_placeholder", "replaces_message_id", "run_id", "unit")
    THREAD_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    PHASE_FIELD_NUMBER: _ClassVar[int]
    IS_PLACEHOLDER_FIELD_NUMBER: _ClassVar[int]
    REPLACES_MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    thread_id: str
    message_id: str
    number: int
    role: ThreadRole
    text: str
    phase: str
    is_placeholder: bool
    replaces_message_id: str
    run_id: str
    unit: int
    def __init__(self, thread_id: _Optional[str] = ..., message_id: _Optional[str] = ..., number: _Optional[int] = ..., role: _Optional[_Union[ThreadRole, str]] = ..., text: _Optional[str] = ..., phase: _Optional[str] = ..., is_placeholder: _Optional[bool] = ..., replaces_message_id: _Optional[str] = ..., run_id: _Optional[str] = ..., unit: _Optional[int] = ...) -> None: ...
