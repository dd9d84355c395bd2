import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from heartrule.v1 import event_pb2 as _event_pb2
from heartrule.v1 import feature_pb2 as _feature_pb2
from heartrule.v1 import message_pb2 as _message_pb2
from heartrule.v1 import turn_pb2 as _turn_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class IfBusy(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    IF_BUSY_UNSPECIFIED: _ClassVar[IfBusy]
    IF_BUSY_MERGE: _ClassVar[IfBusy]
    IF_BUSY_QUEUE: _ClassVar[IfBusy]
    IF_BUSY_INTERRUPT: _ClassVar[IfBusy]
    IF_BUSY_RESTART: _ClassVar[IfBusy]
    IF_BUSY_REJECT: _ClassVar[IfBusy]
IF_BUSY_UNSPECIFIED: IfBusy
IF_BUSY_MERGE: IfBusy
IF_BUSY_QUEUE: IfBusy
IF_BUSY_INTERRUPT: IfBusy
IF_BUSY_RESTART: IfBusy
IF_BUSY_REJECT: IfBusy

class ConverseRequest(_message.Message):
    __slots__ = ("open", "input", "interrupt")
    OPEN_FIELD_NUMBER: _ClassVar[int]
    INPUT_FIELD_NUMBER: _ClassVar[int]
    INTERRUPT_FIELD_NUMBER: _ClassVar[int]
    open: OpenConversation
    input: UserInput
    interrupt: InterruptTurn
    def __init__(self, open: _Optional[_Union[OpenConversation, _Mapping]] = ..., input: _Optional[_Union[UserInput, _Mapping]] = ..., interrupt: _Optional[_Union[InterruptTurn, _Mapping]] = ...) -> None: ...

class InterruptTurn(_message.Message):
    __slots__ = ("turn_id", "heard")
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    HEARD_FIELD_NUMBER: _ClassVar[int]
    turn_id: str
    heard: _turn_pb2.DraftPosition
    def __init__(self, turn_id: _Optional[str] = ..., heard: _Optional[_Union[_turn_pb2.DraftPosition, _Mapping]] = ...) -> None: ...

class ConverseResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: _event_pb2.SessionEvent
    def __init__(self, event: _Optional[_Union[_event_pb2.SessionEvent, _Mapping]] = ...) -> None: ...

class OpenConversation(_message.Message):
    __slots__ = ("session_id", "after_sequence", "accepts", "whole_messages_only", "audiences")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    AFTER_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    ACCEPTS_FIELD_NUMBER: _ClassVar[int]
    WHOLE_MESSAGES_ONLY_FIELD_NUMBER: _ClassVar[int]
    AUDIENCES_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    after_sequence: int
    accepts: _containers.RepeatedScalarFieldContainer[_feature_pb2.Feature]
    whole_messages_only: bool
    audiences: _containers.RepeatedScalarFieldContainer[_event_pb2.Audience]
    def __init__(self, session_id: _Optional[str] = ..., after_sequence: _Optional[int] = ..., accepts: _Optional[_Iterable[_Union[_feature_pb2.Feature, str]]] = ..., whole_messages_only: _Optional[bool] = ..., audiences: _Optional[_Iterable[_Union[_event_pb2.Audience, str]]] = ...) -> None: ...

class UserInput(_message.Message):
    __slots__ = ("client_message_id", "parts", "input_request_id", "if_busy", "turn_timeout", "traceparent")
    CLIENT_MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    INPUT_REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    IF_BUSY_FIELD_NUMBER: _ClassVar[int]
    TURN_TIMEOUT_FIELD_NUMBER: _ClassVar[int]
    TRACEPARENT_FIELD_NUMBER: _ClassVar[int]
    client_message_id: str
    parts: _containers.RepeatedCompositeFieldContainer[_message_pb2.Part]
    input_request_id: str
    if_busy: IfBusy
    turn_timeout: _duration_pb2.Duration
    traceparent: str
    def __init__(self, client_message_id: _Optional[str] = ..., parts: _Optional[_Iterable[_Union[_message_pb2.Part, _Mapping]]] = ..., input_request_id: _Optional[str] = ..., if_busy: _Optional[_Union[IfBusy, str]] = ..., turn_timeout: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., traceparent: _Optional[str] = ...) -> None: ...

class SendMessageRequest(_message.Message):
    __slots__ = ("session_id", "input", "accepts", "whole_messages_only", "audiences")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    INPUT_FIELD_NUMBER: _ClassVar[int]
    ACCEPTS_FIELD_NUMBER: _ClassVar[int]
    WHOLE_MESSAGES_ONLY_FIELD_NUMBER: _ClassVar[int]
    AUDIENCES_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    input: UserInput
    accepts: _containers.RepeatedScalarFieldContainer[_feature_pb2.Feature]
    whole_messages_only: bool
    audiences: _containers.RepeatedScalarFieldContainer[_event_pb2.Audience]
    def __init__(self, session_id: _Optional[str] = ..., input: _Optional[_Union[UserInput, _Mapping]] = ..., accepts: _Optional[_Iterable[_Union[_feature_pb2.Feature, str]]] = ..., whole_messages_only: _Optional[bool] = ..., audiences: _Optional[_Iterable[_Union[_event_pb2.Audience, str]]] = ...) -> None: ...

class SendMessageResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: _event_pb2.SessionEvent
    def __init__(self, event: _Optional[_Union[_event_pb2.SessionEvent, _Mapping]] = ...) -> None: ...

class SubmitInputRequest(_message.Message):
    __slots__ = ("session_id", "input")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    INPUT_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    input: UserInput
    def __init__(self, session_id: _Optional[str] = ..., input: _Optional[_Union[UserInput, _Mapping]] = ...) -> None: ...

class SubmitInputResponse(_message.Message):
    __slots__ = ("messages", "sequence", "duplicate", "turn_id")
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    DUPLICATE_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[_message_pb2.Message]
    sequence: int
    duplicate: bool
    turn_id: str
    def __init__(self, messages: _Optional[_Iterable[_Union[_message_pb2.Message, _Mapping]]] = ..., sequence: _Optional[int] = ..., duplicate: _Optional[bool] = ..., turn_id: _Optional[str] = ...) -> None: ...

class InterruptTurnRequest(_message.Message):
    __slots__ = ("session_id", "turn_id", "heard", "request_id")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    HEARD_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    turn_id: str
    heard: _turn_pb2.DraftPosition
    request_id: str
    def __init__(self, session_id: _Optional[str] = ..., turn_id: _Optional[str] = ..., heard: _Optional[_Union[_turn_pb2.DraftPosition, _Mapping]] = ..., request_id: _Optional[str] = ...) -> None: ...

class InterruptTurnResponse(_message.Message):
    __slots__ = ("already_ended", "outcome")
    ALREADY_ENDED_FIELD_NUMBER: _ClassVar[int]
    OUTCOME_FIELD_NUMBER: _ClassVar[int]
    already_ended: bool
    outcome: _turn_pb2.Outcome
    def __init__(self, already_ended: _Optional[bool] = ..., outcome: _Optional[_Union[_turn_pb2.Outcome, str]] = ...) -> None: ...

class WatchSessionRequest(_message.Message):
    __slots__ = ("session_id", "after_sequence", "accepts", "whole_messages_only", "audiences")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    AFTER_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    ACCEPTS_FIELD_NUMBER: _ClassVar[int]
    WHOLE_MESSAGES_ONLY_FIELD_NUMBER: _ClassVar[int]
    AUDIENCES_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    after_sequence: int
    accepts: _containers.RepeatedScalarFieldContainer[_feature_pb2.Feature]
    whole_messages_only: bool
    audiences: _containers.RepeatedScalarFieldContainer[_event_pb2.Audience]
    def __init__(self, session_id: _Optional[str] = ..., after_sequence: _Optional[int] = ..., accepts: _Optional[_Iterable[_Union[_feature_pb2.Feature, str]]] = ..., whole_messages_only: _Optional[bool] = ..., audiences: _Optional[_Iterable[_Union[_event_pb2.Audience, str]]] = ...) -> None: ...

class WatchSessionResponse(_message.Message):
    __slots__ = ("event",)
    EVENT_FIELD_NUMBER: _ClassVar[int]
    event: _event_pb2.SessionEvent
    def __init__(self, event: _Optional[_Union[_event_pb2.SessionEvent, _Mapping]] = ...) -> None: ...
