import datetime

from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from heartrule.v1 import analysis_pb2 as _analysis_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class OrchestrationAction(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ORCHESTRATION_ACTION_UNSPECIFIED: _ClassVar[OrchestrationAction]
    ORCHESTRATION_ACTION_INSERT: _ClassVar[OrchestrationAction]
    ORCHESTRATION_ACTION_MODIFY: _ClassVar[OrchestrationAction]
    ORCHESTRATION_ACTION_SKIP: _ClassVar[OrchestrationAction]
    ORCHESTRATION_ACTION_REORDER: _ClassVar[OrchestrationAction]

class RelativePosition(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RELATIVE_POSITION_UNSPECIFIED: _ClassVar[RelativePosition]
    RELATIVE_POSITION_AFTER_CURRENT: _ClassVar[RelativePosition]
    RELATIVE_POSITION_BEFORE_NEXT: _ClassVar[RelativePosition]

class QueueState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    QUEUE_STATE_UNSPECIFIED: _ClassVar[QueueState]
    QUEUE_STATE_PENDING: _ClassVar[QueueState]
    QUEUE_STATE_RUNNING: _ClassVar[QueueState]
    QUEUE_STATE_COMPLETED: _ClassVar[QueueState]
    QUEUE_STATE_SKIPPED: _ClassVar[QueueState]

class PlanEditState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PLAN_EDIT_STATE_UNSPECIFIED: _ClassVar[PlanEditState]
    PLAN_EDIT_STATE_PENDING: _ClassVar[PlanEditState]
    PLAN_EDIT_STATE_APPLIED: _ClassVar[PlanEditState]
    PLAN_EDIT_STATE_REJECTED: _ClassVar[PlanEditState]
    PLAN_EDIT_STATE_UNDONE: _ClassVar[PlanEditState]
    PLAN_EDIT_STATE_EXPIRED: _ClassVar[PlanEditState]
ORCHESTRATION_ACTION_UNSPECIFIED: OrchestrationAction
ORCHESTRATION_ACTION_INSERT: OrchestrationAction
ORCHESTRATION_ACTION_MODIFY: OrchestrationAction
ORCHESTRATION_ACTION_SKIP: OrchestrationAction
ORCHESTRATION_ACTION_REORDER: OrchestrationAction
RELATIVE_POSITION_UNSPECIFIED: RelativePosition
RELATIVE_POSITION_AFTER_CURRENT: RelativePosition
RELATIVE_POSITION_BEFORE_NEXT: RelativePosition
QUEUE_STATE_UNSPECIFIED: QueueState
QUEUE_STATE_PENDING: QueueState
QUEUE_STATE_RUNNING: QueueState
QUEUE_STATE_COMPLETED: QueueState
QUEUE_STATE_SKIPPED: QueueState
PLAN_EDIT_STATE_UNSPECIFIED: PlanEditState
PLAN_EDIT_STATE_PENDING: PlanEditState
PLAN_EDIT_STATE_APPLIED: PlanEditState
PLAN_EDIT_STATE_REJECTED: PlanEditState
PLAN_EDIT_STATE_UNDONE: PlanEditState
PLAN_EDIT_STATE_EXPIRED: PlanEditState

class OrchestrationPlan(_message.Message):
    __slots__ = ("action", "index", "relative", "new_action", "modifications", "reason", "target_instance", "order")
    ACTION_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    RELATIVE_FIELD_NUMBER: _ClassVar[int]
    NEW_ACTION_FIELD_NUMBER: _ClassVar[int]
    MODIFICATIONS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    TARGET_INSTANCE_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    action: OrchestrationAction
    index: int
    relative: RelativePosition
    new_action: ActionDefinition
    modifications: _struct_pb2.Struct
    reason: str
    target_instance: str
    order: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, action: _Optional[_Union[OrchestrationAction, str]] = ..., index: _Optional[int] = ..., relative: _Optional[_Union[RelativePosition, str]] = ..., new_action: _Optional[_Union[ActionDefinition, _Mapping]] = ..., modifications: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., reason: _Optional[str] = ..., target_instance: _Optional[str] = ..., order: _Optional[_Iterable[str]] = ...) -> None: ...

class ActionDefinition(_message.Message):
    __slots__ = ("action_type", "action_id", "config")
    ACTION_TYPE_FIELD_NUMBER: _ClassVar[int]
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    CONFIG_FIELD_NUMBER: _ClassVar[int]
    action_type: str
    action_id: str
    config: _struct_pb2.Struct
    def __init__(self, action_type: _Optional[str] = ..., action_id: _Optional[str] = ..., config: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class QueuedAction(_message.Message):
    __slots__ = ("action_instance_id", "action_id", "action_type", "state", "mandatory", "inserted", "config", "parent_instance_id")
    ACTION_INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_TYPE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    MANDATORY_FIELD_NUMBER: _ClassVar[int]
    INSERTED_FIELD_NUMBER: _ClassVar[int]
    CONFIG_FIELD_NUMBER: _ClassVar[int]
    PARENT_INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    action_instance_id: str
    action_id: str
    action_type: str
    state: QueueState
    mandatory: bool
    inserted: bool
    config: _struct_pb2.Struct
    parent_instance_id: str
    def __init__(self, action_instance_id: _Optional[str] = ..., action_id: _Optional[str] = ..., action_type: _Optional[str] = ..., state: _Optional[_Union[QueueState, str]] = ..., mandatory: _Optional[bool] = ..., inserted: _Optional[bool] = ..., config: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., parent_instance_id: _Optional[str] = ...) -> None: ...

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
    plan: OrchestrationPlan
    undoes: str
    state: PlanEditState
    rule: str
    problem: str
    plan_revision: int
    before: _containers.RepeatedCompositeFieldContainer[QueuedAction]
    after: _containers.RepeatedCompositeFieldContainer[QueuedAction]
    ttl_turns: int
    made_at: _timestamp_pb2.Timestamp
    decided_turn_id: str
    def __init__(self, edit_id: _Optional[str] = ..., session_id: _Optional[str] = ..., cause_id: _Optional[str] = ..., judged_turn_id: _Optional[str] = ..., phase_id: _Optional[str] = ..., topic_id: _Optional[str] = ..., plan: _Optional[_Union[OrchestrationPlan, _Mapping]] = ..., undoes: _Optional[str] = ..., state: _Optional[_Union[PlanEditState, str]] = ..., rule: _Optional[str] = ..., problem: _Optional[str] = ..., plan_revision: _Optional[int] = ..., before: _Optional[_Iterable[_Union[QueuedAction, _Mapping]]] = ..., after: _Optional[_Iterable[_Union[QueuedAction, _Mapping]]] = ..., ttl_turns: _Optional[int] = ..., made_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., decided_turn_id: _Optional[str] = ...) -> None: ...

class PlanEdited(_message.Message):
    __slots__ = ("edit",)
    EDIT_FIELD_NUMBER: _ClassVar[int]
    edit: PlanEdit
    def __init__(self, edit: _Optional[_Union[PlanEdit, _Mapping]] = ...) -> None: ...

class OrchestrationReport(_message.Message):
    __slots__ = ("report", "analysis", "queue", "topic_goal", "budget_left", "action_types")
    REPORT_FIELD_NUMBER: _ClassVar[int]
    ANALYSIS_FIELD_NUMBER: _ClassVar[int]
    QUEUE_FIELD_NUMBER: _ClassVar[int]
    TOPIC_GOAL_FIELD_NUMBER: _ClassVar[int]
    BUDGET_LEFT_FIELD_NUMBER: _ClassVar[int]
    ACTION_TYPES_FIELD_NUMBER: _ClassVar[int]
    report: _analysis_pb2.AnalysisReport
    analysis: _analysis_pb2.MonitorAnalysis
    queue: _containers.RepeatedCompositeFieldContainer[QueuedAction]
    topic_goal: str
    budget_left: int
    action_types: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, report: _Optional[_Union[_analysis_pb2.AnalysisReport, _Mapping]] = ..., analysis: _Optional[_Union[_analysis_pb2.MonitorAnalysis, _Mapping]] = ..., queue: _Optional[_Iterable[_Union[QueuedAction, _Mapping]]] = ..., topic_goal: _Optional[str] = ..., budget_left: _Optional[int] = ..., action_types: _Optional[_Iterable[str]] = ...) -> None: ...

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
    actions: _containers.RepeatedCompositeFieldContainer[QueuedAction]
    def __init__(self, phase_id: _Optional[str] = ..., topic_id: _Optional[str] = ..., plan_revision: _Optional[int] = ..., actions: _Optional[_Iterable[_Union[QueuedAction, _Mapping]]] = ...) -> None: ...

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
