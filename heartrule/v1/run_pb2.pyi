from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RunState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RUN_STATE_UNSPECIFIED: _ClassVar[RunState]
    RUN_STATE_QUEUED: _ClassVar[RunState]
    RUN_STATE_RUNNING: _ClassVar[RunState]
    RUN_STATE_WAITING_DECISION: _ClassVar[RunState]
    RUN_STATE_COMPLETED: _ClassVar[RunState]
    RUN_STATE_FAILED: _ClassVar[RunState]
    RUN_STATE_CANCELLED: _ClassVar[RunState]
    RUN_STATE_INTERRUPTED: _ClassVar[RunState]

class NodeState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    NODE_STATE_UNSPECIFIED: _ClassVar[NodeState]
    NODE_STATE_PENDING: _ClassVar[NodeState]
    NODE_STATE_RUNNING: _ClassVar[NodeState]
    NODE_STATE_RETRYING: _ClassVar[NodeState]
    NODE_STATE_WAITING_DECISION: _ClassVar[NodeState]
    NODE_STATE_COMPLETED: _ClassVar[NodeState]
    NODE_STATE_FAILED: _ClassVar[NodeState]
    NODE_STATE_SKIPPED: _ClassVar[NodeState]
    NODE_STATE_CANCELLED: _ClassVar[NodeState]

class SkipReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SKIP_REASON_UNSPECIFIED: _ClassVar[SkipReason]
    SKIP_REASON_CONDITION: _ClassVar[SkipReason]
    SKIP_REASON_UPSTREAM: _ClassVar[SkipReason]
    SKIP_REASON_RECOVERY: _ClassVar[SkipReason]

class RunErrorCode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RUN_ERROR_CODE_UNSPECIFIED: _ClassVar[RunErrorCode]
    RUN_ERROR_CODE_TIMEOUT: _ClassVar[RunErrorCode]
    RUN_ERROR_CODE_CONNECTION: _ClassVar[RunErrorCode]
    RUN_ERROR_CODE_HTTP_4XX: _ClassVar[RunErrorCode]
    RUN_ERROR_CODE_HTTP_5XX: _ClassVar[RunErrorCode]
    RUN_ERROR_CODE_REFUSED: _ClassVar[RunErrorCode]
    RUN_ERROR_CODE_LIMIT: _ClassVar[RunErrorCode]
    RUN_ERROR_CODE_CODE_ERROR: _ClassVar[RunErrorCode]
    RUN_ERROR_CODE_UNREADABLE: _ClassVar[RunErrorCode]
    RUN_ERROR_CODE_SANDBOX_GONE: _ClassVar[RunErrorCode]
    RUN_ERROR_CODE_MISSING_VALUE: _ClassVar[RunErrorCode]
    RUN_ERROR_CODE_MODEL_ERROR: _ClassVar[RunErrorCode]
    RUN_ERROR_CODE_RUN_TIMEOUT: _ClassVar[RunErrorCode]
    RUN_ERROR_CODE_WORKER_LOST: _ClassVar[RunErrorCode]
    RUN_ERROR_CODE_ENGINE_VERSION: _ClassVar[RunErrorCode]
    RUN_ERROR_CODE_ABORTED: _ClassVar[RunErrorCode]

class ActivityKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACTIVITY_KIND_UNSPECIFIED: _ClassVar[ActivityKind]
    ACTIVITY_KIND_WORKFLOW_RUN: _ClassVar[ActivityKind]
    ACTIVITY_KIND_SUB_THREAD: _ClassVar[ActivityKind]

class ActivityState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACTIVITY_STATE_UNSPECIFIED: _ClassVar[ActivityState]
    ACTIVITY_STATE_BEGAN: _ClassVar[ActivityState]
    ACTIVITY_STATE_ENDED: _ClassVar[ActivityState]
    ACTIVITY_STATE_GOES_ON: _ClassVar[ActivityState]
RUN_STATE_UNSPECIFIED: RunState
RUN_STATE_QUEUED: RunState
RUN_STATE_RUNNING: RunState
RUN_STATE_WAITING_DECISION: RunState
RUN_STATE_COMPLETED: RunState
RUN_STATE_FAILED: RunState
RUN_STATE_CANCELLED: RunState
RUN_STATE_INTERRUPTED: RunState
NODE_STATE_UNSPECIFIED: NodeState
NODE_STATE_PENDING: NodeState
NODE_STATE_RUNNING: NodeState
NODE_STATE_RETRYING: NodeState
NODE_STATE_WAITING_DECISION: NodeState
NODE_STATE_COMPLETED: NodeState
NODE_STATE_FAILED: NodeState
NODE_STATE_SKIPPED: NodeState
NODE_STATE_CANCELLED: NodeState
SKIP_REASON_UNSPECIFIED: SkipReason
SKIP_REASON_CONDITION: SkipReason
SKIP_REASON_UPSTREAM: SkipReason
SKIP_REASON_RECOVERY: SkipReason
RUN_ERROR_CODE_UNSPECIFIED: RunErrorCode
RUN_ERROR_CODE_TIMEOUT: RunErrorCode
RUN_ERROR_CODE_CONNECTION: RunErrorCode
RUN_ERROR_CODE_HTTP_4XX: RunErrorCode
RUN_ERROR_CODE_HTTP_5XX: RunErrorCode
RUN_ERROR_CODE_REFUSED: RunErrorCode
RUN_ERROR_CODE_LIMIT: RunErrorCode
RUN_ERROR_CODE_CODE_ERROR: RunErrorCode
RUN_ERROR_CODE_UNREADABLE: RunErrorCode
RUN_ERROR_CODE_SANDBOX_GONE: RunErrorCode
RUN_ERROR_CODE_MISSING_VALUE: RunErrorCode
RUN_ERROR_CODE_MODEL_ERROR: RunErrorCode
RUN_ERROR_CODE_RUN_TIMEOUT: RunErrorCode
RUN_ERROR_CODE_WORKER_LOST: RunErrorCode
RUN_ERROR_CODE_ENGINE_VERSION: RunErrorCode
RUN_ERROR_CODE_ABORTED: RunErrorCode
ACTIVITY_KIND_UNSPECIFIED: ActivityKind
ACTIVITY_KIND_WORKFLOW_RUN: ActivityKind
ACTIVITY_KIND_SUB_THREAD: ActivityKind
ACTIVITY_STATE_UNSPECIFIED: ActivityState
ACTIVITY_STATE_BEGAN: ActivityState
ACTIVITY_STATE_ENDED: ActivityState
ACTIVITY_STATE_GOES_ON: ActivityState

class RunChanged(_message.Message):
    __slots__ = ("run_id", "workflow_id", "revision", "state", "code", "decision_id", "agent")
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    REVISION_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    run_id: str
    workflow_id: str
    revision: int
    state: RunState
    code: RunErrorCode
    decision_id: str
    agent: str
    def __init__(self, run_id: _Optional[str] = ..., workflow_id: _Optional[str] = ..., revision: _Optional[int] = ..., state: _Optional[_Union[RunState, str]] = ..., code: _Optional[_Union[RunErrorCode, str]] = ..., decision_id: _Optional[str] = ..., agent: _Optional[str] = ...) -> None: ...

class NodeChanged(_message.Message):
    __slots__ = ("run_id", "path", "state", "attempt", "skip_reason", "code")
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    SKIP_REASON_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    run_id: str
    path: str
    state: NodeState
    attempt: int
    skip_reason: SkipReason
    code: RunErrorCode
    def __init__(self, run_id: _Optional[str] = ..., path: _Optional[str] = ..., state: _Optional[_Union[NodeState, str]] = ..., attempt: _Optional[int] = ..., skip_reason: _Optional[_Union[SkipReason, str]] = ..., code: _Optional[_Union[RunErrorCode, str]] = ...) -> None: ...

class NodeExecutionFailed(_message.Message):
    __slots__ = ("run_id", "path", "attempt", "code", "message", "is_retryable")
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    IS_RETRYABLE_FIELD_NUMBER: _ClassVar[int]
    run_id: str
    path: str
    attempt: int
    code: RunErrorCode
    message: str
    is_retryable: bool
    def __init__(self, run_id: _Optional[str] = ..., path: _Optional[str] = ..., attempt: _Optional[int] = ..., code: _Optional[_Union[RunErrorCode, str]] = ..., message: _Optional[str] = ..., is_retryable: _Optional[bool] = ...) -> None: ...

class SentEffect(_message.Message):
    __slots__ = ("run_id", "path")
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    run_id: str
    path: str
    def __init__(self, run_id: _Optional[str] = ..., path: _Optional[str] = ...) -> None: ...

class Activity(_message.Message):
    __slots__ = ("activity_id", "kind", "state", "name", "is_completed", "label", "message_id")
    ACTIVITY_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    IS_COMPLETED_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    activity_id: str
    kind: ActivityKind
    state: ActivityState
    name: str
    is_completed: bool
    label: str
    message_id: str
    def __init__(self, activity_id: _Optional[str] = ..., kind: _Optional[_Union[ActivityKind, str]] = ..., state: _Optional[_Union[ActivityState, str]] = ..., name: _Optional[str] = ..., is_completed: _Optional[bool] = ..., label: _Optional[str] = ..., message_id: _Optional[str] = ...) -> None: ...
