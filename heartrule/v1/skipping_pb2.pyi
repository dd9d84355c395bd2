from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class StepSkipped(_message.Message):
    __slots__ = ("phase_id", "topic_id", "action_id", "action_instance_id", "condition", "reason", "variable", "answers")
    PHASE_ID_FIELD_NUMBER: _ClassVar[int]
    TOPIC_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    CONDITION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    VARIABLE_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    phase_id: str
    topic_id: str
    action_id: str
    action_instance_id: str
    condition: str
    reason: str
    variable: str
    answers: _containers.RepeatedCompositeFieldContainer[KnownAnswer]
    def __init__(self, phase_id: _Optional[str] = ..., topic_id: _Optional[str] = ..., action_id: _Optional[str] = ..., action_instance_id: _Optional[str] = ..., condition: _Optional[str] = ..., reason: _Optional[str] = ..., variable: _Optional[str] = ..., answers: _Optional[_Iterable[_Union[KnownAnswer, _Mapping]]] = ...) -> None: ...

class KnownAnswer(_message.Message):
    __slots__ = ("variable", "value", "quote")
    VARIABLE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    QUOTE_FIELD_NUMBER: _ClassVar[int]
    variable: str
    value: _struct_pb2.Value
    quote: str
    def __init__(self, variable: _Optional[str] = ..., value: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ..., quote: _Optional[str] = ...) -> None: ...
