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

class Role(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ROLE_UNSPECIFIED: _ClassVar[Role]
    ROLE_CLIENT: _ClassVar[Role]
    ROLE_ASSISTANT: _ClassVar[Role]
    ROLE_COUNSELLOR: _ClassVar[Role]
    ROLE_SYSTEM: _ClassVar[Role]

class Completeness(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COMPLETENESS_UNSPECIFIED: _ClassVar[Completeness]
    COMPLETENESS_COMPLETE: _ClassVar[Completeness]
    COMPLETENESS_INTERRUPTED: _ClassVar[Completeness]
    COMPLETENESS_TRUNCATED: _ClassVar[Completeness]
    COMPLETENESS_PLACEHOLDER: _ClassVar[Completeness]
ROLE_UNSPECIFIED: Role
ROLE_CLIENT: Role
ROLE_ASSISTANT: Role
ROLE_COUNSELLOR: Role
ROLE_SYSTEM: Role
COMPLETENESS_UNSPECIFIED: Completeness
COMPLETENESS_COMPLETE: Completeness
COMPLETENESS_INTERRUPTED: Completeness
COMPLETENESS_TRUNCATED: Completeness
COMPLETENESS_PLACEHOLDER: Completeness

class Message(_message.Message):
    __slots__ = ("message_id", "role", "parts", "action_instance_id", "completeness", "action_id", "turn_id", "sequence", "create_time", "client_message_id", "input_request_id", "replaces_message_id")
    MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    ROLE_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    ACTION_INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    COMPLETENESS_FIELD_NUMBER: _ClassVar[int]
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    CLIENT_MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    INPUT_REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    REPLACES_MESSAGE_ID_FIELD_NUMBER: _ClassVar[int]
    message_id: str
    role: Role
    parts: _containers.RepeatedCompositeFieldContainer[Part]
    action_instance_id: str
    completeness: Completeness
    action_id: str
    turn_id: str
    sequence: int
    create_time: _timestamp_pb2.Timestamp
    client_message_id: str
    input_request_id: str
    replaces_message_id: str
    def __init__(self, message_id: _Optional[str] = ..., role: _Optional[_Union[Role, str]] = ..., parts: _Optional[_Iterable[_Union[Part, _Mapping]]] = ..., action_instance_id: _Optional[str] = ..., completeness: _Optional[_Union[Completeness, str]] = ..., action_id: _Optional[str] = ..., turn_id: _Optional[str] = ..., sequence: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., client_message_id: _Optional[str] = ..., input_request_id: _Optional[str] = ..., replaces_message_id: _Optional[str] = ...) -> None: ...

class Part(_message.Message):
    __slots__ = ("fallback_text", "text", "media", "form", "quick_replies")
    FALLBACK_TEXT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    MEDIA_FIELD_NUMBER: _ClassVar[int]
    FORM_FIELD_NUMBER: _ClassVar[int]
    QUICK_REPLIES_FIELD_NUMBER: _ClassVar[int]
    fallback_text: str
    text: str
    media: Media
    form: FormAnswer
    quick_replies: QuickReplies
    def __init__(self, fallback_text: _Optional[str] = ..., text: _Optional[str] = ..., media: _Optional[_Union[Media, _Mapping]] = ..., form: _Optional[_Union[FormAnswer, _Mapping]] = ..., quick_replies: _Optional[_Union[QuickReplies, _Mapping]] = ...) -> None: ...

class Media(_message.Message):
    __slots__ = ("mime_type", "caption", "uri", "data")
    MIME_TYPE_FIELD_NUMBER: _ClassVar[int]
    CAPTION_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    mime_type: str
    caption: str
    uri: str
    data: bytes
    def __init__(self, mime_type: _Optional[str] = ..., caption: _Optional[str] = ..., uri: _Optional[str] = ..., data: _Optional[bytes] = ...) -> None: ...

class FormAnswer(_message.Message):
    __slots__ = ("values",)
    VALUES_FIELD_NUMBER: _ClassVar[int]
    values: _struct_pb2.Struct
    def __init__(self, values: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class QuickReplies(_message.Message):
    __slots__ = ("texts",)
    TEXTS_FIELD_NUMBER: _ClassVar[int]
    texts: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, texts: _Optional[_Iterable[str]] = ...) -> None: ...
