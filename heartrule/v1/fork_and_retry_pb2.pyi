from heartrule.v1 import message_pb2 as _message_pb2
from heartrule.v1 import replacement_pb2 as _replacement_pb2
from heartrule.v1 import rewinding_pb2 as _rewinding_pb2
from heartrule.v1 import session_pb2 as _session_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ForkSessionRequest(_message.Message):
    __slots__ = ("session_id", "from_turn_id", "request_id", "replacement")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    FROM_TURN_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    REPLACEMENT_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    from_turn_id: str
    request_id: str
    replacement: _replacement_pb2.ActionReplacement
    def __init__(self, session_id: _Optional[str] = ..., from_turn_id: _Optional[str] = ..., request_id: _Optional[str] = ..., replacement: _Optional[_Union[_replacement_pb2.ActionReplacement, _Mapping]] = ...) -> None: ...

class ForkSessionResponse(_message.Message):
    __slots__ = ("session", "kept_globals")
    SESSION_FIELD_NUMBER: _ClassVar[int]
    KEPT_GLOBALS_FIELD_NUMBER: _ClassVar[int]
    session: _session_pb2.Session
    kept_globals: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, session: _Optional[_Union[_session_pb2.Session, _Mapping]] = ..., kept_globals: _Optional[_Iterable[str]] = ...) -> None: ...

class RetryTurnRequest(_message.Message):
    __slots__ = ("session_id", "request_id", "text", "client_message_id", "traceparent")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    CLIENT_MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    TRACEPARENT_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    request_id: str
    text: str
    client_message_id: str
    traceparent: str
    def __init__(self, session_id: _Optional[str] = ..., request_id: _Optional[str] = ..., text: _Optional[str] = ..., client_message_id: _Optional[str] = ..., traceparent: _Optional[str] = ...) -> None: ...

class RetryTurnResponse(_message.Message):
    __slots__ = ("rewound", "rewound_sequence", "message", "sequence")
    REWOUND_FIELD_NUMBER: _ClassVar[int]
    REWOUND_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    rewound: _rewinding_pb2.HistoryRewound
    rewound_sequence: int
    message: _message_pb2.Message
    sequence: int
    def __init__(self, rewound: _Optional[_Union[_rewinding_pb2.HistoryRewound, _Mapping]] = ..., rewound_sequence: _Optional[int] = ..., message: _Optional[_Union[_message_pb2.Message, _Mapping]] = ..., sequence: _Optional[int] = ...) -> None: ...
