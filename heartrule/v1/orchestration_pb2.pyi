from google.protobuf import struct_pb2 as _struct_pb2
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
