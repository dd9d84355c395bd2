"""One attempt of a turn: the engine under a lease, its drafts and commits told to the hub."""

from __future__ import annotations

from datetime import UTC, datetime

from executor_service.failpoints import Failpoint, Failpoints
from executor_service.hub import SessionHub
from executor_service.monitoring.measures import count_told
from heartrule.domain.events import DraftDelta, SessionEvent
from heartrule.domain.fields import replace
from heartrule.domain.model_call import LLMDebugInfo
from session_store.ports import TurnStore
from session_store.records import CommittedStep, MonitorTicket, StepCommit, TurnSnapshot


class Attempt:
    """What the engine of one attempt writes to: a sink for drafts and a journal for steps."""

    def __init__(
        self,
        snapshot: TurnSnapshot,
        *,
        store: TurnStore,
        hub: SessionHub,
        failpoints: Failpoints,
    ) -> None:
        """Nothing is told before the first draft or commit."""
        self._snapshot = snapshot
        self._store = store
        self._hub = hub
        self._failpoints = failpoints
        self.degradations = snapshot.degradations
        """Those of the turn's committed steps; a failure tells them too."""
        self.drafts_open = False
        """True while a draft was shown that no commit has replaced."""
        self.inputs_waiting = False
        """True when the turn has ended and further inputs wait."""
        self.tickets: list[MonitorTicket] = []
        """Monitor requests committed and not yet handed over."""
        self.calls: list[LLMDebugInfo] = []
        """Model calls since the last commit; a failure writes them to the ledger."""

    def emit(self, draft: DraftDelta) -> None:
        """Tell watchers of this process; nothing is stored and nothing blocks."""
        snapshot = self._snapshot
        event = SessionEvent(
            session_id=snapshot.lease.key.session_id,
            body=draft,
            turn_id=snapshot.turn_id,
            attempt=snapshot.attempt,
            create_time=datetime.now(UTC),
        )
        self.drafts_open = True
        self._hub.publish(snapshot.lease.key, (event,))
        self._failpoints.hit(Failpoint.MID_STREAM)

    async def commit(self, step: StepCommit) -> CommittedStep:
        """Make a step durable and then tell it.

        Raises:
            LeaseLost: Another holder has the session; nothing was written.
        """
        self._failpoints.hit(Failpoint.BEFORE_COMMIT)
        step = replace(step, calls=tuple(self.calls))
        committed = await self._store.commit_step(self._snapshot.lease, step)
        self._failpoints.hit(Failpoint.AFTER_COMMIT)
        self.calls.clear()
        self.degradations += step.degradations
        self.drafts_open = False
        self.inputs_waiting = committed.inputs_waiting
        self._hub.publish(self._snapshot.lease.key, committed.events)
        count_told(committed.events)
        self._note_monitor_request(step)
        return committed

    def _note_monitor_request(self, step: StepCommit) -> None:
        result = step.result
        if step.monitor_requested and result is not None:
            key = self._snapshot.lease.key
            self.tickets.append(
                MonitorTicket(
                    key=key,
                    action_instance_id=result.action_instance_id,
                    round=result.round,
                )
            )
