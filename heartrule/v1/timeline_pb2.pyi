import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from heartrule.v1 import llm_debug_info_pb2 as _llm_debug_info_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class TimelineLane(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TIMELINE_LANE_UNSPECIFIED: _ClassVar[TimelineLane]
    TIMELINE_LANE_MAIN: _ClassVar[TimelineLane]
    TIMELINE_LANE_MONITOR: _ClassVar[TimelineLane]

class TimelineKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    TIMELINE_KIND_UNSPECIFIED: _ClassVar[TimelineKind]
    TIMELINE_KIND_TURN: _ClassVar[TimelineKind]
    TIMELINE_KIND_ATTEMPT: _ClassVar[TimelineKind]
    TIMELINE_KIND_STEP: _ClassVar[TimelineKind]
    TIMELINE_KIND_MODEL_CALL: _ClassVar[TimelineKind]
    TIMELINE_KIND_MESSAGE: _ClassVar[TimelineKind]
    TIMELINE_KIND_ANALYSIS: _ClassVar[TimelineKind]
    TIMELINE_KIND_ADVICE: _ClassVar[TimelineKind]
    TIMELINE_KIND_PLAN_EDIT: _ClassVar[TimelineKind]
    TIMELINE_KIND_DECISION: _ClassVar[TimelineKind]
TIMELINE_LANE_UNSPECIFIED: TimelineLane
TIMELINE_LANE_MAIN: TimelineLane
TIMELINE_LANE_MONITOR: TimelineLane
TIMELINE_KIND_UNSPECIFIED: TimelineKind
TIMELINE_KIND_TURN: TimelineKind
TIMELINE_KIND_ATTEMPT: TimelineKind
TIMELINE_KIND_STEP: TimelineKind
TIMELINE_KIND_MODEL_CALL: TimelineKind
TIMELINE_KIND_MESSAGE: TimelineKind
TIMELINE_KIND_ANALYSIS: TimelineKind
TIMELINE_KIND_ADVICE: TimelineKind
TIMELINE_KIND_PLAN_EDIT: TimelineKind
TIMELINE_KIND_DECISION: TimelineKind

class TurnTimeline(_message.Message):
    __slots__ = ("turn_id", "start_time", "end_time", "spans")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    END_TIME_FIELD_NUMBER: _ClassVar[int]
    SPANS_FIELD_NUMBER: _ClassVar[int]
    turn_id: str
    start_time: _timestamp_pb2.Timestamp
    end_time: _timestamp_pb2.Timestamp
    spans: _containers.RepeatedCompositeFieldContainer[TimelineSpan]
    def __init__(self, turn_id: _Optional[str] = ..., start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., end_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., spans: _Optional[_Iterable[_Union[TimelineSpan, _Mapping]]] = ...) -> None: ...

class TimelineSpan(_message.Message):
    __slots__ = ("span_id", "parent_span_id", "lane", "kind", "name", "start_time", "duration", "facts", "links")
    class FactsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    SPAN_ID_FIELD_NUMBER: _ClassVar[int]
    PARENT_SPAN_ID_FIELD_NUMBER: _ClassVar[int]
    LANE_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    START_TIME_FIELD_NUMBER: _ClassVar[int]
    DURATION_FIELD_NUMBER: _ClassVar[int]
    FACTS_FIELD_NUMBER: _ClassVar[int]
    LINKS_FIELD_NUMBER: _ClassVar[int]
    span_id: str
    parent_span_id: str
    lane: TimelineLane
    kind: TimelineKind
    name: str
    start_time: _timestamp_pb2.Timestamp
    duration: _duration_pb2.Duration
    facts: _containers.ScalarMap[str, str]
    links: _containers.RepeatedCompositeFieldContainer[TimelineLink]
    def __init__(self, span_id: _Optional[str] = ..., parent_span_id: _Optional[str] = ..., lane: _Optional[_Union[TimelineLane, str]] = ..., kind: _Optional[_Union[TimelineKind, str]] = ..., name: _Optional[str] = ..., start_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., duration: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., facts: _Optional[_Mapping[str, str]] = ..., links: _Optional[_Iterable[_Union[TimelineLink, _Mapping]]] = ...) -> None: ...

class TimelineLink(_message.Message):
    __slots__ = ("relation", "span_id", "turn_id", "advice_id", "call_id", "message_id", "decision_id", "workflow_id")
    RELATION_FIELD_NUMBER: _ClassVar[int]
    SPAN_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    ADVICE_ID_FIELD_NUMBER: _ClassVar[int]
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    relation: str
    span_id: str
    turn_id: str
    advice_id: str
    call_id: str
    message_id: str
    decision_id: str
    workflow_id: str
    def __init__(self, relation: _Optional[str] = ..., span_id: _Optional[str] = ..., turn_id: _Optional[str] = ..., advice_id: _Optional[str] = ..., call_id: _Optional[str] = ..., message_id: _Optional[str] = ..., decision_id: _Optional[str] = ..., workflow_id: _Optional[str] = ...) -> None: ...

class GetTurnTimelineRequest(_message.Message):
    __slots__ = ("session_id", "turn_id")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    turn_id: str
    def __init__(self, session_id: _Optional[str] = ..., turn_id: _Optional[str] = ...) -> None: ...

class GetTurnTimelineResponse(_message.Message):
    __slots__ = ("timeline",)
    TIMELINE_FIELD_NUMBER: _ClassVar[int]
    timeline: TurnTimeline
    def __init__(self, timeline: _Optional[_Union[TurnTimeline, _Mapping]] = ...) -> None: ...

class ModelCall(_message.Message):
    __slots__ = ("turn_id", "call", "run_id", "thread_id")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    CALL_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    THREAD_ID_FIELD_NUMBER: _ClassVar[int]
    turn_id: str
    call: _llm_debug_info_pb2.LLMDebugInfo
    run_id: str
    thread_id: str
    def __init__(self, turn_id: _Optional[str] = ..., call: _Optional[_Union[_llm_debug_info_pb2.LLMDebugInfo, _Mapping]] = ..., run_id: _Optional[str] = ..., thread_id: _Optional[str] = ...) -> None: ...

class ListModelCallsRequest(_message.Message):
    __slots__ = ("session_id", "page_size", "page_token", "turn_id")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    page_size: int
    page_token: str
    turn_id: str
    def __init__(self, session_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., turn_id: _Optional[str] = ...) -> None: ...

class ListModelCallsResponse(_message.Message):
    __slots__ = ("calls", "next_page_token")
    CALLS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    calls: _containers.RepeatedCompositeFieldContainer[ModelCall]
    next_page_token: str
    def __init__(self, calls: _Optional[_Iterable[_Union[ModelCall, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
