import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from heartrule.v1 import orchestration_pb2 as _orchestration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PlanEditState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLAN_EDIT_STATE_UNSPECIFIED: _ClassVar[PlanEditState]
    PLAN_EDIT_STATE_PENDING: _ClassVar[PlanEditState]
    PLAN_EDIT_STATE_APPLIED: _ClassVar[PlanEditState]
    PLAN_EDIT_STATE_REJECTED: _ClassVar[PlanEditState]
    PLAN_EDIT_STATE_UNDONE: _ClassVar[PlanEditState]
    PLAN_EDIT_STATE_EXPIRED: _ClassVar[PlanEditState]
PLAN_EDIT_STATE_UNSPECIFIED: PlanEditState
PLAN_EDIT_STATE_PENDING: PlanEditState
PLAN_EDIT_STATE_APPLIED: PlanEditState
PLAN_EDIT_STATE_REJECTED: PlanEditState
PLAN_EDIT_STATE_UNDONE: PlanEditState
PLAN_EDIT_STATE_EXPIRED: PlanEditState

class PlanEdit(_message.Message):
    __slots__ = ("edit_id", "session_id", "cause_id", "judged_turn_id", "phase_id", "topic_id", "plan", "undoes", "state", "rule", "problem", "plan_revision", "before", "after", "ttl_turns", "made_at", "decided_turn_id")
    EDIT_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    CAUSE_ID_FIELD_NUMBER: _ClassVar[int]
    JUDGED_TURN_ID_FIELD_NUMBER: _ClassVar[int]
    PHASE_ID_FIELD_NUMBER: _ClassVar[int]
    TOPIC_ID_FIELD_NUMBER: _ClassVar[int]
    PLAN_FIELD_NUMBER: _ClassVar[int]
    UNDOES_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    PROBLEM_FIELD_NUMBER: _ClassVar[int]
    PLAN_REVISION_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    TTL_TURNS_FIELD_NUMBER: _ClassVar[int]
    MADE_AT_FIELD_NUMBER: _ClassVar[int]
    DECIDED_TURN_ID_FIELD_NUMBER: _ClassVar[int]
    edit_id: str
    session_id: str
    cause_id: str
    judged_turn_id: str
    phase_id: str
    topic_id: str
    plan: _orchestration_pb2.OrchestrationPlan
    undoes: str
    state: PlanEditState
    rule: str
    problem: str
    plan_revision: int
    before: _containers.RepeatedCompositeFieldContainer[_orchestration_pb2.QueuedAction]
    after: _containers.RepeatedCompositeFieldContainer[_orchestration_pb2.QueuedAction]
    ttl_turns: int
    made_at: _timestamp_pb2.Timestamp
    decided_turn_id: str
    def __init__(self, edit_id: _Optional[str] = ..., session_id: _Optional[str] = ..., cause_id: _Optional[str] = ..., judged_turn_id: _Optional[str] = ..., phase_id: _Optional[str] = ..., topic_id: _Optional[str] = ..., plan: _Optional[_Union[_orchestration_pb2.OrchestrationPlan, _Mapping]] = ..., undoes: _Optional[str] = ..., state: _Optional[_Union[PlanEditState, str]] = ..., rule: _Optional[str] = ..., problem: _Optional[str] = ..., plan_revision: _Optional[int] = ..., before: _Optional[_Iterable[_Union[_orchestration_pb2.QueuedAction, _Mapping]]] = ..., after: _Optional[_Iterable[_Union[_orchestration_pb2.QueuedAction, _Mapping]]] = ..., ttl_turns: _Optional[int] = ..., made_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., decided_turn_id: _Optional[str] = ...) -> None: ...

class PlanEdited(_message.Message):
    __slots__ = ("edit",)
    EDIT_FIELD_NUMBER: _ClassVar[int]
    edit: PlanEdit
    def __init__(self, edit: _Optional[_Union[PlanEdit, _Mapping]] = ...) -> None: ...

class ListPlanEditsRequest(_message.Message):
    __slots__ = ("session_id", "page_size", "page_token")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    page_size: int
    page_token: str
    def __init__(self, session_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListPlanEditsResponse(_message.Message):
    __slots__ = ("edits", "next_page_token")
    EDITS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    edits: _containers.RepeatedCompositeFieldContainer[PlanEdit]
    next_page_token: str
    def __init__(self, edits: _Optional[_Iterable[_Union[PlanEdit, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetPlanRequest(_message.Message):
    __slots__ = ("session_id",)
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    def __init__(self, session_id: _Optional[str] = ...) -> None: ...

class GetPlanResponse(_message.Message):
    __slots__ = ("phase_id", "topic_id", "plan_revision", "actions")
    PHASE_ID_FIELD_NUMBER: _ClassVar[int]
    TOPIC_ID_FIELD_NUMBER: _ClassVar[int]
    PLAN_REVISION_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    phase_id: str
    topic_id: str
    plan_revision: int
    actions: _containers.RepeatedCompositeFieldContainer[_orchestration_pb2.QueuedAction]
    def __init__(self, phase_id: _Optional[str] = ..., topic_id: _Optional[str] = ..., plan_revision: _Optional[int] = ..., actions: _Optional[_Iterable[_Union[_orchestration_pb2.QueuedAction, _Mapping]]] = ...) -> None: ...

class UndoPlanEditRequest(_message.Message):
    __slots__ = ("session_id", "edit_id", "request_id")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    EDIT_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    edit_id: str
    request_id: str
    def __init__(self, session_id: _Optional[str] = ..., edit_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class UndoPlanEditResponse(_message.Message):
    __slots__ = ("edit",)
    EDIT_FIELD_NUMBER: _ClassVar[int]
    edit: PlanEdit
    def __init__(self, edit: _Optional[_Union[PlanEdit, _Mapping]] = ...) -> None: ...
