"""One attempt of a turn: the engine under a lease, its drafts and commits published to the hub."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from datetime import UTC, datetime

from executor_service.failpoints import Failpoint, Failpoints
from executor_service.hub import SessionHub
from executor_service.monitoring.analysis_metrics import count_events
from executor_service.monitoring.limits import CLAIM_TTL
from executor_service.safety.safety_metrics import count_hit
from executor_service.turn_stopping import StopToken
from executor_service.turns.turn_log import TurnLog
from heartrule.domain.action_result import ActionResult
from heartrule.domain.events import DraftDelta, Outcome, SessionEvent
from heartrule.domain.model_call import LLMDebugInfo, Purpose
from heartrule.domain.position import ExecutionStatus
from session_store.ports import Store
from session_store.records import (
    CommittedStep,
    MonitorTicket,
    MonitorWork,
    StepCommit,
    TurnEnd,
    TurnLeft,
    TurnSnapshot,
)

# The reason of void drafts whose turn was interrupted.
INTERRUPTED = "INTERRUPTED"
# Calls whose prompts hold the conversation, which a summary makes shorter.
_OF_THE_TALK = frozenset({Purpose.TALK, Purpose.DECIDE})


class Attempt:
    """What the engine of one attempt writes to: a sink for drafts and a journal for steps."""

    def __init__(
        self,
        snapshot: TurnSnapshot,
        *,
        store: Store,
        hub: SessionHub,
        failpoints: Failpoints,
        stop: StopToken,
        reply_deadline: float | None = None,
        analyst: str = "",
    ) -> None:
        """Create the sink of one attempt; `stop` is the token that stops it.

        `analyst` is the process that claims its analyses; empty: they are claimed later.
        """
        self._snapshot = snapshot
        self._store = store
        self._hub = hub
        self._failpoints = failpoints
        self._analyst = analyst
        self.stop = stop
        self.reply_deadline = reply_deadline
        stop.visible = snapshot.steps > 0
        self._position = snapshot.position
        self._message_ids = snapshot.message_ids
        self._judged: ActionResult | None = None
        self._claims_lapse_at = float("inf")
        self.degradations = snapshot.degradations
        """Those of the turn's committed steps; a failure reports them too."""
        self.drafts_open = False
        """True while a draft was shown that no commit has replaced."""
        self.inputs_waiting = False
        """True when the turn has ended and further inputs wait."""
        self.tickets: list[MonitorTicket | MonitorWork] = []
        """Monitor requests committed; the runner hands them over when the attempt has ended."""
        self.crowded = False
        """True when a prompt that talked was nearly too long, or gave way."""
        self.calls: list[LLMDebugInfo] = []
        """Model calls since the last commit; a failure writes them to the ledger."""
        self.log = TurnLog(action=snapshot.position.action_id)
        """What the log will say of the turn."""

    def emit(self, draft: DraftDelta) -> None:
        """Publish to watchers of this process; nothing is stored and nothing blocks."""
        snapshot = self._snapshot
        event = SessionEvent(
            session_id=snapshot.lease.key.session_id,
            body=draft,
            turn_id=snapshot.turn_id,
            attempt=snapshot.attempt,
            create_time=datetime.now(UTC),
        )
        self.drafts_open = self.stop.visible = True
        self.log.saw_text()
        self.stop.said = draft.text_complete
        self._hub.publish(snapshot.lease.key, (event,))
        self._failpoints.hit(Failpoint.MID_STREAM)

    async def commit(self, step: StepCommit) -> CommittedStep:
        """Make a step durable, then publish its events.

        Raises:
            LeaseLost: Another holder has the session; nothing was written.
        """
        self._failpoints.hit(Failpoint.BEFORE_COMMIT)
        step = self._claiming(replace(step, calls=tuple(self.calls)))
        committed = await self._store.commit_step(self._snapshot.lease, step)
        self._failpoints.hit(Failpoint.AFTER_COMMIT)
        self.crowded |= any(each.crowded for each in self.calls if each.purpose in _OF_THE_TALK)
        self.log.saw_step(step)
        self.calls.clear()
        self.degradations += step.degradations
        self.drafts_open = self.stop.said = False
        self.inputs_waiting = committed.inputs_waiting
        if step.end is None:
            self._go_on(step, committed)
        else:
            self.log.tell(step.end.outcome)
        self._hub.publish(self._snapshot.lease.key, committed.events)
        count_events(committed.events)
        if step.safety is not None:
            count_hit(step.safety)
        self._note_monitor_request(step, committed)
        return committed

    def _claiming(self, step: StepCommit) -> StepCommit:
        """Let the step claim the analysis it asks for: it is handed over at once."""
        if not self._analyst or not step.monitor_requested:
            return step
        return replace(step, monitor_owner=self._analyst, monitor_ttl=CLAIM_TTL)

    def owed_analyses(self) -> tuple[MonitorTicket | MonitorWork, ...]:
        """Return the monitor requests committed; of a long attempt the claims may have run out."""
        late = asyncio.get_running_loop().time() >= self._claims_lapse_at
        return tuple(
            replace(each, late=True) if late and isinstance(each, MonitorWork) else each
            for each in self.tickets
        )

    async def interrupt(self) -> TurnEnd:
        """End the turn where its last step left it; drafts no step committed are void.

        Raises:
            LeaseLost: Another holder has the session; nothing was written.
        """
        self._failpoints.hit(Failpoint.STOPPED)
        judged = self._judged
        end = TurnEnd(
            outcome=Outcome.INTERRUPTED,
            degradations=self.degradations,
            message_ids=self._message_ids,
            exit_reason=judged.exit_reason if judged else None,
            exit_decision=judged.exit_decision if judged else None,
        )
        await self.commit(
            StepCommit(
                turn_id=self._snapshot.turn_id,
                attempt=self._snapshot.attempt,
                status=ExecutionStatus.WAITING_INPUT,
                position=self._position,
                drafts_voided=INTERRUPTED if self.drafts_open else "",
                end=end,
            )
        )
        return end

    async def leave(self) -> None:
        """Give the turn up, so that it begins anew with the inputs that wait.

        Raises:
            LeaseLost: Another holder has the session; nothing was written.
        """
        self._failpoints.hit(Failpoint.STOPPED)
        snapshot = self._snapshot
        left = TurnLeft(turn_id=snapshot.turn_id, attempt=snapshot.attempt, calls=tuple(self.calls))
        await self._store.leave_turn(snapshot.lease, left)
        self._failpoints.hit(Failpoint.AFTER_LEAVE)

    def _go_on(self, step: StepCommit, committed: CommittedStep) -> None:
        """Keep where a step left the turn, and hand on a stop request noted meanwhile."""
        self.stop.visible = True
        self._position = step.position
        self._message_ids += tuple(message.message_id for message in step.messages)
        if step.result is not None and step.result.exit_decision is not None:
            self._judged = step.result
        if committed.stop is not None:
            self.stop.ask(committed.stop)

    def _note_monitor_request(self, step: StepCommit, committed: CommittedStep) -> None:
        result = step.result
        if committed.monitor_work is not None:
            self.tickets.append(committed.monitor_work)
            lapses = asyncio.get_running_loop().time() + CLAIM_TTL.total_seconds() / 2
            self._claims_lapse_at = min(self._claims_lapse_at, lapses)
        elif step.monitor_requested and result is not None:
            key, instance = self._snapshot.lease.key, result.action_instance_id
            ticket = MonitorTicket(key=key, action_instance_id=instance, round=result.round)
            self.tickets.append(ticket)
