import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FindingSeverity(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FINDING_SEVERITY_UNSPECIFIED: _ClassVar[FindingSeverity]
    FINDING_SEVERITY_ERROR: _ClassVar[FindingSeverity]
    FINDING_SEVERITY_WARNING: _ClassVar[FindingSeverity]
    FINDING_SEVERITY_NOTE: _ClassVar[FindingSeverity]
FINDING_SEVERITY_UNSPECIFIED: FindingSeverity
FINDING_SEVERITY_ERROR: FindingSeverity
FINDING_SEVERITY_WARNING: FindingSeverity
FINDING_SEVERITY_NOTE: FindingSeverity

class Script(_message.Message):
    __slots__ = ("script_id", "version", "session_name", "create_time", "main_path", "paths", "number")
    SCRIPT_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    SESSION_NAME_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    MAIN_PATH_FIELD_NUMBER: _ClassVar[int]
    PATHS_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    script_id: str
    version: str
    session_name: str
    create_time: _timestamp_pb2.Timestamp
    main_path: str
    paths: _containers.RepeatedScalarFieldContainer[str]
    number: int
    def __init__(self, script_id: _Optional[str] = ..., version: _Optional[str] = ..., session_name: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., main_path: _Optional[str] = ..., paths: _Optional[_Iterable[str]] = ..., number: _Optional[int] = ...) -> None: ...

class ScriptBundle(_message.Message):
    __slots__ = ("files", "main_path", "assets")
    class FilesEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: bytes
        def __init__(self, key: _Optional[str] = ..., value: _Optional[bytes] = ...) -> None: ...
    class AssetsEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: str
        def __init__(self, key: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...
    FILES_FIELD_NUMBER: _ClassVar[int]
    MAIN_PATH_FIELD_NUMBER: _ClassVar[int]
    ASSETS_FIELD_NUMBER: _ClassVar[int]
    files: _containers.ScalarMap[str, bytes]
    main_path: str
    assets: _containers.ScalarMap[str, str]
    def __init__(self, files: _Optional[_Mapping[str, bytes]] = ..., main_path: _Optional[str] = ..., assets: _Optional[_Mapping[str, str]] = ...) -> None: ...

class ScriptFinding(_message.Message):
    __slots__ = ("file", "line", "column", "severity", "message", "rule")
    FILE_FIELD_NUMBER: _ClassVar[int]
    LINE_FIELD_NUMBER: _ClassVar[int]
    COLUMN_FIELD_NUMBER: _ClassVar[int]
    SEVERITY_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    file: str
    line: int
    column: int
    severity: FindingSeverity
    message: str
    rule: str
    def __init__(self, file: _Optional[str] = ..., line: _Optional[int] = ..., column: _Optional[int] = ..., severity: _Optional[_Union[FindingSeverity, str]] = ..., message: _Optional[str] = ..., rule: _Optional[str] = ...) -> None: ...

class CheckScriptRequest(_message.Message):
    __slots__ = ("bundle",)
    BUNDLE_FIELD_NUMBER: _ClassVar[int]
    bundle: ScriptBundle
    def __init__(self, bundle: _Optional[_Union[ScriptBundle, _Mapping]] = ...) -> None: ...

class CheckScriptResponse(_message.Message):
    __slots__ = ("findings", "script_id", "version")
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    SCRIPT_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    findings: _containers.RepeatedCompositeFieldContainer[ScriptFinding]
    script_id: str
    version: str
    def __init__(self, findings: _Optional[_Iterable[_Union[ScriptFinding, _Mapping]]] = ..., script_id: _Optional[str] = ..., version: _Optional[str] = ...) -> None: ...

class PublishScriptRequest(_message.Message):
    __slots__ = ("bundle", "request_id", "trial")
    BUNDLE_FIELD_NUMBER: _ClassVar[int]
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    TRIAL_FIELD_NUMBER: _ClassVar[int]
    bundle: ScriptBundle
    request_id: str
    trial: bool
    def __init__(self, bundle: _Optional[_Union[ScriptBundle, _Mapping]] = ..., request_id: _Optional[str] = ..., trial: _Optional[bool] = ...) -> None: ...

class PublishScriptResponse(_message.Message):
    __slots__ = ("script", "findings")
    SCRIPT_FIELD_NUMBER: _ClassVar[int]
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    script: Script
    findings: _containers.RepeatedCompositeFieldContainer[ScriptFinding]
    def __init__(self, script: _Optional[_Union[Script, _Mapping]] = ..., findings: _Optional[_Iterable[_Union[ScriptFinding, _Mapping]]] = ...) -> None: ...

class GetScriptRequest(_message.Message):
    __slots__ = ("script_id", "version", "with_files")
    SCRIPT_ID_FIELD_NUMBER: _ClassVar[int]
    VERSION_FIELD_NUMBER: _ClassVar[int]
    WITH_FILES_FIELD_NUMBER: _ClassVar[int]
    script_id: str
    version: str
    with_files: bool
    def __init__(self, script_id: _Optional[str] = ..., version: _Optional[str] = ..., with_files: _Optional[bool] = ...) -> None: ...

class GetScriptResponse(_message.Message):
    __slots__ = ("script", "bundle")
    SCRIPT_FIELD_NUMBER: _ClassVar[int]
    BUNDLE_FIELD_NUMBER: _ClassVar[int]
    script: Script
    bundle: ScriptBundle
    def __init__(self, script: _Optional[_Union[Script, _Mapping]] = ..., bundle: _Optional[_Union[ScriptBundle, _Mapping]] = ...) -> None: ...

class ListScriptsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "filter", "order_by")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    ORDER_BY_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    filter: str
    order_by: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., filter: _Optional[str] = ..., order_by: _Optional[str] = ...) -> None: ...

class ListScriptsResponse(_message.Message):
    __slots__ = ("scripts", "next_page_token")
    SCRIPTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    scripts: _containers.RepeatedCompositeFieldContainer[Script]
    next_page_token: str
    def __init__(self, scripts: _Optional[_Iterable[_Union[Script, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListScriptVersionsRequest(_message.Message):
    __slots__ = ("script_id", "page_size", "page_token")
    SCRIPT_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    script_id: str
    page_size: int
    page_token: str
    def __init__(self, script_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListScriptVersionsResponse(_message.Message):
    __slots__ = ("versions", "next_page_token")
    VERSIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    versions: _containers.RepeatedCompositeFieldContainer[Script]
    next_page_token: str
    def __init__(self, versions: _Optional[_Iterable[_Union[Script, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class RehearseScriptRequest(_message.Message):
    __slots__ = ("bundle", "paths")
    BUNDLE_FIELD_NUMBER: _ClassVar[int]
    PATHS_FIELD_NUMBER: _ClassVar[int]
    bundle: ScriptBundle
    paths: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, bundle: _Optional[_Union[ScriptBundle, _Mapping]] = ..., paths: _Optional[_Iterable[str]] = ...) -> None: ...

class RehearseScriptResponse(_message.Message):
    __slots__ = ("findings", "conversations")
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    CONVERSATIONS_FIELD_NUMBER: _ClassVar[int]
    findings: _containers.RepeatedCompositeFieldContainer[ScriptFinding]
    conversations: _containers.RepeatedCompositeFieldContainer[RehearsedConversation]
    def __init__(self, findings: _Optional[_Iterable[_Union[ScriptFinding, _Mapping]]] = ..., conversations: _Optional[_Iterable[_Union[RehearsedConversation, _Mapping]]] = ...) -> None: ...

class RehearsedConversation(_message.Message):
    __slots__ = ("path", "title", "turns", "findings")
    PATH_FIELD_NUMBER: _ClassVar[int]
    TITLE_FIELD_NUMBER: _ClassVar[int]
    TURNS_FIELD_NUMBER: _ClassVar[int]
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    path: str
    title: str
    turns: int
    findings: _containers.RepeatedCompositeFieldContainer[ScriptFinding]
    def __init__(self, path: _Optional[str] = ..., title: _Optional[str] = ..., turns: _Optional[int] = ..., findings: _Optional[_Iterable[_Union[ScriptFinding, _Mapping]]] = ...) -> None: ...
