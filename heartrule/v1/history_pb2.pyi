import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from heartrule.v1 import action_result_pb2 as _action_result_pb2
from heartrule.v1 import advice_pb2 as _advice_pb2
from heartrule.v1 import analysis_pb2 as _analysis_pb2
from heartrule.v1 import exit_pb2 as _exit_pb2
from heartrule.v1 import variable_pb2 as _variable_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PlanningState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLANNING_STATE_UNSPECIFIED: _ClassVar[PlanningState]
    PLANNING_STATE_OWED: _ClassVar[PlanningState]
    PLANNING_STATE_PROPOSED: _ClassVar[PlanningState]
    PLANNING_STATE_NO_PLAN: _ClassVar[PlanningState]
    PLANNING_STATE_FAILED: _ClassVar[PlanningState]
    PLANNING_STATE_DROPPED: _ClassVar[PlanningState]
    PLANNING_STATE_SKIPPED: _ClassVar[PlanningState]
PLANNING_STATE_UNSPECIFIED: PlanningState
PLANNING_STATE_OWED: PlanningState
PLANNING_STATE_PROPOSED: PlanningState
PLANNING_STATE_NO_PLAN: PlanningState
PLANNING_STATE_FAILED: PlanningState
PLANNING_STATE_DROPPED: PlanningState
PLANNING_STATE_SKIPPED: PlanningState

class ListVariableOperationsRequest(_message.Message):
    __slots__ = ("session_id", "page_size", "page_token")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    page_size: int
    page_token: str
    def __init__(self, session_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListVariableOperationsResponse(_message.Message):
    __slots__ = ("operations", "next_page_token")
    OPERATIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    operations: _containers.RepeatedCompositeFieldContainer[_variable_pb2.VariableOperation]
    next_page_token: str
    def __init__(self, operations: _Optional[_Iterable[_Union[_variable_pb2.VariableOperation, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListScopeSnapshotsRequest(_message.Message):
    __slots__ = ("session_id", "page_size", "page_token")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    page_size: int
    page_token: str
    def __init__(self, session_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListScopeSnapshotsResponse(_message.Message):
    __slots__ = ("snapshots", "next_page_token")
    SNAPSHOTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    snapshots: _containers.RepeatedCompositeFieldContainer[_variable_pb2.ScopeSnapshot]
    next_page_token: str
    def __init__(self, snapshots: _Optional[_Iterable[_Union[_variable_pb2.ScopeSnapshot, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListVariableDefinitionsRequest(_message.Message):
    __slots__ = ("session_id", "page_size", "page_token")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    page_size: int
    page_token: str
    def __init__(self, session_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListVariableDefinitionsResponse(_message.Message):
    __slots__ = ("definitions", "next_page_token")
    DEFINITIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    definitions: _containers.RepeatedCompositeFieldContainer[_variable_pb2.VariableDefinition]
    next_page_token: str
    def __init__(self, definitions: _Optional[_Iterable[_Union[_variable_pb2.VariableDefinition, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListExitHistoryRequest(_message.Message):
    __slots__ = ("session_id", "page_size", "page_token")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    page_size: int
    page_token: str
    def __init__(self, session_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListExitHistoryResponse(_message.Message):
    __slots__ = ("entries", "next_page_token")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[_exit_pb2.ExitHistoryEntry]
    next_page_token: str
    def __init__(self, entries: _Optional[_Iterable[_Union[_exit_pb2.ExitHistoryEntry, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ActionMetricsEntry(_message.Message):
    __slots__ = ("action_id", "action_instance_id", "action_type", "round", "metrics", "progress_suggestion", "timestamp")
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_TYPE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_SUGGESTION_FIELD_NUMBER: _ClassVar[int]
    TIMESTAMP_FIELD_NUMBER: _ClassVar[int]
    action_id: str
    action_instance_id: str
    action_type: str
    round: int
    metrics: _action_result_pb2.ActionMetrics
    progress_suggestion: _action_result_pb2.ProgressSuggestion
    timestamp: _timestamp_pb2.Timestamp
    def __init__(self, action_id: _Optional[str] = ..., action_instance_id: _Optional[str] = ..., action_type: _Optional[str] = ..., round: _Optional[int] = ..., metrics: _Optional[_Union[_action_result_pb2.ActionMetrics, _Mapping]] = ..., progress_suggestion: _Optional[_Union[_action_result_pb2.ProgressSuggestion, str]] = ..., timestamp: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListActionMetricsRequest(_message.Message):
    __slots__ = ("session_id", "page_size", "page_token")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    page_size: int
    page_token: str
    def __init__(self, session_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListActionMetricsResponse(_message.Message):
    __slots__ = ("entries", "next_page_token")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[ActionMetricsEntry]
    next_page_token: str
    def __init__(self, entries: _Optional[_Iterable[_Union[ActionMetricsEntry, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class MonitorFeedbackEntry(_message.Message):
    __slots__ = ("action_id", "action_instance_id", "action_type", "round", "judged_turn_id", "result", "reason", "analysis", "advice", "planning", "planning_reason", "timestamp")
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_TYPE_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    JUDGED_TURN_ID_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    ANALYSIS_FIELD_NUMBER: _ClassVar[int]
    ADVICE_FIELD_NUMBER: _ClassVar[int]
    PLANNING_FIELD_NUMBER: _ClassVar[int]
    PLANNING_REASON_FIELD_NUMBER: _ClassVar[int]
    TIMESTAMP_FIELD_NUMBER: _ClassVar[int]
    action_id: str
    action_instance_id: str
    action_type: str
    round: int
    judged_turn_id: str
    result: _advice_pb2.AnalysisEnded.Result
    reason: str
    analysis: _analysis_pb2.MonitorAnalysis
    advice: _advice_pb2.Advice
    planning: PlanningState
    planning_reason: str
    timestamp: _timestamp_pb2.Timestamp
    def __init__(self, action_id: _Optional[str] = ..., action_instance_id: _Optional[str] = ..., action_type: _Optional[str] = ..., round: _Optional[int] = ..., judged_turn_id: _Optional[str] = ..., result: _Optional[_Union[_advice_pb2.AnalysisEnded.Result, str]] = ..., reason: _Optional[str] = ..., analysis: _Optional[_Union[_analysis_pb2.MonitorAnalysis, _Mapping]] = ..., advice: _Optional[_Union[_advice_pb2.Advice, _Mapping]] = ..., planning: _Optional[_Union[PlanningState, str]] = ..., planning_reason: _Optional[str] = ..., timestamp: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListMonitorFeedbackRequest(_message.Message):
    __slots__ = ("session_id", "page_size", "page_token")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    page_size: int
    page_token: str
    def __init__(self, session_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListMonitorFeedbackResponse(_message.Message):
    __slots__ = ("entries", "next_page_token")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[MonitorFeedbackEntry]
    next_page_token: str
    def __init__(self, entries: _Optional[_Iterable[_Union[MonitorFeedbackEntry, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetRehearsalRequest(_message.Message):
    __slots__ = ("session_id", "title")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    title: str
    def __init__(self, session_id: _Optional[str] = ..., title: _Optional[str] = ...) -> None: ...

class GetRehearsalResponse(_message.Message):
    __slots__ = ("content", "path")
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    content: str
    path: str
    def __init__(self, content: _Optional[str] = ..., path: _Optional[str] = ...) -> None: ...
