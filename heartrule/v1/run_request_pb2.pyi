from google.protobuf import struct_pb2 as _struct_pb2
from heartrule.v1 import run_pb2 as _run_pb2
from heartrule.v1 import run_details_pb2 as _run_details_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ListRunsRequest(_message.Message):
    __slots__ = ("session_id", "page_size", "page_token", "workflow_id", "state", "reveal", "filter", "order_by")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    REVEAL_FIELD_NUMBER: _ClassVar[int]
    FILTER_FIELD_NUMBER: _ClassVar[int]
    ORDER_BY_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    page_size: int
    page_token: str
    workflow_id: str
    state: _run_pb2.RunState
    reveal: bool
    filter: str
    order_by: str
    def __init__(self, session_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., workflow_id: _Optional[str] = ..., state: _Optional[_Union[_run_pb2.RunState, str]] = ..., reveal: _Optional[bool] = ..., filter: _Optional[str] = ..., order_by: _Optional[str] = ...) -> None: ...

class ListRunsResponse(_message.Message):
    __slots__ = ("runs", "next_page_token")
    RUNS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    runs: _containers.RepeatedCompositeFieldContainer[_run_details_pb2.Run]
    next_page_token: str
    def __init__(self, runs: _Optional[_Iterable[_Union[_run_details_pb2.Run, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetRunRequest(_message.Message):
    __slots__ = ("session_id", "run_id", "page_size", "page_token", "reveal")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REVEAL_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    run_id: str
    page_size: int
    page_token: str
    reveal: bool
    def __init__(self, session_id: _Optional[str] = ..., run_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., reveal: _Optional[bool] = ...) -> None: ...

class GetRunResponse(_message.Message):
    __slots__ = ("run", "definition", "inputs", "attempts", "artifacts", "next_page_token")
    RUN_FIELD_NUMBER: _ClassVar[int]
    DEFINITION_FIELD_NUMBER: _ClassVar[int]
    INPUTS_FIELD_NUMBER: _ClassVar[int]
    ATTEMPTS_FIELD_NUMBER: _ClassVar[int]
    ARTIFACTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    run: _run_details_pb2.Run
    definition: _struct_pb2.Struct
    inputs: _struct_pb2.Struct
    attempts: _containers.RepeatedCompositeFieldContainer[_run_details_pb2.NodeAttempt]
    artifacts: _containers.RepeatedCompositeFieldContainer[_run_details_pb2.RunArtifact]
    next_page_token: str
    def __init__(self, run: _Optional[_Union[_run_details_pb2.Run, _Mapping]] = ..., definition: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., inputs: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., attempts: _Optional[_Iterable[_Union[_run_details_pb2.NodeAttempt, _Mapping]]] = ..., artifacts: _Optional[_Iterable[_Union[_run_details_pb2.RunArtifact, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class CancelRunRequest(_message.Message):
    __slots__ = ("session_id", "run_id")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    run_id: str
    def __init__(self, session_id: _Optional[str] = ..., run_id: _Optional[str] = ...) -> None: ...

class CancelRunResponse(_message.Message):
    __slots__ = ("run",)
    RUN_FIELD_NUMBER: _ClassVar[int]
    run: _run_details_pb2.Run
    def __init__(self, run: _Optional[_Union[_run_details_pb2.Run, _Mapping]] = ...) -> None: ...

class GetRunArtifactRequest(_message.Message):
    __slots__ = ("session_id", "run_id", "file", "value_sha256", "reveal")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    RUN_ID_FIELD_NUMBER: _ClassVar[int]
    FILE_FIELD_NUMBER: _ClassVar[int]
    VALUE_SHA256_FIELD_NUMBER: _ClassVar[int]
    REVEAL_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    run_id: str
    file: RunFile
    value_sha256: str
    reveal: bool
    def __init__(self, session_id: _Optional[str] = ..., run_id: _Optional[str] = ..., file: _Optional[_Union[RunFile, _Mapping]] = ..., value_sha256: _Optional[str] = ..., reveal: _Optional[bool] = ...) -> None: ...

class RunFile(_message.Message):
    __slots__ = ("path", "name")
    PATH_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    path: str
    name: str
    def __init__(self, path: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class GetRunArtifactResponse(_message.Message):
    __slots__ = ("artifact", "chunk")
    ARTIFACT_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    artifact: _run_details_pb2.RunArtifact
    chunk: bytes
    def __init__(self, artifact: _Optional[_Union[_run_details_pb2.RunArtifact, _Mapping]] = ..., chunk: _Optional[bytes] = ...) -> None: ...
