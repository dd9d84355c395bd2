from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ScriptOutline(_message.Message):
    __slots__ = ("script_id", "script_version", "phases", "techniques")
    SCRIPT_ID_FIELD_NUMBER: _ClassVar[int]
    SCRIPT_VERSION_FIELD_NUMBER: _ClassVar[int]
    PHASES_FIELD_NUMBER: _ClassVar[int]
    TECHNIQUES_FIELD_NUMBER: _ClassVar[int]
    script_id: str
    script_version: str
    phases: _containers.RepeatedCompositeFieldContainer[PhaseOutline]
    techniques: _containers.RepeatedCompositeFieldContainer[TechniqueOutline]
    def __init__(self, script_id: _Optional[str] = ..., script_version: _Optional[str] = ..., phases: _Optional[_Iterable[_Union[PhaseOutline, _Mapping]]] = ..., techniques: _Optional[_Iterable[_Union[TechniqueOutline, _Mapping]]] = ...) -> None: ...

class TechniqueOutline(_message.Message):
    __slots__ = ("technique_id", "technique_name", "topic")
    TECHNIQUE_ID_FIELD_NUMBER: _ClassVar[int]
    TECHNIQUE_NAME_FIELD_NUMBER: _ClassVar[int]
    TOPIC_FIELD_NUMBER: _ClassVar[int]
    technique_id: str
    technique_name: str
    topic: TopicOutline
    def __init__(self, technique_id: _Optional[str] = ..., technique_name: _Optional[str] = ..., topic: _Optional[_Union[TopicOutline, _Mapping]] = ...) -> None: ...

class PhaseOutline(_message.Message):
    __slots__ = ("phase_id", "phase_name", "topics", "entry_condition")
    PHASE_ID_FIELD_NUMBER: _ClassVar[int]
    PHASE_NAME_FIELD_NUMBER: _ClassVar[int]
    TOPICS_FIELD_NUMBER: _ClassVar[int]
    ENTRY_CONDITION_FIELD_NUMBER: _ClassVar[int]
    phase_id: str
    phase_name: str
    topics: _containers.RepeatedCompositeFieldContainer[TopicOutline]
    entry_condition: str
    def __init__(self, phase_id: _Optional[str] = ..., phase_name: _Optional[str] = ..., topics: _Optional[_Iterable[_Union[TopicOutline, _Mapping]]] = ..., entry_condition: _Optional[str] = ...) -> None: ...

class TopicOutline(_message.Message):
    __slots__ = ("topic_id", "topic_name", "actions")
    TOPIC_ID_FIELD_NUMBER: _ClassVar[int]
    TOPIC_NAME_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    topic_id: str
    topic_name: str
    actions: _containers.RepeatedCompositeFieldContainer[ActionOutline]
    def __init__(self, topic_id: _Optional[str] = ..., topic_name: _Optional[str] = ..., actions: _Optional[_Iterable[_Union[ActionOutline, _Mapping]]] = ...) -> None: ...

class ActionOutline(_message.Message):
    __slots__ = ("action_id", "action_type", "condition", "config", "file", "line", "reads", "writes", "technique_id")
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_TYPE_FIELD_NUMBER: _ClassVar[int]
    CONDITION_FIELD_NUMBER: _ClassVar[int]
    CONFIG_FIELD_NUMBER: _ClassVar[int]
    FILE_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    READS_FIELD_NUMBER: _ClassVar[int]
    WRITES_FIELD_NUMBER: _ClassVar[int]
    TECHNIQUE_ID_FIELD_NUMBER: _ClassVar[int]
    action_id: str
    action_type: str
    condition: str
    config: _struct_pb2.Struct
    file: str
    line: int
    reads: _containers.RepeatedScalarFieldContainer[str]
    writes: _containers.RepeatedScalarFieldContainer[str]
    technique_id: str
    def __init__(self, action_id: _Optional[str] = ..., action_type: _Optional[str] = ..., condition: _Optional[str] = ..., config: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., file: _Optional[str] = ..., line: _Optional[int] = ..., reads: _Optional[_Iterable[str]] = ..., writes: _Optional[_Iterable[str]] = ..., technique_id: _Optional[str] = ...) -> None: ...

class GetScriptOutlineRequest(_message.Message):
    __slots__ = ("script_id", "script_version", "session_id")
    SCRIPT_ID_FIELD_NUMBER: _ClassVar[int]
    SCRIPT_VERSION_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    script_id: str
    script_version: str
    session_id: str
    def __init__(self, script_id: _Optional[str] = ..., script_version: _Optional[str] = ..., session_id: _Optional[str] = ...) -> None: ...

class GetScriptOutlineResponse(_message.Message):
    __slots__ = ("outline",)
    OUTLINE_FIELD_NUMBER: _ClassVar[int]
    outline: ScriptOutline
    def __init__(self, outline: _Optional[_Union[ScriptOutline, _Mapping]] = ...) -> None: ...
