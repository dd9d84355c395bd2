import datetime

from google.protobuf import field_mask_pb2 as _field_mask_pb2
from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from heartrule.v1 import event_pb2 as _event_pb2
from heartrule.v1 import execution_pb2 as _execution_pb2
from heartrule.v1 import feature_pb2 as _feature_pb2
from heartrule.v1 import message_pb2 as _message_pb2
from heartrule.v1 import replacement_pb2 as _replacement_pb2
from heartrule.v1 import variable_pb2 as _variable_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Session(_message.Message):
    __slots__ = ("session_id", "script_id", "script_version", "user_id", "locale", "time_zone", "status", "create_time", "update_time", "title", "forked_from_session_id", "forked_from_turn_id", "replacements", "end_reason", "strategy_engine", "labels", "notes")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class NotesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SCRIPT_ID_FIELD_NUMBER: _ClassVar[int]
    SCRIPT_VERSION_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    UPDATE_TIME_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    FORKED_FROM_SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    FORKED_FROM_TURN_ID_FIELD_NUMBER: _ClassVar[int]
    REPLACEMENTS_FIELD_NUMBER: _ClassVar[int]
    END_REASON_FIELD_NUMBER: _ClassVar[int]
    STRATEGY_ENGINE_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    script_id: str
    script_version: str
    user_id: str
    locale: str
    time_zone: str
    status: _execution_pb2.ExecutionStatus
    create_time: _timestamp_pb2.Timestamp
    update_time: _timestamp_pb2.Timestamp
    title: str
    forked_from_session_id: str
    forked_from_turn_id: str
    replacements: _containers.RepeatedCompositeFieldContainer[_replacement_pb2.ActionReplacement]
    end_reason: _execution_pb2.EndReason
    strategy_engine: bool
    labels: _containers.ScalarMap[str, str]
    notes: _containers.ScalarMap[str, str]
    def __init__(self, session_id: _Optional[str] = ..., script_id: _Optional[str] = ..., script_version: _Optional[str] = ..., user_id: _Optional[str] = ..., locale: _Optional[str] = ..., time_zone: _Optional[str] = ..., status: _Optional[_Union[_execution_pb2.ExecutionStatus, str]] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., update_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., title: _Optional[str] = ..., forked_from_session_id: _Optional[str] = ..., forked_from_turn_id: _Optional[str] = ..., replacements: _Optional[_Iterable[_Union[_replacement_pb2.ActionReplacement, _Mapping]]] = ..., end_reason: _Optional[_Union[_execution_pb2.EndReason, str]] = ..., strategy_engine: _Optional[bool] = ..., labels: _Optional[_Mapping[str, str]] = ..., notes: _Optional[_Mapping[str, str]] = ...) -> None: ...

class StartSessionRequest(_message.Message):
    __slots__ = ("script_id", "script_version", "user_id", "locale", "time_zone", "request_id", "imported_state", "strategy_engine", "labels")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    SCRIPT_ID_FIELD_NUMBER: _ClassVar[int]
    SCRIPT_VERSION_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    IMPORTED_STATE_FIELD_NUMBER: _ClassVar[int]
    STRATEGY_ENGINE_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    script_id: str
    script_version: str
    user_id: str
    locale: str
    time_zone: str
    request_id: str
    imported_state: _struct_pb2.Struct
    strategy_engine: bool
    labels: _containers.ScalarMap[str, str]
    def __init__(self, script_id: _Optional[str] = ..., script_version: _Optional[str] = ..., user_id: _Optional[str] = ..., locale: _Optional[str] = ..., time_zone: _Optional[str] = ..., request_id: _Optional[str] = ..., imported_state: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., strategy_engine: _Optional[bool] = ..., labels: _Optional[_Mapping[str, str]] = ...) -> None: ...

class StartSessionResponse(_message.Message):
    __slots__ = ("session",)
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: Session
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ...) -> None: ...

class InitializeSessionRequest(_message.Message):
    __slots__ = ("session_id", "accepts", "whole_messages_only", "audiences")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    ACCEPTS_FIELD_NUMBER: _ClassVar[int]
    WHOLE_MESSAGES_ONLY_FIELD_NUMBER: _ClassVar[int]
    AUDIENCES_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    accepts: _containers.RepeatedScalarFieldContainer[_feature_pb2.Feature]
    whole_messages_only: bool
    audiences: _containers.RepeatedScalarFieldContainer[_event_pb2.Audience]
    def __init__(self, session_id: _Optional[str] = ..., accepts: _Optional[_Iterable[_Union[_feature_pb2.Feature, str]]] = ..., whole_messages_only: _Optional[bool] = ..., audiences: _Optional[_Iterable[_Union[_event_pb2.Audience, str]]] = ...) -> None: ...

class InitializeSessionResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: _event_pb2.SessionEvent
    def __init__(self, event: _Optional[_Union[_event_pb2.SessionEvent, _Mapping]] = ...) -> None: ...

class GetSessionRequest(_message.Message):
    __slots__ = ("session_id", "with_notes")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    WITH_NOTES_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    with_notes: bool
    def __init__(self, session_id: _Optional[str] = ..., with_notes: _Optional[bool] = ...) -> None: ...

class GetSessionResponse(_message.Message):
    __slots__ = ("session",)
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: Session
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ...) -> None: ...

class UpdateSessionRequest(_message.Message):
    __slots__ = ("session_id", "labels", "update_mask", "notes")
    class LabelsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    class NotesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    LABELS_FIELD_NUMBER: _ClassVar[int]
    UPDATE_MASK_FIELD_NUMBER: _ClassVar[int]
    NOTES_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    labels: _containers.ScalarMap[str, str]
    update_mask: _field_mask_pb2.FieldMask
    notes: _containers.ScalarMap[str, str]
    def __init__(self, session_id: _Optional[str] = ..., labels: _Optional[_Mapping[str, str]] = ..., update_mask: _Optional[_Union[_field_mask_pb2.FieldMask, _Mapping]] = ..., notes: _Optional[_Mapping[str, str]] = ...) -> None: ...

class UpdateSessionResponse(_message.Message):
    __slots__ = ("session",)
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: Session
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ...) -> None: ...

class ListSessionsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "user_id", "filter", "order_by")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    ORDER_BY_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    user_id: str
    filter: str
    order_by: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., user_id: _Optional[str] = ..., filter: _Optional[str] = ..., order_by: _Optional[str] = ...) -> None: ...

class ListSessionsResponse(_message.Message):
    __slots__ = ("sessions", "next_page_token")
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    sessions: _containers.RepeatedCompositeFieldContainer[Session]
    next_page_token: str
    def __init__(self, sessions: _Optional[_Iterable[_Union[Session, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListMessagesRequest(_message.Message):
    __slots__ = ("session_id", "page_size", "page_token")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    page_size: int
    page_token: str
    def __init__(self, session_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMessagesResponse(_message.Message):
    __slots__ = ("messages", "next_page_token")
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[_message_pb2.Message]
    next_page_token: str
    def __init__(self, messages: _Optional[_Iterable[_Union[_message_pb2.Message, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListVariablesRequest(_message.Message):
    __slots__ = ("session_id", "page_size", "page_token", "history_size", "reveal")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    HISTORY_SIZE_FIELD_NUMBER: _ClassVar[int]
    REVEAL_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    page_size: int
    page_token: str
    history_size: int
    reveal: bool
    def __init__(self, session_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., history_size: _Optional[int] = ..., reveal: _Optional[bool] = ...) -> None: ...

class ListVariablesResponse(_message.Message):
    __slots__ = ("variables", "next_page_token")
    VARIABLES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    variables: _containers.RepeatedCompositeFieldContainer[_variable_pb2.VariableValue]
    next_page_token: str
    def __init__(self, variables: _Optional[_Iterable[_Union[_variable_pb2.VariableValue, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetExecutionStateRequest(_message.Message):
    __slots__ = ("session_id",)
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    def __init__(self, session_id: _Optional[str] = ...) -> None: ...

class GetExecutionStateResponse(_message.Message):
    __slots__ = ("state",)
    STATE_FIELD_NUMBER: _ClassVar[int]
    state: _execution_pb2.ExecutionState
    def __init__(self, state: _Optional[_Union[_execution_pb2.ExecutionState, _Mapping]] = ...) -> None: ...
