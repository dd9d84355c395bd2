import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from heartrule.v1 import action_result_pb2 as _action_result_pb2
from heartrule.v1 import advice_pb2 as _advice_pb2
from heartrule.v1 import decision_pb2 as _decision_pb2
from heartrule.v1 import execution_pb2 as _execution_pb2
from heartrule.v1 import input_request_pb2 as _input_request_pb2
from heartrule.v1 import message_pb2 as _message_pb2
from heartrule.v1 import plan_edit_pb2 as _plan_edit_pb2
from heartrule.v1 import rewinding_pb2 as _rewinding_pb2
from heartrule.v1 import run_pb2 as _run_pb2
from heartrule.v1 import safety_pb2 as _safety_pb2
from heartrule.v1 import skipping_pb2 as _skipping_pb2
from heartrule.v1 import strategy_pb2 as _strategy_pb2
from heartrule.v1 import thread_pb2 as _thread_pb2
from heartrule.v1 import turn_pb2 as _turn_pb2
from heartrule.v1 import variable_pb2 as _variable_pb2
from heartrule.v1 import workflow_pb2 as _workflow_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Audience(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    AUDIENCE_UNSPECIFIED: _ClassVar[Audience]
    AUDIENCE_CLIENT: _ClassVar[Audience]
    AUDIENCE_OPERATOR: _ClassVar[Audience]
    AUDIENCE_DEBUG: _ClassVar[Audience]
AUDIENCE_UNSPECIFIED: Audience
AUDIENCE_CLIENT: Audience
AUDIENCE_OPERATOR: Audience
AUDIENCE_DEBUG: Audience

class SessionEvent(_message.Message):
    __slots__ = ("session_id", "sequence", "turn_id", "attempt", "audience", "create_time", "opened", "input_accepted", "input_rejected", "turn_started", "draft_delta", "draft_voided", "message_committed", "input_requested", "state_changed", "turn_ended", "safety_raised", "advice_changed", "plan_edited", "activity", "action_result", "variable_operation", "analysis_ended", "history_rewound", "scope_left", "strategy_decided", "step_skipped", "going_away", "heartbeat", "safety_changed", "decision_made", "decision_validated", "decision_rejected", "workflow_changed", "run_changed", "node_changed", "node_execution_failed", "thread_changed", "thread_message")
    SESSION_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    TURN_ID_FIELD_NUMBER: _ClassVar[int]
    ATTEMPT_FIELD_NUMBER: _ClassVar[int]
    AUDIENCE_FIELD_NUMBER: _ClassVar[int]
    CREATE_TIME_FIELD_NUMBER: _ClassVar[int]
    OPENED_FIELD_NUMBER: _ClassVar[int]
    INPUT_ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    INPUT_REJECTED_FIELD_NUMBER: _ClassVar[int]
    TURN_STARTED_FIELD_NUMBER: _ClassVar[int]
    DRAFT_DELTA_FIELD_NUMBER: _ClassVar[int]
    DRAFT_VOIDED_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_COMMITTED_FIELD_NUMBER: _ClassVar[int]
    INPUT_REQUESTED_FIELD_NUMBER: _ClassVar[int]
    STATE_CHANGED_FIELD_NUMBER: _ClassVar[int]
    TURN_ENDED_FIELD_NUMBER: _ClassVar[int]
    SAFETY_RAISED_FIELD_NUMBER: _ClassVar[int]
    ADVICE_CHANGED_FIELD_NUMBER: _ClassVar[int]
    PLAN_EDITED_FIELD_NUMBER: _ClassVar[int]
    ACTIVITY_FIELD_NUMBER: _ClassVar[int]
    ACTION_RESULT_FIELD_NUMBER: _ClassVar[int]
    VARIABLE_OPERATION_FIELD_NUMBER: _ClassVar[int]
    ANALYSIS_ENDED_FIELD_NUMBER: _ClassVar[int]
    HISTORY_REWOUND_FIELD_NUMBER: _ClassVar[int]
    SCOPE_LEFT_FIELD_NUMBER: _ClassVar[int]
    STRATEGY_DECIDED_FIELD_NUMBER: _ClassVar[int]
    STEP_SKIPPED_FIELD_NUMBER: _ClassVar[int]
    GOING_AWAY_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    SAFETY_CHANGED_FIELD_NUMBER: _ClassVar[int]
    DECISION_MADE_FIELD_NUMBER: _ClassVar[int]
    DECISION_VALIDATED_FIELD_NUMBER: _ClassVar[int]
    DECISION_REJECTED_FIELD_NUMBER: _ClassVar[int]
    WORKFLOW_CHANGED_FIELD_NUMBER: _ClassVar[int]
    RUN_CHANGED_FIELD_NUMBER: _ClassVar[int]
    NODE_CHANGED_FIELD_NUMBER: _ClassVar[int]
    NODE_EXECUTION_FAILED_FIELD_NUMBER: _ClassVar[int]
    THREAD_CHANGED_FIELD_NUMBER: _ClassVar[int]
    THREAD_MESSAGE_FIELD_NUMBER: _ClassVar[int]
    session_id: str
    sequence: int
    turn_id: str
    attempt: int
    audience: Audience
    create_time: _timestamp_pb2.Timestamp
    opened: Opened
    input_accepted: _turn_pb2.InputAccepted
    input_rejected: _turn_pb2.InputRejected
    turn_started: _turn_pb2.TurnStarted
    draft_delta: _turn_pb2.DraftDelta
    draft_voided: _turn_pb2.DraftVoided
    message_committed: _message_pb2.Message
    input_requested: _input_request_pb2.InputRequested
    state_changed: StateChanged
    turn_ended: _turn_pb2.TurnEnded
    safety_raised: SafetyRaised
    advice_changed: _advice_pb2.AdviceChanged
    plan_edited: _plan_edit_pb2.PlanEdited
    activity: _run_pb2.Activity
    action_result: _action_result_pb2.ActionResult
    variable_operation: _variable_pb2.VariableOperation
    analysis_ended: _advice_pb2.AnalysisEnded
    history_rewound: _rewinding_pb2.HistoryRewound
    scope_left: _variable_pb2.ScopeLeft
    strategy_decided: _strategy_pb2.StrategyDecision
    step_skipped: _skipping_pb2.StepSkipped
    going_away: GoingAway
    heartbeat: Heartbeat
    safety_changed: _safety_pb2.SafetyChanged
    decision_made: _decision_pb2.DecisionMade
    decision_validated: _decision_pb2.DecisionValidated
    decision_rejected: _decision_pb2.DecisionRejected
    workflow_changed: _workflow_pb2.WorkflowChanged
    run_changed: _run_pb2.RunChanged
    node_changed: _run_pb2.NodeChanged
    node_execution_failed: _run_pb2.NodeExecutionFailed
    thread_changed: _thread_pb2.ThreadChanged
    thread_message: _thread_pb2.ThreadMessageAdded
    def __init__(self, session_id: _Optional[str] = ..., sequence: _Optional[int] = ..., turn_id: _Optional[str] = ..., attempt: _Optional[int] = ..., audience: _Optional[_Union[Audience, str]] = ..., create_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., opened: _Optional[_Union[Opened, _Mapping]] = ..., input_accepted: _Optional[_Union[_turn_pb2.InputAccepted, _Mapping]] = ..., input_rejected: _Optional[_Union[_turn_pb2.InputRejected, _Mapping]] = ..., turn_started: _Optional[_Union[_turn_pb2.TurnStarted, _Mapping]] = ..., draft_delta: _Optional[_Union[_turn_pb2.DraftDelta, _Mapping]] = ..., draft_voided: _Optional[_Union[_turn_pb2.DraftVoided, _Mapping]] = ..., message_committed: _Optional[_Union[_message_pb2.Message, _Mapping]] = ..., input_requested: _Optional[_Union[_input_request_pb2.InputRequested, _Mapping]] = ..., state_changed: _Optional[_Union[StateChanged, _Mapping]] = ..., turn_ended: _Optional[_Union[_turn_pb2.TurnEnded, _Mapping]] = ..., safety_raised: _Optional[_Union[SafetyRaised, _Mapping]] = ..., advice_changed: _Optional[_Union[_advice_pb2.AdviceChanged, _Mapping]] = ..., plan_edited: _Optional[_Union[_plan_edit_pb2.PlanEdited, _Mapping]] = ..., activity: _Optional[_Union[_run_pb2.Activity, _Mapping]] = ..., action_result: _Optional[_Union[_action_result_pb2.ActionResult, _Mapping]] = ..., variable_operation: _Optional[_Union[_variable_pb2.VariableOperation, _Mapping]] = ..., analysis_ended: _Optional[_Union[_advice_pb2.AnalysisEnded, _Mapping]] = ..., history_rewound: _Optional[_Union[_rewinding_pb2.HistoryRewound, _Mapping]] = ..., scope_left: _Optional[_Union[_variable_pb2.ScopeLeft, _Mapping]] = ..., strategy_decided: _Optional[_Union[_strategy_pb2.StrategyDecision, _Mapping]] = ..., step_skipped: _Optional[_Union[_skipping_pb2.StepSkipped, _Mapping]] = ..., going_away: _Optional[_Union[GoingAway, _Mapping]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping]] = ..., safety_changed: _Optional[_Union[_safety_pb2.SafetyChanged, _Mapping]] = ..., decision_made: _Optional[_Union[_decision_pb2.DecisionMade, _Mapping]] = ..., decision_validated: _Optional[_Union[_decision_pb2.DecisionValidated, _Mapping]] = ..., decision_rejected: _Optional[_Union[_decision_pb2.DecisionRejected, _Mapping]] = ..., workflow_changed: _Optional[_Union[_workflow_pb2.WorkflowChanged, _Mapping]] = ..., run_changed: _Optional[_Union[_run_pb2.RunChanged, _Mapping]] = ..., node_changed: _Optional[_Union[_run_pb2.NodeChanged, _Mapping]] = ..., node_execution_failed: _Optional[_Union[_run_pb2.NodeExecutionFailed, _Mapping]] = ..., thread_changed: _Optional[_Union[_thread_pb2.ThreadChanged, _Mapping]] = ..., thread_message: _Optional[_Union[_thread_pb2.ThreadMessageAdded, _Mapping]] = ...) -> None: ...

class Opened(_message.Message):
    __slots__ = ("state", "max_input_bytes", "heartbeat_interval", "max_input_chars")
    STATE_FIELD_NUMBER: _ClassVar[int]
    MAX_INPUT_BYTES_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_INTERVAL_FIELD_NUMBER: _ClassVar[int]
    MAX_INPUT_CHARS_FIELD_NUMBER: _ClassVar[int]
    state: _execution_pb2.ExecutionState
    max_input_bytes: int
    heartbeat_interval: _duration_pb2.Duration
    max_input_chars: int
    def __init__(self, state: _Optional[_Union[_execution_pb2.ExecutionState, _Mapping]] = ..., max_input_bytes: _Optional[int] = ..., heartbeat_interval: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., max_input_chars: _Optional[int] = ...) -> None: ...

class StateChanged(_message.Message):
    __slots__ = ("state",)
    STATE_FIELD_NUMBER: _ClassVar[int]
    state: _execution_pb2.ExecutionState
    def __init__(self, state: _Optional[_Union[_execution_pb2.ExecutionState, _Mapping]] = ...) -> None: ...

class SafetyRaised(_message.Message):
    __slots__ = ("category", "rule")
    CATEGORY_FIELD_NUMBER: _ClassVar[int]
    RULE_FIELD_NUMBER: _ClassVar[int]
    category: str
    rule: str
    def __init__(self, category: _Optional[str] = ..., rule: _Optional[str] = ...) -> None: ...

class GoingAway(_message.Message):
    __slots__ = ("reconnect_after",)
    RECONNECT_AFTER_FIELD_NUMBER: _ClassVar[int]
    reconnect_after: _duration_pb2.Duration
    def __init__(self, reconnect_after: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ...) -> None: ...

class Heartbeat(_message.Message):
    __slots__ = ("last_sequence",)
    LAST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    last_sequence: int
    def __init__(self, last_sequence: _Optional[int] = ...) -> None: ...
