import datetime

from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class VariableScope(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VARIABLE_SCOPE_UNSPECIFIED: _ClassVar[VariableScope]
    VARIABLE_SCOPE_GLOBAL: _ClassVar[VariableScope]
    VARIABLE_SCOPE_SESSION: _ClassVar[VariableScope]
    VARIABLE_SCOPE_PHASE: _ClassVar[VariableScope]
    VARIABLE_SCOPE_TOPIC: _ClassVar[VariableScope]

class ValueSupport(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    VALUE_SUPPORT_UNSPECIFIED: _ClassVar[ValueSupport]
    VALUE_SUPPORT_CLIENT_WORDS: _ClassVar[ValueSupport]
    VALUE_SUPPORT_FORM: _ClassVar[ValueSupport]
    VALUE_SUPPORT_UNQUOTED: _ClassVar[ValueSupport]
    VALUE_SUPPORT_INFERRED: _ClassVar[ValueSupport]
    VALUE_SUPPORT_RUN: _ClassVar[ValueSupport]

class DefinitionOrigin(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DEFINITION_ORIGIN_UNSPECIFIED: _ClassVar[DefinitionOrigin]
    DEFINITION_ORIGIN_DECLARED: _ClassVar[DefinitionOrigin]
    DEFINITION_ORIGIN_GLOBAL_FILE: _ClassVar[DefinitionOrigin]
    DEFINITION_ORIGIN_REGISTERED: _ClassVar[DefinitionOrigin]

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
VALUE_SUPPORT_UNSPECIFIED: ValueSupport
VALUE_SUPPORT_CLIENT_WORDS: ValueSupport
VALUE_SUPPORT_FORM: ValueSupport
VALUE_SUPPORT_UNQUOTED: ValueSupport
VALUE_SUPPORT_INFERRED: ValueSupport
VALUE_SUPPORT_RUN: ValueSupport
DEFINITION_ORIGIN_UNSPECIFIED: DefinitionOrigin
DEFINITION_ORIGIN_DECLARED: DefinitionOrigin
DEFINITION_ORIGIN_GLOBAL_FILE: DefinitionOrigin
DEFINITION_ORIGIN_REGISTERED: DefinitionOrigin
VARIABLE_OPERATION_KIND_UNSPECIFIED: VariableOperationKind
VARIABLE_OPERATION_KIND_EXTRACT: VariableOperationKind
VARIABLE_OPERATION_KIND_UPDATE: VariableOperationKind
VARIABLE_OPERATION_KIND_DELETE: VariableOperationKind

class VariableValue(_message.Message):
    __slots__ = ("name", "value", "type", "scope", "scope_id", "source", "last_updated", "archived", "history", "support", "quote")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    SCOPE_ID_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    LAST_UPDATED_FIELD_NUMBER: _ClassVar[int]
    ARCHIVED_FIELD_NUMBER: _ClassVar[int]
    HISTORY_FIELD_NUMBER: _ClassVar[int]
    SUPPORT_FIELD_NUMBER: _ClassVar[int]
    QUOTE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: _struct_pb2.Value
    type: str
    scope: VariableScope
    scope_id: str
    source: str
    last_updated: _timestamp_pb2.Timestamp
    archived: bool
    history: _containers.RepeatedCompositeFieldContainer[VariableHistoryEntry]
    support: ValueSupport
    quote: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., type: _Optional[str] = ..., scope: _Optional[_Union[VariableScope, str]] = ..., scope_id: _Optional[str] = ..., source: _Optional[str] = ..., last_updated: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., archived: _Optional[bool] = ..., history: _Optional[_Iterable[_Union[VariableHistoryEntry, _Mapping]]] = ..., support: _Optional[_Union[ValueSupport, str]] = ..., quote: _Optional[str] = ...) -> None: ...

class VariableHistoryEntry(_message.Message):
    __slots__ = ("value", "source", "last_updated", "support", "quote")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    LAST_UPDATED_FIELD_NUMBER: _ClassVar[int]
    SUPPORT_FIELD_NUMBER: _ClassVar[int]
    QUOTE_FIELD_NUMBER: _ClassVar[int]
    value: _struct_pb2.Value
    source: str
    last_updated: _timestamp_pb2.Timestamp
    support: ValueSupport
    quote: str
    def __init__(self, value: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., source: _Optional[str] = ..., last_updated: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., support: _Optional[_Union[ValueSupport, str]] = ..., quote: _Optional[str] = ...) -> None: ...

class VariableDefinition(_message.Message):
    __slots__ = ("name", "scope", "scope_id", "type", "define", "value", "origin", "source", "create_time")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    SCOPE_ID_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    DEFINE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    name: str
    scope: VariableScope
    scope_id: str
    type: str
    define: str
    value: _struct_pb2.Value
    origin: DefinitionOrigin
    source: str
    create_time: _timestamp_pb2.Timestamp
    def __init__(self, name: _Optional[str] = ..., scope: _Optional[_Union[VariableScope, str]] = ..., scope_id: _Optional[str] = ..., type: _Optional[str] = ..., define: _Optional[str] = ..., value: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., origin: _Optional[_Union[DefinitionOrigin, str]] = ..., source: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ScopeSnapshot(_message.Message):
    __slots__ = ("scope", "scope_id", "variables", "turn_id", "create_time")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    SCOPE_ID_FIELD_NUMBER: _ClassVar[int]
    VARIABLES_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    scope: VariableScope
    scope_id: str
    variables: _struct_pb2.Struct
    turn_id: str
    create_time: _timestamp_pb2.Timestamp
    def __init__(self, scope: _Optional[_Union[VariableScope, str]] = ..., scope_id: _Optional[str] = ..., variables: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., turn_id: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ScopeLeft(_message.Message):
    __slots__ = ("scope", "scope_id", "cleaned_variables")
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    SCOPE_ID_FIELD_NUMBER: _ClassVar[int]
    CLEANED_VARIABLES_FIELD_NUMBER: _ClassVar[int]
    scope: VariableScope
    scope_id: str
    cleaned_variables: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, scope: _Optional[_Union[VariableScope, str]] = ..., scope_id: _Optional[str] = ..., cleaned_variables: _Optional[_Iterable[str]] = ...) -> None: ...

class VariableOperation(_message.Message):
    __slots__ = ("variable_name", "action_id", "operation", "scope", "scope_id", "value", "timestamp", "support", "quote")
    VARIABLE_NAME_FIELD_NUMBER: _ClassVar[int]
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    OPERATION_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    SCOPE_ID_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    TIMESTAMP_FIELD_NUMBER: _ClassVar[int]
    SUPPORT_FIELD_NUMBER: _ClassVar[int]
    QUOTE_FIELD_NUMBER: _ClassVar[int]
    variable_name: str
    action_id: str
    operation: VariableOperationKind
    scope: VariableScope
    scope_id: str
    value: _struct_pb2.Value
    timestamp: _timestamp_pb2.Timestamp
    support: ValueSupport
    quote: str
    def __init__(self, variable_name: _Optional[str] = ..., action_id: _Optional[str] = ..., operation: _Optional[_Union[VariableOperationKind, str]] = ..., scope: _Optional[_Union[VariableScope, str]] = ..., scope_id: _Optional[str] = ..., value: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., timestamp: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., support: _Optional[_Union[ValueSupport, str]] = ..., quote: _Optional[str] = ...) -> None: ...
