from heartrule.v1 import action_result_pb2 as _action_result_pb2
from heartrule.v1 import advice_pb2 as _advice_pb2
from heartrule.v1 import analysis_pb2 as _analysis_pb2
from heartrule.v1 import exit_pb2 as _exit_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ScriptFigures(_message.Message):
    __slots__ = ("script_id", "script_version", "sessions", "has_more", "started", "finished", "idle", "failed", "actions", "strategies", "models", "currency")
    SCRIPT_ID_FIELD_NUMBER: _ClassVar[int]
    SCRIPT_VERSION_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    HAS_MORE_FIELD_NUMBER: _ClassVar[int]
    STARTED_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    IDLE_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    ACTIONS_FIELD_NUMBER: _ClassVar[int]
    STRATEGIES_FIELD_NUMBER: _ClassVar[int]
    MODELS_FIELD_NUMBER: _ClassVar[int]
    CURRENCY_FIELD_NUMBER: _ClassVar[int]
    script_id: str
    script_version: str
    sessions: int
    has_more: bool
    started: int
    finished: int
    idle: int
    failed: int
    actions: _containers.RepeatedCompositeFieldContainer[ActionFigures]
    strategies: _containers.RepeatedCompositeFieldContainer[StrategyFigures]
    models: _containers.RepeatedCompositeFieldContainer[ModelFigures]
    currency: str
    def __init__(self, script_id: _Optional[str] = ..., script_version: _Optional[str] = ..., sessions: _Optional[int] = ..., has_more: _Optional[bool] = ..., started: _Optional[int] = ..., finished: _Optional[int] = ..., idle: _Optional[int] = ..., failed: _Optional[int] = ..., actions: _Optional[_Iterable[_Union[ActionFigures, _Mapping]]] = ..., strategies: _Optional[_Iterable[_Union[StrategyFigures, _Mapping]]] = ..., models: _Optional[_Iterable[_Union[ModelFigures, _Mapping]]] = ..., currency: _Optional[str] = ...) -> None: ...

class ActionFigures(_message.Message):
    __slots__ = ("phase_id", "topic_id", "action_id", "technique_id", "action_type", "sessions", "begun", "completed", "skipped", "rounds", "exits", "stopped", "advice")
    PHASE_ID_FIELD_NUMBER: _ClassVar[int]
    TOPIC_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    TECHNIQUE_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_TYPE_FIELD_NUMBER: _ClassVar[int]
    SESSIONS_FIELD_NUMBER: _ClassVar[int]
    BEGUN_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_FIELD_NUMBER: _ClassVar[int]
    SKIPPED_FIELD_NUMBER: _ClassVar[int]
    ROUNDS_FIELD_NUMBER: _ClassVar[int]
    EXITS_FIELD_NUMBER: _ClassVar[int]
    STOPPED_FIELD_NUMBER: _ClassVar[int]
    ADVICE_FIELD_NUMBER: _ClassVar[int]
    phase_id: str
    topic_id: str
    action_id: str
    technique_id: str
    action_type: str
    sessions: int
    begun: int
    completed: int
    skipped: int
    rounds: int
    exits: _containers.RepeatedCompositeFieldContainer[ExitCount]
    stopped: int
    advice: _containers.RepeatedCompositeFieldContainer[AdviceCount]
    def __init__(self, phase_id: _Optional[str] = ..., topic_id: _Optional[str] = ..., action_id: _Optional[str] = ..., technique_id: _Optional[str] = ..., action_type: _Optional[str] = ..., sessions: _Optional[int] = ..., begun: _Optional[int] = ..., completed: _Optional[int] = ..., skipped: _Optional[int] = ..., rounds: _Optional[int] = ..., exits: _Optional[_Iterable[_Union[ExitCount, _Mapping]]] = ..., stopped: _Optional[int] = ..., advice: _Optional[_Iterable[_Union[AdviceCount, _Mapping]]] = ...) -> None: ...

class ExitCount(_message.Message):
    __slots__ = ("exit_reason", "count")
    EXIT_REASON_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    exit_reason: _exit_pb2.ExitReason
    count: int
    def __init__(self, exit_reason: _Optional[_Union[_exit_pb2.ExitReason, str]] = ..., count: _Optional[int] = ...) -> None: ...

class AdviceCount(_message.Message):
    __slots__ = ("state", "count")
    STATE_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    state: _advice_pb2.AdviceState
    count: int
    def __init__(self, state: _Optional[_Union[_advice_pb2.AdviceState, str]] = ..., count: _Optional[int] = ...) -> None: ...

class StrategyFigures(_message.Message):
    __slots__ = ("suggestion", "recommended", "used", "before", "after")
    SUGGESTION_FIELD_NUMBER: _ClassVar[int]
    RECOMMENDED_FIELD_NUMBER: _ClassVar[int]
    USED_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    suggestion: _analysis_pb2.StrategySuggestion
    recommended: bool
    used: int
    before: _containers.RepeatedCompositeFieldContainer[ProgressCount]
    after: _containers.RepeatedCompositeFieldContainer[ProgressCount]
    def __init__(self, suggestion: _Optional[_Union[_analysis_pb2.StrategySuggestion, str]] = ..., recommended: _Optional[bool] = ..., used: _Optional[int] = ..., before: _Optional[_Iterable[_Union[ProgressCount, _Mapping]]] = ..., after: _Optional[_Iterable[_Union[ProgressCount, _Mapping]]] = ...) -> None: ...

class ProgressCount(_message.Message):
    __slots__ = ("progress_suggestion", "count")
    PROGRESS_SUGGESTION_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    progress_suggestion: _action_result_pb2.ProgressSuggestion
    count: int
    def __init__(self, progress_suggestion: _Optional[_Union[_action_result_pb2.ProgressSuggestion, str]] = ..., count: _Optional[int] = ...) -> None: ...

class ModelFigures(_message.Message):
    __slots__ = ("purpose", "provider", "model", "calls", "failed", "prompt_tokens", "completion_tokens", "cost")
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    PROVIDER_FIELD_NUMBER: _ClassVar[int]
    MODEL_FIELD_NUMBER: _ClassVar[int]
    CALLS_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    PROMPT_TOKENS_FIELD_NUMBER: _ClassVar[int]
    COMPLETION_TOKENS_FIELD_NUMBER: _ClassVar[int]
    COST_FIELD_NUMBER: _ClassVar[int]
    purpose: str
    provider: str
    model: str
    calls: int
    failed: int
    prompt_tokens: int
    completion_tokens: int
    cost: str
    def __init__(self, purpose: _Optional[str] = ..., provider: _Optional[str] = ..., model: _Optional[str] = ..., calls: _Optional[int] = ..., failed: _Optional[int] = ..., prompt_tokens: _Optional[int] = ..., completion_tokens: _Optional[int] = ..., cost: _Optional[str] = ...) -> None: ...

class GetScriptFiguresRequest(_message.Message):
    __slots__ = ("script_id", "script_version")
    SCRIPT_ID_FIELD_NUMBER: _ClassVar[int]
    SCRIPT_VERSION_FIELD_NUMBER: _ClassVar[int]
    script_id: str
    script_version: str
    def __init__(self, script_id: _Optional[str] = ..., script_version: _Optional[str] = ...) -> None: ...

class GetScriptFiguresResponse(_message.Message):
    __slots__ = ("figures",)
    FIGURES_FIELD_NUMBER: _ClassVar[int]
    figures: ScriptFigures
    def __init__(self, figures: _Optional[_Union[ScriptFigures, _Mapping]] = ...) -> None: ...
