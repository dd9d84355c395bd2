import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from heartrule.v1 import safety_pb2 as _safety_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ScreenTextRequest(_message.Message):
    __slots__ = ("text", "question", "earlier")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    EARLIER_FIELD_NUMBER: _ClassVar[int]
    text: str
    question: str
    earlier: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, text: _Optional[str] = ..., question: _Optional[str] = ..., earlier: _Optional[_Iterable[str]] = ...) -> None: ...

class ScreenTextResponse(_message.Message):
    __slots__ = ("level", "source", "rules", "subject", "language")
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    level: _safety_pb2.SafetyLevel
    source: _safety_pb2.SafetySource
    rules: _containers.RepeatedScalarFieldContainer[str]
    subject: _safety_pb2.SafetySubject
    language: str
    def __init__(self, level: _Optional[_Union[_safety_pb2.SafetyLevel, str]] = ..., source: _Optional[_Union[_safety_pb2.SafetySource, str]] = ..., rules: _Optional[_Iterable[str]] = ..., subject: _Optional[_Union[_safety_pb2.SafetySubject, str]] = ..., language: _Optional[str] = ...) -> None: ...

class GetSafetyStateRequest(_message.Message):
    __slots__ = ("session_id",)
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    def __init__(self, session_id: _Optional[str] = ...) -> None: ...

class GetSafetyStateResponse(_message.Message):
    __slots__ = ("state",)
    STATE_FIELD_NUMBER: _ClassVar[int]
    state: _safety_pb2.SafetyState
    def __init__(self, state: _Optional[_Union[_safety_pb2.SafetyState, _Mapping]] = ...) -> None: ...

class ListSafetyEventsRequest(_message.Message):
    __slots__ = ("session_id", "unacknowledged", "page_size", "page_token", "alerts", "filter", "order_by")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    UNACKNOWLEDGED_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ALERTS_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    ORDER_BY_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    unacknowledged: bool
    page_size: int
    page_token: str
    alerts: bool
    filter: str
    order_by: str
    def __init__(self, session_id: _Optional[str] = ..., unacknowledged: _Optional[bool] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., alerts: _Optional[bool] = ..., filter: _Optional[str] = ..., order_by: _Optional[str] = ...) -> None: ...

class ListSafetyEventsResponse(_message.Message):
    __slots__ = ("events", "next_page_token")
    EVENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    events: _containers.RepeatedCompositeFieldContainer[_safety_pb2.SafetyEvent]
    next_page_token: str
    def __init__(self, events: _Optional[_Iterable[_Union[_safety_pb2.SafetyEvent, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class AcknowledgeSafetyEventRequest(_message.Message):
    __slots__ = ("safety_event_id", "operator", "note")
    SAFETY_EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    OPERATOR_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    safety_event_id: str
    operator: str
    note: str
    def __init__(self, safety_event_id: _Optional[str] = ..., operator: _Optional[str] = ..., note: _Optional[str] = ...) -> None: ...

class AcknowledgeSafetyEventResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: _safety_pb2.SafetyEvent
    def __init__(self, event: _Optional[_Union[_safety_pb2.SafetyEvent, _Mapping]] = ...) -> None: ...

class CloseSafetyRequest(_message.Message):
    __slots__ = ("session_id", "operator", "level", "note")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    OPERATOR_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    operator: str
    level: _safety_pb2.SafetyLevel
    note: str
    def __init__(self, session_id: _Optional[str] = ..., operator: _Optional[str] = ..., level: _Optional[_Union[_safety_pb2.SafetyLevel, str]] = ..., note: _Optional[str] = ...) -> None: ...

class CloseSafetyResponse(_message.Message):
    __slots__ = ("state",)
    STATE_FIELD_NUMBER: _ClassVar[int]
    state: _safety_pb2.SafetyState
    def __init__(self, state: _Optional[_Union[_safety_pb2.SafetyState, _Mapping]] = ...) -> None: ...

class GetSafetyReportRequest(_message.Message):
    __slots__ = ("since",)
    SINCE_FIELD_NUMBER: _ClassVar[int]
    since: _timestamp_pb2.Timestamp
    def __init__(self, since: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GetSafetyReportResponse(_message.Message):
    __slots__ = ("counts",)
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    counts: _containers.RepeatedCompositeFieldContainer[_safety_pb2.SafetyCount]
    def __init__(self, counts: _Optional[_Iterable[_Union[_safety_pb2.SafetyCount, _Mapping]]] = ...) -> None: ...
