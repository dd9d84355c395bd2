import datetime

from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from heartrule.v1 import problem_pb2 as _problem_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Purpose(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PURPOSE_UNSPECIFIED: _ClassVar[Purpose]
    PURPOSE_TALK: _ClassVar[Purpose]
    PURPOSE_MONITOR: _ClassVar[Purpose]
    PURPOSE_THINK: _ClassVar[Purpose]
    PURPOSE_STRATEGY: _ClassVar[Purpose]
    PURPOSE_DECIDE: _ClassVar[Purpose]
    PURPOSE_WORKFLOW: _ClassVar[Purpose]
    PURPOSE_THREAD: _ClassVar[Purpose]
PURPOSE_UNSPECIFIED: Purpose
PURPOSE_TALK: Purpose
PURPOSE_MONITOR: Purpose
PURPOSE_THINK: Purpose
PURPOSE_STRATEGY: Purpose
PURPOSE_DECIDE: Purpose
PURPOSE_WORKFLOW: Purpose
PURPOSE_THREAD: Purpose

class LLMDebugInfo(_message.Message):
    __slots__ = ("prompt_type", "call_id", "purpose", "provider", "model", "input", "output", "config", "template_hash", "prompt_tokens", "completion_tokens", "latency_ms", "first_token_ms", "finish_reason", "error", "parse", "create_time", "budget_tokens", "estimated_tokens", "cuts", "reasoning_chars", "reasoning_tokens")
    PROMPT_TYPE_FIELD_NUMBER: _ClassVar[int]
    CALL_ID_FIELD_NUMBER: _ClassVar[int]
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    INPUT_FIELD_NUMBER: _ClassVar[int]
    OUTPUT_FIELD_NUMBER: _ClassVar[int]
    CONFIG_FIELD_NUMBER: _ClassVar[int]
    TEMPLATE_HASH_FIELD_NUMBER: _ClassVar[int]
    PROMPT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    COMPLETION_TOKENS_FIELD_NUMBER: _ClassVar[int]
    LATENCY_MS_FIELD_NUMBER: _ClassVar[int]
    FIRST_TOKEN_MS_FIELD_NUMBER: _ClassVar[int]
    FINISH_REASON_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    PARSE_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    BUDGET_TOKENS_FIELD_NUMBER: _ClassVar[int]
    ESTIMATED_TOKENS_FIELD_NUMBER: _ClassVar[int]
    CUTS_FIELD_NUMBER: _ClassVar[int]
    REASONING_CHARS_FIELD_NUMBER: _ClassVar[int]
    REASONING_TOKENS_FIELD_NUMBER: _ClassVar[int]
    prompt_type: str
    call_id: str
    purpose: Purpose
    provider: str
    model: str
    input: str
    output: str
    config: _struct_pb2.Struct
    template_hash: str
    prompt_tokens: int
    completion_tokens: int
    latency_ms: int
    first_token_ms: int
    finish_reason: str
    error: str
    parse: ParseDiagnosis
    create_time: _timestamp_pb2.Timestamp
    budget_tokens: int
    estimated_tokens: int
    cuts: _containers.RepeatedCompositeFieldContainer[_problem_pb2.Degradation]
    reasoning_chars: int
    reasoning_tokens: int
    def __init__(self, prompt_type: _Optional[str] = ..., call_id: _Optional[str] = ..., purpose: _Optional[_Union[Purpose, str]] = ..., provider: _Optional[str] = ..., model: _Optional[str] = ..., input: _Optional[str] = ..., output: _Optional[str] = ..., config: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ..., template_hash: _Optional[str] = ..., prompt_tokens: _Optional[int] = ..., completion_tokens: _Optional[int] = ..., latency_ms: _Optional[int] = ..., first_token_ms: _Optional[int] = ..., finish_reason: _Optional[str] = ..., error: _Optional[str] = ..., parse: _Optional[_Union[ParseDiagnosis, _Mapping]] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., budget_tokens: _Optional[int] = ..., estimated_tokens: _Optional[int] = ..., cuts: _Optional[_Iterable[_Union[_problem_pb2.Degradation, _Mapping]]] = ..., reasoning_chars: _Optional[int] = ..., reasoning_tokens: _Optional[int] = ...) -> None: ...

class ParseDiagnosis(_message.Message):
    __slots__ = ("strategy", "retry_count", "repairs", "warnings", "parse_error")
    STRATEGY_FIELD_NUMBER: _ClassVar[int]
    RETRY_COUNT_FIELD_NUMBER: _ClassVar[int]
    REPAIRS_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    PARSE_ERROR_FIELD_NUMBER: _ClassVar[int]
    strategy: str
    retry_count: int
    repairs: _containers.RepeatedScalarFieldContainer[str]
    warnings: _containers.RepeatedScalarFieldContainer[str]
    parse_error: ParseError
    def __init__(self, strategy: _Optional[str] = ..., retry_count: _Optional[int] = ..., repairs: _Optional[_Iterable[str]] = ..., warnings: _Optional[_Iterable[str]] = ..., parse_error: _Optional[_Union[ParseError, _Mapping]] = ...) -> None: ...

class ParseError(_message.Message):
    __slots__ = ("retry_count", "strategies", "final_error", "raw_response")
    RETRY_COUNT_FIELD_NUMBER: _ClassVar[int]
    STRATEGIES_FIELD_NUMBER: _ClassVar[int]
    FINAL_ERROR_FIELD_NUMBER: _ClassVar[int]
    RAW_RESPONSE_FIELD_NUMBER: _ClassVar[int]
    retry_count: int
    strategies: _containers.RepeatedScalarFieldContainer[str]
    final_error: str
    raw_response: str
    def __init__(self, retry_count: _Optional[int] = ..., strategies: _Optional[_Iterable[str]] = ..., final_error: _Optional[str] = ..., raw_response: _Optional[str] = ...) -> None: ...
