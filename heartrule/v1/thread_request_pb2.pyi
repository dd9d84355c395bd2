from heartrule.v1 import thread_pb2 as _thread_pb2
from heartrule.v1 import thread_details_pb2 as _thread_details_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GetThreadRequest(_message.Message):
    __slots__ = ("session_id", "thread_id", "path", "as_document", "page_size", "page_token", "reveal")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    THREAD_ID_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    AS_DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REVEAL_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    thread_id: str
    path: str
    as_document: bool
    page_size: int
    page_token: str
    reveal: bool
    def __init__(self, session_id: _Optional[str] = ..., thread_id: _Optional[str] = ..., path: _Optional[str] = ..., as_document: _Optional[bool] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., reveal: _Optional[bool] = ...) -> None: ...

class GetThreadResponse(_message.Message):
    __slots__ = ("thread", "messages", "next_page_token", "document")
    THREAD_FIELD_NUMBER: _ClassVar[int]
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    DOCUMENT_FIELD_NUMBER: _ClassVar[int]
    thread: _thread_details_pb2.Thread
    messages: _containers.RepeatedCompositeFieldContainer[_thread_details_pb2.ThreadMessage]
    next_page_token: str
    document: str
    def __init__(self, thread: _Optional[_Union[_thread_details_pb2.Thread, _Mapping]] = ..., messages: _Optional[_Iterable[_Union[_thread_details_pb2.ThreadMessage, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., document: _Optional[str] = ...) -> None: ...

class ListThreadsRequest(_message.Message):
    __slots__ = ("session_id", "page_size", "page_token", "agent", "state", "filter", "order_by")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    AGENT_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    ORDER_BY_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    page_size: int
    page_token: str
    agent: str
    state: _thread_pb2.ThreadState
    filter: str
    order_by: str
    def __init__(self, session_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., agent: _Optional[str] = ..., state: _Optional[_Union[_thread_pb2.ThreadState, str]] = ..., filter: _Optional[str] = ..., order_by: _Optional[str] = ...) -> None: ...

class ListThreadsResponse(_message.Message):
    __slots__ = ("threads", "next_page_token")
    THREADS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    threads: _containers.RepeatedCompositeFieldContainer[_thread_details_pb2.Thread]
    next_page_token: str
    def __init__(self, threads: _Optional[_Iterable[_Union[_thread_details_pb2.Thread, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListThreadMessagesRequest(_message.Message):
    __slots__ = ("session_id", "thread_id", "page_size", "page_token", "reveal")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    THREAD_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REVEAL_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    thread_id: str
    page_size: int
    page_token: str
    reveal: bool
    def __init__(self, session_id: _Optional[str] = ..., thread_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., reveal: _Optional[bool] = ...) -> None: ...

class ListThreadMessagesResponse(_message.Message):
    __slots__ = ("messages", "next_page_token")
    MESSAGES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    messages: _containers.RepeatedCompositeFieldContainer[_thread_details_pb2.ThreadMessage]
    next_page_token: str
    def __init__(self, messages: _Optional[_Iterable[_Union[_thread_details_pb2.ThreadMessage, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
