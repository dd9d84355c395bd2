import datetime

from google.protobuf import struct_pb2 as _struct_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from heartrule.v1 import message_pb2 as _message_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class StrategyDecision(_message.Message):
    __slots__ = ("action_id", "action_instance_id", "round", "context", "recommendation", "timestamp")
    ACTION_ID_FIELD_NUMBER: _ClassVar[int]
    ACTION_INSTANCE_ID_FIELD_NUMBER: _ClassVar[int]
    ROUND_FIELD_NUMBER: _ClassVar[int]
    CONTEXT_FIELD_NUMBER: _ClassVar[int]
    RECOMMENDATION_FIELD_NUMBER: _ClassVar[int]
    TIMESTAMP_FIELD_NUMBER: _ClassVar[int]
    action_id: str
    action_instance_id: str
    round: int
    context: StrategyContext
    recommendation: StrategyRecommendation
    timestamp: _timestamp_pb2.Timestamp
    def __init__(self, action_id: _Optional[str] = ..., action_instance_id: _Optional[str] = ..., round: _Optional[int] = ..., context: _Optional[_Union[StrategyContext, _Mapping]] = ..., recommendation: _Optional[_Union[StrategyRecommendation, _Mapping]] = ..., timestamp: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class StrategyContext(_message.Message):
    __slots__ = ("user_profile", "conversation_history", "current_situation", "action_config")
    class UserProfileEntry(_message.Message):
        __slots__ = ("key", "value")
        KEY_FIELD_NUMBER: _ClassVar[int]
        VALUE_FIELD_NUMBER: _ClassVar[int]
        key: str
        value: _struct_pb2.Value
        def __init__(self, key: _Optional[str] = ..., value: _Optional[_Union[_struct_pb2.Value, _Mapping]] = ...) -> None: ...
    USER_PROFILE_FIELD_NUMBER: _ClassVar[int]
    CONVERSATION_HISTORY_FIELD_NUMBER: _ClassVar[int]
    CURRENT_SITUATION_FIELD_NUMBER: _ClassVar[int]
    ACTION_CONFIG_FIELD_NUMBER: _ClassVar[int]
    user_profile: _containers.MessageMap[str, _struct_pb2.Value]
    conversation_history: _containers.RepeatedCompositeFieldContainer[StrategyLine]
    current_situation: StrategySituation
    action_config: StrategyAction
    def __init__(self, user_profile: _Optional[_Mapping[str, _struct_pb2.Value]] = ..., conversation_history: _Optional[_Iterable[_Union[StrategyLine, _Mapping]]] = ..., current_situation: _Optional[_Union[StrategySituation, _Mapping]] = ..., action_config: _Optional[_Union[StrategyAction, _Mapping]] = ...) -> None: ...

class StrategyLine(_message.Message):
    __slots__ = ("role", "content")
    ROLE_FIELD_NUMBER: _ClassVar[int]
    CONTENT_FIELD_NUMBER: _ClassVar[int]
    role: _message_pb2.Role
    content: str
    def __init__(self, role: _Optional[_Union[_message_pb2.Role, str]] = ..., content: _Optional[str] = ...) -> None: ...

class StrategySituation(_message.Message):
    __slots__ = ("topic_description", "current_phase", "progress_summary", "understanding_trend")
    TOPIC_DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    CURRENT_PHASE_FIELD_NUMBER: _ClassVar[int]
    PROGRESS_SUMMARY_FIELD_NUMBER: _ClassVar[int]
    UNDERSTANDING_TREND_FIELD_NUMBER: _ClassVar[int]
    topic_description: str
    current_phase: str
    progress_summary: str
    understanding_trend: str
    def __init__(self, topic_description: _Optional[str] = ..., current_phase: _Optional[str] = ..., progress_summary: _Optional[str] = ..., understanding_trend: _Optional[str] = ...) -> None: ...

class StrategyAction(_message.Message):
    __slots__ = ("action_type", "subtype", "max_rounds", "exit_criteria")
    ACTION_TYPE_FIELD_NUMBER: _ClassVar[int]
    SUBTYPE_FIELD_NUMBER: _ClassVar[int]
    MAX_ROUNDS_FIELD_NUMBER: _ClassVar[int]
    EXIT_CRITERIA_FIELD_NUMBER: _ClassVar[int]
    action_type: str
    subtype: str
    max_rounds: int
    exit_criteria: _struct_pb2.Struct
    def __init__(self, action_type: _Optional[str] = ..., subtype: _Optional[str] = ..., max_rounds: _Optional[int] = ..., exit_criteria: _Optional[_Union[_struct_pb2.Struct, _Mapping]] = ...) -> None: ...

class StrategyRecommendation(_message.Message):
    __slots__ = ("strategy_prompt", "reasoning")
    STRATEGY_PROMPT_FIELD_NUMBER: _ClassVar[int]
    REASONING_FIELD_NUMBER: _ClassVar[int]
    strategy_prompt: str
    reasoning: StrategyReasoning
    def __init__(self, strategy_prompt: _Optional[str] = ..., reasoning: _Optional[_Union[StrategyReasoning, _Mapping]] = ...) -> None: ...

class StrategyReasoning(_message.Message):
    __slots__ = ("user_state_analysis", "key_considerations", "strategy_rationale")
    USER_STATE_ANALYSIS_FIELD_NUMBER: _ClassVar[int]
    KEY_CONSIDERATIONS_FIELD_NUMBER: _ClassVar[int]
    STRATEGY_RATIONALE_FIELD_NUMBER: _ClassVar[int]
    user_state_analysis: str
    key_considerations: _containers.RepeatedScalarFieldContainer[str]
    strategy_rationale: str
    def __init__(self, user_state_analysis: _Optional[str] = ..., key_considerations: _Optional[_Iterable[str]] = ..., strategy_rationale: _Optional[str] = ...) -> None: ...

class ListStrategyDecisionsRequest(_message.Message):
    __slots__ = ("session_id", "page_size", "page_token")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    page_size: int
    page_token: str
    def __init__(self, session_id: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListStrategyDecisionsResponse(_message.Message):
    __slots__ = ("decisions", "next_page_token")
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    decisions: _containers.RepeatedCompositeFieldContainer[StrategyDecision]
    next_page_token: str
    def __init__(self, decisions: _Optional[_Iterable[_Union[StrategyDecision, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
