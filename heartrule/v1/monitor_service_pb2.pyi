from heartrule.v1 import analysis_pb2 as _analysis_pb2
from heartrule.v1 import llm_debug_info_pb2 as _llm_debug_info_pb2
from heartrule.v1 import orchestration_pb2 as _orchestration_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AnalyzeActionRequest(_message.Message):
    __slots__ = ("report",)
    REPORT_FIELD_NUMBER: _ClassVar[int]
    report: _analysis_pb2.AnalysisReport
    def __init__(self, report: _Optional[_Union[_analysis_pb2.AnalysisReport, _Mapping]] = ...) -> None: ...

class AnalyzeActionResponse(_message.Message):
    __slots__ = ("analysis", "feedback_text", "should_trigger_orchestration", "parse_failed", "calls", "traceparent", "failure")
    ANALYSIS_FIELD_NUMBER: _ClassVar[int]
    FEEDBACK_TEXT_FIELD_NUMBER: _ClassVar[int]
    SHOULD_TRIGGER_ORCHESTRATION_FIELD_NUMBER: _ClassVar[int]
    PARSE_FAILED_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    TRACEPARENT_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    analysis: _analysis_pb2.MonitorAnalysis
    feedback_text: str
    should_trigger_orchestration: bool
    parse_failed: bool
    calls: _containers.RepeatedCompositeFieldContainer[_llm_debug_info_pb2.LLMDebugInfo]
    traceparent: str
    failure: str
    def __init__(self, analysis: _Optional[_Union[_analysis_pb2.MonitorAnalysis, _Mapping]] = ..., feedback_text: _Optional[str] = ..., should_trigger_orchestration: _Optional[bool] = ..., parse_failed: _Optional[bool] = ..., calls: _Optional[_Iterable[_Union[_llm_debug_info_pb2.LLMDebugInfo, _Mapping]]] = ..., traceparent: _Optional[str] = ..., failure: _Optional[str] = ...) -> None: ...

class PlanOrchestrationRequest(_message.Message):
    __slots__ = ("report",)
    REPORT_FIELD_NUMBER: _ClassVar[int]
    report: _orchestration_pb2.OrchestrationReport
    def __init__(self, report: _Optional[_Union[_orchestration_pb2.OrchestrationReport, _Mapping]] = ...) -> None: ...

class PlanOrchestrationResponse(_message.Message):
    __slots__ = ("plan", "parse_failed", "warnings", "calls", "failure", "traceparent")
    PLAN_FIELD_NUMBER: _ClassVar[int]
    PARSE_FAILED_FIELD_NUMBER: _ClassVar[int]
    WARNINGS_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    FAILURE_FIELD_NUMBER: _ClassVar[int]
    TRACEPARENT_FIELD_NUMBER: _ClassVar[int]
    plan: _orchestration_pb2.OrchestrationPlan
    parse_failed: bool
    warnings: _containers.RepeatedScalarFieldContainer[str]
    calls: _containers.RepeatedCompositeFieldContainer[_llm_debug_info_pb2.LLMDebugInfo]
    failure: str
    traceparent: str
    def __init__(self, plan: _Optional[_Union[_orchestration_pb2.OrchestrationPlan, _Mapping]] = ..., parse_failed: _Optional[bool] = ..., warnings: _Optional[_Iterable[str]] = ..., calls: _Optional[_Iterable[_Union[_llm_debug_info_pb2.LLMDebugInfo, _Mapping]]] = ..., failure: _Optional[str] = ..., traceparent: _Optional[str] = ...) -> None: ...
