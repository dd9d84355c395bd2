from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DecisionType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECISION_TYPE_UNSPECIFIED: _ClassVar[DecisionType]
    DECISION_TYPE_RESPOND: _ClassVar[DecisionType]
    DECISION_TYPE_CREATE_NODE: _ClassVar[DecisionType]
    DECISION_TYPE_CREATE_WORKFLOW_PLAN: _ClassVar[DecisionType]
    DECISION_TYPE_EXECUTE_WORKFLOW: _ClassVar[DecisionType]
    DECISION_TYPE_REQUEST_CLARIFICATION: _ClassVar[DecisionType]
    DECISION_TYPE_CONTINUE: _ClassVar[DecisionType]
    DECISION_TYPE_MODIFY_NODE: _ClassVar[DecisionType]
    DECISION_TYPE_ERROR_RECOVERY: _ClassVar[DecisionType]
    DECISION_TYPE_REPLAN_WORKFLOW: _ClassVar[DecisionType]
    DECISION_TYPE_SPAWN_SUBAGENT: _ClassVar[DecisionType]

class DecisionAuthor(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECISION_AUTHOR_UNSPECIFIED: _ClassVar[DecisionAuthor]
    DECISION_AUTHOR_AGENT: _ClassVar[DecisionAuthor]
    DECISION_AUTHOR_COORDINATOR: _ClassVar[DecisionAuthor]
    DECISION_AUTHOR_OPERATOR: _ClassVar[DecisionAuthor]

class FindingCode(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FINDING_CODE_UNSPECIFIED: _ClassVar[FindingCode]
    FINDING_CODE_MISSING_FIELD: _ClassVar[FindingCode]
    FINDING_CODE_MISSING_CONDITIONAL: _ClassVar[FindingCode]
    FINDING_CODE_EMPTY_VALUE: _ClassVar[FindingCode]
    FINDING_CODE_WRONG_TYPE: _ClassVar[FindingCode]
    FINDING_CODE_TYPE_MISMATCH: _ClassVar[FindingCode]
    FINDING_CODE_BAD_ENUM: _ClassVar[FindingCode]
    FINDING_CODE_OUT_OF_RANGE: _ClassVar[FindingCode]
    FINDING_CODE_UNKNOWN_DECISION_TYPE: _ClassVar[FindingCode]
    FINDING_CODE_UNKNOWN_REFERENCE: _ClassVar[FindingCode]
    FINDING_CODE_DUPLICATE_ID: _ClassVar[FindingCode]
    FINDING_CODE_CYCLE: _ClassVar[FindingCode]
    FINDING_CODE_ORPHAN_NODE: _ClassVar[FindingCode]
    FINDING_CODE_FORBIDDEN_OPERATION: _ClassVar[FindingCode]
    FINDING_CODE_TOO_LARGE: _ClassVar[FindingCode]
    FINDING_CODE_TOO_MANY_NODES: _ClassVar[FindingCode]
    FINDING_CODE_INVALID_STATE: _ClassVar[FindingCode]
    FINDING_CODE_CONFLICT: _ClassVar[FindingCode]
    FINDING_CODE_VALIDATOR_ERROR: _ClassVar[FindingCode]
DECISION_TYPE_UNSPECIFIED: DecisionType
DECISION_TYPE_RESPOND: DecisionType
DECISION_TYPE_CREATE_NODE: DecisionType
DECISION_TYPE_CREATE_WORKFLOW_PLAN: DecisionType
DECISION_TYPE_EXECUTE_WORKFLOW: DecisionType
DECISION_TYPE_REQUEST_CLARIFICATION: DecisionType
DECISION_TYPE_CONTINUE: DecisionType
DECISION_TYPE_MODIFY_NODE: DecisionType
DECISION_TYPE_ERROR_RECOVERY: DecisionType
DECISION_TYPE_REPLAN_WORKFLOW: DecisionType
DECISION_TYPE_SPAWN_SUBAGENT: DecisionType
DECISION_AUTHOR_UNSPECIFIED: DecisionAuthor
DECISION_AUTHOR_AGENT: DecisionAuthor
DECISION_AUTHOR_COORDINATOR: DecisionAuthor
DECISION_AUTHOR_OPERATOR: DecisionAuthor
FINDING_CODE_UNSPECIFIED: FindingCode
FINDING_CODE_MISSING_FIELD: FindingCode
FINDING_CODE_MISSING_CONDITIONAL: FindingCode
FINDING_CODE_EMPTY_VALUE: FindingCode
FINDING_CODE_WRONG_TYPE: FindingCode
FINDING_CODE_TYPE_MISMATCH: FindingCode
FINDING_CODE_BAD_ENUM: FindingCode
FINDING_CODE_OUT_OF_RANGE: FindingCode
FINDING_CODE_UNKNOWN_DECISION_TYPE: FindingCode
FINDING_CODE_UNKNOWN_REFERENCE: FindingCode
FINDING_CODE_DUPLICATE_ID: FindingCode
FINDING_CODE_CYCLE: FindingCode
FINDING_CODE_ORPHAN_NODE: FindingCode
FINDING_CODE_FORBIDDEN_OPERATION: FindingCode
FINDING_CODE_TOO_LARGE: FindingCode
FINDING_CODE_TOO_MANY_NODES: FindingCode
FINDING_CODE_INVALID_STATE: FindingCode
FINDING_CODE_CONFLICT: FindingCode
FINDING_CODE_VALIDATOR_ERROR: FindingCode

class DecisionMade(_message.Message):
    __slots__ = ("decision_id", "correlation_id", "decision_type", "written_type", "payload", "confidence", "author", "causation_id", "action_instance_id")
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    CORRELATION_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_TYPE_FIELD_NUMBER: _ClassVar[int]
    WRITTEN_TYPE_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    CONFIDENCE_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    CAUSATION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    decision_id: str
    correlation_id: str
    decision_type: DecisionType
    written_type: str
    payload: _struct_pb2.Value
    confidence: float
    author: DecisionAuthor
    causation_id: str
    action_instance_id: str
    def __init__(self, decision_id: _Optional[str] = ..., correlation_id: _Optional[str] = ..., decision_type: _Optional[_Union[DecisionType, str]] = ..., written_type: _Optional[str] = ..., payload: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., confidence: _Optional[float] = ..., author: _Optional[_Union[DecisionAuthor, str]] = ..., causation_id: _Optional[str] = ..., action_instance_id: _Optional[str] = ...) -> None: ...

class DecisionValidated(_message.Message):
    __slots__ = ("decision_id", "correlation_id", "decision_type", "payload", "corrections")
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    CORRELATION_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_TYPE_FIELD_NUMBER: _ClassVar[int]
    PAYLOAD_FIELD_NUMBER: _ClassVar[int]
    CORRECTIONS_FIELD_NUMBER: _ClassVar[int]
    decision_id: str
    correlation_id: str
    decision_type: DecisionType
    payload: _struct_pb2.Value
    corrections: _containers.RepeatedCompositeFieldContainer[Correction]
    def __init__(self, decision_id: _Optional[str] = ..., correlation_id: _Optional[str] = ..., decision_type: _Optional[_Union[DecisionType, str]] = ..., payload: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., corrections: _Optional[_Iterable[_Union[Correction, _Mapping]]] = ...) -> None: ...

class DecisionRejected(_message.Message):
    __slots__ = ("decision_id", "correlation_id", "decision_type", "errors")
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    CORRELATION_ID_FIELD_NUMBER: _ClassVar[int]
    DECISION_TYPE_FIELD_NUMBER: _ClassVar[int]
    ERRORS_FIELD_NUMBER: _ClassVar[int]
    decision_id: str
    correlation_id: str
    decision_type: DecisionType
    errors: _containers.RepeatedCompositeFieldContainer[RuleFinding]
    def __init__(self, decision_id: _Optional[str] = ..., correlation_id: _Optional[str] = ..., decision_type: _Optional[_Union[DecisionType, str]] = ..., errors: _Optional[_Iterable[_Union[RuleFinding, _Mapping]]] = ...) -> None: ...

class Correction(_message.Message):
    __slots__ = ("path", "before", "after", "is_removed")
    PATH_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    IS_REMOVED_FIELD_NUMBER: _ClassVar[int]
    path: str
    before: _struct_pb2.Value
    after: _struct_pb2.Value
    is_removed: bool
    def __init__(self, path: _Optional[str] = ..., before: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., after: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., is_removed: _Optional[bool] = ...) -> None: ...

class RuleFinding(_message.Message):
    __slots__ = ("code", "path", "message", "rule", "correction")
    CODE_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    CORRECTION_FIELD_NUMBER: _ClassVar[int]
    code: FindingCode
    path: str
    message: str
    rule: str
    correction: Correction
    def __init__(self, code: _Optional[_Union[FindingCode, str]] = ..., path: _Optional[str] = ..., message: _Optional[str] = ..., rule: _Optional[str] = ..., correction: _Optional[_Union[Correction, _Mapping]] = ...) -> None: ...
