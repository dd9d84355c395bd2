import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from heartrule.v1 import analysis_pb2 as _analysis_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Severity(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SEVERITY_UNSPECIFIED: _ClassVar[Severity]
    SEVERITY_INFO: _ClassVar[Severity]
    SEVERITY_CONCERN: _ClassVar[Severity]
    SEVERITY_URGENT: _ClassVar[Severity]

class AdviceState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ADVICE_STATE_UNSPECIFIED: _ClassVar[AdviceState]
    ADVICE_STATE_PENDING: _ClassVar[AdviceState]
    ADVICE_STATE_CONSUMED: _ClassVar[AdviceState]
    ADVICE_STATE_EXPIRED: _ClassVar[AdviceState]
    ADVICE_STATE_SUPERSEDED: _ClassVar[AdviceState]

class AdviceSource(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ADVICE_SOURCE_UNSPECIFIED: _ClassVar[AdviceSource]
    ADVICE_SOURCE_MONITOR: _ClassVar[AdviceSource]
    ADVICE_SOURCE_HUMAN: _ClassVar[AdviceSource]
SEVERITY_UNSPECIFIED: Severity
SEVERITY_INFO: Severity
SEVERITY_CONCERN: Severity
SEVERITY_URGENT: Severity
ADVICE_STATE_UNSPECIFIED: AdviceState
ADVICE_STATE_PENDING: AdviceState
ADVICE_STATE_CONSUMED: AdviceState
ADVICE_STATE_EXPIRED: AdviceState
ADVICE_STATE_SUPERSEDED: AdviceState
ADVICE_SOURCE_UNSPECIFIED: AdviceSource
ADVICE_SOURCE_MONITOR: AdviceSource
ADVICE_SOURCE_HUMAN: AdviceSource

class Advice(_message.Message):
    __slots__ = ("advice_id", "session_id", "action_id", "action_instance_id", "about_round", "analysis", "feedback_text", "severity", "state", "source", "ttl_turns", "made_at", "supersedes", "traceparent")
    ADVICE_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    ABOUT_ROUND_FIELD_NUMBER: _ClassVar[int]
    ANALYSIS_FIELD_NUMBER: _ClassVar[int]
    FEEDBACK_TEXT_FIELD_NUMBER: _ClassVar[int]
    SEVERITY_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TTL_TURNS_FIELD_NUMBER: _ClassVar[int]
    MADE_AT_FIELD_NUMBER: _ClassVar[int]
    SUPERSEDES_FIELD_NUMBER: _ClassVar[int]
    TRACEPARENT_FIELD_NUMBER: _ClassVar[int]
    advice_id: str
    session_id: str
    action_id: str
    action_instance_id: str
    about_round: int
    analysis: _analysis_pb2.MonitorAnalysis
    feedback_text: str
    severity: Severity
    state: AdviceState
    source: AdviceSource
    ttl_turns: int
    made_at: _timestamp_pb2.Timestamp
    supersedes: str
    traceparent: str
    def __init__(self, advice_id: _Optional[str] = ..., session_id: _Optional[str] = ..., action_id: _Optional[str] = ..., action_instance_id: _Optional[str] = ..., about_round: _Optional[int] = ..., analysis: _Optional[_Union[_analysis_pb2.MonitorAnalysis, _Mapping]] = ..., feedback_text: _Optional[str] = ..., severity: _Optional[_Union[Severity, str]] = ..., state: _Optional[_Union[AdviceState, str]] = ..., source: _Optional[_Union[AdviceSource, str]] = ..., ttl_turns: _Optional[int] = ..., made_at: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., supersedes: _Optional[str] = ..., traceparent: _Optional[str] = ...) -> None: ...

class AdviceChanged(_message.Message):
    __slots__ = ("advice",)
    ADVICE_FIELD_NUMBER: _ClassVar[int]
    advice: Advice
    def __init__(self, advice: _Optional[_Union[Advice, _Mapping]] = ...) -> None: ...

class AnalysisEnded(_message.Message):
    __slots__ = ("action_instance_id", "about_round", "judged_turn_id", "result", "advice_id", "reason")
    class Result(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
        __slots__ = ()
        RESULT_UNSPECIFIED: _ClassVar[AnalysisEnded.Result]
        RESULT_ADVICE: _ClassVar[AnalysisEnded.Result]
        RESULT_NO_ADVICE: _ClassVar[AnalysisEnded.Result]
        RESULT_FAILED: _ClassVar[AnalysisEnded.Result]
        RESULT_DROPPED: _ClassVar[AnalysisEnded.Result]
        RESULT_SKIPPED: _ClassVar[AnalysisEnded.Result]
    RESULT_UNSPECIFIED: AnalysisEnded.Result
    RESULT_ADVICE: AnalysisEnded.Result
    RESULT_NO_ADVICE: AnalysisEnded.Result
    RESULT_FAILED: AnalysisEnded.Result
    RESULT_DROPPED: AnalysisEnded.Result
    RESULT_SKIPPED: AnalysisEnded.Result
    ACTION_INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    ABOUT_ROUND_FIELD_NUMBER: _ClassVar[int]
    JUDGED_TURN_ID_FIELD_NUMBER: _ClassVar[int]
    RESULT_FIELD_NUMBER: _ClassVar[int]
    ADVICE_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    action_instance_id: str
    about_round: int
    judged_turn_id: str
    result: AnalysisEnded.Result
    advice_id: str
    reason: str
    def __init__(self, action_instance_id: _Optional[str] = ..., about_round: _Optional[int] = ..., judged_turn_id: _Optional[str] = ..., result: _Optional[_Union[AnalysisEnded.Result, str]] = ..., advice_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...
