"""What the store takes and gives: plain frozen records, no rows and no connections."""

from __future__ import annotations

from session_store.records.beside_turns import (
    SafetyAlert,
    SafetyClosing,
    SafetyFilter,
    SummaryRecord,
    SummaryWork,
)
from session_store.records.decisions import (
    DecisionChange,
    DecisionFilter,
    DecisionOutcome,
    KeptDecision,
    KeptWorkflow,
    NewRevision,
    SubmittedDecision,
    as_made,
)
from session_store.records.monitoring import (
    AnalysisRecord,
    EditsAtHand,
    KeptEdit,
    MonitorTicket,
    MonitorWork,
    PendingAnalysis,
    PlanningWork,
    ProposedEdit,
)
from session_store.records.sessions import (
    AssetRecord,
    ErasedSessions,
    Forked,
    ForkOrder,
    NewSession,
    Page,
    Retried,
    RetryOrder,
    ScriptRecord,
    SessionRecord,
)
from session_store.records.spending import Spending, SpendingLimits, SpentSoFar
from session_store.records.steps import (
    CommittedStep,
    SafetyStep,
    StepCommit,
    TurnEnd,
    TurnFailure,
)
from session_store.records.turns import (
    ENDED,
    AcceptedInput,
    ActionInstance,
    InstanceState,
    Interrupted,
    InterruptOrder,
    Lease,
    NoTurn,
    Plan,
    PlanView,
    StopKind,
    StopRequest,
    TurnKind,
    TurnLater,
    TurnLeft,
    TurnSnapshot,
    TurnStatus,
)
