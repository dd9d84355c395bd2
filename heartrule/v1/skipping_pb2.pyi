from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class StepSkipped(_message.Message):
    __slots__ = ("phase_id", "topic_id", "action_id", "action_instance_id", "condition", "reason", "variable")
    PHASE_ID_FIELD_NUMBER: _ClassVar[int]
    TOPIC_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    CONDITION_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    VARIABLE_FIELD_NUMBER: _ClassVar[int]
    phase_id: str
    topic_id: str
    action_id: str
    action_instance_id: str
    condition: str
    reason: str
    variable: str
    def __init__(self, phase_id: _Optional[str] = ..., topic_id: _Optional[str] = ..., action_id: _Optional[str] = ..., action_instance_id: _Optional[str] = ..., condition: _Optional[str] = ..., reason: _Optional[str] = ..., variable: _Optional[str] = ...) -> None: ...
