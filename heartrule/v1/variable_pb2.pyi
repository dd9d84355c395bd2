import datetime

from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class VariableScope(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VARIABLE_SCOPE_UNSPECIFIED: _ClassVar[VariableScope]
    VARIABLE_SCOPE_GLOBAL: _ClassVar[VariableScope]
    VARIABLE_SCOPE_SESSION: _ClassVar[VariableScope]
    VARIABLE_SCOPE_PHASE: _ClassVar[VariableScope]
    VARIABLE_SCOPE_TOPIC: _ClassVar[VariableScope]

class VariableOperationKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VARIABLE_OPERATION_KIND_UNSPECIFIED: _ClassVar[VariableOperationKind]
    VARIABLE_OPERATION_KIND_EXTRACT: _ClassVar[VariableOperationKind]
    VARIABLE_OPERATION_KIND_UPDATE: _ClassVar[VariableOperationKind]
    VARIABLE_OPERATION_KIND_DELETE: _ClassVar[VariableOperationKind]
VARIABLE_SCOPE_UNSPECIFIED: VariableScope
VARIABLE_SCOPE_GLOBAL: VariableScope
VARIABLE_SCOPE_SESSION: VariableScope
VARIABLE_SCOPE_PHASE: VariableScope
VARIABLE_SCOPE_TOPIC: VariableScope
VARIABLE_OPERATION_KIND_UNSPECIFIED: VariableOperationKind
VARIABLE_OPERATION_KIND_EXTRACT: VariableOperationKind
VARIABLE_OPERATION_KIND_UPDATE: VariableOperationKind
VARIABLE_OPERATION_KIND_DELETE: VariableOperationKind

class VariableValue(_message.Message):
    __slots__ = ("name", "value", "type", "scope", "scope_id", "source", "last_updated", "archived")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    SCOPE_ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    LAST_UPDATED_FIELD_NUMBER: _ClassVar[int]
    ARCHIVED_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: _struct_pb2.Value
    type: str
    scope: VariableScope
    scope_id: str
    source: str
    last_updated: _timestamp_pb2.Timestamp
    archived: bool
    def __init__(self, name: _Optional[str] = ..., value: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., type: _Optional[str] = ..., scope: _Optional[_Union[VariableScope, str]] = ..., scope_id: _Optional[str] = ..., source: _Optional[str] = ..., last_updated: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., archived: _Optional[bool] = ...) -> None: ...

class VariableOperation(_message.Message):
    __slots__ = ("variable_name", "action_id", "operation", "scope", "scope_id", "value", "timestamp")
    VARIABLE_NAME_FIELD_NUMBER: _ClassVar[int]
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    SCOPE_ID_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    TIMESTAMP_FIELD_NUMBER: _ClassVar[int]
    variable_name: str
    action_id: str
    operation: VariableOperationKind
    scope: VariableScope
    scope_id: str
    value: _struct_pb2.Value
    timestamp: _timestamp_pb2.Timestamp
    def __init__(self, variable_name: _Optional[str] = ..., action_id: _Optional[str] = ..., operation: _Optional[_Union[VariableOperationKind, str]] = ..., scope: _Optional[_Union[VariableScope, str]] = ..., scope_id: _Optional[str] = ..., value: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., timestamp: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...
