from google.protobuf import struct_pb2 as _struct_pb2
from heartrule.v1 import exit_pb2 as _exit_pb2
from heartrule.v1 import input_request_pb2 as _input_request_pb2
from heartrule.v1 import problem_pb2 as _problem_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ExecutionStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EXECUTION_STATUS_UNSPECIFIED: _ClassVar[ExecutionStatus]
    EXECUTION_STATUS_RUNNING: _ClassVar[ExecutionStatus]
    EXECUTION_STATUS_WAITING_INPUT: _ClassVar[ExecutionStatus]
    EXECUTION_STATUS_COMPLETED: _ClassVar[ExecutionStatus]
    EXECUTION_STATUS_ERROR: _ClassVar[ExecutionStatus]

class EndReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    END_REASON_UNSPECIFIED: _ClassVar[EndReason]
    END_REASON_SCRIPT_END: _ClassVar[EndReason]
    END_REASON_IDLE_TIMEOUT: _ClassVar[EndReason]

class Control(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONTROL_UNSPECIFIED: _ClassVar[Control]
    CONTROL_ENGINE: _ClassVar[Control]
    CONTROL_HUMAN: _ClassVar[Control]
    CONTROL_PAUSED: _ClassVar[Control]
EXECUTION_STATUS_UNSPECIFIED: ExecutionStatus
EXECUTION_STATUS_RUNNING: ExecutionStatus
EXECUTION_STATUS_WAITING_INPUT: ExecutionStatus
EXECUTION_STATUS_COMPLETED: ExecutionStatus
EXECUTION_STATUS_ERROR: ExecutionStatus
END_REASON_UNSPECIFIED: EndReason
END_REASON_SCRIPT_END: EndReason
END_REASON_IDLE_TIMEOUT: EndReason
CONTROL_UNSPECIFIED: Control
CONTROL_ENGINE: Control
CONTROL_HUMAN: Control
CONTROL_PAUSED: Control

class ExecutionState(_message.Message):
    __slots__ = ("status", "control", "sequence", "script_id", "script_version", "plan_revision", "position", "variables", "last_ai_message", "pending_client_message_ids", "pending_request", "error", "last_action_round_info", "end_reason", "running_turn_id")
    class VariablesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _struct_pb2.Value
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ...) -> None: ...
    STATUS_FIELD_NUMBER: _ClassVar[int]
    CONTROL_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    SCRIPT_ID_FIELD_NUMBER: _ClassVar[int]
    SCRIPT_VERSION_FIELD_NUMBER: _ClassVar[int]
    PLAN_REVISION_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    VARIABLES_FIELD_NUMBER: _ClassVar[int]
    LAST_AI_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    PENDING_CLIENT_MESSAGE_IDS_FIELD_NUMBER: _ClassVar[int]
    PENDING_REQUEST_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    LAST_ACTION_ROUND_INFO_FIELD_NUMBER: _ClassVar[int]
    END_REASON_FIELD_NUMBER: _ClassVar[int]
    RUNNING_TURN_ID_FIELD_NUMBER: _ClassVar[int]
    status: ExecutionStatus
    control: Control
    sequence: int
    script_id: str
    script_version: str
    plan_revision: int
    position: ExecutionPosition
    variables: _containers.MessageMap[str, _struct_pb2.Value]
    last_ai_message: str
    pending_client_message_ids: _containers.RepeatedScalarFieldContainer[str]
    pending_request: _input_request_pb2.InputRequested
    error: _problem_pb2.Problem
    last_action_round_info: _exit_pb2.ActionRoundInfo
    end_reason: EndReason
    running_turn_id: str
    def __init__(self, status: _Optional[_Union[ExecutionStatus, str]] = ..., control: _Optional[_Union[Control, str]] = ..., sequence: _Optional[int] = ..., script_id: _Optional[str] = ..., script_version: _Optional[str] = ..., plan_revision: _Optional[int] = ..., position: _Optional[_Union[ExecutionPosition, _Mapping]] = ..., variables: _Optional[_Mapping[str, _struct_pb2.Value]] = ..., last_ai_message: _Optional[str] = ..., pending_client_message_ids: _Optional[_Iterable[str]] = ..., pending_request: _Optional[_Union[_input_request_pb2.InputRequested, _Mapping]] = ..., error: _Optional[_Union[_problem_pb2.Problem, _Mapping]] = ..., last_action_round_info: _Optional[_Union[_exit_pb2.ActionRoundInfo, _Mapping]] = ..., end_reason: _Optional[_Union[EndReason, str]] = ..., running_turn_id: _Optional[str] = ...) -> None: ...

class ExecutionPosition(_message.Message):
    __slots__ = ("phase_id", "topic_id", "action_id", "action_instance_id", "thread_path", "current_phase_idx", "current_topic_idx", "current_action_idx", "current_round", "max_rounds", "technique_id", "skill_instance_ids")
    PHASE_ID_FIELD_NUMBER: _ClassVar[int]
    TOPIC_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    THREAD_PATH_FIELD_NUMBER: _ClassVar[int]
    CURRENT_PHASE_IDX_FIELD_NUMBER: _ClassVar[int]
    CURRENT_TOPIC_IDX_FIELD_NUMBER: _ClassVar[int]
    CURRENT_ACTION_IDX_FIELD_NUMBER: _ClassVar[int]
    CURRENT_ROUND_FIELD_NUMBER: _ClassVar[int]
    MAX_ROUNDS_FIELD_NUMBER: _ClassVar[int]
    TECHNIQUE_ID_FIELD_NUMBER: _ClassVar[int]
    SKILL_INSTANCE_IDS_FIELD_NUMBER: _ClassVar[int]
    phase_id: str
    topic_id: str
    action_id: str
    action_instance_id: str
    thread_path: str
    current_phase_idx: int
    current_topic_idx: int
    current_action_idx: int
    current_round: int
    max_rounds: int
    technique_id: str
    skill_instance_ids: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, phase_id: _Optional[str] = ..., topic_id: _Optional[str] = ..., action_id: _Optional[str] = ..., action_instance_id: _Optional[str] = ..., thread_path: _Optional[str] = ..., current_phase_idx: _Optional[int] = ..., current_topic_idx: _Optional[int] = ..., current_action_idx: _Optional[int] = ..., current_round: _Optional[int] = ..., max_rounds: _Optional[int] = ..., technique_id: _Optional[str] = ..., skill_instance_ids: _Optional[_Iterable[str]] = ...) -> None: ...
