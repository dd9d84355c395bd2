from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ServerInfo(_message.Message):
    __slots__ = ("version", "features", "limits")
    VERSION_FIELD_NUMBER: _ClassVar[int]
    FEATURES_FIELD_NUMBER: _ClassVar[int]
    LIMITS_FIELD_NUMBER: _ClassVar[int]
    version: str
    features: _containers.RepeatedScalarFieldContainer[str]
    limits: ServerLimits
    def __init__(self, version: _Optional[str] = ..., features: _Optional[_Iterable[str]] = ..., limits: _Optional[_Union[ServerLimits, _Mapping]] = ...) -> None: ...

class ServerLimits(_message.Message):
    __slots__ = ("max_input_bytes", "max_input_chars", "max_input_parts", "max_media_bytes", "max_asset_bytes", "max_name_bytes", "max_page_size", "max_labels", "max_label_bytes", "max_filter_chars")
    MAX_INPUT_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_INPUT_CHARS_FIELD_NUMBER: _ClassVar[int]
    MAX_INPUT_PARTS_FIELD_NUMBER: _ClassVar[int]
    MAX_MEDIA_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_ASSET_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_NAME_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    MAX_LABELS_FIELD_NUMBER: _ClassVar[int]
    MAX_LABEL_BYTES_FIELD_NUMBER: _ClassVar[int]
    MAX_FILTER_CHARS_FIELD_NUMBER: _ClassVar[int]
    max_input_bytes: int
    max_input_chars: int
    max_input_parts: int
    max_media_bytes: int
    max_asset_bytes: int
    max_name_bytes: int
    max_page_size: int
    max_labels: int
    max_label_bytes: int
    max_filter_chars: int
    def __init__(self, max_input_bytes: _Optional[int] = ..., max_input_chars: _Optional[int] = ..., max_input_parts: _Optional[int] = ..., max_media_bytes: _Optional[int] = ..., max_asset_bytes: _Optional[int] = ..., max_name_bytes: _Optional[int] = ..., max_page_size: _Optional[int] = ..., max_labels: _Optional[int] = ..., max_label_bytes: _Optional[int] = ..., max_filter_chars: _Optional[int] = ...) -> None: ...

class GetServerInfoRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetServerInfoResponse(_message.Message):
    __slots__ = ("info",)
    INFO_FIELD_NUMBER: _ClassVar[int]
    info: ServerInfo
    def __init__(self, info: _Optional[_Union[ServerInfo, _Mapping]] = ...) -> None: ...
