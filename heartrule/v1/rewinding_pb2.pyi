from heartrule.v1 import execution_pb2 as _execution_pb2
from heartrule.v1 import run_pb2 as _run_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class HistoryRewound(_message.Message):
    __slots__ = ("after_sequence", "removed_message_ids", "cause", "state", "turn_ids", "kept_globals", "sent_effects")
    AFTER_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    REMOVED_MESSAGE_IDS_FIELD_NUMBER: _ClassVar[int]
    CAUSE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    TURN_IDS_FIELD_NUMBER: _ClassVar[int]
    KEPT_GLOBALS_FIELD_NUMBER: _ClassVar[int]
    SENT_EFFECTS_FIELD_NUMBER: _ClassVar[int]
    after_sequence: int
    removed_message_ids: _containers.RepeatedScalarFieldContainer[str]
    cause: str
    state: _execution_pb2.ExecutionState
    turn_ids: _containers.RepeatedScalarFieldContainer[str]
    kept_globals: _containers.RepeatedScalarFieldContainer[str]
    sent_effects: _containers.RepeatedCompositeFieldContainer[_run_pb2.SentEffect]
    def __init__(self, after_sequence: _Optional[int] = ..., removed_message_ids: _Optional[_Iterable[str]] = ..., cause: _Optional[str] = ..., state: _Optional[_Union[_execution_pb2.ExecutionState, _Mapping]] = ..., turn_ids: _Optional[_Iterable[str]] = ..., kept_globals: _Optional[_Iterable[str]] = ..., sent_effects: _Optional[_Iterable[_Union[_run_pb2.SentEffect, _Mapping]]] = ...) -> None: ...
