from google.protobuf import struct_pb2 as _struct_pb2
from heartrule.v1 import feature_pb2 as _feature_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class InputRequested(_message.Message):
    __slots__ = ("input_request_id", "kind", "schema", "fallback_text")
    INPUT_REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    SCHEMA_FIELD_NUMBER: _ClassVar[int]
    FALLBACK_TEXT_FIELD_NUMBER: _ClassVar[int]
    input_request_id: str
    kind: _feature_pb2.Feature
    schema: _struct_pb2.Struct
    fallback_text: str
    def __init__(self, input_request_id: _Optional[str] = ..., kind: _Optional[_Union[_feature_pb2.Feature, str]] = ..., schema: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., fallback_text: _Optional[str] = ...) -> None: ...
