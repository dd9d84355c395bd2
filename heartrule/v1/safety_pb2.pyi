import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SafetyLevel(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SAFETY_LEVEL_UNSPECIFIED: _ClassVar[SafetyLevel]
    SAFETY_LEVEL_NONE: _ClassVar[SafetyLevel]
    SAFETY_LEVEL_CONCERN: _ClassVar[SafetyLevel]
    SAFETY_LEVEL_THIRD_PARTY: _ClassVar[SafetyLevel]
    SAFETY_LEVEL_EMERGENCY: _ClassVar[SafetyLevel]
    SAFETY_LEVEL_CRISIS: _ClassVar[SafetyLevel]
    SAFETY_LEVEL_IMMINENT: _ClassVar[SafetyLevel]

class SafetySource(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SAFETY_SOURCE_UNSPECIFIED: _ClassVar[SafetySource]
    SAFETY_SOURCE_RULE: _ClassVar[SafetySource]
    SAFETY_SOURCE_FORM_ITEM: _ClassVar[SafetySource]
    SAFETY_SOURCE_CONTEXT: _ClassVar[SafetySource]
    SAFETY_SOURCE_CLASSIFIER: _ClassVar[SafetySource]
    SAFETY_SOURCE_MONITOR: _ClassVar[SafetySource]
    SAFETY_SOURCE_OPERATOR: _ClassVar[SafetySource]

class SafetySubject(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SAFETY_SUBJECT_UNSPECIFIED: _ClassVar[SafetySubject]
    SAFETY_SUBJECT_SELF: _ClassVar[SafetySubject]
    SAFETY_SUBJECT_OTHER: _ClassVar[SafetySubject]

class ResourceKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RESOURCE_KIND_UNSPECIFIED: _ClassVar[ResourceKind]
    RESOURCE_KIND_PHONE: _ClassVar[ResourceKind]
    RESOURCE_KIND_TEXT: _ClassVar[ResourceKind]
    RESOURCE_KIND_CHAT: _ClassVar[ResourceKind]
    RESOURCE_KIND_URL: _ClassVar[ResourceKind]

class AlertState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ALERT_STATE_UNSPECIFIED: _ClassVar[AlertState]
    ALERT_STATE_PENDING: _ClassVar[AlertState]
    ALERT_STATE_DELIVERED: _ClassVar[AlertState]
SAFETY_LEVEL_UNSPECIFIED: SafetyLevel
SAFETY_LEVEL_NONE: SafetyLevel
SAFETY_LEVEL_CONCERN: SafetyLevel
SAFETY_LEVEL_THIRD_PARTY: SafetyLevel
SAFETY_LEVEL_EMERGENCY: SafetyLevel
SAFETY_LEVEL_CRISIS: SafetyLevel
SAFETY_LEVEL_IMMINENT: SafetyLevel
SAFETY_SOURCE_UNSPECIFIED: SafetySource
SAFETY_SOURCE_RULE: SafetySource
SAFETY_SOURCE_FORM_ITEM: SafetySource
SAFETY_SOURCE_CONTEXT: SafetySource
SAFETY_SOURCE_CLASSIFIER: SafetySource
SAFETY_SOURCE_MONITOR: SafetySource
SAFETY_SOURCE_OPERATOR: SafetySource
SAFETY_SUBJECT_UNSPECIFIED: SafetySubject
SAFETY_SUBJECT_SELF: SafetySubject
SAFETY_SUBJECT_OTHER: SafetySubject
RESOURCE_KIND_UNSPECIFIED: ResourceKind
RESOURCE_KIND_PHONE: ResourceKind
RESOURCE_KIND_TEXT: ResourceKind
RESOURCE_KIND_CHAT: ResourceKind
RESOURCE_KIND_URL: ResourceKind
ALERT_STATE_UNSPECIFIED: AlertState
ALERT_STATE_PENDING: AlertState
ALERT_STATE_DELIVERED: AlertState

class SafetyResource(_message.Message):
    __slots__ = ("name", "kind", "number", "hours", "languages")
    NAME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    HOURS_FIELD_NUMBER: _ClassVar[int]
    LANGUAGES_FIELD_NUMBER: _ClassVar[int]
    name: str
    kind: ResourceKind
    number: str
    hours: str
    languages: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, name: _Optional[str] = ..., kind: _Optional[_Union[ResourceKind, str]] = ..., number: _Optional[str] = ..., hours: _Optional[str] = ..., languages: _Optional[_Iterable[str]] = ...) -> None: ...

class SafetyCard(_message.Message):
    __slots__ = ("level", "text", "short", "locale", "resources")
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    SHORT_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    RESOURCES_FIELD_NUMBER: _ClassVar[int]
    level: SafetyLevel
    text: str
    short: bool
    locale: str
    resources: _containers.RepeatedCompositeFieldContainer[SafetyResource]
    def __init__(self, level: _Optional[_Union[SafetyLevel, str]] = ..., text: _Optional[str] = ..., short: _Optional[bool] = ..., locale: _Optional[str] = ..., resources: _Optional[_Iterable[_Union[SafetyResource, _Mapping]]] = ...) -> None: ...

class SafetyFallback(_message.Message):
    __slots__ = ("card",)
    CARD_FIELD_NUMBER: _ClassVar[int]
    card: SafetyCard
    def __init__(self, card: _Optional[_Union[SafetyCard, _Mapping]] = ...) -> None: ...

class SafetyChanged(_message.Message):
    __slots__ = ("level", "step", "card", "source", "rules")
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    CARD_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    level: SafetyLevel
    step: str
    card: SafetyCard
    source: SafetySource
    rules: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, level: _Optional[_Union[SafetyLevel, str]] = ..., step: _Optional[str] = ..., card: _Optional[_Union[SafetyCard, _Mapping]] = ..., source: _Optional[_Union[SafetySource, str]] = ..., rules: _Optional[_Iterable[str]] = ...) -> None: ...

class SafetyState(_message.Message):
    __slots__ = ("level", "step", "frozen", "question", "denials", "quiet_turns", "last_card_turn", "wording", "concern_turn", "guard_until_turn", "opt_out")
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    FROZEN_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    DENIALS_FIELD_NUMBER: _ClassVar[int]
    QUIET_TURNS_FIELD_NUMBER: _ClassVar[int]
    LAST_CARD_TURN_FIELD_NUMBER: _ClassVar[int]
    WORDING_FIELD_NUMBER: _ClassVar[int]
    CONCERN_TURN_FIELD_NUMBER: _ClassVar[int]
    GUARD_UNTIL_TURN_FIELD_NUMBER: _ClassVar[int]
    OPT_OUT_FIELD_NUMBER: _ClassVar[int]
    level: SafetyLevel
    step: str
    frozen: bool
    question: str
    denials: int
    quiet_turns: int
    last_card_turn: int
    wording: int
    concern_turn: int
    guard_until_turn: int
    opt_out: str
    def __init__(self, level: _Optional[_Union[SafetyLevel, str]] = ..., step: _Optional[str] = ..., frozen: _Optional[bool] = ..., question: _Optional[str] = ..., denials: _Optional[int] = ..., quiet_turns: _Optional[int] = ..., last_card_turn: _Optional[int] = ..., wording: _Optional[int] = ..., concern_turn: _Optional[int] = ..., guard_until_turn: _Optional[int] = ..., opt_out: _Optional[str] = ...) -> None: ...

class SafetyEvent(_message.Message):
    __slots__ = ("safety_event_id", "session_id", "turn_id", "client_message_ids", "refused", "level", "step", "source", "rules", "subject", "language", "locale", "create_time", "alert", "alert_failures", "acknowledge_time", "acknowledged_by", "note")
    SAFETY_EVENT_ID_FIELD_NUMBER: _ClassVar[int]
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    CLIENT_MESSAGE_IDS_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    RULES_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    LOCALE_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    ALERT_FIELD_NUMBER: _ClassVar[int]
    ALERT_FAILURES_FIELD_NUMBER: _ClassVar[int]
    ACKNOWLEDGE_TIME_FIELD_NUMBER: _ClassVar[int]
    ACKNOWLEDGED_BY_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    safety_event_id: str
    session_id: str
    turn_id: str
    client_message_ids: _containers.RepeatedScalarFieldContainer[str]
    refused: bool
    level: SafetyLevel
    step: str
    source: SafetySource
    rules: _containers.RepeatedScalarFieldContainer[str]
    subject: SafetySubject
    language: str
    locale: str
    create_time: _timestamp_pb2.Timestamp
    alert: AlertState
    alert_failures: int
    acknowledge_time: _timestamp_pb2.Timestamp
    acknowledged_by: str
    note: str
    def __init__(self, safety_event_id: _Optional[str] = ..., session_id: _Optional[str] = ..., turn_id: _Optional[str] = ..., client_message_ids: _Optional[_Iterable[str]] = ..., refused: _Optional[bool] = ..., level: _Optional[_Union[SafetyLevel, str]] = ..., step: _Optional[str] = ..., source: _Optional[_Union[SafetySource, str]] = ..., rules: _Optional[_Iterable[str]] = ..., subject: _Optional[_Union[SafetySubject, str]] = ..., language: _Optional[str] = ..., locale: _Optional[str] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., alert: _Optional[_Union[AlertState, str]] = ..., alert_failures: _Optional[int] = ..., acknowledge_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., acknowledged_by: _Optional[str] = ..., note: _Optional[str] = ...) -> None: ...

class SafetyCount(_message.Message):
    __slots__ = ("month", "level", "source", "language", "count", "refused")
    MONTH_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    REFUSED_FIELD_NUMBER: _ClassVar[int]
    month: str
    level: SafetyLevel
    source: SafetySource
    language: str
    count: int
    refused: int
    def __init__(self, month: _Optional[str] = ..., level: _Optional[_Union[SafetyLevel, str]] = ..., source: _Optional[_Union[SafetySource, str]] = ..., language: _Optional[str] = ..., count: _Optional[int] = ..., refused: _Optional[int] = ...) -> None: ...
