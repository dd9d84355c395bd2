from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from typing import ClassVar as _ClassVar, Optional as _Optional

DESCRIPTOR: _descriptor.FileDescriptor

class DeleteSessionRequest(_message.Message):
    __slots__ = ("session_id", "request_id")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    request_id: str
    def __init__(self, session_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class DeleteSessionResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class DeleteUserDataRequest(_message.Message):
    __slots__ = ("user_id", "request_id")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    request_id: str
    def __init__(self, user_id: _Optional[str] = ..., request_id: _Optional[str] = ...) -> None: ...

class ExportUserDataRequest(_message.Message):
    __slots__ = ("user_id", "reveal")
    USER_ID_FIELD_NUMBER: _ClassVar[int]
    REVEAL_FIELD_NUMBER: _ClassVar[int]
    user_id: str
    reveal: bool
    def __init__(self, user_id: _Optional[str] = ..., reveal: _Optional[bool] = ...) -> None: ...

class ExportUserDataResponse(_message.Message):
    __slots__ = ("chunk",)
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    chunk: bytes
    def __init__(self, chunk: _Optional[bytes] = ...) -> None: ...

class DeleteUserDataResponse(_message.Message):
    __slots__ = ("deleted_session_count",)
    DELETED_SESSION_COUNT_FIELD_NUMBER: _ClassVar[int]
    deleted_session_count: int
    def __init__(self, deleted_session_count: _Optional[int] = ...) -> None: ...
