"""The store as its callers see it, a protocol per noun; every method is one transaction."""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Sequence
from datetime import timedelta
from typing import Protocol

from heartrule.domain.conversation import UserInput
from heartrule.domain.events import SessionEvent
from heartrule.domain.exits import ExitHistoryEntry
from heartrule.domain.figures import ScriptFigures
from heartrule.domain.keys import SessionKey
from heartrule.domain.model_call import LLMDebugInfo, ModelCall
from heartrule.domain.monitoring import ActionMetricsEntry, MonitorFeedbackEntry
from heartrule.domain.orchestration import PlanEdit
from heartrule.domain.strategy import StrategyDecision
from heartrule.domain.variables import (
    ScopeSnapshot,
    VariableDefinition,
    VariableOperation,
)
from session_store.decision_port import DecisionStore
from session_store.records import (
    AcceptedInput,
    AnalysisRecord,
    AssetRecord,
    CommittedStep,
    Forked,
    ForkOrder,
    Lease,
    MonitorTicket,
    MonitorWork,
    NoTurn,
    Page,
    PendingAnalysis,
    PlanningWork,
    PlanView,
    ProposedEdit,
    Retried,
    RetryOrder,
    ScriptRecord,
    StepCommit,
    SummaryRecord,
    SummaryWork,
    TurnFailure,
    TurnLater,
    TurnSnapshot,
)
from session_store.run_port import RunStore
from session_store.safety_store import SafetyStore
from session_store.session_port import RetentionStore, SessionStore
from session_store.stop_store import StopStore
from session_store.thread_port import ThreadStore


class ScriptStore(Protocol):
    """Published scripts."""

    async def save_script(self, record: ScriptRecord) -> ScriptRecord:
        """Store a version and return it; the same content again returns the first."""

    async def load_script(self, tenant: str, script_id: str, version: str = "") -> ScriptRecord:
        """Return that version, or the newest; NotFound otherwise."""

    async def list_scripts(self, tenant: str, page: Page) -> tuple[list[ScriptRecord], str]:
        """Return newest versions by script_id without their files, and the next page's token."""

    async def list_script_versions(
        self, tenant: str, script_id: str, page: Page
    ) -> tuple[list[ScriptRecord], str]:
        """Return a script's versions, newest first, without files; NotFound where it has none."""

    async def script_figures(self, tenant: str, script_id: str, version: str = "") -> ScriptFigures:
        """Return how the sessions of a version, or of the newest, went; NotFound otherwise."""


class AssetStore(Protocol):
    """Pictures of scripts, by the hash of their bytes."""

    async def save_asset(self, record: AssetRecord) -> AssetRecord:
        """Store an asset and return its description; the same bytes again return the first."""

    async def find_assets(self, tenant: str, hashes: Collection[str]) -> dict[str, AssetRecord]:
        """Return the descriptions of those that are there, by hash."""

    async def load_asset(self, tenant: str, sha256: str) -> AssetRecord:
        """Return the whole asset; NotFound otherwise."""


class LedgerStore(Protocol):
    """Every model call of a session (RESOLUTIONS C33)."""

    async def list_calls(self, key: SessionKey, page: Page) -> tuple[list[LLMDebugInfo], str]:
        """Return the ledger, oldest first, and the next page's token."""

    async def list_ledger(
        self, key: SessionKey, page: Page, *, turn_id: str = ""
    ) -> tuple[list[ModelCall], str]:
        """Return calls with their turns, of one turn where it is named, as `list_calls` does."""

    async def tokens_since(self, key: SessionKey, age: timedelta) -> int:
        """Return the tokens of the session's model calls that are no older than `age`."""

    async def trim_ledger(self, older_than: timedelta) -> int:
        """Empty prompts and replies of older model calls; return how many calls it was."""


class EventStore(Protocol):
    """The durable events of a session."""

    async def read_events(
        self, key: SessionKey, after: int, limit: int = 500
    ) -> tuple[SessionEvent, ...]:
        """Return events with sequence > `after`, in order; NotFound for a deleted session."""

    async def read_turn(self, key: SessionKey, turn_id: str) -> tuple[SessionEvent, ...]:
        """Return a turn's events from its inputs' InputAccepted to its last, in order."""

    def changes(self) -> AsyncIterator[SessionKey | None]:
        """Yield sessions that other processes wrote to; ends at once where there are none.

        None means that some may have been missed: any session may have changed.
        """


class ForkAndRetryStore(Protocol):
    """Forks, and turns taken back (RESOLUTIONS, One product 6)."""

    async def fork_session(self, fork: ForkOrder) -> Forked:
        """Create a session from the state another had after one of its turns.

        NotFound for a session or turn that is not there; NotReady, reason TURN_NOT_ENDED, for a
        turn that failed, runs or was taken back. Nothing of the source changes.
        """

    async def retry_turn(self, retry: RetryOrder) -> Retried:
        """Take the last turn back and store its message again, in one transaction.

        Runs that it began are cancelled, and effects outside listed. SessionBusy where a turn runs
        or inputs wait; NotReady, reason NOTHING_TO_RETRY, where only the opening turn is there;
        InvalidRequest for a client_message_id that is known.
        """


class HistoryStore(Protocol):
    """What is kept of a session besides its state; NotFound for a deleted one."""

    async def list_definitions(self, key: SessionKey) -> tuple[VariableDefinition, ...]:
        """Return what its script declares and what was registered, by scope, scope id and name."""

    async def list_operations(
        self, key: SessionKey, page: Page
    ) -> tuple[list[VariableOperation], str]:
        """Return variable operations, oldest first, and the next page's token."""

    async def latest_operations(
        self, key: SessionKey, names: Sequence[str], *, most: int
    ) -> tuple[VariableOperation, ...]:
        """Return the latest operations on each of the names, `most` of each, newest first."""

    async def list_snapshots(self, key: SessionKey, page: Page) -> tuple[list[ScopeSnapshot], str]:
        """Return scope snapshots, oldest first, and the next page's token."""

    async def list_exits(self, key: SessionKey, page: Page) -> tuple[list[ExitHistoryEntry], str]:
        """Return exit decisions, oldest first, and the next page's token."""

    async def list_metrics(
        self, key: SessionKey, page: Page
    ) -> tuple[list[ActionMetricsEntry], str]:
        """Return the metrics of judged rounds, oldest first, and the next page's token."""

    async def list_feedback(
        self, key: SessionKey, page: Page
    ) -> tuple[list[MonitorFeedbackEntry], str]:
        """Return analyses in the order in which they ended, and the next page's token."""

    async def list_strategies(
        self, key: SessionKey, page: Page
    ) -> tuple[list[StrategyDecision], str]:
        """Return what the strategy engine recommended, oldest first, and the next page's token."""

    async def last_exit(self, key: SessionKey) -> ExitHistoryEntry | None:
        """Return the newest decision of a turn that was not taken back; None before the first."""


class PlanStore(Protocol):
    """Edits of plans; a turn's first step decides those that wait (RESOLUTIONS C29)."""

    async def due_plannings(self, limit: int) -> tuple[MonitorTicket, ...]:
        """Return analyses to which a plan is owed without a lease on it, `exhausted` as above."""

    async def claim_planning(
        self, ticket: MonitorTicket, *, owner: str, ttl: timedelta
    ) -> PlanningWork | None:
        """Claim a plan that is owed; None when it is not, is held, pauses, or is exhausted."""

    async def propose_edit(self, proposed: ProposedEdit) -> tuple[SessionEvent, ...]:
        """Keep a proposal and its calls for the next turn, and return its events.

        Nothing where the session is gone; the calls alone, with their tokens, where nothing was
        proposed, its turn was taken back, or no plan is owed; as expired where the session ended.
        """

    async def request_undo(
        self, key: SessionKey, undo: PlanEdit
    ) -> tuple[PlanEdit, tuple[SessionEvent, ...]]:
        """Keep an undo for the next turn; the same `cause_id` again gives the first.

        Raises:
            NotFound: There is no such session, or no such edit in it.
            NotReady: The edit is not the latest that is applied.
        """

    async def list_plan_edits(self, key: SessionKey, page: Page) -> tuple[list[PlanEdit], str]:
        """Return edits in the order in which they were made, and the next page's token."""

    async def get_plan(self, key: SessionKey) -> PlanView:
        """Return the queue of the session's current topic, and the edits it had."""


class MonitorStore(Protocol):
    """Monitor requests and advice."""

    async def claim_monitor_request(
        self, ticket: MonitorTicket, *, owner: str, ttl: timedelta
    ) -> MonitorWork | None:
        """Claim one request; None when it is done, claimed elsewhere, pausing, or exhausted."""

    async def renew_claim(self, ticket: MonitorTicket, *, owner: str, ttl: timedelta) -> bool:
        """Prolong a claim on an analysis or a plan; False when it is no longer held.

        One that ran out untaken is held.
        """

    async def due_monitor_requests(self, limit: int) -> tuple[MonitorTicket, ...]:
        """Return requests that are free; after two claims that died in a row, as `exhausted`."""

    async def look_for_advice(self, ticket: MonitorTicket) -> PendingAnalysis:
        """Return whether the round's analysis is to come, and its pending advice."""

    async def finish_analysis(self, record: AnalysisRecord) -> tuple[SessionEvent, ...]:
        """Write analysis, advice, ledger and state in one transaction; done already: nothing.

        An advice for an instance that has ended is stored as expired; one about a lower round
        than a newer advice as superseded, as are older pending ones. `claim_planning` finds debts.
        """


class SummaryStore(Protocol):
    """Summaries of what prompts no longer hold word for word."""

    async def summary_work(self, key: SessionKey, *, most: int) -> SummaryWork | None:
        """Return what the next revision is made of; None where too few turns came to it.

        It has turns of at most `most` characters, and one turn at least. The newest turns are never
        among them, so no retry takes a revision back. NotFound for a deleted session.
        """

    async def write_summary(self, record: SummaryRecord) -> bool:
        """Write a revision with the calls that made it, in one transaction, and return True.

        Where the session is gone nothing is written. Where it has another revision by now, or a
        turn of it was taken back, the calls alone are, and False is returned.
        """


class TurnStore(StopStore, Protocol):
    """Turns, from the input to the end."""

    async def accept_input(
        self, key: SessionKey, user_input: UserInput, *, urgent: bool = False, answers: bool = False
    ) -> AcceptedInput:
        """Store an input with its sequence number.

        A repeat returns `duplicate`; one whose turn FAILED marks that turn to be run again.
        Other content under one id: InvalidRequest, reason CLIENT_MESSAGE_ID_REUSED. Ended session:
        SessionFinished. REJECT while busy, or the seventeenth waiting input: SessionBusy with
        retry_after; the turn that runs does not count for one that `answers` its text. INTERRUPT
        asks the running turn to end, RESTART to begin anew with what waits; where nothing runs, or
        RESTART comes too late, both are as MERGE. An urgent input interrupts, whatever it or the
        session says, and the next turn takes it up with all that waits before it, the opening turn
        too; not where the session's script opted out. An urgent repeat makes what waits urgent.
        """

    async def accept_and_begin(
        self,
        key: SessionKey,
        user_input: UserInput,
        *,
        owner: str,
        ttl: timedelta,
        urgent: bool = False,
    ) -> tuple[AcceptedInput, TurnSnapshot | TurnLater | NoTurn]:
        """Do as accept_input, then as begin_turn, in one transaction (ADR 19)."""

    async def begin_opening(
        self, key: SessionKey, *, owner: str, ttl: timedelta
    ) -> TurnSnapshot | NoTurn:
        """Take the lease and begin, or take up, the opening turn; IDLE once it is done."""

    async def begin_turn(
        self, key: SessionKey, *, owner: str, ttl: timedelta, takes_over: bool = False
    ) -> TurnSnapshot | TurnLater | NoTurn:
        """Take the lease and begin the next turn, or take up an unfinished one.

        In this order: an unfinished opening turn; the opening turn where it is unopened and inputs
        wait; a running turn whose holder is gone (attempt + 1), with the waiting inputs where it
        was asked to restart; a failed turn that a repeat or a new input asks for (merged with the
        waiting inputs where no step of it was committed); the waiting inputs as one turn (QUEUE:
        one each). A lease that another holds counts as gone where an urgent input waits and
        `takes_over` is set; without it that is NoTurn.URGENT.
        """

    async def renew_lease(self, lease: Lease, ttl: timedelta) -> bool:
        """Prolong the lease; False when it is no longer held."""

    async def commit_step(self, lease: Lease, step: StepCommit) -> CommittedStep:
        """Write a step with all it changed, or LeaseLost and nothing."""

    async def fail_turn(self, lease: Lease, failure: TurnFailure) -> tuple[SessionEvent, ...]:
        """End the attempt as FAILED and free the lease, or LeaseLost and nothing."""

    async def find_work(self, limit: int) -> tuple[SessionKey, ...]:
        """Return sessions with waiting inputs or a running turn and no live lease.

        One whose last turn failed is left alone for a while, longer after each attempt.
        """

    async def find_lapsing(
        self, within: timedelta, limit: int
    ) -> tuple[tuple[SessionKey, timedelta], ...]:
        """Return sessions whose turn's live lease, of a dead holder, ends `within`, and when."""


class Store(
    ScriptStore,
    AssetStore,
    SessionStore,
    LedgerStore,
    RetentionStore,
    EventStore,
    HistoryStore,
    ForkAndRetryStore,
    TurnStore,
    MonitorStore,
    PlanStore,
    DecisionStore,
    RunStore,
    ThreadStore,
    SummaryStore,
    SafetyStore,
    Protocol,
):
    """Everything, as bootstrap makes it."""

    async def start(self) -> None:
        """Migrate under a lock and open; on SQLite a second process is refused with NotReady."""

    async def ping(self) -> None:
        """Answer when the database does, and has room; StoreUnavailable, StoreFull otherwise."""

    async def aclose(self) -> None:
        """Close everything; afterwards no file or connection is open."""
