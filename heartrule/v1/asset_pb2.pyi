import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Asset(_message.Message):
    __slots__ = ("sha256", "mime_type", "size_bytes", "create_time")
    SHA256_FIELD_NUMBER: _ClassVar[int]
    MIME_TYPE_FIELD_NUMBER: _ClassVar[int]
    SIZE_BYTES_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    sha256: str
    mime_type: str
    size_bytes: int
    create_time: _timestamp_pb2.Timestamp
    def __init__(self, sha256: _Optional[str] = ..., mime_type: _Optional[str] = ..., size_bytes: _Optional[int] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class UploadAssetRequest(_message.Message):
    __slots__ = ("mime_type", "chunk")
    MIME_TYPE_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    mime_type: str
    chunk: bytes
    def __init__(self, mime_type: _Optional[str] = ..., chunk: _Optional[bytes] = ...) -> None: ...

class UploadAssetResponse(_message.Message):
    __slots__ = ("asset",)
    ASSET_FIELD_NUMBER: _ClassVar[int]
    asset: Asset
    def __init__(self, asset: _Optional[_Union[Asset, _Mapping]] = ...) -> None: ...

class GetAssetRequest(_message.Message):
    __slots__ = ("sha256", "script_file")
    SHA256_FIELD_NUMBER: _ClassVar[int]
    SCRIPT_FILE_FIELD_NUMBER: _ClassVar[int]
    sha256: str
    script_file: ScriptFile
    def __init__(self, sha256: _Optional[str] = ..., script_file: _Optional[_Union[ScriptFile, _Mapping]] = ...) -> None: ...

class ScriptFile(_message.Message):
    __slots__ = ("script_id", "version", "path")
    SCRIPT_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    script_id: str
    version: str
    path: str
    def __init__(self, script_id: _Optional[str] = ..., version: _Optional[str] = ..., path: _Optional[str] = ...) -> None: ...

class GetAssetResponse(_message.Message):
    __slots__ = ("asset", "chunk")
    ASSET_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    asset: Asset
    chunk: bytes
    def __init__(self, asset: _Optional[_Union[Asset, _Mapping]] = ..., chunk: _Optional[bytes] = ...) -> None: ...
