"""What the store takes and gives: plain frozen records, no rows and no connections."""

from __future__ import annotations

from session_store.records.assets import AssetRecord
from session_store.records.fork_and_retry import Fork, Forked, Retried, Retry
from session_store.records.monitoring import (
    AdviceChange,
    AnalysisRecord,
    MonitorTicket,
    MonitorWork,
    PendingAnalysis,
)
from session_store.records.orchestration import (
    EditsAtHand,
    KeptEdit,
    PlanningWork,
    ProposedEdit,
)
from session_store.records.plans import PlanView
from session_store.records.scripts import ScriptRecord
from session_store.records.sessions import ErasedSessions, NewSession, Page, SessionRecord
from session_store.records.steps import (
    CommittedStep,
    SafetyRecord,
    StepCommit,
    TurnEnd,
    TurnFailure,
)
from session_store.records.stopping import (
    Interrupt,
    Interrupted,
    StopKind,
    StopRequest,
    TurnLeft,
)
from session_store.records.turns import (
    AcceptedInput,
    ActionInstance,
    InstanceState,
    Lease,
    NoTurn,
    TurnKind,
    TurnLater,
    TurnSnapshot,
    TurnState,
)

__all__ = [
    "AcceptedInput",
    "ActionInstance",
    "AdviceChange",
    "AnalysisRecord",
    "AssetRecord",
    "CommittedStep",
    "EditsAtHand",
    "ErasedSessions",
    "Fork",
    "Forked",
    "InstanceState",
    "Interrupt",
    "Interrupted",
    "KeptEdit",
    "Lease",
    "MonitorTicket",
    "MonitorWork",
    "NewSession",
    "NoTurn",
    "Page",
    "PendingAnalysis",
    "PlanView",
    "PlanningWork",
    "ProposedEdit",
    "Retried",
    "Retry",
    "SafetyRecord",
    "ScriptRecord",
    "SessionRecord",
    "StepCommit",
    "StopKind",
    "StopRequest",
    "TurnEnd",
    "TurnFailure",
    "TurnKind",
    "TurnLater",
    "TurnLeft",
    "TurnSnapshot",
    "TurnState",
]
